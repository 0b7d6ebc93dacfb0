#pragma once

/// The descent to the point of D = A - B nearest to the origin, of W pairs of cores: from a point of D's to the one
/// farthest towards the origin, to the point nearest to the origin of the simplex with it, and so on. How far D's point
/// farthest along a direction stays behind the origin is a lower bound of the distance, whatever the direction; the
/// simplex is an upper one.

namespace lanecull::pairs {
namespace {

/// Support points at most. Of random pairs one in a million takes more than 30.
constexpr int max_steps = 64;
constexpr int late_step = 12;  // from here on, see Simplex::turn()
/// Shorter directions (|v|_1, where coordinates are at most 2) prove nothing.
constexpr float least_length = 1e-18f;

/// A point of D, and where of A it comes from.
struct WitnessW {
    Vec3W difference, of_a;
};
LANE_INLINE WitnessW select(MaskW mask, const WitnessW& x, const WitnessW& y) {
    return {lanecull::select(mask, x.difference, y.difference), lanecull::select(mask, x.of_a, y.of_a)};
}
LANE_INLINE const Vec3W& in_difference(const Vec3W& point) { return point; }
LANE_INLINE const Vec3W& in_difference(const WitnessW& point) { return point.difference; }

/// W pairs, each scaled by a power of two so that all coordinates are at most 2: then products of directions and
/// coordinates neither overflow nor, down to least_length, lose anything to underflow.
template <class A, class B>
struct PairW {
    static constexpr bool is_round = A::is_round || B::is_round;

    A a;
    B b;
    Vec3W origin;          // of the coordinates, in the world's
    MaskW valid;           // set: objects, and finite
    FloatW scale = 1.0f;   // 2^k
    FloatW size = 1.0f;    // G, scaled: at least 1
    FloatW error = 0.0f;   // dot(w, v), and the radius times |v|, are off by less than error |v|_1
    FloatW radius = 0.0f;  // of both balls

    /// Once a and b are loaded. `more` counts as coordinates, too.
    LANE_INLINE void begin(FloatW more) {
        const FloatW magnitude = a.magnitude + b.magnitude + more;
        scale = exponent_scale(magnitude);
        valid = valid & a.valid & b.valid & (magnitude < FloatW(magnitude_limit));
        a.rescale(scale);
        b.rescale(scale);
        constexpr int count = roundings::largest(A::count, B::count);
        size = fma(magnitude, scale, a.underflow_magnitude() + b.underflow_magnitude());
        error = FloatW(error_per_magnitude(count)) * size;
        radius = a.ball_radius() + b.ball_radius();
    }

    LANE_INLINE WitnessW support(const Vec3W& v, std::uint32_t active) const {
        const Vec3W p = a.support(v, active);
        return {p - b.support(-v, active), p};
    }
    /// From inside of one towards inside of the other.
    LANE_INLINE Vec3W start() const {
        const FloatW zero(0.0f);
        const Vec3W between = b.center - a.center;
        return lanecull::select(one_norm(between) > FloatW(least_length), between, {FloatW(1.0f), zero, zero});
    }
};

/// What D's support point along v says.
template <class A, class B>
struct AlongW {
    FloatW value;     // v . w
    FloatW length_1;  // |v|_1
    FloatW inverse;   // 1 / |v|
    FloatW rounding;  // what v . w may be off by
    FloatW bound;     // what v . w has to be below 0 by
    MaskW directed;   // set: v is long enough

    LANE_INLINE AlongW(const PairW<A, B>& pair, const Vec3W& v, const Vec3W& w, bool needs_inverse)
        : value(dot(v, w)),
          length_1(one_norm(v)),
          rounding(pair.error * length_1),
          bound(rounding),
          directed(length_1 > least_length) {
        if (!PairW<A, B>::is_round && !needs_inverse) return;
        const FloatW square = dot(v, v);
        inverse = reciprocal_sqrt(square);
        if constexpr (PairW<A, B>::is_round) bound = fma(pair.radius, square * inverse, bound);
    }
    LANE_INLINE MaskW apart() const { return directed & (value + bound < FloatW(0.0f)); }
    /// Of the simplex's nearest point, which v leads to the origin from: no direction will prove these apart.
    LANE_INLINE MaskW touches(FloatW simplex) const { return ~directed | ~(simplex + bound < FloatW(0.0f)); }
};

/// b, c, d newest first, of which c counts where has_edge, d where has_face is set; they then wind so that
/// (c - b) x (d - b) points towards the origin. No more than needed: the nearest point is inside of what counts.
template <class Point>
struct SimplexW {
    Point b, c, d;
    MaskW has_edge, has_face;
    Vec3W direction;  // the way from the nearest point to the origin, of any length

    LANE_INLINE void begin(const Point& first) {
        b = c = d = first;
        has_edge = has_face = mask_of(0);
        direction = -in_difference(first);
    }

    /// With a new point, which is nearer than all there are and so part of what is nearest. Set in the result: the
    /// tetrahedron encloses the origin.
    LANE_INLINE MaskW advance(const Point& a_) {
        const FloatW zero(0.0f);
        const Vec3W& a = in_difference(a_);
        const Vec3W ao = -a;
        const FaceW face = face_beyond<true>(a, in_difference(b), in_difference(c), in_difference(d), has_face);
        const Vec3W ap_ao = cross(face.ap, ao), aq_ao = cross(face.aq, ao);
        const MaskW beyond_ap = (dot(face.n, ap_ao) < zero) | ~has_edge;
        const MaskW beyond_aq = (dot(face.n, aq_ao) > zero) & has_edge;
        const MaskW on_face = ~(beyond_ap | beyond_aq);
        const MaskW on_ap = beyond_ap & (dot(face.ap, ao) > zero);
        const MaskW on_aq = beyond_aq & ~on_ap & (dot(face.aq, ao) > zero);
        const MaskW on_edge = on_ap | on_aq;
        const MaskW below = on_face & ~has_face & (dot(face.n, ao) < zero);  // a lone triangle has two sides

        const Vec3W from_edge = cross(lanecull::select(on_ap, ap_ao, aq_ao),  //
                                      lanecull::select(on_ap, face.ap, face.aq));
        direction = lanecull::select(on_face, flip_where(below, face.n), lanecull::select(on_edge, from_edge, ao));
        const Point p = select(face.is_acd, c, select(face.is_adb, d, b));
        const Point q = select(face.is_acd, d, select(face.is_adb, b, c));
        b = a_;
        c = select(on_aq | below, q, p);
        d = select(below, p, q);
        has_edge = on_edge | on_face;
        has_face = on_face;
        return face.encloses;
    }

    /// Another of b, c, d takes first place, and with it another face of the next tetrahedron: of two that the origin
    /// is beyond the first is taken, and rounding may so lead round in circles. Which steps turn follows the Thue-Morse
    /// sequence, no run of which comes three times in a row.
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

    /// Where `which` is set, what it was before.
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
        direction = lanecull::select(which, -in_difference(first), direction);
    }

private:
    static LANE_INLINE Vec3W flip_where(MaskW mask, const Vec3W& v) { return lanecull::select(mask, -v, v); }
    static LANE_INLINE Point select(MaskW mask, const Point& x, const Point& y) {
        if constexpr (__is_same(Point, Vec3W)) {
            return lanecull::select(mask, x, y);
        } else {
            return pairs::select(mask, x, y);
        }
    }
};

}  // namespace
}  // namespace lanecull::pairs
