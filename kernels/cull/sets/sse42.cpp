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
#include "lanes/signs_xsimd.hpp"
//
#include "cull/kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_sse42 = make_table(Isa::sse42);
