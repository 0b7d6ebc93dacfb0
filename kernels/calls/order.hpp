#pragma once

/// Lists in an order of depth (Output::order). A task of the first pass notes an *entry* for each visible object of its
/// range, while the range's objects are in cache. Then each view's entries are sorted, a task a view. In the second
/// pass a range's task writes the part of the lists that stands where its own objects would, ascending.

#include <lanecull/batch.h>
#include <lanecull/cull.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "calls/kernel_table.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// A visible object: the number that it is sorted by, in the upper half; below it its *place*, the number of its bit
/// among all words. Places ascend as lists do.
using OrderEntry = std::uint64_t;

/// Places are 32 bits.
inline constexpr std::uint64_t most_ordered_words = (std::uint64_t{1} << 26) - 1;

/// What stands at a range's places.
struct RangePlaces {
    std::uint64_t first;  ///< place
    std::uint32_t first_index;
    std::uint32_t first_draw;  ///< which object of `draws` is the range's first
    DrawCommands draws;
    const std::uint32_t* handles;  ///< from the range's first on; null for batches
};

/// What stands at a call's places.
struct Places {
    std::span<const RangePlaces> ranges;
    std::span<const std::uint32_t> range_of_word;

    [[nodiscard]] const RangePlaces& of(std::uint32_t place) const { return ranges[range_of_word[place / 64]]; }
};

/// The words of one range, and where its objects are.
struct KeptRange {
    const std::uint64_t* words;
    std::size_t count;
    std::uint32_t first;        ///< object of the batch
    std::uint64_t first_place;  ///< among all of the call
};

[[nodiscard]] inline bool is_ordered(const Output& output) { return output.order != ListOrder::ascending; }

/// Writes the entries of the range's visible objects, ascending by place. Needs FloatModes.
void note_entries(const Batch& batch, const Sight& sight, ListOrder order, const KeptRange& range,
                  OrderEntry* to) noexcept;

/// Copies entries, with the caller's keys in place of depths.
void take_keys(const Output& output, const Places& places, std::span<const OrderEntry> entries,
               OrderEntry* to) noexcept;

/// Writes entries `first` and on of a sorted view to its lists, as far as there is room.
void write_ordered(const Output& output, const Places& places, std::span<const OrderEntry> entries,
                   std::uint64_t first) noexcept;

/// Sorts entries by their upper halves; equal ones stay as they are. They stand in pieces: `each_piece(visit)` calls
/// visit() with a span of each. A radix sort, from the lowest digit on; few entries are inserted one by one. `to` has
/// room for all, and receives them; `between` is memory for as many, which may overlap the pieces.
template <class Pieces>
class RadixSort {
public:
    RadixSort(const Pieces& each_piece, std::span<OrderEntry> to, OrderEntry* between)
        : each_piece_(each_piece), to_(to), between_(between) {}

    void run() {
        if (to_.size() <= few) return insert_all();
        find_range();
        // One pass, or three: from the pieces to `to`, from there to `between`, and back.
        passes_ = bits_ <= most_bits ? 1 : 3;
        digit_ = (bits_ + passes_ - 1) / passes_;
        count_digits();
        each_piece_([&](std::span<const OrderEntry> piece) { scatter(piece, 0, to_.data()); });
        if (passes_ == 1) return;
        scatter(to_, 1, between_);
        scatter({between_, to_.size()}, 2, to_.data());
    }

private:
    static constexpr std::size_t few = 64;
    static constexpr std::uint32_t most_bits = 11;

    void insert_all() {
        std::size_t count = 0;
        each_piece_([&](std::span<const OrderEntry> piece) {
            for (const OrderEntry entry : piece) {
                std::size_t at = count++;
                for (; at > 0 && to_[at - 1] >> 32 > entry >> 32; --at) to_[at] = to_[at - 1];
                to_[at] = entry;
            }
        });
    }

    /// Digits are those of what a number is more than the least: few bits, where depths are near each other.
    void find_range() {
        OrderEntry least = ~OrderEntry{0}, most = 0;
        each_piece_([&](std::span<const OrderEntry> piece) {
            for (const OrderEntry entry : piece) least = std::min(least, entry), most = std::max(most, entry);
        });
        least_ = static_cast<std::uint32_t>(least >> 32);
        const auto range = static_cast<std::uint32_t>(most >> 32) - least_;
        for (bits_ = 1; bits_ < 32 && range >> bits_ != 0;) ++bits_;
    }

    [[nodiscard]] std::uint32_t digit(OrderEntry entry, std::uint32_t pass) const {
        const std::uint32_t more = static_cast<std::uint32_t>(entry >> 32) - least_;
        return more >> pass * digit_ & ((1u << digit_) - 1);
    }

    /// Where the entries of each digit go, in each pass.
    void count_digits() {
        for (auto& of_pass : next_) std::fill(std::begin(of_pass), std::end(of_pass), 0u);
        each_piece_([&](std::span<const OrderEntry> piece) {
            for (const OrderEntry entry : piece) {
                for (std::uint32_t pass = 0; pass < passes_; ++pass) ++next_[pass][digit(entry, pass)];
            }
        });
        for (auto& of_pass : next_) {
            std::uint32_t before = 0;
            for (std::uint32_t& next : of_pass) before += std::exchange(next, before);
        }
    }

    void scatter(std::span<const OrderEntry> from, std::uint32_t pass, OrderEntry* to) {
        for (const OrderEntry entry : from) to[next_[pass][digit(entry, pass)]++] = entry;
    }

    const Pieces& each_piece_;
    std::span<OrderEntry> to_;
    OrderEntry* between_;
    std::uint32_t least_ = 0, bits_ = 0, digit_ = 0, passes_ = 0;
    std::uint32_t next_[3][1u << most_bits];
};

}  // namespace lanecull
