#include "scene/scene_solids.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <type_traits>
#include <variant>

namespace lanecull::program {
namespace {

SolidBox solid(const BoxArrays& b, std::size_t i) {
    return {{b.min_x[i], b.min_y[i], b.min_z[i]}, {b.max_x[i], b.max_y[i], b.max_z[i]}};
}

SolidOrientedBox solid(const CenteredBoxArrays& b, std::size_t i) {
    return {.center = {b.x[i], b.y[i], b.z[i]}, .half_extents = {b.half_x[i], b.half_y[i], b.half_z[i]}};
}

SolidOrientedBox solid(const OrientedBoxArrays& b, std::size_t i) {
    SolidOrientedBox box{.center = {b.x[i], b.y[i], b.z[i]}};
    for (std::size_t k = 0; k < 3; ++k) {
        box.half_extents[k] = b.half_extents[3 * i + k];
        std::copy_n(&b.axes[9 * i + 3 * k], 3, box.axes[k]);
    }
    return box;
}

/// What is left of nothing is no solid: choose_occluders() passes it over.
SolidBox smaller(SolidBox box, double inset) {
    for (int k = 0; k < 3; ++k) {
        box.min[k] = static_cast<float>(box.min[k] + inset);
        box.max[k] = static_cast<float>(box.max[k] - inset);
    }
    return box;
}

SolidOrientedBox smaller(SolidOrientedBox box, double inset) {
    if (inset == 0) return box;
    const glm::dmat3 edges = edges_of(box).half;
    const double volume = std::abs(glm::determinant(edges));
    for (int k = 0; k < 3; ++k) {
        const double area = glm::length(glm::cross(edges[(k + 1) % 3], edges[(k + 2) % 3]));
        const double share = inset * area / volume;  // of the centre's distance from the facet
        box.half_extents[k] = static_cast<float>(box.half_extents[k] * std::max(0.0, 1 - share));
    }
    return box;
}

/// Around the box and `reach` more, in floats.
SolidBox around(const Bounds& bounds, double reach) {
    SolidBox box;
    for (int k = 0; k < 3; ++k) {
        const double low = bounds.lower[k] - reach, high = bounds.upper[k] + reach;
        box.min[k] = static_cast<float>(low);
        box.max[k] = static_cast<float>(high);
        if (static_cast<double>(box.min[k]) > low) box.min[k] = std::nextafter(box.min[k], -FLT_MAX);
        if (static_cast<double>(box.max[k]) < high) box.max[k] = std::nextafter(box.max[k], FLT_MAX);
    }
    return box;
}

SolidBox larger(const SolidBox& box, double reach) {
    return around({{box.min[0], box.min[1], box.min[2]}, {box.max[0], box.max[1], box.max[2]}}, reach);
}

template <class Kind>
constexpr bool has_boxes = requires(const Kind& kind) {
    solid(kind, 0);
};

}  // namespace

double rounding_of_floats(const Scene& scene) {
    const Bounds bounds = scene.bounds();
    double largest = 0;
    for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(bounds.lower[k]), std::abs(bounds.upper[k])});
    return 0x1p-20 * largest;
}

SceneSolids::SceneSolids(const Scene& scene, double inset) {
    std::vector<Owner> of_oriented;
    std::vector<SolidBox> drawn_for_oriented;
    for (std::uint32_t g = 0; g < scene.groups.size(); ++g) {
        std::visit(
            [&]<class Kind>(const Kind& kind) {
                if constexpr (has_boxes<Kind>) {
                    for (const std::uint32_t i : scene.groups[g].solid_objects) {
                        constexpr bool along_axes = std::is_same_v<Kind, BoxArrays>;
                        if constexpr (along_axes) {
                            boxes.push_back(smaller(solid(kind, i), inset));
                        } else {
                            oriented_boxes.push_back(smaller(solid(kind, i), inset));
                        }
                        (along_axes ? owners : of_oriented).push_back({g, i});
                        (along_axes ? drawn : drawn_for_oriented).push_back(around(kind.bounds(i), inset));
                    }
                }
            },
            scene.groups[g].arrays);
    }
    for (const MeshSolids::Box& mesh : scene.mesh_solids.boxes) {
        oriented_boxes.push_back(smaller(mesh.box, inset));
        of_oriented.push_back(mesh.owner);
        drawn_for_oriented.push_back(larger(mesh.drawn, inset));
    }
    owners.insert(owners.end(), of_oriented.begin(), of_oriented.end());
    drawn.insert(drawn.end(), drawn_for_oriented.begin(), drawn_for_oriented.end());
}

bool is_of_boxes(const Group& group) {
    return std::visit([]<class Kind>(const Kind&) { return has_boxes<Kind>; }, group.arrays);
}

BoxEdges edges_of(const SolidBox& box) {
    const glm::dvec3 low(box.min[0], box.min[1], box.min[2]), high(box.max[0], box.max[1], box.max[2]);
    const glm::dvec3 half = 0.5 * (high - low);
    return {0.5 * (low + high), {half.x, 0, 0, 0, half.y, 0, 0, 0, half.z}};
}

BoxEdges edges_of(const SolidOrientedBox& box) {
    BoxEdges edges{{box.center[0], box.center[1], box.center[2]}, {}};
    for (int k = 0; k < 3; ++k) {
        const float* axis = box.axes[k];
        edges.half[k] = static_cast<double>(box.half_extents[k]) * glm::dvec3(axis[0], axis[1], axis[2]);
    }
    return edges;
}

}  // namespace lanecull::program
