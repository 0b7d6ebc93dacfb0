#pragma once

/// One object at a time: the same vocabulary as lanes/xsimd.hpp in plain C++, for machines without any of the sets and
/// as the reading copy. (xsimd's emulated architecture starts at 2 floats.)

#include <cstdint>

#include <lanecull/library.h>

#include "lanes/inline.hpp"

namespace lanecull {
namespace {

constexpr Isa this_isa = Isa::scalar;
constexpr std::uint32_t needs = 0;

struct FloatW {
    float value;
    FloatW() = default;
    LANE_INLINE FloatW(float v) : value(v) {}
};
struct MaskW {
    bool value;
    MaskW() = default;
    LANE_INLINE explicit MaskW(bool v) : value(v) {}
};
struct IndexW {
    std::int32_t value;
    IndexW() = default;
    LANE_INLINE IndexW(std::int32_t v) : value(v) {}
};

constexpr std::uint32_t lanes = 1;
constexpr std::uint32_t all_lanes = 1;

LANE_INLINE FloatW operator+(FloatW a, FloatW b) { return a.value + b.value; }
LANE_INLINE FloatW operator-(FloatW a, FloatW b) { return a.value - b.value; }
LANE_INLINE FloatW operator*(FloatW a, FloatW b) { return a.value * b.value; }
LANE_INLINE FloatW operator/(FloatW a, FloatW b) { return a.value / b.value; }
LANE_INLINE FloatW operator-(FloatW a) { return -a.value; }
LANE_INLINE MaskW operator<(FloatW a, FloatW b) { return MaskW(a.value < b.value); }
LANE_INLINE MaskW operator>(FloatW a, FloatW b) { return MaskW(a.value > b.value); }
LANE_INLINE MaskW operator<=(FloatW a, FloatW b) { return MaskW(a.value <= b.value); }
LANE_INLINE MaskW operator>=(FloatW a, FloatW b) { return MaskW(a.value >= b.value); }
LANE_INLINE MaskW operator&(MaskW a, MaskW b) { return MaskW(a.value && b.value); }
LANE_INLINE MaskW operator|(MaskW a, MaskW b) { return MaskW(a.value || b.value); }
LANE_INLINE MaskW operator~(MaskW a) { return MaskW(!a.value); }
LANE_INLINE IndexW operator+(IndexW a, IndexW b) { return a.value + b.value; }
LANE_INLINE IndexW operator*(IndexW a, IndexW b) { return a.value * b.value; }
LANE_INLINE IndexW operator&(IndexW a, IndexW b) { return a.value & b.value; }
LANE_INLINE IndexW operator>>(IndexW a, int n) { return a.value >> n; }

LANE_INLINE FloatW load(const float* from) { return *from; }
LANE_INLINE FloatW load_first(const float* from, std::uint32_t) { return *from; }
LANE_INLINE IndexW load(const std::int32_t* from) { return *from; }
LANE_INLINE IndexW load_first(const std::int32_t* from, std::uint32_t) { return *from; }
LANE_INLINE void store(std::int32_t* to, IndexW a) { *to = a.value; }
LANE_INLINE void store(float* to, FloatW a) { *to = a.value; }
LANE_INLINE FloatW gather(const float* base, IndexW index) { return base[index.value]; }
LANE_INLINE FloatW gather_of_16(const float* from, IndexW index) { return from[index.value]; }
LANE_INLINE FloatW gather_of_two(const float* from, IndexW index) { return from[index.value]; }
LANE_INLINE IndexW lane_numbers() { return 0; }

LANE_INLINE FloatW fma(FloatW a, FloatW b, FloatW c) { return a.value * b.value + c.value; }
LANE_INLINE FloatW fms(FloatW a, FloatW b, FloatW c) { return a.value * b.value - c.value; }
LANE_INLINE FloatW abs(FloatW a) { return __builtin_fabsf(a.value); }
LANE_INLINE FloatW min(FloatW a, FloatW b) { return a.value < b.value ? a : b; }
LANE_INLINE FloatW max(FloatW a, FloatW b) { return a.value > b.value ? a : b; }
LANE_INLINE FloatW sqrt(FloatW a) { return __builtin_sqrtf(a.value); }
LANE_INLINE FloatW over_sqrt(FloatW s, FloatW a) { return s.value / __builtin_sqrtf(a.value); }
LANE_INLINE FloatW select(MaskW mask, FloatW a, FloatW b) { return mask.value ? a : b; }
LANE_INLINE FloatW flip(FloatW a, FloatW s) { return __builtin_signbit(s.value) ? -a.value : a.value; }

LANE_INLINE FloatW exponent_scale(FloatW m) {
    const auto exponent = __builtin_bit_cast(std::uint32_t, m.value) & 0x7f800000u;
    return __builtin_bit_cast(float, 0x7f000000u - exponent);
}

LANE_INLINE MaskW odd_population(IndexW a) { return MaskW(__builtin_parity(static_cast<std::uint32_t>(a.value)) != 0); }
LANE_INLINE IndexW to_index(FloatW a) { return static_cast<std::int32_t>(a.value); }
LANE_INLINE std::uint32_t nonzero_lanes(IndexW a) { return a.value != 0; }
LANE_INLINE std::uint32_t bits(MaskW mask) { return mask.value; }
LANE_INLINE MaskW mask_of(std::uint32_t bits) { return MaskW(bits != 0); }
LANE_INLINE MaskW both(MaskW a, MaskW b) { return a & b; }
LANE_INLINE MaskW but_not(MaskW a, MaskW b) { return a & ~b; }
LANE_INLINE MaskW either(MaskW a, MaskW b) { return a | b; }
LANE_INLINE bool any(MaskW mask) { return mask.value; }

template <class T>
LANE_INLINE void store_compressed(T* to, IndexW value, std::uint32_t) {
    *to = static_cast<T>(value.value);
}
LANE_INLINE void store_compressed(float* to, FloatW value, std::uint32_t) { *to = value.value; }

/// A number whose sign bit is set if the sign bit of any of the others is.
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) {
    return __builtin_signbit(a.value) || __builtin_signbit(b.value) ? -1.0f : 1.0f;
}
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b, FloatW c) { return joined_signs(joined_signs(a, b), c); }
/// The lanes whose sign bit is set.
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return __builtin_signbit(a.value) ? 1 : 0; }

