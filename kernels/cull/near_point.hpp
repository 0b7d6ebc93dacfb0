#pragma once

/// A point of a shape that is near the origin: the nearest one of spheres, boxes and capsules, but for rounding.
///
/// A zonotope without its ball is centre + sum of s_k axis_k with |s_k| <= 1. From the point farthest along -centre on,
/// each s_k in turn becomes the one that brings the point nearest to the origin. Where axes are at right angles, the
/// first round finds the nearest point; else the second one comes nearer. Every choice of s_k gives a point of the
/// shape, so this needs no accuracy: what is said of the point is computed from the s_k that were chosen.

#include "lanes/expansion.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"

namespace lanecull {
namespace {

/// The s from `least` to 1 that brings p + (s - from) axis nearest to the origin; if that is NaN, `least`: min() and
/// max() return their second operand then.
LANE_INLINE FloatW nearest_share(const Vec3W& p, const Vec3W& axis, FloatW from, float least) {
    const FloatW s = from - dot(p, axis) / dot(axis, axis);
    return min(max(s, FloatW(least)), FloatW(1.0f));
}

/// Of the shape moved to `center`, without its ball.
template <int Axes, bool Ball>
LANE_INLINE Vec3W near_point(const ZonotopeW<Axes, Ball>& shape, const Vec3W& center) {
    constexpr int rounds = Axes > 1 ? 2 : 1;
    constexpr int axes_or_one = Axes + (Axes == 0);  // arrays have an element
    const auto& axis = shape.axis;
    FloatW share[axes_or_one];
    Vec3W p = center;
    for (int k = 0; k < Axes; ++k) {
        share[k] = flip(FloatW(1.0f), -dot(center, axis[k]));
        p = plus_times(p, axis[k], share[k]);
    }
    for (int step = 0; step < rounds * Axes; ++step) {
        const int k = step % axes_or_one;
        const FloatW next = nearest_share(p, axis[k], share[k], -1);
        p = plus_times(p, axis[k], next - share[k]);
        share[k] = next;
    }
    p = center;
    for (int k = 0; k < Axes; ++k) p = plus_times(p, axis[k], share[k]);
    return p;
}

/// The same of an expanded shape, without both balls. How far it has moved along its sweep is chosen in turn with the
/// shape's point.
template <class Shape>
LANE_INLINE Vec3W near_point(const ExpandedW<Shape>& shape, const Vec3W& center) {
    constexpr int rounds = 3;
    FloatW share(0.0f);
    Vec3W p = center;
    for (int round = 0; round < rounds; ++round) {
        if (round > 0) share = nearest_share(p, shape.sweep, share, 0);
        p = near_point(static_cast<const Shape&>(shape), plus_times(center, shape.sweep, share));
    }
    return p;
}

/// The radius of the balls that near_point() leaves out.
template <int Axes, bool Ball>
LANE_INLINE FloatW ball_around_core(const ZonotopeW<Axes, Ball>& shape) {
    return shape.ball_radius();
}
template <class Shape>
LANE_INLINE FloatW ball_around_core(const ExpandedW<Shape>& shape) {
    return ball_around_core(static_cast<const Shape&>(shape)) + shape.margin;
}

}  // namespace
}  // namespace lanecull
