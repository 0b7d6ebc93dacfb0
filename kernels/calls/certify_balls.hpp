#pragma once

#include "cull/kernel_work.hpp"

namespace lanecull {

/// Completes the certificates of spheres that the kernel culled by their distance from the volume
/// (cull/volume_distance.hpp). For these the kernel notes only the reason. certify_balls() computes the vector from the
/// centre to the volume's nearest point, in doubles and from the record itself; the volume is cut at the ball's deepest
/// point.
void certify_balls(const Spheres& spheres, const PreparedView& view, const RangeTask& task);

}  // namespace lanecull
