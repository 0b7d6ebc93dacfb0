#pragma once

/// Stage 1's planes for objects that no stage before has asked about them: where stage 1 was left out, or has tested
/// side slabs in their place. The objects that get here are few, as every other stage but GJK has looked at them. It is
/// the same test with the same numbers, so an object's verdict does not depend on which test its chunk began with, and
/// so not on its neighbours. Without it, what stage 1 would cull is kept now and then: GJK counts the volume's
/// magnitude in its bound, or a hull's, which may be many times the object's, and stage 1 does not.

#include <cstdint>

#include <lanecull/certificate.hpp>

#include "cull/chunk.hpp"
#include "cull/classified.hpp"
#include "cull/drive.hpp"
#include "cull/packet.hpp"
#include "lanes/expansion.hpp"
#include "lanes/gather.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Takes what a plane culls off the list.
template <class Range>
[[gnu::noinline]] void ask_planes_at_last(Range& range, Chunk& chunk, UndecidedList& list) {
    const Unexpanded unexpanded{};
    NoDoubtW no_doubt;
    drive(range.verdicts, chunk, ListPackets(list), [&](const Packet& packet) LANE_LAMBDA {
        const GatheredObjects gathered = packet.gathered(chunk.first);
        const ClassifiedW classified =
            range.by_planes.classify(range.shapes, gathered, unexpanded.fetch(gathered), no_doubt);
        return Found<Reason::culled_plane>{{bits(classified.outside)}};
    });
}

}  // namespace
}  // namespace lanecull
