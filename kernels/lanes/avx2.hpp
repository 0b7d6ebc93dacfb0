#pragma once

/// AVX2 with FMA, 8 lanes.

#include <xsimd/xsimd.hpp>

#include <lanecull/library.h>

#include "lanes/features.hpp"

namespace lanecull {
namespace {

using Arch = xsimd::fma3<xsimd::avx2>;
constexpr Isa this_isa = Isa::avx2;
constexpr std::uint32_t needs =
    feature::sse42 | feature::popcnt | feature::avx2 | feature::fma | feature::bmi | feature::bmi2;

}  // namespace
}  // namespace lanecull

#include "lanes/xsimd.hpp"
