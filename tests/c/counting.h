#ifndef LANECULL_TESTS_COUNTING_H
#define LANECULL_TESTS_COUNTING_H

/* Memory hooks that count, for tests that a frame takes no memory, and that have no memory while `no_memory` is 1; and
 * the camera of these tests. */

#include <stdlib.h>

#include <lanecull/lanecull.h>

static unsigned allocations = 0;
static int no_memory = 0;

static void* allocate(void* self, size_t bytes) {
    (void)self;
    ++allocations;
    return no_memory == 0 ? malloc(bytes) : NULL;
}
static void* reallocate(void* self, void* memory, size_t bytes) {
    (void)self;
    ++allocations;
    return no_memory == 0 ? realloc(memory, bytes) : NULL;
}
static void release(void* self, void* memory) {
    (void)self;
    free(memory);
}
static lanecull_status count_allocations(lanecull_message* message) {
    lanecull_memory_hooks hooks = {sizeof(lanecull_memory_hooks), NULL, allocate, reallocate, release};
    return lanecull_set_memory_hooks(&hooks, message);
}

/* At the origin, looking along -z, 90 degrees across, from 1 to 1000. */
static const double camera[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1000.0 / 999.0, -1, 0, 0, -1000.0 / 999.0, 0};

#endif
