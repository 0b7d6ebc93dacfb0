#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lanecull {

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
