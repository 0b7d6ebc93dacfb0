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

/// The least and the largest number among some entries; none: least > most.
struct NumberRange {
    std::uint32_t least = ~std::uint32_t{0}, most = 0;

    void add(std::uint32_t number) { least = std::min(least, number), most = std::max(most, number); }
};

/// Writes the entries of the range's visible objects, so many, ascending by place. Needs FloatModes.
NumberRange note_entries(const KernelTable& kernels, const Batch& batch, const Sight& sight, ListOrder order,
                         const KeptRange& range, std::span<OrderEntry> to) noexcept;

/// Copies entries, with the caller's keys in place of depths.
NumberRange take_keys(const Output& output, const Places& places, std::span<const OrderEntry> entries,
                      OrderEntry* to) noexcept;

/// Writes entries `first` and on of a sorted view to its lists, as far as there is room.
void write_ordered(const Output& output, const Places& places, std::span<const OrderEntry> entries,
                   std::uint64_t first) noexcept;

/// Sorts entries by their upper halves, which lie within a range; equal ones stay as they are. They stand in pieces:
/// `each_piece(visit)` calls visit() with a span of each. `to` has room for all, and receives them; `between` is memory
/// for as many, which may overlap the pieces.
///
/// A radix sort by the highest 22 bits of what a number is more than the least. What differs in lower bits alone is
/// put in order one by one while the entries are copied to `to`. That takes few moves, as long as depths are not many
/// times nearer to each other than they are far apart; else the lower bits are sorted first.
template <class Pieces>
class RadixSort {
public:
    RadixSort(const Pieces& each_piece, NumberRange range, std::span<OrderEntry> to, OrderEntry* between)
        : each_piece_(each_piece), to_(to), between_(between), least_(range.least) {
        const std::uint32_t most = range.most > range.least ? range.most - range.least : 0;
        while (bits_ < 32 && most >> bits_ != 0) ++bits_;
    }

    void run() {
        if (to_.size() <= few) {
            static_cast<void>(insert_all(each_piece_, few * few));
            return;
        }
        const std::uint32_t low = bits_ > 2 * most_bits ? bits_ - 2 * most_bits : 0, digit = (bits_ - low + 1) / 2;
        scatter_twice(each_piece_, low, digit);
        const auto all_between = [&](const auto& visit) { visit(std::span<const OrderEntry>(between_, to_.size())); };
        if (insert_all(all_between, 8 * to_.size())) return;
        // From the lowest digit on: the entries are all in `between`, or in `to`.
        scatter_twice(all_between, 0, low);
        scatter_twice(all_between, low, digit);
        std::copy_n(between_, to_.size(), to_.data());
    }

private:
    static constexpr std::size_t few = 64;
    static constexpr std::uint32_t most_bits = 11;

    /// Copies entries to `to`, each to its place among those before it. False, with `to` unfinished: too many moves.
    template <class Entries>
    bool insert_all(const Entries& each_piece, std::size_t moves) {
        std::size_t count = 0;
        each_piece([&](std::span<const OrderEntry> piece) {
            for (const OrderEntry entry : piece) {
                std::size_t at = count++;
                for (; at > 0 && to_[at - 1] >> 32 > entry >> 32 && moves > 0; --at, --moves) to_[at] = to_[at - 1];
                to_[at] = entry;
            }
        });
        return moves > 0;
    }

    /// Sorts by two digits, the lower one from bit `low` on, to `to` and from there to `between`.
    template <class Entries>
    void scatter_twice(const Entries& each_piece, std::uint32_t low, std::uint32_t digit) {
        const std::uint32_t mask = (1u << digit) - 1;
        const auto lower = [=, least = least_](OrderEntry e) {
            return (static_cast<std::uint32_t>(e >> 32) - least) >> low & mask;
        };
        const auto upper = [=, least = least_](OrderEntry e) {
            return static_cast<std::uint32_t>((e >> 32) - least) >> low >> digit & mask;
        };
        for (auto& of_digit : next_) std::fill_n(of_digit, mask + 1, 0u);
        each_piece([&](std::span<const OrderEntry> piece) {
            for (const OrderEntry e : piece) ++next_[0][lower(e)], ++next_[1][upper(e)];
        });
        for (auto& of_digit : next_) {
            std::uint32_t before = 0;
            for (std::uint32_t d = 0; d <= mask; ++d) before += std::exchange(of_digit[d], before);
        }
        each_piece([&](std::span<const OrderEntry> piece) {
            for (const OrderEntry e : piece) to_[next_[0][lower(e)]++] = e;
        });
        for (const OrderEntry e : to_) between_[next_[1][upper(e)]++] = e;
    }

    const Pieces& each_piece_;
    std::span<OrderEntry> to_;
    OrderEntry* between_;
    std::uint32_t least_, bits_ = 1;
    std::uint32_t next_[2][1u << most_bits];  ///< where the next entry of each digit goes
};

}  // namespace lanecull
