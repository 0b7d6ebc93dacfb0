#pragma once

/// The point of a simplex that is nearest to the origin, and what it says of the distance between two cores.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/bound.hpp"
#include "pairs/descent.hpp"

namespace lanecull::pairs {
namespace {

/// The point nearest to the origin of the simplex that the descent ended with, as a weighted sum of its points.
struct MixtureW {
    FloatW of_b, of_c, of_d, of_e;  // weights: at least 0; their sum is 1 up to rounding

    /// Takes e as a fourth point where `encloses` is set; elsewhere takes the simplex's own points.
    template <class Point>
    LANE_INLINE MixtureW(const SimplexW<Point>& simplex, const Point& e, MaskW encloses) {
        const FloatW zero(0.0f), one(1.0f);
        const Vec3W &b = in_difference(simplex.b), o = -b;
        Vec3W bc = in_difference(simplex.c) - b, bd = in_difference(simplex.d) - b, be = in_difference(e) - b;
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

/// |p|, rounded up. Products that underflow change the root by less than 1e-22.
LANE_INLINE FloatW rounded_up_length(const Vec3W& p) {
    return sqrt(dot(p, p)) * FloatW(1 + 8 * unit_roundoff) + FloatW(1e-22f);
}

/// Never below the distance of the cores, scaled, `length` being that of a mixture of D's points as computed.
template <class A, class B>
LANE_INLINE FloatW upper_of_cores(const PairW<A, B>& pair, FloatW length) {
    constexpr int count = roundings::largest(A::mixture_count, B::mixture_count);
    return fma(FloatW(error_per_magnitude(count)), pair.size, length) + FloatW(2.0f) * pair.turned;
}

/// Set: the balls' radii reach farther than the cores are apart, as the simplex proves.
template <class A, class B>
LANE_INLINE MaskW balls_reach(const PairW<A, B>& pair, const SimplexW<Vec3W>& simplex) {
    const MixtureW mixture(simplex, simplex.b, mask_of(0));
    Vec3W nearest = mixture.mix(simplex.b, simplex.c, simplex.d, simplex.b);
    const FloatW upper = upper_of_cores(pair, rounded_up_length(nearest));
    return upper < pair.radius * FloatW(1 - 4 * unit_roundoff);
}

}  // namespace
}  // namespace lanecull::pairs
