#pragma once

/// Cells of C and C++, which have the same layout (same_layout.hpp says what that is for).

#include <cstddef>

#include <lanecull/c/visibility.h>
#include <lanecull/visibility.hpp>

namespace lanecull::c {

static_assert(sizeof(CellGrid) == sizeof(lanecull_cell_grid) &&
              offsetof(CellGrid, size) == offsetof(lanecull_cell_grid, size) &&
              offsetof(CellGrid, count) == offsetof(lanecull_cell_grid, count));
inline const CellGrid* same(const lanecull_cell_grid* grid) { return reinterpret_cast<const CellGrid*>(grid); }
inline CellGrid* same(lanecull_cell_grid* grid) { return reinterpret_cast<CellGrid*>(grid); }

static_assert(sizeof(ConvexCell) == sizeof(lanecull_convex_cell) &&
              offsetof(ConvexCell, corner) == offsetof(lanecull_convex_cell, corner));
inline const ConvexCell* same(const lanecull_convex_cell* cells) { return reinterpret_cast<const ConvexCell*>(cells); }
inline ConvexCell* same(lanecull_convex_cell* cells) { return reinterpret_cast<ConvexCell*>(cells); }

}  // namespace lanecull::c
