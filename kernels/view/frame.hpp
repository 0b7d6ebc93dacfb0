#pragma once

/// The frame of a view: the origin c = hi + lo and the matrix R. This file chooses them and bounds what their roundings
/// cost. kernels/PROOF.md has the reasons ("Coordinates").

#include <lanecull/view.h>

#include <cmath>

#include "base/affine.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// The largest coordinate, length and distance that views take.
inline constexpr double coordinate_limit = 1e30;
[[nodiscard]] inline bool is_coordinate(double number) { return std::fabs(number) <= coordinate_limit; }

/// Chooses c as two floats for each component, near a point in world coordinates. Returns its exact place.
Interval3 choose_origin(const Double3& near, Frame& frame);

/// Makes the axes, as floats, R's rows. Whether these are orthonormal but for that rounding decides how balls are
/// treated.
Interval3x3 choose_rotation(const Double3 (&axis)[3], Frame& frame);
/// Chooses orthonormal rows, the third along `forward`.
Interval3x3 choose_rotation_along(const Double3& forward, Frame& frame);

/// How far p - c, computed as (p - hi) - lo in floats, is off because of lo: u |lo|, for all components together.
[[nodiscard]] double origin_residue(const Frame& frame);

/// The volume's error if it is `distance` off, with the error of subtracting the origin in floats.
float apex_error_of(double distance, const Frame& frame);

}  // namespace lanecull
