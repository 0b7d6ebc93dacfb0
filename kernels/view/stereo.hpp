#pragma once

#include <lanecull/view.hpp>

#include "view/clip_matrix.hpp"

namespace lanecull {

/// Prepares one view of all that either eye of a perspective pair sees. The view's eye is the first one. Rows are
/// functions of p - ClipSpace::origin.
[[nodiscard]] Status prepare_stereo(const ClipRows (&rows)[2], const ClipSpace& clip_space, const ViewOptions& options,
                                    PreparedView& view);

}  // namespace lanecull
