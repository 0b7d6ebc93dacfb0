#pragma once

/// The second bit array: what lies wholly inside (containment.hpp).

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "shapes/frames.hpp"
#include "stages/containment.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

/// The bits of the objects proved wholly inside, among those that stayed visible.
template <class Range>
[[gnu::noinline]] void find_inside(Range& range, const Chunk& chunk, UndecidedList& list, std::uint64_t* inside) {
    FrameAxesW axes(range.view.frame);
    std::uint64_t straddling[chunk_words];
    __builtin_memcpy(straddling, chunk.words, chunk.word_count() * sizeof(std::uint64_t));
    for (Packets packs(chunk, chunk.words, list); packs.more();) {
        Packet pack = packs.next();
        chunk.clear(straddling, pack,
                    bits(wholly_inside(range.view, range.load(axes, pack.gathered(chunk.first)))) & pack.active);
    }
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) inside[w] = chunk.words[w] & ~straddling[w];
}

}  // namespace
}  // namespace lanecull
