#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace lanecull::program {

/// Triangles of a polygon that lies in a plane, or nearly so, given by its corners in order: its ears, cut off one
/// after the other. A polygon that crosses itself, or has more than 4,096 corners, gets triangles that all have a
/// corner in common. What they are for is pictures.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> triangles_of(std::span<const glm::dvec3> corners);

}  // namespace lanecull::program
