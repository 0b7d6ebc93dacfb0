#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/hull.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<HullInstances>(const RangeWork& work) {
    cull_range<HullKind>(work);
}

}  // namespace lanecull
