#pragma once

/// Operations across the lanes of a register, on xsimd.

#include <cstdint>

#include "lanes/inline.hpp"

#if defined(LANECULL_SET)

#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

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

}  // namespace
}  // namespace lanecull

#endif
