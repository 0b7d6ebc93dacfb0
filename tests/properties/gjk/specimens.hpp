#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include <lanecull/gjk.hpp>

#include "support/random.hpp"

/// Random shapes of every kind and composite.
namespace specimens {

namespace gjk = lanecull::gjk;

/// Kinds of shapes. Each list has a struct of its own: a type's name stands in the names of all functions that are made
/// of it, which with whole lists in them were tens of kilobytes long.
template <class... Shapes>
struct KindList {
    using Specimen = std::variant<Shapes...>;
    static constexpr int roundings = std::max({gjk::roundings<Shapes>...});
    static constexpr bool bend_known = (gjk::BendKnown<Shapes> && ...);
};

/// A shape of one of the kinds, behind one type that climbs if they do.
template <bool can_climb, class Kinds>
struct OneOf {
    using Vector = gjk::VectorOf<std::variant_alternative_t<0, typename Kinds::Specimen>>;
    typename Kinds::Specimen specimen;

    static constexpr int roundings = Kinds::roundings;
    [[nodiscard]] Vector support(const Vector& d) const {
        return std::visit([&](const auto& shape) -> Vector { return shape.support(d); }, specimen);
    }
    [[nodiscard]] gjk::ScalarOf<OneOf> magnitude() const {
        return std::visit([](const auto& shape) { return gjk::magnitude(shape); }, specimen);
    }
    [[nodiscard]] Vector inside() const {
        return std::visit([](const auto& shape) -> Vector { return gjk::inside(shape); }, specimen);
    }
    [[nodiscard]] gjk::ScalarOf<OneOf> gauge(const Vector& v) const {
        constexpr auto unknown = std::numeric_limits<gjk::ScalarOf<OneOf>>::infinity();
        const auto of = [&](const auto& shape) {
            if constexpr (requires { shape.gauge(v); })
                return shape.gauge(v);
            else
                return unknown;
        };
        return std::visit(of, specimen);
    }
    /// A template since clang 14 compiles members whose constraints do not hold with the struct.
    template <std::same_as<Vector> V>
    [[nodiscard]] gjk::Matrix<gjk::ScalarOf<OneOf>, 2> bend(const V& d, const V& s, const V& t) const
        requires(gjk::dimension_of<OneOf> == 3 && Kinds::bend_known) {
        return std::visit([&](const auto& shape) { return gjk::bend(shape, d, s, t); }, specimen);
    }
    [[nodiscard]] bool climbs() const requires can_climb {
        return std::visit([](const auto& shape) { return gjk::climbs(shape); }, specimen);
    }
    [[nodiscard]] OneOf exhaustive() const requires can_climb {
        return std::visit([](const auto& shape) { return OneOf{gjk::exhaustive(shape)}; }, specimen);
    }
};

template <class T, int N>
struct Kinds;

template <class T>
struct Kinds<T, 3> : KindList<gjk::Point<T>, gjk::Segment<T>, gjk::Triangle<T>, gjk::Sphere<T>, gjk::Capsule<T>,
                              gjk::Box<T>, gjk::OrientedBox<T>, gjk::Ellipsoid<T>, gjk::Cylinder<T>, gjk::Cone<T>,
                              gjk::SphericalSector<T>, gjk::Hull<T>, gjk::Rounded<gjk::Swept<gjk::OrientedBox<T>>>,
                              gjk::Transformed<gjk::Join<gjk::Cone<T>, gjk::Sphere<T>>>, gjk::Placed<gjk::Capsule<T>>,
                              gjk::Sum<gjk::Triangle<T>, gjk::Negated<gjk::Ellipsoid<T>>>> {};

template <class T>
struct Kinds<T, 2>
    : KindList<gjk::Point<T, 2>, gjk::Segment<T, 2>, gjk::Triangle<T, 2>, gjk::Circle<T>, gjk::Capsule<T, 2>,
               gjk::Box<T, 2>, gjk::OrientedBox<T, 2>, gjk::Ellipse<T>, gjk::Polygon<T>,
               gjk::Rounded<gjk::Swept<gjk::OrientedBox<T, 2>>>,
               gjk::Transformed<gjk::Join<gjk::Triangle<T, 2>, gjk::Circle<T>>>, gjk::Placed<gjk::Capsule<T, 2>>,
               gjk::Sum<gjk::Triangle<T, 2>, gjk::Negated<gjk::Ellipse<T>>>> {};

/// A shape of any kind.
template <class T, int N>
using Any = OneOf<false, Kinds<T, N>>;
template <class T, int N>
using Specimen = typename Kinds<T, N>::Specimen;

// Compiled once, by supports.cpp.
extern template struct OneOf<false, Kinds<float, 3>>;
extern template struct OneOf<false, Kinds<double, 3>>;
extern template struct OneOf<false, Kinds<float, 2>>;
extern template struct OneOf<false, Kinds<double, 2>>;

template <class T, int N>
inline constexpr int kinds = static_cast<int>(std::variant_size_v<Specimen<T, N>>);

/// Of numbers in turn.
template <class T, int N, class Number>
[[nodiscard]] gjk::Vec<T, N> vector_of(const Number& number) {
    if constexpr (N == 3)
        return {number(), number(), number()};
    else
        return {number(), number()};
}

template <class T, int N>
class Maker {
public:
    using V = gjk::Vec<T, N>;

