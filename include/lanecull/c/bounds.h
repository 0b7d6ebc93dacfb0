#ifndef LANECULL_C_BOUNDS_H
#define LANECULL_C_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds of vertices, to make objects from; and spheres around objects, to make them cheap to cull.
 * <lanecull/bounds.hpp> has what each contains, and what it costs. All are thread-safe and allocate nothing. isa: a
 * lanecull_isa. */

typedef struct lanecull_vertices {
    size_t size; /* sizeof(lanecull_vertices) */
    const float* x;
    const float* y;
    const float* z;
    uint32_t count;      /* at least 1 */
    size_t stride_bytes; /* from one vertex's number to the next one's, a multiple of 4 up to 65,536; 0: 4 */
} lanecull_vertices;

/* lower <= p <= upper. */
typedef struct lanecull_box_bounds {
    float lower[3];
    float upper[3];
} lanecull_box_bounds;

/* |p - center| <= radius. */
typedef struct lanecull_sphere_bounds {
    float center[3];
    float radius;
} lanecull_sphere_bounds;

/* center + sum over k of s_k half_extents[k] axis k, |s_k| <= 1; axis k is axes[3 k] to axes[3 k + 2]. */
typedef struct lanecull_oriented_box_bounds {
    float center[3];
    float axes[9];
    float half_extents[3];
} lanecull_oriented_box_bounds;

LANECULL_C_API lanecull_status lanecull_bounding_box(const lanecull_vertices* vertices, lanecull_box_bounds* box,
                                                     uint32_t isa, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_bounding_sphere(const lanecull_vertices* vertices,
                                                        lanecull_sphere_bounds* sphere, uint32_t isa,
                                                        lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_bounding_oriented_box(const lanecull_vertices* vertices,
                                                              lanecull_oriented_box_bounds* box, uint32_t isa,
                                                              lanecull_message* message);

/* Fill streams of as many floats as there are objects: lanecull_oriented_boxes::bounding_radius, and the spheres of
 * instances, which lanecull_hull_instances takes as well. */
LANECULL_C_API lanecull_status lanecull_bounding_radii(const lanecull_oriented_boxes* boxes, float* radius,
                                                       lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_hull_bounding_spheres(const lanecull_hull_instances* instances, float* x,
                                                              float* y, float* z, float* radius,
                                                              lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_box_bounding_spheres(const lanecull_box_instances* instances, float* x,
                                                             float* y, float* z, float* radius,
                                                             lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
