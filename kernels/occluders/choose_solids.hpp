#pragma once

#include <cstdint>

#include "base/array.hpp"
#include "occluders/cell_grid.hpp"

namespace lanecull::solids {

/// Appends up to `most` boxes of filled cells, each of which covers the most volume that none before it covers, among
/// boxes grown in all ways from many cells. `filled` is what the grid was filled with. False: no memory.
[[nodiscard]] bool choose_boxes(const CellGrid& grid, const Array<std::uint8_t>& filled, std::uint32_t most,
                                Array<Solid>& boxes);

/// The volume of the union, rounded.
[[nodiscard]] bool find_volume(const Array<Solid>& boxes, double& volume);

}  // namespace lanecull::solids
