#include "bounds/visible_extent.hpp"
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/hull.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<HullInstances>(const RangeWork& work) {
    cull_range<HullKind>(work);
}

template <>
template <>
void Kernels<this_isa>::visible_extent<HullInstances>(const VisibleWork& work, WorldExtent& extent) {
    find_visible_extent<HullKind>(work, extent);
}

}  // namespace lanecull
