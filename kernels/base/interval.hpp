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

inline Interval operator*(Interval a, Interval b) {
    const double p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    double low = p[0], high = p[0];
    for (const double x : p) {
        if (std::isnan(x)) return {x, x};
        low = x < low ? x : low;  // (std::fmin is a call)
        high = x > high ? x : high;
    }
    // A product is exactly zero only when a factor is; an underflow to zero is widened like any other.
    const bool zero = (a.lo == 0 && a.hi == 0) || (b.lo == 0 && b.hi == 0);
    if (zero) return {0, 0};
    return {next_down(low), next_up(high)};
}

/// b must not contain zero.
inline Interval operator/(Interval a, Interval b) {
    const double q[4] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};
    double low = q[0], high = q[0];
    for (const double x : q) {
        if (std::isnan(x)) return {x, x};
        low = x < low ? x : low;  // (std::fmin is a call)
        high = x > high ? x : high;
    }
    return {next_down(low), next_up(high)};
}

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

inline Interval3 operator*(Interval3 a, Interval s) { return {a.x * s, a.y * s, a.z * s}; }
inline Interval3 operator+(Interval3 a, Interval3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Interval3 operator-(Interval3 a) { return {-a.x, -a.y, -a.z}; }
inline Interval dot(Interval3 a, Interval3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Interval3 cross(Interval3 a, Interval3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Rows of a 3x3 matrix.
struct Interval3x3 {
    Interval3 row[3];
};

inline Interval determinant(const Interval3x3& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

/// The inverse's columns, each times the determinant: cross products of the rows.
inline Interval3x3 cofactors(const Interval3x3& m) {
    return {{cross(m.row[1], m.row[2]), cross(m.row[2], m.row[0]), cross(m.row[0], m.row[1])}};
}

/// Solves several systems with one matrix. Its determinant must not contain zero.
class Inverse {
public:
    explicit Inverse(const Interval3x3& m)
        : cofactors_(cofactors(m)), inverse_(Interval(1.0) / dot(m.row[0], cofactors_.row[0])) {}

    /// The x with row_k . x = b_k.
    [[nodiscard]] Interval3 times(Interval3 b) const {
        return (cofactors_.row[0] * b.x + cofactors_.row[1] * b.y + cofactors_.row[2] * b.z) * inverse_;
    }

private:
    Interval3x3 cofactors_;
    Interval inverse_;
};

inline Interval3 solve(const Interval3x3& m, Interval3 b) { return Inverse(m).times(b); }

}  // namespace lanecull
