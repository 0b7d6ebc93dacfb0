#ifndef LANECULL_C_RUNNER_H
#define LANECULL_C_RUNNER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who runs a call's tasks: a job system, a thread pool. Calls take a pointer to it; null: the calling thread runs all.
 */
typedef struct lanecull_runner {
    size_t size; /* sizeof(lanecull_runner) */
    void* self;
    /* Calls task(context, i) exactly once for each i from 0 to count - 1, in any order, on any threads, and returns
     * when all of these calls have returned. Each happens after this call and before its return. No exception and no
     * longjmp leaves it. <lanecull/runner.hpp> has all that tasks may and may not rely on. `name`: what the tasks do,
     * for profilers; null, or valid for ever. */
    void (*run)(void* self, uint32_t count, void (*task)(void* context, uint32_t index), void* context,
                const char* name);
} lanecull_runner;

#ifdef __cplusplus
}
#endif

#endif
