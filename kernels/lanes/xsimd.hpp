#pragma once

/// W objects side by side on xsimd, for sets whose header names one of its architectures `Arch` (lanes/avx2.hpp).
/// Without LANECULL_SET this file is empty.

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "lanes/compress_table.hpp"
#include "lanes/inline.hpp"

#if defined(LANECULL_SET)

#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

using FloatW = xsimd::batch<float, Arch>;
using MaskW = xsimd::batch_bool<float, Arch>;
using IndexW = xsimd::batch<std::int32_t, Arch>;

constexpr std::uint32_t lanes = FloatW::size;
constexpr std::uint32_t all_lanes = (1u << lanes) - 1u;

LANE_INLINE FloatW load(const float* from) { return FloatW::load_unaligned(from); }

LANE_INLINE IndexW load(const std::int32_t* from) { return IndexW::load_unaligned(from); }
/// The first n <= W numbers; the other lanes are 0. Reads nothing beyond them, by a masked load where the set has one.
/// Elsewhere the loop goes over all lanes, because gcc makes string instructions of a loop over n.
template <class Lanes, class Number>
LANE_INLINE Lanes load_first_lanes(const Number* from, std::uint32_t n) {
    if constexpr (Lanes::size == 16) {
        const auto loaded = _mm512_maskz_loadu_epi32(static_cast<std::uint16_t>((1u << n) - 1), from);
        return xsimd::bitwise_cast<Number>(IndexW(loaded));
    } else {
        alignas(64) Number padded[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = i < n ? from[i] : Number{0};
        return Lanes::load_aligned(padded);
    }
}
LANE_INLINE FloatW load_first(const float* from, std::uint32_t n) { return load_first_lanes<FloatW>(from, n); }
LANE_INLINE IndexW load_first(const std::int32_t* from, std::uint32_t n) { return load_first_lanes<IndexW>(from, n); }
LANE_INLINE void store(std::int32_t* to, IndexW a) { a.store_unaligned(to); }
LANE_INLINE void store(float* to, FloatW a) { a.store_unaligned(to); }
LANE_INLINE FloatW gather(const float* base, IndexW index) { return FloatW::gather(base, index); }

/// W floats of the compiler's own vectors.
template <class Vector>
LANE_INLINE FloatW lanes_of(Vector values) {
    return FloatW(__builtin_bit_cast(FloatW::register_type, values));
}

LANE_INLINE IndexW lane_numbers() {
    alignas(64) std::int32_t numbers[lanes];
    for (std::uint32_t i = 0; i < lanes; ++i) numbers[i] = static_cast<std::int32_t>(i);
    return IndexW::load_aligned(numbers);
}

/// a b + c, with one rounding where the set has it, else two; never fused behind our back (-ffp-contract=off).
LANE_INLINE FloatW fma(FloatW a, FloatW b, FloatW c) { return xsimd::fma(a, b, c); }
/// a b - c
LANE_INLINE FloatW fms(FloatW a, FloatW b, FloatW c) { return xsimd::fms(a, b, c); }
LANE_INLINE FloatW abs(FloatW a) { return xsimd::abs(a); }
LANE_INLINE FloatW min(FloatW a, FloatW b) { return xsimd::min(a, b); }
LANE_INLINE FloatW max(FloatW a, FloatW b) { return xsimd::max(a, b); }
/// Correctly rounded, as is /.
LANE_INLINE FloatW sqrt(FloatW a) { return xsimd::sqrt(a); }
/// s / sqrt(a) for normal a, within 4 units of roundoff, 3 where s is a power of two. Where the set has an estimate of
/// 14 bits, this takes the estimate and a Newton step (square root and division of 16 lanes keep a port busy for 35
/// cycles), elsewhere sqrt and /. s multiplies the estimate, before the step's last product, because other operations
/// wait for that product.
LANE_INLINE FloatW over_sqrt(FloatW s, FloatW a) {
    if constexpr (lanes == 16) {
        const FloatW y = xsimd::rsqrt(a);
        return s * y * xsimd::fnma(a * FloatW(0.5f), y * y, FloatW(1.5f));
    } else {
        return s / sqrt(a);
    }
}
/// Set lanes from a, the others from b.
LANE_INLINE FloatW select(MaskW mask, FloatW a, FloatW b) { return xsimd::select(mask, a, b); }
/// from[index], of 2 W floats.
LANE_INLINE FloatW gather_of_two(const float* from, IndexW index) {
    if constexpr (lanes >= 8) {
        const auto modulo_w = xsimd::bitwise_cast<std::uint32_t>(index);  // a permutation ignores the higher bits
        const FloatW low = xsimd::swizzle(load(from), modulo_w), high = xsimd::swizzle(load(from + lanes), modulo_w);
        return select(xsimd::batch_bool_cast<float>(index < IndexW(static_cast<std::int32_t>(lanes))), low, high);
    } else {
        return gather(from, index);
    }
}

/// from[index], of 16 floats.
LANE_INLINE FloatW gather_of_16(const float* from, IndexW index) {
    if constexpr (lanes == 16) return xsimd::swizzle(load(from), xsimd::bitwise_cast<std::uint32_t>(index));
    if constexpr (lanes == 8) return gather_of_two(from, index);
    return gather(from, index);
}

/// a, negated where s has its sign bit set.
LANE_INLINE FloatW flip(FloatW a, FloatW s) { return a ^ (s & FloatW(-0.0f)); }

/// The power of two that brings m > 0 into [1, 2) (subnormal m: below 2). Infinity and NaN give no usable scale.
LANE_INLINE FloatW exponent_scale(FloatW m) {
    const IndexW exponent = xsimd::bitwise_cast<std::int32_t>(m) & IndexW(0x7f800000);
    return xsimd::bitwise_cast<float>(IndexW(0x7f000000) - exponent);
}

/// Whole numbers only.
LANE_INLINE IndexW to_index(FloatW a) { return xsimd::to_int(a); }

/// Set: the number, from 0 to 63, has an odd number of bits set.
LANE_INLINE MaskW odd_population(IndexW a) {
    a = a ^ (a >> 4);  // from here on only the lowest four bits count
    a = a ^ (a >> 2);
    a = a ^ (a >> 1);
    return xsimd::batch_bool_cast<float>((a & IndexW(1)) != IndexW(0));
}

/// A mask register's bits as a number. gcc 12 may spill the 16 bits and read 32 back (seen at -O1 with sanitizers:
/// counts too high by what lay beside them). So the number passes through a general register, which gcc reads back
/// whole.
template <class Mask>
LANE_INLINE std::uint32_t number_of(Mask mask) {
    auto number = static_cast<std::uint32_t>(mask.mask());
#if defined(__GNUC__) && !defined(__clang__)
    if constexpr (lanes == 16) asm("" : "+r"(number));
#endif
    return number;
}

/// The lanes that are not 0.
LANE_INLINE std::uint32_t nonzero_lanes(IndexW a) { return number_of(a != IndexW(0)); }

/// Bit i is lane i.
LANE_INLINE std::uint32_t bits(MaskW mask) { return number_of(mask); }
LANE_INLINE MaskW mask_of(std::uint32_t bits) {
    if constexpr (lanes == 16) {
        return MaskW::from_mask(bits);
    } else {
        // xsimd itself uses a table, which the linker would share between files.
        alignas(64) std::int32_t bit_of[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) bit_of[i] = 1 << i;
        const IndexW chosen = IndexW(static_cast<std::int32_t>(bits)) & IndexW::load_aligned(bit_of);
        return xsimd::batch_bool_cast<float>(chosen != IndexW(0));
    }
}
/// a & b, a & ~b, a | b in AVX-512's mask registers, for masks that a chain of operations waits for. For the operators
/// gcc 12 takes integer operations whenever one of the masks is in a general register, and moves the others there and
/// back.
template <class Mask>
LANE_INLINE Mask both(Mask a, Mask b) {
    if constexpr (Mask::size == 16) {
        return Mask(_kand_mask16(a, b));
    } else {
        return a & b;
    }
}
template <class Mask>
LANE_INLINE Mask but_not(Mask a, Mask b) {
    if constexpr (Mask::size == 16) {
        return Mask(_kandn_mask16(b, a));
    } else {
        return a & ~b;
    }
}
template <class Mask>
LANE_INLINE Mask either(Mask a, Mask b) {
    if constexpr (Mask::size == 16) {
        return Mask(_kor_mask16(a, b));
    } else {
        return a | b;
    }
}
LANE_INLINE bool any(MaskW mask) { return xsimd::any(mask); }

/// Stores the lanes that are set in `bits`, moved to the front. Writes W numbers to `to`, of which the first
/// popcount(bits) count.
template <class T>
LANE_INLINE void store_compressed(T* to, IndexW values, std::uint32_t bits) {
    if constexpr (lanes == 16) {
        const auto mask = xsimd::batch_bool<std::int32_t, Arch>::from_mask(bits);
        xsimd::compress(values, mask).store_unaligned(reinterpret_cast<std::int32_t*>(to));
    } else {
        static constexpr CompressTable<(lanes <= 8 ? lanes : 1)> table;  // (not instantiated for 16)
        const auto order = xsimd::batch<std::uint32_t, Arch>::load_aligned(table.order[bits]);
        xsimd::swizzle(values, order).store_unaligned(reinterpret_cast<std::int32_t*>(to));
    }
}

LANE_INLINE void store_compressed(float* to, FloatW values, std::uint32_t bits) {
    store_compressed(reinterpret_cast<std::int32_t*>(to), xsimd::bitwise_cast<std::int32_t>(values), bits);
}

// Operations across the lanes of a register.

/// The first n < W floats; the other lanes are 0. Reads nothing beyond them.
LANE_INLINE FloatW load_some(const float* from, std::uint32_t n) {
#if defined(__AVX512F__)
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1u), from);
#elif defined(__AVX2__)
    return _mm256_maskload_ps(from, _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), lane_numbers()));
