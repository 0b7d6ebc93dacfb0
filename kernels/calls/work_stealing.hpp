#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace lanecull {

/// Deals parts [0, count) out to threads. Each thread has a row of its own and takes parts from the row's front, so
/// that parts side by side in memory go to one core, and in the next call to the same one. A thread whose row is empty
/// takes parts from the back of the others' rows. Each part goes to exactly one caller. Nothing else is ordered: what
/// parts write is ready when whoever started the threads has waited for them.
class Shares {
public:
    static constexpr std::uint32_t most = 64;  // rows; where there are more threads than rows, threads have a row in
                                               // common

    Shares(std::uint32_t count, std::uint32_t threads) : used_(std::clamp(threads, 1u, most)) {
        for (std::uint64_t s = 0; s < used_; ++s) {
            rows_[s].ends = pack(
                {static_cast<std::uint32_t>(s * count / used_), static_cast<std::uint32_t>((s + 1) * count / used_)});
        }
    }

    /// The next part for a thread, which may be any number. None when all parts have been taken.
    std::optional<std::uint32_t> take(std::uint32_t thread) {
        const std::uint32_t own = thread % used_;
        if (const auto part = rows_[own].take([](Ends& ends) { return ends.first++; })) return part;
        for (std::uint32_t i = 1; i < used_; ++i) {
            if (const auto part = rows_[(own + i) % used_].take([](Ends& ends) { return --ends.last; })) return part;
        }
        return std::nullopt;
    }

private:
    /// What is left of a row: [first, last), both in one word.
    struct Ends {
        std::uint32_t first, last;
    };
    static std::uint64_t pack(Ends ends) { return std::uint64_t{ends.last} << 32 | ends.first; }

    /// A row has a cache line of its own, as each row has another owner.
    struct alignas(64) Row {
        std::atomic<std::uint64_t> ends;

        template <class End>
        std::optional<std::uint32_t> take(End end) {
            std::uint64_t seen = ends.load(std::memory_order_relaxed);
            while (true) {
                Ends left{static_cast<std::uint32_t>(seen), static_cast<std::uint32_t>(seen >> 32)};
                if (left.first == left.last) return std::nullopt;
                const std::uint32_t part = end(left);
                if (ends.compare_exchange_weak(seen, pack(left), std::memory_order_relaxed)) return part;
            }
        }
    };

    const std::uint32_t used_;
    std::array<Row, most> rows_;  // only `used_` of them are set
};

}  // namespace lanecull
