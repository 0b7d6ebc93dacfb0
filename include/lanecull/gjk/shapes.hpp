#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanecull/gjk/detail/support.hpp>

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
    template <class Visit>
    constexpr void for_each_corner(Visit&& visit) const {
        visit(p);
    }
};

template <class T, int N = 3>
struct Segment {
    using Vector = Vec<T, N>;
    Vector a{}, b{};

    static constexpr int roundings = 6;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept { return dot(d, a) > dot(d, b) ? a : b; }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(a) + reach(b); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return T(0.5) * (a + b); }
    template <class Visit>
    constexpr void for_each_corner(Visit&& visit) const {
        visit(a);
        visit(b);
    }
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
    template <class Visit>
    constexpr void for_each_corner(Visit&& visit) const {
        visit(a);
        visit(b);
        visit(c);
    }
};

namespace detail {

/// s . p t for each two of s and t, p being the projection across n, |n| = 1.
template <class V, class T = typename VectorTraits<V>::Scalar>
[[nodiscard]] constexpr Matrix<T, 2> products_across(const V& n, const V& s, const V& t) noexcept {
    const T ns = dot(n, s), nt = dot(n, t), st = dot(s, t) - ns * nt;
    return {{{dot(s, s) - ns * ns, st}, {st, dot(t, t) - nt * nt}}};
}

template <class T>
[[nodiscard]] Matrix<T, 2> bend_of_ball(T radius, const Vec3<T>& d, const Vec3<T>& s, const Vec3<T>& t) noexcept {
    const T inverse = 1 / length(d);
    return radius * inverse * products_across(inverse * d, s, t);
}

/// v's part along the axis, in lengths of it. NaN if the axis is so short that squares underflow.
template <class T, int N>
[[nodiscard]] constexpr T part_along(const Vec<T, N>& axis, const Vec<T, N>& v) noexcept {
    constexpr T least = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
    const T square = dot(axis, axis);
    return square > least ? dot(v, axis) / square : std::numeric_limits<T>::quiet_NaN();
}

/// From the middle of the axis.
template <class T, int N>
[[nodiscard]] T gauge_of_cylinder(const Vec<T, N>& axis, T radius, const Vec<T, N>& v) noexcept {
    const T share = part_along(axis, v);
    return std::max(2 * abs(share), length(v - share * axis) / radius);
}

}  // namespace detail

template <class T, int N = 3>
struct Sphere {
    using Vector = Vec<T, N>;
    Vector center{};
    T radius = 0;

    static constexpr int roundings = 8;  // unit(): 5, the product and the sum
    [[nodiscard]] Vector support(const Vector& d) const noexcept { return center + radius * unit(d); }
    [[nodiscard]] Matrix<T, 2> bend(const Vector& d, const Vector& s, const Vector& t) const noexcept requires(N == 3) {
        return detail::bend_of_ball(radius, d, s, t);
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(center) + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return center; }
    [[nodiscard]] T gauge(const Vector& v) const noexcept { return length(v) / radius; }
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
    [[nodiscard]] Matrix<T, 2> bend(const Vector& d, const Vector& s, const Vector& t) const noexcept requires(N == 3) {
        return detail::bend_of_ball(radius, d, s, t);
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return core().magnitude() + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return core().inside(); }
    [[nodiscard]] T gauge(const Vector& v) const noexcept {
        return std::min(length(v) / radius, detail::gauge_of_cylinder(b - a, radius, v));
    }
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
    [[nodiscard]] constexpr T gauge(const Vector& v) const noexcept { return max_norm(divided(v, half)); }
    template <class Visit>
    constexpr void for_each_corner(Visit&& visit) const {
        for (unsigned k = 0; k < 1u << N; ++k) {
            Vector way{};
            way.x = k & 1 ? T(1) : T(-1);
            way.y = k & 2 ? T(1) : T(-1);
            if constexpr (N == 3) way.z = k & 4 ? T(1) : T(-1);
            visit(support(way));
        }
    }
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
    [[nodiscard]] constexpr T gauge(const Vector& v) const noexcept {
        const Vector along = transposed_times(axes, v);
        return is_made_of(v, axes, along) ? max_norm(divided(along, half)) : std::numeric_limits<T>::infinity();
    }
    template <class Visit>
    constexpr void for_each_corner(Visit&& visit) const {
        Box<T, N>{{}, half}.for_each_corner([&](const Vector& p) { visit(center + axes * p); });
    }
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
    [[nodiscard]] Matrix<T, 2> bend(const Vector& d, const Vector& s, const Vector& t) const noexcept requires(N == 3) {
        const auto mapped = [&](const Vector& v) { return scaled(transposed_times(axes, v)); };
        const Vector n = mapped(d);
        const T inverse = 1 / length(n);
        return inverse * detail::products_across(inverse * n, mapped(s), mapped(t));
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return OrientedBox<T, N>{center, axes, half}.magnitude(); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return center; }
    [[nodiscard]] T gauge(const Vector& v) const noexcept {
        const Vector along = transposed_times(axes, v);
        return is_made_of(v, axes, along) ? length(divided(along, half)) : std::numeric_limits<T>::infinity();
    }

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
/// four times that, d is along the axis as far as is known, and what is left of it may point anywhere, even along
/// the axis: a point that is off the disk's plane is not a point of the shape. The disk's center then falls short by at
/// most 18 u of the radius. Otherwise the first product is at right angles to the axis up to 0.45 of its length, and
/// the second one up to 3 u.
template <class T>
[[nodiscard, gnu::always_inline]] inline Vec3<T> unit_across(const Vec3<T>& axis, const Vec3<T>& d) noexcept {
    const Vec3<T> normal = cross(axis, d);
    if (!(max_norm(normal) > 8 * unit_roundoff<T> * max_norm(axis) * max_norm(d))) return {};
    return unit(cross(normal, axis));
}

}  // namespace detail

