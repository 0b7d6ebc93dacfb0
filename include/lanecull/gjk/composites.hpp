#pragma once

#include <lanecull/gjk/support.hpp>

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
    [[nodiscard]] constexpr Scalar magnitude() const noexcept {
        const Scalar size = gjk::magnitude(shape);
        return growth(map.linear) * size + extremes(map.linear, size) + reach(map.translation);
    }
    [[nodiscard]] constexpr Vector inside() const noexcept {
        return map.linear * Vector(gjk::inside(shape)) + map.translation;
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
    [[nodiscard]] constexpr Scalar magnitude() const noexcept {
        const Scalar size = gjk::magnitude(shape);
        return growth(pose.rotation) * size + extremes(pose.rotation, size) + reach(pose.translation);
    }
    [[nodiscard]] constexpr Vector inside() const noexcept {
        return pose.rotation * Vector(gjk::inside(shape)) + pose.translation;
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
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(shape) + reach(way); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return Vector(gjk::inside(shape)) + Scalar(0.5) * way; }
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
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(shape); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return -Vector(gjk::inside(shape)); }
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
