#pragma once

#include <cstdint>

namespace bench {

/// SplitMix64: 64 good bits from a counter. The same numbers on every machine and with every standard library, which
/// std::uniform_real_distribution does not promise.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    /// In [low, high).
    double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }

    /// In [0, count); the bias is below count / 2^64.
    std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>((bits() >> 32) * count >> 32); }

private:
    std::uint64_t state_;
};

}  // namespace bench
