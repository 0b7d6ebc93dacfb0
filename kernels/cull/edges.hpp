#pragma once

/// Between the planes and GJK, in relative coordinates: tests for objects that no plane culls and whose point farthest
/// inside of the worst plane is not in the volume either. Most of these objects are at an edge of the volume, where two
/// planes meet. The first is the plane that the object's centre is farthest behind. The second is the plane that the
/// object's point farthest inside of the first plane is farthest behind. These tests decide 9 in 10 straddling spheres
/// and 17 in 20 boxes, for a third of what GJK takes.
///
/// Let k and j be planes whose distances n . q + offset are not negative in the volume, and a, b >= 0. Then the volume
/// lies where a (n_k . q + offset_k) + b (n_j . q + offset_j) >= 0: on one side of a plane through their edge. An
/// object that is wholly behind that plane is apart.

#include <lanecull/cull.h>

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "cull/reasons.hpp"
#include "cull/refine.hpp"
#include "lanes/box.hpp"
#include "lanes/cone.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/oval.hpp"
#include "lanes/sector.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

struct AtEdgeW {
    MaskW outside;  // set: behind one of the view's planes, proved
    MaskW apart;    // set: behind a plane through the edge, proved
    MaskW overlap;  // set: a point of the object is in the volume, by plain float comparison
    // For the certificate of what is apart: the two planes, their factors a and b, and minus the distance behind, times
    // |a n_k + b n_j|.
    IndexW plane[2];
    FloatW share[2];
    FloatW margin;
};

/// In each lane the edge of two planes, seen from the object's centre.
struct EdgeW {
    Vec3W normal[2];
    FloatW distance[2];  // of the centre
    Vec3W nearest;       // from the centre to the edge's nearest point, as floats have it
    FloatW share[2];     // nearest = share[0] normal[0] + share[1] normal[1]

    LANE_INLINE EdgeW(const RefinePlanes& planes, const Vec3W& center, IndexW first, IndexW second)
        : normal{planes.gathered(first), planes.gathered(second)} {
        distance[0] = dot_plus(normal[0], center, planes.gathered_offset(first));
        distance[1] = dot_plus(normal[1], center, planes.gathered_offset(second));
        const FloatW square = dot(normal[0], normal[0]), product = dot(normal[0], normal[1]);
        const FloatW inverse = FloatW(1.0f) / fms(square, dot(normal[1], normal[1]), product * product);
        share[0] = fms(product, distance[1], dot(normal[1], normal[1]) * distance[0]) * inverse;
        share[1] = fms(product, distance[0], square * distance[1]) * inverse;
        nearest = plus_times(normal[0] * share[0], normal[1], share[1]);
    }
};

/// Tests planes through the edge and keeps what one of them proves.
template <class Shape>
struct EdgePlanes {
    const EdgeW& edge;
    AtEdgeW& result;
    const FloatW error, magnitude;

    LANE_INLINE EdgePlanes(const EdgeW& edge_, const Shape& shape, AtEdgeW& result_)
        : edge(edge_),
          result(result_),
          error(FloatW(Shape::error_factor(world_axes)) * shape.magnitude),
          magnitude(shape.magnitude + (abs(edge.distance[0]) + abs(edge.distance[1]))) {
        result.apart = mask_of(0);
        result.share[0] = result.share[1] = result.margin = FloatW(0.0f);
    }

    /// Tests the plane with factors a and b. `reach` is how far the shape reaches along a n_k + b n_j. Factors that are
    /// negative, or too small or too large for the bound, prove nothing.
    LANE_INLINE void propose(FloatW a, FloatW b, FloatW reach) {
        constexpr float least_share = 1e-10f;
        const FloatW zero(0.0f), sum = a + b;
        const FloatW margin = fma(error, sum, fma(a, edge.distance[0], b * edge.distance[1]) + reach);
        // min() may lose a NaN of a or b; the sum keeps it, and its comparison fails.
        const MaskW usable =
            (min(a, b) >= zero) & (sum > FloatW(least_share)) & (magnitude * sum < FloatW(magnitude_limit));
        const MaskW apart = usable & (margin < zero);
        result.apart = result.apart | apart;
        result.share[0] = select(apart, a, result.share[0]);
        result.share[1] = select(apart, b, result.share[1]);
        result.margin = select(apart, margin, result.margin);
    }
};

