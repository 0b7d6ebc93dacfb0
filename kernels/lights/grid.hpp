#pragma once

/// A light grid as kernels read it: cells in view coordinates y = R (p - c), their numbers as floats, and how far exact
/// cells may be from these. lights/PROOF.md has the reasons.

#include <lanecull/light_grid.h>

#include <cstdint>

#include "view/prepared_view.hpp"

namespace lanecull {

/// Lines between tiles: line i is at first + i step, as one fma(i, step, first). Perspective: a slope x / z; else x.
struct TileLines {
    std::uint32_t count = 0;  ///< of tiles; of lines one more
    float first = 0, step = 0, per_step = 0;
    float largest = 0;    ///< no line's size is greater
    float tolerance = 0;  ///< in tiles: what a number's place among the lines may be off by
};

struct LightCells {
    static constexpr std::uint32_t max_slices = LANECULL_MAX_LIGHT_SLICES;
    static constexpr float endless = 1e38f;  ///< stands for infinity

    /// Of it only `frame` and `apex_error` are filled in: exact cells are within apex_error, per component, of ...
    PreparedView view;
    /// ... cells that are within cell_error, times a point's distance from c, of those below.
    float cell_error = 0;
    std::uint32_t is_orthographic = 0;
    TileLines x, y;
    std::uint32_t slices = 0;
    float depth[max_slices + 1] = {};    ///< z of the boundaries
    float inverse[max_slices + 1] = {};  ///< perspective: 1 / depth; else 1
    /// Perspective: an angle's error at a tangent, over the tangent's length, is at most so much of a slope. Else 0.
    float slope_per_angle = 0;
};

/// Prepares the cells of a grid whose numbers have been checked, but for its matrix. Messages begin with that.
[[nodiscard]] Status prepare_light_cells(const LightGrid& grid, LightCells& cells);

}  // namespace lanecull
