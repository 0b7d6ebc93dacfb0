#ifndef LANECULL_TESTS_C_CHECK_H
#define LANECULL_TESTS_C_CHECK_H

/* What the tests in C share: a failure is printed and counted, and main() returns failures(); memory hooks that count;
 * a camera. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanecull/lanecull.h>

static int failure_count = 0;

static inline int failures(void) { return failure_count != 0; }

#define CHECK(condition)                                                   \
    do {                                                                   \
        if (!(condition)) {                                                \
            ++failure_count;                                               \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                  \
    } while (0)

/* The call returns that code and says that sentence; null: any, which is none on success. */
#define CHECK_SAYS(call, code, sentence) check_status((call), (code), (sentence), __FILE__, __LINE__, #call)
#define CHECK_CODE(call, code) CHECK_SAYS(call, code, NULL)
#define CHECK_OK(call) CHECK_SAYS(call, LANECULL_OK, "")

static inline void check_status(lanecull_status found, lanecull_status_code code, const char* sentence,
                                const char* file, int line, const char* call) {
    lanecull_message why;
    const char* const said = lanecull_explain(&found, why.text, sizeof why.text);
    const int is_said = sentence != NULL ? strcmp(said, sentence) == 0 : (said[0] == '\0') == (code == LANECULL_OK);
    if (found.code == code && is_said) return;
    ++failure_count;
    printf("%s:%d: %s: code %u, not %u: %s\n", file, line, call, (unsigned)found.code, (unsigned)code, said);
}

/* Memory hooks that count. */
static unsigned allocations = 0;

static inline void* reallocate(void* self, void* memory, size_t bytes) {
    (void)self;
    ++allocations;
    return realloc(memory, bytes);
}
static inline void* allocate(void* self, size_t bytes) { return reallocate(self, NULL, bytes); }
static inline void release(void* self, void* memory) {
    (void)self;
    free(memory);
}

/* At the origin, looking along -z, 90 degrees across, from 1 to 1000. */
static const double camera[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1000.0 / 999.0, -1, 0, 0, -1000.0 / 999.0, 0};

static unsigned char scratch[1 << 18];

static inline int has_bit(const uint64_t* words, uint32_t i) { return (int)(words[i / 64] >> i % 64 & 1); }

/* A call of one view. */
static inline lanecull_status cull_one(lanecull_objects objects, const lanecull_view* view, lanecull_output* output) {
    const lanecull_cull_call call = {
        .objects = objects, .views = {view, 1}, .outputs = {output, 1}, .scratch = {scratch, sizeof scratch}};
    CHECK(lanecull_scratch_bytes(&objects, 1) <= sizeof scratch);
    return lanecull_cull(&call);
}

#endif