namespace detail {

/// Rims bend along themselves, by the radius over d's length across the axis.
template <class T>
[[nodiscard, gnu::always_inline]] inline Matrix<T, 2> bend_of_rim(T radius, const Vec3<T>& axis, const Vec3<T>& d,
                                                                  const Vec3<T>& s, const Vec3<T>& t) noexcept {
    const Vec3<T> normal = cross(axis, d);
    if (dot(normal, normal) < T(1e-5) * dot(axis, axis) * dot(d, d)) return {};
    const T inverse = 1 / length(normal), ns = inverse * dot(normal, s), nt = inverse * dot(normal, t);
    return radius * length(axis) * inverse * Matrix<T, 2>{{{ns * ns, ns * nt}, {ns * nt, nt * nt}}};
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
    [[nodiscard]] Matrix<T, 2> bend(const Vector& d, const Vector& s, const Vector& t) const noexcept {
        return detail::bend_of_rim(radius, rescaled(b - a), d, s, t);
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(a) + reach(b) + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return T(0.5) * (a + b); }
    [[nodiscard]] T gauge(const Vector& v) const noexcept { return detail::gauge_of_cylinder(b - a, radius, v); }
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
    [[nodiscard]] Matrix<T, 2> bend(const Vector& d, const Vector& s, const Vector& t) const noexcept {
        const Vector axis = rescaled(apex - base);
        const T across = length(cross(axis, d)) / length(axis);
        if (dot(d, apex - base) > radius * across) return {};
        return detail::bend_of_rim(radius, axis, d, s, t);
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return reach(base) + reach(apex) + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return T(0.75) * base + T(0.25) * apex; }
    /// inside() is a quarter of the way from the base, where the cone is 3/4 as wide as its rim.
    [[nodiscard]] T gauge(const Vector& v) const noexcept {
        const Vector axis = apex - base;
        const T share = detail::part_along(axis, v);
        return std::max(-4 * share, (share + length(v - share * axis) / radius) * (T(4) / 3));
    }
};

/// A spherical sector, which is what a spotlight lights: the cone's hull with the cap that its rim cuts off the sphere
/// around `apex`. That of range r and half-angle a below 90 degrees, along a direction w of length 1, has base = apex +
/// r cos(a) w and radius = r sin(a). If base == apex it is that point.
template <class T>
struct SphericalSector {
    using Vector = Vec3<T>;
    Vector base{}, apex{};
    T radius = 0;  ///< of the rim

