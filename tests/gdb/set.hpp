#pragma once

/// The lanes of the instruction set that the flags name, and vectors of them: all that lanes.cpp knows of the kernels.

#if defined(__SSE4_2__)
#include <xsimd/xsimd.hpp>

namespace lanecull {
namespace {
#if defined(__AVX512F__)
using Arch = xsimd::avx512bw;
#elif defined(__AVX2__)
using Arch = xsimd::fma3<xsimd::avx2>;
#else
using Arch = xsimd::sse4_2;
#endif
}  // namespace
}  // namespace lanecull

#include "sets/compress_table.hpp"
//
#include "sets/lanes_xsimd.hpp"
#else
#include "sets/lanes_scalar.hpp"
#endif
//
#include "vec3w.hpp"
//
#include "flat/vec2w.hpp"
