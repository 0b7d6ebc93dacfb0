#ifndef LANECULL_TESTS_C_HULLS_H
#define LANECULL_TESTS_C_HULLS_H

#include <stddef.h>
#include <stdint.h>

/* What hulls.c asks C++ for, of the same vertices. */

#ifdef __cplusplus
extern "C" {
#endif

enum { vertex_count = 300, few_corners = 12, most_corners = 320, most_triangles = 640, most_neighbors = 2000 };

struct found_hull {
    uint32_t corners, triangles, neighbors, dimension;
    float x[most_corners], y[most_corners], z[most_corners];
    uint32_t first_neighbor[most_corners + 1];
    uint32_t neighbor[most_neighbors];
    uint32_t triangle[3 * most_triangles];
    double volume;
};

/* The convex hull of `count` records of three floats, a hull of few corners around it, and how far that reaches beyond
 * it. */
void hulls_cpp(const float* vertices, uint32_t count, struct found_hull* exact, struct found_hull* enclosing,
               double* error);

/* From now on operator new throws std::bad_alloc where `count` calls of it have not; below 0: never. */
void refuse_new_after(int count);

#ifdef __cplusplus
}
#endif

#endif
