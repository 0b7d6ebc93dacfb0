#pragma once

#include "calls/kernel_work.hpp"

namespace lanecull {

/// Completes the certificates of boxes along the axes that were culled by a direction that parts them from the volume
/// (stages/box_axes.hpp): the kernel notes the reason alone. In doubles and from the record itself: the direction along
/// which the box is farthest away.
void certify_boxes(const Boxes& boxes, const PreparedView& view, const RangeTask& task);
void certify_boxes(const CenteredBoxes& boxes, const PreparedView& view, const RangeTask& task);

}  // namespace lanecull
