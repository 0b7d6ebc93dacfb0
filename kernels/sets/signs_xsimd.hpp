#pragma once

/// Sign bits: what lanes_xsimd.hpp has no need of.

namespace lanecull {
namespace {

/// A number whose sign bit is set where that of one of the two is.
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) { return a | b; }
/// The lanes whose sign bit is set.
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return number_of(xsimd::bitwise_cast<std::int32_t>(a) < IndexW(0)); }

}  // namespace
}  // namespace lanecull
