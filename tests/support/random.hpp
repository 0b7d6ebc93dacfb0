#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

/// A source of numbers, the same on every platform: a seed, or a fuzzer's bytes, which a seeded sequence follows when
/// they end. Results of the standard distributions would depend on the standard library.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    /// The bytes must outlive the source. A number takes as few of them as it needs, so that one byte changes one
    /// choice.
    explicit Random(std::span<const std::uint8_t> bytes) : state_(0), bytes_(bytes) {}

    std::uint64_t bits() { return take<8>(); }

    double unit() {  ///< in [0, 1)
        return bytes_.empty() ? static_cast<double>(next() >> 11) * 0x1p-53 : static_cast<double>(take<4>()) * 0x1p-32;
    }
    double range(double low, double high) { return low + (high - low) * unit(); }
    double log_range(double low, double high) { return low * std::exp2(std::log2(high / low) * unit()); }
    int below(int n) {
        const std::uint64_t number = n <= 0x100 && !bytes_.empty() ? take<1>() : bits();
        return static_cast<int>(number % static_cast<std::uint64_t>(n));
    }
    bool chance(double probability) {
        return bytes_.empty() ? unit() < probability : static_cast<double>(take<1>()) * 0x1p-8 < probability;
    }
    double sign() { return chance(0.5) ? 1 : -1; }

    /// Mostly small multiples of 1/8, so that coordinates often coincide; some numbers of any size; a few not finite.
    float any_float() {
        switch (below(16)) {
            case 0:
                return number_of<float>(static_cast<std::uint32_t>(take<4>()));
            case 1:
                return std::ldexp(1.0f, below(277) - 149);
            case 2:
                return 1e-3f * static_cast<float>(static_cast<std::int16_t>(take<2>()));
            case 3:
                return 0;
            case 4:
                return 4096 + 0.0625f * small();
            case 5:
                return std::nextafter(small(), 0.0f);
            default:
                return 0.125f * small();
        }
    }
    /// Rarely negative.
    float any_size() { return below(32) == 0 ? any_float() : std::fabs(any_float()); }
    double any_double() { return below(16) == 0 ? number_of<double>(bits()) : static_cast<double>(any_float()); }

private:
    /// As std::bit_cast(), which emscripten's library lacks.
    template <class Number, class Bits>
    static Number number_of(Bits bits) {
        static_assert(sizeof(Number) == sizeof(Bits));
        Number number;
        std::memcpy(&number, &bits, sizeof number);
        return number;
    }

    /// SplitMix64.
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    /// `count` of the bytes, or the sequence's next number cut to as many.
    template <int count>
    std::uint64_t take() {
        if (bytes_.size() < count) {
            bytes_ = {};
            return next() >> (64 - 8 * count);
        }
        std::uint64_t number = 0;
        for (const std::uint8_t byte : bytes_.first(count)) number = number << 8 | byte;
        bytes_ = bytes_.subspan(count);
        return number;
    }

    float small() { return static_cast<float>(static_cast<std::int8_t>(take<1>())); }

    std::uint64_t state_;
    std::span<const std::uint8_t> bytes_;
};

/// Whether exact arithmetic with this number is fast.
inline bool moderate(double number) {
    const double size = std::fabs(number);
    return size == 0 || (size >= 1e-12 && size <= 1e12);
}

/// The number of cases that the random tests run, relative to a release build. It is the environment variable
/// LANECULL_TEST_SCALE, which CMake sets to less for sanitizers and which anyone may set to more.
[[nodiscard]] inline double test_scale() {
    const char* text = std::getenv("LANECULL_TEST_SCALE");
    const double value = text == nullptr ? 1 : std::atof(text);
    if (!(value > 0))
        throw std::runtime_error("LANECULL_TEST_SCALE must be a positive number, not " + std::string(text));
    return value;
}

/// count * test_scale(), at least 1.
[[nodiscard]] inline int scaled(int count) { return std::max(1, static_cast<int>(count * test_scale())); }

/// " a b c", in hexadecimal: enough to repeat the numbers.
template <class Numbers>
std::string written(const Numbers& numbers) {
    std::string text;
    for (const auto number : numbers) {
        char digits[40];
        std::snprintf(digits, sizeof digits, " %a", static_cast<double>(number));
        text += digits;
    }
    return text;
}
