/// Which kernels of pairs go with an instruction set.

#include "pairs/table.hpp"

namespace lanecull::pairs {

const PairTable& pair_kernel_table(Isa isa) noexcept {
#if defined(LANECULL_X86_SETS)
    if (isa == Isa::sse42) return pair_kernel_table_sse42;
    if (isa == Isa::avx2) return pair_kernel_table_avx2;
    if (isa == Isa::avx512) return pair_kernel_table_avx512;
#endif
    (void)isa;
    return pair_kernel_table_scalar;
}

}  // namespace lanecull::pairs
