#pragma once

/// The distance of pairs, between two bounds, and the nearest points.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/descent.hpp"
#include "pairs/mixture.hpp"

namespace lanecull::pairs {
namespace {

/// Results, scaled as the pair is.
struct DistanceW {
    FloatW lower, upper;  // bounds of the distance, balls included; 0 <= lower
    Vec3W of_a, of_b;     // a point of each: `upper` apart, up to rounding

    /// Set: the bounds are as close as was requested, or `lower` is beyond the limit. Rounding alone leaves up to 65 u
    /// of G between them: 23 sqrt(3) below, 25 above.
    template <class A, class B>
    [[nodiscard]] LANE_INLINE MaskW close(FloatW limit, FloatW relative, const PairW<A, B>& pair) const {
        const FloatW allowed = fma(FloatW(2.0f) * relative, upper + pair.radius, FloatW(1e-5f) * pair.size);
        return (lower > limit) | (upper - lower <= allowed);
    }
};

/// Finds the two cores' nearest points and moves them to the surfaces.
template <class A, class B>
LANE_INLINE void finish(const PairW<A, B>& pair, const SimplexW<WitnessW>& simplex, const WitnessW& e, MaskW encloses,
                        DistanceW& result) {
    MixtureW mixture(simplex, e, encloses);
    Vec3W apart = mixture.mix(simplex.b.difference, simplex.c.difference, simplex.d.difference, e.difference);
    result.of_a = mixture.mix(simplex.b.of_a, simplex.c.of_a, simplex.d.of_a, e.of_a);
    result.of_b = result.of_a - apart;
    const FloatW zero(0.0f), length = rounded_up_length(apart);
    result.upper = upper_of_cores(pair, length);
    if constexpr (PairW<A, B>::is_round) {
        // max() returns its second operand if either is NaN: a NaN stays.
        result.upper = max(zero, result.upper - pair.radius * FloatW(1 - 4 * unit_roundoff)) +
                       FloatW(4 * unit_roundoff) * pair.size;
        // Moves each point from its core towards the other by its ball's radius. If the balls overlap, both points move
        // to the same point.
        const FloatW share = min(length, pair.radius) / (pair.radius + FloatW(1e-30f)) / length;
        result.of_a = result.of_a - apart * (share * pair.a.ball_radius());
        result.of_b = result.of_b + apart * (share * pair.b.ball_radius());
    }
}

/// Measures distances. limit: scaled. A lane is done when its distance is proved to be more than the limit, or when its
/// bounds differ by no more than `relative` of it plus what rounding leaves.
template <class A, class B>
LANE_INLINE DistanceW measure(const PairW<A, B>& pair, MaskW active, FloatW limit, FloatW relative) {
    DistanceW result;
    result.lower = FloatW(0.0f);
    Vec3W v = pair.start();
    SimplexW<WitnessW> simplex;
    WitnessW enclosing = {};
    MaskW encloses = mask_of(0);
    for (int k = 0; k < max_steps; ++k) {
        WitnessW w = pair.support(v, bits(active));
        AlongW<A, B> along(pair, v, w.difference, true);
        const FloatW here = (along.value + along.bound) * along.inverse * FloatW(-(1 - 16 * unit_roundoff));
        // Subnormal numbers are not accurate enough.
        result.lower =
            select(active & along.apart() & (here > result.lower) & (here > FloatW(1e-30f)), here, result.lower);
        if (k == 0) {
            simplex.begin(w);
            enclosing = w;
            active = active & ~(result.lower > limit);
        } else {
            const FloatW nearest = dot(v, simplex.b.difference);
            const FloatW left = fma(relative, -nearest, FloatW(0.25f) * along.rounding);
            active = active & ~(result.lower > limit) & ~along.touches(nearest) & (along.value - nearest > left);
            simplex.turn_late(k);
            SimplexW<WitnessW> before = simplex;
            const MaskW now = active & simplex.advance(w);
            enclosing = select(now, w, enclosing);
            encloses = encloses | now;
            active = active & ~now;
            simplex.keep(~active, before);
        }
        if (!any(active)) break;
        v = simplex.direction;
    }
    finish(pair, simplex, enclosing, encloses, result);
    return result;
}

}  // namespace
}  // namespace lanecull::pairs
