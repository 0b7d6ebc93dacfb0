#pragma once

#include <string>

#include "cull/flat_cull.hpp"

namespace lanecull::program {

/// A map of the boxes, what is kept and what is culled, and the view: the bytes of a PNG file.
[[nodiscard]] std::string draw_flat_picture(const FlatMeasurement& measurement);

}  // namespace lanecull::program
