#pragma once

#include <cstddef>
#include <utility>

#include <lanecull/flat/cull.hpp>
#include <lanecull/isa.hpp>

#include "calls/kernel_table.hpp"

namespace lanecull::flat {

/// One range of one batch against one view: all that a kernel works on. It touches nothing else. In certificates it
/// writes only the reasons.
struct RangeWork : RangeTask {
    const void* shapes;  ///< the batch's Circles, Boxes, ... as the table's entry expects
    const PreparedView* view;
};

using RangeKernel = void(const RangeWork&);

/// What the object files of one instruction set define (kernels.cpp), as lanecull::Kernels has it.
template <Isa isa>
struct Kernels {
    template <class Shapes>
    static RangeKernel cull;
};

/// Those of one set, chosen at run time.
struct KernelTable {
    RangeKernel* cull[Batch::Shapes::size];  ///< in the order of Batch::Shapes

    template <Isa isa>
    static constexpr KernelTable of() {
        return []<std::size_t... kind>(std::index_sequence<kind...>)->KernelTable {
            return {{Kernels<isa>::template cull<Batch::Shapes::At<kind>>...}};
        }
        (std::make_index_sequence<Batch::Shapes::size>());
    }
};

}  // namespace lanecull::flat
