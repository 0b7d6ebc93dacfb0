#pragma once

/// Boxes of every kind are one shape to GJK. It is compiled once for all of them, in stages/gjk_boxes.cpp; this is the
/// kinds' side: shapes and starts go there, and lanes that are decided come back, through memory. That takes some 20 of
/// a pack's 900 cycles, and makes the compiler's work on boxes a third less.

#include <cstdint>

#include <lanecull/certificate.hpp>

#include "calls/kernel_table.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/frames.hpp"
#include "stages/gjk_job.hpp"
#include "stages/gjk_packs.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

LANE_INLINE Packet pack_of(const PacketEntries& entries) {
    return {entries.active, load(entries.object), entries.first_object, entries.neighbours};
}
LANE_INLINE PacketEntries entries_of(const Packet& pack) {
    PacketEntries entries;
    store(entries.object, pack.entries);
    entries.active = pack.active;
    entries.first_object = pack.first_object;
    entries.neighbours = pack.neighbours;
    return entries;
}

/// What GjkBoxes' functions are called with.
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

    static void load(void* self, const PacketEntries (&packs)[2], float* const (&to)[2],
                     std::uint32_t (&sound_lanes)[2]) {
        const auto& of = *static_cast<BoxesOfRange*>(self);
        Packet first = pack_of(packs[0]), second = pack_of(packs[1]);
        FrameAxesW axes(of.range.view.frame);
        auto shape_0 = of.range.load(axes, first.gathered(of.chunk.first));
        auto shape_1 = of.range.load(axes, second.gathered(of.chunk.first));
        sound_lanes[0] = put(query_for(of.range, of.chunk, first, shape_0), to[0]);
        sound_lanes[1] = put(query_for(of.range, of.chunk, second, shape_1), to[1]);
    }

    static void record(void* self, const PacketEntries& entries, const GjkMasks& decided) {
        const auto& of = *static_cast<BoxesOfRange*>(self);
        record_query(of.range, of.chunk, pack_of(entries), decided);
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
