#pragma once

/// When A, on its way, first touches B: conservative advancement (Mirtich, "Impulse-based dynamic simulation of rigid
/// body systems", 1996). Whatever the direction v, D = A - B stays behind the origin until it has gone along v by as
/// much as it is behind now: no contact comes before. So every step of a descent proves something, and once the
/// direction is nearly the best, A is moved that far and the descent begins anew.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/descent.hpp"

namespace lanecull::pairs {
namespace {

struct CastW {
    FloatW earliest;  // no contact before, proved
    MaskW apart;      // set: nor after it until the end of the way
};

/// How soon D, `height` behind the origin along v, could be there: rounded down. Infinite where its way leads
/// elsewhere.
LANE_INLINE FloatW soonest(FloatW height, const Vec3W& v, FloatW length_1, const Vec3W& way, FloatW way_size) {
    // v . way is off by 3 u |v|_1 |way|, products that underflow by less than 1e-40.
    const FloatW closing = dot(v, way) + fma(FloatW(8 * unit_roundoff) * way_size, length_1, FloatW(1e-37f));
    return select(closing > FloatW(0.0f), height * FloatW(1 - 8 * unit_roundoff) / closing, FloatW(__builtin_inff()));
}

/// Of a descent and all its beginnings.
constexpr int max_cast_steps = 160;

/// The pair's A is where it starts; it is left where it was last looked at. way, of size |way|_1: scaled. A lane is
/// done when the two touch, as far as rounding lets tell, or no direction leads farther than `least_step`.
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
        const FloatW next = (time + soonest(height, v, along.length_1, way, way_size)) * FloatW(1 - 4 * unit_roundoff);
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
