#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace lanecull {

/// Sets the floating-point modes that the proof assumes, for as long as the object lives: round to nearest, no
/// flush-to-zero, no denormals-are-zero, no traps. The destructor restores the caller's modes, except for the exception
/// flags. Games often run with other modes, and worker threads need not have the caller's modes. Without this class,
/// results could depend on the thread. If the modes are right already, they are only read, which takes half as long.
class FloatModes {
public:
#if defined(__SSE__)
    FloatModes() noexcept : saved_(_mm_getcsr()) {
        if (others()) _mm_setcsr(all_masked_round_to_nearest);
    }
    ~FloatModes() {
        if (others()) _mm_setcsr(saved_);
    }
#else
    FloatModes() noexcept = default;
#endif
    FloatModes(const FloatModes&) = delete;
    FloatModes& operator=(const FloatModes&) = delete;

private:
#if defined(__SSE__)
    static constexpr unsigned all_masked_round_to_nearest = 0x1f80, exception_flags = 0x3f;

    [[nodiscard]] bool others() const { return (saved_ & ~exception_flags) != all_masked_round_to_nearest; }

    unsigned saved_;
#endif
};

}  // namespace lanecull
