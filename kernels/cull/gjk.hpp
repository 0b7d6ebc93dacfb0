#pragma once

/// Stage 2: GJK on W pairs of an object and the view volume V, in view space.
///
/// GJK tests whether the Minkowski difference D = object - V contains the origin. It keeps a simplex of points of D.
/// Each step takes the point a of D that is farthest in direction v, a guess of the direction from D to the origin. If
/// even that point stays behind the origin, dot(a, v) < 0, v separates the two. Only that comparison, with the error
/// bound added, culls a lane.
///
/// After Gino van den Bergen's and Casey Muratori's accounts of GJK: the newest point a is always part of the next
/// simplex, so only Voronoi regions that touch a are tested.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/reasons.hpp"
#include "cull/volume_support.hpp"
#include "lanes/box.hpp"
#include "lanes/expansion.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// The cap: support points at most. Few lanes get there, so it is chosen for adversaries. Of 4,000,000 objects of the
/// prover's families, some 20 that are apart by more than four bounds got different verdicts from Method::automatic and
/// gjk_alone with a cap of 40, one with 64.
constexpr int max_iterations = 64;
constexpr int first_iterations = 3;  // begin_point(), begin_segment(), third_point()
constexpr int late_iteration = 12;   // see Gjk::begin_late_step

/// Shorter directions (|v|_1, where coordinates are at most 2) prove nothing.
constexpr float least_direction = 1e-18f;  // its square is still a normal number

struct SeparatedW {
    MaskW apart;     // set: culled, proved
    MaskW overlap;   // set: the simplex encloses the origin
    MaskW touching;  // set: nearer than the bound, or no direction left
    MaskW cap;       // set: still undecided after max_iterations
};

/// A box that certainly contains the shape, roundings included.
template <class Shape>
LANE_INLINE ExtentW surrounding(const PreparedView& view, const Shape& shape) {
    const FloatW share(error_per_magnitude(roundings::depth) + Shape::error_factor(view.frame));
    const FloatW error = fma(share, shape.magnitude, FloatW(view.apex_error));
    Vec3W around = {error, error, error};
    ExtentW extent = shape.extent();
    return {extent.low - around, extent.high + around};
}

/// One packet's query: its objects, where to start, and which lanes count.
template <class Shape>
struct QueryW {
    const Shape& shape;
    Vec3W start;
    MaskW active;
};

/// Trace: NotTraced or TraceW.
template <class Shape, class Volume, class Trace>
struct Gjk {
    const PreparedView& view;
    // Both are scaled by a power of two in each lane, so that all coordinates are at most 2. Directions are products of
    // up to three coordinate differences. So they do not overflow, and down to least_direction they lose nothing to
    // underflow.
    Shape shape;
    Volume volume;

    FloatW error;  // dot(a, v) is off by less than error |v|_1, downward
    FloatW age;    // support points that the lane has had, where TwoInTurn counts them
    MaskW active;
    MaskW behind;  // set: the last step found dot(a, v) < 0
    SeparatedW result;
    Trace trace;

    // The simplex b, c, d, newest point first, kept as b and the vectors from b to c and d: so a step adds no points up
    // and takes fewer differences. A lane's d counts only where has_face is set; b, c, d then wind so that
    // (c - b) x (d - b) points towards the origin.
    Vec3W b, to_c, to_d;
    MaskW has_face;
    Vec3W direction;  // from the simplex towards the origin, of any length

    LANE_INLINE Gjk(const PreparedView& view_, const QueryW<Shape>& query)
        : Gjk(view_, query, surrounding(view_, query.shape)) {}

    LANE_INLINE Gjk(const PreparedView& view_, const QueryW<Shape>& query, const ExtentW& around)
        : view(view_), shape(query.shape), volume(view, around), active(query.active) {
        const FloatW magnitude = shape.magnitude + volume.magnitude;
        const FloatW scale = exponent_scale(magnitude);
        shape.rescale(scale);
        volume.rescale(scale);
        error = fma(FloatW(error_factor(view)), fma(magnitude, scale, shape.underflow_magnitude()),
                    FloatW(view.apex_error) * scale);
        behind = has_face = mask_of(0);
        MaskW sound = magnitude < FloatW(magnitude_limit);
        if constexpr (Shape::may_overflow) sound = sound & shape.finite();
        result = {mask_of(0), mask_of(0), active & ~sound, mask_of(0)};
        active = active & ~result.touching;
        trace.begin(scale, around.high.z);
    }

