/// SSE4.2, 4 lanes.

#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
using Arch = xsimd::sse4_2;
}
}  // namespace lanecull

#include "compiled_with.hpp"
#include "compress_table.hpp"
//
#include "lanes_xsimd.hpp"
#include "signs_xsimd.hpp"
//
#include "kernel.hpp"

const lanecull::KernelTable lanecull::kernel_table_sse42 = make_table(Isa::sse42);
