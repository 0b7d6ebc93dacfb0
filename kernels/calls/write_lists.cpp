/// Lists of set visibility bits. Indices, ascending, W objects at a time. An indirect draw command for each, without
/// gaps. Runs: a run starts at a set bit whose predecessor is clear, and ends before a clear bit; both are found by
/// counting zeros, one run at a time.

#include <lanecull/batch.h>
#include <lanecull/cull.h>

#include <cstddef>
#include <cstdint>

#include "calls/kernel_table.hpp"
#include "calls/template_copies.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {

template <>
std::size_t Kernels<this_isa>::write_indices(const std::uint64_t* words, std::size_t word_count, std::uint32_t base,
                                             std::uint32_t* indices, std::size_t capacity) {
    // So many bits of a word are written one by one. WebAssembly has no instruction that compresses: node 20 takes 2.4
    // for 3.0 ns a box to cull 10^5 and list 26,000 (F26).
    constexpr std::size_t few = this_isa == Isa::wasm ? 24 : 0;
    std::size_t written = 0;
    for (std::size_t w = 0; w < word_count; ++w) {
        const std::uint64_t word = words[w];
        const auto first = static_cast<std::int32_t>(base + static_cast<std::uint32_t>(64 * w));
        const auto population = static_cast<std::size_t>(__builtin_popcountll(word));
        if (population > few && written + population + lanes <= capacity) {
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

template <>
void Kernels<this_isa>::write_draws(const std::uint64_t* words, std::size_t word_count, const DrawCommands& commands,
                                    std::uint32_t first, const DrawsTo& to, std::size_t capacity) {
    if (commands.counts_instances) {
        const DrawCommand one = *commands.first;
        write_copies(words, word_count, one, one.first_instance + first, to.first, to.stride, capacity, to.past_caches);
        return;
    }
    const auto* from = reinterpret_cast<const std::byte*>(commands.first) + first * commands.stride;
    copy_templates(words, word_count, from, commands.stride, to.first, to.stride, capacity, to.past_caches);
}

namespace {

/// The first bit at or after `at` that is set (or clear, if `inverted` is all ones); the end if there is none.
LANE_INLINE std::size_t next_bit(const std::uint64_t* words, std::size_t word_count, std::size_t at,
                                 std::uint64_t inverted) {
    std::size_t w = at / 64;
    if (w >= word_count) return 64 * word_count;
    std::uint64_t rest = (words[w] ^ inverted) >> at % 64 << at % 64;
    while (rest == 0) {
        if (++w == word_count) return 64 * word_count;
        rest = words[w] ^ inverted;
    }
    return 64 * w + static_cast<std::size_t>(__builtin_ctzll(rest));
}

}  // namespace

template <>
std::size_t Kernels<this_isa>::count_runs(const std::uint64_t* words, std::size_t word_count) {
    std::size_t runs = 0;
    std::uint64_t before = 0;  // the last bit of the word before
    for (std::size_t w = 0; w < word_count; ++w) {
        runs += static_cast<std::size_t>(__builtin_popcountll(words[w] & ~(words[w] << 1 | before)));
        before = words[w] >> 63;
    }
    return runs;
}

template <>
void Kernels<this_isa>::write_runs(const std::uint64_t* words, std::size_t word_count, bool continued,
                                   std::uint32_t base, VisibleRun* runs, std::size_t capacity) {
    constexpr std::uint64_t set = 0, clear = ~std::uint64_t{0};
    std::size_t at = continued ? next_bit(words, word_count, 0, clear) : 0;
    for (std::size_t i = 0; i < capacity; ++i) {
        const std::size_t first = next_bit(words, word_count, at, set);
        at = next_bit(words, word_count, first, clear);
        runs[i].first = base + static_cast<std::uint32_t>(first);
        runs[i].count = static_cast<std::uint32_t>(at - first);
    }
}

}  // namespace lanecull
