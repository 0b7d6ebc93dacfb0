#pragma once

#include <lanecull/flat.h>
#include <lanecull/library.h>

#include <cstddef>
#include <span>
#include <utility>

#include "calls/kernel_table.hpp"
#include "flat/kind_list.hpp"
#include "flat/prepared_view.hpp"

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
struct FlatTable {
    RangeKernel* cull[Kinds::size];  ///< in the order of Kind

    template <Isa isa>
    static constexpr FlatTable of() {
        return []<std::size_t... kind>(std::index_sequence<kind...>)->FlatTable {
            return {{Kernels<isa>::template cull<Kinds::At<kind>>...}};
        }
        (std::make_index_sequence<Kinds::size>());
    }
};

/// Completes the certificates of a range whose reasons the kernel has noted: the direction and the gap of each culled
/// object. It works in doubles and from the records themselves, so that kernels need not carry directions along. It
/// tries the kernels' directions again and takes the one with the largest gap.
void certify(const Batch& batch, const PreparedView& view, const RangeTask& task);

/// Whether each batch meets the contract of flat.h, as far as can be checked without reading the arrays.
/// Messages name the batch by its number.
Status check_batches(std::span<const Batch> batches) noexcept;

Status check_views(std::span<const View> views) noexcept;

}  // namespace lanecull::flat
