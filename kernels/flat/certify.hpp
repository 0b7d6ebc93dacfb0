#pragma once

#include "flat/work.hpp"

namespace lanecull::flat {

/// Completes the certificates of a range whose reasons the kernel has noted: the direction and the gap of each culled
/// object. It works in doubles and from the records themselves, so that kernels need not carry directions along. It
/// tries the kernels' directions again and takes the one with the largest gap.
void certify(const Batch& batch, const PreparedView& view, const RangeTask& task);

}  // namespace lanecull::flat
