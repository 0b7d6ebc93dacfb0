#pragma once

#include <vector>

#include "scene/scene.hpp"

namespace lanecull::program {

/// The built-in city's trees: convex hulls of 20 to 60 vertices around trunk and crown, z up, foot at the origin,
/// 1 high.
[[nodiscard]] std::vector<HullMesh> tree_hulls();

}  // namespace lanecull::program
