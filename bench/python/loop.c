/* What calls take when C makes them, for calls.py to compare with: the same arguments, many times over. */

#include <stdint.h>
#include <time.h>

#include <lanecull/lanecull.h>

typedef lanecull_status cull_function(const lanecull_batches*, const lanecull_views*, uint32_t, uint32_t,
                                      lanecull_view_output*, void*, size_t, const lanecull_cull_options*,
                                      const lanecull_runner*, lanecull_message*);

typedef lanecull_status prepare_function(lanecull_views*, uint32_t, const double*, const lanecull_clip_space*,
                                         const lanecull_view_options*, lanecull_message*);

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds that a call takes, the mean of `repeats`; negative if one fails. */
double time_calls(cull_function* cull, const lanecull_batches* batches, const lanecull_views* views,
                  uint32_t first_view, uint32_t view_count, lanecull_view_output* outputs, void* scratch,
                  size_t scratch_bytes, const lanecull_cull_options* options, lanecull_message* message,
                  uint32_t repeats) {
    const double began = seconds();
    uint32_t i;
    for (i = 0; i < repeats; ++i) {
        if (cull(batches, views, first_view, view_count, outputs, scratch, scratch_bytes, options, NULL, message) !=
            LANECULL_OK) {
            return -1;
        }
    }
    return (seconds() - began) / repeats;
}

/* The same of lanecull_prepare_view(). */
double time_prepares(prepare_function* prepare, lanecull_views* views, const double* clip_from_world,
                     const lanecull_clip_space* clip_space, lanecull_message* message, uint32_t repeats) {
    const double began = seconds();
    uint32_t i;
    for (i = 0; i < repeats; ++i) {
        if (prepare(views, 0, clip_from_world, clip_space, NULL, message) != LANECULL_OK) return -1;
    }
    return (seconds() - began) / repeats;
}
