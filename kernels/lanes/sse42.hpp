#pragma once

/// SSE4.2, 4 lanes.

#include <xsimd/xsimd.hpp>

#include <lanecull/library.h>

#include "lanes/features.hpp"

namespace lanecull {
namespace {

using Arch = xsimd::sse4_2;
constexpr Isa this_isa = Isa::sse42;
constexpr std::uint32_t needs = feature::sse42 | feature::popcnt;

}  // namespace
}  // namespace lanecull

#include "lanes/xsimd.hpp"
