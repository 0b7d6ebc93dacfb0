#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <string>

#include "scene/camera_path.hpp"

namespace lanecull::program {

/// The path in a JSON file (described in tools/README.md). Without `frames` one frame a camera of the file; else that
/// many, evenly along a curve through the file's cameras. `up` is what holds where the file says nothing.
[[nodiscard]] CameraPath path_from_file(const std::string& file, const glm::dvec3& up,
                                        std::optional<std::size_t> frames, const LensOptions& lens);

}  // namespace lanecull::program
