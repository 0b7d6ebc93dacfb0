#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace lanecull {

/// The processor's register of floating-point modes.
#if defined(__SSE__)
struct FloatModeRegister {
    static constexpr std::uint64_t usual = 0x1f80;  ///< all traps masked
    static constexpr std::uint64_t flags = 0x3f;    ///< exceptions that were raised; no modes
    static std::uint64_t read() noexcept { return _mm_getcsr(); }
    static void write(std::uint64_t modes) noexcept { _mm_setcsr(static_cast<unsigned>(modes)); }
};
#elif defined(__aarch64__)
/// FPCR. The exceptions that were raised are in a register of their own.
struct FloatModeRegister {
    static constexpr std::uint64_t usual = 0, flags = 0;
    static std::uint64_t read() noexcept {
        std::uint64_t modes;
        asm volatile("mrs %0, fpcr" : "=r"(modes) : : "memory");
        return modes;
    }
    static void write(std::uint64_t modes) noexcept { asm volatile("msr fpcr, %0" : : "r"(modes) : "memory"); }
};
#else
/// There are no modes, or none that this library knows of.
struct FloatModeRegister {
    static constexpr std::uint64_t usual = 0, flags = 0;
    static std::uint64_t read() noexcept { return usual; }
    static void write(std::uint64_t) noexcept {}
};
#endif

/// Sets the floating-point modes that the proof assumes, for as long as the object lives: round to nearest, no
/// flush-to-zero, no denormals-are-zero, no traps. The destructor restores the caller's modes, except for the exception
/// flags. Games often run with other modes, and worker threads need not have the caller's modes. Without this class,
/// results could depend on the thread. If the modes are right already, they are only read, which takes half as long.
class FloatModes {
public:
    FloatModes() noexcept : saved_(FloatModeRegister::read()) {
        if (others()) FloatModeRegister::write(FloatModeRegister::usual);
    }
    ~FloatModes() {
        if (others()) FloatModeRegister::write(saved_);
    }
    FloatModes(const FloatModes&) = delete;
    FloatModes& operator=(const FloatModes&) = delete;

private:
    [[nodiscard]] bool others() const { return (saved_ & ~FloatModeRegister::flags) != FloatModeRegister::usual; }

    std::uint64_t saved_;
};

}  // namespace lanecull
