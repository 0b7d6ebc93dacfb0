#pragma once

#include <cstddef>

#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// The default path through a scene of a file. It is fitted_path() if there is room for all of it, ground below its low
/// stations, and something to see from half of it. Else the stations are moved to where there is room, and the camera
/// flies along a way between them. Around a scene that is more than half as high as wide, and not enclosed, it flies in
/// a circle instead. Unless the lens has a far plane, that is moved out to one and a half times the distance of the
/// nearest surface in sight.
[[nodiscard]] CameraPath free_path(const Scene& scene, const Bounds& bounds, std::size_t frames,
                                   const LensOptions& lens);

}  // namespace lanecull::program
