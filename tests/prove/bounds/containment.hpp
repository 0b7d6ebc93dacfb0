#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <lanecull/bounds.h>

#include "prove/bounds/estimate.hpp"

/// Whether what the library says contains a point does, as sets of real points that the floats define.
namespace prove {

using Vertex = std::array<float, 3>;

[[nodiscard]] inline bool all_finite(const float* first, std::size_t count) {
    return std::all_of(first, first + count, [](float number) { return std::isfinite(number); });
}

[[nodiscard]] inline bool contains(const lanecull::BoxBounds& box, const Vertex& p) {
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) inside = inside && box.lower[k] <= p[k] && p[k] <= box.upper[k];
    return inside;
}

/// |p - center|^2 - radius^2 <= 0.
[[nodiscard]] inline bool contains(const lanecull::SphereBounds& sphere, const Vertex& p, Judge& judge) {
    return judge.sign([&](auto exactly) {
        auto beyond = -square(exactly(sphere.radius));
        for (std::size_t k = 0; k < 3; ++k) beyond = beyond + square(exactly(p[k]) - exactly(sphere.center[k]));
        return beyond;
    }) <= 0;
}

/// Whether the sphere contains the one around a position in doubles, seen from the origin: the centres are no farther
/// apart than the radii differ.
[[nodiscard]] inline bool contains_moved(const lanecull::SphereBounds& sphere, const double* position, float radius,
                                         const double* origin, Judge& judge) {
    return sphere.radius >= radius && judge.sign([&](auto exactly) {
        auto apart = -square(exactly(sphere.radius) - exactly(radius));
        for (std::size_t k = 0; k < 3; ++k) {
            apart = apart + square(exactly(position[k]) - exactly(origin[k]) - exactly(sphere.center[k]));
        }
        return apart;
    }) <= 0;
}

/// first . (second x third).
template <class Number>
[[nodiscard]] Number determinant(const std::array<Number, 3>& a, const std::array<Number, 3>& b,
                                 const std::array<Number, 3>& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// Cramer's rule: p = center + sum of t_k axis_k, with t_k det(axes) = det(p - center in the place of axis_k). So the
/// box contains p if |det(...)| - half_k |det(axes)| <= 0 for each k, and the axes span space.
class OrientedBoxSet {
public:
    OrientedBoxSet(const lanecull::OrientedBoxBounds& box, Judge& judge) : box_(box), judge_(judge) {
        solid_ = judge.sign([&](auto exactly) {
            return determinant(axis(0, exactly), axis(1, exactly), axis(2, exactly));
        }) != 0;
    }

    [[nodiscard]] bool contains(const Vertex& p) const {
        if (!solid_) return false;
        for (std::size_t k = 0; k < 3; ++k) {
            const int beyond = judge_.sign([&](auto exactly) {
                const auto one = axis((k + 1) % 3, exactly), two = axis((k + 2) % 3, exactly);
                return abs(determinant(from_center(p, exactly), one, two)) -
                       exactly(box_.half_extents[k]) * abs(determinant(axis(k, exactly), one, two));
            });
            if (beyond > 0) return false;
        }
        return true;
    }

private:
    template <class Exactly>
    [[nodiscard]] std::array<NumberOf<Exactly>, 3> axis(std::size_t k, Exactly exactly) const {
        return {exactly(box_.axes[3 * k]), exactly(box_.axes[3 * k + 1]), exactly(box_.axes[3 * k + 2])};
    }
    template <class Exactly>
    [[nodiscard]] std::array<NumberOf<Exactly>, 3> from_center(const Vertex& p, Exactly exactly) const {
        return {exactly(p[0]) - exactly(box_.center[0]), exactly(p[1]) - exactly(box_.center[1]),
                exactly(p[2]) - exactly(box_.center[2])};
    }

    const lanecull::OrientedBoxBounds& box_;
    Judge& judge_;
    bool solid_ = false;
};

}  // namespace prove
