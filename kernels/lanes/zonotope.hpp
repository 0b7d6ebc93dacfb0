#pragma once

/// Spheres, boxes of every kind and capsules are one shape: centre + sum of s_k axis_k with |s_k| <= 1, rounded by a
/// ball. Its support mapping is a sum of supports, and so is its error bound.
///
///   sphere  no axis, ball      box  three axes      capsule  one axis (half the segment), ball

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// p plus the point of a ball around 0 that is farthest in direction v. That point is r v / |v|, or R R^T v r / |R^T v|
/// where R is not orthonormal and the ball becomes an ellipsoid.
LANE_INLINE Vec3W plus_ball(const Vec3W& p, const Frame& frame, FloatW radius, const Vec3W& v) {
    if (frame.rigid) return plus_times(p, v, over_sqrt(radius * FloatW(frame.ball_scale), dot(v, v)));
    // R^T v can be far shorter than v. v is scaled first, so the square of R^T v underflows only where it counts for
    // nothing.
    const UniformMatrix rotation(frame.rotation);
    Vec3W w = rotation.transposed(v * exponent_scale(inf_norm(v)));
    return p + rotation * (w * over_sqrt(radius, dot(w, w)));
}

template <int Axes, bool Ball>
requires(Axes == 0 || Axes == 1 || Axes == 3) struct ZonotopeW {
    static LANE_INLINE float error_factor(const Frame& frame) {
        if (Ball && !frame.rigid) return error_per_magnitude(roundings::skewed_ball);
        return error_per_magnitude(roundings::zonotope);
    }

    // View space.
    Vec3W center;
    Vec3W axis[Axes > 0 ? Axes : 1];  // NOLINT(bugprone-branch-clone): the same where Axes is 1
    FloatW radius;
    // |R| <= 1 component by component, so magnitudes of relative coordinates bound those of view space.
    FloatW magnitude;
    MaskW valid;  // clear: not a shape (min > max, negative radius). Says nothing about NaN; magnitude does

    /// The point of the shape, without its ball, that is farthest in direction v. An axis times 1 or -1 is exact, so
    /// these are sums like any others. Flipping three coordinates by their sign bits and adding them would take half as
    /// many operations again.
    LANE_INLINE Vec3W core(const Vec3W& v) const {
        Vec3W p = center;
        for (int k = 0; k < Axes; ++k) p = plus_times(p, axis[k], flip(FloatW(1.0f), dot(v, axis[k])));
        return p;
    }
    /// The point of the shape farthest in direction v.
    LANE_INLINE Vec3W support(const Frame& frame, const Vec3W& v) const {
        Vec3W p = core(v);
        if constexpr (Ball) p = plus_ball(p, frame, radius, v);
        return p;
    }

    /// Largest n . (p - centre) over the shape; |n R|, the normal's length in relative space, is at most 1.
    LANE_INLINE FloatW reach(const Vec3W& n) const {
        FloatW sum(0.0f);
        if constexpr (Ball) sum = radius;
        for (int k = 0; k < Axes; ++k) sum = sum + abs(dot(n, axis[k]));
        return sum;
    }
    /// The same along -n: as far, about a centre of symmetry.
    LANE_INLINE FloatW reach_back(const Vec3W& n) const { return reach(n); }

    /// Smallest and greatest coordinates, before their error.
    LANE_INLINE ExtentW extent() const {
        const FloatW zero(0.0f);
        Vec3W reach{zero, zero, zero};
        if constexpr (Ball) reach = {radius, radius, radius};  // R's rows are as long as 1, within their rounding
        for (int k = 0; k < Axes; ++k) reach = reach + Vec3W{abs(axis[k].x), abs(axis[k].y), abs(axis[k].z)};
        return {center - reach, center + reach};
    }

    /// The squared distance of the farthest corner from the centre, before its error and without the ball. Corners come
    /// in opposite pairs, so one sign is fixed.
    LANE_INLINE FloatW farthest_corner_squared() const {
        if constexpr (Axes == 0) return FloatW(0.0f);
        if constexpr (Axes == 1) return dot(axis[0], axis[0]);
        if constexpr (Axes == 3) {
            FloatW farthest(0.0f);
            for (int corner = 0; corner < 4; ++corner) {
                Vec3W p = corner & 1 ? axis[0] + axis[1] : axis[0] - axis[1];
                Vec3W c = corner & 2 ? p + axis[2] : p - axis[2];
                farthest = max(farthest, dot(c, c));
            }
            return farthest;
        }
    }
    LANE_INLINE FloatW ball_radius() const {
        if constexpr (Ball) return radius;
        return FloatW(0.0f);
    }

    LANE_INLINE void rescale(FloatW scale) {
        center = center * scale;
        for (int k = 0; k < Axes; ++k) axis[k] = axis[k] * scale;
        if constexpr (Ball) radius = radius * scale;
    }
    static constexpr bool may_overflow = false;  // rescaled: its numbers are at most the magnitude
    LANE_INLINE FloatW underflow_magnitude() const { return FloatW(0.0f); }

    /// How many numbers support() reads (Gjk::visit_lanes).
    static constexpr std::uint32_t lane_numbers = 3 + 3 * Axes + (Ball ? 1 : 0);
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        visit3(center, visit);
        for (int k = 0; k < Axes; ++k) visit3(axis[k], visit);
        if constexpr (Ball) visit(radius);
    }

    /// A point of the shape that is likely to be inside the volume if anything is.
    LANE_INLINE const Vec3W& inner_point() const { return center; }
};

}  // namespace
}  // namespace lanecull
