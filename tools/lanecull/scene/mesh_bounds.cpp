#include "scene/mesh_bounds.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <limits>

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

void set_boxes(Scene& scene) {
    for (Group& group : scene.groups) {
        if (const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays)) {
            BoxArrays around = boxes_around(*instances);
            group.drawn = std::make_shared<HullInstanceArrays>(std::get<HullInstanceArrays>(std::move(group.arrays)));
            group.arrays = std::move(around);
        }
    }
}

}  // namespace lanecull::program
