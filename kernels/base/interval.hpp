#pragma once

/// Interval arithmetic in doubles: every result contains the exact one. Views are prepared with it, so that the numbers
/// for the kernels err outward whatever the matrix, and the proof needs no error analysis of that code. It needs
/// rounding to nearest and no fused or reordered operations. An overflow ends as an interval that is not finite.

#include <cmath>

namespace lanecull {

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
    template <class Factor>
    void add(Interval a, Factor b) {
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

/// The nearest float that is not above x, and the nearest that is not below.
inline float float_down(double x) {
    const auto f = static_cast<float>(x);
    return static_cast<double>(f) > x ? std::nextafterf(f, -HUGE_VALF) : f;
}
inline float float_up(double x) {
    const auto f = static_cast<float>(x);
    return static_cast<double>(f) < x ? std::nextafterf(f, HUGE_VALF) : f;
}

struct Interval3 {
    Interval x, y, z;
    [[nodiscard]] bool finite() const { return x.finite() && y.finite() && z.finite(); }
};

inline Interval3 operator*(const Interval3& a, Interval s) { return {a.x * s, a.y * s, a.z * s}; }
inline Interval3 operator*(const Interval3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline Interval3 operator+(const Interval3& a, const Interval3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Interval3 operator-(const Interval3& a) { return {-a.x, -a.y, -a.z}; }

/// a x + b y + c z.
inline Interval combined(Interval a, Interval x, Interval b, Interval y, Interval c, Interval z) {
    SumOfProducts sum;
    sum.add(a, x);
    sum.add(b, y);
    sum.add(c, z);
    return sum.is_bounded() ? sum.enclosure() : a * x + b * y + c * z;
}
inline Interval dot(const Interval3& a, const Interval3& b) { return combined(a.x, b.x, a.y, b.y, a.z, b.z); }
/// a d - b c.
inline Interval determinant(Interval a, Interval b, Interval c, Interval d) {
    SumOfProducts sum;
    sum.add(a, d);
    sum.add(-b, c);
    return sum.is_bounded() ? sum.enclosure() : a * d - b * c;
}
inline Interval3 cross(const Interval3& a, const Interval3& b) {
    return {determinant(a.y, a.z, b.y, b.z), determinant(a.z, a.x, b.z, b.x), determinant(a.x, a.y, b.x, b.y)};
}

/// Rows of a 3x3 matrix.
struct Interval3x3 {
    Interval3 row[3];
};

inline Interval3 operator*(const Interval3x3& m, const Interval3& v) {
    return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
inline Interval determinant(const Interval3x3& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

/// The inverse's columns, each times the determinant: cross products of the rows.
inline Interval3x3 cofactors(const Interval3x3& m) {
    return {{cross(m.row[1], m.row[2]), cross(m.row[2], m.row[0]), cross(m.row[0], m.row[1])}};
}

/// The inverse of a matrix, to solve several systems with it. Whoever solves has asked whether it exists: whether the
/// determinant is not 0 for certain.
class Inverse {
public:
    Inverse() = default;
    explicit Inverse(const Interval3x3& m) : columns_(cofactors(m)) {
        const Interval determinant = dot(m.row[0], columns_.row[0]);
        exists_ = !determinant.contains_zero();
        if (!exists_) return;
        const Interval inverse = Interval(1.0) / determinant;
        for (Interval3& column : columns_.row) column = column * inverse;
    }

    [[nodiscard]] bool exists() const { return exists_; }
    /// The x with row_k . x = b_k.
    [[nodiscard]] Interval3 times(const Interval3& b) const {
        const Interval3* c = columns_.row;
        return {combined(c[0].x, b.x, c[1].x, b.y, c[2].x, b.z), combined(c[0].y, b.x, c[1].y, b.y, c[2].y, b.z),
                combined(c[0].z, b.x, c[1].z, b.y, c[2].z, b.z)};
    }
    /// The x that is a sum of rows, b = row_0 x_0 + row_1 x_1 + row_2 x_2.
    [[nodiscard]] Interval3 transposed_times(const Interval3& b) const {
        return {dot(columns_.row[0], b), dot(columns_.row[1], b), dot(columns_.row[2], b)};
    }

private:
    Interval3x3 columns_;  ///< of the inverse
    bool exists_ = false;
};

}  // namespace lanecull
