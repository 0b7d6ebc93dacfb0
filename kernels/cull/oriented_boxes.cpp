#include "bounds/visible_extent.hpp"
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/oriented_box.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<OrientedBoxes>(const RangeWork& work) {
    cull_range<OrientedBoxKind>(work);
}

template <>
template <>
void Kernels<this_isa>::visible_extent<OrientedBoxes>(const VisibleWork& work, WorldExtent& extent) {
    find_visible_extent<OrientedBoxKind>(work, extent);
}

}  // namespace lanecull
