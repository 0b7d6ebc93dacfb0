#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "prove/bounds/clouds.hpp"
#include "prove/bounds/estimate.hpp"

/// The facets of a hull of a few points, found by trying all triples.
namespace prove {

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

}  // namespace prove
