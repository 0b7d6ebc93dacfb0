#pragma once

#include <lanecull/view.h>

#include "view/caster_volume.hpp"
#include "view/clip_matrix.hpp"
#include "view/options.hpp"

namespace lanecull {

/// A camera's volume before any light: what all views of its casters have in common.
struct Camera {
    Frame frame;  ///< its origin is c
    Interval3 c;
    HalfSpaces half_spaces;
    Generators corners;         ///< bit i of their planes is half-space i; none if they are not known
    bool sees_nothing = false;  ///< its volume has no point, for certain
    Double3 forward;
    Eye eye;
};

/// Reads a matrix and describes its camera. Of the options only clip planes are read.
[[nodiscard]] Status describe_camera(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                     const ViewOptions& options, Camera& camera);

/// Prepares a view of what casts shadows into the camera's. The options have been checked.
[[nodiscard]] Status prepare_casters(const Camera& camera, const ViewOptions& options, PreparedView& view);

}  // namespace lanecull
