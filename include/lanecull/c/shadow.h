#ifndef LANECULL_C_SHADOW_H
#define LANECULL_C_SHADOW_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/status.h>
#include <lanecull/c/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Shadow maps and views of what casts into them, one by one; c/cull_pass.h does whole frames. <lanecull/shadow.hpp> has
 * what each function does. All are thread-safe and allocate nothing. */

/* A box in world coordinates; it has no end where a number is infinite or NaN, and is empty if some lower > upper. */
typedef struct lanecull_world_box {
    double lower[3];
    double upper[3];
} lanecull_world_box;

/* A box around all objects whose bits are set; `visible` is laid out as lanecull_view_output::visible. */
LANECULL_C_API lanecull_status lanecull_visible_bounds(const lanecull_batches* batches, const uint64_t* visible,
                                                       size_t visible_words, lanecull_world_box* bounds, uint32_t isa,
                                                       const lanecull_runner* runner, lanecull_message* message);
/* depths[0] = near_depth to depths[count - 1] = far_depth, the ends of count - 1 slices. `logarithmic` 0 to 1. */
LANECULL_C_API lanecull_status lanecull_split_depths(double near_depth, double far_depth, double logarithmic,
                                                     double* depths, size_t count, lanecull_message* message);
/* bounds[k] is around what may reach between depths[k] and depths[k + 1] of a camera's view; at most 8 of them. */
LANECULL_C_API lanecull_status lanecull_slice_bounds(const lanecull_batches* batches, const uint64_t* visible,
                                                     size_t visible_words, const double* clip_from_world,
                                                     const lanecull_clip_space* clip_space, const double* depths,
                                                     size_t depth_count, lanecull_world_box* bounds, uint32_t isa,
                                                     const lanecull_runner* runner, lanecull_message* message);

/* A perspective camera's view between two depths. */
typedef struct lanecull_slice {
    size_t size;                           /* sizeof(lanecull_slice) */
    const double* clip_from_world;         /* 16 numbers */
    const lanecull_clip_space* clip_space; /* null: as for lanecull_prepare_view() */
    double near_depth;
    double far_depth;
} lanecull_slice;

/* The 2 half-spaces that bound a slice besides the camera's own: clip planes for its view. */
LANECULL_C_API lanecull_status lanecull_slice_planes(const lanecull_slice* slice, lanecull_plane* planes,
                                                     lanecull_message* message);
/* A slice's corners, 24 numbers, x y z each. Bit 0 of the index: right, bit 1: top, bit 2: far. */
LANECULL_C_API lanecull_status lanecull_slice_corners(const lanecull_slice* slice, double* corners,
                                                      lanecull_message* message);

/* A matrix to render a shadow map with: column-major, depth 0 to 1, of p - origin. */
typedef struct lanecull_shadow_map {
    double clip_from_world[16];
    double origin[3];
    lanecull_plane sides[4]; /* left, right, bottom, top */
    double texel_size;       /* width of a texel in world units; of a perspective map, at distance 1 */
    uint32_t is_perspective; /* 1 or 0 */
} lanecull_shadow_map;

/* Of a sun's map. */
typedef struct lanecull_sun_map_options {
    size_t size; /* sizeof(lanecull_sun_map_options) */
    double toward[3];
    double up[3];      /* zeros: (0, 1, 0) */
    uint32_t texels;   /* along each side, 16 to 65,536; 0: 2048 */
    uint32_t is_tight; /* 0: the map moves by whole texels, so that shadows do not shimmer; 1: it fits the receivers */
} lanecull_sun_map_options;

/* An orthographic map around the part of the slice that is in the box of the receivers. */
LANECULL_C_API lanecull_status lanecull_fit_sun_map(const lanecull_slice* slice, const lanecull_world_box* receivers,
                                                    const lanecull_sun_map_options* options, lanecull_shadow_map* map,
                                                    lanecull_message* message);
/* View i becomes that of what casts shadows into the part of the slice that is in the box. One of
 * options.sun and options.lamp is the light; at most 2 clip planes. */
LANECULL_C_API lanecull_status lanecull_prepare_cascade_casters(lanecull_views* views, uint32_t i,
                                                                const lanecull_slice* slice,
                                                                const lanecull_world_box* receivers,
                                                                const lanecull_view_options* options,
                                                                lanecull_message* message);
/* What casts shadows into a camera's view, for each of many lights: view first_view + k becomes what
 * lanecull_prepare_view() makes of options[k]. Each of the options, all of the same `size`, has a light, and all have
 * the same array of clip planes. scratch: lanecull_caster_views_scratch_bytes(), at any alignment. Fails with all views
 * untouched. */
LANECULL_C_API size_t lanecull_caster_views_scratch_bytes(uint32_t view_count);
LANECULL_C_API lanecull_status lanecull_prepare_caster_views(lanecull_views* views, uint32_t first_view,
                                                             uint32_t view_count, const double* clip_from_world,
                                                             const lanecull_clip_space* clip_space,
                                                             const lanecull_view_options* options, void* scratch,
                                                             size_t scratch_bytes, const lanecull_runner* runner,
                                                             lanecull_message* message);
/* View i finds, as `inside`, what need not be rendered into coarser maps than this. */
LANECULL_C_API lanecull_status lanecull_prepare_covered(lanecull_views* views, uint32_t i,
                                                        const lanecull_shadow_map* sun_map, double border,
                                                        lanecull_message* message);
/* A perspective map of a lamp. at, forward and up: 3 numbers each. */
LANECULL_C_API lanecull_status lanecull_spot_map(const double* at, const double* forward, const double* up,
                                                 double tan_x, double tan_y, double near_depth, double far_depth,
                                                 uint32_t texels, lanecull_shadow_map* map, lanecull_message* message);
/* Face 0 to 5 of a cube map: +x -x +y -y +z -z. */
LANECULL_C_API lanecull_status lanecull_cube_map_face(const double* at, uint32_t face, double near_depth,
                                                      double far_depth, uint32_t texels, lanecull_shadow_map* map,
                                                      lanecull_message* message);
/* The map of width times height texels that an engine draws with a matrix of its own: its sides for view options' clip
 * planes or a lamp's sides, its texel_size that of the wider of a texel's two sides. */
LANECULL_C_API lanecull_status lanecull_engine_map(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                                   uint32_t width, uint32_t height, lanecull_shadow_map* map,
                                                   lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
