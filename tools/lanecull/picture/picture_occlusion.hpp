#pragma once

#include <vector>

#include "picture/canvas.hpp"

namespace lanecull::program {

/// How much of the sky's light reaches each pixel past its surroundings, 0 to 1, row by row; estimated from the depths
/// around it (ambient occlusion in screen space). `reach` is how far, in the scene's units, things shade each other.
[[nodiscard]] std::vector<float> sky_light(const Canvas& canvas, float reach);

}  // namespace lanecull::program
