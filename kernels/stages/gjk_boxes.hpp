#pragma once

/// GJK for the two kinds of boxes along the axes, whose closed form leaves it few objects. Both load the same shape, so
/// GJK itself is compiled once, in stages/gjk_boxes.cpp. This header is the kinds' side: it writes shapes and starting
/// directions to memory for GJK, and reads back which lanes GJK has decided. Sharing saves 10 of the 45 seconds that
/// the compiler takes for the boxes of one set. Calls in which GJK decides everything (`gjk/box`, `gjk/centered_box`)
/// take 7 to 13 % longer.

#include <cstdint>

#include <lanecull/certificate.hpp>

#include "calls/kernel_table.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/frames.hpp"
#include "stages/chunk.hpp"
#include "stages/gjk_job.hpp"
#include "stages/gjk_packets.hpp"
#include "stages/packet.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

LANE_INLINE Packet packet_of(const PacketEntries& entries) {
    return {entries.active, load(entries.object), entries.first_object, entries.neighbours};
}
LANE_INLINE PacketEntries entries_of(const Packet& packet) {
    PacketEntries entries;
    store(entries.object, packet.entries);
    entries.active = packet.active;
    entries.first_object = packet.first_object;
    entries.neighbours = packet.neighbours;
    return entries;
}

/// What GjkBoxes' functions are called with as `self`.
template <class Range>
struct BoxesOfRange {
    Range& range;
    Chunk& chunk;

    template <class Shape>
    static LANE_INLINE std::uint32_t put(const QueryW<Shape>& query, float* to) {
        const auto put_number = [&](FloatW& value) LANE_LAMBDA {
            store(to, value);
            to += lanes;
        };
        Shape shape = query.shape;
        Vec3W start = query.start;
        shape.visit_lanes(put_number);
        put_number(shape.magnitude);
        visit3(start, put_number);
        return bits(query.active);
    }

    static void load(void* self, const PacketEntries (&packets)[2], float* const (&to)[2],
                     std::uint32_t (&sound_lanes)[2]) {
        const auto& of = *static_cast<BoxesOfRange*>(self);
        Packet first = packet_of(packets[0]), second = packet_of(packets[1]);
        FrameAxesW axes(of.range.view.frame);
        auto shape_0 = of.range.load(axes, first.gathered(of.chunk.first));
        auto shape_1 = of.range.load(axes, second.gathered(of.chunk.first));
        sound_lanes[0] = put(query_for(of.range, of.chunk, first, shape_0), to[0]);
        sound_lanes[1] = put(query_for(of.range, of.chunk, second, shape_1), to[1]);
    }

    static void record(void* self, const PacketEntries& entries, const GjkMasks& decided) {
        const auto& of = *static_cast<BoxesOfRange*>(self);
        record_query(of.range, of.chunk, packet_of(entries), decided);
    }
};

template <class Range>
inline void separate_boxes(Range& range, Chunk& chunk, UndecidedList& list) {
    BoxesOfRange<Range> self{range, chunk};
    const std::uint32_t waiting = list.take_all();
    Kernels<this_isa>::separate_boxes({&range.view, list.entry, waiting, &self, self.load, self.record});
}

}  // namespace
}  // namespace lanecull
