#pragma once

/// Cones with a round base: sectors of a ball, apex + sum of t_k axis_k with |t| <= 1 and t_0 >= cosine |t|. The axes
/// are as long as the ball's radius, the first one leads from the apex to the middle of the cap. `center` is in the
/// middle between the apex and the rim's plane, as of cones with a flat base.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/cone.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/oval.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

struct SectorW : OvalW<0> {
    FloatW cosine, sine;  // of the half-angle: how much of the first axis, and of the others, the rim has

    /// The point of the shape farthest in direction v: of the cap, of its rim, or the apex.
    LANE_INLINE Vec3W support(const Frame&, const Vec3W& v) const {
        const FloatW zero(0.0f);
        const Vec3W w = v * FloatW(enlarged);
        const FloatW along[3] = {dot(w, axis[0]), dot(w, axis[1]), dot(w, axis[2])};
        const FloatW across = fma(along[2], along[2], fma(along[1], along[1], FloatW(least_square)));
        const FloatW ahead = sine * max(along[0], zero);
        const MaskW on_cap = ahead * ahead > (cosine * cosine) * across;
        const FloatW square = select(on_cap, fma(along[0], along[0], across), across);
        const FloatW inverse = over_sqrt(FloatW(1.0f), square);
        // How much farther than the apex the rim's point is.
        const FloatW farther = fma(cosine, along[0], sine * (square * inverse));
        const MaskW at_apex = ~on_cap & (farther < zero);
        const FloatW forward = select(at_apex, zero, select(on_cap, along[0] * inverse, cosine));
        const FloatW share = select(at_apex, zero, select(on_cap, inverse, sine * inverse));
        const Vec3W p = plus_times(center, axis[0], fma(FloatW(-0.5f), cosine, forward));
        return plus_times(plus_times(p, axis[1], along[1] * share), axis[2], along[2] * share);
    }

    /// Largest n . (p - centre) over the shape, or a little more, as of ovals; and the same along -n.
    LANE_INLINE FloatW reach(const Vec3W& n) const { return reach_along(dot(n, axis[0]), n); }
    LANE_INLINE FloatW reach_back(const Vec3W& n) const { return reach_along(-dot(n, axis[0]), n); }

    /// Smallest and greatest coordinates, before their error.
    LANE_INLINE ExtentW extent() const {
        const Vec3W apex = center - axis[0] * (FloatW(0.5f) * cosine);
        const Vec3W whole = round_extent(), across = reach_of_oval<1>(axis);
        const Vec3W ahead = {from_apex(axis[0].x, across.x, whole.x), from_apex(axis[0].y, across.y, whole.y),
                             from_apex(axis[0].z, across.z, whole.z)};
        const Vec3W back = {from_apex(-axis[0].x, across.x, whole.x), from_apex(-axis[0].y, across.y, whole.y),
                            from_apex(-axis[0].z, across.z, whole.z)};
        return {apex - back, apex + ahead};
    }

    /// The rim's is the farthest point from the centre.
    LANE_INLINE FloatW farthest_corner_squared() const {
        const FloatW half = FloatW(0.5f) * cosine;
        return fma(half * half, dot(axis[0], axis[0]), sine * sine * dot(axis[1], axis[1]));
    }

    /// The hull of apex and rim.
    LANE_INLINE ConeW flat() const {
        ConeW cone;
        cone.center = center;
        cone.axis[0] = axis[0] * (FloatW(0.5f) * cosine);
        cone.axis[1] = axis[1] * sine;
        cone.axis[2] = axis[2] * sine;
        return cone;
    }

    static constexpr std::uint32_t lane_numbers = OvalW<0>::lane_numbers + 2;
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        OvalW<0>::visit_lanes(visit);
        visit(cosine);
        visit(sine);
    }

private:
    LANE_INLINE FloatW reach_along(FloatW along, const Vec3W& n) const {
        const FloatW first = dot(n, axis[1]), second = dot(n, axis[2]);
        const FloatW square = fma(second, second, fma(first, first, FloatW(least_square)));
        return fma(FloatW(-0.5f) * cosine, along, from_apex(along, sqrt(square), sqrt(fma(along, along, square))));
    }
    /// How far the shape reaches from its apex, if its axes reach so far along a direction: the first; the other two
    /// together; all three.
    LANE_INLINE FloatW from_apex(FloatW along, FloatW across, FloatW whole) const {
        const FloatW of_rim = max(FloatW(0.0f), fma(cosine, along, sine * across));
        return select(sine * along > cosine * across, whole, of_rim);
    }
};

}  // namespace
}  // namespace lanecull
