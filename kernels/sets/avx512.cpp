/// AVX-512 F, CD, DQ, BW and VL, 16 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::avx512bw;
}
}  // namespace lanecull

#include "compiled_with.hpp"
#include "compress_table.hpp"
//
#include "lanes_xsimd.hpp"
#include "signs_xsimd.hpp"
//
#include "kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_avx512 = make_table(Isa::avx512);
