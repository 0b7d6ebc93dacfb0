#pragma once

namespace lanecull {
namespace {

/// The widest set that the flags of the including file name. A test holds it against the table's name, which shows that
/// each file got its own flags.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
constexpr const char* compiled_with = "avx512";
#elif defined(__AVX2__) && defined(__FMA__)
constexpr const char* compiled_with = "avx2";
#elif defined(__SSE4_2__)
constexpr const char* compiled_with = "sse4.2";
#else
constexpr const char* compiled_with = "scalar";
#endif

}  // namespace
}  // namespace lanecull
