/// The kernels of cull() of the core for JavaScript.

#include "calls/kernel_table.hpp"
#include "cull/kind_box.hpp"
#include "cull/kind_box_instance.hpp"
#include "cull/kind_sphere.hpp"
#include "small/small_range.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<Spheres>(const RangeWork& work) {
    cull_small<Spheres>(work);
}
template <>
template <>
void Kernels<this_isa>::cull<Boxes>(const RangeWork& work) {
    cull_small<Boxes>(work);
}
template <>
template <>
void Kernels<this_isa>::cull<BoxInstances>(const RangeWork& work) {
    cull_small<BoxInstances>(work);
}

}  // namespace lanecull