    /// K u, the larger of two: each term of the sum that makes dot(a, v) belongs either to the object or to the volume.
    static LANE_INLINE float error_factor(const PreparedView& view) {
        const float object = Shape::error_factor(view.frame), volume = Volume::error_factor(view);
        return object > volume ? object : volume;
    }

    LANE_INLINE void retire(MaskW lanes_, MaskW& reason) {
        reason = reason | (active & lanes_);
        active = active & ~lanes_;
    }

    /// Returns the support point of D in direction v. Lanes that it decides retire.
    LANE_INLINE Vec3W step(const Vec3W& v) {
        trace.step(active);
        Vec3W a = support_in(shape, view.frame, v, bits(active)) - volume.lowest(v);
        const FloatW progress = dot(a, v);
        const FloatW length = one_norm(v);
        const MaskW directed = length > FloatW(least_direction);
        const FloatW margin = fma(error, length, progress);
        const MaskW apart = directed & (margin < FloatW(0.0f));
        trace.apart(active & apart, v, margin);
        retire(apart, result.apart);
        behind = progress < FloatW(0.0f);
        return a;
    }

    /// Reduces the simplex a, b, c (, d), in which a is new, to its feature nearest to the origin, and sets `direction`
    /// from there towards the origin. edge_limit is at most 0: an origin that lies beyond an edge by less than
    /// -edge_limit still counts as in front of the face.
    template <bool MayHaveFace>
    LANE_INLINE void advance(const Vec3W& a, FloatW edge_limit) {
        const FloatW zero(0.0f);
        Vec3W ap = b - a, aq = ap + to_c;
        // The normal is made of a side at a and the side opposite a: a is often far from the others, and the product of
        // the two long, nearly parallel sides at a is noise.
        Vec3W n = cross(ap, to_c);

        // Tetrahedron: three faces meet in a. Their normals point outward, given how b, c, d wind, so the origin is
        // beyond a face where n . a < 0. If the origin is beyond two faces the first is taken: choosing between them
        // saves 1-10 % of the steps and costs a fifth of each.
        if constexpr (MayHaveFace) {
            Vec3W ab = ap, ac = aq, ad = ap + to_d;
            Vec3W acd = cross(ac, to_d - to_c), adb = cross(to_d, ad);
            const MaskW inside_abc = but_not(has_face, dot(n, a) < zero);
            const MaskW beyond_acd = both(inside_abc, dot(acd, a) < zero);
            const MaskW beyond_adb = both(inside_abc, dot(adb, a) < zero);
            retire(inside_abc & ~beyond_acd & ~beyond_adb, result.overlap);
            ap = select(beyond_acd, ac, select(beyond_adb, ad, ab));
            aq = select(beyond_acd, ad, select(beyond_adb, ab, ac));
            n = select(beyond_acd, acd, select(beyond_adb, adb, n));
        }

        // Triangle a, p, q. ao = -a is the vector from a to the origin. The origin is beyond edge ap if
        // (ap x n) . ao > 0, and beyond aq if (n x aq) . ao > 0. The triple products are rearranged, so that ap x ao
        // and aq x ao also give the direction from the edge.
        Vec3W ap_ao = cross(a, ap), aq_ao = cross(a, aq);
        const MaskW beyond_ap = dot(n, ap_ao) < edge_limit;
        const MaskW beyond_aq = but_not(dot(n, aq_ao) > -edge_limit, beyond_ap);
        const MaskW on_edge = either(beyond_ap, beyond_aq);
        MaskW below = dot(n, a) > zero;  // a lone triangle has two sides
        if constexpr (MayHaveFace) below = but_not(below, has_face);

        Vec3W from_edge = cross(select(beyond_ap, ap_ao, aq_ao), select(beyond_ap, ap, aq));
        direction = select(on_edge, from_edge, select(below, -n, n));
        b = a;
        to_c = select(either(beyond_aq, but_not(below, on_edge)), aq, ap);
        to_d = select(below, ap, aq);
        has_face = ~on_edge;
    }