/// Set: the number has neither lost digits to underflow nor come near overflow. Only such numbers may be compared with
/// each other to accept an object.
LANE_INLINE MaskW well_scaled(FloatW a) { return (a > FloatW(1e-30f)) & (a < FloatW(1e30f)); }

/// Balls: tests the plane at right angles to the vector from the centre to the edge. Returns the edge's point nearest
/// to the centre, which the caller looks for in the volume.
LANE_INLINE Vec3W look_along(const EdgeW& edge, const ZonotopeW<0, true>& ball, AtEdgeW& result) {
    const FloatW square = dot(edge.nearest, edge.nearest);
    EdgePlanes planes(edge, ball, result);
    planes.propose(edge.share[0], edge.share[1], ball.radius * sqrt(square));
    const FloatW radius_square = ball.radius * ball.radius;
    result.overlap = well_scaled(radius_square) & (square <= radius_square);
    return ball.center + edge.nearest;
}

/// How boxes lie relative to the edge. `reach`: the box's half axes along the edge's two normals. `along`: the same,
/// each axis perhaps by another factor. `nearest`, `direction`: the edge's nearest point and its direction in
/// coordinates of the box's own, in which the box reaches from -size to size.
struct BoxAtEdgeW {
    FloatW reach[2][3], along[2][3];
    FloatW nearest[3], direction[3], size[3];
};

LANE_INLINE BoxAtEdgeW place(const AlignedBoxW& box, const EdgeW& edge, const Vec3W& direction) {
    BoxAtEdgeW at;
    for (int k = 0; k < 2; ++k) {
        const Vec3W& n = edge.normal[k];
        at.along[k][0] = n.x, at.along[k][1] = n.y, at.along[k][2] = n.z;
        at.reach[k][0] = n.x * box.half.x, at.reach[k][1] = n.y * box.half.y, at.reach[k][2] = n.z * box.half.z;
    }
    at.nearest[0] = edge.nearest.x, at.nearest[1] = edge.nearest.y, at.nearest[2] = edge.nearest.z;
    at.direction[0] = direction.x, at.direction[1] = direction.y, at.direction[2] = direction.z;
    at.size[0] = box.half.x, at.size[1] = box.half.y, at.size[2] = box.half.z;
    return at;
}

/// Coordinates are found by cofactors, because the axes need not be at right angles.
LANE_INLINE BoxAtEdgeW place(const ZonotopeW<3, false>& box, const EdgeW& edge, const Vec3W& direction) {
    BoxAtEdgeW at;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 2; ++k) at.along[k][i] = at.reach[k][i] = dot(edge.normal[k], box.axis[i]);
        Vec3W across = cross(box.axis[(i + 1) % 3], box.axis[(i + 2) % 3]);
        at.nearest[i] = dot(edge.nearest, across);
        at.direction[i] = dot(direction, across);
        at.size[i] = abs(dot(box.axis[i], across));
    }
    return at;
}

/// Boxes: tests the three planes through the edge that are each parallel to one of the box's axes. With A the axis,
/// (n_k x n_j) x A is (n_k . A) n_j - (n_j . A) n_k. Returns the middle of the edge's part inside the box, which the
/// caller looks for in the volume.
template <class Box>
LANE_INLINE Vec3W look_along(const EdgeW& edge, const Box& box, AtEdgeW& result) {
    Vec3W direction = cross(edge.normal[0], edge.normal[1]);
    BoxAtEdgeW at = place(box, edge, direction);
    EdgePlanes planes(edge, box, result);
    FloatW enter(0.0f), leave(0.0f);
    for (int i = 0; i < 3; ++i) {
        const FloatW zero(0.0f), a = abs(at.along[1][i]), b = abs(at.along[0][i]);
        FloatW reach = abs(fma(a, at.reach[0][0], b * at.reach[1][0]));
        for (int m = 1; m < 3; ++m) reach = reach + abs(fma(a, at.reach[0][m], b * at.reach[1][m]));
        const MaskW between = at.along[0][i] * at.along[1][i] < zero;
        planes.propose(select(between, a, FloatW(-1.0f)), b, reach);

        const FloatW inverse = FloatW(1.0f) / at.direction[i];
        const FloatW middle = -at.nearest[i] * inverse, half = abs(at.size[i] * inverse);
        enter = i == 0 ? middle - half : max(enter, middle - half);
        leave = i == 0 ? middle + half : min(leave, middle + half);
    }
    const FloatW way = (enter + leave) * FloatW(0.5f);
    // These comparisons also fail for NaN, which occurs where the edge is parallel to a side.
    result.overlap = mask_of(all_lanes);
    for (int i = 0; i < 3; ++i) {
        result.overlap =
            result.overlap & well_scaled(at.size[i]) & (abs(fma(way, at.direction[i], at.nearest[i])) <= at.size[i]);
    }
    return plus_times(box.center + edge.nearest, direction, way);
}

