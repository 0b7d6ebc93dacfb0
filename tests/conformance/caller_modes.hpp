#pragma once

#include <cstdint>

#include "base/float_modes.hpp"

/// The modes of floating-point arithmetic that a caller may have set. None of them may change a result.
struct CallerModes {
    const char* name;
    std::uint64_t bits;
};

inline constexpr CallerModes all_caller_modes[] = {
    {"usual", lanecull::FloatModeRegister::usual},
#if defined(__SSE__)
    {"flush to zero", 0x1f80 | 0x8040},
    {"round down", 0x1f80 | 0x2000},
    {"round up", 0x1f80 | 0x4000},
    {"round to zero and flush", 0x1f80 | 0x6000 | 0x8040},
#elif defined(__aarch64__)
    {"flush to zero", 1 << 24},
    {"round down", 2 << 22},
    {"round up", 1 << 22},
    {"round to zero and flush", 3 << 22 | 1 << 24},
#endif
};

/// Sets a caller's modes for as long as it lives.
class WithCallerModes {
public:
    explicit WithCallerModes(const CallerModes& modes) : modes_(modes), before_(lanecull::FloatModeRegister::read()) {
        lanecull::FloatModeRegister::write(modes.bits);
    }
    ~WithCallerModes() { lanecull::FloatModeRegister::write(before_); }
    WithCallerModes(const WithCallerModes&) = delete;
    WithCallerModes& operator=(const WithCallerModes&) = delete;

    /// Whether the modes are still those that were set.
    [[nodiscard]] bool kept() const {
        return (lanecull::FloatModeRegister::read() & ~lanecull::FloatModeRegister::flags) == modes_.bits;
    }

private:
    const CallerModes& modes_;
    std::uint64_t before_;
};
