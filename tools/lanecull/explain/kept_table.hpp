#pragma once

#include <lanecull/cull.h>
#include <cstddef>
#include <string>

#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// A frame's objects that six planes keep and the exact method culls, with the reasons of both. What
/// `lanecull explain --kept-by-planes` prints.
[[nodiscard]] std::string kept_table(const Scene& scene, const CameraPath& path, std::size_t frame,
                                     const CullOptions& exact);

}  // namespace lanecull::program
