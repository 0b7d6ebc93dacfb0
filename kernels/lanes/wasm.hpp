#pragma once

/// WebAssembly's SIMD, 4 lanes. Not on xsimd: its minimum and maximum return their first operand for NaN there, and its
/// permutations go lane by lane.

#include <wasm_simd128.h>

#include <cstdint>

#include <lanecull/library.h>

#include "lanes/four_lanes.hpp"
#include "lanes/inline.hpp"

namespace lanecull {
namespace {

constexpr Isa this_isa = Isa::wasm;
constexpr std::uint32_t needs = 0;  // a module with these instructions is refused as a whole where there are none

LANE_INLINE FloatW fma(FloatW a, FloatW b, FloatW c) { return a * b + c; }
LANE_INLINE FloatW fms(FloatW a, FloatW b, FloatW c) { return a * b - c; }
LANE_INLINE FloatW abs(FloatW a) { return lanes_of(wasm_f32x4_abs(bits_of(a))); }
LANE_INLINE FloatW select(MaskW mask, FloatW a, FloatW b) {
    return lanes_of(wasm_v128_bitselect(bits_of(a), bits_of(b), mask.value));
}
/// pmin(b, a) is a < b ? a : b, and pmax(b, a) is b < a ? a : b.
LANE_INLINE FloatW min(FloatW a, FloatW b) { return lanes_of(wasm_f32x4_pmin(bits_of(b), bits_of(a))); }
LANE_INLINE FloatW max(FloatW a, FloatW b) { return lanes_of(wasm_f32x4_pmax(bits_of(b), bits_of(a))); }
LANE_INLINE FloatW sqrt(FloatW a) { return lanes_of(wasm_f32x4_sqrt(bits_of(a))); }
/// Whole numbers only; NaN gives 0, where x86 gives the least number.
LANE_INLINE IndexW to_index(FloatW a) { return wasm_i32x4_trunc_sat_f32x4(bits_of(a)); }

LANE_INLINE std::uint32_t bits(MaskW mask) { return wasm_i32x4_bitmask(mask.value); }
LANE_INLINE bool any(MaskW mask) { return wasm_v128_any_true(mask.value); }
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return wasm_i32x4_bitmask(bits_of(a)); }

LANE_INLINE Integers populations(Integers bytes) { return wasm_i8x16_popcnt(bytes); }
LANE_INLINE Integers moved_bytes(Integers values, Integers places) { return wasm_i8x16_swizzle(values, places); }

LANE_INLINE FloatW gather(const float* base, IndexW index) {
    v128_t gathered = wasm_v128_load32_zero(base + index.value[0]);
    gathered = wasm_v128_load32_lane(base + index.value[1], gathered, 1);
    gathered = wasm_v128_load32_lane(base + index.value[2], gathered, 2);
    return lanes_of(wasm_v128_load32_lane(base + index.value[3], gathered, 3));
}
LANE_INLINE FloatW gather_of_two(const float* from, IndexW index) { return gather(from, index); }
LANE_INLINE FloatW gather_of_16(const float* from, IndexW index) { return gather(from, index); }

}  // namespace
}  // namespace lanecull
