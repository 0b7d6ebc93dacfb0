#include "bounds/visible_extent.hpp"
#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/sphere.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<Spheres>(const RangeWork& work) {
    cull_range<SphereKind>(work);
}

template <>
template <>
void Kernels<this_isa>::visible_extent<Spheres>(const VisibleWork& work, WorldExtent& extent) {
    find_visible_extent<SphereKind>(work, extent);
}

}  // namespace lanecull
