#pragma once

/// What GJK is asked about packs, and where its answers go.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "stages/gjk.hpp"
#include "stages/gjk_job.hpp"
#include "stages/gjk_trace.hpp"
#include "stages/refine.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

/// What stage 2 is asked about a pack. With Method::gjk nobody has looked at its objects before.
template <class Shape, class Range>
LANE_INLINE QueryW<Shape> query_for(Range& range, const Chunk& chunk, const Packet& pack, const Shape& shape) {
    std::uint32_t sound_lanes = pack.active;
    if (range.method == Method::gjk) {
        sound_lanes &= bits(sound(shape));
        range.verdicts.record(chunk, pack, pack.active & ~sound_lanes, Reason::visible_invalid);
    }
    return {shape, start_normal(range.view, shape), mask_of(sound_lanes)};
}

template <class Range>
LANE_INLINE void record_query(Range& range, Chunk& chunk, const Packet& pack, const GjkMasks& decided) {
    chunk.clear(chunk.words, pack, decided.apart);
    range.verdicts.record(chunk, pack, decided.apart, Reason::culled_gjk);
    range.verdicts.record(chunk, pack, decided.overlap, Reason::visible_overlap);
    range.verdicts.record(chunk, pack, decided.touching, Reason::visible_touching);
    range.verdicts.record(chunk, pack, decided.cap, Reason::visible_cap);
}
template <class Range>
LANE_INLINE void record_query(Range& range, Chunk& chunk, const Packet& pack, const SeparatedW& separated) {
    const GjkMasks decided{bits(separated.apart), bits(separated.overlap), bits(separated.touching),
                           bits(separated.cap)};
    record_query(range, chunk, pack, decided);
}

/// Stage 2 for two packs: of hulls, and of what is rare, which goes out of line.
template <class Shape, class Range>
LANE_INLINE void separate_packs(Range& range, Chunk& chunk, const Packet& first, const Shape& first_shape,
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
    range.verdicts.record(chunk, first, separated[0], traces[0], range.view.frame);
    range.verdicts.record(chunk, second, separated[1], traces[1], range.view.frame);
}

}  // namespace
}  // namespace lanecull
