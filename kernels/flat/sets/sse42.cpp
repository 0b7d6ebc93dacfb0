/// SSE4.2, 4 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::sse4_2;
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

const lanecull::flat::FlatTable lanecull::flat::flat_kernel_table_sse42 = make_flat_table(Isa::sse42);
