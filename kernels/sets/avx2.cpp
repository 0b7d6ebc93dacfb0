/// AVX2 with FMA, 8 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::fma3<xsimd::avx2>;
}
}  // namespace lanecull

#include "compiled_with.hpp"
#include "compress_table.hpp"
//
#include "lanes_xsimd.hpp"
#include "signs_xsimd.hpp"
//
#include "kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_avx2 = make_table(Isa::avx2);