/// The edge in coordinates in which an oval is the unit ball. Its normals are how far the oval's axes reach along them.
template <int First>
struct EdgeOfOvalW {
    FloatW normal[2][3], share[2], nearest[3];

    template <class Oval>
    LANE_INLINE EdgeOfOvalW(const EdgeW& edge, const Oval& oval) {
        for (int k = 0; k < 2; ++k) {
            for (int i = 0; i < 3; ++i) normal[k][i] = dot(edge.normal[k], oval.axis[i]);
        }
    }
    LANE_INLINE FloatW product(int j, int k) const {
        FloatW sum(0.0f);
        for (int i = First; i < 3; ++i) sum = fma(normal[j][i], normal[k][i], sum);
        return sum;
    }
    /// The edge's point nearest to the ball's centre, at these distances from the two planes.
    LANE_INLINE void find_nearest(FloatW first, FloatW second) {
        const FloatW square = product(0, 0), mixed = product(0, 1), other = product(1, 1);
        const FloatW inverse = FloatW(1.0f) / fms(square, other, mixed * mixed);
        share[0] = fms(mixed, second, other * first) * inverse;
        share[1] = fms(mixed, first, square * second) * inverse;
        for (int i = First; i < 3; ++i) nearest[i] = fma(share[0], normal[0][i], share[1] * normal[1][i]);
    }
    LANE_INLINE FloatW squared_distance(int from) const {
        FloatW sum(0.0f);
        for (int i = from; i < 3; ++i) sum = fma(nearest[i], nearest[i], sum);
        return sum;
    }
};

template <class Oval>
LANE_INLINE Vec3W point_of(const Oval& oval, const FloatW (&factor)[3]) {
    Vec3W p = oval.center;
    for (int i = 0; i < 3; ++i) p = plus_times(p, oval.axis[i], factor[i]);
    return p;
}

/// Ellipsoids, as balls.
LANE_INLINE Vec3W look_along(const EdgeW& edge, const OvalW<0>& oval, AtEdgeW& result) {
    EdgePlanes planes(edge, oval, result);
    EdgeOfOvalW<0> own(edge, oval);
    own.find_nearest(edge.distance[0], edge.distance[1]);
    const FloatW square = own.squared_distance(0);
    planes.propose(own.share[0], own.share[1], sqrt(square));
    result.overlap = square <= FloatW(1.0f);
    return point_of(oval, own.nearest);
}

/// Cylinders: tests the plane that is parallel to the axis, and for each end the plane at right angles, in coordinates
/// in which it is the unit circle, to the way from its centre to where the edge pierces it. Returns the edge's point
/// nearest to the centre in coordinates in which the axis is as long as the radii.
LANE_INLINE Vec3W look_along(const EdgeW& edge, const OvalW<1>& oval, AtEdgeW& result) {
    const FloatW zero(0.0f), one(1.0f);
    EdgePlanes planes(edge, oval, result);
    EdgeOfOvalW<1> end(edge, oval);
    const FloatW along[2] = {end.normal[0][0], end.normal[1][0]};
    const auto reach_across = [&](FloatW a, FloatW b) LANE_LAMBDA {
        const FloatW y = fma(a, end.normal[0][1], b * end.normal[1][1]);
        const FloatW z = fma(a, end.normal[0][2], b * end.normal[1][2]);
        return sqrt(fma(y, y, z * z)) + abs(fma(a, along[0], b * along[1]));
    };
    const FloatW a = abs(along[1]), b = abs(along[0]);
    planes.propose(select(along[0] * along[1] < zero, a, FloatW(-1.0f)), b, reach_across(a, b));
    for (const float side : {1.0f, -1.0f}) {
        end.find_nearest(fma(FloatW(side), along[0], edge.distance[0]), fma(FloatW(side), along[1], edge.distance[1]));
        planes.propose(end.share[0], end.share[1], reach_across(end.share[0], end.share[1]));
    }
    EdgeOfOvalW<0> whole(edge, oval);
    whole.find_nearest(edge.distance[0], edge.distance[1]);
    result.overlap = (whole.squared_distance(1) <= one) & (abs(whole.nearest[0]) <= one);
    return point_of(oval, whole.nearest);
}

