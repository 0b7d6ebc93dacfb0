#ifndef LANECULL_TESTS_C_BAKE_H
#define LANECULL_TESTS_C_BAKE_H

#include <stddef.h>
#include <stdint.h>

/* The world that bake.c bakes, and the file that C++ makes of it. */

#ifdef __cplusplus
extern "C" {
#endif

enum { object_count = 600, solid_count = 4, grid_cells = 8, baked_in = 2 };

struct baked_totals {
    uint64_t visible, hidden, distant;
    uint32_t occluders, rounds, parts;
};

/* objects: streams of min and max. solids: records of min and max. Cells are those of a grid of cubes of 1 around the
 * origin; the file is written to `path`. Returns whether that was done. */
int bake_cpp(const char* path, const float (*objects)[object_count], const float* solids, struct baked_totals* totals);

#ifdef __cplusplus
}
#endif

#endif
