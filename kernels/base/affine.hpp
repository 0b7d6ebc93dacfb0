#pragma once

/// Points, directions and half-spaces for preparing a view. What is merely chosen is in doubles; what is claimed is in
/// intervals.

#include <algorithm>
#include <cmath>

#include "base/interval.hpp"
#include "base/interval3.hpp"

namespace lanecull {

struct Double3 {
    double x = 0, y = 0, z = 0;
};
inline double dot(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Double3 operator*(Double3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline Double3 operator+(Double3 a, Double3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Double3 operator-(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Double3 cross(Double3 a, Double3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length_squared(Double3 a) { return dot(a, a); }
inline double largest_component(Double3 a) { return std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}); }
inline double length(Double3 a) {
    const double largest = largest_component(a);
    if (!(largest > 0)) return 0;
    const Double3 scaled = a * (1 / largest);
    return largest * std::sqrt(dot(scaled, scaled));
}
inline Double3 normalized(Double3 a) {
    const Double3 scaled = a * (1 / largest_component(a));
    return scaled * (1 / std::sqrt(dot(scaled, scaled)));
}
inline Double3 middle(const Interval3& a) { return {a.x, a.y, a.z}; }
inline Interval3 exactly(Double3 a) { return {a.x, a.y, a.z}; }

/// At most n . p, wherever p is in its intervals. n is exact.
inline double dot_down(Double3 n, const Interval3& p) {
    const Near along = near_dot(exactly(n), p);
    return along.at - along.off;
}

/// An affine function of a point, linear . p + constant: a clip coordinate, or the half-space where it is >= 0.
struct Affine {
    Interval3 linear;
    Interval constant;

    [[nodiscard]] Interval at(const Interval3& p) const { return dot(linear, p) + constant; }
    /// The same function with p - c as its argument.
    [[nodiscard]] Affine about(const Interval3& c) const { return {linear, at(c)}; }
    [[nodiscard]] bool vanishes() const { return exactly_zero(linear); }
    [[nodiscard]] bool finite() const { return linear.finite() && constant.finite(); }
};
inline Affine operator+(const Affine& a, const Affine& b) { return {a.linear + b.linear, a.constant + b.constant}; }
inline Affine operator-(const Affine& a) { return {-a.linear, -a.constant}; }
inline Affine operator-(const Affine& a, const Affine& b) { return a + -b; }
inline Affine operator*(const Affine& a, double s) { return {a.linear * s, a.constant * s}; }

/// The same half-space, with a normal of about the wanted length.
inline Affine scaled_to(const Affine& f, double wanted) { return f * (wanted / length(middle(f.linear))); }
/// The same half-space, with a normal whose length is 1 but for 2^-40. One that is so stays as it is.
inline Affine normalized(const Affine& f) {
    const double size = length_squared(middle(f.linear));
    return std::fabs(size - 1) <= 0x1p-41 ? f : scaled_to(f, 1);
}

/// Turns functions of q = p - c into functions of y = R q: linear' = R^-T linear; and y into q.
class IntoViewSpace {
public:
    IntoViewSpace() = default;
    explicit IntoViewSpace(const Interval3x3& rotation) : inverse_(rotation) {}

    /// Whoever turns anything has tested that R has an inverse.
    [[nodiscard]] bool exists() const { return inverse_.exists(); }
    [[nodiscard]] Interval3 normal(const Interval3& linear) const { return inverse_.transposed_times(linear); }
    [[nodiscard]] Affine operator()(const Affine& f) const { return {normal(f.linear), f.constant}; }
    [[nodiscard]] Interval3 back(const Interval3& y) const { return inverse_.times(y); }

private:
    Inverse inverse_;
};

/// Turns normals likewise, in doubles: for normals that are rounded to float.
class NormalsInView {
public:
    /// R has an inverse.
    explicit NormalsInView(const Interval3x3& rotation) {
        const Double3 r[3] = {middle(rotation.row[0]), middle(rotation.row[1]), middle(rotation.row[2])};
        for (std::size_t k = 0; k < 3; ++k) column_[k] = cross(r[(k + 1) % 3], r[(k + 2) % 3]);
        const double scale = 1 / dot(r[0], column_[0]);
        for (Double3& column : column_) column = column * scale;
    }
    [[nodiscard]] Double3 operator()(const Double3& n) const {
        return {dot(column_[0], n), dot(column_[1], n), dot(column_[2], n)};
    }

private:
    Double3 column_[3];  ///< of R^-1
};

}  // namespace lanecull
