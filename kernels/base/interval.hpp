#pragma once

/// Interval arithmetic in doubles: every result contains the exact one. Views are prepared with it, so that the numbers
/// for the kernels err outward whatever the matrix, and the proof needs no error analysis of that code. It needs
/// rounding to nearest and no fused or reordered operations. An overflow ends as an interval that is not finite.

#include <cmath>
#include <cstdint>
#include <limits>

namespace lanecull {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Interval {
    double lo = 0, hi = 0;

    Interval() = default;
    Interval(double exact) : lo(exact), hi(exact) {}
    Interval(double low, double high) : lo(low), hi(high) {}

    [[nodiscard]] double mid() const { return 0.5 * lo + 0.5 * hi; }
    [[nodiscard]] bool finite() const { return std::isfinite(lo) && std::isfinite(hi); }
    [[nodiscard]] bool contains_zero() const { return !(lo > 0) && !(hi < 0); }
    /// The largest |x| of an x in the interval.
    [[nodiscard]] double magnitude() const { return std::fmax(std::fabs(lo), std::fabs(hi)); }
};

/// x's neighbouring double, or one beyond it. |x| 2^-52 is at least the distance to the neighbour; for subnormals
/// 2^-1074 is.
inline double next_down(double x) { return x - (std::fabs(x) * 0x1p-52 + 0x1p-1074); }
inline double next_up(double x) { return x + (std::fabs(x) * 0x1p-52 + 0x1p-1074); }

/// The sum, rounded down and rounded up. Exact sums stay points, so that planes which vanish are found to vanish.
inline double sum_down(double a, double b) {
    const double s = a + b, t = s - a;
    return (a - (s - t)) + (b - t) == 0 ? s : next_down(s);
}
inline double sum_up(double a, double b) {
    const double s = a + b, t = s - a;
    return (a - (s - t)) + (b - t) == 0 ? s : next_up(s);
}

inline Interval operator+(Interval a, Interval b) { return {sum_down(a.lo, b.lo), sum_up(a.hi, b.hi)}; }
inline Interval operator-(Interval a) { return {-a.hi, -a.lo}; }
inline Interval operator-(Interval a, Interval b) { return a + -b; }

/// The products of two intervals' ends, each rounded to nearest; that keeps their order. (std::fmin is a call.)
struct Ends {
    double low, high;
    double sum;  ///< NaN if one of the products is, or if they overflow both ways

    Ends(double p, double q) : low(q < p ? q : p), high(q > p ? q : p), sum(p + q) {}
    Ends(Ends a, Ends b)
        : low(b.low < a.low ? b.low : a.low), high(b.high > a.high ? b.high : a.high), sum(a.sum + b.sum) {}

    static Ends of_product(Interval a, Interval b) {
        return {Ends(a.lo * b.lo, a.lo * b.hi), Ends(a.hi * b.lo, a.hi * b.hi)};
    }
    static Ends of_product(Interval a, double b) { return {a.lo * b, a.hi * b}; }

    [[nodiscard]] bool is_nan() const { return std::isnan(sum); }
    [[nodiscard]] bool zero() const { return low == 0 && high == 0; }
    [[nodiscard]] Interval widened() const { return {next_down(low), next_up(high)}; }
};

inline bool exactly_zero(Interval a) { return a.lo == 0 && a.hi == 0; }

/// A product is exactly zero only when a factor is; an underflow to zero is widened like any other.
inline Interval operator*(Interval a, Interval b) {
    const Ends ends = Ends::of_product(a, b);
    if (ends.is_nan()) return {ends.sum, ends.sum};
    if (ends.zero() && (exactly_zero(a) || exactly_zero(b))) return {0, 0};
    return ends.widened();
}
/// The same as a * Interval(b), for half its price.
inline Interval operator*(Interval a, double b) {
    const Ends ends = Ends::of_product(a, b);
    if (ends.is_nan()) return {ends.sum, ends.sum};
    if (ends.zero() && (exactly_zero(a) || b == 0)) return {0, 0};
    return ends.widened();
}

/// b must not contain zero.
inline Interval operator/(Interval a, Interval b) {
    const Ends ends(Ends(a.lo / b.lo, a.lo / b.hi), Ends(a.hi / b.lo, a.hi / b.hi));
    if (ends.is_nan()) return {ends.sum, ends.sum};
    return ends.widened();
}

/// A sum of up to three products that is widened once, by all of its roundings together. Let s be the sum of the
/// products' magnitudes, as computed. Each product is off by 2^-53 of itself at most, each of two sums and the last
/// subtraction by 2^-53 of at most s (1 + 2^-51), and s by 2^-51 of itself: less than 4.1 x 2^-53 s. A product that
/// underflows is off by 2^-1075 at most; from 2^-900 on s makes up for three of them. Below that, where s is 0 most of
/// the time, and where s is not finite, the caller adds the products one by one.
class SumOfProducts {
public:
    void add(Interval a, Interval b) {
        const Ends ends = Ends::of_product(a, b);
        low_ += ends.low, high_ += ends.high;
        size_ += std::fabs(ends.low) > std::fabs(ends.high) ? std::fabs(ends.low) : std::fabs(ends.high);
        check_ += ends.sum;
    }

    /// Of the products' magnitudes together.
    static constexpr double error = 0x1.2p-51;
    [[nodiscard]] static bool is_bounded(double size) { return size >= 0x1p-900 && size <= 0x1p1000; }

    [[nodiscard]] bool is_bounded() const { return is_bounded(size_) && !std::isnan(check_); }
    [[nodiscard]] Interval enclosure() const { return {low_ - size_ * error, high_ + size_ * error}; }

private:
    double low_ = 0, high_ = 0, size_ = 0, check_ = 0;
};

/// The nearest float that is not below x, and the nearest that is not above. (std::nextafterf is a call.)
inline float float_up(double x) {
    const auto f = static_cast<float>(x);
    if (!(static_cast<double>(f) < x)) return f;
    if (f == 0) return std::numeric_limits<float>::denorm_min();
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, f) + (f > 0 ? 1u : ~0u));
}
inline float float_down(double x) { return -float_up(-x); }

/// a x + b y + c z.
inline Interval combined(Interval a, Interval x, Interval b, Interval y, Interval c, Interval z) {
    SumOfProducts sum;
    sum.add(a, x);
    sum.add(b, y);
    sum.add(c, z);
    return sum.is_bounded() ? sum.enclosure() : a * x + b * y + c * z;
}
/// a d - b c.
inline Interval determinant(Interval a, Interval b, Interval c, Interval d) {
    SumOfProducts sum;
    sum.add(a, d);
    sum.add(-b, c);
    return sum.is_bounded() ? sum.enclosure() : a * d - b * c;
}

/// A float that is at least x >= 0, and at most one or two steps above it. x was computed in doubles with a relative
/// error below 2^-41. 0 and NaN stay what they are; numbers too large for floats become infinity.
inline float rounded_up(double x) noexcept {
    const double bound = x * (1 + 0x1p-40);
    const float nearest = static_cast<float>(bound);
    return static_cast<double>(nearest) < bound ? std::nextafterf(nearest, std::numeric_limits<float>::infinity())
                                                : nearest;
}

}  // namespace lanecull
