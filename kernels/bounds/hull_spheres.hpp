#pragma once

/// Two balls around a hull's mean vertex: one that holds the hull, and one that the hull holds.

#include <algorithm>
#include <cmath>

#include <lanecull/batch.hpp>

#include "base/affine.hpp"
#include "base/round_up.hpp"

namespace lanecull {

/// The vertices of a hull, seen from its mean.
class VerticesFromMean {
public:
    explicit VerticesFromMean(const Hull& hull) : hull_(hull) {}

    [[nodiscard]] Double3 operator[](std::uint32_t i) const {
        return {from(hull_.x[i], 0), from(hull_.y[i], 1), from(hull_.z[i], 2)};
    }
    [[nodiscard]] Double3 farthest(const Double3& along) const {
        Double3 best = (*this)[0];
        double most = dot(along, best);
        for (std::uint32_t i = 1; i < hull_.count; ++i) {
            const Double3 p = (*this)[i];
            const double value = dot(along, p);
            if (value > most) best = p, most = value;
        }
        return best;
    }
    [[nodiscard]] double radius() const {
        double most = 0;
        for (std::uint32_t i = 0; i < hull_.count; ++i) most = std::max(most, length((*this)[i]));
        return most;
    }

private:
    [[nodiscard]] double from(float coordinate, std::size_t k) const {
        return static_cast<double>(coordinate) - static_cast<double>(hull_.mean[k]);
    }

    const Hull& hull_;
};

/// How far from the mean the hull goes on at least, in directions that pass through the triangle a, b, c: to its plane,
/// or to those of the three that the vertex farthest beyond it makes with its sides. 0 where the triangle is seen from
/// behind, or so narrow that its plane is not known.
[[nodiscard]] inline double least_reach(const VerticesFromMean& vertices, const Double3& a, const Double3& b,
                                        const Double3& c, bool split) {
    const Double3 ab = b - a, ac = c - a, n = cross(ab, ac);
    const double size = length(n);
    if (!(size > 0x1p-20 * length(ab) * length(ac))) return 0;
    const double reach = std::max(0.0, dot(n, a) / size);
    if (!split || reach == 0) return reach;
    const Double3 tip = vertices.farthest(n);
    const auto side = [&](const Double3& from, const Double3& to) {
        return least_reach(vertices, from, to, tip, false);
    };
    return std::max(reach, std::min({side(a, b), side(b, c), side(c, a)}));
}

/// Eight triangles between the vertices farthest along the axes surround the mean, if it is on the inner side of each.
/// Of 32 vertices on a ball of radius 1 the mean's nearest facet is 0.68 away; this finds 0.40, for 14 looks at each
/// vertex, and 0.34 without the split. (Triangles between vertices farthest along 18 or 66 directions find up to 0.74,
/// but half of the time one of them is seen from behind, and nothing is known.)
[[nodiscard]] inline double inner_radius(const VerticesFromMean& vertices, double outer) {
    Double3 tip[3][2];
    for (int k = 0; k < 3; ++k) {
        const Double3 axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        tip[k][0] = vertices.farthest(axis * -1);
        tip[k][1] = vertices.farthest(axis);
    }
    double least = outer;
    for (int octant = 0; octant < 8; ++octant) {
        const int x = octant & 1, y = octant >> 1 & 1, z = octant >> 2;
        const Double3 &a = tip[0][x], &b = tip[1][y], &c = tip[2][z];
        const bool outward = (x + y + z) % 2 == 1;
        least = std::min(least, least_reach(vertices, a, outward ? b : c, outward ? c : b, true));
    }
    return std::max(0.0, least - 0x1p-28 * outer);  // what the narrowest triangle's plane may be off by
}

inline void find_balls(Hull& hull) {
    const VerticesFromMean vertices(hull);
    const double outer = vertices.radius();
    hull.outer = rounded_up(outer);
    hull.inner = static_cast<float>(inner_radius(vertices, outer) * (1 - 0x1p-20));
}

}  // namespace lanecull
