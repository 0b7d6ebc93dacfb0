#pragma once

/// The rules of grids, lights and lists, for the calls that take them.

#include <lanecull/light_grid.h>

#include <cstddef>
#include <cstdint>

#include "lights/grid.hpp"

namespace lanecull {

[[nodiscard]] inline std::uint64_t count_of(const Lights& lights) {
    return std::uint64_t{lights.balls.count} + lights.spots.count;
}

/// How many words have a bit for each light.
[[nodiscard]] constexpr std::size_t light_words(std::uint64_t lights) {
    return static_cast<std::size_t>((lights + 63) / 64);
}

[[nodiscard]] Status check_lights(const Lights& lights);
[[nodiscard]] Status check_options(const LightOptions& options);

/// The rules of assign_lights() but those of its options and its matrix.
[[nodiscard]] Status check_assignment(const LightGrid& grid, const Lights& lights, const LightLists& lists,
                                      std::size_t scratch_bytes);
/// Once the cells are prepared: the rule for the first boundary.
[[nodiscard]] Status check_first_depth(const LightGrid& grid, const LightCells& cells);

}  // namespace lanecull
