#ifndef LANECULL_C_CULL_H
#define LANECULL_C_CULL_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/isa.h>
#include <lanecull/c/occluder.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/status.h>
#include <lanecull/c/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Culling: which objects of these batches share no point with these views? <lanecull/cull.hpp> has the rules of outputs
 * in full. */

enum lanecull_method {
    LANECULL_METHOD_AUTOMATIC = 0, /* exact */
    LANECULL_METHOD_PLANES = 1     /* what lies wholly behind one plane alone is culled */
};

/* How to cull. Calls take a pointer to it; null: all defaults. */
typedef struct lanecull_cull_options {
    size_t size;          /* sizeof(lanecull_cull_options) */
    uint32_t method;      /* lanecull_method */
    uint32_t isa;         /* lanecull_isa */
    uint64_t* view_masks; /* one word an object: bit v is set when it is visible in view v of the call */
    size_t view_mask_count;
} lanecull_cull_options;

/* How many objects were decided by which reason. */
typedef struct lanecull_statistics {
    size_t size; /* sizeof(lanecull_statistics) */
    uint64_t objects;
    uint64_t culled_plane;
    uint64_t culled_gjk;
    uint64_t culled_distance;
    uint64_t culled_near;
    uint64_t culled_size;
    uint64_t culled_disabled;
    uint64_t culled_layer;
    uint64_t culled_candidate;
    uint64_t culled_occluded;
    uint64_t visible_always;
    uint64_t visible_inside;
    uint64_t visible_vertex;
    uint64_t visible_overlap;
    uint64_t visible_touching;
    uint64_t visible_cap;
    uint64_t visible_planes;
    uint64_t visible_invalid;
} lanecull_statistics;

/* `count` visible objects in a row. */
typedef struct lanecull_visible_run {
    uint32_t first;
    uint32_t count;
} lanecull_visible_run;

/* Where a batch's visible objects stand in the lists of indices and draw commands. */
typedef struct lanecull_batch_range {
    uint64_t first;
    uint64_t count;
} lanecull_batch_range;

/* Why an object was kept or culled: lanecull_certificate::reason. */
enum lanecull_reason {
    LANECULL_CULLED_PLANE = 0,
    LANECULL_CULLED_GJK = 1,
    LANECULL_CULLED_DISTANCE = 2,
    LANECULL_CULLED_NEAR = 3,
    LANECULL_CULLED_SIZE = 4,
    LANECULL_CULLED_DISABLED = 5,
    LANECULL_CULLED_LAYER = 6,
    LANECULL_CULLED_CANDIDATE = 7,
    LANECULL_CULLED_OCCLUDED = 8,
    LANECULL_VISIBLE_ALWAYS = 9,
    LANECULL_VISIBLE_INSIDE = 10,
    LANECULL_VISIBLE_VERTEX = 11,
    LANECULL_VISIBLE_OVERLAP = 12,
    LANECULL_VISIBLE_TOUCHING = 13,
    LANECULL_VISIBLE_CAP = 14,
    LANECULL_VISIBLE_PLANES = 15,
    LANECULL_VISIBLE_INVALID = 16
};

/* <lanecull/certificate.hpp> says what the numbers prove. */
typedef struct lanecull_certificate {
    uint8_t reason; /* lanecull_reason */
    uint8_t steps;
    uint16_t occluder;
    float far_depth;
    float gap;
    double direction[3];
} lanecull_certificate;

/* Where draw commands go: command k at byte offset_bytes + k * stride_bytes of `memory`, as many as fit. */
typedef struct lanecull_draw_output {
    void* memory; /* null: no commands are wanted */
    size_t memory_bytes;
    size_t offset_bytes; /* the first command's address is 4-byte aligned */
    size_t stride_bytes; /* a multiple of 4, at least 20; 0: 20 */
    uint32_t* count;     /* null, or receives how many were written */
} lanecull_draw_output;

/* Where one view's results go, and which objects it asks about. All arrays are optional: null with length 0. They are
 * only written, but for `candidates`. None may overlap anything else that the call reads or writes. */
typedef struct lanecull_view_output {
    size_t size; /* sizeof(lanecull_view_output) */
    /* Bit i % 64 of word i / 64: object i is visible. Each batch starts a new word. lanecull_visibility_words(). */
    uint64_t* visible;
    size_t visible_words;
    /* Indices of visible objects, ascending within a batch, batch after batch; the first that fit. */
    uint32_t* indices;
    size_t index_capacity;
    /* Laid out as `visible`: proved to lie wholly inside the view's volume. */
    uint64_t* inside;
    size_t inside_words;
    /* Runs of consecutive visible objects; the first that fit. */
    lanecull_visible_run* runs;
    size_t run_capacity;
    lanecull_draw_output draws;
    /* Each batch's part of `indices` and draws: one for each batch. */
    lanecull_batch_range* batch_ranges;
    size_t batch_range_count;
    /* One an object; for explaining, not for every frame. */
    lanecull_certificate* certificates;
    size_t certificate_count;
    /* Read: which objects this view asks about, laid out as `visible`; null: all. */
    const uint64_t* candidates;
    size_t candidate_words;
    /* Read: solids that hide objects in this view, occluder_count from first_occluder on, at most 64, those that hide
     * most first; their viewpoint is the view's. Null: none. */
    const lanecull_occluders* occluders;
    uint32_t first_occluder;
    uint32_t occluder_count;
    uint32_t* hidden_counts; /* how many objects each occluder hides: none, or one for each */
    size_t hidden_count_count;
    lanecull_statistics* statistics; /* null, or receives them */
    /* Results, also where lists were too short. */
    uint64_t visible_count;
    uint64_t run_count;  /* if runs were asked for */
    uint64_t draw_count; /* how many commands were written */
} lanecull_view_output;

/* Words of 64 objects that the batches take: the sum of ceil(count / 64). */
LANECULL_C_API size_t lanecull_visibility_words(const lanecull_batches* batches);
/* Bytes of scratch memory that lanecull_cull() needs. */
LANECULL_C_API size_t lanecull_scratch_bytes(const lanecull_batches* batches, uint32_t view_count);

/* Tests every object of every batch against views first_view to first_view + view_count - 1, 1 to 64 of them.
 * outputs: one for each view, all of the same `size`. scratch: at any alignment, not shared by calls that overlap in
 * time. Fails before anything is written. Allocates nothing; takes 24 KB of the stack. */
LANECULL_C_API lanecull_status lanecull_cull(const lanecull_batches* batches, const lanecull_views* views,
                                             uint32_t first_view, uint32_t view_count, lanecull_view_output* outputs,
                                             void* scratch, size_t scratch_bytes, const lanecull_cull_options* options,
                                             const lanecull_runner* runner, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
