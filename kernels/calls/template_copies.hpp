#pragma once

/// Commands that are copies of templates: of one for all, but for the number of their instance, or of each object's
/// own.
///
/// Long lists go past the caches, which takes stores of whole registers. Sets of eight and more lanes write W commands
/// by five of these. A command has five numbers, so lane j of register v is number k % 5 of command k / 5, k = W v + j.
///
/// Measured with AVX-512 on a Xeon of family 6, model 207, in lists of 10 MB, half of the objects visible: 1.1 to 1.5
/// ns a command, bit by bit 2.6 to 3.5. Commands that are put together in a buffer and copied from there lost with 4 to
/// 6 ns, stores of four lanes with 2.8; where one object in ten is visible, with 6 to 14 and 8. Lists that stay in the
/// caches gain nothing from whole registers: a frame of 10^4 objects takes 1.03 times as long with AVX-512 and 1.08
/// times with AVX2.

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.h>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

LANE_INLINE std::byte* write_copy(const DrawCommand& one, std::uint32_t instance, std::byte* to) {
    __builtin_memcpy(to, &one, sizeof one - sizeof instance);
    __builtin_memcpy(to + sizeof one - sizeof instance, &instance, sizeof instance);
    return to + sizeof one;
}

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

#if defined(__AVX2__)

/// Which number of which command lane j of register v is.
struct LanesOfCopies {
    static constexpr std::uint32_t registers = sizeof(DrawCommand) / sizeof(std::int32_t);
    static constexpr std::uint32_t instance = registers - 1;  ///< a command's last number

    std::uint32_t number[registers][lanes] = {}, command[registers][lanes] = {};

    constexpr LanesOfCopies() {
        for (std::uint32_t v = 0; v < registers; ++v) {
            for (std::uint32_t j = 0; j < lanes; ++j) {
                number[v][j] = (lanes * v + j) % registers;
                command[v][j] = (lanes * v + j) / registers;
            }
        }
    }
};
alignas(64) constexpr LanesOfCopies lanes_of_copies;

/// Registers of W copies, without their instances.
class CopiesW {
public:
    static constexpr std::uint32_t registers = LanesOfCopies::registers;

    LANE_INLINE explicit CopiesW(const DrawCommand& one) {
        alignas(64) std::int32_t numbers[lanes] = {};
        __builtin_memcpy(numbers, &one, sizeof one);
        for (std::uint32_t v = 0; v < registers; ++v) {
            const auto number = NumberW::load_aligned(lanes_of_copies.number[v]);
            pattern_[v] = xsimd::swizzle(load(numbers), number);
            command_[v] = NumberW::load_aligned(lanes_of_copies.command[v]);
            is_instance_[v] = xsimd::bitwise_cast<std::int32_t>(number) == IndexW(LanesOfCopies::instance);
        }
    }
    /// Writes them past the caches, with these instances. `to` is aligned to a register.
    LANE_INLINE void write(IndexW instances, std::byte* to) const {
        for (std::uint32_t v = 0; v < registers; ++v) {
            const IndexW spread = xsimd::swizzle(instances, command_[v]);
            store_past_caches(reinterpret_cast<std::int32_t*>(to) + lanes * v,
                              xsimd::select(is_instance_[v], spread, pattern_[v]));
        }
    }

private:
    using NumberW = xsimd::batch<std::uint32_t, Arch>;

    IndexW pattern_[registers];
    NumberW command_[registers];
    xsimd::batch_bool<std::int32_t, Arch> is_instance_[registers];
};

/// Writes `left` copies, tightly, past the caches, of those whose bits are set. Bit i is instance base + i.
LANE_INLINE void write_copies_past_caches(const std::uint64_t* words, const DrawCommand& one, std::uint32_t base,
                                          std::byte* to, std::size_t left) {
    const CopiesW copies(one);
    alignas(64) std::uint32_t pending[2 * lanes];  // the instances that come next
    std::uint32_t count = 0;
    const auto write_singly = [&](std::uint32_t n) LANE_LAMBDA {
        for (std::uint32_t i = 0; i < n; ++i) to = write_copy(one, pending[i], to);
        for (std::uint32_t i = n; i < count; ++i) pending[i - n] = pending[i];
        count -= n, left -= n;
    };
    const auto write_pending = [&]() LANE_LAMBDA {
        // Addresses are multiples of 4, and 5 has an inverse modulo W: fewer than W steps of 20 bytes lead to a
        // register's boundary.
        std::uint32_t steps = 0;
        while ((reinterpret_cast<std::uintptr_t>(to) + sizeof one * steps) % sizeof(IndexW) != 0) ++steps;
        if (steps > 0) return write_singly(steps);
        const auto* const from = reinterpret_cast<const std::int32_t*>(pending);
        copies.write(load(from), to);
        to += sizeof one * lanes, left -= lanes, count -= lanes;
        store(reinterpret_cast<std::int32_t*>(pending), load(from + lanes));
    };
    for (std::size_t w = 0; count < left; ++w) {
        const std::uint64_t word = words[w];
        const auto first = static_cast<std::int32_t>(base + static_cast<std::uint32_t>(64 * w));
        for (std::uint32_t shift = 0; shift < 64 && count < left; shift += lanes) {
            const auto chosen = static_cast<std::uint32_t>(word >> shift) & all_lanes;
            store_compressed(pending + count, lane_numbers() + IndexW(first + static_cast<std::int32_t>(shift)),
                             chosen);
            count += static_cast<std::uint32_t>(__builtin_popcount(chosen));
            while (count >= lanes && left >= lanes) write_pending();
        }
    }
    write_singly(static_cast<std::uint32_t>(left));
    finish_stores_past_caches();
}

