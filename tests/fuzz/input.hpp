#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// Reads a fuzzer's bytes as numbers. Every byte string is a valid input: bytes missing at its end read as 0.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data, size) {}

    /// A number from 0 to `most`.
    std::uint32_t up_to(std::uint32_t most) { return data_.ConsumeIntegralInRange<std::uint32_t>(0, most); }
    bool flag() { return data_.ConsumeBool(); }
    std::uint32_t bits() { return data_.ConsumeIntegral<std::uint32_t>(); }

    /// Mostly small multiples of 1/8, so that coordinates often coincide; some numbers of any size; a few not finite.
    float single() {
        switch (up_to(15)) {
            case 0:
                return std::bit_cast<float>(bits());
            case 1:
                return std::ldexp(1.0f, static_cast<int>(up_to(276)) - 149);
            case 2:
                return 1e-3f * static_cast<float>(data_.ConsumeIntegral<std::int16_t>());
            case 3:
                return 0;
            case 4:
                return 4096 + 0.0625f * static_cast<float>(data_.ConsumeIntegral<std::int8_t>());
            case 5:
                return std::nextafter(static_cast<float>(data_.ConsumeIntegral<std::int8_t>()), 0.0f);
            default:
                return 0.125f * static_cast<float>(data_.ConsumeIntegral<std::int8_t>());
        }
    }
    /// Rarely negative.
    float size() { return up_to(31) == 0 ? single() : std::fabs(single()); }
    double real() { return up_to(15) == 0 ? std::bit_cast<double>(data_.ConsumeIntegral<std::uint64_t>()) : single(); }

private:
    FuzzedDataProvider data_;
};

/// Whether exact arithmetic with this number is fast.
inline bool moderate(double number) {
    const double size = std::fabs(number);
    return size == 0 || (size >= 1e-12 && size <= 1e12);
}
