#pragma once

/// Makes GJK's queries for packets, and records its results.
/// The last stage: GJK for everything listed, or nothing for Method::planes.

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/prepared_view.hpp>

#include <cstdint>

#include "cull/certificates.hpp"
#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "cull/gjk.hpp"
#include "cull/gjk_compaction.hpp"
#include "cull/kind_traits.hpp"
#include "cull/packet.hpp"
#include "cull/reasons.hpp"
#include "cull/refine.hpp"
#include "cull/volume_support.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Stage 2's query for a packet. With Method::gjk no stage before it has tested the objects, so invalid ones are found
/// here.
template <class Shape, class Range>
LANE_INLINE QueryW<Shape> query_for(Range& range, const Chunk& chunk, const Packet& packet, const Shape& shape) {
    std::uint32_t sound_lanes = packet.active;
    if (range.method == Method::gjk) {
        sound_lanes &= bits(sound(shape));
        range.verdicts.record(chunk, packet, packet.active & ~sound_lanes, Reason::visible_invalid);
    }
    return {shape, start_normal(range.view, shape), mask_of(sound_lanes)};
}

/// Returns the lanes that are decided.
template <class Range>
LANE_INLINE std::uint32_t record_query(Range& range, Chunk& chunk, const Packet& packet, const SeparatedW& separated) {
    Found<Reason::culled_gjk, Reason::visible_overlap, Reason::visible_touching, Reason::visible_cap> found{
        {bits(separated.apart), bits(separated.overlap), bits(separated.touching), bits(separated.cap)}};
    return packet.active & ~record(range.verdicts, chunk, packet, found);
}

/// Stage 2 for two packets of hulls; or of a rare case, which goes out of line.
template <class Shape, class Range>
LANE_INLINE void separate_packets(Range& range, Chunk& chunk, const Packet& first, const Shape& first_shape,
                                  const Packet& second, const Shape& second_shape) {
    SeparatedW separated[2];
    TraceW traces[2];
    QueryW<Shape> query_0 = query_for(range, chunk, first, first_shape);
    QueryW<Shape> query_1 = query_for(range, chunk, second, second_shape);
    TraceW* const wanted = range.verdicts.noted() ? traces : nullptr;
    if constexpr (Range::Kind::shares_vertices) {
        separate(range.view, query_0, query_1, separated, wanted);
    } else {
        separate_out_of_line(range.view, query_0, query_1, separated, wanted);
    }
    const std::uint32_t decided[2] = {record_query(range, chunk, first, separated[0]),
                                      record_query(range, chunk, second, separated[1])};
    if (wanted == nullptr) return;
    note_trace(range.verdicts, chunk, first, decided[0], traces[0], range.view.frame);
    note_trace(range.verdicts, chunk, second, decided[1], traces[1], range.view.frame);
}

/// Stage 2. Rare cases take the list two packets at a time, without compaction: expansion, polytopes, certificates.
template <class Range>
inline void separate_all(Range& range, Chunk& chunk, UndecidedList& list) {
    if constexpr (!Range::Expansion::expands) {
        if (!range.verdicts.noted() && is_asked_often(range.view)) {
            return separate_from_volume(range, chunk, list);
        }
    }
    FrameAxesW axes(range.view.frame);
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
        Packet first = list.packet(at, waiting), second = list.packet(at + lanes, waiting);
        separate_packets(range, chunk, first, range.load(axes, first.gathered(chunk.first)), second,
                         range.load(axes, second.gathered(chunk.first)));
    }
}

/// For Method::planes: everything that is still undecided stays visible, because there is no other test.
template <class Range>
inline void keep_all(Range& range, const Chunk& chunk, UndecidedList& list) {
    drive(range.verdicts, chunk, ListPackets(list),
          [](const Packet& packet) LANE_LAMBDA { return Found<Reason::visible_planes>{{packet.active}}; });
}

}  // namespace
}  // namespace lanecull
