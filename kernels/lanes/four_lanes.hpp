#pragma once

/// Four lanes in the compiler's own vectors (gcc and clang have them): what neon64 and wasm have in common. The set's
/// header includes this file, and then gives what is declared below and its two gathers. lanes/xsimd.hpp says what each
/// operation does. Without LANECULL_SET this file is empty.

#include <cstdint>

#include "lanes/compress_table.hpp"
#include "lanes/inline.hpp"

#if defined(LANECULL_SET)

#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

using Floats __attribute__((vector_size(16))) = float;
using Integers __attribute__((vector_size(16))) = std::int32_t;
using Unsigned __attribute__((vector_size(16))) = std::uint32_t;

struct FloatW {
    Floats value;
    FloatW() = default;
    LANE_INLINE FloatW(Floats v) : value(v) {}
    LANE_INLINE FloatW(float v) : value{v, v, v, v} {}
};
struct MaskW {
    Integers value;  ///< each lane all ones or all zeros
    MaskW() = default;
    LANE_INLINE explicit MaskW(Integers v) : value(v) {}
};
struct IndexW {
    Integers value;
    IndexW() = default;
    LANE_INLINE IndexW(Integers v) : value(v) {}
    LANE_INLINE IndexW(std::int32_t v) : value{v, v, v, v} {}
};

constexpr std::uint32_t lanes = 4;
constexpr std::uint32_t all_lanes = 15;

// What a set gives, by instructions that compilers do not make of operators.

LANE_INLINE FloatW fma(FloatW a, FloatW b, FloatW c);
LANE_INLINE FloatW fms(FloatW a, FloatW b, FloatW c);
LANE_INLINE FloatW abs(FloatW a);
LANE_INLINE FloatW select(MaskW mask, FloatW a, FloatW b);
LANE_INLINE FloatW min(FloatW a, FloatW b);
LANE_INLINE FloatW max(FloatW a, FloatW b);
LANE_INLINE FloatW sqrt(FloatW a);
LANE_INLINE IndexW to_index(FloatW a);
LANE_INLINE std::uint32_t bits(MaskW mask);
LANE_INLINE bool any(MaskW mask);
LANE_INLINE std::uint32_t sign_bits(FloatW a);
/// How many bits of each byte are set.
LANE_INLINE Integers populations(Integers bytes);
/// The bytes of `values` that stand at `places`, each from 0 to 15.
LANE_INLINE Integers moved_bytes(Integers values, Integers places);

LANE_INLINE Integers bits_of(FloatW a) { return __builtin_bit_cast(Integers, a.value); }
LANE_INLINE Unsigned unsigned_bits_of(FloatW a) { return __builtin_bit_cast(Unsigned, a.value); }
/// Of 16 bytes of any kind, such as the W floats of a vector of the compiler's.
template <class Vector>
LANE_INLINE FloatW lanes_of(Vector values) {
    return __builtin_bit_cast(Floats, values);
}

LANE_INLINE FloatW operator+(FloatW a, FloatW b) { return a.value + b.value; }
LANE_INLINE FloatW operator-(FloatW a, FloatW b) { return a.value - b.value; }
LANE_INLINE FloatW operator*(FloatW a, FloatW b) { return a.value * b.value; }
LANE_INLINE FloatW operator/(FloatW a, FloatW b) { return a.value / b.value; }
LANE_INLINE FloatW operator-(FloatW a) { return -a.value; }
LANE_INLINE MaskW operator<(FloatW a, FloatW b) { return MaskW(a.value < b.value); }
LANE_INLINE MaskW operator>(FloatW a, FloatW b) { return MaskW(a.value > b.value); }
LANE_INLINE MaskW operator<=(FloatW a, FloatW b) { return MaskW(a.value <= b.value); }
LANE_INLINE MaskW operator>=(FloatW a, FloatW b) { return MaskW(a.value >= b.value); }
LANE_INLINE MaskW operator&(MaskW a, MaskW b) { return MaskW(a.value & b.value); }
LANE_INLINE MaskW operator|(MaskW a, MaskW b) { return MaskW(a.value | b.value); }
LANE_INLINE MaskW operator~(MaskW a) { return MaskW(~a.value); }
LANE_INLINE IndexW operator+(IndexW a, IndexW b) { return a.value + b.value; }
LANE_INLINE IndexW operator*(IndexW a, IndexW b) { return a.value * b.value; }
LANE_INLINE IndexW operator&(IndexW a, IndexW b) { return a.value & b.value; }
LANE_INLINE IndexW operator>>(IndexW a, int n) { return a.value >> n; }