/// Cones: proposes the plane that the base has for itself, as a cylinder's end, and both planes that touch apex and
/// base at once, to which both are equally near. There the disc reaches as far along a n_k + b n_j as the axis goes
/// back, whose squares are a quadratic equation for a / b. If any plane parts the cone from the edge, one of these
/// does, or one of the edge's own two planes. Returns the edge's point nearest to one on the axis.
template <class Propose>
LANE_INLINE Vec3W look_at_cone(const EdgeW& edge, const ConeW& cone, EdgeOfOvalW<1>& base, const Propose& propose,
                               AtEdgeW& result) {
    const FloatW one(1.0f);
    const FloatW along[2] = {base.normal[0][0], base.normal[1][0]};
    base.find_nearest(edge.distance[0] + along[0], edge.distance[1] + along[1]);
    propose(base.share[0], base.share[1]);

    const FloatW twice[2] = {along[0] + along[0], along[1] + along[1]};
    const FloatW first = fms(twice[0], twice[0], base.product(0, 0));
    const FloatW half = fms(twice[0], twice[1], base.product(0, 1));
    const FloatW last = fms(twice[1], twice[1], base.product(1, 1));
    const FloatW root = sqrt(max(fms(half, half, first * last), FloatW(0.0f)));
    const FloatW sum = -(half + flip(root, half));
    propose(sum / first, one);
    propose(last / sum, one);

    constexpr float middle = 0.25f;  // of the part of the axis that is looked from, -1 to 1
    EdgeOfOvalW<0> whole(edge, cone);
    whole.find_nearest(fma(FloatW(middle), along[0], edge.distance[0]),
                       fma(FloatW(middle), along[1], edge.distance[1]));
    whole.nearest[0] = whole.nearest[0] + FloatW(middle);
    const FloatW room = fma(whole.nearest[0], FloatW(0.5f), FloatW(0.5f));
    result.overlap = (room >= FloatW(0.0f)) & (room <= one) & (whole.squared_distance(1) <= room * room);
    return point_of(cone, whole.nearest);
}

LANE_INLINE Vec3W look_along(const EdgeW& edge, const ConeW& cone, AtEdgeW& result) {
    EdgePlanes planes(edge, cone, result);
    EdgeOfOvalW<1> base(edge, cone);
    const FloatW along[2] = {base.normal[0][0], base.normal[1][0]};
    const auto propose = [&](FloatW a, FloatW b) LANE_LAMBDA {
        const FloatW y = fma(a, base.normal[0][1], b * base.normal[1][1]);
        const FloatW z = fma(a, base.normal[0][2], b * base.normal[1][2]);
        const FloatW axis = fma(a, along[0], b * along[1]);
        planes.propose(a, b, max(-axis, sqrt(fma(y, y, fma(z, z, FloatW(cone.least_square)))) + axis));
    };
    return look_at_cone(edge, cone, base, propose, result);
}

/// Cones with a round base: the same planes, and the one that the ball around the apex has for itself.
LANE_INLINE Vec3W look_along(const EdgeW& edge, const SectorW& sector, AtEdgeW& result) {
    EdgePlanes planes(edge, sector, result);
    const auto propose = [&](FloatW a, FloatW b) LANE_LAMBDA {
        planes.propose(a, b, sector.reach(plus_times(edge.normal[0] * a, edge.normal[1], b)));
    };
    EdgeOfOvalW<0> ball(edge, sector);
    const FloatW back = FloatW(-0.5f) * sector.cosine;
    ball.find_nearest(fma(back, ball.normal[0][0], edge.distance[0]), fma(back, ball.normal[1][0], edge.distance[1]));
    propose(ball.share[0], ball.share[1]);
    const ConeW flat = sector.flat();
    EdgeOfOvalW<1> base(edge, flat);
    return look_at_cone(edge, flat, base, propose, result);
}

/// In each lane the two planes that meet at the edge that the object is at.
struct TwoPlanesW {
    IndexW first, second;
};

template <class Shape>
LANE_INLINE TwoPlanesW planes_of_edge(const RefinePlanes& planes, const Shape& shape) {
    const IndexW first = worst_plane_of(planes, shape.center).plane;
    Vec3W deepest = shape.support(world_axes, planes.gathered(first));
    return {first, worst_plane_of(planes, deepest).plane};
}

