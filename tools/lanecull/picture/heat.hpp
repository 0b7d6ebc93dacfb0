#pragma once

#include <glm/vec3.hpp>
#include <string>

#include "picture/picture_image.hpp"

namespace lanecull::program {

/// Colours for how much, 0 to 1: from dark blue over green to yellow, ever lighter, so that eyes and printers without
/// colours read it too. Linear light.
[[nodiscard]] glm::vec3 heat_color(double share);

/// A bar of these colours with what its ends stand for.
void draw_heat_bar(Image& image, const Rectangle& box, const std::string& least, const std::string& most);

}  // namespace lanecull::program
