#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/centered_box.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<CenteredBoxes>(const RangeWork& work) {
    cull_range<CenteredBoxKind>(work);
}

}  // namespace lanecull
