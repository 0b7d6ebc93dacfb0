#include "scene/mesh_bounds.hpp"

#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lanecull::program {
namespace {

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
    for (int k = 0; k < 12; ++k) transform[k % 4][k / 4] = instances.transforms[12 * i + static_cast<std::size_t>(k)];
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
    constexpr std::array how = {"by their hulls", "by boxes around them",
                                "two objects each: a hull and a box around it"};
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
    scene.description += std::string(", ") + how.at(static_cast<std::size_t>(bounds));
}

void pose(Scene& scene, std::size_t frame) {
    const Motion& motion = scene.motion;
    if (motion.objects.empty()) return;
    Group& first = scene.groups.front();
    HullInstanceArrays& meshes = first.drawn ? *first.drawn : std::get<HullInstanceArrays>(first.arrays);
    const float* transform = &motion.transforms[12 * motion.objects.size() * frame];
    for (const std::uint32_t i : motion.objects) {
        meshes.place(i, transform);
        transform += 12;
    }
    for (Group& group : scene.groups) {
        auto* boxes = std::get_if<BoxArrays>(&group.arrays);
        if (boxes == nullptr) continue;
        std::vector<float>* const lower[] = {&boxes->min_x, &boxes->min_y, &boxes->min_z};
        std::vector<float>* const upper[] = {&boxes->max_x, &boxes->max_y, &boxes->max_z};
        for (const std::uint32_t i : motion.objects) {
            const FloatBox box = box_around(meshes.meshes[meshes.hull_index[i]], transform_of(meshes, i));
            for (int k = 0; k < 3; ++k) (*lower[k])[i] = box.lower[k], (*upper[k])[i] = box.upper[k];
        }
    }
}

}  // namespace lanecull::program
