#ifndef LANECULL_TESTS_BOUNDS_H
#define LANECULL_TESTS_BOUNDS_H

/* What bounds.c asks C++ for, of the same numbers. */

#ifdef __cplusplus
extern "C" {
#endif

enum { vertices = 50, instances = 37, lights = 10 };

/* Everything that the functions of bounds.h, world_bounds.h and pack.h write. */
struct bounds {
    float box[6];
    float sphere[4];
    float oriented[15];
    float radii[instances];
    float hull_spheres[4][instances];
    float box_spheres[4][instances];
    float world_boxes[6][instances];
    float world_spheres[4][instances];
    float world_oriented[3][instances];
    float quaternions[4 * instances];
    float half_extents[3 * instances];
    float joined[6][2];
    float unpacked[3][vertices];
    float relative[4][instances];
};

/* points: `vertices` records of 3. local: 6 streams of `instances`. transforms: 3x4, row by row. positions: records
 * of 3. */
void bounds_cpp(const float* points, float (*local)[instances], const float* transforms, const double* positions,
                struct bounds* answer);

/* Whether the ball (x, y, z, radius) may cast a shadow into the view of `matrix` by lamp k of `positions`, which
 * reaches 40: 1 or 0. */
int lit_cpp(const double* matrix, const double* positions, int k, const float* ball);

#ifdef __cplusplus
}
#endif

#endif
