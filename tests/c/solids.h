#ifndef LANECULL_TESTS_SOLIDS_H
#define LANECULL_TESTS_SOLIDS_H

#include <stddef.h>
#include <stdint.h>

/* What solids.c asks C++ for, of the same numbers. */

#ifdef __cplusplus
extern "C" {
#endif

enum { module_count = 24, wall_count = 40, box_count = 3, wanted = 8, most = 16 };

struct found_boxes {
    uint32_t count;
    float streams[6][most];
};

struct found_solids {
    struct found_boxes merged;
    struct found_boxes in_mesh;
    size_t owner_count;
    uint32_t last_owner;
    uint32_t hull_corners;
    float hull_corner[24];
    float enclosed_corner[24];
    double enclosed_volume;
    float placed[6];
    double volume;
    double margin[3];
    uint32_t chosen[wanted];
    uint32_t chosen_count;
    /* Of the first box_count walls, and of the hull of the corners where the others are. */
    uint32_t chosen_hulls[wanted];
    uint32_t chosen_hull_count;
};

/* corners: 8 records of 3. triangles: 12. walls: records of min and max. places: for the walls from box_count on. */
void solids_cpp(const float (*modules)[module_count], const float* corners, const uint32_t* triangles,
                const float* walls, const float (*places)[12], const double* matrix, struct found_solids* answer);

#ifdef __cplusplus
}
#endif

#endif
