#ifndef LANECULL_C_CULL_PASS_H
#define LANECULL_C_CULL_PASS_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/cull.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/scene.h>
#include <lanecull/c/shadow.h>
#include <lanecull/c/status.h>
#include <lanecull/c/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The culling pass of a frame: what every camera draws, and what goes into every shadow map of the suns and lamps, over
 * batches or a scene. <lanecull/cull_pass.hpp> has how views are numbered, what is shared, and what each step does. A
 * pass takes memory in lanecull_create_pass() and lanecull_reserve_pass...() alone. Calls to one pass must not overlap.
 */
typedef struct lanecull_pass lanecull_pass;

/* A sun, and the cascades by which a camera sees its shadows. */
typedef struct lanecull_pass_sun {
    size_t size; /* sizeof(lanecull_pass_sun) */
    const lanecull_sun* sun;
    double near_depth; /* where shadows begin and end, as depths within the camera's view */
    double far_depth;
    uint32_t cascades;          /* 1 to 8; 0: 4 */
    double logarithmic;         /* 0 to 1: where cascades meet, as for lanecull_split_depths() */
    double up[3];               /* of the maps; zeros: (0, 1, 0) */
    uint32_t texels;            /* of each map's side; 0: 2048 */
    uint32_t is_tight;          /* lanecull_sun_map_options */
    double filter_texels;       /* how far from a point's own place shading reads the map; 0: 4.5 */
    const uint32_t* layer_mask; /* of casters; null: all layers */
} lanecull_pass_sun;

typedef struct lanecull_pass_camera {
    size_t size;                           /* sizeof(lanecull_pass_camera) */
    const double* clip_from_world;         /* 16 numbers */
    const lanecull_clip_space* clip_space; /* null: as for lanecull_prepare_view() */
    const lanecull_view_options* options;  /* null: none; no light */
    const lanecull_pass_sun* sun;          /* null: none */
} lanecull_pass_camera;

typedef struct lanecull_pass_lamp {
    size_t size; /* sizeof(lanecull_pass_lamp) */
    double at[3];
    double range;               /* finite */
    double near_depth;          /* where its maps begin, 0 < near_depth < range */
    uint32_t texels;            /* of each map's side; 0: 512 */
    double filter_texels;       /* 0: 4.5 */
    const uint32_t* layer_mask; /* of casters; null: all layers */
    uint32_t is_spot;           /* 1: one map, a pyramid as for lanecull_spot_map(); 0: six faces */
    double forward[3];          /* of a spot, like the next three */
    double up[3];
    double tan_x;            /* 0: 1 */
    double tan_y;            /* 0: 1 */
    const uint32_t* cameras; /* in whose pictures its shadows are; null: all */
    size_t camera_count;
} lanecull_pass_lamp;

/* What a frame shows. Everything is copied but clip planes, eyes and lists of cameras, which must stay as they are
 * until the frame has been prepared for the last time. Cameras are in a row, lamps too. */
typedef struct lanecull_pass_frame {
    size_t size; /* sizeof(lanecull_pass_frame) */
    const lanecull_pass_camera* cameras;
    size_t camera_count; /* at least one */
    const lanecull_pass_lamp* lamps;
    size_t lamp_count;
} lanecull_pass_frame;

enum lanecull_casters {
    LANECULL_CASTERS_VOLUME = 0, /* what can cast a shadow into a camera's view */
    LANECULL_CASTERS_FRUSTUM = 1 /* what meets the map's own volume */
};

LANECULL_C_API lanecull_status lanecull_create_pass(lanecull_pass** pass, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_pass(lanecull_pass* pass); /* null: nothing */
/* Takes memory for frames of up to that much over these batches or this scene. */
LANECULL_C_API lanecull_status lanecull_reserve_pass(lanecull_pass* pass, uint32_t cameras, uint32_t cascades,
                                                     uint32_t lamps, const lanecull_batches* batches,
                                                     lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_reserve_pass_for_scene(lanecull_pass* pass, uint32_t cameras, uint32_t cascades,
                                                               uint32_t lamps, const lanecull_scene* scene,
                                                               lanecull_message* message);

/* Plans the frame, prepares its views and culls them all. outputs: output_count of them, one for each view: cameras,
 * then cascades, then maps of lamps; all of the same `size`. casters: lanecull_casters. */
LANECULL_C_API lanecull_status lanecull_run_pass(lanecull_pass* pass, const lanecull_pass_frame* frame,
                                                 const lanecull_batches* batches, lanecull_view_output* outputs,
                                                 size_t output_count, uint32_t casters,
                                                 const lanecull_cull_options* options, const lanecull_runner* runner,
                                                 lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_run_pass_on_scene(lanecull_pass* pass, const lanecull_pass_frame* frame,
                                                          const lanecull_scene* scene, lanecull_scene_output* outputs,
                                                          size_t output_count, uint32_t casters,
                                                          const lanecull_cull_options* options,
                                                          const lanecull_runner* runner, lanecull_message* message);

/* How many views the last frame has: how many outputs. 0 before. */
LANECULL_C_API size_t lanecull_pass_view_count(const lanecull_pass* pass);
/* Map k, of all cascades and then of all lamps. */
LANECULL_C_API lanecull_status lanecull_pass_map(const lanecull_pass* pass, size_t k, lanecull_shadow_map* map,
                                                 lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
