#include "bounds/visible_extent.hpp"
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/box_instance.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<BoxInstances>(const RangeWork& work) {
    cull_range<BoxInstanceKind>(work);
}

template <>
template <>
void Kernels<this_isa>::visible_extent<BoxInstances>(const VisibleWork& work, WorldExtent& extent) {
    find_visible_extent<BoxInstanceKind>(work, extent);
}

}  // namespace lanecull
