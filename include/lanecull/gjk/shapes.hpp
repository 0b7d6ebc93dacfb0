#pragma once

#include <lanecull/gjk/support.hpp>

/// Shapes of a few numbers, in 3D and, where that makes sense, in 2D: Sphere<float, 2> is a circle. They are aggregates
/// that every query reads as they are: `Sphere<double>{{0, 0, 0}, 1}`, or `Sphere(center, 1.0)` with the rest deduced.
/// Sizes are >= 0; 0 is allowed everywhere. Nothing is checked. A shape with a NaN is never reported separated from
/// anything.
///
/// The comments count roundings as support.hpp defines them, in units of u * magnitude() * |d|_1; sums are rounded up.
/// Choosing between two points by products that are off by 3 u loses at most 6 u.
namespace lanecull::gjk {

template <class T, int N = 3>
struct Point {
    using Vector = Vec<T, N>;
    Vector p{};

    static constexpr int roundings = 0;
    [[nodiscard]] constexpr Vector support(const Vector&) const noexcept { return p; }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(p); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return p; }
};

template <class T, int N = 3>
struct Segment {
    using Vector = Vec<T, N>;
    Vector a{}, b{};

    static constexpr int roundings = 6;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept { return dot(d, a) > dot(d, b) ? a : b; }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(a) + reach(b); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return T(0.5) * (a + b); }
};

template <class T, int N = 3>
struct Triangle {
    using Vector = Vec<T, N>;
    Vector a{}, b{}, c{};

    static constexpr int roundings = 6;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        const T at_a = dot(d, a), at_b = dot(d, b), at_c = dot(d, c);
        if (at_a > at_b) return at_a > at_c ? a : c;
        return at_b > at_c ? b : c;
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(a) + reach(b) + reach(c); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return T(1) / 3 * (a + b + c); }
};

template <class T, int N = 3>
struct Sphere {
    using Vector = Vec<T, N>;
    Vector center{};
    T radius = 0;

    static constexpr int roundings = 8;  // unit(): 5, the product and the sum
    [[nodiscard]] Vector support(const Vector& d) const noexcept { return center + radius * unit(d); }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(center) + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return center; }
    [[nodiscard]] constexpr Point<T, N> core() const noexcept { return {center}; }
    [[nodiscard]] constexpr T margin() const noexcept { return radius; }
};

/// Every point within `radius` of the segment from a to b.
template <class T, int N = 3>
struct Capsule {
    using Vector = Vec<T, N>;
    Vector a{}, b{};
    T radius = 0;

    static constexpr int roundings = Segment<T, N>::roundings + Sphere<T, N>::roundings;
    [[nodiscard]] Vector support(const Vector& d) const noexcept { return core().support(d) + radius * unit(d); }
    [[nodiscard]] constexpr T magnitude() const noexcept { return core().magnitude() + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return core().inside(); }
    [[nodiscard]] constexpr Segment<T, N> core() const noexcept { return {a, b}; }
    [[nodiscard]] constexpr T margin() const noexcept { return radius; }
};

/// A box along the coordinate axes: center - half <= p <= center + half.
template <class T, int N = 3>
struct Box {
    using Vector = Vec<T, N>;
    Vector center{}, half{};

    static constexpr int roundings = 2;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        if constexpr (N == 3)
            return center + Vector{signed_as(half.x, d.x), signed_as(half.y, d.y), signed_as(half.z, d.z)};
        else
            return center + Vector{signed_as(half.x, d.x), signed_as(half.y, d.y)};
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(center) + reach(half); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return center; }
};

/// center + sum over k of s_k half_k axes.column[k], |s_k| <= 1. The axes may have any length and any angle, which
/// makes a parallelepiped.
template <class T, int N = 3>
struct OrientedBox {
    using Vector = Vec<T, N>;
    Vector center{};
    Matrix<T, N> axes = identity<T, N>();
    Vector half{};

    static constexpr int roundings = 12;  // each sign 6, the products and sums 4
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        const Vector along = transposed_times(axes, d);
        return center + axes * Box<T, N>{{}, half}.support(along);
    }
    [[nodiscard]] constexpr T magnitude() const noexcept {
        Vector sum = abs(center) + half.x * abs(axes.column[0]) + half.y * abs(axes.column[1]);
        if constexpr (N == 3) sum += half.z * abs(axes.column[2]);
        return reach(sum) + extremes(axes, reach(half));
    }
    [[nodiscard]] constexpr Vector inside() const noexcept { return center; }
};

