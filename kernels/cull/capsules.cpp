#include "bounds/visible_extent.hpp"
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/capsule.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<Capsules>(const RangeWork& work) {
    cull_range<CapsuleKind>(work);
}

template <>
template <>
void Kernels<this_isa>::visible_extent<Capsules>(const VisibleWork& work, WorldExtent& extent) {
    find_visible_extent<CapsuleKind>(work, extent);
}

}  // namespace lanecull