template <class Vector, class Number>
LANE_INLINE Vector load_vector(const Number* from) {
    Vector loaded;
    __builtin_memcpy(&loaded, from, sizeof(loaded));
    return loaded;
}
LANE_INLINE FloatW load(const float* from) { return load_vector<Floats>(from); }
LANE_INLINE IndexW load(const std::int32_t* from) { return load_vector<Integers>(from); }
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
LANE_INLINE void store(std::int32_t* to, IndexW a) { __builtin_memcpy(to, &a.value, sizeof(a.value)); }
LANE_INLINE void store(float* to, FloatW a) { __builtin_memcpy(to, &a.value, sizeof(a.value)); }
LANE_INLINE IndexW lane_numbers() { return Integers{0, 1, 2, 3}; }

LANE_INLINE FloatW over_sqrt(FloatW s, FloatW a) { return s / sqrt(a); }
LANE_INLINE FloatW excess(FloatW a, FloatW h) { return max(abs(a), h) - h; }
LANE_INLINE FloatW flip(FloatW a, FloatW s) { return lanes_of(bits_of(a) ^ (bits_of(s) & bits_of(-0.0f))); }
LANE_INLINE FloatW exponent_scale(FloatW m) { return lanes_of(0x7f000000 - (bits_of(m) & 0x7f800000)); }
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b) { return lanes_of(bits_of(a) | bits_of(b)); }
LANE_INLINE FloatW joined_signs(FloatW a, FloatW b, FloatW c) { return joined_signs(joined_signs(a, b), c); }
LANE_INLINE FloatW later_bits(FloatW a, FloatW b) {
    const Unsigned of_a = unsigned_bits_of(a), of_b = unsigned_bits_of(b);
    return lanes_of(of_a > of_b ? of_a : of_b);
}
LANE_INLINE bool any_bits_beyond(FloatW a, float limit) {
    return any(MaskW(unsigned_bits_of(a) > unsigned_bits_of(limit)));
}
LANE_INLINE MaskW odd_population(IndexW a) { return MaskW((populations(a.value) & 1) != 0); }  // it fits a byte

LANE_INLINE MaskW mask_of(std::uint32_t bits) {
    return MaskW((IndexW(static_cast<std::int32_t>(bits)).value & Integers{1, 2, 4, 8}) != 0);
}
LANE_INLINE std::uint32_t nonzero_lanes(IndexW a) { return bits(MaskW(a.value != 0)); }
LANE_INLINE MaskW both(MaskW a, MaskW b) { return a & b; }
LANE_INLINE MaskW but_not(MaskW a, MaskW b) { return a & ~b; }
LANE_INLINE MaskW either(MaskW a, MaskW b) { return a | b; }
LANE_INLINE MaskW not_less(MaskW among, FloatW a, FloatW b) { return but_not(among, a < b); }

LANE_INLINE Integers compressed(Integers values, std::uint32_t bits) {
    static constexpr CompressBytes<lanes> table;
    return moved_bytes(values, load_vector<Integers>(table.order[bits]));
}
template <class T>
LANE_INLINE void store_compressed(T* to, IndexW values, std::uint32_t bits) {
    store(reinterpret_cast<std::int32_t*>(to), compressed(values.value, bits));
}
LANE_INLINE void store_compressed(float* to, FloatW values, std::uint32_t bits) {
    store(to, lanes_of(compressed(bits_of(values), bits)));
}

/// Where the bytes of numbers stand in a table of numbers.
LANE_INLINE Integers bytes_of_numbers(IndexW number) { return 0x03020100 + number.value * 0x04040404; }
LANE_INLINE FloatW lane_of(FloatW a, std::uint32_t lane) {
    return lanes_of(moved_bytes(bits_of(a), bytes_of_numbers(static_cast<std::int32_t>(lane))));
}
LANE_INLINE FloatW greatest_lane(FloatW a) {
    a = max(a, Floats{a.value[2], a.value[3], a.value[0], a.value[1]});
    return max(a, Floats{a.value[1], a.value[0], a.value[3], a.value[2]});
}

}  // namespace
}  // namespace lanecull

#endif
