#pragma once

#include <cmath>
#include <cstdint>

/// Seeded random numbers that are the same on every platform. Results of the standard distributions would depend on the
/// standard library.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    /// SplitMix64.
    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  ///< in [0, 1)
    double range(double low, double high) { return low + (high - low) * unit(); }
    double log_range(double low, double high) { return low * std::exp2(std::log2(high / low) * unit()); }
    int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
    bool chance(double probability) { return unit() < probability; }
    double sign() { return chance(0.5) ? 1 : -1; }

private:
    std::uint64_t state_;
};
