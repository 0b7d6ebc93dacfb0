#include "occluders/solid_volume.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lanecull::solids {

namespace {

/// significand 2^exponent, the significand a whole number below 2^24.
struct Decoded {
    std::int64_t significand;
    int exponent;  ///< from least_exponent to 104

    static constexpr int least_exponent = -149;

    explicit Decoded(float x) {
        int above = 0;
        significand = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &above), 24));
        exponent = above - 24;
        if (exponent >= least_exponent) return;
        significand >>= least_exponent - exponent;  // exact: a denormal has fewer bits
        exponent = least_exponent;
    }
};

/// A sum of products of three floats, exact: digits of 32 bits, with room for 2^31 carries above each. The lowest
/// counts 2^-447, the smallest product. No product is above 2^384, so there may be 2^60 of them.
class ExactSum {
public:
    void add(const Decoded& a, const Decoded& b, const Decoded& c, int sign) {
        const std::int64_t ab = sign * a.significand * b.significand;  // of 48 bits
        const int exponent = a.exponent + b.exponent + c.exponent;
        add(ab * (c.significand % 4096), exponent);
        add(ab * (c.significand / 4096), exponent + 12);
    }

    /// To be called at least once in 2^24 products.
    void carry() {
        for (std::size_t i = 0; i + 1 < digits; ++i) {
            digit_[i + 1] += digit_[i] >> 32;
            digit_[i] &= all_of_digit;
        }
    }

    /// Off by rounding, but for its sign.
    [[nodiscard]] double value() {
        carry();
        const bool negative = digit_[digits - 1] < 0;
        for (std::int64_t& digit : digit_) digit = negative ? -digit : digit;
        carry();
        double size = 0;
        for (std::size_t i = digits; i-- > 0;) {
            size += std::ldexp(static_cast<double>(digit_[i]), 32 * static_cast<int>(i) + 3 * Decoded::least_exponent);
        }
        return negative ? -size : size;
    }

private:
    static constexpr std::size_t digits = 29;
    static constexpr std::int64_t all_of_digit = 0xffffffff;

    /// Adds n 2^exponent, n of up to 60 bits and its sign.
    void add(std::int64_t n, int exponent) {
        const int place = exponent - 3 * Decoded::least_exponent, shift = place % 32;
        const std::int64_t low = (n & all_of_digit) << shift, high = (n >> 32) * (std::int64_t{1} << shift);
        std::int64_t* const to = digit_ + place / 32;
        to[0] += low & all_of_digit;
        to[1] += (low >> 32) + (high & all_of_digit);
        to[2] += high >> 32;
    }

    std::int64_t digit_[digits] = {};
};

}  // namespace

double signed_volume(const Array<Triangle>& triangles) {
    ExactSum six_fold;
    std::size_t added = 0;
    for (const Triangle& t : triangles) {
        const auto at = [&](std::size_t corner, std::size_t axis) { return Decoded(t.corner[corner][axis]); };
        for (std::size_t k = 0; k < dimensions; ++k) {
            const std::size_t u = (k + 1) % dimensions, v = (k + 2) % dimensions;
            const Decoded x = at(0, k);
            six_fold.add(x, at(1, u), at(2, v), 1);
            six_fold.add(x, at(1, v), at(2, u), -1);
        }
        if (++added % (1 << 20) == 0) six_fold.carry();
    }
    return six_fold.value() / 6;
}

}  // namespace lanecull::solids
