#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>

#include "scene/scene.hpp"

/// What an instance of a mesh is culled by, and where instances move.
namespace lanecull::program {

enum class MeshBounds : std::uint8_t {
    hull,  ///< the convex hull of its points
    box,   ///< the axis-aligned box around that
    both   ///< two objects, of which the box is not drawn
};

/// A box of floats around an instance of a mesh: rounding the corners to the nearest could cut into it.
struct FloatBox {
    glm::vec3 lower, upper;
};
[[nodiscard]] FloatBox box_around(const HullMesh& mesh, const glm::mat4x3& transform);

/// The columns of instance i's matrix.
[[nodiscard]] glm::mat4x3 transform_of(const HullInstanceArrays& instances, std::size_t i);

/// Gives the scene's hull instances these bounds. Boxes take the group's place; with `both` a group "boxes of NAME"
/// follows all others. Says so in the description.
void set_bounds(Scene& scene, MeshBounds bounds);

/// Puts the objects that move (Scene::motion) where they are in a frame, and the boxes around them. Batches of the
/// scene stay valid.
void pose(Scene& scene, std::size_t frame);

}  // namespace lanecull::program
