#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// Sets in the portable format of Roaring bitmaps (github.com/RoaringBitmap/RoaringFormatSpec), read where they lie.
/// Little-endian. A set is containers of 2^16 numbers each, in ascending order of what numbers have in common, their
/// high 16 bits. A container is an array of its numbers' low 16 bits, 2^16 bits, or runs.
namespace lanecull {

/// A set whose every number has been checked: contradictions are found before anything is done with it.
class PortableSet {
public:
    /// Whether `bytes` are a set of numbers below `limit`, and nothing else. Only then may others be called. Arrays and
    /// runs ascend, counts and places are what they say, and no container is empty.
    [[nodiscard]] bool read(std::span<const std::byte> bytes, std::uint64_t limit) noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// Sets the bits of all numbers. There must be a word for each number below `limit`.
    void set_bits(std::uint64_t* words) const noexcept;
    /// The numbers, ascending; the first that fit.
    void write_numbers(std::span<std::uint32_t> to) const noexcept;

private:
    static constexpr std::uint32_t most_of_array = 4096;  ///< numbers; containers of more are bits, or runs
    static constexpr std::uint32_t container_words = 1024;

    struct Container {
        std::uint32_t key, count;
        bool is_runs;
        std::size_t at;  ///< of its data
    };
    /// Where the parts of a set are.
    struct Layout {
        std::uint32_t containers = 0;
        std::size_t flags = 0;    ///< bits of containers that are runs; 0: none is
        std::size_t keys = 0;     ///< key and count - 1 of each
        std::size_t offsets = 0;  ///< 0: there are none
        std::size_t data = 0;
    };

    [[nodiscard]] std::uint32_t number16(std::size_t at) const noexcept;
    [[nodiscard]] std::uint32_t number32(std::size_t at) const noexcept;
    [[nodiscard]] std::uint64_t word(std::size_t at) const noexcept;
    [[nodiscard]] bool has(std::size_t at, std::size_t bytes) const noexcept {
        return at <= bytes_.size() && bytes <= bytes_.size() - at;
    }
    [[nodiscard]] bool read_layout() noexcept;
    [[nodiscard]] Container container(std::uint32_t i, std::size_t at) const noexcept;
    /// Where the container ends, and the greatest of its low bits. false: it contradicts itself.
    [[nodiscard]] bool check(const Container& c, std::size_t& end, std::uint32_t& last) const noexcept;
    [[nodiscard]] bool check_array(const Container& array, std::uint32_t& last) const noexcept;
    [[nodiscard]] bool check_bits(const Container& bits, std::uint32_t& last) const noexcept;
    [[nodiscard]] bool check_runs(const Container& runs, std::uint32_t& last) const noexcept;
    /// Of a container that was checked.
    [[nodiscard]] std::size_t bytes_of(const Container& c) const noexcept;
    void set_bits(const Container& c, std::uint64_t* words) const noexcept;

    std::span<const std::byte> bytes_;
    Layout layout_;
    std::uint64_t count_ = 0, limit_ = 0;
};

}  // namespace lanecull
