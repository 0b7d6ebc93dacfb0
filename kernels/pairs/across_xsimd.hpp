#pragma once

/// Across the lanes of a register.

namespace lanecull {
namespace {

/// The first n < W; the others are 0. Reads nothing beyond them.
LANE_INLINE FloatW load_some(const float* from, std::uint32_t n) {
#if defined(__AVX512F__)
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1u), from);
#elif defined(__AVX2__)
    return _mm256_maskload_ps(from, _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), lane_numbers()));
#else
    return load_first(from, n);
#endif
}

/// The greatest, in every lane.
LANE_INLINE FloatW greatest_lane(FloatW a) {
#if defined(__AVX512F__)
    a = max(a, FloatW(_mm512_shuffle_f32x4(a, a, 0x4e)));
    a = max(a, FloatW(_mm512_shuffle_f32x4(a, a, 0xb1)));
    a = max(a, FloatW(_mm512_shuffle_ps(a, a, 0x4e)));
    return max(a, FloatW(_mm512_shuffle_ps(a, a, 0xb1)));
#elif defined(__AVX2__)
    a = max(a, FloatW(_mm256_permute2f128_ps(a, a, 1)));
    a = max(a, FloatW(_mm256_shuffle_ps(a, a, 0x4e)));
    return max(a, FloatW(_mm256_shuffle_ps(a, a, 0xb1)));
#else
    a = max(a, FloatW(_mm_shuffle_ps(a, a, 0x4e)));
    return max(a, FloatW(_mm_shuffle_ps(a, a, 0xb1)));
#endif
}

}  // namespace
}  // namespace lanecull
