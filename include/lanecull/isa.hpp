#pragma once

#include <cstdint>

#include <lanecull/export.hpp>
#include <lanecull/status.hpp>

namespace lanecull {

/// The instruction sets that the kernels are compiled for. One binary has all those of its family of processors. Which
/// one runs is chosen at run time, so the flags that a caller compiles with do not matter.
enum class Isa : std::uint8_t {
    automatic,  ///< the one that LANECULL_ISA names (isa_from_environment()), else the widest that runs here
    scalar,     ///< 1 lane, plain C++
    sse42,      ///< 4 lanes, SSE4.2
    avx2,       ///< 8 lanes, AVX2 with FMA
    avx512,     ///< 16 lanes, AVX-512 F, CD, DQ, BW and VL
    neon64,     ///< 4 lanes, NEON of 64-bit ARM
    wasm,       ///< 4 lanes, WebAssembly's SIMD
};

/// Of each family of processors the slowest first: `automatic` is the last that runs.
inline constexpr Isa all_isas[] = {Isa::scalar, Isa::sse42, Isa::avx2, Isa::avx512, Isa::neon64, Isa::wasm};

/// Their names and lanes, in the same order.
inline constexpr const char* all_isa_names[] = {"scalar", "sse4.2", "avx2", "avx512", "neon64", "wasm"};
inline constexpr std::uint32_t all_isa_lanes[] = {1, 4, 8, 16, 4, 4};

/// "scalar", "sse4.2", "avx2", "avx512", "neon64", "wasm" ("automatic" for Isa::automatic).
[[nodiscard]] LANECULL_API const char* isa_name(Isa isa) noexcept;

/// The set called `name` (null-terminated, spelled as isa_name() does). Fails for any other name and leaves `isa`
/// untouched.
LANECULL_API Status isa_from_name(const char* name, Isa& isa) noexcept;

/// Whether this build has the set's kernels, the processor has its instructions and the operating system saves its
/// registers. `automatic` is always runnable.
[[nodiscard]] LANECULL_API bool isa_runnable(Isa isa) noexcept;

/// How many objects that set tests side by side; 0 for Isa::automatic.
[[nodiscard]] LANECULL_API std::uint32_t isa_lanes(Isa isa) noexcept;

/// What the environment variable LANECULL_ISA asks for: `automatic` if it is unset or empty. It is read once, by the
/// first call of a process that needs it, which must not happen while another thread changes the environment.
///
/// Fails, and leaves `isa` untouched, if it names a set that is unknown or that this machine cannot run. Calls ignore
/// such a value, so that nothing in a user's environment makes a program fail. A program that would rather refuse it
/// asks here.
LANECULL_API Status isa_from_environment(Isa& isa) noexcept;

/// The set that a cull with CullOptions::isa = `requested` will run; never `automatic`. Fails if the request names a
/// set that is unknown or that this machine cannot run; never for `automatic`.
LANECULL_API Status resolve_isa(Isa requested, Isa& chosen) noexcept;

}  // namespace lanecull
