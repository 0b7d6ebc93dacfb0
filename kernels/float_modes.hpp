#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace lanecull {

/// The floating-point modes that the proof assumes, for as long as it lives: round to nearest, no flush-to-zero, no
/// denormals-are-zero, no traps. Restores the caller's. Games like to run with other modes, and worker threads need not
/// have the caller's: without this, results could depend on the thread.
class FloatModes {
public:
#if defined(__SSE__)
    FloatModes() noexcept : saved_(_mm_getcsr()) { _mm_setcsr(all_masked_round_to_nearest); }
    ~FloatModes() { _mm_setcsr(saved_); }
#else
    FloatModes() noexcept = default;
#endif
    FloatModes(const FloatModes&) = delete;
    FloatModes& operator=(const FloatModes&) = delete;

private:
#if defined(__SSE__)
    static constexpr unsigned all_masked_round_to_nearest = 0x1f80;
    unsigned saved_;
#endif
};

}  // namespace lanecull
