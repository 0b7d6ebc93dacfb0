#pragma once

/// Tests a list's objects at the volume's edges (cull/edge_planes.hpp). A few packets take a step one after the other
/// before any of them takes the next step, which saves 3 % of a straddling oriented box's time.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>

#include "cull/certificates.hpp"
#include "cull/chunk.hpp"
#include "cull/edge_planes.hpp"
#include "cull/packet.hpp"
#include "cull/staged.hpp"
#include "cull/undecided_list.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Clears objects that are proved outside or apart, and lists what is still undecided.
template <class Range, class Shape>
LANE_INLINE void decide_at_edge(Range& range, Chunk& chunk, UndecidedList& list, const Packet& packet,
                                const Shape& shape, const TwoPlanesW& meeting) {
    AtEdgeW at_edge = look_at_edge(range.planes, shape, meeting);
    const std::uint32_t outside = bits(at_edge.outside) & packet.active;
    const std::uint32_t apart = bits(at_edge.apart) & packet.active & ~outside;
    const std::uint32_t overlap = bits(at_edge.overlap) & packet.active & ~(outside | apart);
    chunk.clear(chunk.words, packet, outside | apart);
    range.verdicts.record(chunk, packet, outside, Reason::culled_plane);
    range.verdicts.record(chunk, packet, apart, Reason::culled_gjk);
    range.verdicts.record(chunk, packet, overlap, Reason::visible_overlap);
    if (range.verdicts.noted()) note_edge(range.verdicts, chunk, packet, apart, overlap, at_edge, range.view);
    list.append(packet.entries, packet.active & ~(outside | apart | overlap));
}

/// Decides what it can, and takes it off the list.
template <class Range>
[[gnu::noinline]] void decide_at_edges(Range& range, Chunk& chunk, UndecidedList& list) {
    constexpr std::uint32_t packets = 4;
    const RelativeAxesW axes(range.view.frame);
    StagedW<decltype(range.load_in_a_row(axes, 0))> staged[packets];
    TwoPlanesW meeting[packets];
    // A copy of entries: the list is written to meanwhile.
    alignas(64) std::int32_t entry[packets * lanes];
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += packets * lanes) {
        const std::uint32_t count = waiting - at < packets * lanes ? waiting - at : packets * lanes;
        const auto packet = [&](std::uint32_t k) LANE_LAMBDA { return Packet(entry + k * lanes, count - k * lanes); };
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < count; ++k) {
            store(entry + k * lanes, load(list.entry + at + k * lanes));
            auto shape = range.load(axes, packet(k).gathered(chunk.first));
            staged[k].put(shape);
        }
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < count; ++k) meeting[k] = planes_of_edge(range.planes, staged[k].get());
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < count; ++k) {
            decide_at_edge(range, chunk, list, packet(k), staged[k].get(), meeting[k]);
        }
    }
}

}  // namespace
}  // namespace lanecull
