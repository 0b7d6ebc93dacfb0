#ifndef LANECULL_C_PAIRS_H
#define LANECULL_C_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/isa.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pairs of objects: object a[i] of batch `batch_a` and object b[i] of batch `batch_b` of one list, which may be the
 * same batch. Of batches the shapes alone are looked at. <lanecull/pairs.hpp> has what is proved. The calls allocate
 * nothing. */

typedef struct lanecull_pair_indices {
    size_t size; /* sizeof(lanecull_pair_indices) */
    uint32_t batch_a;
    uint32_t batch_b;
    const uint32_t* a; /* indices at byte i * stride_bytes */
    const uint32_t* b;
    size_t count;
    size_t stride_bytes; /* a multiple of 4 up to 65,536; 0: 4 */
} lanecull_pair_indices;

/* Which pairs are apart: bit i % 64 of word i / 64. Exactly (count + 63) / 64 words. */
LANECULL_C_API lanecull_status lanecull_separate_pairs(const lanecull_batches* batches,
                                                       const lanecull_pair_indices* pairs, uint64_t* separated,
                                                       size_t words, uint32_t isa, const lanecull_runner* runner,
                                                       lanecull_message* message);

/* Where distances go: streams of `count` floats. Any may be null; of the coordinates all or none. */
typedef struct lanecull_pair_distances {
    size_t size;  /* sizeof(lanecull_pair_distances) */
    float* lower; /* never above the distance */
    float* upper; /* never below it */
    float* a_x;   /* the points of both that are nearest to each other */
    float* a_y;
    float* a_z;
    float* b_x;
    float* b_y;
    float* b_z;
} lanecull_pair_distances;

/* Calls take a pointer to it; null: all defaults. */
typedef struct lanecull_pair_distance_options {
    size_t size; /* sizeof(lanecull_pair_distance_options) */
    uint32_t isa;
    float limit;    /* pairs that are farther apart are not refined further; 0: no limit, as infinity */
    float relative; /* how far the bounds may differ, as a fraction of the distance; 0: 1e-6 */
} lanecull_pair_distance_options;

LANECULL_C_API lanecull_status lanecull_measure_pairs(const lanecull_batches* batches,
                                                      const lanecull_pair_indices* pairs,
                                                      const lanecull_pair_distances* distances,
                                                      const lanecull_pair_distance_options* options,
                                                      const lanecull_runner* runner, lanecull_message* message);

/* How object a of each pair moves relative to b, and where casts go: streams of `count` floats. `earliest` is infinite
 * where there is no contact; both are fractions of the motion. */
typedef struct lanecull_pair_casts {
    size_t size; /* sizeof(lanecull_pair_casts) */
    const float* motion_x;
    const float* motion_y;
    const float* motion_z;
    float* earliest; /* may be null */
    float* latest;   /* may be null */
    float width;     /* how far `latest` may be after `earliest`; 0: 1e-4 */
    uint32_t isa;
} lanecull_pair_casts;

LANECULL_C_API lanecull_status lanecull_cast_pairs(const lanecull_batches* batches, const lanecull_pair_indices* pairs,
                                                   const lanecull_pair_casts* casts, const lanecull_runner* runner,
                                                   lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