    /// As the cone's; of the cap the range 5, unit() 5, the product and the sum 2. Where the two meet, one is taken for
    /// the other up to an angle of 12 u, whose square is what the height loses.
    static constexpr int roundings = 32;
    [[nodiscard]] Vector support(const Vector& d) const noexcept {
        return is_on_cap(d) ? apex + range() * unit(d) : cone().support(d);
    }
    [[nodiscard]] Matrix<T, 2> bend(const Vector& d, const Vector& s, const Vector& t) const noexcept {
        return is_on_cap(d) ? detail::bend_of_ball(range(), d, s, t) : cone().bend(d, s, t);
    }
    [[nodiscard]] T magnitude() const noexcept { return reach(base) + reach(apex) + range(); }
    [[nodiscard]] Vector inside() const noexcept {
        const Vector axis = base - apex;
        return apex + T(0.375) * (axis + range() * unit(axis));
    }

private:
    [[nodiscard]] constexpr Cone<T> cone() const noexcept { return {base, apex, radius}; }
    /// From the apex to the rim.
    [[nodiscard]] T range() const noexcept {
        const T scale = scale_to_one(max_norm(base - apex) + radius), across = scale * radius;
        const Vector axis = scale * (base - apex);
        return std::sqrt(dot(axis, axis) + across * across) / scale;
    }
    /// d is nearer to the axis than the rim is.
    [[nodiscard]] bool is_on_cap(const Vector& d) const noexcept {
        const T scale = scale_to_one(max_norm(base - apex));
        const Vector axis = scale * (base - apex), way = rescaled(d);
        return length(cross(axis, way)) * length(axis) < scale * radius * dot(axis, way);
    }
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
template <class T>
SphericalSector(Vec3<T>, Vec3<T>, std::type_identity_t<T>) -> SphericalSector<T>;

}  // namespace lanecull::gjk

/// Shapes made of other shapes, which may be composites themselves. Their support mappings are combined, and so are
/// their rounding bounds. They are aggregates that hold copies of what they are made of; braces nest as the shapes do:
///
/// ```cpp
/// #include <lanecull/gjk.hpp>
/// #include <cmath>
///
/// namespace gjk = lanecull::gjk;
///
/// int main() {
///     const gjk::Box<float> car{{0, 0, 0}, {2, 1, 1}};
///     const gjk::Vec3<float> way{10, 0, 0};
///     // Where it may be until the next frame, with half a metre to spare.
///     const gjk::Rounded path{gjk::Swept{car, way}, 0.5f};
///     // A wall in coordinates of its own, a quarter turn from the road's.
///     const gjk::Pose<float, 3> pose{{{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}}, {6, 4, 0}};
///     const gjk::Placed wall{gjk::Box<float>{{0, 0, 0}, {1, 3, 1}}, pose};
///     return std::abs(gjk::distance(path, wall).distance - 1.5f) < 1e-5f ? 0 : 1;
/// }
/// ```
namespace lanecull::gjk {

/// The shape's image under an affine map, which may mirror, shear or flatten. If the map keeps lengths, prefer Placed,
/// which keeps cores and margins.
template <Shape S>
struct Transformed {
    using Vector = VectorOf<S>;
    using Scalar = ScalarOf<S>;
    S shape;
    Affine<Scalar, dimension_of<S>> map;

    static constexpr int roundings = gjk::roundings<S> + 12;  // the direction's image 6, the point's 4; rounded up
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        // Rescaled, because the shape may be mapped by small or large numbers once more.
        const Vector image = rescaled(transposed_times(map.linear, d));
        return map.linear * Vector(shape.support(image)) + map.translation;
    }
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires Bent<S> {
        const auto mapped = [&](const Vector& v) { return transposed_times(map.linear, v); };
        return shape.bend(mapped(d), mapped(s), mapped(t));
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept {
        const Scalar size = gjk::magnitude(shape);
        return growth(map.linear) * size + extremes(map.linear, size) + reach(map.translation);
    }
    [[nodiscard]] constexpr Vector inside() const noexcept {
        return map.linear * Vector(gjk::inside(shape)) + map.translation;
    }
    template <class Visit>
    requires Polytope<S>
    constexpr void for_each_corner(Visit&& visit) const {
        shape.for_each_corner([&](const Vector& p) { visit(map.linear * p + map.translation); });
    }
    [[nodiscard]] constexpr bool climbs() const noexcept requires Climbing<S> { return gjk::climbs(shape); }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires Climbing<S> {
        return Transformed{gjk::exhaustive(shape), map};
    }
};

/// The shape rotated and moved: the pose maps the shape's coordinates to the pair's.
template <Shape S>
struct Placed {
    using Vector = VectorOf<S>;
    using Scalar = ScalarOf<S>;
    S shape;
    Pose<Scalar, dimension_of<S>> pose;

