#pragma once

#include "base/array.hpp"
#include "occluders/triangle.hpp"

namespace lanecull::solids {

/// Moves each face of the box outward, one after the other, to the last float at which no triangle is found to meet the
/// box's inside. A box that a triangle is not proved to be apart from, such as a wall between two rooms that are both
/// filled, stays as it is. The box must lie within the bounds of the triangles.
void extend(const Array<Triangle>& triangles, Solid& box);

}  // namespace lanecull::solids
