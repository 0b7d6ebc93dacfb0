#ifndef LANECULL_C_FLAT_BATCH_H
#define LANECULL_C_FLAT_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Batches in the plane: many convex 2D shapes of one kind, as structure of arrays over the caller's memory.
 * <lanecull/flat/batch.hpp> has the rules of each kind and when an object is invalid; invalid objects stay visible.
 *
 * A stream is an array of `count` floats, at any 4-byte alignment. Nothing is copied: arrays must exist and stay
 * unwritten while a call reads them. */

/* Discs. */
typedef struct lanecull_flat_circles {
    size_t size; /* sizeof(lanecull_flat_circles) */
    const float* x;
    const float* y;
    const float* radius; /* >= 0 */
    uint32_t count;
} lanecull_flat_circles;

/* Boxes along the axes: min <= p <= max. */
typedef struct lanecull_flat_boxes {
    size_t size; /* sizeof(lanecull_flat_boxes) */
    const float* min_x;
    const float* min_y;
    const float* max_x;
    const float* max_y;
    uint32_t count;
} lanecull_flat_boxes;

/* (x, y) + s half_x (axis_x, axis_y) + t half_y (-axis_y, axis_x), |s| <= 1, |t| <= 1. */
typedef struct lanecull_flat_oriented_boxes {
    size_t size; /* sizeof(lanecull_flat_oriented_boxes) */
    const float* x;
    const float* y;
    const float* axis_x; /* (cos, sin) of the angle, used as stored */
    const float* axis_y;
    const float* half_x; /* >= 0 */
    const float* half_y; /* >= 0 */
    uint32_t count;
} lanecull_flat_oriented_boxes;

/* Every point within `radius` of the segment from a to b. */
typedef struct lanecull_flat_capsules {
    size_t size; /* sizeof(lanecull_flat_capsules) */
    const float* a_x;
    const float* a_y;
    const float* b_x;
    const float* b_y;
    const float* radius; /* >= 0 */
    uint32_t count;
} lanecull_flat_capsules;

/* The convex hull of some points, which many instances share. lanecull_flat_prepare_polygon() fills it and copies the
 * points. */
typedef struct lanecull_flat_polygon {
    uint32_t count; /* corners, counter-clockwise */
    float x[32];
    float y[32];
    float normal_x[32];
    float normal_y[32];
    float mean[2];
    float radius;
    float magnitude;
} lanecull_flat_polygon;

/* 1 to 32 points in any order, all finite and none beyond 1e30. Leaves `polygon` untouched where it fails. */
LANECULL_C_API lanecull_status lanecull_flat_prepare_polygon(const float* x, const float* y, uint32_t count,
                                                             lanecull_flat_polygon* polygon, lanecull_message* message);

/* Object i is { (x, y) + (turn_x p_x - turn_y p_y, turn_y p_x + turn_x p_y) : p in polygon }. */
typedef struct lanecull_flat_polygon_instances {
    size_t size; /* sizeof(lanecull_flat_polygon_instances) */
    const float* x;
    const float* y;
    const float* turn_x; /* scale * (cos, sin) of the angle, used as stored */
    const float* turn_y;
    const lanecull_flat_polygon* polygon; /* must exist and not change while a cull reads it */
    uint32_t count;
} lanecull_flat_polygon_instances;

/* One batch. Exactly one of the kinds is not null. */
typedef struct lanecull_flat_batch {
    size_t size; /* sizeof(lanecull_flat_batch) */
    const lanecull_flat_circles* circles;
    const lanecull_flat_boxes* boxes;
    const lanecull_flat_oriented_boxes* oriented_boxes;
    const lanecull_flat_capsules* capsules;
    const lanecull_flat_polygon_instances* polygon_instances;
    const lanecull_draw_templates* draws; /* null: none */
    uint32_t first_index;                 /* object i appears in index lists as first_index + i */
} lanecull_flat_batch;

/* The batches of a call: a list of fixed length. It keeps what lanecull_flat_set_batch() is given, pointers to arrays
 * included, but none of the structs. Calls that read it may overlap in time. */
typedef struct lanecull_flat_batches lanecull_flat_batches;

/* `count` batches without objects. */
LANECULL_C_API lanecull_status lanecull_flat_create_batches(uint32_t count, lanecull_flat_batches** batches,
                                                            lanecull_message* message);
LANECULL_C_API void lanecull_flat_destroy_batches(lanecull_flat_batches* batches); /* null: nothing */
LANECULL_C_API uint32_t lanecull_flat_batch_count(const lanecull_flat_batches* batches);
/* Batch i becomes `batch`; that its arrays keep their rules is checked by the calls that read it. Allocates nothing. */
LANECULL_C_API lanecull_status lanecull_flat_set_batch(lanecull_flat_batches* batches, uint32_t i,
                                                       const lanecull_flat_batch* batch, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
