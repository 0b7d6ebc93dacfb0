/// Writes the indices of set visibility bits, ascending, W objects at a time.

#include <cstddef>
#include <cstdint>

#include "calls/kernel_table.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {

template <>
std::size_t Kernels<this_isa>::write_indices(const std::uint64_t* words, std::size_t word_count, std::uint32_t base,
                                             std::uint32_t* indices, std::size_t capacity) {
    std::size_t written = 0;
    for (std::size_t w = 0; w < word_count; ++w) {
        const std::uint64_t word = words[w];
        const auto first = static_cast<std::int32_t>(base + static_cast<std::uint32_t>(64 * w));
        const auto population = static_cast<std::size_t>(__builtin_popcountll(word));
        if (written + population + lanes <= capacity) {
            // All of the word's indices and one full register fit the list, so no store of a register reaches beyond
            // it.
            std::uint32_t* to = indices + written;
            for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
                const auto chosen = static_cast<std::uint32_t>(word >> shift) & all_lanes;
                if (chosen == 0) continue;
                store_compressed(to, lane_numbers() + IndexW(first + static_cast<std::int32_t>(shift)), chosen);
                to += __builtin_popcount(chosen);
            }
        } else {
            std::size_t at = written;
            for (std::uint64_t rest = word; rest != 0 && at < capacity; rest &= rest - 1) {
                indices[at++] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(__builtin_ctzll(rest));
            }
        }
        written += population;
    }
    return written;
}

}  // namespace lanecull