    /// Retires lanes that no direction will prove apart. In such a lane the simplex's nearest feature, which b is part
    /// of, is itself no farther from the origin than the bound, or has no direction to the origin even now. Without
    /// this they would all run to the cap, and their packets with them: 4-10 % more for 100,000 objects of which 20 are
    /// so near. Giving up as soon as dot(a, v) < 0 twice in a row is no faster, and loses 1 in 8,000 of the prover's
    /// objects.
    LANE_INLINE void give_up(MaskW lanes_) {
        const FloatW length = one_norm(direction);
        const MaskW within_bound = behind & ~(fma(error, length, dot(b, direction)) < FloatW(0.0f));
        retire(lanes_ & (within_bound | ~(length > FloatW(least_direction))), result.touching);
    }

    /// Rotates b, c, d, so that another point is first, and with it another face of the tetrahedron.
    LANE_INLINE void turn(MaskW lanes_) {
        const MaskW turned = lanes_ & has_face;
        Vec3W back = -to_c;
        b = select(turned, b + to_c, b);
        to_c = select(turned, to_d - to_c, to_c);
        to_d = select(turned, back, to_d);
    }

    /// Set: the next step is a late one.
    LANE_INLINE MaskW late() const { return active & (age >= FloatW(static_cast<float>(late_iteration))); }

    /// In lanes that take long, rounding confuses the simplex's features. Such a lane may go round in circles, by the
    /// face that is taken where the origin is beyond two, or by an edge of a needle. So from late_iteration on, every
    /// other step or so decides differently: turn() puts another face first, and the limit for edges that is returned
    /// leaves only faces to choose. The Thue-Morse sequence says which steps do so. No run of it comes three times in a
    /// row, so no circle closes. A lane goes by its own age, so that its verdict does not depend on the other lanes of
    /// its packet.
    LANE_INLINE FloatW begin_late_step() {
        const MaskW is_late = late(), otherwise = is_late & odd_population(to_index(age));
        give_up(is_late);
        turn(otherwise);
        return select(otherwise, FloatW(-magnitude_limit), FloatW(0.0f));
    }
    LANE_INLINE void grow_older() {
        age = age + FloatW(1.0f);
        retire(age >= FloatW(static_cast<float>(max_iterations)), result.cap);
    }

    /// The first three points, which make no tetrahedron yet.
    LANE_INLINE void begin_point(const Vec3W& start) { b = step(start); }
    LANE_INLINE void begin_segment() {
        Vec3W first = b;
        b = step(-first);
        to_c = first - b;
    }
    LANE_INLINE Vec3W third_point() { return step(cross(cross(to_c, -b), to_c)); }

    /// Calls `visit` for every number that a lane needs to go on, always in the same order. `visit` may change the
    /// number.
    static constexpr std::uint32_t lane_numbers = Shape::lane_numbers + Volume::lane_numbers + 14;
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        shape.visit_lanes(visit);
        volume.visit_lanes(visit);
        visit(error);
        for (Vec3W* v : {&b, &to_c, &to_d, &direction}) visit3(*v, visit);
        FloatW signed_age = select(has_face, age, -age);
        visit(signed_age);
        has_face = signed_age > FloatW(0.0f);
        age = abs(signed_age);
    }
};

/// Two packets' queries, which take turns operation by operation: one packet's step is a chain of dependent operations
/// that leaves half the machine idle.
template <class Query>
struct TwoInTurn {
    Query first, second;

    /// The first three support points.
    LANE_INLINE void begin(const Vec3W& start_0, const Vec3W& start_1) {
        first.begin_point(start_0);
        second.begin_point(start_1);
        first.begin_segment();
        second.begin_segment();
        Vec3W a_0 = first.third_point(), a_1 = second.third_point();
        first.template advance<false>(a_0, 0.0f);
        second.template advance<false>(a_1, 0.0f);
    }

