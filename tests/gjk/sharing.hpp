#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include <lanecull/gjk.hpp>

#include "gjk/specimens.hpp"
#include "support/random.hpp"

/// Shapes that contain a given point exactly, at any scale: all their numbers are integers times a power of two. Two of
/// them that contain the same point share it, whatever rounds, underflows or overflows in a query about them.
namespace sharing {

namespace gjk = lanecull::gjk;

/// Numbers, vectors and axes of which sums are exact.
template <class T, int N>
class Numbers {
public:
    using V = gjk::Vec<T, N>;
    /// Scales: from the smallest number to where shapes are nearly too large to be decided.
    static constexpr int least_exponent = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    static constexpr int most_exponent = std::numeric_limits<T>::max_exponent - 28;

    explicit Numbers(Random& random) : random_(random) {}

    [[nodiscard]] static T power(int e) { return std::ldexp(T(1), e); }
    [[nodiscard]] bool chance(double probability) { return random_.chance(probability); }
    [[nodiscard]] int below(int n) { return random_.below(n); }
    [[nodiscard]] T integer(int size) { return static_cast<T>(below(2 * size + 1) - size); }
    [[nodiscard]] V vector(int size) {
        return vector_of([&] { return integer(size); });
    }
    [[nodiscard]] T some(int most) { return static_cast<T>(1 + below(most)); }
    [[nodiscard]] V sizes() {
        return vector_of([&] { return some(64); });
    }
    [[nodiscard]] int scale() { return least_exponent + below(most_exponent - least_exponent); }

    /// Any direction, of any length that is not 0; its components may differ by many powers of two.
    [[nodiscard]] V direction() {
        const bool alike = chance(0.5);
        const int e = exponent();
        const V d = vector_of([&] { return integer(4) * power(alike ? e : exponent()); });
        return is_zero(d) ? power(e) * gjk::some_axis<V>() : d;
    }

    /// A vector of integers whose magnitudes are alike, or 0: differences of products cancel.
    [[nodiscard]] V diagonal() {
        const T k = some(4);
        const V v = vector_of([&] { return chance(0.25) ? T(0) : k * static_cast<T>(random_.sign()); });
        return is_zero(v) ? k * gjk::some_axis<V>() : v;
    }

    /// A length of 2^e, split between a matrix and what it maps.
    struct Split {
        gjk::Matrix<T, N> axes;    ///< the world's axes in some order, with signs
        gjk::Matrix<T, N> scaled;  ///< times 2^k
        T inner;                   ///< 2^(e - k)
    };
    [[nodiscard]] Split split(int e) {
        gjk::Matrix<T, N> axes = gjk::identity<T, N>();
        for (int i = N - 1; i > 0; --i) std::swap(axes.column[i], axes.column[below(i + 1)]);
        for (V& axis : axes.column) axis = chance(0.5) ? -axis : axis;
        int k = below(253) - 126;
        if (e - k < least_exponent || e - k > most_exponent || k > most_exponent) k = 0;
        Split result{axes, {}, power(e - k)};
        for (int i = 0; i < N; ++i) result.scaled.column[i] = power(k) * axes.column[i];
        return result;
    }

protected:
    template <class Number>
    [[nodiscard]] static V vector_of(const Number& number) {
        if constexpr (N == 3)
            return {number(), number(), number()};
        else
            return {number(), number()};
    }

    Random& random_;

private:
    [[nodiscard]] int exponent() { return least_exponent + below(most_exponent + 24 - least_exponent); }
};

template <class T, int N = 3>
class Maker;

template <class T>
class Maker<T, 3> : public Numbers<T, 3> {
    using Base = Numbers<T, 3>;

public:
    using Base::Base;
    using Base::below, Base::chance, Base::least_exponent, Base::power, Base::sizes, Base::some, Base::vector;
    using typename Base::Split, typename Base::V;

    /// A shape that contains p * 2^e: on its boundary as a rule. Its points live as long as the maker.
    [[nodiscard]] specimens::Any<T, 3> shape(const V& p, int e) {
        switch (below(4)) {
            case 0:
                return {with_corners(p, e)};
            case 1:
                return {with_ball(p, e)};
            case 2:
                return {with_disk(p, e)};
            default:
                return {with_mapped(p, e)};
        }
    }

private:
    using Specimen = specimens::Specimen<T, 3>;

    [[nodiscard]] Specimen with_corners(const V& p, int e) {
        const T s = power(e);
        switch (below(4)) {
            case 0:
                return gjk::Point<T>{s * p};
            case 1: {
                const V way = vector(64);
                return gjk::Segment<T>{s * (p - static_cast<T>(below(3)) * way), s * (p + some(3) * way)};
            }
            case 2:
                return gjk::Triangle<T>{s * (p + vector(64)), s * p, s * (p + vector(64))};
            default: {
                std::vector<V>& points = points_.emplace_back(1, s * p);
                for (int i = 0; i < 6; ++i) points.push_back(s * (p + vector(64)));
                return gjk::Hull<T>(points);
            }
        }
    }

    /// (3, 4, 5) times a whole number makes centres and radii that are exact.
    [[nodiscard]] Specimen with_ball(const V& p, int e) {
        const T s = power(e), k = some(16);
        const V center = p + V{0, 4 * k, -3 * k};
        if (chance(0.5)) return gjk::Sphere<T>{s * center, 5 * k * s};
        return gjk::Capsule<T>{s * center, s * (center + vector(64)), 5 * k * s};
    }

