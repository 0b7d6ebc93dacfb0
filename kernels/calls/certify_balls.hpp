#pragma once

#include "calls/kernel_work.hpp"

namespace lanecull {

/// Completes the certificates of spheres that were culled by their distance from the volume (volumes/distance.hpp): the
/// kernel notes the reason alone. In doubles and from the record itself: the way to the volume's nearest point, as far
/// as the volume is no deeper than the ball.
void certify_balls(const Spheres& spheres, const PreparedView& view, const RangeTask& task);

}  // namespace lanecull
