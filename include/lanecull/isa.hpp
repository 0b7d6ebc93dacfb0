#pragma once

#include <cstdint>

#include <lanecull/export.hpp>
#include <lanecull/status.hpp>

namespace lanecull {

/// The instruction sets the kernels are compiled for, narrowest first. One binary carries them all; which one runs is
/// chosen at run time, so the flags a caller compiles with do not matter.
enum class Isa : std::uint8_t {
    automatic,  ///< what the environment variable LANECULL_ISA names, else the widest this machine runs
    scalar,     ///< 1 lane, plain C++
    sse42,      ///< 4 lanes, SSE4.2
    avx2,       ///< 8 lanes, AVX2 with FMA
    avx512,     ///< 16 lanes, AVX-512 F, CD, DQ, BW and VL
};

inline constexpr Isa all_isas[] = {Isa::scalar, Isa::sse42, Isa::avx2, Isa::avx512};

/// Their names and lanes, in the same order.
inline constexpr const char* all_isa_names[] = {"scalar", "sse4.2", "avx2", "avx512"};
inline constexpr std::uint32_t all_isa_lanes[] = {1, 4, 8, 16};

/// "scalar", "sse4.2", "avx2", "avx512" ("automatic" for Isa::automatic).
[[nodiscard]] LANECULL_API const char* isa_name(Isa isa) noexcept;

/// The set called `name` (null-terminated, as isa_name spells it). Fails on any other name; `isa` is then untouched.
LANECULL_API Status isa_from_name(const char* name, Isa& isa) noexcept;

/// Whether this build has the set's kernels, the processor has its instructions and the operating system saves its
/// registers. `automatic` is always runnable.
[[nodiscard]] LANECULL_API bool isa_runnable(Isa isa) noexcept;

/// Objects a pack of that set holds; 0 for Isa::automatic.
[[nodiscard]] LANECULL_API std::uint32_t isa_lanes(Isa isa) noexcept;

/// What a cull asked for `requested` will run, never `automatic`. Fails when the request, or for `automatic` the
/// environment variable LANECULL_ISA, names a set that is unknown or that this machine cannot run. The variable is read
/// at every call; an empty one counts as unset. Thread-safe as long as nobody changes the environment meanwhile.
LANECULL_API Status resolve_isa(Isa requested, Isa& chosen) noexcept;

}  // namespace lanecull
