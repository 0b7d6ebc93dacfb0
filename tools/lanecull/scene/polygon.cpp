#include "scene/polygon.hpp"

#include <cstddef>
#include <glm/common.hpp>
#include <glm/vec2.hpp>

namespace lanecull::program {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

constexpr std::size_t most_corners = 4096;  // time grows with the square

/// Twice the area of a triangle, positive if it turns to the left.
double turn(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The corners in the plane of two axes, such that they go round to the left: without the axis along which the
/// polygon's normal is longest.
std::vector<glm::dvec2> flattened(std::span<const glm::dvec3> corners) {
    glm::dvec3 normal(0);  // Newell's: the sum of the areas seen along each axis
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 p = corners[i] - corners[0], q = corners[(i + 1) % corners.size()] - corners[0];
        normal += glm::dvec3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x);
    }
    const glm::dvec3 size = glm::abs(normal);
    const int k = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    std::vector<glm::dvec2> result;
    result.reserve(corners.size());
    for (const glm::dvec3& p : corners) {
        const glm::dvec3 d = p - corners[0];
        result.push_back(normal[k] >= 0 ? glm::dvec2(d[u], d[v]) : glm::dvec2(d[v], d[u]));
    }
    return result;
}

/// Whether corner i of the ring is an ear: it turns to the left, and no other corner is in its triangle.
bool is_ear(const std::vector<glm::dvec2>& p, const std::vector<std::uint32_t>& ring, std::size_t i) {
    const std::size_t n = ring.size();
    const glm::dvec2 &a = p[ring[(i + n - 1) % n]], &b = p[ring[i]], &c = p[ring[(i + 1) % n]];
    if (!(turn(a, b, c) > 0)) return false;
    for (std::size_t k = 2; k + 1 < n; ++k) {
        const glm::dvec2& q = p[ring[(i + k) % n]];
        if (q == a || q == b || q == c) continue;
        if (turn(a, b, q) >= 0 && turn(b, c, q) >= 0 && turn(c, a, q) >= 0) return false;
    }
    return true;
}

void add_fan(const std::vector<std::uint32_t>& ring, std::vector<Triangle>& triangles) {
    for (std::size_t i = 2; i < ring.size(); ++i) triangles.push_back({ring[0], ring[i - 1], ring[i]});
}

}  // namespace

std::vector<Triangle> triangles_of(std::span<const glm::dvec3> corners) {
    std::vector<Triangle> triangles;
    std::vector<std::uint32_t> ring;
    triangles.reserve(corners.size());
    ring.reserve(corners.size());
    for (std::uint32_t i = 0; i < corners.size(); ++i) ring.push_back(i);
    if (corners.size() > 3 && corners.size() <= most_corners) {
        const std::vector<glm::dvec2> points = flattened(corners);
        // Behind an ear the next corner is tried, so that ears come from all around.
        for (std::size_t i = 0, failed = 0; ring.size() > 3 && failed < ring.size(); i = (i + 1) % ring.size()) {
            if (!is_ear(points, ring, i)) {
                ++failed;
                continue;
            }
            const std::size_t n = ring.size();
            triangles.push_back({ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]});
            ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
            failed = 0;
        }
    }
    add_fan(ring, triangles);
    return triangles;
}

}  // namespace lanecull::program
