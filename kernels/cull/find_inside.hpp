#pragma once

/// The second bit array: what lies wholly inside (containment.hpp).

#include <cstdint>

#include "cull/chunk.hpp"
#include "cull/containment.hpp"
#include "cull/packet.hpp"
#include "cull/select.hpp"
#include "cull/undecided_list.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// The bits of the objects proved wholly inside, among those that stayed visible. A negative margin would make a shape
/// smaller: what is invalid by its attributes is never inside.
template <class Range>
[[gnu::noinline]] void find_inside(Range& range, const Chunk& chunk, UndecidedList& list, std::uint64_t* inside) {
    FrameAxesW axes(range.view.frame);
    std::uint64_t straddling[chunk_words];
    __builtin_memcpy(straddling, chunk.words, chunk.word_count() * sizeof(std::uint64_t));
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        Packet packet = packets.next();
        const GatheredObjects objects = packet.gathered(chunk.first);
        const std::uint32_t valid = packet.active & ~invalid_attributes(range.attributes, objects);
        chunk.clear(straddling, packet, bits(wholly_inside(range.view, range.load(axes, objects))) & valid);
    }
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) inside[w] = chunk.words[w] & ~straddling[w];
}

}  // namespace
}  // namespace lanecull
