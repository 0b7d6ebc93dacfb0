#pragma once

#include "flat/work.hpp"

namespace lanecull::flat {

/// Completes the certificates of a range whose reasons the kernel has noted: of what was culled, the direction and the
/// gap. In doubles and from the records themselves, so that kernels need not carry directions along; of the directions
/// that they try it takes the one that shows the largest gap.
void certify(const Batch& batch, const PreparedView& view, const RangeTask& task);

}  // namespace lanecull::flat
