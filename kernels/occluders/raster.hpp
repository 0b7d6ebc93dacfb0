#pragma once

#include <lanecull/occluder.hpp>

#include "view/frame.hpp"

namespace lanecull {

/// Whether all numbers are lengths from 0 to 1e30.
[[nodiscard]] inline bool is_valid(const RasterMargin& margin) {
    const auto is_length = [](double a) { return a >= 0 && a <= coordinate_limit; };
    return is_length(margin.per_distance) && is_length(margin.depth_per_square) && is_length(margin.depth_per_distance);
}

}  // namespace lanecull