    explicit Maker(Random& random) : random_(random) {}

    [[nodiscard]] V vector(double size) {
        return vector_of<T, N>([&] { return static_cast<T>(random_.range(-size, size)); });
    }

    /// A vector of length 1 in any direction.
    [[nodiscard]] V direction() {
        for (;;) {
            const V v = vector(1);
            const T square = dot(v, v);
            if (square > T(0.01) && square < 1) return gjk::unit(v);
        }
    }

    [[nodiscard]] gjk::Matrix<T, N> rotation() {
        gjk::Matrix<T, N> m;
        m.column[0] = direction();
        if constexpr (N == 2) {
            m.column[1] = gjk::perpendicular(m.column[0]);
        } else {
            for (;;) {
                const V v = direction();
                const V across = v - dot(v, m.column[0]) * m.column[0];
                if (dot(across, across) < T(0.01)) continue;
                m.column[1] = gjk::unit(across);
                m.column[2] = gjk::cross(m.column[0], m.column[1]);
                break;
            }
        }
        return m;
    }

    /// One size in ten is 0. Half of the others are between 0.3 and 1.
    [[nodiscard]] T size() {
        if (random_.chance(0.1)) return 0;
        return static_cast<T>(random_.chance(0.5) ? random_.range(0.3, 1) : random_.log_range(1e-3, 1));
    }
    [[nodiscard]] V sizes() {
        return vector_of<T, N>([&] { return size(); });
    }

    /// A shape around `center`, of a size of about 1.
    template <class S>
    [[nodiscard]] S make(const V& center) {
        return shape(center, static_cast<S*>(nullptr));
    }
    /// Of any kind.
    [[nodiscard]] Any<T, N> any(const V& center) {
        Any<T, N> made{gjk::Point<T, N>{center}};
        const auto kind = static_cast<std::size_t>(random_.below(kinds<T, N>));
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto put = [&]<std::size_t K>() {
                made.specimen.template emplace<K>(make<std::variant_alternative_t<K, Specimen<T, N>>>(center));
            };
            ((I == kind ? put.template operator()<I>() : void()), ...);
        }
        (std::make_index_sequence<kinds<T, N>>());
        return made;
    }

private:
    [[nodiscard]] V near(const V& center) { return center + vector(1); }

