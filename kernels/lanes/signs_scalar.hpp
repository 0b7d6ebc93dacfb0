#pragma once

/// Signs, bits and comparisons of one lane.

namespace lanecull {
namespace {

/// A number whose sign bit is set where that of one of the others is.
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) {
    return __builtin_signbit(a.value) || __builtin_signbit(b.value) ? -1.0f : 1.0f;
}
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b, FloatW c) { return joined_signs(joined_signs(a, b), c); }
/// The lanes whose sign bit is set.
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return __builtin_signbit(a.value) ? 1 : 0; }

/// Those of the lanes `among` in which a is not less than b, or one is NaN.
LANE_INLINE MaskW not_less(MaskW among, FloatW a, FloatW b) { return among & ~(a < b); }

/// By how much |a| is more than h >= 0, else 0. Of NaN any number.
LANE_INLINE FloatW excess(FloatW a, FloatW h) { return max(abs(a), h) - h; }

/// Numbers as their bits order them, unsigned: what is negative, infinite or NaN comes after all others.
LANE_INLINE FloatW later_bits(FloatW a, FloatW b) {
    const auto of_a = __builtin_bit_cast(std::uint32_t, a.value), of_b = __builtin_bit_cast(std::uint32_t, b.value);
    return __builtin_bit_cast(float, of_a > of_b ? of_a : of_b);  // of integers: no branch
}
/// Whether any is negative, NaN or greater than `limit`.
LANE_INLINE bool any_bits_beyond(FloatW a, float limit) { return __builtin_signbit(a.value) || !(a.value <= limit); }

}  // namespace
}  // namespace lanecull
