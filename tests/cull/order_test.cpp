#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "calls/order.hpp"
#include "support/random.hpp"

/// The sort of ordered lists by itself: numbers far apart and close together, so that each of its ways is taken. Whole
/// calls are in properties/views/ordered.cpp.

namespace {

using lanecull::NumberRange;
using lanecull::OrderEntry;

/// Of any spread: a cluster of 2^bits numbers, with some anywhere.
std::vector<OrderEntry> any_entries(Random& random, std::size_t count) {
    const auto first = static_cast<std::uint32_t>(random.bits());
    const std::uint64_t mask = (std::uint64_t{1} << random.below(33)) - 1;
    const double outside = random.chance(0.5) ? 0 : random.unit();
    std::vector<OrderEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t number = random.chance(outside) ? random.bits() >> 32 : first + (random.bits() & mask);
        entries.push_back((number & 0xffff'ffff) << 32 | i);
    }
    return entries;
}

TEST(Order, SortsNumbersOfAnySpread) {
    Random random(91);
    for (int n = 0; n < scaled(3000); ++n) {
        const auto count = static_cast<std::size_t>(random.log_range(1, n % 50 == 0 ? 20'000 : 400));
        const std::vector<OrderEntry> entries = any_entries(random, count);
        NumberRange range;
        for (const OrderEntry entry : entries) range.add(static_cast<std::uint32_t>(entry >> 32));
        // Pieces lie in the memory between passes, with gaps, as ranges' entries do.
        const std::size_t piece = 1 + random.bits() % count;
        std::vector<OrderEntry> noted(3 * count + piece), sorted(count);
        std::vector<std::span<const OrderEntry>> pieces;
        for (std::size_t at = 0, to = 0; at < count; at += piece, to += piece + random.bits() % (piece + 1)) {
            const std::size_t size = std::min(piece, count - at);
            std::copy_n(entries.begin() + static_cast<std::ptrdiff_t>(at), size, noted.data() + to);
            pieces.push_back({noted.data() + to, size});
        }
        const auto each_piece = [&](const auto& visit) { std::ranges::for_each(pieces, visit); };
        std::make_unique<lanecull::RadixSort<decltype(each_piece)>>(each_piece, range, sorted, noted.data())->run();
        std::vector<OrderEntry> expected = entries;
        std::ranges::stable_sort(expected, {}, [](OrderEntry entry) { return entry >> 32; });
        ASSERT_EQ(sorted, expected) << n;
    }
}

}  // namespace