    auto shape(const V& c, gjk::Point<T, N>*) { return gjk::Point<T, N>{near(c)}; }
    auto shape(const V& c, gjk::Segment<T, N>*) { return gjk::Segment<T, N>{near(c), near(c)}; }
    auto shape(const V& c, gjk::Triangle<T, N>*) { return gjk::Triangle<T, N>{near(c), near(c), near(c)}; }
    auto shape(const V& c, gjk::Sphere<T, N>*) { return gjk::Sphere<T, N>{near(c), size()}; }
    auto shape(const V& c, gjk::Capsule<T, N>*) { return gjk::Capsule<T, N>{near(c), near(c), size()}; }
    auto shape(const V& c, gjk::Box<T, N>*) { return gjk::Box<T, N>{near(c), sizes()}; }
    auto shape(const V& c, gjk::OrientedBox<T, N>*) { return gjk::OrientedBox<T, N>{near(c), rotation(), sizes()}; }
    auto shape(const V& c, gjk::Ellipsoid<T, N>*) { return gjk::Ellipsoid<T, N>{near(c), rotation(), sizes()}; }
    auto shape(const V& c, gjk::Cylinder<T>*) { return gjk::Cylinder<T>{near(c), near(c), size()}; }
    auto shape(const V& c, gjk::Cone<T>*) { return gjk::Cone<T>{near(c), near(c), size()}; }
    auto shape(const V& c, gjk::SphericalSector<T>*) { return gjk::SphericalSector<T>{near(c), near(c), size()}; }
    auto shape(const V& c, gjk::Hull<T, N>*) {
        std::vector<V>& points = points_.emplace_back(static_cast<std::size_t>(1 + random_.below(14)));
        gjk::Matrix<T, N> map = rotation();
        for (V& column : map.column) column = size() * column;
        for (V& p : points) p = c + map * vector(1);
        return gjk::Hull<T, N>(points);
    }
    template <class S>
    auto shape(const V& c, gjk::Swept<S>*) {
        return gjk::Swept<S>{shape(c, static_cast<S*>(nullptr)), vector(1)};
    }
    template <class S>
    auto shape(const V& c, gjk::Rounded<S>*) {
        return gjk::Rounded<S>{shape(c, static_cast<S*>(nullptr)), size()};
    }
    template <class S>
    auto shape(const V& c, gjk::Negated<S>*) {
        return gjk::Negated<S>{shape(-c, static_cast<S*>(nullptr))};
    }
    template <class S>
    auto shape(const V& c, gjk::Placed<S>*) {
        return gjk::Placed<S>{shape(V{}, static_cast<S*>(nullptr)), {rotation(), c}};
    }
    /// Mirrored, sheared or flattened.
    template <class S>
    auto shape(const V& c, gjk::Transformed<S>*) {
        gjk::Affine<T, N> map;
        for (V& column : map.linear.column) column = vector(1);
        if (random_.chance(0.2)) map.linear.column[1] = {};
        map.translation = c;
        return gjk::Transformed<S>{shape(V{}, static_cast<S*>(nullptr)), map};
    }
    template <class A, class B>
    auto shape(const V& c, gjk::Sum<A, B>*) {
        return gjk::Sum<A, B>{shape(c, static_cast<A*>(nullptr)), shape(V{}, static_cast<B*>(nullptr))};
    }
    template <class A, class B>
    auto shape(const V& c, gjk::Join<A, B>*) {
        return gjk::Join<A, B>{shape(c, static_cast<A*>(nullptr)), shape(c, static_cast<B*>(nullptr))};
    }

    Random& random_;
    std::deque<std::vector<V>> points_;  ///< the hulls' points
};

template <class T, int N>
using Points = std::vector<gjk::Vec<T, N>>;

/// Hulls of up to 12 points: ordinary ones; of any scale; with coordinates at multiples of a half, so that faces and
/// edges are parallel and touch; some of these flat; and slivers, a millionth as thick as long, for which floats have
/// some four bits left.
template <class T, int N>
class Clouds {
public:
    Clouds(Random& random, bool slivers) : random_(random), maker_(random), style_(random.below(slivers ? 4 : 3)) {
        if (style_ == 1) scale_ = random.log_range(1e-6, 1e6);
        if (style_ != 3) {
            stretch_[0] = random.chance(0.2) ? 0 : 1;
            return;
        }
        stretch_[0] = random.log_range(1e-6, 1);
        if (random.chance(0.5)) stretch_[1] = random.log_range(1e-6, 1);
        if (random.chance(0.7)) turn_ = maker_.rotation();
    }

    [[nodiscard]] Points<T, N> cloud(double far) {
        Points<T, N> points(static_cast<std::size_t>(1 + random_.below(12)));
        const double middle[3] = {random_.range(-far, far), random_.range(-far, far), random_.range(-far, far)};
        for (auto& p : points) {
            std::size_t k = 0;
            p = turn_ * vector_of<T, N>([&] {
                    const double v = stretch_[k] * (middle[k] + random_.range(-1, 1));
                    ++k;
                    return static_cast<T>(scale_ * (style_ == 2 ? std::round(2 * v) / 2 : v));
                });
        }
        return points;
    }
    [[nodiscard]] double scale() const { return scale_; }
    /// Of distances, relative to the size.
    [[nodiscard]] double accuracy() const {
        if (style_ == 3) return sizeof(T) == 4 ? 1e-5 : 1e-13;
        return 50 * double{gjk::unit_roundoff<T>};
    }

private:
    Random& random_;
    Maker<T, N> maker_;
    int style_;
    double scale_ = 1, stretch_[3] = {1, 1, 1};
    gjk::Matrix<T, N> turn_ = gjk::identity<T, N>();
};

}  // namespace specimens
