/// Writes the runs of set visibility bits. A run starts at a set bit whose predecessor is clear, and ends before a
/// clear bit. Both are found by counting zeros, one run at a time.

#include <cstddef>
#include <cstdint>

#include <lanecull/cull.hpp>

#include "calls/kernel_table.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
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
