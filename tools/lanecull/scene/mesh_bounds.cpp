#include "scene/mesh_bounds.hpp"

#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <memory>
#include <utility>

namespace lanecull::program {
namespace {

constexpr const char* how(MeshBounds bounds) {
    switch (bounds) {
        case MeshBounds::hull:
            return "by their hulls";
        case MeshBounds::box:
            return "by boxes around them";
        case MeshBounds::both:
            return "two objects each: a hull and a box around it";
    }
    return "";
}

BoxArrays boxes_around(const HullInstanceArrays& instances) {
    BoxArrays boxes;
    for (std::size_t i = 0; i < instances.hull_index.size(); ++i) {
        const FloatBox box = box_around(instances.meshes[instances.hull_index[i]], transform_of(instances, i));
        boxes.add(box.lower, box.upper);
    }
    return boxes;
}

}  // namespace

glm::mat4x3 transform_of(const HullInstanceArrays& instances, std::size_t i) {
    glm::mat4x3 transform;
    const float* m = &instances.transforms[12 * i];
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) transform[column][row] = m[4 * row + column];
    }
    return transform;
}

FloatBox box_around(const HullMesh& mesh, const glm::mat4x3& transform) {
    const glm::dmat4x3 matrix(transform);
    Bounds bounds;
    glm::dvec3 largest(0);
    for (std::size_t i = 0; i < mesh.x.size(); ++i) {
        const glm::dvec3 p(mesh.x[i], mesh.y[i], mesh.z[i]);
        bounds.add(matrix * glm::dvec4(p, 1));
        largest = glm::max(largest, glm::abs(p));
    }
    // Doubles round each sum by less than 2^-50 of its terms.
    glm::dvec3 slack = glm::abs(matrix[3]);
    for (int k = 0; k < 3; ++k) slack += glm::abs(matrix[k]) * largest[k];
    bounds.lower -= 0x1p-50 * slack;
    bounds.upper += 0x1p-50 * slack;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    FloatBox box{bounds.lower, bounds.upper};
    for (int axis = 0; axis < 3; ++axis) {
        float &low = box.lower[axis], &high = box.upper[axis];
        if (static_cast<double>(low) >= bounds.lower[axis]) low = std::nextafter(low, -infinity);
        if (static_cast<double>(high) <= bounds.upper[axis]) high = std::nextafter(high, infinity);
    }
    return box;
}

void set_bounds(Scene& scene, MeshBounds bounds) {
    std::vector<Group> boxes;
    for (Group& group : scene.groups) {
        const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays);
        if (instances == nullptr) continue;
        if (bounds == MeshBounds::box) {
            BoxArrays around = boxes_around(*instances);
            group.drawn = std::make_shared<HullInstanceArrays>(std::get<HullInstanceArrays>(std::move(group.arrays)));
            group.arrays = std::move(around);
        }
        if (bounds == MeshBounds::both) {
            boxes.push_back({.name = "boxes of " + group.name,
                             .arrays = boxes_around(*instances),
                             .stand_in = true,
                             .names = group.names});
        }
    }
    for (Group& group : boxes) scene.groups.push_back(std::move(group));
    scene.description += std::string(", ") + how(bounds);
}

}  // namespace lanecull::program
