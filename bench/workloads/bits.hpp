#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace bench {

inline std::uint64_t count_bits(std::span<const std::uint64_t> words) {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
}

}  // namespace bench
