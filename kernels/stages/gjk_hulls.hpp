#pragma once

/// Hull instances that stay undecided after their hulls' boxes have been tested. Packets are made of neighbours on the
/// list that share a hull, so that its vertices can be broadcast. Lists keep the batch's order, so a batch ordered by
/// hull fills its packets.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/frames.hpp"
#include "shapes/hull.hpp"
#include "stages/chunk.hpp"
#include "stages/gjk_packets.hpp"
#include "stages/packet.hpp"
#include "stages/refine.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

/// At most W entries of a list that share a hull.
struct HullRun {
    Packet packet;
    const HullVertices* vertices;  // null: no run
};

/// Goes through a list's runs, one after the other. The last two runs can be used at the same time.
template <class Range>
struct HullRuns {
    Range& range;
    const Chunk& chunk;
    const UndecidedList& list;
    std::uint32_t waiting;
    std::uint32_t at = 0;
    std::uint32_t runs = 0;
    HullVertices vertices[2] = {};  // of the last two runs

    LANE_INLINE std::uint32_t hull_index(std::uint32_t entry) const {
        const std::uint32_t* index = range.shapes.hull_index;
        return index == nullptr ? 0 : index[chunk.first + static_cast<std::uint32_t>(list.entry[entry])];
    }

    /// The next run. Entries whose hull does not exist are counted as invalid and passed over.
    LANE_INLINE HullRun next() {
        while (at < waiting) {
            const std::uint32_t first = at, hull = hull_index(first);
            for (++at; at < waiting && at - first < lanes && hull_index(at) == hull;) ++at;
            Packet packet = list.packet(first, at);
            if (hull < range.shapes.hull_count) {
                HullVertices& held = vertices[runs++ % 2];
                held.hold(range.shapes.hulls + hull);
                return {packet, &held};
            }
            range.verdicts.record(chunk, packet, packet.active, Reason::visible_invalid);
        }
        return {list.packet(0, 0), nullptr};
    }

    LANE_INLINE auto shape_of(const HullRun& run) const {
        GatheredObjects gathered = run.packet.gathered(chunk.first);
        FrameAxesW axes(range.view.frame);
        return range.expansion.expand(axes, HullW(axes, range.shapes, gathered, *run.vertices), gathered);
    }
};

/// Set: the instance is wholly behind the plane, proved. Its vertex farthest on the inner side of the plane is tested.
template <class Shape>
LANE_INLINE MaskW behind_plane(const PreparedView& view, const Shape& shape, std::uint32_t plane) {
    Vec3W n = broadcast3(view.view_normal[plane]);
    const FloatW distance = dot_plus(n, shape.support(view.frame, n), FloatW(view.view_offset[plane]));
    const FloatW bound = FloatW(Shape::error_factor(view.frame) * view.view_normal_one_norm) * shape.magnitude;
    return (shape.magnitude < FloatW(magnitude_limit)) & shape.finite() & (distance < -bound);
}

/// With Method::planes: tests each plane against the vertices. refine() does this for other kinds, with the shape
/// itself. Returns the lanes that stay undecided.
template <class Range, class Shape>
LANE_INLINE std::uint32_t cull_behind_planes(Range& range, Chunk& chunk, const Packet& packet, const Shape& shape) {
    std::uint32_t outside = 0;
    for (std::uint32_t k = 0; k < range.view.plane_count; ++k) {
        outside |= bits(behind_plane(range.view, shape, k)) & packet.active;
    }
    chunk.clear(chunk.words, packet, outside);
    range.verdicts.record(chunk, packet, outside, Reason::culled_plane);
    return packet.active & ~outside;
}

/// With Method::automatic: accepts instances whose vertex farthest inside of the worst plane is in the volume. Returns
/// the lanes that stay undecided.
template <class Range, class Shape>
LANE_INLINE std::uint32_t accept_deepest_vertex(Range& range, const Chunk& chunk, const Packet& packet,
                                                const Shape& shape) {
    if (!range.view.planes_suffice) return packet.active;
    Vec3W deepest = shape.support(range.view.frame, start_normal(range.view, shape));
    const std::uint32_t inside = bits(least_view_distance(range.view, deepest) >= FloatW(0.0f)) & packet.active;
    range.verdicts.record(chunk, packet, inside, Reason::visible_vertex);
    return packet.active & ~inside;
}

template <class Range>
void decide_by_vertices(Range& range, Chunk& chunk, UndecidedList& list) {
    if (range.method == Method::gjk) return;
    HullRuns<Range> runs{range, chunk, list, list.take_all()};
    for (HullRun run = runs.next(); run.vertices != nullptr; run = runs.next()) {
        auto shape = runs.shape_of(run);
        const std::uint32_t undecided = range.method == Method::planes
                                            ? cull_behind_planes(range, chunk, run.packet, shape)
                                            : accept_deepest_vertex(range, chunk, run.packet, shape);
        list.append_short(run.packet.entries, undecided);
    }
}

/// Stage 2, two runs at a time.
template <class Range>
void separate_runs(Range& range, Chunk& chunk, UndecidedList& list) {
    HullRuns<Range> runs{range, chunk, list, list.take_all()};
    for (HullRun first = runs.next(); first.vertices != nullptr; first = runs.next()) {
        HullRun second = runs.next();
        if (second.vertices == nullptr) second.vertices = first.vertices;  // an empty packet of it
        separate_packets(range, chunk, first.packet, runs.shape_of(first), second.packet, runs.shape_of(second));
    }
}

}  // namespace
}  // namespace lanecull
