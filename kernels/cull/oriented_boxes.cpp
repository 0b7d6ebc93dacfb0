#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/oriented_box.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<OrientedBoxes>(const RangeWork& work) {
    cull_range<OrientedBoxKind>(work);
}

}  // namespace lanecull
