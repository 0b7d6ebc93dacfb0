/// AVX-512 F, CD, DQ, BW and VL, 16 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::avx512bw;
}
}  // namespace lanecull

#include "../../sets/compiled_with.hpp"
#include "../../sets/compress_table.hpp"
//
#include "../../sets/lanes_xsimd.hpp"
#include "../../sets/signs_xsimd.hpp"
//
#include "../across_xsimd.hpp"
//
#include "../kernel.hpp"

const lanecull::pairs::PairTable lanecull::pairs::pair_kernel_table_avx512 = make_pair_table(Isa::avx512);
