#pragma once

#include <lanecull/view.hpp>

#include "view/clip_matrix.hpp"

namespace lanecull {

/// Prepares a view of a matrix whose row w is the same everywhere. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status prepare_orthographic(const ClipRows& world, const ClipSpace& clip_space,
                                          const ViewOptions& options, PreparedView& view);

}  // namespace lanecull
