#pragma once

/// The way of a list's objects along the volume's edges (edges.hpp), step by step for a few packs: 3 % of a straddling
/// oriented box's time.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "shapes/frames.hpp"
#include "stages/edge_planes.hpp"
#include "stages/staged.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

/// Clears what is proved apart, and lists what is still undecided.
template <class Range, class Shape>
LANE_INLINE void decide_at_edge(Range& range, Chunk& chunk, UndecidedList& list, const Packet& pack, const Shape& shape,
                                const TwoPlanesW& meeting) {
    AtEdgeW at_edge = range.method != Method::planes ? look_at_edge(range.planes, shape, meeting)
                                                     : look_at_planes(range.planes, shape);
    const std::uint32_t outside = bits(at_edge.outside) & pack.active;
    const std::uint32_t apart = bits(at_edge.apart) & pack.active & ~outside;
    const std::uint32_t overlap = bits(at_edge.overlap) & pack.active & ~(outside | apart);
    chunk.clear(chunk.words, pack, outside | apart);
    range.verdicts.record(chunk, pack, outside, Reason::culled_plane);
    range.verdicts.record(chunk, pack, apart, Reason::culled_gjk);
    range.verdicts.record(chunk, pack, overlap, Reason::visible_overlap);
    if (range.verdicts.noted()) range.verdicts.note_edge(chunk, pack, apart, overlap, at_edge, range.view);
    list.append(pack.entries, pack.active & ~(outside | apart | overlap));
}

/// Decides what it can, and takes it off the list.
template <class Range>
[[gnu::noinline]] void decide_at_edges(Range& range, Chunk& chunk, UndecidedList& list) {
    constexpr std::uint32_t packs = 4;
    const RelativeAxesW axes(range.view.frame);
    StagedW<decltype(range.load_in_a_row(axes, 0))> staged[packs];
    TwoPlanesW meeting[packs];
    // The list is written to meanwhile.
    alignas(64) std::int32_t entry[packs * lanes];
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += packs * lanes) {
        const std::uint32_t count = waiting - at < packs * lanes ? waiting - at : packs * lanes;
        const auto pack = [&](std::uint32_t k) LANE_LAMBDA { return Packet(entry + k * lanes, count - k * lanes); };
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < count; ++k) {
            store(entry + k * lanes, load(list.entry + at + k * lanes));
            staged[k].put(range.load(axes, pack(k).gathered(chunk.first)));
        }
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < count; ++k) meeting[k] = planes_of_edge(range.planes, staged[k].get());
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < count; ++k) {
            decide_at_edge(range, chunk, list, pack(k), staged[k].get(), meeting[k]);
        }
    }
}

}  // namespace
}  // namespace lanecull
