#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "scene/camera_path.hpp"

namespace lanecull::program {

/// The cameras of a glTF file's scene as a path, as path_of_scene() says.
[[nodiscard]] CameraPath path_of_gltf(const std::string& file, std::optional<std::size_t> frames,
                                      std::size_t animated_frames, const LensOptions& lens);
/// The same of the file's contents.
[[nodiscard]] CameraPath parse_gltf_path(std::span<const std::byte> bytes, const std::string& file,
                                         std::optional<std::size_t> frames, std::size_t animated_frames,
                                         const LensOptions& lens);

}  // namespace lanecull::program
