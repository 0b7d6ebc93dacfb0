/// AVX2 with FMA, 8 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::fma3<xsimd::avx2>;
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

const lanecull::pairs::PairTable lanecull::pairs::pair_kernel_table_avx2 = make_pair_table(Isa::avx2);
