#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include <lanecull/gjk.hpp>

#include "properties/gjk/specimens.hpp"
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
    /// From -size to size.
    [[nodiscard]] T integer(int size) {
        if (size < 1 << 30) return static_cast<T>(below(2 * size + 1) - size);
        return static_cast<T>(std::floor(random_.range(-size, size + 1.0)));
    }
    [[nodiscard]] V vector(int size) {
        return specimens::vector_of<T, N>([&] { return integer(size); });
    }
    [[nodiscard]] T some(int most) { return static_cast<T>(1 + below(most)); }
    [[nodiscard]] V sizes() {
        return specimens::vector_of<T, N>([&] { return some(64); });
    }
    [[nodiscard]] int scale() { return least_exponent + below(most_exponent - least_exponent); }

    /// Any direction, of any length that is not 0; its components may differ by many powers of two.
    [[nodiscard]] V direction() {
        const bool alike = chance(0.5);
        const int e = exponent();
        const V d = specimens::vector_of<T, N>([&] { return integer(4) * power(alike ? e : exponent()); });
        return is_zero(d) ? power(e) * gjk::some_axis<V>() : d;
    }

    /// A vector of integers whose magnitudes are alike, or 0: differences of products cancel.
    [[nodiscard]] V diagonal() {
        const T k = some(4);
        const V v =
            specimens::vector_of<T, N>([&] { return chance(0.25) ? T(0) : k * static_cast<T>(random_.sign()); });
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
    Random& random_;

private:
    [[nodiscard]] int exponent() { return least_exponent + below(most_exponent + 24 - least_exponent); }
};

/// In space and in the plane. Its points live as long as the maker.
template <class T, int N = 3>
class Maker : public Numbers<T, N> {
    using Base = Numbers<T, N>;

public:
    using Base::Base;
    using Base::below, Base::chance, Base::least_exponent, Base::power, Base::sizes, Base::some, Base::vector;
    using typename Base::Split, typename Base::V;

    /// (3, 4, 5) times a whole number makes centres and radii that are exact.
    [[nodiscard]] static V of_length_5(T y, T z) {
        if constexpr (N == 3)
            return {0, y, z};
        else
            return {y, z};
    }

    /// A shape that contains p * 2^e: on its boundary as a rule.
    [[nodiscard]] specimens::Any<T, N> shape(const V& p, int e) {
        const int which = below(N + 1);
        if (which == 0) return {with_corners(p, e)};
        if (which == 1) return {with_ball(p, e)};
        if constexpr (N == 3) {
            if (which == 2) return {chance(0.8) ? with_disk(p, e) : with_cap(p, e)};
        }
        return {with_mapped(p, e)};
    }

private:
    using Specimen = specimens::Specimen<T, N>;

    [[nodiscard]] static V corner(const V& half) {
        if constexpr (N == 3)
            return {half.x, 0, -half.z};
        else
            return {half.x, -half.y};
    }

    [[nodiscard]] Specimen with_corners(const V& p, int e) {
        const T s = power(e);
        const V way = vector(64), half = sizes();
        switch (below(5)) {
            case 0:
                return gjk::Point<T, N>{s * p};
            case 1:
                return gjk::Segment<T, N>{s * (p - static_cast<T>(below(3)) * way), s * (p + some(3) * way)};
            case 2:
                return gjk::Triangle<T, N>{s * (p + way), s * p, s * (p + vector(64))};
            case 3:
                return gjk::Box<T, N>{s * (p - corner(half)), s * half};
            default: {
                std::vector<V>& points = points_.emplace_back(1, s * p);
                for (int i = 0; i < 6; ++i) points.push_back(s * (p + vector(64)));
                return gjk::Hull<T, N>(points);
            }
        }
    }

    [[nodiscard]] Specimen with_ball(const V& p, int e) {
        const T s = power(e), k = some(16);
        const V center = p + of_length_5(4 * k, -3 * k);
        if (chance(0.5)) return gjk::Sphere<T, N>{s * center, 5 * k * s};
        return gjk::Capsule<T, N>{s * center, s * (center + vector(64)), 5 * k * s};
    }

    /// p on the rim. The axis is as short as numbers go where it is added to a coordinate that is 0.
    [[nodiscard]] Specimen with_disk(const V& p, int e) requires(N == 3) {
        const T s = power(e), radius = some(64) * s;
        const T shortest = std::max(s * power(-below(80)), power(least_exponent));
        const V center = s * p - V{0, 0, radius};
        const V along =
            chance(0.5) ? V{p.x == 0 ? shortest : some(64) * s, 0, 0} : V{0, p.y == 0 ? shortest : some(64) * s, 0};
        switch (below(3)) {
            case 0:
                return gjk::Cylinder<T>{center, center + along, radius};
            case 1:
                return gjk::Cone<T>{center, center - along, radius};
            default:
                return gjk::SphericalSector<T>{center, center - along, radius};
        }
    }

    /// p in the middle of the cap.
    [[nodiscard]] Specimen with_cap(const V& p, int e) requires(N == 3) {
        const T s = power(e), k = some(16);
        const V way = chance(0.5) ? V{0, k, 0} : V{0, 0, -k};
        return gjk::SphericalSector<T>{s * (p - way), s * (p - 5 * way), 3 * k * s};
    }

    /// A cone, or a triangle.
    [[nodiscard]] auto pointed(T unit) {
        const V a = unit * vector(64), b = unit * vector(64);
        if constexpr (N == 3)
            return gjk::Cone<T>{a, b, some(64) * unit};
        else
            return gjk::Triangle<T, N>{a, b, unit * vector(64)};
    }

    [[nodiscard]] Specimen with_mapped(const V& p, int e) {
        const T s = power(e), k = some(16);
        const Split split = Base::split(e);
        const V half = sizes(), way = vector(64), rim = way + of_length_5(3 * k, 4 * k);
        const V center = s * (p - split.axes * way);
        switch (below(5)) {
            case 0:
                return gjk::OrientedBox<T, N>{s * (p - split.axes * corner(half)), split.scaled, split.inner * half};
            case 1: {
                V up{};
                up.y = half.y;
                return gjk::Ellipsoid<T, N>{s * (p - split.axes * up), split.scaled, split.inner * half};
            }
            case 2: {
                const gjk::Sphere<T, N> ball{split.inner * rim, 5 * k * split.inner};
                return gjk::Transformed{gjk::Join{pointed(split.inner), ball}, gjk::Affine<T, N>{split.scaled, center}};
            }
            case 3: {
                const gjk::OrientedBox<T, N> box{s * (p - split.axes * half - way), split.scaled, split.inner * half};
                return gjk::Rounded{gjk::Swept{box, s * way}, some(4) * s};
            }
            default: {
                const gjk::Capsule<T, N> capsule{s * rim, s * (way + vector(64)), 5 * k * s};
                return gjk::Placed<gjk::Capsule<T, N>>{capsule, {split.axes, center}};
            }
        }
    }

    std::deque<std::vector<V>> points_;  ///< the hulls' points
};

}  // namespace sharing
