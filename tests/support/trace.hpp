#pragma once

#if defined(__x86_64__) && defined(__linux__)
#define LANECULL_TEST_TRACE 1

#include <cstddef>
#include <cstdint>
#include <vector>

/// Which instructions of the library did a call execute? Found by running it with the processor's trap flag set, which
/// raises a signal after every single instruction. One trace at a time.
class Trace {
public:
    template <class Call>
    explicit Trace(const Call& call) {
        start();
        call();
        stop();
    }

    /// Whether the instruction at that address was executed.
    [[nodiscard]] bool reached(const void* address) const;

    /// Different instructions executed, by what their first byte says: in 64-bit code 0x62 begins AVX-512's encodings
    /// and nothing else, 0xc4 and 0xc5 AVX's and AVX2's.
    struct Encodings {
        std::size_t vex = 0, evex = 0;
    };
    [[nodiscard]] Encodings encodings() const;

private:
    void start();
    void stop();

    std::uintptr_t first_ = 0;        ///< of the code that contains the library
    std::vector<std::uint8_t> seen_;  ///< by address - first_
};

#endif
