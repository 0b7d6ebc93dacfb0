#pragma once

#include "base/array.hpp"
#include "occluders/triangle.hpp"

namespace lanecull::solids {

/// The integral of a closed mesh's winding number: for a surface that does not meet itself its volume, and negative if
/// its triangles are clockwise seen from outside. The sign is that of the exact number.
[[nodiscard]] double signed_volume(const Array<Triangle>& triangles);

}  // namespace lanecull::solids