/// The lanes of `among` in which a is not less than b, or one of the two is NaN.
LANE_INLINE MaskW not_less(MaskW among, FloatW a, FloatW b) { return among & ~(a < b); }

/// How much larger |a| is than h >= 0; 0 if it is not. Any number if a is NaN.
LANE_INLINE FloatW excess(FloatW a, FloatW h) { return max(abs(a), h) - h; }

/// The one of the two whose bits, read as an unsigned number, are larger: what is negative, infinite or NaN comes after
/// all other numbers.
LANE_INLINE FloatW later_bits(FloatW a, FloatW b) {
    const auto of_a = __builtin_bit_cast(std::uint32_t, a.value), of_b = __builtin_bit_cast(std::uint32_t, b.value);
    return __builtin_bit_cast(float, of_a > of_b ? of_a : of_b);  // the larger of two integers: no branch
}
/// Whether any is negative, NaN or greater than `limit`.
LANE_INLINE bool any_bits_beyond(FloatW a, float limit) { return __builtin_signbit(a.value) || !(a.value <= limit); }

LANE_INLINE FloatW load_some(const float* from, std::uint32_t) { return *from; }
LANE_INLINE FloatW lane_of(FloatW a, std::uint32_t) { return a; }
LANE_INLINE FloatW greatest_lane(FloatW a) { return a; }

}  // namespace
}  // namespace lanecull
