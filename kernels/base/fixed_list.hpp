#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace lanecull {

/// Up to `capacity_` values in place. Unlike an array, it costs nothing before it is filled.
template <class T, std::uint32_t capacity_>
class FixedList {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    static constexpr std::uint32_t capacity = capacity_;

    FixedList() {}

    /// False, and nothing is added, when there is no room.
    [[nodiscard]] bool add(const T& value) {
        if (count_ == capacity) return false;
        values_[count_++] = value;
        return true;
    }
    void clear() { count_ = 0; }

    [[nodiscard]] std::uint32_t size() const { return count_; }
    [[nodiscard]] T& operator[](std::size_t i) { return values_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return values_[i]; }
    [[nodiscard]] std::span<const T> all() const& { return {values_, count_}; }
    [[nodiscard]] std::span<T> all() & { return {values_, count_}; }
    std::span<const T> all() const&& = delete;  // of values that are gone by then

private:
    union {
        T values_[capacity];
    };
    std::uint32_t count_ = 0;
};

}  // namespace lanecull
