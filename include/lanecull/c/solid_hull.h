#ifndef LANECULL_C_SOLID_HULL_H
#define LANECULL_C_SOLID_HULL_H

#include <stdint.h>

#include <lanecull/c/bounds.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Convex polytopes with few corners, inscribed in hulls of any number of vertices: <lanecull/solid_hull.hpp>. */

/* A convex polytope by its surface; lanecull_inscribe_hull() makes one, or the caller fills it in. */
typedef struct lanecull_solid_hull {
    float corner[17][3];
    uint32_t corner_count;
    uint8_t triangle[30][3]; /* corners, anticlockwise seen from outside */
    uint32_t triangle_count;
    lanecull_box_bounds drawn; /* around what is drawn for it */
} lanecull_solid_hull;

/* A polytope with up to 17 of the vertices as its corners. Leaves `hull` untouched where it fails. Allocates nothing.
 */
LANECULL_C_API lanecull_status lanecull_inscribe_hull(const lanecull_vertices* vertices, lanecull_solid_hull* hull,
                                                      lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
