#pragma once

/// AVX-512 F, CD, DQ, BW and VL, 16 lanes.

#include <xsimd/xsimd.hpp>

#include <lanecull/library.h>

#include "lanes/features.hpp"

namespace lanecull {
namespace {

using Arch = xsimd::avx512bw;
constexpr Isa this_isa = Isa::avx512;
constexpr std::uint32_t needs = feature::sse42 | feature::popcnt | feature::avx2 | feature::fma | feature::bmi |
                                feature::bmi2 | feature::avx512f | feature::avx512cd | feature::avx512dq |
                                feature::avx512bw | feature::avx512vl;

}  // namespace
}  // namespace lanecull

#include "lanes/xsimd.hpp"
