#pragma once

/// The distance of pairs, between two bounds, and the nearest points.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/descent.hpp"

namespace lanecull::pairs {
namespace {

/// Results, scaled as the pair is.
struct DistanceW {
    FloatW lower, upper;  // bounds of the distance, balls included; 0 <= lower
    Vec3W of_a, of_b;     // a point of each: `upper` apart, up to rounding
};

/// The point nearest to the origin of the simplex that the descent ended with, as a weighted sum of its points.
struct MixtureW {
    FloatW of_b, of_c, of_d, of_e;  // weights: at least 0; their sum is 1 up to rounding

    /// Takes e as a fourth point where `encloses` is set; elsewhere takes the simplex's own points.
    LANE_INLINE MixtureW(const SimplexW<WitnessW>& simplex, const WitnessW& e, MaskW encloses) {
        const FloatW zero(0.0f), one(1.0f);
        const Vec3W &b = simplex.b.difference, o = -b;
        Vec3W bc = simplex.c.difference - b, bd = simplex.d.difference - b, be = e.difference - b;
        // For an edge, the weight is how far along the edge the point is. For a face weights are ratios of areas, for a
        // tetrahedron of volumes.
        const FloatW along = dot(bc, o) / dot(bc, bc);
        Vec3W n = cross(bc, bd), c_part = cross(o, bd), d_part = cross(bc, o);
        const FloatW area = dot(n, n), volume = dot(n, be);
        const FloatW whole = select(encloses, volume, area);
        const FloatW face_c = select(encloses, dot(c_part, be), dot(c_part, n)) / whole;
        const FloatW face_d = select(encloses, dot(d_part, be), dot(d_part, n)) / whole;
        const MaskW face = encloses | simplex.has_face;
        of_c = positive(select(face, face_c, select(simplex.has_edge, along, zero)));
        of_d = positive(select(face, face_d, zero));
        of_e = positive(select(encloses, dot(n, o) / volume, zero));
        of_b = positive(one - ((of_c + of_d) + of_e));
        const FloatW share = one / ((of_b + of_c) + (of_d + of_e));
        of_b = of_b * share;
        of_c = of_c * share;
        of_d = of_d * share;
        of_e = of_e * share;
    }

    LANE_INLINE Vec3W mix(const Vec3W& b, const Vec3W& c, const Vec3W& d, const Vec3W& e) const {
        return (b * of_b + c * of_c) + (d * of_d + e * of_e);
    }

private:
    /// a clamped to 0 .. 1; 0 for NaN.
    static LANE_INLINE FloatW positive(FloatW a) {
        const FloatW zero(0.0f), one(1.0f);
        return select(a > zero, select(a < one, a, one), zero);
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
    const FloatW zero(0.0f), square = dot(apart, apart);
    // Products that underflow change the root by less than 1e-22.
    const FloatW length = sqrt(square) * FloatW(1 + 8 * unit_roundoff) + FloatW(1e-22f);
    constexpr int count = roundings::largest(A::mixture_count, B::mixture_count);
    result.upper = fma(FloatW(error_per_magnitude(count)), pair.size, length);
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
