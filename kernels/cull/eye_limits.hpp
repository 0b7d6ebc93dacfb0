#pragma once

/// Finds objects that are too far from the view's eye or too near to it, objects that are too small as seen from there,
/// and objects that a point light does not reach. Coordinates are those of the eye's frame, or the light's: world axes
/// around it.
///
/// Let c be the object's centre, and m the least p . c over the object's points p. Then every p has |p| >= m / |c|. m
/// comes from the support mapping, less the bound of a support point. Any other direction than c will do; for a point
/// light's range that of the object's nearest point is tested, too. From above, the object's distance is at most that
/// of any of its points (near_point()).

#include <lanecull/batch.h>
#include <lanecull/cull.h>

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "cull/refine.hpp"
#include "lanes/cone.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/oval.hpp"
#include "lanes/sector.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// Covers a handful of roundings in products of positive numbers.
constexpr float roundings_up = 1 + 0x1p-20f;
/// Objects whose centre is nearer to the eye or point light than this fraction of their own size are neither far nor
/// small.
constexpr float least_directed = 1e-9f;

/// A shape seen from the origin of a frame with world axes. In each lane a power of two brings the coordinates near 1.
template <class Shape>
struct SeenFromW {
    const Frame& place;
    Shape shape;
    MaskW usable, directed;
    FloatW scale;
    FloatW error;   // of a support point's coordinates
    FloatW length;  // at least |c|
    FloatW least;   // at most p . c, for any of the shape's points p

    LANE_INLINE SeenFromW(const Frame& place_, float place_error, const Shape& shape_)
        : place(place_), shape(shape_), usable(sound(shape)), scale(exponent_scale(shape.magnitude)) {
        error = fma(FloatW(Shape::error_factor(place)), shape.magnitude * scale, FloatW(place_error) * scale);
        shape.rescale(scale);
        Vec3W c = shape.center;
        length = sqrt(dot(c, c)) * FloatW(roundings_up);
        least = fma(-error, one_norm(c), dot(shape.support(place, -c), c));
        directed = usable & (one_norm(c) > FloatW(least_directed));
    }

    /// Set: all of it is farther away, proved.
    LANE_INLINE MaskW beyond(FloatW distance) const { return directed & (least > distance * scale * length); }

    /// Set: all of it is farther away, proved along the way to its centre or along that to its nearest point. The
    /// latter is found without its balls, and any direction will do.
    LANE_INLINE MaskW wholly_beyond(FloatW distance) const {
        const Vec3W way = near_point(shape, shape.center);
        const FloatW along = fma(-error, one_norm(way), dot(shape.support(place, -way), way));
        const MaskW has_way = usable & (one_norm(way) > FloatW(least_directed));
        const FloatW way_length = sqrt(dot(way, way)) * FloatW(roundings_up);
        return beyond(distance) | (has_way & (along > distance * scale * way_length));
    }

    /// Set: its nearest point is nearer than that, proved. max() keeps a NaN that stands second.
    LANE_INLINE MaskW within(FloatW distance) const {
        Vec3W p = near_point(shape, shape.center);
        const FloatW outside_ball = fma(sqrt(dot(p, p)), FloatW(roundings_up), -ball_around_core(shape));
        // A vector whose components are off by no more than `error` each is off by less than twice as much.
        const FloatW nearest = max(FloatW(0.0f), outside_ball) + (error + error);
        return usable & (nearest < distance * scale);
    }
};

/// The limits that W objects have of their own. Those that the batch does not have limit nothing.
struct EyeLimitsW {
    FloatW max_distance, min_distance, min_size;
    bool has_min_distance;

    template <class Fetch>
    LANE_INLINE EyeLimitsW(const Attributes& a, const Fetch& fetch) : has_min_distance(a.min_distance != nullptr) {
        max_distance = a.max_distance != nullptr ? fetch(a.max_distance) : FloatW(__builtin_inff());
        min_distance = has_min_distance ? fetch(a.min_distance) : FloatW(0.0f);
        min_size = a.min_projected_size != nullptr ? fetch(a.min_projected_size) : FloatW(0.0f);
    }
};

/// All of it is beyond max_distance; its nearest point is nearer than min_distance; its projected size is below the
/// least: each proved.
using BeyondLimits = Found<Reason::culled_distance, Reason::culled_near, Reason::culled_size>;

