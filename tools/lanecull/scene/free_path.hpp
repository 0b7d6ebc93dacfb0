#pragma once

#include <cstddef>

#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// The default path through a scene of a file: fitted_path() if there is room for all of it, ground below its lower
/// half and something to see; else the same stations moved to where there is room, and a way between them; else, around
/// what has no room inside of it, a circle. The far plane is moved out where less would be seen than the nearest
/// surface.
[[nodiscard]] CameraPath free_path(const Scene& scene, const Bounds& bounds, std::size_t frames,
                                   const LensOptions& lens);

}  // namespace lanecull::program
