#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/box.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<Boxes>(const RangeWork& work) {
    cull_range<BoxKind>(work);
}

}  // namespace lanecull
