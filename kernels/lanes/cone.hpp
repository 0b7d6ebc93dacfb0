#pragma once

/// Cones: the hull of a disc and of a point, the apex. Their axes are those of the cylinder with that disc at both
/// ends: `center` is the middle of the way from the apex to the base's middle, and not one of symmetry.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/oval.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

struct ConeW : OvalW<1> {
    static constexpr float disc_weight = roundings::cone_weight;

    /// The point of the shape farthest in direction v: the apex or the disc's.
    LANE_INLINE Vec3W support(const Frame&, const Vec3W& v) const {
        const FloatW zero(0.0f);
        const Vec3W w = v * FloatW(enlarged);
        const FloatW along[3] = {dot(w, axis[0]), dot(w, axis[1]), dot(w, axis[2])};
        const FloatW square = fma(along[2], along[2], fma(along[1], along[1], FloatW(least_square)));
        const FloatW inverse = over_sqrt(FloatW(1.0f), square);
        // How much farther than the apex the disc's point is.
        const FloatW farther = fma(square, inverse, along[0] + along[0]);
        const FloatW share = select(farther < zero, zero, inverse);
        const Vec3W p = plus_times(center, axis[0], flip(FloatW(1.0f), farther));
        return plus_times(plus_times(p, axis[1], along[1] * share), axis[2], along[2] * share);
    }

    /// Largest n . (p - centre) over the shape, or a little more, as of ovals; and the same along -n.
    LANE_INLINE FloatW reach(const Vec3W& n) const {
        const FloatW along = dot(n, axis[0]);
        return max(-along, disc_reach(n) + along);
    }
    LANE_INLINE FloatW reach_back(const Vec3W& n) const {
        const FloatW along = dot(n, axis[0]);
        return max(along, disc_reach(n) - along);
    }

    /// Smallest and greatest coordinates, before their error.
    LANE_INLINE ExtentW extent() const {
        const Vec3W apex = center - axis[0], base = center + axis[0], disc = round_extent();
        const Vec3W low = base - disc, high = base + disc;
        return {{min(apex.x, low.x), min(apex.y, low.y), min(apex.z, low.z)},
                {max(apex.x, high.x), max(apex.y, high.y), max(apex.z, high.z)}};
    }

private:
    LANE_INLINE FloatW disc_reach(const Vec3W& n) const {
        const FloatW first = dot(n, axis[1]), second = dot(n, axis[2]);
        return sqrt(fma(second, second, fma(first, first, FloatW(least_square))));
    }
};

}  // namespace
}  // namespace lanecull
