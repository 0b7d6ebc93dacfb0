#pragma once

#include "calls/kernel_table.hpp"

#include <lanecull/flat/cull.hpp>

namespace lanecull::flat {

/// One range of one batch against one view: what a kernel works on. It touches nothing else. Of certificates it writes
/// the reasons.
struct RangeWork : RangeTask {
    const void* shapes;  ///< the batch's Circles, Boxes, ... as the table's entry expects
    const PreparedView* view;
};

using RangeKernel = void (*)(const RangeWork&);

/// What one instruction set offers for the plane. Each set's file is compiled with its own flags and exports just this.
struct FlatTable {
    Isa isa;
    const char* compiled_with;  ///< the widest set that the file's own compiler flags name, for tests
    RangeKernel circles, boxes, oriented_boxes, capsules, polygons;
};

extern const FlatTable flat_kernel_table_scalar;
#if defined(LANECULL_X86_SETS)
extern const FlatTable flat_kernel_table_sse42;
extern const FlatTable flat_kernel_table_avx2;
extern const FlatTable flat_kernel_table_avx512;
#endif

/// The kernels of a set that isa_runnable() says yes to.
const FlatTable& flat_kernel_table(Isa isa) noexcept;

}  // namespace lanecull::flat
