#pragma once

/// Decides whether pairs are apart or not.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/descent.hpp"

namespace lanecull::pairs {
namespace {

struct ApartW {
    MaskW apart;  // set: proved
    MaskW meet;   // set: they share a point, up to rounding
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

template <class A, class B>
LANE_INLINE ApartW tell_apart(const PairW<A, B>& pair, MaskW active) {
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
            retire(along.touches(nearest), result.meet);
            active = active & (along.value - nearest > FloatW(0.0f));  // else no direction is better
            simplex.turn_late(k);
            retire(simplex.advance(w), result.meet);
        }
        if (!any(active)) break;
        v = simplex.direction;
    }
    return result;
}

}  // namespace
}  // namespace lanecull::pairs
