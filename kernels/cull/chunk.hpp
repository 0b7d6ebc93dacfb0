#pragma once

/// The piece of a range that goes through the stages together: its words of visibility bits, and the bits of the
/// objects that are still undecided.
///
/// Chunks are long because stage 1 is fastest without interruption: chunks of 4,864 objects took 5 to 12 % longer where
/// objects come from caches, 12 to 23 % from memory. The stages after stage 1 take a chunk in parts. A part has no more
/// undecided objects than a list holds; lists are short because the stack is small (runner.hpp).

#include <cstdint>

#include "cull/packet.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t chunk_words = 256;
constexpr std::uint32_t chunk_objects = 64 * chunk_words;
constexpr std::uint32_t sampled_objects = 32;  // of a chunk, to find out how many are near the volume's boundary

LANE_INLINE std::uint64_t population(std::uint64_t bits) {
    return static_cast<std::uint64_t>(__builtin_popcountll(bits));
}

/// How many bits are set.
struct Populations {
    std::uint64_t visible, undecided;
};

/// Up to chunk_objects objects in a row, or whole words of them.
struct Chunk {
    std::uint32_t first;  // object in the batch
    std::uint32_t count;
    std::uint64_t* words;             // set: not culled so far
    std::uint64_t* undecided;         // set: undecided; set in `words` as well
    const std::uint64_t* candidates;  // the caller's, of the chunk's words; or null

    LANE_INLINE std::uint32_t word_count() const { return (count + 63) / 64; }
    /// The bits of all objects in word w.
    LANE_INLINE std::uint64_t all_of(std::uint32_t w) const {
        const std::uint32_t rest = count - 64 * w;
        return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }
    /// Of these, the objects that the caller asks about.
    LANE_INLINE std::uint64_t candidates_of(std::uint32_t w) const {
        return candidates != nullptr ? all_of(w) & candidates[w] : all_of(w);
    }
    LANE_INLINE std::uint32_t population(const std::uint64_t* of) const {
        std::uint64_t sum = 0;
        for (std::uint32_t w = 0; w < word_count(); ++w) sum += lanecull::population(of[w]);
        return static_cast<std::uint32_t>(sum);
    }
    /// Words [begin, end).
    LANE_INLINE Chunk part(std::uint32_t begin, std::uint32_t end) const {
        const std::uint32_t objects = end < word_count() ? 64 * (end - begin) : count - 64 * begin;
        return {first + 64 * begin, objects, words + begin, undecided + begin,
                candidates != nullptr ? candidates + begin : nullptr};
    }

    /// Clears the undecided bits of culled objects. Counts what is left.
    LANE_INLINE Populations close_culled() {
        for (std::uint32_t w = 0; w < word_count(); ++w) undecided[w] &= words[w];
        return {population(words), population(undecided)};
    }

    /// Clears the bits of the packet's objects in the lanes `of_lanes`. `of` is the chunk's `words` or `undecided`.
    static LANE_INLINE void clear(std::uint64_t* of, const Packet& packet, std::uint64_t of_lanes) {
        const std::uint32_t shift = packet.first_object % 64;
        if (packet.neighbours && shift + lanes <= 64) {
            of[packet.first_object / 64] &= ~(of_lanes << shift);
            return;
        }
        alignas(64) std::int32_t objects[lanes];
        store(objects, packet.objects());
        for (; of_lanes != 0; of_lanes &= of_lanes - 1) {
            const auto object = static_cast<std::uint32_t>(objects[__builtin_ctzll(of_lanes)]);
            of[object / 64] &= ~(std::uint64_t{1} << object % 64);
        }
    }
};

}  // namespace
}  // namespace lanecull