/// center + sum over k of s_k half_k axes.column[k], |s| <= 1. The axes may have any length and any angle.
template <class T, int N = 3>
struct Ellipsoid {
    using Vector = Vec<T, N>;
    Vector center{};
    Matrix<T, N> axes = identity<T, N>();
    Vector half{};

    static constexpr int roundings = 24;  // s: 4 in its direction, which counts twice, and 5; sums 5
    [[nodiscard]] Vector support(const Vector& d) const noexcept {
        return center + axes * scaled(unit(scaled(transposed_times(axes, d))));
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return OrientedBox<T, N>{center, axes, half}.magnitude(); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return center; }

private:
    [[nodiscard]] constexpr Vector scaled(const Vector& s) const noexcept {
        if constexpr (N == 3)
            return {half.x * s.x, half.y * s.y, half.z * s.z};
        else
            return {half.x * s.x, half.y * s.y};
    }
};

namespace detail {

/// d without its part along the axis, scaled to length 1; 0 if nothing else is left, up to rounding. |axis|_max is in
/// [1, 2), or the axis is of denormal size.
///
/// A component of the first product is off by at most 2 u |axis|_max |d|_max and its own rounding. If all are below
/// four times that, d is along the axis as far as can be told, and what is left of it may point anywhere, even along
/// the axis: a point that is off the disk's plane is not a point of the shape. The disk's center then falls short by at
/// most 18 u of the radius. Otherwise the first product is at right angles to the axis up to 0.45 of its length, and
/// the second one up to 3 u.
template <class T>
[[nodiscard]] Vec3<T> unit_across(const Vec3<T>& axis, const Vec3<T>& d) noexcept {
    const Vec3<T> normal = cross(axis, d);
    if (!(max_norm(normal) > 8 * unit_roundoff<T> * max_norm(axis) * max_norm(d))) return {};
    return unit(cross(normal, axis));
}

}  // namespace detail

/// Every point within `radius` of the segment from a to b that lies between the planes at its ends. If a == b it is
/// that point, because a disk's orientation would be unknown; for a disk, use a very short axis.
template <class T>
struct Cylinder {
    using Vector = Vec3<T>;
    Vector a{}, b{};
    T radius = 0;

    static constexpr int roundings = 32;  // the ends 6, the direction across 18, the axis 2, the product and the sum 2
    [[nodiscard]] Vector support(const Vector& d) const noexcept {
        const Vector axis = rescaled(b - a);
        return (dot(d, axis) < 0 ? a : b) + radius * detail::unit_across(axis, d);
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(a) + reach(b) + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return T(0.5) * (a + b); }
};

/// The hull of a disk around `base` and the point `apex`. The disk is at right angles to the line between them. If base
/// == apex it is that point.
template <class T>
struct Cone {
    using Vector = Vec3<T>;
    Vector base{}, apex{};
    T radius = 0;

    static constexpr int roundings = 32;  // as the cylinder's, choosing between rim and apex instead of the ends
    [[nodiscard]] Vector support(const Vector& d) const noexcept {
        const Vector rim = base + radius * detail::unit_across(rescaled(apex - base), d);
        return dot(d, apex) > dot(d, rim) ? apex : rim;
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(base) + reach(apex) + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return T(0.75) * base + T(0.25) * apex; }
};

template <class T>
using Circle = Sphere<T, 2>;
template <class T>
using Ellipse = Ellipsoid<T, 2>;

template <class T, int N>
Point(Vec<T, N>) -> Point<T, N>;
template <class T, int N>
Segment(Vec<T, N>, Vec<T, N>) -> Segment<T, N>;
template <class T, int N>
Triangle(Vec<T, N>, Vec<T, N>, Vec<T, N>) -> Triangle<T, N>;
template <class T, int N>
Sphere(Vec<T, N>, std::type_identity_t<T>) -> Sphere<T, N>;
template <class T, int N>
Capsule(Vec<T, N>, Vec<T, N>, std::type_identity_t<T>) -> Capsule<T, N>;
template <class T, int N>
Box(Vec<T, N>, Vec<T, N>) -> Box<T, N>;
template <class T, int N>
OrientedBox(Vec<T, N>, Matrix<T, N>, Vec<T, N>) -> OrientedBox<T, N>;
template <class T, int N>
Ellipsoid(Vec<T, N>, Matrix<T, N>, Vec<T, N>) -> Ellipsoid<T, N>;
template <class T>
Cylinder(Vec3<T>, Vec3<T>, std::type_identity_t<T>) -> Cylinder<T>;
template <class T>
Cone(Vec3<T>, Vec3<T>, std::type_identity_t<T>) -> Cone<T>;

}  // namespace lanecull::gjk
