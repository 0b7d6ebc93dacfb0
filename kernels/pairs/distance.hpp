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

/// Where a descent to the cores' nearest points ended.
struct DescentW {
    SimplexW<WitnessW> simplex;
    WitnessW enclosing = {};
    MaskW encloses = mask_of(0);  // set: the simplex and `enclosing` hold the origin
    FloatW lower;                 // of the distance, balls included
    Vec3W direction;              // along which it was found, up to rounding; for signed distances alone

    /// The cores' nearest points: returns what leads from b's to a's, and leaves a's in of_a.
    LANE_INLINE Vec3W nearest(Vec3W& of_a) const {
        MixtureW mixture(simplex, enclosing, encloses);
        of_a = mixture.mix(simplex.b.of_a, simplex.c.of_a, simplex.d.of_a, enclosing.of_a);
        return mixture.mix(simplex.b.difference, simplex.c.difference, simplex.d.difference, enclosing.difference);
    }
};

/// Descends from v. limit: scaled. A lane is done when its distance is proved to be more than the limit, or when its
/// bounds differ by no more than `relative` of it plus what rounding leaves; also when the two touch, or, if the
/// distance is signed, when their cores do.
template <bool is_signed, class A, class B>
LANE_INLINE DescentW descend(const PairW<A, B>& pair, MaskW active, Vec3W v, FloatW limit, FloatW relative) {
    DescentW result;
    result.lower = FloatW(is_signed ? -__builtin_inff() : 0.0f);
    result.direction = v;
    for (int k = 0; k < max_steps; ++k) {
        WitnessW w = pair.support(v, bits(active));
        AlongW<A, B> along(pair, v, w.difference, true);
        if constexpr (is_signed) {
            const FloatW gap = -(along.value + along.bound) * along.inverse;
            const FloatW here = gap - fma(FloatW(16 * unit_roundoff), abs(gap), FloatW(1e-30f));
            const MaskW known = active & along.directed;
            // Of directions that are as good up to rounding, the last is best: nearest points have it.
            const MaskW good = known & (fma(along.rounding, along.inverse, here) > result.lower);
            result.direction = select(good, v, result.direction);
            result.lower = select(known & (here > result.lower), here, result.lower);
        } else {
            const FloatW here = (along.value + along.bound) * along.inverse * FloatW(-(1 - 16 * unit_roundoff));
            // Subnormal numbers are not accurate enough.
            result.lower =
                select(active & along.apart() & (here > result.lower) & (here > FloatW(1e-30f)), here, result.lower);
        }
        if (k == 0) {
            result.simplex.begin(w);
            result.enclosing = w;
            active = active & ~(result.lower > limit);
        } else {
            const FloatW nearest = dot(v, result.simplex.b.difference);
            const FloatW left = fma(relative, -nearest, FloatW(0.25f) * along.rounding);
            const MaskW goes_on = is_signed ? along.leads(nearest) : ~along.touches(nearest);
            active = active & ~(result.lower > limit) & goes_on & (along.value - nearest > left);
            result.simplex.turn_late(k);
            SimplexW<WitnessW> before = result.simplex;
            const MaskW now = active & result.simplex.advance(w);
            result.enclosing = select(now, w, result.enclosing);
            result.encloses = result.encloses | now;
            active = active & ~now;
            result.simplex.keep(~active, before);
        }
        if (!any(active)) break;
        v = result.simplex.direction;
    }
    return result;
}

/// Measures distances.
template <class A, class B>
LANE_INLINE DistanceW measure(const PairW<A, B>& pair, MaskW active, FloatW limit, FloatW relative) {
    const DescentW found = descend<false>(pair, active, pair.start(), limit, relative);
    DistanceW result;
    result.lower = found.lower;
    Vec3W apart = found.nearest(result.of_a);
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
    return result;
}

}  // namespace
}  // namespace lanecull::pairs
