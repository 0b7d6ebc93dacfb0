#pragma once

/// The processor features that an instruction set's kernels may need.

#include <cstdint>

namespace lanecull {

/// What a processor may have besides the baseline, a bit each. An instruction set's header says which of them its
/// kernels need; calls/isa.cpp reads the processor's.
namespace feature {
constexpr std::uint32_t sse42 = 1 << 0;
constexpr std::uint32_t popcnt = 1 << 1;
constexpr std::uint32_t avx2 = 1 << 2;
constexpr std::uint32_t fma = 1 << 3;
constexpr std::uint32_t bmi = 1 << 4;
constexpr std::uint32_t bmi2 = 1 << 5;
constexpr std::uint32_t avx512f = 1 << 6;
constexpr std::uint32_t avx512cd = 1 << 7;
constexpr std::uint32_t avx512dq = 1 << 8;
constexpr std::uint32_t avx512bw = 1 << 9;
constexpr std::uint32_t avx512vl = 1 << 10;
}  // namespace feature

/// The features that the compiler's flags let it use in the including file, whether it does or not.
namespace {
constexpr std::uint32_t compiled_features = 0
#if defined(__SSE4_2__)
                                            | feature::sse42
#endif
#if defined(__POPCNT__)
                                            | feature::popcnt
#endif
#if defined(__AVX2__)
                                            | feature::avx2
#endif
#if defined(__FMA__)
                                            | feature::fma
#endif
#if defined(__BMI__)
                                            | feature::bmi
#endif
#if defined(__BMI2__)
                                            | feature::bmi2
#endif
#if defined(__AVX512F__)
                                            | feature::avx512f
#endif
#if defined(__AVX512CD__)
                                            | feature::avx512cd
#endif
#if defined(__AVX512DQ__)
                                            | feature::avx512dq
#endif
#if defined(__AVX512BW__)
                                            | feature::avx512bw
#endif
#if defined(__AVX512VL__)
                                            | feature::avx512vl
#endif
    ;
}  // namespace

}  // namespace lanecull
