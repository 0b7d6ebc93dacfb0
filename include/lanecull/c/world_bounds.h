#ifndef LANECULL_C_WORLD_BOUNDS_H
#define LANECULL_C_WORLD_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From local boxes and transforms to the streams of a batch, for a frame in which objects move.
 * <lanecull/world_bounds.hpp> has how tight the results are. All are thread-safe and allocate nothing. What is written
 * are streams of as many floats as there are instances, which must not overlap each other or anything that is read.
 * isa: a lanecull_isa. */

/* The streams of lanecull_boxes. */
typedef struct lanecull_box_streams {
    size_t size; /* sizeof(lanecull_box_streams) */
    float* min_x;
    float* min_y;
    float* min_z;
    float* max_x;
    float* max_y;
    float* max_z;
} lanecull_box_streams;

/* The streams of lanecull_spheres. */
typedef struct lanecull_sphere_streams {
    size_t size; /* sizeof(lanecull_sphere_streams) */
    float* x;
    float* y;
    float* z;
    float* radius;
} lanecull_sphere_streams;

/* Records that are written, at strides as those of lanecull_records. */
typedef struct lanecull_written_records {
    float* first;
    size_t stride_bytes; /* 0: one record right after the other */
} lanecull_written_records;

/* The streams and records of lanecull_oriented_boxes. */
typedef struct lanecull_oriented_box_streams {
    size_t size; /* sizeof(lanecull_oriented_box_streams) */
    float* x;
    float* y;
    float* z;
    lanecull_written_records axes;        /* 9 floats a record; or */
    lanecull_written_records quaternions; /* 4 floats a record: exactly one of the two */
    lanecull_written_records half_extents;
    float* bounding_radius; /* null where boxes are culled without it */
} lanecull_oriented_box_streams;

/* Around each local box under its transform. */
LANECULL_C_API lanecull_status lanecull_world_boxes(const lanecull_box_instances* instances,
                                                    const lanecull_box_streams* boxes, uint32_t isa,
                                                    const lanecull_runner* runner, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_world_spheres(const lanecull_box_instances* instances,
                                                      const lanecull_sphere_streams* spheres, uint32_t isa,
                                                      const lanecull_runner* runner, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_world_oriented_boxes(const lanecull_box_instances* instances,
                                                             const lanecull_oriented_box_streams* boxes, uint32_t isa,
                                                             const lanecull_runner* runner, lanecull_message* message);
/* Box i of `joined` is around boxes first[i] to first[i + 1] - 1: of `first` there are count + 1. */
LANECULL_C_API lanecull_status lanecull_join_boxes(const lanecull_boxes* boxes, const uint32_t* first, uint32_t count,
                                                   const lanecull_box_streams* joined, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
