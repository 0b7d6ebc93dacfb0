#ifndef LANECULL_C_SCENE_H
#define LANECULL_C_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/cull.h>
#include <lanecull/c/occluder.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/status.h>
#include <lanecull/c/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ordered scenes: objects, owned, sorted by position into blocks with boxes around them. <lanecull/scene.hpp> has what
 * each edit does and costs. Calls with a const scene may overlap in time; others need the scene to themselves. A call
 * that fails because of an argument has changed nothing. Edits take memory. */
typedef struct lanecull_scene lanecull_scene;

LANECULL_C_API lanecull_status lanecull_create_scene(lanecull_scene** scene, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_scene(lanecull_scene* scene); /* null: nothing */

enum lanecull_mobility { LANECULL_FIXED = 0, LANECULL_MOVING = 1 };
enum lanecull_fit { LANECULL_FIT_TIGHT = 0, LANECULL_FIT_GROWN = 1 };

/* Calls take a pointer to it; null: all defaults. */
typedef struct lanecull_add_options {
    size_t size;       /* sizeof(lanecull_add_options) */
    uint32_t mobility; /* lanecull_mobility */
    double origin[3];  /* the point that the objects' coordinates are relative to */
} lanecull_add_options;

/* Adds the objects of batches first_batch to first_batch + batch_count - 1. handles[i] receives the name of object i,
 * counted through all of them; handle_count is exactly their number. Everything is copied. */
LANECULL_C_API lanecull_status lanecull_scene_add(lanecull_scene* scene, const lanecull_batches* batches,
                                                  uint32_t first_batch, uint32_t batch_count, uint32_t* handles,
                                                  size_t handle_count, const lanecull_add_options* options,
                                                  const lanecull_runner* runner, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_scene_remove(lanecull_scene* scene, const uint32_t* handles,
                                                     size_t handle_count, lanecull_message* message);
/* Object i of the batch, with attributes and draw command, replaces the object named handles[i]. */
LANECULL_C_API lanecull_status lanecull_scene_replace(lanecull_scene* scene, const uint32_t* handles,
                                                      size_t handle_count, const lanecull_batches* batches,
                                                      uint32_t batch, lanecull_message* message);
/* Adds (x[i], y[i], z[i]) to the coordinates of the object named handles[i]. */
LANECULL_C_API lanecull_status lanecull_scene_move(lanecull_scene* scene, const uint32_t* handles, size_t handle_count,
                                                   const float* x, const float* y, const float* z,
                                                   lanecull_message* message);
/* Object i of the batch says where the object named handles[i], of the same kind, is from now on. */
LANECULL_C_API lanecull_status lanecull_scene_place(lanecull_scene* scene, const uint32_t* handles, size_t handle_count,
                                                    const lanecull_batches* batches, uint32_t batch,
                                                    const lanecull_runner* runner, lanecull_message* message);
/* Entry i of each stream that is given is from now on that attribute of the object named handles[i]. */
LANECULL_C_API lanecull_status lanecull_scene_set_attributes(lanecull_scene* scene, const uint32_t* handles,
                                                             size_t handle_count, const lanecull_attributes* attributes,
                                                             lanecull_message* message);
/* Brings the boxes up to date with all edits; must be called between edits and culls. fit: lanecull_fit. */
LANECULL_C_API lanecull_status lanecull_scene_refit(lanecull_scene* scene, uint32_t fit, const lanecull_runner* runner,
                                                    lanecull_message* message);

typedef struct lanecull_improvement {
    uint64_t blocks;   /* that were looked at */
    uint64_t objects;  /* that were moved to a better block */
    uint32_t all_seen; /* 1: every block that may have changed has been looked at by now */
} lanecull_improvement;

/* Moves objects that left their blocks into better ones, for so long. improvement may be null. */
LANECULL_C_API lanecull_status lanecull_scene_improve(lanecull_scene* scene, uint64_t nanoseconds,
                                                      lanecull_improvement* improvement, lanecull_message* message);
/* Sorts everything again. */
LANECULL_C_API lanecull_status lanecull_scene_rebuild(lanecull_scene* scene, const lanecull_runner* runner,
                                                      lanecull_message* message);

/* 1: there are edits since the last refit. */
LANECULL_C_API uint32_t lanecull_scene_is_stale(const lanecull_scene* scene);
/* How much larger blocks are than when they were sorted; beyond 2 or so lanecull_scene_rebuild() pays. */
LANECULL_C_API double lanecull_scene_spread(const lanecull_scene* scene);
LANECULL_C_API uint64_t lanecull_scene_object_count(const lanecull_scene* scene);
LANECULL_C_API uint64_t lanecull_scene_handle_limit(const lanecull_scene* scene); /* all handles are below it */
LANECULL_C_API uint64_t lanecull_scene_slot_count(const lanecull_scene* scene);
LANECULL_C_API uint64_t lanecull_scene_bytes(const lanecull_scene* scene);
LANECULL_C_API size_t lanecull_scene_visibility_words(const lanecull_scene* scene);
LANECULL_C_API size_t lanecull_scene_scratch_bytes(const lanecull_scene* scene, uint32_t view_count);
LANECULL_C_API size_t lanecull_scene_hint_bytes(const lanecull_scene* scene);
LANECULL_C_API uint32_t lanecull_scene_block_count(const lanecull_scene* scene);
/* The slot of an object, for reading bits. Edits change slots. */
LANECULL_C_API lanecull_status lanecull_scene_slot_of(const lanecull_scene* scene, uint32_t handle, uint32_t* slot,
                                                      lanecull_message* message);

/* Distances and levels of detail of visible objects: <lanecull/lod.hpp>. */
typedef struct lanecull_lod_output {
    size_t size; /* sizeof(lanecull_lod_output) */
    float* distances;
    size_t distance_capacity;
    uint8_t* levels;
    size_t level_capacity;
    const float* thresholds; /* projected sizes, each less than the one before */
    size_t threshold_count;  /* at most 15 */
    float hysteresis;        /* 0 to 1 */
    uint8_t* latest;         /* read and written, by handle; 255: no level yet */
    size_t latest_count;
} lanecull_lod_output;

/* Where one view's results go, as lanecull_view_output; bits and lists are by slot. */
typedef struct lanecull_scene_output {
    size_t size; /* sizeof(lanecull_scene_output) */
    uint64_t* visible;
    size_t visible_words; /* lanecull_scene_visibility_words() */
    uint64_t* inside;
    size_t inside_words;
    uint32_t* handles;
    size_t handle_capacity;
    uint32_t* slots;
    size_t slot_capacity;
    lanecull_visible_run* runs;
    size_t run_capacity;
    const lanecull_lod_output* lod; /* null: none */
    uint8_t* block_outcomes;        /* 0 outside, 1 inside, 2 mixed, 3 hidden; lanecull_scene_block_count() of them */
    size_t block_outcome_count;
    lanecull_draw_output draws;
    uint8_t* hints; /* read and written; begin with zeros */
    size_t hint_bytes;
    const uint64_t* candidates; /* read */
    size_t candidate_words;
    const lanecull_occluders* occluders; /* read: as in lanecull_view_output */
    uint32_t first_occluder;
    uint32_t occluder_count;
    uint32_t* hidden_counts;
    size_t hidden_count_count;
    lanecull_statistics* tested; /* null, or receives the reasons of objects that were tested one by one */
    /* Results. */
    uint64_t visible_count;
    uint64_t run_count;
    uint64_t draw_count;
    uint64_t outside_objects;
    uint64_t inside_objects;
    uint64_t hidden_objects;
    uint64_t outside_blocks;
    uint64_t hidden_blocks;
    uint64_t inside_blocks;
    uint64_t mixed_blocks;
} lanecull_scene_output;

/* As lanecull_cull(), of the scene's objects. options->view_masks must be null. Allocates nothing; takes 40 KB of the
 * stack. */
LANECULL_C_API lanecull_status lanecull_scene_cull(const lanecull_scene* scene, const lanecull_views* views,
                                                   uint32_t first_view, uint32_t view_count,
                                                   lanecull_scene_output* outputs, void* scratch, size_t scratch_bytes,
                                                   const lanecull_cull_options* options, const lanecull_runner* runner,
                                                   lanecull_message* message);

/* Writes the scene to a file, and reads it: into a scene, whose objects it replaces. Paths are UTF-8. */
LANECULL_C_API lanecull_status lanecull_scene_save(const lanecull_scene* scene, const char* path,
                                                   lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_scene_load(lanecull_scene* scene, const char* path,
                                                   const lanecull_runner* runner, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_scene_load_from_memory(lanecull_scene* scene, const void* file, size_t bytes,
                                                               const lanecull_runner* runner,
                                                               lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
