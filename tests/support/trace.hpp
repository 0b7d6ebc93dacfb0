#pragma once

#if defined(__x86_64__) && defined(__linux__)
#define LANECULL_TEST_TRACE 1

#include <cstddef>
#include <cstdint>
#include <vector>

/// Records which of the library's instructions a call executes. The call runs with the processor's trap flag set, which
/// raises a signal after every instruction. Only one trace may run at a time.
class Trace {
public:
    template <class Call>
    explicit Trace(const Call& call) {
        start();
        call();
        stop();
    }

    /// Whether the instruction at `address` was executed.
    [[nodiscard]] bool reached(const void* address) const;

    /// The number of different instructions executed, by encoding. In 64-bit code the first byte tells the encoding:
    /// 0x62 is AVX-512's (EVEX) alone, 0xc4 and 0xc5 are those of AVX and AVX2 (VEX). 0x0f 0xa2 is cpuid.
    struct Encodings {
        std::size_t vex = 0, evex = 0, cpuid = 0;
    };
    [[nodiscard]] Encodings encodings() const;

private:
    void start();
    void stop();

    std::uintptr_t first_ = 0;        ///< address of the code that contains the library
    std::vector<std::uint8_t> seen_;  ///< indexed by address - first_
};

#endif
