#pragma once

/// Makes GJK's queries for packets, and records its results.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>

#include "cull/certificates.hpp"
#include "cull/chunk.hpp"
#include "cull/gjk.hpp"
#include "cull/gjk_trace.hpp"
#include "cull/packet.hpp"
#include "cull/refine.hpp"
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

template <class Range>
LANE_INLINE void record_query(Range& range, Chunk& chunk, const Packet& packet, const SeparatedW& separated) {
    chunk.clear(chunk.words, packet, bits(separated.apart));
    range.verdicts.record(chunk, packet, bits(separated.apart), Reason::culled_gjk);
    range.verdicts.record(chunk, packet, bits(separated.overlap), Reason::visible_overlap);
    range.verdicts.record(chunk, packet, bits(separated.touching), Reason::visible_touching);
    range.verdicts.record(chunk, packet, bits(separated.cap), Reason::visible_cap);
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
    chunk.clear(chunk.words, first, bits(separated[0].apart));
    chunk.clear(chunk.words, second, bits(separated[1].apart));
    record_traced(range.verdicts, chunk, first, separated[0], traces[0], range.view.frame);
    record_traced(range.verdicts, chunk, second, separated[1], traces[1], range.view.frame);
}

}  // namespace
}  // namespace lanecull
