#pragma once

/// NEON of 64-bit ARM, 4 lanes. Every such processor has it. Not on xsimd: its division and square root are estimates
/// there (40 % and 37 % of results are not correctly rounded), and gcc 12 makes calls of its wrappers.

#include <arm_neon.h>

#include <cstdint>

#include <lanecull/library.h>

#include "lanes/four_lanes.hpp"
#include "lanes/inline.hpp"

namespace lanecull {
namespace {

constexpr Isa this_isa = Isa::neon64;
constexpr std::uint32_t needs = 0;

LANE_INLINE FloatW fma(FloatW a, FloatW b, FloatW c) { return vfmaq_f32(c.value, a.value, b.value); }
LANE_INLINE FloatW fms(FloatW a, FloatW b, FloatW c) { return fma(a, b, -c); }
LANE_INLINE FloatW abs(FloatW a) { return vabsq_f32(a.value); }
LANE_INLINE FloatW select(MaskW mask, FloatW a, FloatW b) {
    return vbslq_f32(uint32x4_t(mask.value), a.value, b.value);
}
/// By a comparison: vminq and vmaxq return NaN if either operand is NaN, not the second one.
LANE_INLINE FloatW min(FloatW a, FloatW b) { return select(a < b, a, b); }
/// greatest_lane() relies on it too: vmaxvq returns NaN if any lane is NaN.
LANE_INLINE FloatW max(FloatW a, FloatW b) { return select(a > b, a, b); }
LANE_INLINE FloatW sqrt(FloatW a) { return vsqrtq_f32(a.value); }
/// Whole numbers only; NaN gives 0, where x86 gives the least number.
LANE_INLINE IndexW to_index(FloatW a) { return vcvtq_s32_f32(a.value); }

LANE_INLINE std::uint32_t bits(MaskW mask) { return vaddvq_u32(uint32x4_t(mask.value & Integers{1, 2, 4, 8})); }
LANE_INLINE bool any(MaskW mask) { return vmaxvq_u32(uint32x4_t(mask.value)) != 0; }
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return bits(MaskW(bits_of(a) < 0)); }

LANE_INLINE Integers populations(Integers bytes) { return Integers(vcntq_u8(uint8x16_t(bytes))); }
LANE_INLINE Integers moved_bytes(Integers values, Integers places) {
    return Integers(vqtbl1q_u8(uint8x16_t(values), uint8x16_t(places)));
}

LANE_INLINE FloatW gather(const float* base, IndexW index) {
    float32x4_t gathered = vdupq_n_f32(base[index.value[0]]);
    gathered = vld1q_lane_f32(base + index.value[1], gathered, 1);
    gathered = vld1q_lane_f32(base + index.value[2], gathered, 2);
    return vld1q_lane_f32(base + index.value[3], gathered, 3);
}
LANE_INLINE FloatW gather_of_two(const float* from, IndexW index) {
    const uint8x16x2_t table = {{uint8x16_t(vld1q_f32(from)), uint8x16_t(vld1q_f32(from + 4))}};
    return lanes_of(vqtbl2q_u8(table, uint8x16_t(bytes_of_numbers(index))));
}
LANE_INLINE FloatW gather_of_16(const float* from, IndexW index) { return gather(from, index); }

}  // namespace
}  // namespace lanecull
