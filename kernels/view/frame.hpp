#pragma once

/// The frame of a view: the origin c = hi + lo and the matrix R. How they are chosen, and what their roundings cost.
/// kernels/PROOF.md has the reasons ("Coordinates").

#include <lanecull/prepared_view.hpp>

#include "base/affine.hpp"

namespace lanecull {

/// The largest coordinate, length and distance that views take.
inline constexpr double coordinate_limit = 1e30;

/// c as two floats a component, near a point in world coordinates; returns its exact place.
Interval3 choose_origin(const Double3& near, Frame& frame);

/// R's rows as floats. Whether they are orthonormal, within that rounding, decides how balls are treated.
Interval3x3 choose_rotation(const Double3 (&axis)[3], Frame& frame);
/// Orthonormal rows, the third along `forward`.
Interval3x3 choose_rotation_along(const Double3& forward, Frame& frame);

/// How far p - c, as (p - hi) - lo in floats, is off because of lo: u |lo|, all components together.
[[nodiscard]] double origin_residue(const Frame& frame);

/// The volume's error from being `distance` off, and from subtracting the origin in floats.
float apex_error_of(double distance, const Frame& frame);

}  // namespace lanecull