    static constexpr int roundings = Transformed<S>::roundings;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        return pose.rotation * Vector(shape.support(transposed_times(pose.rotation, d))) + pose.translation;
    }
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires Bent<S> {
        const auto turned = [&](const Vector& v) { return transposed_times(pose.rotation, v); };
        return shape.bend(turned(d), turned(s), turned(t));
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept {
        const Scalar size = gjk::magnitude(shape);
        return growth(pose.rotation) * size + extremes(pose.rotation, size) + reach(pose.translation);
    }
    [[nodiscard]] constexpr Vector inside() const noexcept {
        return pose.rotation * Vector(gjk::inside(shape)) + pose.translation;
    }
    template <class Visit>
    requires Polytope<S>
    constexpr void for_each_corner(Visit&& visit) const {
        shape.for_each_corner([&](const Vector& p) { visit(pose.rotation * p + pose.translation); });
    }
    [[nodiscard]] constexpr Placed<CoreOf<S>> core() const noexcept requires Round<S> {
        return {gjk::core(shape), pose};
    }
    [[nodiscard]] constexpr Scalar margin() const noexcept requires Round<S> { return gjk::margin(shape); }
    [[nodiscard]] constexpr bool climbs() const noexcept requires Climbing<S> { return gjk::climbs(shape); }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires Climbing<S> {
        return Placed{gjk::exhaustive(shape), pose};
    }
};

/// Every place of the shape while it moves by s * way, 0 <= s <= 1.
template <Shape S>
struct Swept {
    using Vector = VectorOf<S>;
    using Scalar = ScalarOf<S>;
    S shape;
    Vector way;

    static constexpr int roundings = gjk::roundings<S> + 8;  // choosing the end 6, the sum 1
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        const Vector p = shape.support(d);
        return dot(d, way) > 0 ? p + way : p;
    }
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires Bent<S> {
        return shape.bend(d, s, t);
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(shape) + reach(way); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return Vector(gjk::inside(shape)) + Scalar(0.5) * way; }
    template <class Visit>
    requires Polytope<S>
    constexpr void for_each_corner(Visit&& visit) const {
        shape.for_each_corner([&](const Vector& p) {
            visit(p);
            visit(p + way);
        });
    }
    [[nodiscard]] constexpr Swept<CoreOf<S>> core() const noexcept requires Round<S> { return {gjk::core(shape), way}; }
    [[nodiscard]] constexpr Scalar margin() const noexcept requires Round<S> { return gjk::margin(shape); }
    [[nodiscard]] constexpr bool climbs() const noexcept requires Climbing<S> { return gjk::climbs(shape); }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires Climbing<S> {
        return Swept{gjk::exhaustive(shape), way};
    }
};

/// Everything within a radius of the shape.
template <Shape S>
struct Rounded {
    using Vector = VectorOf<S>;
    using Scalar = ScalarOf<S>;
    S shape;
    Scalar radius = 0;

    static constexpr int roundings = gjk::roundings<S> + 8;
    [[nodiscard]] Vector support(const Vector& d) const noexcept { return Vector(shape.support(d)) + radius * unit(d); }
    [[nodiscard]] Matrix<Scalar, 2> bend(const Vector& d, const Vector& s, const Vector& t) const noexcept
        requires(BendKnown<S>&& dimension_of<S> == 3) {
        return gjk::bend(shape, d, s, t) + detail::bend_of_ball(radius, d, s, t);
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(shape) + radius; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return gjk::inside(shape); }
    [[nodiscard]] constexpr CoreOf<S> core() const noexcept { return gjk::core(shape); }
    [[nodiscard]] constexpr Scalar margin() const noexcept { return gjk::margin(shape) + radius; }
    [[nodiscard]] constexpr bool climbs() const noexcept requires Climbing<S> { return gjk::climbs(shape); }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires Climbing<S> {
        return Rounded{gjk::exhaustive(shape), radius};
    }
};

/// { -p : p of the shape }: the shape reflected through the origin.
template <Shape S>
struct Negated {
    using Vector = VectorOf<S>;
    using Scalar = ScalarOf<S>;
    S shape;

