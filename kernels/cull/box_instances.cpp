#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/box_instance.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<BoxInstances>(const RangeWork& work) {
    cull_range<BoxInstanceKind>(work);
}

}  // namespace lanecull
