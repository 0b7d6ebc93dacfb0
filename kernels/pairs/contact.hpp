#pragma once

/// Where two touch along the direction of their signed distance. Of boxes, and of a segment and a box: the corners of
/// what their faces share, seen along the direction, and of these the deepest and three that span the largest area with
/// it. <lanecull/gjk/contacts.hpp> does so for any polytopes.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/descent.hpp"
#include "pairs/shapes.hpp"
#include "pairs/signed.hpp"

namespace lanecull::pairs {
namespace {

/// Scaled as the pair is. The first contact is the deepest.
struct ContactsW {
    static constexpr int most = 4;
    Vec3W of_b[most];  // a's point is `distance` times the direction before it
    FloatW distance[most];
    MaskW has[most];  // set: there is that contact. Doubles find those of lanes that have no first one
};

/// Faces are clipped if, seen along the direction, their area is so much of their edges' product, and edges are as
/// long as that (with coordinates of at most 2). A box with right angles has a face that is.
constexpr float least_seen = 0x1p-2f;
constexpr float shortest_edge = 1e-8f;

/// Of the faces at a box's corner that is farthest along d, the one most at right angles to d.
struct FaceW {
    Vec3W center, u, v;  // and half-edges
    MaskW is_seen;

    LANE_INLINE FaceW(const BoxW& box, const Vec3W& d) : center(box.center), u(box.axis[1]), v(box.axis[2]) {
        FloatW most = -__builtin_inff();
        Vec3W outward = box.axis[0];
        for (int k = 0; k < 3; ++k) {
            const Vec3W &p = box.axis[(k + 1) % 3], &q = box.axis[(k + 2) % 3], n = cross(p, q);
            const Vec3W arm = flip(box.axis[k], dot(box.axis[k], d));
            const FloatW cosine = over_sqrt(flip(dot(n, d), dot(n, arm)), dot(n, n));
            const MaskW better = cosine > most;
            most = select(better, cosine, most);
            outward = select(better, arm, outward);
            u = select(better, p, u);
            v = select(better, q, v);
        }
        center = center + outward;
        const FloatW along = dot(cross(u, v), d), squares = dot(u, u) * dot(v, v);
        constexpr float least = shortest_edge * shortest_edge;
        is_seen =
            (min(dot(u, u), dot(v, v)) > FloatW(least)) & (along * along > FloatW(least_seen * least_seen) * squares);
    }
};

/// Coordinates by a face: how many half-edges u and v a point is from its centre, seen along d, and how far along d
/// from its plane. The face is the square of -1 to 1.
struct FaceAxesW {
    Vec3W origin, by_u, by_v, by_d;

    LANE_INLINE FaceAxesW(const FaceW& face, const Vec3W& d) : origin(face.center) {
        const Vec3W n = cross(face.u, face.v);
        const FloatW share = FloatW(1.0f) / dot(n, d);
        by_u = cross(face.v, d) * share;
        by_v = cross(d, face.u) * share;
        by_d = n * share;
    }
    LANE_INLINE Vec3W of_way(const Vec3W& w) const { return {dot(by_u, w), dot(by_v, w), dot(by_d, w)}; }
    LANE_INLINE Vec3W of_point(const Vec3W& p) const { return of_way(p - origin); }
};

/// x times y's perpendicular, in a face's plane.
LANE_INLINE FloatW cross2(const Vec3W& x, const Vec3W& y) { return fms(x.x, y.y, x.y * y.x); }
LANE_INLINE FloatW square2(const Vec3W& x) { return fma(x.x, x.x, x.y * x.y); }

/// Corners of what b's face shares with a's, in coordinates by b's face.
template <class A>
struct SharedW {
    static constexpr bool is_face = __is_same(A, BoxW);
    static constexpr int most = is_face ? 12 : 2;
    Vec3W at[most];
    MaskW counts[most];
    FloatW u_most, v_most;  // how far the face reaches, with rounding

