#pragma once

#include <cmath>

#include <lanecull/status.hpp>
#include <lanecull/visibility.hpp>

namespace lanecull {

constexpr double largest_coordinate = 1e30;
constexpr double max_cells = 4294967295.0;

[[nodiscard]] inline bool is_coordinate(double a) { return std::fabs(a) <= largest_coordinate; }

/// Whether a grid has cells, 2^32 - 1 at most, and faces that differ.
[[nodiscard]] Status check_grid(const CellGrid& grid) noexcept;
[[nodiscard]] Status check_cell(const ConvexCell& cell) noexcept;

}  // namespace lanecull
