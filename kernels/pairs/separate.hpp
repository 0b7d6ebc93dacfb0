#pragma once

/// Decides whether pairs are apart or not.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/descent.hpp"
#include "pairs/mixture.hpp"

namespace lanecull::pairs {
namespace {

struct ApartW {
    MaskW apart;  // set: proved
    MaskW meet;   // set: they share a point, as certainly as Meeting says
};

/// Decides by a ball around each shape and one within it only. That is enough for many pairs of hulls.
template <class A, class B>
LANE_INLINE ApartW tell_apart_by_balls(const PairW<A, B>& pair) {
    BallsW a = pair.a.balls(), b = pair.b.balls();
    Vec3W between = pair.b.center - pair.a.center;
    const FloatW length_1 = one_norm(between), square = dot(between, between), length = sqrt(square);
    const FloatW outer = a.outer + b.outer + pair.radius, inner = a.inner + b.inner + pair.radius;
    const FloatW rounding = pair.error * length_1;
    const MaskW directed = pair.valid & (length_1 > FloatW(least_length));
    return {directed & (fma(outer, length, rounding) < square), directed & (square + rounding < inner * length)};
}

/// Set: the origin, and every point within `around` of it in each coordinate, lies on the inner side of the plane
/// through a, b and c, the side that d is on. The normal is off by 4 u |ab|_1 |ac|_1, so its product with p is off by
/// 7 u |ab|_1 |ac|_1 |p|_1, or 8 if p is a difference, and |normal|_1 by as much without |p|_1.
LANE_INLINE MaskW is_within(const Vec3W& a, const Vec3W& b, const Vec3W& c, const Vec3W& d, FloatW around) {
    Vec3W ab = b - a, ac = c - a, ad = d - a, normal = cross(ab, ac);
    const FloatW across = dot(normal, ad), height = flip(dot(normal, a), across), tiny(1e-30f);
    const FloatW rounding = FloatW(10 * unit_roundoff) * one_norm(ab) * one_norm(ac);
    const FloatW doubt = fma(rounding, one_norm(a) + around, tiny);
    return (abs(across) > fma(rounding, one_norm(ad), tiny)) & (height < -fma(around, one_norm(normal), doubt));
}

/// Set: the tetrahedron of four points holds the origin and all that is within `around` of it. If each of D's points is
/// off by no more than that in any coordinate, D has the origin: along any direction n some corner lies farther than
/// the sum of |n_i| around, so the point of D that it stands for lies beyond the origin.
LANE_INLINE MaskW encloses_clearly(const Vec3W& a, const Vec3W& b, const Vec3W& c, const Vec3W& d, FloatW around) {
    return is_within(a, b, c, d, around) & is_within(b, c, d, a, around) & is_within(c, d, a, b, around) &
           is_within(d, a, b, c, around);
}

/// What ends a descent as "they meet". Whatever is neither apart nor meets is open.
enum class Meeting {
    likely,  ///< the values as computed say so, with a few roundings to spare
    proved   ///< a point of D is proved to be the origin, or nearer to it than the balls' radii
};

template <Meeting meeting, class A, class B>
LANE_INLINE ApartW tell_apart(const PairW<A, B>& pair, MaskW active) {
    constexpr bool is_round = PairW<A, B>::is_round;
    ApartW result{mask_of(0), mask_of(0)};
    const auto retire = [&](MaskW which, MaskW& to) LANE_LAMBDA {
        to = to | (active & which);
        active = active & ~which;
    };
    Vec3W v = pair.start();
    SimplexW<Vec3W> simplex;
    for (int k = 0; k < max_steps; ++k) {
        Vec3W w = pair.support(v, bits(active)).difference;
        AlongW<A, B> along(pair, v, w, false);
        retire(along.apart(), result.apart);
        if (k == 0) {
            simplex.begin(w);
        } else {
            const FloatW nearest = dot(v, simplex.b);
            if constexpr (is_round) {
                MaskW within = active & along.is_within_balls(nearest);
                if constexpr (meeting == Meeting::proved) {
                    if (any(within)) within = within & balls_reach(pair, simplex);
                }
                retire(within, result.meet);
            }
            // Else no direction is better, or the cores touch.
            active = active & (along.value - nearest > FloatW(0.0f)) & along.leads(nearest);
            simplex.turn_late(k);
            const SimplexW<Vec3W> before = simplex;
            const MaskW encloses = active & simplex.advance(w);
            active = active & ~encloses;
            if (any(encloses)) {
                result.meet = result.meet | (encloses & encloses_clearly(w, before.b, before.c, before.d, pair.error));
            }
        }
        if (!any(active)) break;
        v = simplex.direction;
    }
    return result;
}

}  // namespace
}  // namespace lanecull::pairs
