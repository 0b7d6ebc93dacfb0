#pragma once

#include <cstdint>
#include <vector>

#include "base/float_modes.hpp"

/// The modes of floating-point arithmetic that a caller may have set. None of them may change a result.

// What their bits are; `masks` are those without which operations trap.
#if defined(__aarch64__)
// Of FPCR. Few processors trap: the bits for it stay zero.
inline constexpr std::uint64_t roundings[] = {0, 1 << 22, 2 << 22, 3 << 22}, denormals[] = {0, 1 << 24}, masks[] = {0};
#elif defined(__SSE__)
// Of MXCSR: results are flushed to zero, operands are taken for zero.
inline constexpr std::uint64_t roundings[] = {0, 0x2000, 0x4000, 0x6000}, denormals[] = {0, 0x8000, 0x0040, 0x8040},
                               masks[] = {0x1f80, 0};
#else
inline constexpr std::uint64_t roundings[] = {0}, denormals[] = {0}, masks[] = {0};
#endif

/// Every combination of a rounding direction and of what becomes of denormal numbers, and with traps if wanted. The
/// first is the usual one.
inline std::vector<std::uint64_t> caller_modes(bool also_traps) {
    std::vector<std::uint64_t> all;
    for (const std::uint64_t mask : masks) {
        if (mask != masks[0] && !also_traps) break;
        for (const std::uint64_t rounding : roundings) {
            for (const std::uint64_t denormal : denormals) all.push_back(rounding | denormal | mask);
        }
    }
    return all;
}

/// Sets a caller's modes for as long as it lives. No exception counts as raised at first.
class WithCallerModes {
public:
    explicit WithCallerModes(std::uint64_t modes) : modes_(modes), before_(lanecull::FloatModeRegister::read()) {
        lanecull::FloatModeRegister::write(modes);
    }
    ~WithCallerModes() { lanecull::FloatModeRegister::write(before_); }
    WithCallerModes(const WithCallerModes&) = delete;
    WithCallerModes& operator=(const WithCallerModes&) = delete;

    /// Whether the modes are still those that were set.
    [[nodiscard]] bool kept() const {
        return (lanecull::FloatModeRegister::read() & ~lanecull::FloatModeRegister::flags) == modes_;
    }

private:
    std::uint64_t modes_, before_;
};
