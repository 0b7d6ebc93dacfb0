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
//
#include "lanes/signs_xsimd.hpp"
//
#include "flat/kernel.hpp"

const lanecull::flat::FlatTable lanecull::flat::flat_kernel_table_avx2 = make_flat_table(Isa::avx2);
