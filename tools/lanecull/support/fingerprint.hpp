#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace lanecull::program {

/// A number that other bytes almost surely do not have: it finds accidents, not intent. Each word of 8 bytes is mixed
/// in as SplitMix64 mixes its counter (Steele, Lea and Flood, 2014).
[[nodiscard]] inline std::uint64_t fingerprint(std::string_view bytes, std::uint64_t start = 0) {
    const auto mixed = [](std::uint64_t bits) {
        bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
        return bits ^ (bits >> 31U);
    };
    std::uint64_t sum = mixed(start + bytes.size() + 0x9E3779B97F4A7C15U);
    for (; !bytes.empty(); bytes.remove_prefix(bytes.size() < 8 ? bytes.size() : 8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), bytes.size() < 8 ? bytes.size() : 8);
        sum = mixed(sum + word + 0x9E3779B97F4A7C15U);
    }
    return sum;
}

}  // namespace lanecull::program