    /// Whether more than `few` lanes are undecided.
    LANE_INLINE bool more_active_than(int few) const {
        return __builtin_popcount(bits(first.active)) + __builtin_popcount(bits(second.active)) > few;
    }

    /// Goes on after begin(), until no more than `few` lanes are undecided or all have had `to` support points. `to` is
    /// at most late_iteration, so no step is a late one.
    LANE_INLINE void go_on(int to, int few) {
        int k = first_iterations;
        for (; k < to && more_active_than(few); ++k) {
            Vec3W next_0 = first.step(first.direction), next_1 = second.step(second.direction);
            first.template advance<true>(next_0, 0.0f);
            second.template advance<true>(next_1, 0.0f);
        }
        first.age = second.age = FloatW(static_cast<float>(k));
    }

    /// Goes on with lanes of any age, until no more than `few` are undecided.
    LANE_INLINE void go_on_until(int few) {
        while (more_active_than(few)) {
            Vec3W next_0 = first.step(first.direction), next_1 = second.step(second.direction);
            FloatW limit_0(0.0f), limit_1(0.0f);
            if (any(first.late() | second.late())) {
                limit_0 = first.begin_late_step();
                limit_1 = second.begin_late_step();
            }
            first.template advance<true>(next_0, limit_0);
            second.template advance<true>(next_1, limit_1);
            first.grow_older();
            second.grow_older();
        }
    }
};

template <class Volume, class Trace, class Shape>
LANE_INLINE void separate_from(const PreparedView& view, const QueryW<Shape>& query_0, const QueryW<Shape>& query_1,
                               SeparatedW (&results)[2], Trace* traces) {
    using Query = Gjk<Shape, Volume, Trace>;
    TwoInTurn<Query> two{Query(view, query_0), Query(view, query_1)};
    two.begin(query_0.start, query_1.start);
    if constexpr (__is_same(Volume, AnyVolumeW)) {
        two.first.age = two.second.age = FloatW(static_cast<float>(first_iterations));
    } else {
        two.go_on(late_iteration, 0);
    }
    two.go_on_until(0);
    results[0] = two.first.result;
    results[1] = two.second.result;
    if (traces == nullptr) return;
    traces[0] = two.first.trace;
    traces[1] = two.second.trace;
}

/// For what is rare: expanded shapes, polytopes, and calls that request certificates. It is not inlined, and one copy
/// serves every volume and trace. That costs a tenth of GJK's time; a copy for each would take compilers as long as all
/// the rest.
template <class Shape>
[[gnu::noinline]] void separate_out_of_line(const PreparedView& view, const QueryW<Shape>& query_0,
                                            const QueryW<Shape>& query_1, SeparatedW (&results)[2], TraceW* traces) {
    separate_from<AnyVolumeW>(view, query_0, query_1, results, traces);
}

template <class Shape>
LANE_INLINE void separate(const PreparedView& view, const QueryW<Shape>& query_0, const QueryW<Shape>& query_1,
                          SeparatedW (&results)[2], TraceW* traces) {
    NotTraced* const untraced = nullptr;
    if (traces != nullptr || view.volume == VolumeKind::polytope) {
        separate_out_of_line(view, query_0, query_1, results, traces);
    } else if (view.volume == VolumeKind::frustum) {
        separate_from<FrustumW>(view, query_0, query_1, results, untraced);
    } else if (view.volume == VolumeKind::edge_frustum) {
        separate_from<EdgeFrustumW>(view, query_0, query_1, results, untraced);
    } else {
        separate_from<OrthoBoxW>(view, query_0, query_1, results, untraced);
    }
}

template <class Shape>
LANE_INLINE void separate(const PreparedView& view, const QueryW<ExpandedW<Shape>>& query_0,
                          const QueryW<ExpandedW<Shape>>& query_1, SeparatedW (&results)[2], TraceW* traces) {
    separate_out_of_line(view, query_0, query_1, results, traces);
}

}  // namespace
}  // namespace lanecull
