#pragma once

/// Vectors whose components are known within one error. A view is made of vectors whose components are about as large
/// as one another; then one error says as much as three intervals, and sums of products take a fifth of the time, with
/// no comparisons in them. Every result contains the exact one. It needs rounding to nearest and no fused or reordered
/// operations. An overflow ends as an error that is not finite.
///
/// Roundings are counted in U = 2^-53. An error is 0, or larger than what the number may be off by, by at least U of
/// the number's size and 2^-48 of itself: it is a sum of non-negative numbers, of at most a dozen roundings, that is
/// raised by `raise`. So at - off and at + off, as computed, contain the number, too.

#include <cmath>

#include "base/interval.hpp"

namespace lanecull {

/// A number within `off` of `at`.
struct Near {
    static constexpr double U = 0x1p-53, raise = 1 + 0x1p-48;

    double at, off;

    Near() = default;
    Near(double number, double error) : at(number), off(error) {}
    /// Exact if the interval is a point.
    explicit Near(Interval i) : at(i.lo), off(0) {
        if (i.lo == i.hi) return;
        at = i.mid();
        const double below = at - i.lo, above = i.hi - at;
        off = (below > above ? below : above) * raise + std::fabs(at) * (4 * U) + 0x1p-1074;
    }
    [[nodiscard]] Interval interval() const { return {at - off, at + off}; }
    [[nodiscard]] bool finite() const { return std::isfinite(0 * at + off); }
};

inline double larger(double a, double b) { return a > b ? a : b; }

struct Interval3 {
    double x, y, z;
    double off;  ///< each component's error, at most

    Interval3() = default;  ///< numbers only as Interval3{}, so that arrays cost nothing before they are filled
    Interval3(double exact_x, double exact_y, double exact_z) : x(exact_x), y(exact_y), z(exact_z), off(0) {}
    Interval3(double near_x, double near_y, double near_z, double error)
        : x(near_x), y(near_y), z(near_z), off(error) {}
    /// The products keep NaN, which comparisons lose.
    Interval3(Near a, Near b, Near c)
        : x(a.at), y(b.at), z(c.at), off(larger(larger(a.off, b.off), c.off) + (0 * a.off + 0 * b.off + 0 * c.off)) {}
    Interval3(Interval a, Interval b, Interval c) : Interval3(Near(a), Near(b), Near(c)) {}

