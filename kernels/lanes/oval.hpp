#pragma once

/// Ellipses and ellipsoids, swept along a segment or not: centre + s axis_0 + t_1 axis_1 + t_2 axis_2 with |s| <= 1 and
/// |t| <= 1 (cylinders), or centre + sum of t_k axis_k with |t| <= 1 (ellipsoids). As axes are vectors like any others,
/// a frame whose matrix is not orthonormal needs nothing more.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// How far the axes from number `first` on, as those of an oval, together reach along each coordinate.
template <int First>
LANE_INLINE Vec3W reach_of_oval(const Vec3W (&axis)[3]) {
    FloatW largest = inf_norm(axis[First]);
    for (int k = First + 1; k < 3; ++k) largest = max(largest, inf_norm(axis[k]));
    const FloatW scale = exponent_scale(largest), back = FloatW(1.0f) / scale;
    const FloatW zero(0.0f);
    Vec3W square{zero, zero, zero};
    for (int k = First; k < 3; ++k) {
        Vec3W a = axis[k] * scale;
        square = {fma(a.x, a.x, square.x), fma(a.y, a.y, square.y), fma(a.z, a.z, square.z)};
    }
    return {sqrt(square.x) * back, sqrt(square.y) * back, sqrt(square.z) * back};
}

/// Segments: how many of the axes, the first ones, count by |s| <= 1; the others together by |t| <= 1.
template <int Segments>
requires(Segments == 0 || Segments == 1) struct OvalW : ZonotopeW<3, false> {
    /// Added to sums of squares, so that no root is 0. Its own root, 3e-19, is below all bounds where lengths are
    /// multiplied by `enlarged`; elsewhere it makes them larger.
    static constexpr float least_square = 1e-37f;
    static constexpr float enlarged = 0x1p30f;
    /// With which G counts the axes of a cylinder's ends.
    static constexpr float disc_weight = roundings::cylinder_weight;

    /// The point of the shape farthest in direction v.
    LANE_INLINE Vec3W support(const Frame&, const Vec3W& v) const {
        Vec3W p = center;
        if constexpr (Segments == 1) p = plus_times(p, axis[0], flip(FloatW(1.0f), dot(v, axis[0])));
        const Vec3W w = v * FloatW(enlarged);
        FloatW along[3], square(least_square);
        for (int k = Segments; k < 3; ++k) {
            along[k] = dot(w, axis[k]);
            square = fma(along[k], along[k], square);
        }
        const FloatW inverse = over_sqrt(FloatW(1.0f), square);
        for (int k = Segments; k < 3; ++k) p = plus_times(p, axis[k], along[k] * inverse);
        return p;
    }

    /// Largest n . (p - centre) over the shape, or, by `least_square`, a little more.
    LANE_INLINE FloatW reach(const Vec3W& n) const {
        FloatW square(least_square);
        for (int k = Segments; k < 3; ++k) {
            const FloatW along = dot(n, axis[k]);
            square = fma(along, along, square);
        }
        if constexpr (Segments == 0) return sqrt(square);
        return sqrt(square) + abs(dot(n, axis[0]));
    }
    LANE_INLINE FloatW reach_back(const Vec3W& n) const { return reach(n); }

    /// How far the round axes together reach along each coordinate.
    LANE_INLINE Vec3W round_extent() const { return reach_of_oval<Segments>(axis); }

    /// Smallest and greatest coordinates, before their error.
    LANE_INLINE ExtentW extent() const {
        Vec3W reach = round_extent();
        if constexpr (Segments == 1) reach = reach + Vec3W{abs(axis[0].x), abs(axis[0].y), abs(axis[0].z)};
        return {center - reach, center + reach};
    }

    /// The squared distance of the farthest point from the centre, before its error. The axes are at right angles to
    /// each other where this is used.
    LANE_INLINE FloatW farthest_corner_squared() const {
        FloatW longest = dot(axis[Segments], axis[Segments]);
        for (int k = Segments + 1; k < 3; ++k) longest = max(longest, dot(axis[k], axis[k]));
        return Segments == 1 ? longest + dot(axis[0], axis[0]) : longest;
    }
};

/// d / |d|, and two unit vectors at right angles to d and to each other. d is an array's difference, with one rounding;
/// each component of the first two is then off by 9 u of itself, and of `second` by roundings::across. d must not be 0.
struct AcrossW {
    Vec3W along, first, second;
    FloatW scale, square;  // a power of two, and |d scale|^2, from 1 to 12

    LANE_INLINE explicit AcrossW(const Vec3W& given) {
        const FloatW zero(0.0f), one(1.0f);
        scale = exponent_scale(inf_norm(given));
        Vec3W d = given * scale;
        square = dot(d, d);
        Vec3W side = select(abs(d.x) > abs(d.z), Vec3W{-d.y, d.x, zero}, Vec3W{zero, -d.z, d.y});
        first = side * over_sqrt(one, dot(side, side));
        along = d * over_sqrt(one, square);
        second = cross(along, first);
    }
};

}  // namespace
}  // namespace lanecull
