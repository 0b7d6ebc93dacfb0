#ifndef LANECULL_C_SOLIDS_H
#define LANECULL_C_SOLIDS_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/bounds.h>
#include <lanecull/c/solid_hull.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Solid boxes and hulls: few large ones that lie wholly inside what is drawn, for occluders; to be made when a level is
 * loaded or built. <lanecull/solids.hpp> has what is proved of them, and what they cost. The functions take memory. */

/* A list of boxes, larger ones first, with what covers each. */
typedef struct lanecull_solid_boxes lanecull_solid_boxes;

LANECULL_C_API lanecull_status lanecull_create_solid_boxes(lanecull_solid_boxes** solids, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_solid_boxes(lanecull_solid_boxes* solids); /* null: nothing */
LANECULL_C_API uint32_t lanecull_solid_box_count(const lanecull_solid_boxes* solids);
/* Sets the streams and the count of `boxes`, whose `size` is set. They are valid until the list is written or
 * destroyed.
 */
LANECULL_C_API lanecull_status lanecull_solid_box_streams(const lanecull_solid_boxes* solids, lanecull_boxes* boxes,
                                                          lanecull_message* message);
/* Which of the boxes that were merged cover box i, ascending: it hides something only where all of them are drawn. As
 * long valid as the streams. */
LANECULL_C_API lanecull_status lanecull_solid_box_owners(const lanecull_solid_boxes* solids, uint32_t i,
                                                         const uint32_t** owners, size_t* owner_count,
                                                         lanecull_message* message);

/* Merges abutting and overlapping boxes into fewer, larger ones: at most max_boxes of them; 0: all. */
LANECULL_C_API lanecull_status lanecull_merge_boxes(const lanecull_boxes* boxes, lanecull_solid_boxes* merged,
                                                    uint32_t max_boxes, lanecull_message* message);

/* A surface of triangles. Triangle t has the vertices indices[3 t], indices[3 t + 1] and indices[3 t + 2]. */
typedef struct lanecull_triangle_mesh {
    size_t size; /* sizeof(lanecull_triangle_mesh) */
    const lanecull_vertices* vertices;
    const uint32_t* indices; /* 3 triangle_count of them */
    uint32_t triangle_count; /* at least 1 */
} lanecull_triangle_mesh;

/* Calls take a pointer to it; null: all defaults. */
typedef struct lanecull_mesh_solid_options {
    size_t size;         /* sizeof(lanecull_mesh_solid_options) */
    uint32_t resolution; /* cells along the mesh's longest extent, 1 to 256; 0: 32 */
    uint32_t max_boxes;  /* how many boxes, 1 to 256; 0: 16 */
    uint32_t is_ungrown; /* 0: boxes are grown until they touch the mesh; 1: they are whole cells */
} lanecull_mesh_solid_options;

/* In cubic units. */
typedef struct lanecull_mesh_volumes {
    double mesh;
    double boxes;
} lanecull_mesh_volumes;

/* Boxes inside a closed mesh. volumes may be null. */
LANECULL_C_API lanecull_status lanecull_find_mesh_solids(const lanecull_triangle_mesh* mesh,
                                                         lanecull_solid_boxes* solids,
                                                         const lanecull_mesh_solid_options* options,
                                                         lanecull_mesh_volumes* volumes, lanecull_message* message);

/* A polytope of up to 17 corners inside a closed mesh. inside: 3 numbers, a point that the mesh encloses. volume may be
 * null. */
LANECULL_C_API lanecull_status lanecull_find_solid_hull(const lanecull_triangle_mesh* mesh, const float* inside,
                                                        lanecull_solid_hull* hull, double* volume,
                                                        lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
