#pragma once

/// Hull instances by their vertices. A packet has instances of one hull where enough of them follow each other on the
/// list, as they do in a batch ordered by hull, and of any hulls elsewhere.

#include <cstdint>

#include <lanecull/cull.h>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "cull/gjk_packets.hpp"
#include "cull/refine.hpp"
#include "lanes/box.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/hull.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// At most W entries of a list and their hulls.
struct HullPacket : Packet {
    PacketHulls* hulls;  // null: no packet

    LANE_INLINE HullPacket(const Packet& packet, PacketHulls* hulls_) : Packet(packet), hulls(hulls_) {}
};

/// Goes through a list's packets, one after the other. The last two can be used at the same time.
template <class Range>
struct HullPackets {
    Range& range;
    const Chunk& chunk;
    UndecidedList& list;
    std::uint32_t waiting;
    std::uint32_t at = 0;
    std::uint32_t packets = 0;
    PacketHulls hulls[2] = {};  // of the last two packets

    LANE_INLINE HullPackets(Range& range_, const Chunk& chunk_, UndecidedList& list_)
        : range(range_), chunk(chunk_), list(list_), waiting(list_.take_all()) {}
    LANE_INLINE bool more() const { return at < waiting; }
    LANE_INLINE void leave(const HullPacket& packet, std::uint32_t undecided) {
        list.append_short(packet.entries, undecided);
    }

    LANE_INLINE std::uint32_t hull_index(std::uint32_t entry) const {
        const std::uint32_t* index = range.shapes.hull_index;
        return index == nullptr ? 0 : index[chunk.first + static_cast<std::uint32_t>(list.entry[entry])];
    }

    /// Entries from `at` on that have its hull, W at most.
    LANE_INLINE std::uint32_t alike() const {
        const std::uint32_t hull = hull_index(at);
        std::uint32_t n = 1;
        while (n < lanes && at + n < waiting && hull_index(at + n) == hull) ++n;
        return n;
    }

    /// The next packet. Half a packet of one hull takes less time than a whole one of several.
    LANE_INLINE HullPacket next() {
        if (at == waiting) return {list.packet(0, 0), nullptr};
        const std::uint32_t first = at, rest = waiting - at, same = alike(), full = rest < lanes ? rest : lanes;
        PacketHulls& held = hulls[packets++ % 2];
        if (2 * same >= full) {
            at += same;
            held.hold_one(range.shapes, hull_index(first));
        } else {
            at += full;
            held.hold_each(range.shapes, [&](std::uint32_t lane)
                                             LANE_LAMBDA { return hull_index(first + (lane < full ? lane : 0)); });
        }
        return {list.packet(first, at), &held};
    }

    template <class Axes>
    LANE_INLINE auto shape_of(const Axes& axes, const HullPacket& of) const {
        GatheredObjects gathered = of.gathered(chunk.first);
        return range.expansion.expand(axes, HullW(axes, range.shapes, gathered, *of.hulls), gathered);
    }
    /// The boxes around these shapes.
    template <class Axes>
    LANE_INLINE auto box_of(const Axes& axes, const HullPacket& of, const HullW& shape) const {
        return range.expansion.expand(axes, shape.box(), of.gathered(chunk.first));
    }
};

/// What a placed vertex's distance from a plane may be off by. Where a matrix is large for the place that it gives,
/// that may be many times the hull's size.
template <class Shape>
LANE_INLINE FloatW distance_bound(const PreparedView& view, const Shape& shape) {
    return FloatW(Shape::error_factor(view.frame) * view.view_normal_one_norm) * shape.magnitude;
}

/// Set: what reaches `distance` inward of a plane is wholly behind it, proved.
template <class Shape>
LANE_INLINE MaskW is_behind(const PreparedView& view, const Shape& shape, FloatW distance) {
    return shape.finite() & (distance < -distance_bound(view, shape));
}

/// How far the box around the vertices reaches inward of a plane. It costs less to know than how far they do.
template <class Box>
LANE_INLINE FloatW box_distance(const ViewPlaneW& plane, const Box& box) {
    return plane.distance(box.center) + box.reach(plane.normal);
}

/// The lanes whose placed vertex is in the volume, proved: a vertex in doubt may belong to a hull that stage 1's planes
/// cull, where they are tested. The planes need not be all facets of the volume: what is inside all of them may then be
/// outside the volume.
template <class Shape>
LANE_INLINE std::uint32_t surely_inside(const PreparedView& view, const Shape& shape, FloatW least_distance) {
    return view.planes_suffice ? bits(least_distance >= distance_bound(view, shape)) : 0;
}

