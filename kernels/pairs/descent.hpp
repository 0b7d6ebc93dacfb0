#pragma once

/// The descent to the point of D = A - B nearest to the origin, for W pairs of cores. A step goes from a point of D to
/// the point of D farthest towards the origin, adds that to a simplex, and goes to the simplex's point nearest to the
/// origin. Along any direction, how far D's farthest point stays behind the origin is a lower bound of the distance.
/// The simplex gives an upper bound.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/bound.hpp"
#include "pairs/shapes.hpp"

namespace lanecull::pairs {
namespace {

/// Most support points. Of random pairs one in a million takes more than 30.
constexpr int max_steps = 64;
constexpr int late_step = 12;  // from this step on some steps turn the simplex: see SimplexW::turn()
/// Shorter directions (|v|_1, with coordinates of at most 2) prove nothing.
constexpr float least_length = 1e-18f;

/// A point of D, and the point of A that it comes from.
struct WitnessW {
    Vec3W difference, of_a;
};
using lanecull::select;
LANE_INLINE WitnessW select(MaskW mask, const WitnessW& x, const WitnessW& y) {
    return {select(mask, x.difference, y.difference), select(mask, x.of_a, y.of_a)};
}
LANE_INLINE const Vec3W& in_difference(const Vec3W& point) { return point; }
LANE_INLINE const Vec3W& in_difference(const WitnessW& point) { return point.difference; }

/// W pairs, each scaled by a power of two so that all coordinates are at most 2. Then products of directions and
/// coordinates do not overflow, and for directions down to least_length they lose nothing to underflow.
template <class A, class B>
struct PairW {
    static constexpr bool is_round = A::is_round || B::is_round;

    A a;
    B b;
    Vec3W origin;          // of the coordinates, in world coordinates
    MaskW valid;           // set: both objects exist, are valid, and are not too large
    FloatW scale = 1.0f;   // 2^k
    FloatW size = 1.0f;    // G, scaled: at least 1
    FloatW error = 0.0f;   // dot(w, v), and the radius times |v|, are off by less than error |v|_1
    FloatW radius = 0.0f;  // sum of both balls' radii
    FloatW turned = 0.0f;  // what turning adds to a coordinate's error; `error` includes it

    /// To be called once a and b are loaded. `more` counts as coordinates, too.
    LANE_INLINE void begin(FloatW more) {
        // 2^-120 more, a few units of rounding of which are above all that underflows before pairs are scaled.
        const FloatW magnitude = a.magnitude + b.magnitude + more + FloatW(0x1p-120f);
        scale = exponent_scale(magnitude);
        valid = valid & a.valid & b.valid & (magnitude < FloatW(magnitude_limit));
        a.rescale(scale);
        b.rescale(scale);
        if constexpr (A::may_overflow) valid = valid & a.finite();
        if constexpr (B::may_overflow) valid = valid & b.finite();
        constexpr int count = roundings::largest(A::count, B::count);
        size = fma(magnitude, scale, a.underflow_magnitude() + b.underflow_magnitude());
        error = FloatW(error_per_magnitude(count)) * size;
        radius = a.ball_radius() + b.ball_radius();
    }

    LANE_INLINE WitnessW support(const Vec3W& v, std::uint32_t active) const {
        Vec3W p = a.support(v, active);
        return {p - b.support(-v, active), p};
    }
    /// The first direction: from a's centre to b's. Hulls may have any proportions; with them it is bent towards the
    /// normal of a plane between the two.
    LANE_INLINE Vec3W start() const {
        const FloatW zero(0.0f);
        Vec3W between = b.center - a.center;
        Vec3W direct = select(one_norm(between) > FloatW(least_length), between, {FloatW(1.0f), zero, zero});
        if constexpr (!__is_same(B, HullsW)) return direct;
        SpreadW spread;
        a.spread(spread);
        b.spread(spread);
        Vec3W bent = spread.normal_between(between);
        return select(one_norm(bent) > FloatW(least_length), bent, direct);
    }
};

/// What D's support point w along v proves.
template <class A, class B>
struct AlongW {
    FloatW value;     // v . w
    FloatW length_1;  // |v|_1
    FloatW inverse;   // 1 / |v|
    FloatW rounding;  // what v . w may be off by
    FloatW bound;     // v . w must be below 0 by more than this
    MaskW directed;   // set: v is long enough

    LANE_INLINE AlongW(const PairW<A, B>& pair, const Vec3W& v, const Vec3W& w, bool needs_inverse)
        : value(dot(v, w)),
          length_1(one_norm(v)),
          rounding(pair.error * length_1),
          bound(rounding),
          directed(length_1 > least_length) {
        if (!PairW<A, B>::is_round && !needs_inverse) return;
        const FloatW square = dot(v, v);
        inverse = over_sqrt(FloatW(1.0f), square);
        if constexpr (PairW<A, B>::is_round) bound = fma(pair.radius, square * inverse, bound);
    }
    LANE_INLINE MaskW apart() const { return directed & (value + bound < FloatW(0.0f)); }
    /// Set: no direction will prove these apart. `simplex` is v . p, p being the simplex's point nearest to the origin;
    /// v leads from p to the origin.
    LANE_INLINE MaskW touches(FloatW simplex) const { return ~directed | ~(simplex + bound < FloatW(0.0f)); }
    /// Set: p is nearer to the origin than the balls' radii, with three roundings to spare.
    LANE_INLINE MaskW is_within_balls(FloatW simplex) const {
        return directed & (fma(FloatW(-4.0f), rounding, simplex + bound) > FloatW(0.0f));
    }
    /// Set: p is farther from the origin than rounding, so v has a direction.
    LANE_INLINE MaskW leads(FloatW simplex) const { return directed & (simplex + rounding < FloatW(0.0f)); }
};

/// A simplex with points b, c, d, newest first; c counts where has_edge is set, d where has_face is set. b, c, d wind
/// so that (c - b) x (d - b) points towards the origin. There are no more points than needed: the point nearest to the
/// origin is in the interior of what they span.
template <class Point>
struct SimplexW {
    Point b, c, d;
    MaskW has_edge, has_face;
    Vec3W direction;  // the vector from the nearest point to the origin, of any length

