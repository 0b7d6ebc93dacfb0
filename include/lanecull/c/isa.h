#ifndef LANECULL_C_ISA_H
#define LANECULL_C_ISA_H

#include <stdint.h>

#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The instruction sets that kernels are compiled for. */
enum lanecull_isa {
    LANECULL_ISA_AUTOMATIC = 0, /* the widest that this machine runs */
    LANECULL_ISA_SCALAR = 1,
    LANECULL_ISA_SSE42 = 2,
    LANECULL_ISA_AVX2 = 3,
    LANECULL_ISA_AVX512 = 4,
    LANECULL_ISA_NEON64 = 5,
    LANECULL_ISA_WASM = 6
};

/* "scalar", "sse4.2", "avx2", "avx512", "neon64", "wasm" or "automatic"; lives as long as the program. */
LANECULL_C_API const char* lanecull_isa_name(uint32_t isa);
/* 1: this build has the set's kernels and this machine runs them; else 0. */
LANECULL_C_API uint32_t lanecull_isa_runnable(uint32_t isa);
/* How many objects the set tests side by side; 0 for automatic. */
LANECULL_C_API uint32_t lanecull_isa_lanes(uint32_t isa);
/* The set called `name`. */
LANECULL_C_API lanecull_status lanecull_isa_from_name(const char* name, uint32_t* isa, lanecull_message* message);
/* The set that the environment variable LANECULL_ISA asks for; fails for one that this machine does not run, which
 * calls ignore. */
LANECULL_C_API lanecull_status lanecull_isa_from_environment(uint32_t* isa, lanecull_message* message);
/* The set that a call with `requested` will run. */
LANECULL_C_API lanecull_status lanecull_resolve_isa(uint32_t requested, uint32_t* chosen, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
