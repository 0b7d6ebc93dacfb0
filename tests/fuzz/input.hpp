#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// A fuzzer's bytes as numbers. Every byte string is an input; what is missing at its end is 0.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data, size) {}

    /// 0 .. most
    std::uint32_t up_to(std::uint32_t most) { return data_.ConsumeIntegralInRange<std::uint32_t>(0, most); }
    bool flag() { return data_.ConsumeBool(); }
    std::uint32_t bits() { return data_.ConsumeIntegral<std::uint32_t>(); }

    /// Mostly numbers that meet one another, some of any size, a few that are none.
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
    /// Not less than 0, but for a few.
    float size() { return up_to(31) == 0 ? single() : std::fabs(single()); }
    double real() { return up_to(15) == 0 ? std::bit_cast<double>(data_.ConsumeIntegral<std::uint64_t>()) : single(); }

private:
    FuzzedDataProvider data_;
};

/// What exact arithmetic takes little time for.
inline bool moderate(double number) {
    const double size = std::fabs(number);
    return size == 0 || (size >= 1e-12 && size <= 1e12);
}
