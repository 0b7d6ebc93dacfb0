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
//
#include "lanes/signs_xsimd.hpp"
//
#include "flat/kernel.hpp"

const lanecull::flat::FlatTable lanecull::flat::flat_kernel_table_avx512 = make_flat_table(Isa::avx512);
