#include "scene/scene_solids.hpp"

#include <algorithm>
#include <cstdint>
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
    for (float& half : box.half_extents) half = static_cast<float>(std::max(0.0, half - inset));
    return box;
}

template <class Kind>
constexpr bool has_boxes = requires(const Kind& kind) {
    solid(kind, 0);
};

}  // namespace

SceneSolids::SceneSolids(const Scene& scene, double inset) {
    std::vector<Owner> of_oriented;
    for (std::uint32_t g = 0; g < scene.groups.size(); ++g) {
        if (!scene.groups[g].solid) continue;
        std::visit(
            [&]<class Kind>(const Kind& kind) {
                if constexpr (has_boxes<Kind>) {
                    for (std::uint32_t i = 0; i < kind.shapes().count; ++i) {
                        if constexpr (std::is_same_v<Kind, BoxArrays>) {
                            boxes.push_back(smaller(solid(kind, i), inset));
                            owners.push_back({g, i});
                        } else {
                            oriented_boxes.push_back(smaller(solid(kind, i), inset));
                            of_oriented.push_back({g, i});
                        }
                    }
                }
            },
            scene.groups[g].arrays);
    }
    owners.insert(owners.end(), of_oriented.begin(), of_oriented.end());
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
