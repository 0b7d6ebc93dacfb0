#pragma once

#include <lanecull/view.hpp>

#include "view/camera.hpp"

namespace lanecull {

/// Describes the camera of a matrix whose row w is the same everywhere. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status describe_orthographic(const ClipRows& world, const ClipSpace& clip_space,
                                           const ViewOptions& options, Camera& camera);
/// Prepares a view of a matrix whose row w is the same everywhere. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status prepare_orthographic(const ClipRows& world, const ClipSpace& clip_space,
                                          const ViewOptions& options, PreparedView& view);

}  // namespace lanecull
