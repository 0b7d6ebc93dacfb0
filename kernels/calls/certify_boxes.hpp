#pragma once

#include "cull/kernel_work.hpp"

namespace lanecull {

/// Completes the certificates of boxes along the axes that the kernel culled by a direction that separates them from
/// the volume (cull/box_axes.hpp). For these the kernel notes only the reason. certify_boxes() finds the direction
/// along which the box is farthest outside, in doubles and from the record itself.
void certify_boxes(const Boxes& boxes, const PreparedView& view, const RangeTask& task);
void certify_boxes(const CenteredBoxes& boxes, const PreparedView& view, const RangeTask& task);

}  // namespace lanecull
