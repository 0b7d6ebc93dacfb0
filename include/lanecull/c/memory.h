#ifndef LANECULL_C_MEMORY_H
#define LANECULL_C_MEMORY_H

#include <stddef.h>

#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where all memory of the library comes from. As malloc(), realloc() and free() but for `self`: memory is aligned for
 * any fundamental type, null says that there is none, `release` is never given null. They may be called from any thread
 * that calls the library. */
typedef struct lanecull_memory_hooks {
    size_t size; /* sizeof(lanecull_memory_hooks) */
    void* self;
    void* (*allocate)(void* self, size_t bytes);
    void* (*reallocate)(void* self, void* memory, size_t bytes); /* `memory` may be null */
    void (*release)(void* self, void* memory);
} lanecull_memory_hooks;

/* From now on memory comes from `hooks`. To be called before anything is created, by one thread. Memory is that of the
 * C library without it. It serves C and C++ alike (memory.hpp). */
LANECULL_C_API lanecull_status lanecull_set_memory_hooks(const lanecull_memory_hooks* hooks, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
