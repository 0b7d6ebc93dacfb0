#pragma once

#include <cstddef>
#include <glm/vec3.hpp>

#include "scene/scene.hpp"

namespace lanecull::program {

struct Extent {
    double low, high;
};

/// From where to where object i reaches in a direction: dot(direction, p - origin) of its points p. In double
/// precision, so as good as exact beside the library's floats.
[[nodiscard]] Extent extent_along(const Arrays& arrays, std::size_t i, const glm::dvec3& direction,
                                  const glm::dvec3& origin);

/// The smallest box around object i.
[[nodiscard]] Bounds exact_bounds(const Arrays& arrays, std::size_t i);

}  // namespace lanecull::program
