#include "calls/kernel_table.hpp"
#include "lanes/features.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {

// Flags that do not let the compiler use what the lanes are made of would make other lanes of them.
static_assert((needs & ~compiled_features) == 0);

template <>
const SetFacts Kernels<this_isa>::facts{this_isa, lanes, needs, compiled_features};

}  // namespace lanecull
