#pragma once

#include <lanecull/occluder.hpp>

namespace lanecull {

/// Writes what was prepared into a caller's Viewpoint or Occluder.
struct OccluderAccess {
    static void set(Viewpoint& viewpoint, const PreparedViewpoint& prepared) { viewpoint.contents_ = prepared; }
    static void set(Occluder& occluder, const PreparedOccluder& prepared) { occluder.contents_ = prepared; }
};

}  // namespace lanecull
