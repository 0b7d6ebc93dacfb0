#include "bounds/visible_extent.hpp"
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/box.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<Boxes>(const RangeWork& work) {
    cull_range<BoxKind>(work);
}

template <>
template <>
void Kernels<this_isa>::visible_extent<Boxes>(const VisibleWork& work, WorldExtent& extent) {
    find_visible_extent<BoxKind>(work, extent);
}

}  // namespace lanecull
