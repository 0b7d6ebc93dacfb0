#ifndef LANECULL_C_HULLS_H
#define LANECULL_C_HULLS_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/bounds.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Convex hulls of points: for hull instances, and for measuring volumes. To be made once, with the assets.
 * <lanecull/hulls.hpp> has what is proved of them, and what they cost.
 *
 * <lanecull/lanecull.h> does not include this header, whose functions are in a library of their own: link
 * lanecull_hulls before lanecull, and qhull (qhull_r).
 *
 * A hull is kept in memory of the hooks. While one is made or measured, memory is that of C++ (operator new) and of
 * qhull (malloc). */

/* A convex polytope by its corners, with their neighbours. Calls with a const one may overlap in time. */
typedef struct lanecull_convex_hull lanecull_convex_hull;

/* Without corners, until one is found. */
LANECULL_C_API lanecull_status lanecull_create_convex_hull(lanecull_convex_hull** hull, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_convex_hull(lanecull_convex_hull* hull); /* null: nothing */

/* The convex hull of the vertices. Its corners are some of them, bit by bit. A call that fails leaves the hull as it
 * was. */
LANECULL_C_API lanecull_status lanecull_find_convex_hull(const lanecull_vertices* vertices, lanecull_convex_hull* hull,
                                                         lanecull_message* message);
/* A hull of at most `max_corners` corners, at least 4, that is proved to contain every vertex. */
LANECULL_C_API lanecull_status lanecull_find_enclosing_hull(const lanecull_vertices* vertices, uint32_t max_corners,
                                                            lanecull_convex_hull* hull, lanecull_message* message);

/* What a hull consists of. Its arrays are valid until the hull is written or destroyed. */
typedef struct lanecull_convex_hull_info {
    size_t size;    /* sizeof(lanecull_convex_hull_info) */
    const float* x; /* corner i is (x[i], y[i], z[i]): for lanecull_prepare_hull() */
    const float* y;
    const float* z;
    const uint32_t* first_neighbor; /* corner i's neighbours: neighbors[j], first_neighbor[i] <= j < ..[i + 1] */
    const uint32_t* neighbors;
    const uint32_t* triangles; /* three corners each, anticlockwise seen from outside; of a polygon a fan */
    uint32_t corner_count;
    uint32_t triangle_count;
    uint32_t dimension; /* 3: a solid. 2: a polygon, its corners in order. 1: a segment. 0: a point, or no corner */
    double volume;      /* in cubic units; 0 for what is not a solid */
} lanecull_convex_hull_info;

LANECULL_C_API lanecull_status lanecull_convex_hull_get_info(const lanecull_convex_hull* hull,
                                                             lanecull_convex_hull_info* info,
                                                             lanecull_message* message);

/* How far `outer` reaches beyond `inner`: the largest distance of a point of `outer` from the set `inner`. Both have
 * corners. Time grows with the product of the two sizes. */
LANECULL_C_API lanecull_status lanecull_convex_hull_outward_error(const lanecull_convex_hull* outer,
                                                                  const lanecull_convex_hull* inner, double* error,
                                                                  lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