#else
    return load_first(from, n);
#endif
}

/// One lane's number in every lane.
LANE_INLINE FloatW lane_of(FloatW a, std::uint32_t lane) {
#if defined(__AVX512F__)
    return _mm512_permutexvar_ps(_mm512_set1_epi32(static_cast<int>(lane)), a);
#elif defined(__AVX2__)
    return _mm256_permutevar8x32_ps(a, _mm256_set1_epi32(static_cast<int>(lane)));
#else
    constexpr int bytes_of_first = 0x03020100, bytes_a_lane = 0x04040404;
    const __m128i bytes = _mm_set1_epi32(bytes_of_first + static_cast<int>(lane) * bytes_a_lane);
    return _mm_castsi128_ps(_mm_shuffle_epi8(_mm_castps_si128(a), bytes));
#endif
}

/// The greatest lane's number, in every lane. It works in ever narrower registers, which takes Zen 4 half the time.
LANE_INLINE FloatW greatest_lane(FloatW a) {
#if defined(__AVX512F__)
    __m256 half = _mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    __m128 quarter = _mm_max_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
#elif defined(__AVX2__)
    __m128 quarter = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
#else
    __m128 quarter = a;
#endif
    quarter = _mm_max_ps(quarter, _mm_shuffle_ps(quarter, quarter, 0x4e));
    quarter = _mm_max_ps(quarter, _mm_shuffle_ps(quarter, quarter, 0xb1));
#if defined(__AVX512F__)
    return _mm512_broadcastss_ps(quarter);
#elif defined(__AVX2__)
    return _mm256_broadcastss_ps(quarter);
#else
    return quarter;
#endif
}

#if defined(__AVX2__)

/// Stores to memory, not to the caches, of which it reads nothing. `to` is aligned to a register. Other threads see it
/// after finish_stores_past_caches().
LANE_INLINE void store_past_caches(std::int32_t* to, IndexW a) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), a);
#else
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), a);
#endif
}
LANE_INLINE void finish_stores_past_caches() { _mm_sfence(); }

#endif

// Signs, bits and comparisons of lanes.

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
