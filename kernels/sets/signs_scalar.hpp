#pragma once

/// Sign bits, one lane: what lanes_scalar.hpp has no need of.

namespace lanecull {
namespace {

/// A number whose sign bit is set where that of one of the two is.
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) {
    return __builtin_signbit(a.value) || __builtin_signbit(b.value) ? -1.0f : 1.0f;
}
/// The lanes whose sign bit is set.
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return __builtin_signbit(a.value) ? 1 : 0; }

}  // namespace
}  // namespace lanecull
