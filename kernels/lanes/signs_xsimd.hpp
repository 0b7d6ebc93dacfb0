#pragma once

/// Signs, bits and comparisons of lanes on xsimd.

#include <cstdint>

#include "lanes/inline.hpp"

#if defined(LANECULL_SET)

#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// A number whose sign bit is set if the sign bit of either of the two is.
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) { return a | b; }
/// The same of three, in one operation where the set has it.
template <class Lanes>
LANE_INLINE Lanes joined_signs(Lanes a, Lanes b, Lanes c) {
    if constexpr (Lanes::size == 16) {
        return _mm512_castsi512_ps(
            _mm512_ternarylogic_epi32(_mm512_castps_si512(a), _mm512_castps_si512(b), _mm512_castps_si512(c), 0xfe));
    } else {
        return a | b | c;
    }
}
/// The lanes whose sign bit is set.
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return number_of(xsimd::bitwise_cast<std::int32_t>(a) < IndexW(0)); }

/// The lanes of `among` in which a is not less than b, or one of the two is NaN.
template <class Mask, class Lanes>
LANE_INLINE Mask not_less(Mask among, Lanes a, Lanes b) {
    if constexpr (Lanes::size == 16) {
        constexpr int not_less_or_nan = 0x15;
        return Mask(_mm512_mask_cmp_ps_mask(among, a, b, not_less_or_nan));
    } else {
        return among & ~(a < b);
    }
}

/// How much larger |a| is than h >= 0; 0 if it is not. Any number if a is NaN.
template <class Lanes>
LANE_INLINE Lanes excess(Lanes a, Lanes h) {
    if constexpr (Lanes::size == 16) {
        constexpr int largest_magnitude = 0b1011;
        return Lanes(_mm512_range_ps(a, h, largest_magnitude)) - h;
    } else {
        return max(abs(a), h) - h;
    }
}

/// The one of the two whose bits, read as an unsigned number, are larger: what is negative, infinite or NaN comes after
/// all other numbers.
LANE_INLINE FloatW later_bits(FloatW a, FloatW b) {
    return xsimd::bitwise_cast<float>(
        xsimd::max(xsimd::bitwise_cast<std::uint32_t>(a), xsimd::bitwise_cast<std::uint32_t>(b)));
}
/// Whether any is negative, NaN or greater than `limit`.
LANE_INLINE bool any_bits_beyond(FloatW a, float limit) {
    const auto farthest = xsimd::bitwise_cast<std::uint32_t>(FloatW(limit));
    return number_of(xsimd::bitwise_cast<std::uint32_t>(a) > farthest) != 0;
}

}  // namespace
}  // namespace lanecull

#endif
