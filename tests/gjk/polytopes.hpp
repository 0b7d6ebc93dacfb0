#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <lanecull/gjk.hpp>

#include "gjk/specimens.hpp"
#include "oracle/exact.hpp"
#include "support/random.hpp"

/// Convex hulls of points, on which rational arithmetic can decide everything.
namespace polytopes {

namespace gjk = lanecull::gjk;

template <class T, int N>
using Points = std::vector<gjk::Vec<T, N>>;

template <class T, int N>
[[nodiscard]] exact::Point exact_point(const gjk::Vec<T, N>& p) {
    if constexpr (N == 3)
        return exact::point(p.x, p.y, p.z);
    else
        return exact::point(p.x, p.y, 0);
}

/// The distance of two hulls by Wolfe's method in rationals (oracle/exact_nearest.hpp). Only the square root is
/// rounded.
template <class T, int N>
[[nodiscard]] double exact_distance(const Points<T, N>& a, const Points<T, N>& b) {
    std::vector<exact::Point> of_a, of_b;
    for (const auto& p : a) of_a.push_back(exact_point(p));
    for (const auto& p : b) of_b.push_back(exact_point(p));
    exact::Nearest<exact::Rational> nearest({of_a, of_b, {}}, {});
    while (const auto better = nearest.better()) {
        if (!nearest.take(*better)) break;
    }
    return std::sqrt(exact::dot(nearest.point(), nearest.point()).template convert_to<double>());
}

/// Whether every point of a lies lower along the direction than every point of b, without rounding.
template <class T, int N>
[[nodiscard]] bool separates(const gjk::Vec<T, N>& direction, const Points<T, N>& a, const Points<T, N>& b) {
    const exact::Point d = exact_point(direction);
    for (const auto& p : a) {
        for (const auto& q : b) {
            if (!(exact::dot(exact_point(p), d) < exact::dot(exact_point(q), d))) return false;
        }
    }
    return true;
}

/// Random points around c.
template <class T, int N>
class Cloud {
public:
    explicit Cloud(Random& random) : random_(random), maker_(random) {}

    /// Coordinates are multiplied by `scale` and stretched along each axis. With `halves` they are multiples of half of
    /// `scale`, so that faces and edges are parallel and touch.
    double scale = 1;
    bool halves = false;
    gjk::Vec<double, N> stretch = all(1);
    gjk::Matrix<T, N> turn = gjk::identity<T, N>();

    [[nodiscard]] static gjk::Vec<double, N> all(double s) {
        if constexpr (N == 3)
            return {s, s, s};
        else
            return {s, s};
    }

    [[nodiscard]] Points<T, N> operator()(const gjk::Vec<double, N>& c) {
        Points<T, N> points(static_cast<std::size_t>(1 + random_.below(12)));
        for (auto& p : points) {
            const auto number = [&](double center, double size) {
                const double v = center + random_.range(-1, 1) * size;
                return static_cast<T>(scale * (halves ? std::round(2 * v) / 2 : v));
            };
            p.x = number(c.x * stretch.x, stretch.x);
            p.y = number(c.y * stretch.y, stretch.y);
            if constexpr (N == 3) p.z = number(c.z * stretch.z, stretch.z);
            p = turn * p;
        }
        return points;
    }

private:
    Random& random_;
    specimens::Maker<T, N> maker_;
};

}  // namespace polytopes
