/// Writes an indirect draw command for each set visibility bit, without gaps.

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>

#include "calls/kernel_table.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Calls `visit(i)` for each set bit, ascending, at most `capacity` times.
template <class Visit>
LANE_INLINE void visit_bits(const std::uint64_t* words, std::size_t word_count, std::size_t capacity,
                            const Visit& visit) {
    for (std::size_t w = 0; w < word_count; ++w) {
        for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
            if (capacity-- == 0) return;
            visit(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
        }
    }
}

}  // namespace

template <>
void Kernels<this_isa>::write_draws(const std::uint64_t* words, std::size_t word_count, const DrawTemplates& templates,
                                    std::uint32_t first, std::byte* to, std::size_t stride, std::size_t capacity) {
    if (templates.per == DrawTemplates::Per::batch) {
        const DrawCommand one = *templates.first;
        visit_bits(words, word_count, capacity, [&](std::uint32_t i) LANE_LAMBDA {
            const std::uint32_t instance = one.first_instance + first + i;
            __builtin_memcpy(to, &one, sizeof one - sizeof instance);
            __builtin_memcpy(to + sizeof one - sizeof instance, &instance, sizeof instance);
            to += stride;
        });
        return;
    }
    const std::size_t from_stride = templates.stride_bytes;
    const auto* from = reinterpret_cast<const std::byte*>(templates.first) + first * from_stride;
    visit_bits(words, word_count, capacity, [&](std::uint32_t i) LANE_LAMBDA {
        __builtin_memcpy(to, from + i * from_stride, sizeof(DrawCommand));
        to += stride;
    });
}

}  // namespace lanecull
