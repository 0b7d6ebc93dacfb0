#pragma once

#include <cstddef>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Puts the objects that move (Scene::motion) where they are in a frame, and the boxes around them. Batches of the
/// scene stay valid.
void pose(Scene& scene, std::size_t frame);

}  // namespace lanecull::program
