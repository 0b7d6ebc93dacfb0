#pragma once

#include "scene/scene.hpp"

/// What an instance of a mesh is culled by.
namespace lanecull::program {

/// A box of floats around an instance of a mesh: rounding the corners to the nearest could cut into it.
struct FloatBox {
    glm::vec3 lower, upper;
};
[[nodiscard]] FloatBox box_around(const HullMesh& mesh, const glm::mat4x3& transform);

/// The columns of instance i's matrix.
[[nodiscard]] glm::mat4x3 transform_of(const HullInstanceArrays& instances, std::size_t i);

/// Has the scene's hull instances culled by axis-aligned boxes around them, which take their place.
void set_boxes(Scene& scene);

}  // namespace lanecull::program
