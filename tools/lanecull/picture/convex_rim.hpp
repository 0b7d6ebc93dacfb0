#pragma once

#include <glm/vec2.hpp>
#include <vector>

namespace lanecull::program {

/// The corners of the points' convex hull, anticlockwise (the monotone chain of Andrew, 1979).
[[nodiscard]] std::vector<glm::dvec2> convex_rim(std::vector<glm::dvec2> points);

}  // namespace lanecull::program
