#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Times, and the bits of visibility.
namespace lanecull::program {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of an even number of values the mean of both in the middle.
[[nodiscard]] inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

[[nodiscard]] inline bool has_bit(std::span<const std::uint64_t> words, std::uint64_t i) {
    return (words[i / 64] >> i % 64 & 1U) != 0;
}

/// How many bits are set.
[[nodiscard]] inline std::uint64_t population(std::span<const std::uint64_t> words) {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
}

}  // namespace lanecull::program
