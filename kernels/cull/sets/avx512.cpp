/// AVX-512 F, CD, DQ, BW and VL, 16 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::avx512bw;
}
}  // namespace lanecull

#include "lanes/compiled_with.hpp"
#include "lanes/compress_table.hpp"
//
#include "lanes/xsimd.hpp"
#include "lanes/signs_xsimd.hpp"
//
#include "cull/kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_avx512 = make_table(Isa::avx512);