    /// p on the rim. The axis is as short as numbers go where it is added to a coordinate that is 0.
    [[nodiscard]] Specimen with_disk(const V& p, int e) {
        const T s = power(e), radius = some(64) * s;
        const T shortest = std::max(s * power(-below(80)), power(least_exponent));
        const V center = s * p - V{0, 0, radius};
        const V along =
            chance(0.5) ? V{p.x == 0 ? shortest : some(64) * s, 0, 0} : V{0, p.y == 0 ? shortest : some(64) * s, 0};
        if (chance(0.5)) return gjk::Cylinder<T>{center, center + along, radius};
        return gjk::Cone<T>{center, center - along, radius};
    }

    [[nodiscard]] Specimen with_mapped(const V& p, int e) {
        const T s = power(e);
        const Split split = Base::split(e);
        const V half = sizes(), way = vector(64);
        switch (below(6)) {
            case 0:
                return gjk::OrientedBox<T>{s * (p - split.axes * V{half.x, 0, -half.z}), split.scaled,
                                           split.inner * half};
            case 1:
                return gjk::Ellipsoid<T>{s * (p - split.axes * V{0, half.y, 0}), split.scaled, split.inner * half};
            case 2: {
                const T k = some(16);
                const gjk::Sphere<T> sphere{split.inner * (way + V{0, 3 * k, 4 * k}), 5 * k * split.inner};
                const gjk::Cone<T> cone{split.inner * vector(64), split.inner * vector(64), some(64) * split.inner};
                return gjk::Transformed{gjk::Join{cone, sphere},
                                        gjk::Affine<T, 3>{split.scaled, s * (p - split.axes * way)}};
            }
            case 3: {
                const gjk::OrientedBox<T> box{s * (p - split.axes * half - way), split.scaled, split.inner * half};
                return gjk::Rounded{gjk::Swept{box, s * way}, some(4) * s};
            }
            case 4: {
                const T k = some(16);
                const gjk::Capsule<T> capsule{s * (way + V{0, 3 * k, 4 * k}), s * (way + vector(64)), 5 * k * s};
                return gjk::Placed<gjk::Capsule<T>>{capsule, {split.axes, s * (p - split.axes * way)}};
            }
            default:
                return gjk::Box<T>{s * (p - V{half.x, 0, -half.z}), s * half};
        }
    }

    std::deque<std::vector<V>> points_;  ///< the hulls' points
};

/// The same in the plane.
template <class T>
class Maker<T, 2> : public Numbers<T, 2> {
    using Base = Numbers<T, 2>;

public:
    using Base::Base;
    using Base::below, Base::chance, Base::power, Base::sizes, Base::some, Base::vector;
    using typename Base::Split, typename Base::V;

    [[nodiscard]] specimens::Any<T, 2> shape(const V& p, int e) {
        switch (below(3)) {
            case 0:
                return {with_corners(p, e)};
            case 1:
                return {with_arc(p, e)};
            default:
                return {with_mapped(p, e)};
        }
    }

private:
    using Specimen = specimens::Specimen<T, 2>;

    [[nodiscard]] Specimen with_corners(const V& p, int e) {
        const T s = power(e);
        const V half = sizes(), way = vector(64);
        switch (below(5)) {
            case 0:
                return gjk::Point<T, 2>{s * p};
            case 1:
                return gjk::Segment<T, 2>{s * (p - static_cast<T>(below(3)) * way), s * (p + some(3) * way)};
            case 2:
                return gjk::Triangle<T, 2>{s * (p + vector(64)), s * p, s * (p + vector(64))};
            case 3:
                return gjk::Box<T, 2>{s * (p - V{half.x, 0}), s * half};
            default: {
                std::vector<V>& points = points_.emplace_back(1, s * p);
                for (int i = 0; i < 6; ++i) points.push_back(s * (p + vector(64)));
                return gjk::Polygon<T>(points);
            }
        }
    }

    [[nodiscard]] Specimen with_arc(const V& p, int e) {
        const T s = power(e), k = some(16);
        const V center = p + V{4 * k, -3 * k};
        if (chance(0.5)) return gjk::Circle<T>{s * center, 5 * k * s};
        return gjk::Capsule<T, 2>{s * center, s * (center + vector(64)), 5 * k * s};
    }

    [[nodiscard]] Specimen with_mapped(const V& p, int e) {
        const T s = power(e), k = some(16);
        const Split split = Base::split(e);
        const V half = sizes(), way = vector(64), rim{3 * k, 4 * k};
        const auto triangle = [&](T unit) {
            return gjk::Triangle<T, 2>{unit * vector(64), unit * vector(64), unit * vector(64)};
        };
        switch (below(5)) {
            case 0:
                return gjk::OrientedBox<T, 2>{s * (p - split.axes * V{half.x, -half.y}), split.scaled,
                                              split.inner * half};
            case 1:
                return gjk::Ellipse<T>{s * (p - split.axes * V{0, half.y}), split.scaled, split.inner * half};
            case 2: {
                const gjk::Circle<T> circle{split.inner * (way + rim), 5 * k * split.inner};
                return gjk::Transformed{gjk::Join{triangle(split.inner), circle},
                                        gjk::Affine<T, 2>{split.scaled, s * (p - split.axes * way)}};
            }
            case 3: {
                const gjk::OrientedBox<T, 2> box{s * (p - split.axes * half - way), split.scaled, split.inner * half};
                return gjk::Rounded{gjk::Swept{box, s * way}, some(4) * s};
            }
            default: {
                const gjk::Capsule<T, 2> capsule{s * (way + rim), s * (way + vector(64)), 5 * k * s};
                return gjk::Placed<gjk::Capsule<T, 2>>{capsule, {split.axes, s * (p - split.axes * way)}};
            }
        }
    }

    std::deque<std::vector<V>> points_;  ///< the polygons' points
};

}  // namespace sharing
