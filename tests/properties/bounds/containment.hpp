#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include <lanecull/bounds.h>

#include "properties/bounds/estimate.hpp"

/// Whether what the library says contains a point does, as sets of real points that the floats define.
namespace properties {

using Vertex = std::array<float, 3>;
using Cloud = std::vector<Vertex>;

[[nodiscard]] inline bool all_finite(const float* first, std::size_t count) {
    return std::all_of(first, first + count, [](float number) { return std::isfinite(number); });
}

[[nodiscard]] inline bool all_finite(const Cloud& cloud) {
    return std::ranges::all_of(cloud, [](const Vertex& p) { return all_finite(p.data(), 3); });
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

// The facets of a hull of a few points, found by trying all triples.

/// The half-space through three points that all others lie in.
struct Facet {
    const Vertex& a;
    const Vertex& b;
    const Vertex& c;
    double side;  ///< 1: the normal (b - a) x (c - a) is outward. -1: its opposite is

    /// Outward, normal . (p - a). It is |normal| times how far p lies beyond.
    template <class Exactly>
    [[nodiscard]] NumberOf<Exactly> height(const float* p, Exactly exactly) const {
        const auto n = normal(exactly);
        auto sum = exactly(0.0);
        for (std::size_t k = 0; k < 3; ++k) sum = sum + n[k] * (exactly(p[k]) - exactly(a[k]));
        return exactly(side) * sum;
    }
    template <class Exactly>
    [[nodiscard]] NumberOf<Exactly> square_of_normal(Exactly exactly) const {
        const auto n = normal(exactly);
        return square(n[0]) + square(n[1]) + square(n[2]);
    }

private:
    template <class Exactly>
    [[nodiscard]] std::array<NumberOf<Exactly>, 3> normal(Exactly exactly) const {
        std::array<NumberOf<Exactly>, 3> u, v;
        for (std::size_t k = 0; k < 3; ++k) {
            u[k] = exactly(b[k]) - exactly(a[k]);
            v[k] = exactly(c[k]) - exactly(a[k]);
        }
        return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    }
};

/// Calls holds(facet) for each facet, some of them more than once, until it is false. Points of one plane have none.
template <class Holds>
bool for_each_facet(const Cloud& points, Judge& judge, const Holds& holds) {
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
            for (std::size_t k = j + 1; k < count; ++k) {
                Facet facet{points[i], points[j], points[k], 1};
                bool above = false, below = false;
                for (std::size_t l = 0; l < count && !(above && below); ++l) {
                    if (l == i || l == j || l == k) continue;
                    const int side = judge.sign([&](auto exactly) { return facet.height(points[l].data(), exactly); });
                    above = above || side > 0, below = below || side < 0;
                }
                if (above == below) continue;
                facet.side = above ? -1 : 1;
                if (!holds(facet)) return false;
            }
        }
    }
    return true;
}

/// Whether the points' hull contains a ball of a radius above 0: no facet's plane is nearer to the centre, and the
/// centre is within each. Points of one plane hold none.
[[nodiscard]] inline bool hull_contains_ball(const Cloud& points, const float* center, float radius, Judge& judge) {
    bool solid = false;
    const bool within = for_each_facet(points, judge, [&](const Facet& facet) {
        solid = true;
        const auto height = [&](auto exactly) { return facet.height(center, exactly); };
        return judge.sign(height) < 0 && judge.sign([&](auto exactly) {
            return square(exactly(radius)) * facet.square_of_normal(exactly) - square(height(exactly));
        }) <= 0;
    });
    return solid && within;
}

/// Whether the corners' hull contains each point.
[[nodiscard]] inline bool hull_contains(const Cloud& corners, const Cloud& points, Judge& judge) {
    Cloud others;  // than corners
    std::ranges::copy_if(points, std::back_inserter(others),
                         [&](const Vertex& p) { return std::ranges::find(corners, p) == corners.end(); });
    if (others.empty()) return true;
    bool solid = false;
    const bool inside = for_each_facet(corners, judge, [&](const Facet& facet) {
        solid = true;
        return std::ranges::all_of(others, [&](const Vertex& p) {
            return judge.sign([&](auto exactly) { return facet.height(p.data(), exactly); }) <= 0;
        });
    });
    return solid && inside;
}

}  // namespace properties
