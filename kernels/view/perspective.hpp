#pragma once

/// Views of a perspective camera's matrix, and the steps of it that each eye of a pair needs as well (stereo.hpp).

#include <lanecull/view.hpp>

#include "view/casters.hpp"
#include "view/clip_matrix.hpp"

namespace lanecull {

/// Finds the eye, where rows x, y and w vanish. Fails if they do not meet in one point.
[[nodiscard]] Status find_eye(const ClipRows& rows, Interval3& eye);

/// Chooses axes along the view's x, y and depth.
[[nodiscard]] Interval3x3 choose_rotation_of(const ClipRows& rows, Frame& frame);

/// Encloses the part of a perspective volume that the light reaches. Rows and half-spaces are functions of p - c.
[[nodiscard]] Status enclose_lit(const ClipRows& rows, const Interval3x3& rotation, const HalfSpaces& half_spaces,
                                 const ViewOptions& options, const Interval3& c, LitPart& lit);

/// Finishes a view with the matrix's own eye and scale. The rows are functions of p - c.
[[nodiscard]] Status finish_with_eye_of(const ClipRows& rows, const ViewOptions& options, PreparedView& view);

/// Prepares a view of a matrix whose row w depends on p. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status prepare_perspective(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                                         PreparedView& view);

}  // namespace lanecull
