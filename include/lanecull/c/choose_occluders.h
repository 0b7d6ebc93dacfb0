#ifndef LANECULL_C_CHOOSE_OCCLUDERS_H
#define LANECULL_C_CHOOSE_OCCLUDERS_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/occluder.h>
#include <lanecull/c/status.h>
#include <lanecull/c/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Choosing occluders: of many solids the few that are expected to hide most in a view. <lanecull/choose_occluders.hpp>
 * says how. */

/* Solids are numbered in this order: the boxes, the oriented boxes, the hulls. `drawn` and `owners` are null, or have
 * an element a solid. */
typedef struct lanecull_solid_set {
    size_t size; /* sizeof(lanecull_solid_set) */
    const lanecull_solid_box* boxes;
    size_t box_count;
    const lanecull_solid_oriented_box* oriented_boxes;
    size_t oriented_box_count;
    const lanecull_solid_box* drawn; /* around all that is drawn for each */
    const lanecull_owner* owners;    /* the object that draws each: the caller's for as long as occluders are used */
    const lanecull_solid_hull_instance* hulls; /* may share a hull; a null hull is never chosen */
    size_t hull_count;
} lanecull_solid_set;

/* Calls take a pointer to it; null: all defaults. */
typedef struct lanecull_choose_options {
    size_t size;         /* sizeof(lanecull_choose_options) */
    double per_distance; /* as in lanecull_occluder_options, of all of them */
    double depth_per_square;
    double depth_per_distance;
    const uint64_t* candidates; /* bit i % 64 of word i / 64: solid i may be chosen; null: each may */
    size_t candidate_words;
    const uint32_t* last_chosen; /* what was chosen in the last frame; may be the memory of `indices` */
    size_t last_chosen_count;
    const uint32_t* last_hidden; /* lanecull_view_output::hidden_counts; null, or one for each of last_chosen */
    size_t last_hidden_count;
} lanecull_choose_options;

LANECULL_C_API size_t lanecull_choose_scratch_bytes(size_t solids);
/* Chooses up to lanecull_occluder_count(occluders) of the solids, 1 to 64, for view i of the list, and prepares them
 * from the list's viewpoint, which is the view's. The first `count` occluders and indices receive them and their
 * numbers. indices: as many as the list has occluders. scratch: at any alignment. Allocates nothing. */
LANECULL_C_API lanecull_status lanecull_choose_occluders(const lanecull_solid_set* solids, const lanecull_views* views,
                                                         uint32_t i, lanecull_occluders* occluders, uint32_t* indices,
                                                         size_t index_count, void* scratch, size_t scratch_bytes,
                                                         uint32_t* count, const lanecull_choose_options* options,
                                                         lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
