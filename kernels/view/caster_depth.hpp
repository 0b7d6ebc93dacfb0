#pragma once

/// The axis that depth is counted along in a volume of casters.

#include <span>

#include "base/affine.hpp"
#include "view/receivers.hpp"

namespace lanecull {

/// The point nearest to 0 of the hull of these points, nearly: from their mean towards whichever point is worst, as far
/// as it helps. Of directions of length 1 it is the one closest to all of them. Ends once `share` of its distance is
/// reached along its own direction by all of the hull, or as soon as the point is within `near_enough`. (Frank and
/// Wolfe, An algorithm for quadratic programming, 1956.)
[[nodiscard]] Double3 nearest_to_zero(std::span<const Double3> points, double share, double near_enough = 0);

/// Depth's direction: along as many as possible of the directions in which the volume goes on for ever, or is far
/// larger than at its near end; the receivers' own where there are none. False where even the endless ones have nothing
/// in common: no depth limits the volume.
[[nodiscard]] bool choose_caster_depth(const Receivers& receivers, const Light& light, Double3& forward);

}  // namespace lanecull
