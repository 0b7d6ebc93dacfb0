#pragma once

#include <lanecull/visibility.h>
#include <cstdint>
#include <span>
#include <string>

#include "scene/scene.hpp"

namespace lanecull::program {

/// A map of how much may be seen from each cell; of cells above one another the most. The bytes of a PNG file.
[[nodiscard]] std::string draw_bake_map(const Scene& scene, const Visibility& visibility);

/// What one cell's set leaves out.
struct BakedCellPicture {
    const Scene& scene;
    CellGrid grid;
    std::uint64_t cell = 0;
    std::span<const std::uint64_t> visible;  ///< by object, counted through all groups
    std::span<const std::uint64_t> hiding;   ///< the objects whose solids hide, the same
};

/// Its scene from above: what may be seen, what is hidden in grey, and the walls that hide. The bytes of a PNG file.
[[nodiscard]] std::string draw_baked_cell(const BakedCellPicture& input);

}  // namespace lanecull::program
