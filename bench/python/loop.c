/* What calls take when C makes them, for calls.py to compare with: the same arguments, many times over. */

#include <stdint.h>
#include <time.h>

#include <lanecull/lanecull.h>

typedef lanecull_status cull_function(const lanecull_cull_call*);

typedef lanecull_status prepare_function(const double*, const lanecull_clip_space*, const lanecull_view_options*,
                                         lanecull_view*);

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds that a call takes, the mean of `repeats`; negative if one fails. */
double time_calls(cull_function* cull, const lanecull_cull_call* call, uint32_t repeats) {
    const double began = seconds();
    uint32_t i;
    for (i = 0; i < repeats; ++i) {
        if (cull(call).code != LANECULL_OK) return -1;
    }
    return (seconds() - began) / repeats;
}

/* The same of lanecull_prepare_view(). */
double time_prepares(prepare_function* prepare, const double* clip_from_world, const lanecull_clip_space* clip_space,
                     lanecull_view* view, uint32_t repeats) {
    const double began = seconds();
    uint32_t i;
    for (i = 0; i < repeats; ++i) {
        if (prepare(clip_from_world, clip_space, NULL, view).code != LANECULL_OK) return -1;
    }
    return (seconds() - began) / repeats;
}
