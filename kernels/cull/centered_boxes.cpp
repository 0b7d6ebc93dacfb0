#include "bounds/visible_extent.hpp"
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/centered_box.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<CenteredBoxes>(const RangeWork& work) {
    cull_range<CenteredBoxKind>(work);
}

template <>
template <>
void Kernels<this_isa>::visible_extent<CenteredBoxes>(const VisibleWork& work, WorldExtent& extent) {
    find_visible_extent<CenteredBoxKind>(work, extent);
}

}  // namespace lanecull
