#pragma once

/// When a moving A first touches B: conservative advancement (Mirtich, "Impulse-based dynamic simulation of rigid body
/// systems", 1996). If D = A - B lies behind the origin along any direction v, no contact comes before D has moved
/// along v by as much as it is behind. So every step of a descent proves something. Once the direction is nearly the
/// best, A is moved that far and the descent begins anew.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/descent.hpp"

namespace lanecull::pairs {
namespace {

struct CastW {
    FloatW earliest;  // no contact comes earlier, proved
    MaskW apart;      // set: nor later, up to the end of the motion
};

/// How fast D moves along v at most. v . way is off by 3 u |v|_1 |way|, for which 8 are added; products that underflow
/// are off by less than 1e-40.
LANE_INLINE FloatW speed_along(const Vec3W& v, FloatW length_1, const Vec3W& way, FloatW way_size) {
    return dot(v, way) + fma(FloatW(8 * unit_roundoff) * way_size, length_1, FloatW(1e-37f));
}

/// How soon D, `height` behind the origin along some direction, could reach it: rounded down. Infinite if D does not
/// move forward.
LANE_INLINE FloatW soonest(FloatW height, FloatW closing) {
    return select(closing > FloatW(0.0f), height * FloatW(1 - 8 * unit_roundoff) / closing, FloatW(__builtin_inff()));
}

/// Most steps of a cast, over all of its descents.
constexpr int max_cast_steps = 160;

/// Casts the pair's A, which is where it starts; afterwards A is where the last step placed it. way, of size |way|_1:
/// the motion, scaled. A lane is done when the two touch, as far as rounding lets one know, or when no direction leads
/// farther than `least_step`.
template <class A, class B>
LANE_INLINE CastW cast(PairW<A, B>& pair, MaskW active, const Vec3W& way, FloatW way_size, FloatW least_step) {
    const FloatW zero(0.0f);
    Vec3W start = pair.a.place();
    FloatW time(0.0f);
    CastW result{zero, mask_of(0)};
    Vec3W v = pair.start();
    SimplexW<Vec3W> simplex;
    for (int k = 0; k < max_cast_steps; ++k) {
        pair.a.move_to(start, way, time);
        Vec3W w = pair.support(v, bits(active)).difference;
        AlongW<A, B> along(pair, v, w, false);
        const FloatW height = -(along.value + along.bound);
        const FloatW step_at_least = soonest(height, speed_along(v, along.length_1, way, way_size));
        const FloatW next = (time + step_at_least) * FloatW(1 - 4 * unit_roundoff);
        result.earliest = select(active & along.apart() & (next > result.earliest), next, result.earliest);
        result.apart = result.apart | (active & (result.earliest > FloatW(1.0f)));
        active = active & ~result.apart;
        if (k == 0) {
            simplex.begin(w);
        } else {
            const FloatW nearest = dot(v, simplex.b), gain = along.value - nearest;
            const FloatW step = result.earliest - time;
            const MaskW better = gain > FloatW(0.25f) * along.rounding, leads = step > least_step;
            active = active & ~along.touches(nearest) & (better | leads);
            const MaskW moves = active & leads & ~(better & (gain > FloatW(-0.25f) * nearest));
            simplex.turn_late(k % max_steps);
            active = active & (moves | ~simplex.advance(w));
            simplex.begin_where(moves, w + way * step);
            time = select(moves, result.earliest, time);
        }
        if (!any(active)) break;
        v = simplex.direction;
    }
    pair.a.move_to(start, way, time);
    return result;
}

}  // namespace
}  // namespace lanecull::pairs
