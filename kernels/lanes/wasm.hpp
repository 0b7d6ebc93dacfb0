#pragma once

/// WebAssembly's SIMD, 4 lanes. On plain intrinsics: xsimd's minimum and maximum return their first operand for NaN
/// there, and its permutations go lane by lane.

#include <wasm_simd128.h>

#include <cstdint>

#include <lanecull/isa.hpp>

#include "lanes/compress_table.hpp"
#include "lanes/inline.hpp"

namespace lanecull {
namespace {

constexpr Isa this_isa = Isa::wasm;
constexpr std::uint32_t needs = 0;  // a module with these instructions is refused as a whole where there are none

struct FloatW {
    v128_t value;
    FloatW() = default;
    LANE_INLINE FloatW(v128_t v) : value(v) {}
    LANE_INLINE FloatW(float v) : value(wasm_f32x4_splat(v)) {}
};
struct MaskW {
    v128_t value;  ///< each lane all ones or all zeros
    MaskW() = default;
    LANE_INLINE explicit MaskW(v128_t v) : value(v) {}
};
struct IndexW {
    v128_t value;
    IndexW() = default;
    LANE_INLINE IndexW(v128_t v) : value(v) {}
    LANE_INLINE IndexW(std::int32_t v) : value(wasm_i32x4_splat(v)) {}
};

constexpr std::uint32_t lanes = 4;
constexpr std::uint32_t all_lanes = 15;

LANE_INLINE FloatW operator+(FloatW a, FloatW b) { return wasm_f32x4_add(a.value, b.value); }
LANE_INLINE FloatW operator-(FloatW a, FloatW b) { return wasm_f32x4_sub(a.value, b.value); }
LANE_INLINE FloatW operator*(FloatW a, FloatW b) { return wasm_f32x4_mul(a.value, b.value); }
LANE_INLINE FloatW operator/(FloatW a, FloatW b) { return wasm_f32x4_div(a.value, b.value); }
LANE_INLINE FloatW operator-(FloatW a) { return wasm_f32x4_neg(a.value); }
LANE_INLINE MaskW operator<(FloatW a, FloatW b) { return MaskW(wasm_f32x4_lt(a.value, b.value)); }
LANE_INLINE MaskW operator>(FloatW a, FloatW b) { return MaskW(wasm_f32x4_gt(a.value, b.value)); }
LANE_INLINE MaskW operator<=(FloatW a, FloatW b) { return MaskW(wasm_f32x4_le(a.value, b.value)); }
LANE_INLINE MaskW operator>=(FloatW a, FloatW b) { return MaskW(wasm_f32x4_ge(a.value, b.value)); }
LANE_INLINE MaskW operator&(MaskW a, MaskW b) { return MaskW(wasm_v128_and(a.value, b.value)); }
LANE_INLINE MaskW operator|(MaskW a, MaskW b) { return MaskW(wasm_v128_or(a.value, b.value)); }
LANE_INLINE MaskW operator~(MaskW a) { return MaskW(wasm_v128_not(a.value)); }
LANE_INLINE IndexW operator+(IndexW a, IndexW b) { return wasm_i32x4_add(a.value, b.value); }
LANE_INLINE IndexW operator*(IndexW a, IndexW b) { return wasm_i32x4_mul(a.value, b.value); }
LANE_INLINE IndexW operator&(IndexW a, IndexW b) { return wasm_v128_and(a.value, b.value); }
LANE_INLINE IndexW operator>>(IndexW a, int n) { return wasm_i32x4_shr(a.value, static_cast<std::uint32_t>(n)); }

LANE_INLINE FloatW load(const float* from) { return wasm_v128_load(from); }
LANE_INLINE IndexW load(const std::int32_t* from) { return wasm_v128_load(from); }
template <class Number>
LANE_INLINE auto load_first_lanes(const Number* from, std::uint32_t n) {
    alignas(16) Number padded[lanes];
    for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = i < n ? from[i] : Number{0};
    return load(padded);
}
LANE_INLINE FloatW load_first(const float* from, std::uint32_t n) { return load_first_lanes(from, n); }
LANE_INLINE IndexW load_first(const std::int32_t* from, std::uint32_t n) { return load_first_lanes(from, n); }
LANE_INLINE FloatW load_some(const float* from, std::uint32_t n) { return load_first_lanes(from, n); }
LANE_INLINE void store(std::int32_t* to, IndexW a) { wasm_v128_store(to, a.value); }
LANE_INLINE void store(float* to, FloatW a) { wasm_v128_store(to, a.value); }
LANE_INLINE FloatW gather(const float* base, IndexW index) {
    v128_t gathered = wasm_v128_load32_zero(base + wasm_i32x4_extract_lane(index.value, 0));
    gathered = wasm_v128_load32_lane(base + wasm_i32x4_extract_lane(index.value, 1), gathered, 1);
    gathered = wasm_v128_load32_lane(base + wasm_i32x4_extract_lane(index.value, 2), gathered, 2);
    return wasm_v128_load32_lane(base + wasm_i32x4_extract_lane(index.value, 3), gathered, 3);
}
LANE_INLINE FloatW gather_of_two(const float* from, IndexW index) { return gather(from, index); }
LANE_INLINE FloatW gather_of_16(const float* from, IndexW index) { return gather(from, index); }

/// W floats of the compiler's own vectors.
template <class Vector>
LANE_INLINE FloatW lanes_of(Vector values) {
    return __builtin_bit_cast(v128_t, values);
}

LANE_INLINE IndexW lane_numbers() { return wasm_i32x4_const(0, 1, 2, 3); }

LANE_INLINE FloatW fma(FloatW a, FloatW b, FloatW c) { return a * b + c; }
LANE_INLINE FloatW fms(FloatW a, FloatW b, FloatW c) { return a * b - c; }
LANE_INLINE FloatW abs(FloatW a) { return wasm_f32x4_abs(a.value); }
LANE_INLINE FloatW select(MaskW mask, FloatW a, FloatW b) { return wasm_v128_bitselect(a.value, b.value, mask.value); }
/// pmin(b, a) is a < b ? a : b, and pmax(b, a) is b < a ? a : b.
LANE_INLINE FloatW min(FloatW a, FloatW b) { return wasm_f32x4_pmin(b.value, a.value); }
LANE_INLINE FloatW max(FloatW a, FloatW b) { return wasm_f32x4_pmax(b.value, a.value); }
LANE_INLINE FloatW sqrt(FloatW a) { return wasm_f32x4_sqrt(a.value); }
LANE_INLINE FloatW over_sqrt(FloatW s, FloatW a) { return s / sqrt(a); }
LANE_INLINE FloatW flip(FloatW a, FloatW s) {
    return wasm_v128_xor(a.value, wasm_v128_and(s.value, wasm_f32x4_splat(-0.0f)));
}

LANE_INLINE FloatW exponent_scale(FloatW m) {
    const v128_t exponent = wasm_v128_and(m.value, wasm_i32x4_splat(0x7f800000));
    return wasm_i32x4_sub(wasm_i32x4_splat(0x7f000000), exponent);
}

LANE_INLINE MaskW odd_population(IndexW a) {
    const v128_t odd = wasm_v128_and(wasm_i8x16_popcnt(a.value), wasm_i32x4_splat(1));  // the number fits a byte
    return MaskW(wasm_i32x4_ne(odd, wasm_i32x4_splat(0)));
}
/// Whole numbers only; NaN gives 0, where x86 gives the least number.
LANE_INLINE IndexW to_index(FloatW a) { return wasm_i32x4_trunc_sat_f32x4(a.value); }

LANE_INLINE std::uint32_t bits(MaskW mask) { return wasm_i32x4_bitmask(mask.value); }
LANE_INLINE MaskW mask_of(std::uint32_t bits) {
    const v128_t bit_of = wasm_i32x4_const(1, 2, 4, 8);
    return MaskW(wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat(static_cast<std::int32_t>(bits)), bit_of), bit_of));
}
LANE_INLINE std::uint32_t nonzero_lanes(IndexW a) {
    return wasm_i32x4_bitmask(wasm_i32x4_ne(a.value, wasm_i32x4_splat(0)));
}
LANE_INLINE MaskW both(MaskW a, MaskW b) { return a & b; }
LANE_INLINE MaskW but_not(MaskW a, MaskW b) { return MaskW(wasm_v128_andnot(a.value, b.value)); }
LANE_INLINE MaskW either(MaskW a, MaskW b) { return a | b; }
LANE_INLINE bool any(MaskW mask) { return wasm_v128_any_true(mask.value); }