template <class Shape>
LANE_INLINE BeyondLimits beyond_limits(const PreparedView& view, const Shape& shape, const EyeLimitsW& limits) {
    SeenFromW<Shape> seen(view.eye, view.eye_error, shape);
    // The shape's own size. Corners are off by no more than support points are.
    const FloatW radius =
        fma(sqrt(seen.shape.farthest_corner_squared()), FloatW(roundings_up), seen.shape.ball_radius() + seen.error);
    const FloatW size = radius * FloatW(view.size_scale * roundings_up);

    MaskW far = view.has_eye ? seen.beyond(limits.max_distance) : mask_of(0);
    MaskW near = view.has_eye && limits.has_min_distance ? seen.within(limits.min_distance) : mask_of(0);
    MaskW small = view.size_by_distance ? seen.directed & (seen.least * limits.min_size > size * seen.length)
                                        : seen.usable & (size < limits.min_size * seen.scale);
    if (!(view.size_scale > 0)) small = mask_of(0);
    return {{bits(far), bits(near), bits(small)}};
}

/// The s from `least` to 1 that brings p + (s - from) axis nearest to the origin; if that is NaN, `least`: min() and
/// max() return their second operand then.
LANE_INLINE FloatW nearest_share(const Vec3W& p, const Vec3W& axis, FloatW from, float least) {
    const FloatW s = from - dot(p, axis) / dot(axis, axis);
    return min(max(s, FloatW(least)), FloatW(1.0f));
}

/// A point of a shape that is near the origin: the nearest one of spheres, boxes and capsules, but for rounding.
///
/// A zonotope without its ball is centre + sum of s_k axis_k with |s_k| <= 1. From the point farthest along -centre on,
/// each s_k in turn becomes the one that brings the point nearest to the origin. Where axes are at right angles, the
/// first round finds the nearest point; else the second one comes nearer. Every choice of s_k gives a point of the
/// shape, so this needs no accuracy: what is said of the point is computed from the s_k that were chosen.
///
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

/// The same of an ellipse along a segment, or of an ellipsoid; axes are at right angles. The factors of the nearest
/// point of an ellipsoid are g_k / (h_k^2 + m), with g_k = -p . axis_k, h_k = |axis_k|, and for p outside the m > 0
/// that makes their squares' sum 1 (Moré, "The Levenberg-Marquardt algorithm", 1978). Newton's steps for 1 / |factors|
/// come near it from below. The factors are then made a little too short rather than too long.
template <int Segments>
LANE_INLINE Vec3W near_point(const OvalW<Segments>& shape, const Vec3W& center) {
    constexpr int steps = Segments == 0 ? 4 : 1;  // a circle takes one
    constexpr float shortened = 1 - 0x1p-20f;
    const FloatW zero(0.0f), one(1.0f), least(1e-30f);
    const auto& axis = shape.axis;
    Vec3W p = center;
    if constexpr (Segments == 1) p = plus_times(p, axis[0], nearest_share(p, axis[0], zero, -1));
    FloatW toward[3], square[3], factor[3], m = zero;
    for (int k = Segments; k < 3; ++k) {
        toward[k] = -dot(p, axis[k]);
        square[k] = dot(axis[k], axis[k]);
        m = max(m, abs(toward[k]) - square[k]);
    }
    FloatW sum;
    for (int step = 0; step <= steps; ++step) {
        sum = zero;
        FloatW fall = zero;
        for (int k = Segments; k < 3; ++k) {
            const FloatW inverse = one / (square[k] + (m + least));
            factor[k] = toward[k] * inverse;
            sum = fma(factor[k], factor[k], sum);
            fall = fma(factor[k] * factor[k], inverse, fall);
        }
        if (step < steps) m = max(zero, m + select(sum > one, sum / fall * (sqrt(sum) - one), zero));
    }
    const FloatW within = select(sum < one, one, over_sqrt(one, sum)) * FloatW(shortened);
    for (int k = Segments; k < 3; ++k) p = plus_times(p, axis[k], factor[k] * within);
    return p;
}