    LANE_INLINE SharedW(const PairW<A, BoxW>& pair, const Vec3W& d, const FaceAxesW& axes, MaskW& is_seen) {
        const FloatW one(1.0f), rounding = FloatW(16 * unit_roundoff) * pair.size;
        u_most = fma(rounding, one_norm(axes.by_u), one);
        v_most = fma(rounding, one_norm(axes.by_v), one);
        if constexpr (is_face) {
            const FaceW face(pair.a, d);
            is_seen = is_seen & face.is_seen;
            const Vec3W center = axes.of_point(face.center), u = axes.of_way(face.u), v = axes.of_way(face.v);
            const Vec3W way_u = u + u, way_v = v + v;
            add_edge(0, center - u - v, way_u);
            add_edge(1, center + u - v, way_v);
            add_edge(2, center + u + v, -way_u);
            add_edge(3, center - u + v, -way_v);
            add_corners(center, u, v);
        } else {
            const Vec3W half = axes.of_way(pair.a.axis[0]), from = axes.of_point(pair.a.center) - half;
            add_edge(0, from, half + half);
        }
    }

    LANE_INLINE FloatW rounding() const { return max(u_most, v_most) - FloatW(1.0f); }

private:
    static constexpr int edges = is_face ? 4 : 1;

    /// What is left of an edge from p (Liang and Barsky, "A new concept and method for line clipping", 1984): both of
    /// its ends, but the end where the next edge begins.
    LANE_INLINE void add_edge(int k, const Vec3W& p, const Vec3W& way) {
        const FloatW one(1.0f);
        FloatW from = 0.0f, to = one;
        const auto clip = [&](FloatW at_p, FloatW by, FloatW limit) LANE_LAMBDA {
            const FloatW inverse = one / select(abs(by) > FloatW(1e-20f), by, FloatW(1e-20f));
            const FloatW low = (-limit - at_p) * inverse, high = (limit - at_p) * inverse;
            from = max(from, min(low, high));
            to = min(to, max(low, high));
        };
        clip(p.x, way.x, u_most);
        clip(p.y, way.y, v_most);
        counts[k] = from <= to;
        counts[k + edges] = from < to;
        if constexpr (is_face) counts[k + edges] = counts[k + edges] & (to < one);
        at[k] = plus_times(p, way, from);
        at[k + edges] = plus_times(p, way, to);
    }

    /// Corners of b's face in a's.
    LANE_INLINE void add_corners(const Vec3W& center, const Vec3W& u, const Vec3W& v) {
        const FloatW one(1.0f), share = one / cross2(u, v);
        for (int k = 0; k < 4; ++k) {
            const FloatW x(k % 2 == 0 ? -1.0f : 1.0f), y(k < 2 ? -1.0f : 1.0f);
            const Vec3W from_center = {x - center.x, y - center.y, FloatW(0.0f)};
            const FloatW by_u = cross2(from_center, v) * share, by_v = cross2(u, from_center) * share;
            counts[2 * edges + k] = max(abs(by_u), abs(by_v)) <= one;
            at[2 * edges + k] = {x, y, fma(v.z, by_v, fma(u.z, by_u, center.z))};
        }
    }
};

/// Of the points that count, with `first` the three that span the largest area with it, or the farthest one where all
/// are on a line: across from `first` is some other one, and of each side the farthest aside can be chosen alone.
/// Points nearer to each other than `rounding` are one.
template <int most>
struct SpanW {
    Vec3W second, across, fourth;
    MaskW has_second, has_across, has_fourth;

