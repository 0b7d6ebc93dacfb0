#pragma once

/// All memory that the library takes, by the caller's hooks.

#include <lanecull/library.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace lanecull {

[[nodiscard]] inline void* allocate(std::size_t bytes) noexcept {
    const MemoryHooks& hooks = memory_hooks();
    return hooks.allocate(hooks.self, bytes);
}
[[nodiscard]] inline void* reallocate(void* memory, std::size_t bytes) noexcept {
    const MemoryHooks& hooks = memory_hooks();
    return hooks.reallocate(hooks.self, memory, bytes);
}
inline void release(void* memory) noexcept {
    const MemoryHooks& hooks = memory_hooks();
    if (memory != nullptr) hooks.release(hooks.self, memory);
}

/// A base of what is made by new (std::nothrow) and destroyed by delete.
struct Allocated {
    static void* operator new(std::size_t bytes, const std::nothrow_t& /*unused*/) noexcept { return allocate(bytes); }
    static void operator delete(void* memory, const std::nothrow_t& /*unused*/) noexcept { release(memory); }
    static void operator delete(void* memory) noexcept { release(memory); }  // NOLINT(misc-new-delete-overloads)
};

/// An array of numbers or plain structs. The library throws nothing, so each function that grows the array returns
/// whether there was memory; counts may be more than a 32-bit size can hold. New elements are zero.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);
    static constexpr std::size_t element_bytes = sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer

public:
    Array() noexcept = default;
    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(Array&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Array() { release(data_); }

    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t capacity_bytes() const noexcept { return capacity_ * element_bytes; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    [[nodiscard]] T* begin() noexcept { return data_; }
    [[nodiscard]] T* end() noexcept { return data_ + size_; }
    [[nodiscard]] const T* begin() const noexcept { return data_; }
    [[nodiscard]] const T* end() const noexcept { return data_ + size_; }

    /// Makes room for exactly `count` elements; never makes room smaller.
    [[nodiscard]] bool reserve(std::uint64_t count) noexcept {
        if (count <= capacity_) return true;
        if (count > static_cast<std::size_t>(-1) / 2 / element_bytes) return false;
        const auto elements = static_cast<std::size_t>(count);
        void* moved = reallocate(static_cast<void*>(data_), elements * element_bytes);
        if (moved == nullptr) return false;
        data_ = static_cast<T*>(moved);
        capacity_ = elements;
        return true;
    }

    /// reserve() for lists that grow step by step: room grows by at least half of what there was.
    [[nodiscard]] bool make_room(std::uint64_t count) noexcept {
        return count <= capacity_ || reserve(size_ == 0 ? count : grown(count));
    }

    /// Changes the size, with make_room().
    [[nodiscard]] bool resize(std::uint64_t count) noexcept {
        if (!make_room(count)) return false;
        const auto size = static_cast<std::size_t>(count);
        if (size > size_) std::memset(static_cast<void*>(data_ + size_), 0, (size - size_) * element_bytes);
        size_ = size;
        return true;
    }

    /// resize() for memory that the caller is about to write: new elements are not set to zero.
    [[nodiscard]] bool resize_unset(std::uint64_t count) noexcept {
        if (count > capacity_ && !reserve(count)) return false;
        size_ = static_cast<std::size_t>(count);
        return true;
    }

    [[nodiscard]] bool push(const T& value) noexcept {
        if (!resize(size_ + 1)) return false;
        data_[size_ - 1] = value;
        return true;
    }

    // The same where there is room, which cannot fail: for edits that take all of their memory before they begin.

    void resize_reserved(std::uint64_t count) noexcept { static_cast<void>(resize(count)); }
    void push_reserved(const T& value) noexcept { static_cast<void>(push(value)); }

    void swap(Array& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    [[nodiscard]] std::uint64_t grown(std::uint64_t count) const {
        const std::uint64_t more = capacity_ + capacity_ / 2;
        return count > more ? count : more;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace lanecull
