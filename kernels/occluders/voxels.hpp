#pragma once

#include <cstdint>

#include "base/array.hpp"
#include "occluders/cell_grid.hpp"
#include "occluders/triangle.hpp"

namespace lanecull::solids {

/// Lays lines over the triangles, along each axis from the lowest coordinate to the highest: `resolution` cells along
/// the longest extent, and cells about as wide along the others. Where the corners have few coordinates along an axis,
/// these are lines, so that walls along the axes are made of whole cells; what lies between is cut so that there are no
/// more than `resolution` cells. A flat axis gets one line. False: no memory.
[[nodiscard]] bool lay_lines(const Array<Triangle>& triangles, std::uint32_t resolution, CellGrid& grid);

/// inside[(i n_1 + j) n_2 + k] becomes 1 for the cells whose inside is proved to share no point with a triangle and to
/// have a winding number of that sign (1 or -1), else 0. False: no memory.
[[nodiscard]] bool find_inside(const Array<Triangle>& triangles, int sign, const CellGrid& grid,
                               Array<std::uint8_t>& inside);

}  // namespace lanecull::solids
