#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.hpp"
#include "occluders/cell_grid.hpp"
#include "occluders/triangle.hpp"

namespace lanecull::solids {

/// Winding numbers of a grid's cells around a closed mesh: how often the mesh is crossed from inside to outside, less
/// how often the other way, on a ray from the cell's middle along the third axis. All cells in a row share a line. It
/// is laid where no crossing is in doubt: through no edge, and along no triangle.
class Crossings {
public:
    /// Keeps a reference to the grid.
    explicit Crossings(const CellGrid& grid) : grid_(grid) {}

    /// False: no memory.
    [[nodiscard]] bool count(const Array<Triangle>& triangles);

    /// Whether a point within cell (i n_1 + j) n_2 + k is proved to have a winding number of that sign, 1 or -1. The
    /// cell must be one that no triangle meets; then all of its inside has the same number.
    [[nodiscard]] bool has_sign(std::size_t cell, int sign) const;

private:
    /// What is known of a row of cells.
    enum class Row : std::uint8_t { done, in_doubt, pending };

    void count(const Triangle& triangle, unsigned attempt);
    void cross(const Triangle& triangle, std::uint32_t i, std::uint32_t j, unsigned attempt);
    void begin_again(std::size_t row);

    const CellGrid& grid_;
    Array<Row> rows_;  ///< i n_1 + j
    /// By row, one more than there are cells: what is added to the winding number of this cell and of all cells above.
    Array<std::int32_t> steps_;
    Array<std::uint8_t> in_doubt_;  ///< by cell: whether a crossing lies above or below its middle is not proved
    Array<std::int32_t> numbers_;   ///< by cell
};

}  // namespace lanecull::solids
