#include "calls/kernel_table.hpp"
#include "cull/range.hpp"
#include "kinds/capsule.hpp"

namespace lanecull {

template <>
template <>
void Kernels<this_isa>::cull<Capsules>(const RangeWork& work) {
    cull_range<CapsuleKind>(work);
}

}  // namespace lanecull
