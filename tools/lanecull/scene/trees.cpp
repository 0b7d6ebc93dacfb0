#include "scene/trees.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <utility>

namespace lanecull::program {
namespace {

/// One ring of vertices: a regular polygon of that radius at that height.
struct Ring {
    float height;
    float radius;
};

/// The unit vectors of a regular polygon of 4 * 2^halvings sides, by halving right angles: square roots alone, which
/// are the same on every machine, where sines are not.
std::vector<glm::vec2> regular_polygon(int halvings) {
    std::vector<glm::dvec2> corners = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (; halvings > 0; --halvings) {
        std::vector<glm::dvec2> finer;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const glm::dvec2 sum = corners[i] + corners[(i + 1) % corners.size()];
            finer.push_back(corners[i]);
            finer.push_back(sum / std::sqrt(sum.x * sum.x + sum.y * sum.y));
        }
        corners = std::move(finer);
    }
    return {corners.begin(), corners.end()};
}

/// The solid between rings (radii a concave function of the height, so it is convex), closed by fans.
HullMesh lathe(std::span<const Ring> rings, const std::vector<glm::vec2>& polygon) {
    HullMesh mesh;
    const auto sides = static_cast<std::uint32_t>(polygon.size());
    for (const Ring& ring : rings) {
        for (const glm::vec2& corner : polygon) {
            mesh.x.push_back(ring.radius * corner.x);
            mesh.y.push_back(ring.radius * corner.y);
            mesh.z.push_back(ring.height);
        }
    }
    const auto top = static_cast<std::uint32_t>(rings.size() - 1) * sides;
    for (std::uint32_t first = 0; first < top; first += sides) {
        for (std::uint32_t i = 0; i < sides; ++i) {
            const std::uint32_t a = first + i, b = first + (i + 1) % sides;
            mesh.triangles.push_back({a, b, b + sides});
            mesh.triangles.push_back({a, b + sides, a + sides});
        }
    }
    for (std::uint32_t i = 1; i + 1 < sides; ++i) {
        mesh.triangles.push_back({0, i + 1, i});
        mesh.triangles.push_back({top, top + i, top + i + 1});
    }
    return mesh;
}

}  // namespace

std::vector<HullMesh> tree_hulls() {
    static constexpr Ring oak[] = {{0, 0.05F}, {0.3F, 0.34F}, {0.55F, 0.45F}, {0.8F, 0.34F}, {1, 0.1F}};
    static constexpr Ring linden[] = {{0, 0.05F}, {0.35F, 0.30F}, {0.65F, 0.33F}, {1, 0.06F}};
    static constexpr Ring poplar[] = {{0, 0.04F}, {0.25F, 0.11F}, {0.6F, 0.13F}, {0.85F, 0.09F}, {1, 0.02F}};
    static constexpr Ring spruce[] = {{0, 0.16F}, {0.15F, 0.22F}, {1, 0.01F}};
    static constexpr Ring pine[] = {{0, 0.03F}, {0.7F, 0.27F}, {1, 0.08F}};
    static constexpr Ring bush[] = {{0, 0.4F}, {0.5F, 0.6F}, {1, 0.3F}};
    const std::vector<glm::vec2> octagon = regular_polygon(1), hexadecagon = regular_polygon(2);
    return {lathe(oak, octagon),    lathe(linden, octagon),   lathe(poplar, octagon),
            lathe(spruce, octagon), lathe(pine, hexadecagon), lathe(bush, octagon)};
}

}  // namespace lanecull::program
