/// AVX2 with FMA, 8 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::fma3<xsimd::avx2>;
}
}  // namespace lanecull

#include "lanes/compiled_with.hpp"
#include "lanes/compress_table.hpp"
//
#include "lanes/xsimd.hpp"
#include "lanes/signs_xsimd.hpp"
//
#include "cull/kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_avx2 = make_table(Isa::avx2);
