#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/sphere.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<Spheres>(const RangeWork& work) {
    cull_range<SphereKind>(work);
}

}  // namespace lanecull