    LANE_INLINE void begin(const Point& first) {
        b = c = d = first;
        has_edge = has_face = mask_of(0);
        direction = -in_difference(first);
    }

    /// Adds a point a that is nearer to the origin than the simplex. So a belongs to the new nearest feature, and only
    /// the Voronoi regions of a, of its edges and of its faces are searched in the tetrahedron. Set in the result: the
    /// tetrahedron encloses the origin.
    LANE_INLINE MaskW advance(const Point& a_) {
        const FloatW zero(0.0f);
        const Vec3W &a = in_difference(a_), ao = -a;
        const Vec3W &at_b = in_difference(b), &at_c = in_difference(c), &at_d = in_difference(d);
        Vec3W ab = at_b - a, ac = at_c - a, ad = at_d - a;
        // Outward normals, given how b, c, d wind. They are computed from the side opposite a: a is often far from the
        // others, and the product of two long, nearly parallel sides is noise.
        Vec3W abc = cross(ab, at_c - at_b), acd = cross(ac, at_d - at_c), adb = cross(ad, at_b - at_d);
        // e x ao for each edge e at a: it gives a face's side plane through e, and the vector from e to the origin.
        Vec3W ab_ao = cross(ab, ao), ac_ao = cross(ac, ao), ad_ao = cross(ad, ao);

        // Set: outside of the face's side plane through that edge. An edge or a lone triangle has fewer such planes.
        const MaskW abc_b = (dot(abc, ab_ao) < zero) | ~has_edge, abc_c = dot(abc, ac_ao) > zero;
        const MaskW acd_c = (dot(acd, ac_ao) < zero) | ~has_face, acd_d = dot(acd, ad_ao) > zero;
        const MaskW adb_d = dot(adb, ad_ao) < zero, adb_b = (dot(adb, ab_ao) > zero) | ~has_face;

        const FloatW over_abc = dot(abc, ao);
        const MaskW beyond_abc = (over_abc > zero) | ~has_face;  // a lone triangle has two sides
        const MaskW beyond_acd = has_face & (dot(acd, ao) > zero), beyond_adb = has_face & (dot(adb, ao) > zero);
        const MaskW on_abc = beyond_abc & ~abc_b & ~abc_c;
        const MaskW on_acd = beyond_acd & ~acd_c & ~acd_d & ~on_abc;
        const MaskW on_adb = beyond_adb & ~adb_d & ~adb_b & ~on_abc & ~on_acd;
        const MaskW on_face = on_abc | on_acd | on_adb;
        const MaskW on_ab = ~on_face & abc_b & adb_b & (dot(ab, ao) > zero);
        const MaskW on_ac = ~on_face & ~on_ab & has_edge & abc_c & acd_c & (dot(ac, ao) > zero);
        const MaskW on_ad = ~on_face & ~on_ab & ~on_ac & has_face & acd_d & adb_d & (dot(ad, ao) > zero);
        const MaskW on_edge = on_ab | on_ac | on_ad;

        const MaskW below = on_abc & ~has_face & (over_abc < zero);
        Vec3W normal = select(on_acd, acd, select(on_adb, adb, abc));
        Vec3W edge = select(on_ac, ac, select(on_ad, ad, ab));
        Vec3W from_edge = cross(select(on_ac, ac_ao, select(on_ad, ad_ao, ab_ao)), edge);
        direction = select(on_face, select(below, -normal, normal), select(on_edge, from_edge, ao));

        // The nearest feature's other points, in the order in which they wind as they should.
        const MaskW c_first = on_acd | on_ac | below, d_first = on_adb | on_ad;
        const Point first = select(c_first, c, select(d_first, d, b));
        d = select(on_acd, d, select(on_adb | below, b, c));
        b = a_;
        c = first;
        const MaskW encloses = has_face & ~beyond_abc & ~beyond_acd & ~beyond_adb;
        has_edge = on_edge | on_face;
        has_face = on_face;
        return encloses;
    }

    /// Rotates b, c, d, so that the next tetrahedron's faces come in another order. If the origin is beyond two faces,
    /// the first is taken; with roundings that may lead round in circles. The steps that turn follow the Thue-Morse
    /// sequence, in which nothing comes three times in a row.
    LANE_INLINE void turn() {
        const Point first = select(has_face, c, b), second = select(has_face, d, c);
        d = select(has_face, b, d);
        b = first;
        c = second;
    }
    LANE_INLINE void turn_late(int step) {
        if (step < late_step) return;
        bool turns = false;
        for (int k = step; k != 0; k &= k - 1) turns = !turns;
        if (turns) turn();
    }

    /// Where `which` is set, restores what `before` was.
    LANE_INLINE void keep(MaskW which, const SimplexW& before) {
        b = select(which, before.b, b);
        c = select(which, before.c, c);
        d = select(which, before.d, d);
        has_edge = (which & before.has_edge) | (~which & has_edge);
        has_face = (which & before.has_face) | (~which & has_face);
    }

    LANE_INLINE void begin_where(MaskW which, const Point& first) {
        b = select(which, first, b);
        has_edge = has_edge & ~which;
        has_face = has_face & ~which;
        direction = select(which, -in_difference(first), direction);
    }
};

}  // namespace
}  // namespace lanecull::pairs
