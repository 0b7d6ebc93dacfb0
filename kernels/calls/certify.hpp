#pragma once

#include "cull/kernel_work.hpp"

namespace lanecull {

/// Completes the certificates of spheres that the kernel culled by their distance from the volume
/// (cull/volume_distance.hpp). For these the kernel notes only the reason. certify_balls() computes the vector from the
/// centre to the volume's nearest point, in doubles and from the record itself; the volume is cut at the ball's deepest
/// point.
void certify_balls(const Spheres& spheres, const PreparedView& view, const RangeTask& task);

/// Completes the certificates of boxes along the axes that the kernel culled by a direction that separates them from
/// the volume (cull/box_axes.hpp). For these the kernel notes only the reason. certify_boxes() finds the direction
/// along which the box is farthest outside, in doubles and from the record itself.
void certify_boxes(const Boxes& boxes, const PreparedView& view, const RangeTask& task);
void certify_boxes(const CenteredBoxes& boxes, const PreparedView& view, const RangeTask& task);

}  // namespace lanecull