    [[nodiscard]] Interval in_x() const { return {x - off, x + off}; }
    [[nodiscard]] Interval in_y() const { return {y - off, y + off}; }
    [[nodiscard]] Interval in_z() const { return {z - off, z + off}; }
    [[nodiscard]] double one_norm() const { return std::fabs(x) + std::fabs(y) + std::fabs(z); }
    [[nodiscard]] Interval3 middle_times(double s) const { return {x * s, y * s, z * s}; }
    /// The largest component of the middle.
    [[nodiscard]] double largest() const { return larger(larger(std::fabs(x), std::fabs(y)), std::fabs(z)); }
    /// No component is larger.
    [[nodiscard]] double magnitude() const { return largest() + off; }
    [[nodiscard]] bool finite() const { return std::isfinite(0 * x + 0 * y + 0 * z + off); }
};

inline bool exactly_zero(const Interval3& a) { return a.x == 0 && a.y == 0 && a.z == 0 && a.off == 0; }

/// A sum that rounds to zero is zero: vectors that vanish are found to vanish.
inline Interval3 operator+(const Interval3& a, const Interval3& b) {
    Interval3 sum(a.x + b.x, a.y + b.y, a.z + b.z);
    sum.off = (a.off + b.off + sum.largest() * (2 * Near::U)) * Near::raise;
    return sum;
}
inline Interval3 operator-(const Interval3& a) { return {-a.x, -a.y, -a.z, a.off}; }
inline Interval3 operator-(const Interval3& a, const Interval3& b) { return a + -b; }

/// Products that underflow are off by 2^-1075. They are exactly zero only when a factor is.
inline Interval3 operator*(const Interval3& a, double s) {
    Interval3 product(a.x * s, a.y * s, a.z * s);
    const double size = product.largest();
    product.off = (a.off * std::fabs(s) + size * (2 * Near::U)) * Near::raise;
    if (!(size >= 0x1p-900) && s != 0 && !exactly_zero(a)) product.off += 0x1p-1070;
    return product;
}
inline Interval3 operator*(const Interval3& a, Interval s) {
    const Near factor(s);
    Interval3 product = a * factor.at;
    product.off = (product.off + (a.largest() + a.off) * factor.off) * Near::raise;
    if (!(product.largest() >= 0x1p-900) && factor.off != 0 && !exactly_zero(a)) product.off += 0x1p-1070;
    return product;
}

namespace enclosing {
/// Component by component, for sums so small that underflow matters, or too large; or of which nothing is left.
inline Near slow_dot(const Interval3& a, const Interval3& b) {
    const auto parted = [&] { return (a.x == 0 || b.x == 0) && (a.y == 0 || b.y == 0) && (a.z == 0 || b.z == 0); };
    const bool zero = exactly_zero(a) || exactly_zero(b) || (a.off == 0 && b.off == 0 && parted());
    if (zero && a.finite() && b.finite()) return {0, 0};
    return Near(a.in_x() * b.in_x() + a.in_y() * b.in_y() + a.in_z() * b.in_z());
}
}  // namespace enclosing

/// Three products are off by U of themselves each, and two sums by U of the products' magnitudes `size` together: 3 U
/// size. The factors' errors add a.off |b|_1 + b.off |a|_1 + 3 a.off b.off.
inline Near near_dot(const Interval3& a, const Interval3& b) {
    const double p = a.x * b.x, q = a.y * b.y, r = a.z * b.z;
    const double size = std::fabs(p) + std::fabs(q) + std::fabs(r);
    if (!SumOfProducts::is_bounded(size)) return enclosing::slow_dot(a, b);
    const double off = a.one_norm() * b.off + (b.one_norm() + 3 * b.off) * a.off;
    return {p + q + r, off * Near::raise + size * SumOfProducts::error};
}
inline Interval dot(const Interval3& a, const Interval3& b) { return near_dot(a, b).interval(); }

/// Each component is a difference of two products, off by 2 U of their magnitudes together.
inline Interval3 cross(const Interval3& a, const Interval3& b) {
    const double p[3] = {a.y * b.z, a.z * b.x, a.x * b.y}, q[3] = {a.z * b.y, a.x * b.z, a.y * b.x};
    const double size = larger(larger(std::fabs(p[0]) + std::fabs(q[0]), std::fabs(p[1]) + std::fabs(q[1])),
                               std::fabs(p[2]) + std::fabs(q[2]));
    if (!SumOfProducts::is_bounded(size)) {
        return {determinant(a.in_y(), a.in_z(), b.in_y(), b.in_z()),
                determinant(a.in_z(), a.in_x(), b.in_z(), b.in_x()),
                determinant(a.in_x(), a.in_y(), b.in_x(), b.in_y())};
    }
    const double off = a.one_norm() * b.off + (b.one_norm() + 2 * b.off) * a.off;
    return {p[0] - q[0], p[1] - q[1], p[2] - q[2], off * Near::raise + size * SumOfProducts::error};
}

/// Rows of a 3x3 matrix.
struct Interval3x3 {
    Interval3 row[3];
};

/// A matrix by which many vectors are turned. Let m be the largest component of v, whose error is e, d a row's error,
/// and |row| a row's largest sum of magnitudes. Products are off by |row| e + 3 (m + e) d, and by roundings by |row| m
/// times what SumOfProducts counts.
class Turning {
public:
    explicit Turning(const Interval3x3& rows) : rows_(rows) {
        for (const Interval3& row : rows.row) {
            one_norm_ = larger(one_norm_, row.one_norm());
            off_ = larger(off_, 3 * row.off);
        }
    }
    [[nodiscard]] Interval3 operator()(const Interval3& v) const {
        const auto along = [&](const Interval3& row) { return row.x * v.x + row.y * v.y + row.z * v.z; };
        const double size = v.largest();
        const double off = one_norm_ * (v.off + size * SumOfProducts::error) + off_ * (size + v.off) + 0x1p-1000;
        return {along(rows_.row[0]), along(rows_.row[1]), along(rows_.row[2]), off * Near::raise};
    }

private:
    Interval3x3 rows_;
    double one_norm_ = 0, off_ = 0;
};

/// As near_dot(), for three rows at once.
inline Interval3 operator*(const Interval3x3& m, const Interval3& v) {
    const double norm = v.one_norm() + 3 * v.off;
    double at[3], size[3], off[3];
    for (int k = 0; k < 3; ++k) {
        const Interval3& row = m.row[k];
        const double p = row.x * v.x, q = row.y * v.y, r = row.z * v.z;
        at[k] = p + q + r, size[k] = std::fabs(p) + std::fabs(q) + std::fabs(r);
        off[k] = (row.one_norm() * v.off + norm * row.off) * Near::raise + size[k] * SumOfProducts::error;
    }
    const bool bounded =
        SumOfProducts::is_bounded(size[0]) && SumOfProducts::is_bounded(size[1]) && SumOfProducts::is_bounded(size[2]);
    if (!bounded) return {near_dot(m.row[0], v), near_dot(m.row[1], v), near_dot(m.row[2], v)};
    return {Near(at[0], off[0]), Near(at[1], off[1]), Near(at[2], off[2])};
}

/// The inverse's columns, each times the determinant: cross products of the rows.
inline Interval3x3 cofactors(const Interval3x3& m) {
    return {{cross(m.row[1], m.row[2]), cross(m.row[2], m.row[0]), cross(m.row[0], m.row[1])}};
}

/// The inverse of a matrix, to solve several systems with it. Whoever solves has tested whether it exists: whether the
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
    /// The x with row_k . x = b_k. Rows may be of very different lengths, so each b_k and each column has its own
    /// error.
    [[nodiscard]] Interval3 times(Near a, Near b, Near c) const {
        const Interval3 &l = columns_.row[0], &m = columns_.row[1], &n = columns_.row[2];
        const Interval3 p = l.middle_times(a.at), q = m.middle_times(b.at), r = n.middle_times(c.at);
        const double size = larger(
            larger(std::fabs(p.x) + std::fabs(q.x) + std::fabs(r.x), std::fabs(p.y) + std::fabs(q.y) + std::fabs(r.y)),
            std::fabs(p.z) + std::fabs(q.z) + std::fabs(r.z));
        if (!SumOfProducts::is_bounded(size)) {
            const Interval ranges[3] = {a.interval(), b.interval(), c.interval()};
            Interval x[3];
            times(ranges, x);
            return {x[0], x[1], x[2]};
        }
        const auto off = [](const Interval3& column, Near factor) {
            return column.off * (std::fabs(factor.at) + factor.off) + column.largest() * factor.off;
        };
        return {p.x + q.x + r.x, p.y + q.y + r.y, p.z + q.z + r.z,
                (off(l, a) + off(m, b) + off(n, c)) * Near::raise + size * SumOfProducts::error};
    }
    [[nodiscard]] Interval3 times(Interval a, Interval b, Interval c) const { return times(Near(a), Near(b), Near(c)); }
    [[nodiscard]] Interval3 times(const Interval3& b) const {
        return times(Near(b.x, b.off), Near(b.y, b.off), Near(b.z, b.off));
    }
    /// The same for b_k that are wide, and not equally so.
    void times(const Interval (&b)[3], Interval (&x)[3]) const {
        const Interval3* c = columns_.row;
        x[0] = combined(c[0].in_x(), b[0], c[1].in_x(), b[1], c[2].in_x(), b[2]);
        x[1] = combined(c[0].in_y(), b[0], c[1].in_y(), b[1], c[2].in_y(), b[2]);
        x[2] = combined(c[0].in_z(), b[0], c[1].in_z(), b[1], c[2].in_z(), b[2]);
    }
    /// The x that is a sum of rows, b = row_0 x_0 + row_1 x_1 + row_2 x_2.
    [[nodiscard]] Interval3 transposed_times(const Interval3& b) const { return columns_ * b; }
    /// Along each, one row's value grows and the others' do not change.
    [[nodiscard]] const Interval3& column(std::size_t k) const { return columns_.row[k]; }

private:
    Interval3x3 columns_;  ///< of the inverse
    bool exists_ = false;
};

}  // namespace lanecull
