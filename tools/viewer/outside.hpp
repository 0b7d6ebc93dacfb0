#pragma once

#include <glm/vec3.hpp>

#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// A camera behind and above, so far away that it has this one and its volume, where the scene is, in sight. `bounds`:
/// main_bounds() of the scene.
[[nodiscard]] Camera outside_of(const Camera& camera, const Bounds& bounds, const glm::dvec3& up);

}  // namespace lanecull::program
