#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "scene/camera_path.hpp"

namespace lanecull::program {

/// Whether the file's suffix is one of a scene that may have cameras (glTF, COLLADA, FBX, ...).
[[nodiscard]] bool may_have_cameras(const std::string& file);

/// The cameras of a scene file as a path. If one is animated, it or a node above it: `frames`, else
/// `animated_frames`, evenly in time through the animation, of the first such camera. Else each camera is one frame, in
/// the order of the file's nodes; with `frames` that many along a curve through them. Where the file has no far plane
/// there is none. Fails if there is no camera, and as path_from_file() does.
[[nodiscard]] CameraPath path_of_scene(const std::string& file, std::optional<std::size_t> frames,
                                       std::size_t animated_frames, const LensOptions& lens);

}  // namespace lanecull::program
