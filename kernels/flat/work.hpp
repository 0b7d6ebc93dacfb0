#pragma once

#include <lanecull/flat/cull.hpp>

#include "cull/kernel_work.hpp"

namespace lanecull::flat {

/// One range of one batch against one view: all that a kernel works on. It touches nothing else. In certificates it
/// writes only the reasons.
struct RangeWork : RangeTask {
    const void* shapes;  ///< the batch's Circles, Boxes, ... as the table's entry expects
    const PreparedView* view;
};

using RangeKernel = void(const RangeWork&);

}  // namespace lanecull::flat