/// Numbers of 4 bytes, moved to the lanes that ask for them.
LANE_INLINE v128_t chosen_lanes(v128_t values, v128_t lane) {
    const v128_t of_first = wasm_i32x4_splat(0x03020100), a_number = wasm_i32x4_splat(0x04040404);
    return wasm_i8x16_swizzle(values, wasm_i32x4_add(of_first, wasm_i32x4_mul(lane, a_number)));
}
LANE_INLINE v128_t compressed(v128_t values, std::uint32_t bits) {
    static constexpr CompressBytes<lanes> table;
    return wasm_i8x16_swizzle(values, wasm_v128_load(table.order[bits]));
}
template <class T>
LANE_INLINE void store_compressed(T* to, IndexW values, std::uint32_t bits) {
    wasm_v128_store(to, compressed(values.value, bits));
}
LANE_INLINE void store_compressed(float* to, FloatW values, std::uint32_t bits) {
    wasm_v128_store(to, compressed(values.value, bits));
}

LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) { return wasm_v128_or(a.value, b.value); }
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b, FloatW c) { return joined_signs(joined_signs(a, b), c); }
LANE_INLINE std::uint32_t sign_bits(FloatW a) { return wasm_i32x4_bitmask(a.value); }
LANE_INLINE MaskW not_less(MaskW among, FloatW a, FloatW b) { return but_not(among, a < b); }
LANE_INLINE FloatW excess(FloatW a, FloatW h) { return max(abs(a), h) - h; }
LANE_INLINE FloatW later_bits(FloatW a, FloatW b) { return wasm_u32x4_max(a.value, b.value); }
LANE_INLINE bool any_bits_beyond(FloatW a, float limit) {
    return wasm_v128_any_true(wasm_u32x4_gt(a.value, wasm_f32x4_splat(limit)));
}

LANE_INLINE FloatW lane_of(FloatW a, std::uint32_t lane) {
    return chosen_lanes(a.value, wasm_i32x4_splat(static_cast<std::int32_t>(lane)));
}
LANE_INLINE FloatW greatest_lane(FloatW a) {
    a = max(a, FloatW(wasm_i32x4_shuffle(a.value, a.value, 2, 3, 0, 1)));
    return max(a, FloatW(wasm_i32x4_shuffle(a.value, a.value, 1, 0, 3, 2)));
}

}  // namespace
}  // namespace lanecull