    LANE_INLINE SpanW(const Vec3W& first, const Vec3W (&at)[most], const MaskW (&counts)[most], FloatW rounding) {
        const FloatW zero(0.0f), least = rounding * rounding;
        Vec3W arm[most];
        for (int k = 0; k < most; ++k) arm[k] = select(counts[k], at[k] - first, {zero, zero, zero});
        const auto aside = [&](FloatW most_aside, FloatW square)
                               LANE_LAMBDA { return most_aside * most_aside > least * square; };
        FloatW largest(-1.0f), farthest(-1.0f);
        Vec3W to = {zero, zero, zero};
        across = first;
        for (int k = 0; k < most; ++k) {
            FloatW left = zero, right = zero;
            for (int j = 0; j < most; ++j) {
                if (j == k) continue;
                const FloatW here = cross2(arm[k], arm[j]);
                left = max(here, left);
                right = min(here, right);
            }
            const FloatW square = square2(arm[k]);
            const FloatW area = select(aside(left, square), left, zero) - select(aside(right, square), right, zero);
            const MaskW better = (area > largest) | ((area >= largest) & (square > farthest));
            largest = select(better, area, largest);
            farthest = select(better, square, farthest);
            to = select(better, arm[k], to);
            across = select(better, at[k], across);
        }
        FloatW left = zero, right = zero;
        second = fourth = first;
        for (int j = 0; j < most; ++j) {
            const FloatW here = cross2(to, arm[j]);
            second = select(here > left, at[j], second);
            fourth = select(here < right, at[j], fourth);
            left = max(here, left);
            right = min(here, right);
        }
        has_second = aside(left, farthest), has_across = farthest > least, has_fourth = aside(right, farthest);
    }
};

/// The nearest or the deepest points alone.
template <class A, class B>
LANE_INLINE ContactsW deepest_alone(const PairW<A, B>&, const SignedW& found, MaskW known) {
    ContactsW result;
    for (int k = 0; k < ContactsW::most; ++k) {
        result.of_b[k] = found.of_b;
        result.distance[k] = (found.lower + found.upper) * FloatW(0.5f);
        result.has[k] = k == 0 ? known : mask_of(0);
    }
    return result;
}

/// Those of a box's face, up to the tolerance.
template <class A>
LANE_INLINE ContactsW find_contacts(const PairW<A, BoxW>& pair, const SignedW& found, FloatW tolerance) {
    const FloatW one(1.0f), rounding = FloatW(64 * unit_roundoff) * pair.size;
    const Vec3W& d = found.direction;
    const FaceW face(pair.b, -d);
    const FaceAxesW axes(face, d);
    MaskW is_seen = face.is_seen;
    SharedW<A> shared(pair, d, axes, is_seen);
    const auto apart = [&](const Vec3W& at) LANE_LAMBDA { return -at.z - pair.radius; };

    FloatW least = __builtin_inff();
    Vec3W first = axes.of_point(found.of_b);
    for (int k = 0; k < SharedW<A>::most; ++k) {
        const FloatW here = apart(shared.at[k]);
        shared.counts[k] = shared.counts[k] & (here <= tolerance + rounding);
        const MaskW better = shared.counts[k] & (here < least);
        least = select(better, here, least);
        first = select(better, shared.at[k], first);
    }
    const MaskW on_face = least <= found.upper + rounding;
    first = select(on_face, first, axes.of_point(found.of_b));
    const SpanW<SharedW<A>::most> span(first, shared.at, shared.counts, shared.rounding());

    const auto on_b = [&](const Vec3W& at) LANE_LAMBDA {
        const FloatW u = max(min(at.x, one), -one), v = max(min(at.y, one), -one);
        return plus_times(plus_times(face.center, face.u, u), face.v, v);
    };
    const Vec3W second = select(span.has_second, span.second, span.across);
    const Vec3W third = select(span.has_second, span.across, span.fourth);
    ContactsW result = deepest_alone(pair, found, is_seen);
    result.of_b[0] = select(on_face, on_b(first), found.of_b);
    result.distance[0] = select(on_face, max(min(apart(first), found.upper), found.lower), result.distance[0]);
    const Vec3W others[] = {second, third, span.fourth};
    for (int k = 1; k < ContactsW::most; ++k) {
        result.of_b[k] = on_b(others[k - 1]);
        result.distance[k] = max(apart(others[k - 1]), found.lower);
    }
    result.has[1] = is_seen & span.has_across;
    result.has[2] = result.has[1] & (span.has_second | span.has_fourth);
    result.has[3] = result.has[1] & span.has_second & span.has_fourth;
    return result;
}

LANE_INLINE MaskW is_ball(const RoundW& round) { return ~(dot(round.axis[0], round.axis[0]) > FloatW(0.0f)); }

/// Segments that are nearly parallel may have two.
LANE_INLINE ContactsW find_contacts(const PairW<RoundW, RoundW>& pair, const SignedW& found, FloatW) {
    const Vec3W &p = pair.a.axis[0], &q = pair.b.axis[0], n = cross(p, q);
    const MaskW cross_each_other = dot(n, n) > FloatW(1e-6f) * dot(p, p) * dot(q, q);
    return deepest_alone(pair, found, cross_each_other | is_ball(pair.a) | is_ball(pair.b));
}
LANE_INLINE ContactsW find_contacts(const PairW<RoundW, HullsW>& pair, const SignedW& found, FloatW) {
    return deepest_alone(pair, found, is_ball(pair.a));
}
/// Doubles clip faces of hulls.
template <class A>
LANE_INLINE ContactsW find_contacts(const PairW<A, HullsW>& pair, const SignedW& found, FloatW) {
    return deepest_alone(pair, found, mask_of(0));
}

}  // namespace
}  // namespace lanecull::pairs
