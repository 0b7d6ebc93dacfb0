#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <lanecull/gjk.hpp>

#include "support/random.hpp"

/// Shapes that contain a given point exactly, at any scale: all their numbers are integers times a power of two. Two of
/// them that contain the same point share it, whatever rounds, underflows or overflows in a query about them.
namespace sharing {

namespace gjk = lanecull::gjk;

template <class T>
class Maker {
public:
    using V = gjk::Vec3<T>;
    /// Scales: from the smallest number to where shapes are nearly too large to be decided.
    static constexpr int least_exponent = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    static constexpr int most_exponent = std::numeric_limits<T>::max_exponent - 28;

    explicit Maker(Random& random) : random_(random) {}

    [[nodiscard]] static T power(int e) { return std::ldexp(T(1), e); }
    [[nodiscard]] int below(int n) { return random_.below(n); }
    [[nodiscard]] T integer(int size) { return static_cast<T>(below(2 * size + 1) - size); }
    [[nodiscard]] V vector(int size) { return {integer(size), integer(size), integer(size)}; }
    [[nodiscard]] T some(int most) { return static_cast<T>(1 + below(most)); }
    [[nodiscard]] V sizes() { return {some(64), some(64), some(64)}; }

    /// Any direction, of any length that is not 0; its components may differ by many powers of two.
    [[nodiscard]] V direction() {
        const bool alike = random_.chance(0.5);
        const int e = exponent();
        const auto number = [&] { return integer(4) * power(alike ? e : exponent()); };
        const V d{number(), number(), number()};
        return is_zero(d) ? V{power(e), 0, 0} : d;
    }

    /// Calls `use` with a shape that contains p * 2^e: on its boundary as a rule.
    template <class Use>
    void with_shape(const V& p, int e, const Use& use) {
        switch (below(4)) {
            case 0:
                return with_corners(p, e, use);
            case 1:
                return with_ball(p, e, use);
            case 2:
                return with_disk(p, e, use);
            default:
                return with_mapped(p, e, use);
        }
    }

private:
    [[nodiscard]] int exponent() { return least_exponent + below(most_exponent + 24 - least_exponent); }

    /// A length of 2^e, split between a matrix and what it maps.
    struct Split {
        gjk::Matrix<T, 3> axes;    ///< the world's axes in some order, with signs
        gjk::Matrix<T, 3> scaled;  ///< times 2^k
        T inner;                   ///< 2^(e - k)
    };
    [[nodiscard]] Split split(int e) {
        V axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int i = 2; i > 0; --i) std::swap(axes[i], axes[below(i + 1)]);
        for (V& axis : axes) axis = random_.chance(0.5) ? -axis : axis;
        int k = below(253) - 126;
        if (e - k < least_exponent || e - k > most_exponent || k > most_exponent) k = 0;
        Split result{{{axes[0], axes[1], axes[2]}}, {}, power(e - k)};
        for (int i = 0; i < 3; ++i) result.scaled.column[i] = power(k) * axes[i];
        return result;
    }

    template <class Use>
    void with_corners(const V& p, int e, const Use& use) {
        const T s = power(e);
        switch (below(4)) {
            case 0:
                return use(gjk::Point<T>{s * p});
            case 1: {
                const V way = vector(64);
                return use(gjk::Segment<T>{s * (p - static_cast<T>(below(3)) * way), s * (p + some(3) * way)});
            }
            case 2:
                return use(gjk::Triangle<T>{s * (p + vector(64)), s * p, s * (p + vector(64))});
            default: {
                std::vector<V> points = {s * p};
                for (int i = 0; i < 6; ++i) points.push_back(s * (p + vector(64)));
                return use(gjk::Hull<T>(points));
            }
        }
    }

    /// (3, 4, 5) times a whole number makes centres and radii that are exact.
    template <class Use>
    void with_ball(const V& p, int e, const Use& use) {
        const T s = power(e), k = some(16);
        const V center = p + V{0, 4 * k, -3 * k};
        if (random_.chance(0.5)) return use(gjk::Sphere<T>{s * center, 5 * k * s});
        return use(gjk::Capsule<T>{s * center, s * (center + vector(64)), 5 * k * s});
    }

    /// p on the rim. The axis is as short as numbers go where it is added to a coordinate that is 0.
    template <class Use>
    void with_disk(const V& p, int e, const Use& use) {
        const T s = power(e), radius = some(64) * s;
        const T shortest = std::max(s * power(-below(80)), power(least_exponent));
        const V center = s * p - V{0, 0, radius};
        const V along = random_.chance(0.5) ? V{p.x == 0 ? shortest : some(64) * s, 0, 0}
                                            : V{0, p.y == 0 ? shortest : some(64) * s, 0};
        if (random_.chance(0.5)) return use(gjk::Cylinder<T>{center, center + along, radius});
        return use(gjk::Cone<T>{center, center - along, radius});
    }

    template <class Use>
    void with_mapped(const V& p, int e, const Use& use) {
        const T s = power(e);
        const Split split = this->split(e);
        const V half = sizes(), way = vector(64);
        switch (below(5)) {
            case 0:
                return use(gjk::OrientedBox<T>{s * (p - split.axes * V{half.x, 0, -half.z}), split.scaled,
                                               split.inner * half});
            case 1:
                return use(gjk::Ellipsoid<T>{s * (p - split.axes * V{0, half.y, 0}), split.scaled, split.inner * half});
            case 2: {
                const T k = some(16);
                const gjk::Capsule<T> capsule{split.inner * (way + V{0, 3 * k, 4 * k}),
                                              split.inner * (way + vector(64)), 5 * k * split.inner};
                return use(gjk::Transformed{capsule, gjk::Affine<T, 3>{split.scaled, s * (p - split.axes * way)}});
            }
            case 3:
                return use(gjk::Rounded{gjk::Swept{gjk::Box<T>{s * (p - half - way), s * half}, s * way}, some(4) * s});
            default:
                return use(gjk::Box<T>{s * (p - V{half.x, 0, -half.z}), s * half});
        }
    }

    Random& random_;
};

}  // namespace sharing