/// With Method::automatic: tests the plane that the mean vertex is farthest behind, as refine() does for other kinds.
/// That and the mean vertex itself decide nine in ten of the instances across the boundary. The box saves far ones the
/// read their vertices.
template <class Shape, class Box>
LANE_INLINE auto ask_worst_plane(const PreparedView& view, const Shape& shape, const Box& box, std::uint32_t asked) {
    const StartPlaneW start(view, shape);
    const ViewPlaneW& plane = start.plane;
    const std::uint32_t inside = surely_inside(view, shape, start.of_center);
    const std::uint32_t outside = bits(is_behind(view, shape, box_distance(plane, box)));
    Found<Reason::visible_invalid, Reason::visible_inside, Reason::culled_plane, Reason::visible_vertex> found{
        {bits(~sound(shape)), inside, outside}};
    asked &= ~(static_cast<std::uint32_t>(found.of[0]) | inside | outside);
    if (asked == 0) return found;
    Vec3W deepest = support_in(shape, view.frame, plane.normal, asked);
    found.of[2] |= asked & bits(is_behind(view, shape, plane.distance(deepest)));
    if (view.planes_suffice) found.of[3] = asked & surely_inside(view, shape, least_view_distance(view, deepest));
    return found;
}

/// The lanes of `asked` that some plane proves outside; `distance(plane, lanes)` is what counts of the instances.
template <class Shape, class Distance>
LANE_INLINE std::uint32_t behind_any_plane(const PreparedView& view, const Shape& shape, std::uint32_t asked,
                                           const Distance& distance) {
    std::uint32_t left = asked;
    for (std::uint32_t k = 0; k < view.plane_count && left != 0; ++k) {
        left &= ~bits(is_behind(view, shape, distance(ViewPlaneW(view, k), left)));
    }
    return asked & ~left;
}

/// With Method::planes: tests each plane against the boxes.
template <class Shape, class Box>
LANE_INLINE auto ask_boxes(const PreparedView& view, const Shape& shape, const Box& box, std::uint32_t asked) {
    const auto distance = [&](const ViewPlaneW& plane, std::uint32_t) LANE_LAMBDA { return box_distance(plane, box); };
    const std::uint32_t invalid = bits(~sound(shape)),
                        inside = surely_inside(view, shape, least_view_distance(view, shape.center));
    return Found<Reason::visible_invalid, Reason::visible_planes, Reason::culled_plane>{
        {invalid, inside, behind_any_plane(view, shape, asked & ~(invalid | inside), distance)}};
}

/// Then each plane against the vertices of what is left.
template <class Shape, class Box>
LANE_INLINE auto ask_all_planes(const PreparedView& view, const Shape& shape, const Box&, std::uint32_t asked) {
    const auto distance = [&](const ViewPlaneW& plane, std::uint32_t left)
                              LANE_LAMBDA { return plane.distance(support_in(shape, view.frame, plane.normal, left)); };
    return Found<Reason::culled_plane>{{behind_any_plane(view, shape, asked, distance)}};
}

/// Asks about each packet of the list, and leaves what stays undecided there.
template <class Range, class Ask>
LANE_INLINE void ask_packets(Range& range, Chunk& chunk, UndecidedList& list, const Ask& ask) {
    const FrameAxesW axes(range.view.frame);
    HullPackets packets(range, chunk, list);
    drive(range.verdicts, chunk, packets, [&](const HullPacket& packet) LANE_LAMBDA {
        const auto shape = packets.shape_of(axes, packet);
        return ask(range.view, shape, packets.box_of(axes, packet, shape), packet.active);
    });
}

/// In place of refine_all(), whose boxes decide nearly nothing of hulls across the boundary.
template <class Range>
void decide_by_vertices(Range& range, Chunk& chunk, UndecidedList& list) {
    if (range.method != Method::planes) {
        ask_packets(range, chunk, list, [](const auto&... of) LANE_LAMBDA { return ask_worst_plane(of...); });
        return;
    }
    ask_packets(range, chunk, list, [](const auto&... of) LANE_LAMBDA { return ask_boxes(of...); });
    ask_packets(range, chunk, list, [](const auto&... of) LANE_LAMBDA { return ask_all_planes(of...); });
}

/// Stage 2, two packets at a time.
template <class Range>
void separate_hulls(Range& range, Chunk& chunk, UndecidedList& list) {
    const FrameAxesW axes(range.view.frame);
    for (HullPackets packets(range, chunk, list); packets.more();) {
        HullPacket first = packets.next(), second = packets.next();
        if (second.hulls == nullptr) second.hulls = first.hulls;  // an empty packet of them
        separate_packets(range, chunk, first, packets.shape_of(axes, first), second, packets.shape_of(axes, second));
    }
}

}  // namespace
}  // namespace lanecull