/// The same of a cone, in the plane of its axis and the origin. The base's radius is the unit across the axis, the axis
/// itself the unit along it, and the apex 0. What is farther from the axis than the slant is nearest to that, what is
/// not, to the base.
LANE_INLINE Vec3W near_point(const ConeW& cone, const Vec3W& center) {
    constexpr float shortened = 1 - 0x1p-20f;
    const FloatW zero(0.0f), one(1.0f), least(1e-30f);
    const auto& axis = cone.axis;
    const Vec3W apex = center - axis[0];
    const FloatW height = FloatW(4.0f) * dot(axis[0], axis[0]), width = dot(axis[1], axis[1]);  // both squared
    const FloatW along = -(dot(apex, axis[0]) + dot(apex, axis[0])) / (height + least);
    const FloatW toward[2] = {-dot(apex, axis[1]) / (width + least), -dot(apex, axis[2]) / (width + least)};
    const FloatW away = sqrt(fma(toward[0], toward[0], toward[1] * toward[1]));
    const FloatW on_slant = fma(along, height, away * width) / (height + width + least);
    const FloatW depth = min(max(select(away < along, along, on_slant), zero), one);
    const FloatW share = (depth + depth) - one;
    // From the share as it is rounded, so that the point is one of the cone.
    const FloatW room = (share + one) * FloatW(0.5f * shortened);
    const FloatW within = select(room < away, room / away, FloatW(shortened));
    Vec3W p = plus_times(center, axis[0], share);
    for (int k = 0; k < 2; ++k) p = plus_times(p, axis[k + 1], toward[k] * within);
    return p;
}

/// The same of a cone with a round base, in that plane: what the cone's slant is not nearest to has its nearest point
/// on the way to the apex.
LANE_INLINE Vec3W near_point(const SectorW& sector, const Vec3W& center) {
    constexpr float shortened = 1 - 0x1p-20f;
    const FloatW zero(0.0f), one(1.0f), least(1e-30f);
    const auto& axis = sector.axis;
    const Vec3W apex = plus_times(center, axis[0], FloatW(-0.5f) * sector.cosine);
    const FloatW inverse = one / (dot(axis[0], axis[0]) + least);
    const FloatW along = -dot(apex, axis[0]) * inverse;
    const FloatW toward[2] = {-dot(apex, axis[1]) * inverse, -dot(apex, axis[2]) * inverse};
    const FloatW away = sqrt(fma(toward[0], toward[0], toward[1] * toward[1]));
    const FloatW length = sqrt(fma(along, along, away * away)) + least;
    const MaskW within = away * sector.cosine < along * sector.sine;
    const FloatW on_slant = fma(along, sector.cosine, away * sector.sine);
    const FloatW far = min(max(select(within, length, on_slant), zero), one) * FloatW(shortened);
    const FloatW forward = far * select(within, along / length, sector.cosine);
    const FloatW aside = far * select(within, away / length, sector.sine) / (away + least);
    Vec3W p = plus_times(apex, axis[0], forward);
    for (int k = 0; k < 2; ++k) p = plus_times(p, axis[k + 1], toward[k] * aside);
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
template <int Segments>
LANE_INLINE FloatW ball_around_core(const OvalW<Segments>&) {
    return FloatW(0.0f);
}
template <class Shape>
LANE_INLINE FloatW ball_around_core(const ExpandedW<Shape>& shape) {
    return ball_around_core(static_cast<const Shape&>(shape)) + shape.margin;
}

/// Clears the bits of objects that are too far away, too near or too small. Not inlined, like the next one, because it
/// is rare.
template <class Range>
[[gnu::noinline]] Populations drop_distant(Range& range, Chunk& chunk, UndecidedList& list) {
    FrameAxesW axes(range.view.eye);
    drive(range.verdicts, chunk, Packets(chunk, chunk.words, list), [&](const Packet& packet) LANE_LAMBDA {
        const GatheredObjects gathered = packet.gathered(chunk.first);
        return beyond_limits(range.view, range.load(axes, gathered), EyeLimitsW(range.attributes, gathered));
    });
    return chunk.close_culled();
}

/// The same for objects that the view's point light does not reach.
template <class Range>
[[gnu::noinline]] Populations drop_beyond_light(Range& range, Chunk& chunk, UndecidedList& list) {
    FrameAxesW axes(range.view.light);
    drive(range.verdicts, chunk, Packets(chunk, chunk.words, list), [&](const Packet& packet) LANE_LAMBDA {
        SeenFromW seen(range.view.light, range.view.light_error, range.load(axes, packet.gathered(chunk.first)));
        return Found<Reason::culled_distance>{{bits(seen.wholly_beyond(FloatW(range.view.light_range)))}};
    });
    return chunk.close_culled();
}

}  // namespace
}  // namespace lanecull
