#pragma once

#include <lanecull/cull.h>
#include <cstdint>
#include <vector>

#include "scene/camera.hpp"
#include "scene/object_names.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// An object that the six-plane test keeps and an exact method culls.
struct KeptByPlanes {
    std::uint64_t object;  ///< its number through all groups
    ObjectPlace place;
    Certificate certificate;  ///< of the exact method
};

/// Those of a frame, without occluders. The first is the worst: its gap to the view's volume, which the certificate
/// proves, is the largest.
[[nodiscard]] std::vector<KeptByPlanes> kept_by_planes(const Scene& scene, const Camera& camera,
                                                       const CullOptions& exact);

}  // namespace lanecull::program