    static constexpr int roundings = gjk::roundings<S>;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept { return -Vector(shape.support(-d)); }
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires Bent<S> {
        return shape.bend(-d, s, t);
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(shape); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return -Vector(gjk::inside(shape)); }
    template <class Visit>
    requires Polytope<S>
    constexpr void for_each_corner(Visit&& visit) const {
        shape.for_each_corner([&](const Vector& p) { visit(-p); });
    }
    [[nodiscard]] constexpr Negated<CoreOf<S>> core() const noexcept requires Round<S> { return {gjk::core(shape)}; }
    [[nodiscard]] constexpr Scalar margin() const noexcept requires Round<S> { return gjk::margin(shape); }
    [[nodiscard]] constexpr bool climbs() const noexcept requires Climbing<S> { return gjk::climbs(shape); }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires Climbing<S> {
        return Negated{gjk::exhaustive(shape)};
    }
};

/// The Minkowski sum: { p + q : p of a, q of b }.
template <Shape A, Shape B>
requires Pair<A, B>
struct Sum {
    using Vector = VectorOf<A>;
    using Scalar = ScalarOf<A>;
    A a;
    B b;

    static constexpr int roundings = gjk::roundings<A> + gjk::roundings<B> + 1;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        return Vector(a.support(d)) + Vector(b.support(d));
    }
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires PairBent<A, B> {
        return gjk::bend(a, d, s, t) + gjk::bend(b, d, s, t);
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(a) + gjk::magnitude(b); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return Vector(gjk::inside(a)) + Vector(gjk::inside(b)); }
    [[nodiscard]] constexpr Sum<CoreOf<A>, CoreOf<B>> core() const noexcept requires(Round<A> || Round<B>) {
        return {gjk::core(a), gjk::core(b)};
    }
    [[nodiscard]] constexpr Scalar margin() const noexcept requires(Round<A> || Round<B>) {
        return gjk::margin(a) + gjk::margin(b);
    }
    [[nodiscard]] constexpr bool climbs() const noexcept requires(Climbing<A> || Climbing<B>) {
        return gjk::climbs(a) || gjk::climbs(b);
    }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires(Climbing<A> || Climbing<B>) {
        return gjk::Sum{gjk::exhaustive(a), gjk::exhaustive(b)};
    }
};

/// The convex hull of two shapes.
template <Shape A, Shape B>
requires Pair<A, B>
struct Join {
    using Vector = VectorOf<A>;
    using Scalar = ScalarOf<A>;
    A a;
    B b;

    static constexpr int roundings = (gjk::roundings<A> > gjk::roundings<B> ? gjk::roundings<A> : gjk::roundings<B>)+6;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        const Vector p = a.support(d), q = b.support(d);
        return dot(d, p) > dot(d, q) ? p : q;
    }
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires PairBent<A, B> {
        const bool on_a = dot(d, Vector(a.support(d))) > dot(d, Vector(b.support(d)));
        return on_a ? gjk::bend(a, d, s, t) : gjk::bend(b, d, s, t);
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(a) + gjk::magnitude(b); }
    [[nodiscard]] constexpr Vector inside() const noexcept {
        return Scalar(0.5) * (Vector(gjk::inside(a)) + Vector(gjk::inside(b)));
    }
    [[nodiscard]] constexpr bool climbs() const noexcept requires(Climbing<A> || Climbing<B>) {
        return gjk::climbs(a) || gjk::climbs(b);
    }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires(Climbing<A> || Climbing<B>) {
        return gjk::Join{gjk::exhaustive(a), gjk::exhaustive(b)};
    }
};

template <class S, class T, int N>
Transformed(S, Affine<T, N>) -> Transformed<S>;
template <class S, class T, int N>
Placed(S, Pose<T, N>) -> Placed<S>;
template <class S>
Swept(S, VectorOf<S>) -> Swept<S>;
template <class S>
Rounded(S, ScalarOf<S>) -> Rounded<S>;
template <class S>
Negated(S) -> Negated<S>;
template <class A, class B>
Sum(A, B) -> Sum<A, B>;
template <class A, class B>
Join(A, B) -> Join<A, B>;

/// The Minkowski difference: { p - q : p of a, q of b }.
template <Shape A, Shape B>
[[nodiscard]] constexpr Sum<A, Negated<B>> difference(const A& a, const B& b) {
    return {a, {b}};
}

}  // namespace lanecull::gjk
