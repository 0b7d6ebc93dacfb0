#pragma once

/// NEON of 64-bit ARM, 4 lanes. Every such processor has it. On plain intrinsics: xsimd's division and square root are
/// estimates there (40 % and 37 % of results are not correctly rounded), and gcc 12 makes calls of its wrappers.

#include <arm_neon.h>

#include <cstdint>

#include <lanecull/isa.hpp>

#include "lanes/compress_table.hpp"
#include "lanes/inline.hpp"

namespace lanecull {
namespace {

constexpr Isa this_isa = Isa::neon64;
constexpr std::uint32_t needs = 0;

struct FloatW {
    float32x4_t value;
    FloatW() = default;
    LANE_INLINE FloatW(float32x4_t v) : value(v) {}
    LANE_INLINE FloatW(float v) : value(vdupq_n_f32(v)) {}
};
struct MaskW {
    uint32x4_t value;  ///< each lane all ones or all zeros
    MaskW() = default;
    LANE_INLINE explicit MaskW(uint32x4_t v) : value(v) {}
};
struct IndexW {
    int32x4_t value;
    IndexW() = default;
    LANE_INLINE IndexW(int32x4_t v) : value(v) {}
    LANE_INLINE IndexW(std::int32_t v) : value(vdupq_n_s32(v)) {}
};

constexpr std::uint32_t lanes = 4;
constexpr std::uint32_t all_lanes = 15;

LANE_INLINE FloatW operator+(FloatW a, FloatW b) { return vaddq_f32(a.value, b.value); }
LANE_INLINE FloatW operator-(FloatW a, FloatW b) { return vsubq_f32(a.value, b.value); }
LANE_INLINE FloatW operator*(FloatW a, FloatW b) { return vmulq_f32(a.value, b.value); }
LANE_INLINE FloatW operator/(FloatW a, FloatW b) { return vdivq_f32(a.value, b.value); }
LANE_INLINE FloatW operator-(FloatW a) { return vnegq_f32(a.value); }
LANE_INLINE MaskW operator<(FloatW a, FloatW b) { return MaskW(vcltq_f32(a.value, b.value)); }
LANE_INLINE MaskW operator>(FloatW a, FloatW b) { return MaskW(vcgtq_f32(a.value, b.value)); }
LANE_INLINE MaskW operator<=(FloatW a, FloatW b) { return MaskW(vcleq_f32(a.value, b.value)); }
LANE_INLINE MaskW operator>=(FloatW a, FloatW b) { return MaskW(vcgeq_f32(a.value, b.value)); }
LANE_INLINE MaskW operator&(MaskW a, MaskW b) { return MaskW(vandq_u32(a.value, b.value)); }
LANE_INLINE MaskW operator|(MaskW a, MaskW b) { return MaskW(vorrq_u32(a.value, b.value)); }
LANE_INLINE MaskW operator~(MaskW a) { return MaskW(vmvnq_u32(a.value)); }
LANE_INLINE IndexW operator+(IndexW a, IndexW b) { return vaddq_s32(a.value, b.value); }
LANE_INLINE IndexW operator*(IndexW a, IndexW b) { return vmulq_s32(a.value, b.value); }
LANE_INLINE IndexW operator&(IndexW a, IndexW b) { return vandq_s32(a.value, b.value); }
LANE_INLINE IndexW operator>>(IndexW a, int n) { return vshlq_s32(a.value, vdupq_n_s32(-n)); }

LANE_INLINE uint32x4_t bits_of(FloatW a) { return vreinterpretq_u32_f32(a.value); }
LANE_INLINE FloatW floats_of(uint32x4_t bits) { return vreinterpretq_f32_u32(bits); }

LANE_INLINE FloatW load(const float* from) { return vld1q_f32(from); }
LANE_INLINE IndexW load(const std::int32_t* from) { return vld1q_s32(from); }
/// The loop goes over all lanes, because gcc makes string instructions of a loop over n.
template <class Number>
LANE_INLINE auto load_first_lanes(const Number* from, std::uint32_t n) {
    alignas(16) Number padded[lanes];
    for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = i < n ? from[i] : Number{0};
    return load(padded);
}
LANE_INLINE FloatW load_first(const float* from, std::uint32_t n) { return load_first_lanes(from, n); }
LANE_INLINE IndexW load_first(const std::int32_t* from, std::uint32_t n) { return load_first_lanes(from, n); }
LANE_INLINE FloatW load_some(const float* from, std::uint32_t n) { return load_first_lanes(from, n); }
LANE_INLINE void store(std::int32_t* to, IndexW a) { vst1q_s32(to, a.value); }
LANE_INLINE void store(float* to, FloatW a) { vst1q_f32(to, a.value); }
LANE_INLINE FloatW gather(const float* base, IndexW index) {
    float32x4_t gathered = vdupq_n_f32(base[vgetq_lane_s32(index.value, 0)]);
    gathered = vld1q_lane_f32(base + vgetq_lane_s32(index.value, 1), gathered, 1);
    gathered = vld1q_lane_f32(base + vgetq_lane_s32(index.value, 2), gathered, 2);
    return vld1q_lane_f32(base + vgetq_lane_s32(index.value, 3), gathered, 3);
}

/// Where the bytes of numbers stand in a table of numbers, for vqtbl.
LANE_INLINE uint8x16_t bytes_of_numbers(uint32x4_t number) {
    constexpr std::uint32_t bytes_of_first = 0x03020100, bytes_a_number = 0x04040404;
    return vreinterpretq_u8_u32(vmlaq_u32(vdupq_n_u32(bytes_of_first), number, vdupq_n_u32(bytes_a_number)));
}
LANE_INLINE FloatW gather_of_two(const float* from, IndexW index) {
    const uint8x16x2_t table = {{vreinterpretq_u8_f32(vld1q_f32(from)), vreinterpretq_u8_f32(vld1q_f32(from + 4))}};
    return vreinterpretq_f32_u8(vqtbl2q_u8(table, bytes_of_numbers(vreinterpretq_u32_s32(index.value))));
}
LANE_INLINE FloatW gather_of_16(const float* from, IndexW index) { return gather(from, index); }

/// W floats of the compiler's own vectors.
template <class Vector>
LANE_INLINE FloatW lanes_of(Vector values) {
    return __builtin_bit_cast(float32x4_t, values);
}

LANE_INLINE IndexW lane_numbers() { return int32x4_t{0, 1, 2, 3}; }

LANE_INLINE FloatW fma(FloatW a, FloatW b, FloatW c) { return vfmaq_f32(c.value, a.value, b.value); }
LANE_INLINE FloatW fms(FloatW a, FloatW b, FloatW c) { return fma(a, b, -c); }
LANE_INLINE FloatW abs(FloatW a) { return vabsq_f32(a.value); }
LANE_INLINE FloatW select(MaskW mask, FloatW a, FloatW b) { return vbslq_f32(mask.value, a.value, b.value); }
/// By a comparison: vminq and vmaxq return NaN if either operand is NaN, not the second one.
LANE_INLINE FloatW min(FloatW a, FloatW b) { return select(a < b, a, b); }
LANE_INLINE FloatW max(FloatW a, FloatW b) { return select(a > b, a, b); }
LANE_INLINE FloatW sqrt(FloatW a) { return vsqrtq_f32(a.value); }
LANE_INLINE FloatW over_sqrt(FloatW s, FloatW a) { return s / sqrt(a); }
LANE_INLINE FloatW flip(FloatW a, FloatW s) {
    return floats_of(veorq_u32(bits_of(a), vandq_u32(bits_of(s), vdupq_n_u32(0x80000000u))));
}

LANE_INLINE FloatW exponent_scale(FloatW m) {
    const uint32x4_t exponent = vandq_u32(bits_of(m), vdupq_n_u32(0x7f800000u));
    return floats_of(vsubq_u32(vdupq_n_u32(0x7f000000u), exponent));
}

LANE_INLINE MaskW odd_population(IndexW a) {
    const uint8x16_t population = vcntq_u8(vreinterpretq_u8_s32(a.value));  // the number fits the lowest byte
    return MaskW(vtstq_u32(vreinterpretq_u32_u8(population), vdupq_n_u32(1)));
}
/// Whole numbers only; NaN gives 0, where x86 gives the least number.
LANE_INLINE IndexW to_index(FloatW a) { return vcvtq_s32_f32(a.value); }

LANE_INLINE std::uint32_t bits(MaskW mask) { return vaddvq_u32(vandq_u32(mask.value, uint32x4_t{1, 2, 4, 8})); }
LANE_INLINE MaskW mask_of(std::uint32_t bits) { return MaskW(vtstq_u32(vdupq_n_u32(bits), uint32x4_t{1, 2, 4, 8})); }
LANE_INLINE std::uint32_t nonzero_lanes(IndexW a) { return bits(MaskW(vtstq_s32(a.value, a.value))); }
LANE_INLINE MaskW both(MaskW a, MaskW b) { return a & b; }
LANE_INLINE MaskW but_not(MaskW a, MaskW b) { return MaskW(vbicq_u32(a.value, b.value)); }
LANE_INLINE MaskW either(MaskW a, MaskW b) { return a | b; }
LANE_INLINE bool any(MaskW mask) { return vmaxvq_u32(mask.value) != 0; }

LANE_INLINE uint8x16_t compressed_bytes(uint8x16_t values, std::uint32_t bits) {
    static constexpr CompressBytes<lanes> table;
    return vqtbl1q_u8(values, vld1q_u8(table.order[bits]));
}
template <class T>
LANE_INLINE void store_compressed(T* to, IndexW values, std::uint32_t bits) {
    const uint8x16_t compressed = compressed_bytes(vreinterpretq_u8_s32(values.value), bits);
    vst1q_s32(reinterpret_cast<std::int32_t*>(to), vreinterpretq_s32_u8(compressed));
}
LANE_INLINE void store_compressed(float* to, FloatW values, std::uint32_t bits) {
    vst1q_f32(to, vreinterpretq_f32_u8(compressed_bytes(vreinterpretq_u8_f32(values.value), bits)));
}

LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) { return floats_of(vorrq_u32(bits_of(a), bits_of(b))); }
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b, FloatW c) { return joined_signs(joined_signs(a, b), c); }
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return bits(MaskW(vcltzq_s32(vreinterpretq_s32_f32(a.value)))); }
LANE_INLINE MaskW not_less(MaskW among, FloatW a, FloatW b) { return but_not(among, a < b); }
LANE_INLINE FloatW excess(FloatW a, FloatW h) { return max(abs(a), h) - h; }
LANE_INLINE FloatW later_bits(FloatW a, FloatW b) { return floats_of(vmaxq_u32(bits_of(a), bits_of(b))); }
LANE_INLINE bool any_bits_beyond(FloatW a, float limit) {
    return vmaxvq_u32(bits_of(a)) > __builtin_bit_cast(std::uint32_t, limit);
}

LANE_INLINE FloatW lane_of(FloatW a, std::uint32_t lane) {
    return vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(a.value), bytes_of_numbers(vdupq_n_u32(lane))));
}
/// Not by vmaxvq: it returns NaN if any lane is NaN.
LANE_INLINE FloatW greatest_lane(FloatW a) {
    a = max(a, FloatW(vextq_f32(a.value, a.value, 2)));
    return max(a, FloatW(vrev64q_f32(a.value)));
}

}  // namespace
}  // namespace lanecull
