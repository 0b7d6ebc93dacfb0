#pragma once

#include <glm/mat4x4.hpp>
#include <vector>

#include "gltf/gltf_accessor.hpp"
#include "scene/json_object.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// The hull meshes of a primitive, in its mesh's coordinates, with its morph targets at these weights (none: all at
/// rest). With `joints` its vertices are where those move them. Empty if it has no points.
[[nodiscard]] std::vector<HullMesh> hull_meshes(const JsonObject& primitive, GltfAccessors& accessors,
                                                const std::vector<double>& weights,
                                                const std::vector<glm::dmat4>* joints);

}  // namespace lanecull::program
