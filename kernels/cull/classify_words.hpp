#pragma once

/// Stage 1 word by word, for solids and 2D shapes: turns the results for 64 objects into the chunk's visible and
/// undecided bits.

#include <cstdint>

#include "cull/chunk.hpp"
#include "cull/classified.hpp"
#include "lanes/inline.hpp"

namespace lanecull {
namespace {

/// Every object of a chunk is tested.
struct AllObjects {
    static constexpr bool are_all = true;
    LANE_INLINE std::uint64_t of(std::uint32_t) const { return ~std::uint64_t{0}; }
};
/// Only objects whose bits are set in words[w] are tested.
struct CandidateObjects {
    static constexpr bool are_all = false;
    const std::uint64_t* words;
    LANE_INLINE std::uint64_t of(std::uint32_t w) const { return words[w]; }
};

/// Fills the chunk's words. Candidates that are not outside are visible. A visible object is decided if it is `inside`
/// and its bit of `accepts_inside` is set; otherwise it is undecided. `of_word(first)` classifies 64 objects,
/// `of_objects(first, count)` the fewer that a chunk may end with; both return ClassifiedBits.
template <class Candidates, class OfWord, class OfObjects>
LANE_INLINE Populations classify_words(Chunk& chunk, const Candidates& candidates, std::uint64_t accepts_inside,
                                       const OfWord& of_word, const OfObjects& of_objects) {
    std::uint64_t visible_count = 0, undecided_count = 0;
    const auto decide = [&](std::uint32_t w, std::uint64_t asked, const ClassifiedBits& classified) LANE_LAMBDA {
        const std::uint64_t visible = asked & ~classified.outside;
        const std::uint64_t undecided = visible & ~(classified.inside & accepts_inside);
        chunk.words[w] = visible;
        chunk.undecided[w] = undecided;
        visible_count += population(visible);
        undecided_count += population(undecided);
    };
    const auto is_empty = [&](std::uint32_t w, std::uint64_t asked) LANE_LAMBDA {
        if (Candidates::are_all || asked != 0) return false;
        chunk.words[w] = chunk.undecided[w] = 0;
        return true;
    };
    const std::uint32_t full_words = chunk.count / 64;
    for (std::uint32_t w = 0; w < full_words; ++w) {
        if (is_empty(w, candidates.of(w))) continue;
        decide(w, candidates.of(w), of_word(chunk.first + 64 * w));
    }
    if (full_words < chunk.word_count()) {
        const std::uint64_t asked = candidates.of(full_words) & chunk.all_of(full_words);
        if (!is_empty(full_words, asked)) {
            decide(full_words, asked, of_objects(chunk.first + 64 * full_words, chunk.count % 64));
        }
    }
    return {visible_count, undecided_count};
}

}  // namespace
}  // namespace lanecull