/// Of the two planes themselves only the second is tested, because refine has tested the first. Searching all six for
/// the one that the whole box is farthest behind would take 2 % of an oriented box's time, 4 with AVX2.
template <class Shape>
LANE_INLINE AtEdgeW look_at_edge(const RefinePlanes& planes, const Shape& shape, const TwoPlanesW& meeting) {
    const FloatW error = FloatW(Shape::error_factor(world_axes)) * shape.magnitude;
    AtEdgeW result;
    EdgeW edge(planes, shape.center, meeting.first, meeting.second);
    result.outside = edge.distance[1] + shape.reach(edge.normal[1]) < -error;
    Vec3W point = look_along(edge, shape, result);
    Vec3W between = shape.support(world_axes, edge.normal[0] + edge.normal[1]);
    result.overlap = (result.overlap & (least_distance(planes.view, point) >= -error)) |
                     (least_distance(planes.view, between) >= FloatW(0.0f));
    // A polytope's corners may be known more exactly than the edge where two of its planes meet.
    if (!planes.view.planes_suffice || planes.view.volume == VolumeKind::polytope) result.overlap = mask_of(0);
    result.plane[0] = meeting.first;
    result.plane[1] = meeting.second;
    return result;
}

/// Writes the certificates of objects that were decided at an edge of the volume and whose reasons have been noted. The
/// direction of an object that is apart is the normal of the plane through the edge.
[[gnu::noinline]] inline void note_edge(const Verdicts& verdicts, const Chunk& chunk, const Packet& packet,
                                        std::uint32_t decided, const AtEdgeW& at_edge, const PreparedView& view) {
    alignas(64) std::int32_t objects[lanes], plane[2][lanes];
    alignas(64) float share[2][lanes], margin[lanes];
    store(objects, packet.objects());
    for (int k = 0; k < 2; ++k) {
        store(plane[k], at_edge.plane[k]);
        store(share[k], at_edge.share[k]);
    }
    store(margin, at_edge.margin);
    for (; decided != 0; decided &= decided - 1) {
        const int lane = __builtin_ctz(decided);
        Certificate& certificate = verdicts.certificate_of(chunk, static_cast<std::uint32_t>(objects[lane]));
        certificate.steps = 1;
        if (certificate.reason != Reason::culled_gjk) continue;
        certificate.far_depth = __builtin_inff();
        double square = 0;
        for (int j = 0; j < 3; ++j) {
            const auto part = [&](int k) {
                return static_cast<double>(share[k][lane]) * view.exact_normal[plane[k][lane]][j];
            };
            certificate.direction[j] = part(0) + part(1);
            square += certificate.direction[j] * certificate.direction[j];
        }
        certificate.gap =
            static_cast<float>(-static_cast<double>(margin[lane]) / __builtin_sqrt(square) * (1 - 0x1p-20));
    }
}

/// Tests a list's objects at the volume's edges. A few packets take a step one after the other before any of them takes
/// the next step, which saves 3 % of a straddling oriented box's time. Takes off the list what it decides.
template <class Range>
[[gnu::noinline]] void decide_at_edges(Range& range, Chunk& chunk, UndecidedList& list) {
    const RelativeAxesW axes(range.view.frame);
    drive_few(range, chunk, list, axes, [&](const auto& few) LANE_LAMBDA {
        TwoPlanesW meeting[few_packets];
        few.each([&](std::uint32_t k) LANE_LAMBDA { meeting[k] = planes_of_edge(range.planes, few.staged[k].get()); });
        few.each([&](std::uint32_t k) LANE_LAMBDA {
            const Packet packet = few.packet(k);
            AtEdgeW at_edge = look_at_edge(range.planes, few.staged[k].get(), meeting[k]);
            Found<Reason::culled_plane, Reason::culled_gjk, Reason::visible_overlap> found{
                {bits(at_edge.outside), bits(at_edge.apart), bits(at_edge.overlap)}};
            list.append(packet.entries, record(range.verdicts, chunk, packet, found));
            if (!range.verdicts.noted()) return;
            note_edge(range.verdicts, chunk, packet, static_cast<std::uint32_t>(found.of[1] | found.of[2]), at_edge,
                      range.view);
        });
    });
}

}  // namespace
}  // namespace lanecull
