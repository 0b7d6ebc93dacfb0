#pragma once

/// How a call splits batches of solids or of 2D shapes into ranges.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "calls/every_layout.hpp"
#include "calls/kinds.hpp"

namespace lanecull {

/// Whether a kind is expensive to cull. Kinds of solids say so in their traits; no kind of 2D shape is.
template <class Shapes>
constexpr bool are_expensive() {
    if constexpr (requires { KindTraits<Shapes>::are_expensive; }) return KindTraits<Shapes>::are_expensive;
    return false;
}

/// How many objects a range holds, a multiple of 64. A range is at most one chunk of the kernels, 171 to 393 KiB.
/// Ranges of expensive kinds hold three full lists of undecided objects, so that there are enough ranges for many
/// cores. A cheap kind with 3 to 16 ranges gets a multiple of four, so that two or four cores get equally many.
template <class Batch>
std::uint32_t range_objects(const Batch& batch) {
    const bool expensive = visit(batch, []<class Shapes>(const Shapes&) { return are_expensive<Shapes>(); });
    const auto up = [](std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); };
    const std::uint32_t most = expensive ? 7680 : 16384;
    const std::uint32_t words = up(batch.count(), 64), ranges = up(words, most / 64);
    if (ranges <= 1) return most;
    return 64 * up(words, !expensive && ranges > 2 && ranges <= 16 ? 4 * up(ranges, 4) : ranges);
}

inline std::size_t words_of(std::uint32_t count) { return (static_cast<std::size_t>(count) + 63) / 64; }
template <class Batch>
std::size_t ranges_of(const Batch& batch) {
    const std::size_t objects = range_objects(batch);
    return (static_cast<std::size_t>(batch.count()) + objects - 1) / objects;
}

template <class Batch>
std::size_t range_count(std::span<const Batch> batches) {
    std::size_t ranges = 0;
    for (const Batch& batch : batches) ranges += ranges_of(batch);
    return ranges;
}

/// How many words of 64 objects the batches take.
template <class Batch>
std::size_t word_count(std::span<const Batch> batches) {
    std::size_t words = 0;
    for (const Batch& batch : batches) words += words_of(batch.count());
    return words;
}

/// The caller's scratch memory, handed out piece by piece from the first address that is a multiple of 8. A T's size is
/// a multiple of 8, too. Nothing is cleared: a call writes each element before it reads it.
class ScratchMemory {
public:
    /// Most bytes that alignment may skip before the first piece.
    static constexpr std::size_t slack = alignof(std::uint64_t) - 1;

    explicit ScratchMemory(std::span<std::byte> memory) {
        std::size_t space = memory.size();
        at_ = memory.data();
        at_ = std::align(alignof(std::uint64_t), 1, at_, space);
    }

    template <class T>
    std::span<T> take(std::size_t count) {
        static_assert(alignof(T) <= alignof(std::uint64_t) && sizeof(T) % alignof(std::uint64_t) == 0);
        const std::span<T> piece(static_cast<T*>(at_), count);
        at_ = static_cast<T*>(at_) + count;
        return piece;
    }

private:
    void* at_;
};

}  // namespace lanecull
