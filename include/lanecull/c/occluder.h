#ifndef LANECULL_C_OCCLUDER_H
#define LANECULL_C_OCCLUDER_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/solid_hull.h>
#include <lanecull/c/status.h>
#include <lanecull/c/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Occluders: convex solids behind which objects are culled, by proof. <lanecull/occluder.hpp> has the conditions that
 * the caller answers for. */

enum lanecull_sight {
    LANECULL_SIGHT_GROWING_DEPTH = 0,
    LANECULL_SIGHT_SHRINKING_DEPTH = 1 /* reversed depth of an orthographic matrix */
};

/* Why a solid hides nothing. */
enum lanecull_refusal {
    LANECULL_REFUSED_NOT = 0, /* it hides */
    LANECULL_REFUSED_NO_VIEWPOINT = 1,
    LANECULL_REFUSED_INVALID = 2,
    LANECULL_REFUSED_ENCLOSES_EYE = 3,
    LANECULL_REFUSED_NEAR_PLANE = 4,
    LANECULL_REFUSED_TOO_THIN = 5,
    LANECULL_REFUSED_TOO_MANY_FACETS = 6
};

/* min <= p <= max. */
typedef struct lanecull_solid_box {
    float min[3];
    float max[3];
} lanecull_solid_box;

/* center + sum of s_k half_extents[k] axes[k], |s_k| <= 1. */
typedef struct lanecull_solid_oriented_box {
    float center[3];
    float half_extents[3];
    float axes[3][3];
} lanecull_solid_oriented_box;

/* The image of a hull under a 3x4 matrix, row by row. */
typedef struct lanecull_solid_hull_instance {
    const lanecull_solid_hull* hull;
    float transform[12];
} lanecull_solid_hull_instance;

/* An object that draws what covers an occluder: object `object` of batch `batch`; in scenes a handle, and batch 0. */
typedef struct lanecull_owner {
    uint32_t batch;
    uint32_t object;
} lanecull_owner;

/* What a rasteriser adds: <lanecull/occluder.hpp>, RasterMargin. */
typedef struct lanecull_occluder_options {
    size_t size;                     /* sizeof(lanecull_occluder_options) */
    const lanecull_solid_box* drawn; /* around all that is drawn for the solid; null: the solid itself */
    double per_distance;
    double depth_per_square;
    double depth_per_distance;
    const lanecull_owner*
        owners; /* the caller's, for as long as the occluder is used; null: the caller answers for it */
    size_t owner_count;
} lanecull_occluder_options;

/* A list of occluders, of fixed length, all seen from one viewpoint, which the list has as well. 544 bytes each. */
typedef struct lanecull_occluders lanecull_occluders;

LANECULL_C_API lanecull_status lanecull_create_occluders(uint32_t count, lanecull_occluders** occluders,
                                                         lanecull_message* message);
LANECULL_C_API void lanecull_destroy_occluders(lanecull_occluders* occluders); /* null: nothing */
LANECULL_C_API uint32_t lanecull_occluder_count(const lanecull_occluders* occluders);

/* The viewpoint of what is prepared from now on; what was prepared is prepared no longer. Of a clip matrix (16
 * numbers): its eye, or its direction of sight. clip_planes: those of the view. */
LANECULL_C_API lanecull_status lanecull_set_viewpoint(lanecull_occluders* occluders, const double* clip_from_world,
                                                      const lanecull_clip_space* clip_space,
                                                      const lanecull_plane* clip_planes, size_t clip_plane_count,
                                                      uint32_t sight, lanecull_message* message);
/* Of 1 to 8 eyes, x y z of one after the other: a lamp, or a cell. */
LANECULL_C_API lanecull_status lanecull_set_viewpoint_from_eyes(lanecull_occluders* occluders, const double* eyes,
                                                                size_t eye_count, double near_reach,
                                                                lanecull_message* message);
/* Of a sun: parallel sight, the way that light goes. 3 numbers each. */
LANECULL_C_API lanecull_status lanecull_set_viewpoint_along(lanecull_occluders* occluders, const double* direction,
                                                            const double* around, lanecull_message* message);

/* Occluder i becomes the solid, if `refusal`, a lanecull_refusal, is LANECULL_REFUSED_NOT. Else the call succeeds as
 * well and leaves the occluder as it was. */
LANECULL_C_API lanecull_status lanecull_prepare_box_occluder(lanecull_occluders* occluders, uint32_t i,
                                                             const lanecull_solid_box* solid,
                                                             const lanecull_occluder_options* options,
                                                             uint32_t* refusal, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_prepare_oriented_box_occluder(lanecull_occluders* occluders, uint32_t i,
                                                                      const lanecull_solid_oriented_box* solid,
                                                                      const lanecull_occluder_options* options,
                                                                      uint32_t* refusal, lanecull_message* message);
/* A polytope of 4 to 32 half-spaces; options.drawn is required. */
LANECULL_C_API lanecull_status lanecull_prepare_polytope_occluder(lanecull_occluders* occluders, uint32_t i,
                                                                  const lanecull_plane* planes, size_t plane_count,
                                                                  const lanecull_occluder_options* options,
                                                                  uint32_t* refusal, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_prepare_hull_occluder(lanecull_occluders* occluders, uint32_t i,
                                                              const lanecull_solid_hull_instance* solid,
                                                              const lanecull_occluder_options* options,
                                                              uint32_t* refusal, lanecull_message* message);
/* A solid box of an object's own coordinates where the object is drawn: an oriented box inside its image under a 3x4
 * matrix, row by row. Written if `refusal` is LANECULL_REFUSED_NOT. */
LANECULL_C_API lanecull_status lanecull_place_solid(const lanecull_solid_box* box, const float* transform,
                                                    lanecull_solid_oriented_box* placed, uint32_t* refusal,
                                                    lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
