#pragma once

#include <lanecull/types.h>
#include <lanecull/visibility.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "view/frame.hpp"

namespace lanecull {

constexpr double max_cells = 4294967295.0;
constexpr std::uint32_t max_parts = 1U << 20;  ///< along an axis

/// Bits and words of a set, at most.
constexpr std::uint64_t max_objects = 0xffffffff, max_set_words = std::uint64_t{1} << 26;

/// Whether a grid has cells, 2^32 - 1 at most, and faces that differ.
[[nodiscard]] Status check_grid(const CellGrid& grid) noexcept;
[[nodiscard]] Status check_cell(const ConvexCell& cell) noexcept;

/// Whether the cell is a box along the axes whose corners are in cell_of()'s order.
[[nodiscard]] bool is_box(const ConvexCell& cell) noexcept;

/// How far objects may be from a cell to be in its set.
[[nodiscard]] inline double distance_of(const BakeOptions& options) noexcept {
    return options.distance != 0 ? options.distance : std::numeric_limits<double>::infinity();
}
/// Whether the lengths of a bake's options meet their rules.
[[nodiscard]] Status check_lengths(const BakeOptions& options) noexcept;

}  // namespace lanecull
