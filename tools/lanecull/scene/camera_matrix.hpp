#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string>

#include "scene/camera.hpp"

/// A camera that is given as a clip matrix.
namespace lanecull::program {

/// The camera whose matrix that is. Eye, axes, angles and depths are read off it, as pictures and words need them; a
/// picture whose y points down (Vulkan's) is turned up. The eye of an orthographic camera is in the middle of its near
/// plane. Fails if the matrix is neither a perspective nor an orthographic one. `where`: what to call it.
[[nodiscard]] Camera camera_of(const ClipMatrix& matrix, const std::string& where);

/// As Camera::planes(), of the matrix itself.
[[nodiscard]] std::array<glm::dvec4, 6> planes_of(const ClipMatrix& matrix, const glm::dvec3& eye);

/// Where the far plane is of a projection matrix in float32, with z from 0 to 1, that is made for a perspective
/// camera's depths in float32, as glm::perspective<float>() does; infinite if it has none.
[[nodiscard]] double far_in_floats(double near, double far);

}  // namespace lanecull::program
