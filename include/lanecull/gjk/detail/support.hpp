#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include <lanecull/gjk/detail/vec.hpp>

/// A convex shape is its support mapping: the shape's point that lies farthest along a direction.
///
/// That is all that the algorithms need of a shape, so any type with these two members is one:
///
/// ```cpp
/// #include <lanecull/gjk.hpp>
/// #include <cmath>
///
/// struct Egg {  // a ball of radius 1, its upper half stretched
///     using Vector = lanecull::gjk::Vec3<double>;  // or Vec2, or of floats
///     double tall = 2;
///
///     Vector support(const Vector& d) const {
///         const double z = d.z > 0 ? tall : 1;
///         const Vector s = unit(Vector{d.x, d.y, z * d.z});
///         return {s.x, s.y, z * s.z};
///     }
/// };
///
/// int main() {
///     const lanecull::gjk::Box<double> lid{{0, 0, 4}, {5, 5, 1}};
///     const auto found = lanecull::gjk::distance(Egg{}, lid);
///     return std::abs(found.distance - 1) < 1e-12 && std::abs(found.a.z - 2) < 1e-12 ? 0 : 1;
/// }
/// ```
///
/// `direction` may have any length. The result is a point of the shape, its boundary included, whose dot product with
/// the direction is the largest up to rounding; if several are, any of them. For a zero direction it is any point of
/// the shape. The two shapes of a pair must have the same Vector. Queries are thread-safe if the shapes' support() is.
///
/// A shape may have more members, and then gets sharper and faster answers:
///
///   magnitude()       A number that bounds all sums of magnitudes that a component of a support point is made of:
///                     for a ball |centre|_max + radius. The rounding bounds are multiples of it. Without it, every
///                     query starts by testing six support points (four in 2D).
///   roundings         static constexpr int: the support point's dot product with a direction d falls short of the
///                     largest by at most roundings * u * magnitude() * |d|_1, u being half of epsilon. Without it 32.
///   inside()          A point of the shape, as deep inside as is cheap to compute: queries start there.
///   gauge(v)          How many times as large, about inside(), the shape would have inside() + v on its
///                     boundary. More, infinity or NaN, if that is not known. may_intersect() tests by it whether two
///                     overlap on the way between them, or one has the other's support point inside. |v|_max is in
///                     [1, 2) there.
///   core(), margin()  The shape is everything within margin() of core(), another shape. Distances are then those of
///                     the cores less the margins. That is exact for balls and capsules, where support points of the
///                     round surface would take many steps.
///   climbs()          Whether support() takes shortcuts that may lose more than `roundings` covers.
///   exhaustive()      The same shape without such shortcuts. Separation is proved with that one.
///   for_each_corner(visit)  Calls visit(point) for points whose convex hull the shape is: a polytope, which has
///                     contacts (gjk/contacts.hpp).
///   bend(d, s, t)     In 3D, how the support point along d moves as d does: with D, the derivative of support() at d,
///                     a Matrix<Scalar, 2> of s . D s, s . D t, t . D s and t . D t. Searches use it to end by Newton's
///                     method, if the other shape has it or is a polytope. A wrong one costs steps, and proves nothing
///                     wrong.
namespace lanecull::gjk {

namespace detail {

template <class V>
struct VectorTraits;  // empty for anything but Vec

template <class T, int N>
struct VectorTraits<Vec<T, N>> {
    using Scalar = T;
    static constexpr int dimension = N;
};

}  // namespace detail

template <class S>
concept Shape = requires(const S& shape, const typename S::Vector& direction) {
    typename detail::VectorTraits<typename S::Vector>::Scalar;
    { shape.support(direction) } -> std::convertible_to<typename S::Vector>;
};

template <class S>
using VectorOf = typename S::Vector;
template <class S>
using ScalarOf = typename detail::VectorTraits<typename S::Vector>::Scalar;
template <class S>
inline constexpr int dimension_of = detail::VectorTraits<typename S::Vector>::dimension;

template <class A, class B>
concept Pair = Shape<A> && Shape<B> && std::same_as<VectorOf<A>, VectorOf<B>>;

/// Half the distance from 1 to the next larger number: the relative error of one rounding.
template <class T>
inline constexpr T unit_roundoff = std::numeric_limits<T>::epsilon() / 2;

template <class S>
inline constexpr int roundings = 32;
template <class S>
requires requires { S::roundings; }
inline constexpr int roundings<S> = S::roundings;

template <Shape S>
[[nodiscard]] constexpr ScalarOf<S> magnitude(const S& shape) noexcept {
    if constexpr (requires { shape.magnitude(); }) {
        return shape.magnitude();
    } else if constexpr (dimension_of<S> == 3) {
        const auto both_ways = [&](ScalarOf<S> x, ScalarOf<S> y, ScalarOf<S> z) {
            return reach(VectorOf<S>(shape.support({x, y, z}))) + reach(VectorOf<S>(shape.support({-x, -y, -z})));
        };
        return both_ways(1, 0, 0) + both_ways(0, 1, 0) + both_ways(0, 0, 1);
    } else {
        const auto both_ways = [&](ScalarOf<S> x, ScalarOf<S> y) {
            return reach(VectorOf<S>(shape.support({x, y}))) + reach(VectorOf<S>(shape.support({-x, -y})));
        };
        return both_ways(1, 0) + both_ways(0, 1);
    }
}

template <Shape S>
[[nodiscard]] constexpr VectorOf<S> inside(const S& shape) noexcept {
    if constexpr (requires { shape.inside(); })
        return shape.inside();
    else
        return shape.support(some_axis<VectorOf<S>>());
}

/// The shape is given as a core and a radius around it.
template <class S>
concept Round = Shape<S> && requires(const S& shape) {
    requires Shape<std::remove_cvref_t<decltype(shape.core())>>;
    { shape.margin() } -> std::convertible_to<ScalarOf<S>>;
};

template <Shape S>
[[nodiscard]] constexpr decltype(auto) core(const S& shape) noexcept {
    if constexpr (Round<S>)
        return shape.core();
    else
        return (shape);
}

template <Shape S>
[[nodiscard]] constexpr ScalarOf<S> margin(const S& shape) noexcept {
    if constexpr (Round<S>)
        return shape.margin();
    else
        return 0;
}

/// The sum of the margins of a and b, as computed, is off by at most so many u of it: of every sum that a margin is
/// made of, 8 roundings are counted in the shape's own.
template <Shape A, Shape B>
inline constexpr int margin_roundings = (roundings<A> + roundings<B>) / 8 > 2 ? (roundings<A> + roundings<B>) / 8 : 2;

template <class S>
using CoreOf = std::remove_cvref_t<decltype(gjk::core(std::declval<const S&>()))>;

/// The shape's support() may take shortcuts; see climbs() above.
template <class S>
concept Climbing = Shape<S> && requires(const S& shape) {
    { shape.climbs() } -> std::same_as<bool>;
    requires Shape<std::remove_cvref_t<decltype(shape.exhaustive())>>;
};

template <Shape S>
[[nodiscard]] constexpr bool climbs(const S& shape) noexcept {
    if constexpr (Climbing<S>)
        return shape.climbs();
    else
        return false;
}

template <Shape S>
[[nodiscard]] constexpr decltype(auto) exhaustive(const S& shape) noexcept {
    if constexpr (Climbing<S>)
        return shape.exhaustive();
    else
        return (shape);
}

/// Where its boundary is, as seen from inside(), is known.
template <class S>
concept Gauged = Shape<S> && requires(const S& shape, const VectorOf<S>& way) {
    { shape.inside() } -> std::convertible_to<VectorOf<S>>;
    { shape.gauge(way) } -> std::same_as<ScalarOf<S>>;
};

/// Its surface is curved.
template <class S>
concept Bent = Shape<S> && requires(const S& shape, const VectorOf<S>& direction) {
    { shape.bend(direction, direction, direction) } -> std::same_as<Matrix<ScalarOf<S>, 2>>;
};

namespace detail {

struct Visitor {
    template <class V>
    constexpr void operator()(const V&) const noexcept {}
};

}  // namespace detail

/// Its corners can be visited.
template <class S>
concept Polytope = Shape<S> && requires(const S& shape, detail::Visitor visit) {
    shape.for_each_corner(visit);
};

/// What the derivative of support() is, is known.
template <class S>
concept BendKnown = Bent<S> || Polytope<S>;
template <class A, class B>
concept PairBent = BendKnown<A> && BendKnown<B> &&(Bent<A> || Bent<B>);

template <BendKnown S>
[[nodiscard]] constexpr Matrix<ScalarOf<S>, 2> bend(const S& shape, const VectorOf<S>& d, const VectorOf<S>& s,
                                                    const VectorOf<S>& t) noexcept {
    if constexpr (Bent<S>)
        return shape.bend(d, s, t);
    else
        return {};
}

}  // namespace lanecull::gjk