/// Copies `bytes`, a multiple of 4, past the caches.
LANE_INLINE void copy_past_caches(const std::byte* from, std::byte* to, std::size_t bytes) {
    constexpr std::size_t number = sizeof(std::int32_t);
    for (; bytes > 0 && reinterpret_cast<std::uintptr_t>(to) % sizeof(IndexW) != 0; bytes -= number) {
        __builtin_memcpy(to, from, number);
        from += number, to += number;
    }
    for (; bytes >= sizeof(IndexW); bytes -= sizeof(IndexW)) {
        store_past_caches(reinterpret_cast<std::int32_t*>(to), load(reinterpret_cast<const std::int32_t*>(from)));
        from += sizeof(IndexW), to += sizeof(IndexW);
    }
    for (; bytes > 0; bytes -= number) {
        __builtin_memcpy(to, from, number);
        from += number, to += number;
    }
}

/// Copies the set bits' templates of `from`, at most `left`, both tightly, past the caches. Where bits are set side by
/// side, as in ordered scenes, their templates are copied together.
LANE_INLINE void copy_runs_past_caches(const std::uint64_t* words, std::size_t word_count, const std::byte* from,
                                       std::byte* to, std::size_t left) {
    const auto copy = [&](std::size_t first, std::size_t count) LANE_LAMBDA {
        const std::size_t n = count < left ? count : left;
        copy_past_caches(from + first * sizeof(DrawCommand), to, n * sizeof(DrawCommand));
        to += n * sizeof(DrawCommand), left -= n;
    };
    for (std::size_t w = 0; w < word_count && left > 0; ++w) {
        const std::size_t before = w;
        while (w < word_count && ~words[w] == 0) ++w;
        if (w > before) copy(64 * before, 64 * (w - before));
        std::uint64_t rest = w < word_count ? words[w] : 0;
        while (rest != 0) {
            const auto first = static_cast<std::uint32_t>(__builtin_ctzll(rest));
            const auto count = static_cast<std::uint32_t>(__builtin_ctzll(~(rest >> first)));
            copy(64 * w + first, count);
            rest &= ~((~std::uint64_t{0} >> (64 - count)) << first);
        }
    }
    finish_stores_past_caches();
}

#endif

/// Writes copies for the set bits, ascending, at most `capacity`, `stride` bytes apart. Bit i is instance base + i.
LANE_INLINE void write_copies(const std::uint64_t* words, std::size_t word_count, const DrawCommand& one,
                              std::uint32_t base, std::byte* to, std::size_t stride, std::size_t capacity,
                              [[maybe_unused]] bool past_caches) {
#if defined(__AVX2__)
    if (past_caches && stride == sizeof one) {
        std::size_t set = 0;
        for (std::size_t w = 0; w < word_count; ++w) set += static_cast<std::size_t>(__builtin_popcountll(words[w]));
        return write_copies_past_caches(words, one, base, to, set < capacity ? set : capacity);
    }
#endif
    visit_bits(words, word_count, capacity, [&](std::uint32_t i) LANE_LAMBDA {
        write_copy(one, base + i, to);
        to += stride;
    });
}

/// Copies the set bits' templates, ascending, at most `capacity`. Bit i is that at from + i * from_stride.
LANE_INLINE void copy_templates(const std::uint64_t* words, std::size_t word_count, const std::byte* from,
                                std::size_t from_stride, std::byte* to, std::size_t stride, std::size_t capacity,
                                [[maybe_unused]] bool past_caches) {
#if defined(__AVX2__)
    if (past_caches && stride == sizeof(DrawCommand) && from_stride == sizeof(DrawCommand)) {
        return copy_runs_past_caches(words, word_count, from, to, capacity);
    }
#endif
    visit_bits(words, word_count, capacity, [&](std::uint32_t i) LANE_LAMBDA {
        __builtin_memcpy(to, from + i * from_stride, sizeof(DrawCommand));
        to += stride;
    });
}

}  // namespace
}  // namespace lanecull
