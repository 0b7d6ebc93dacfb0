/// Which of the plane's kernels go with an instruction set.

#include "flat/table.hpp"

namespace lanecull::flat {

const FlatTable& flat_kernel_table(Isa isa) noexcept {
#if defined(LANECULL_X86_SETS)
    if (isa == Isa::sse42) return flat_kernel_table_sse42;
    if (isa == Isa::avx2) return flat_kernel_table_avx2;
    if (isa == Isa::avx512) return flat_kernel_table_avx512;
#endif
    (void)isa;
    return flat_kernel_table_scalar;
}

}  // namespace lanecull::flat
