#pragma once

#include <cstdint>

namespace lanecull::program {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): the same numbers on
/// every machine, which the distributions of the standard library do not promise. For the same reason no expression
/// may draw twice: compilers choose the order of operands and arguments (braced lists are in order).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t bits = state_;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
        return bits ^ (bits >> 31);
    }

    /// [0, 1)
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    bool chance(double probability) { return unit() < probability; }
    /// 0 .. n - 1 (n is tiny next to 2^53, so the bias is too)
    int below(int n) { return static_cast<int>(unit() * n); }
    /// A whole number whose mean is `mean`.
    int about(double mean) {
        const double spread = mean * between(0.7, 1.3);
        return static_cast<int>(spread + unit());
    }

private:
    std::uint64_t state_;
};

}  // namespace lanecull::program
