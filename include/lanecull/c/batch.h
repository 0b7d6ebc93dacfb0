#ifndef LANECULL_C_BATCH_H
#define LANECULL_C_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Batches: many convex objects of one kind, as structure of arrays over the caller's memory. <lanecull/batch.hpp> has
 * the rules of each kind and when an object is invalid; invalid objects stay visible.
 *
 * A stream is an array of `count` floats, at any 4-byte alignment. Nothing is copied: arrays must exist and stay
 * unwritten while a call reads them. */

/* Records of floats: record i starts at byte i * stride_bytes from `first`. */
typedef struct lanecull_records {
    const float* first;
    size_t stride_bytes; /* a multiple of 4 up to 65,536; 0: one record right after the other */
} lanecull_records;

/* Positions, 3 doubles a record. */
typedef struct lanecull_double_records {
    const double* first;
    size_t stride_bytes; /* a multiple of 8 from 24 to 65,536; 0: one record right after the other */
} lanecull_double_records;

/* 0 names no layout. */
enum lanecull_transform_layout {
    LANECULL_ROWS_3X4 = 1,    /* 12 floats: (A00 A01 A02 t0) (A10 A11 A12 t1) (A20 A21 A22 t2) */
    LANECULL_COLUMNS_3X4 = 2, /* 12 floats: (A00 A10 A20) (A01 A11 A21) (A02 A12 A22) (t0 t1 t2) */
    LANECULL_ROWS_4X4 = 3,    /* 16 floats: the rows of ROWS_3X4, then (0 0 0 1) */
    LANECULL_COLUMNS_4X4 = 4  /* 16 floats: (A00 A10 A20 0) (A01 A11 A21 0) (A02 A12 A22 0) (t0 t1 t2 1) */
};

/* Transforms p -> A p + t, read at a stride. */
typedef struct lanecull_transforms {
    size_t size; /* sizeof(lanecull_transforms) */
    const float* first;
    size_t stride_bytes; /* a multiple of 4 up to 65,536; 0: one transform right after the other */
    uint32_t layout;     /* lanecull_transform_layout; must be named: 0 is refused */
    /* Optional: position i, less `origin`, is added to object i's translation. */
    lanecull_double_records positions;
    double origin[3];
} lanecull_transforms;

/* Balls. */
typedef struct lanecull_spheres {
    size_t size; /* sizeof(lanecull_spheres) */
    const float* x;
    const float* y;
    const float* z;
    const float* radius; /* >= 0 */
    uint32_t count;
} lanecull_spheres;

/* Axis-aligned boxes by their corners: min <= p <= max. */
typedef struct lanecull_boxes {
    size_t size; /* sizeof(lanecull_boxes) */
    const float* min_x;
    const float* min_y;
    const float* min_z;
    const float* max_x;
    const float* max_y;
    const float* max_z;
    uint32_t count;
} lanecull_boxes;

/* Axis-aligned boxes by centre and half-extents >= 0. */
typedef struct lanecull_centered_boxes {
    size_t size; /* sizeof(lanecull_centered_boxes) */
    const float* x;
    const float* y;
    const float* z;
    const float* half_x;
    const float* half_y;
    const float* half_z;
    uint32_t count;
} lanecull_centered_boxes;

/* Oriented boxes: centre + sum over k of s_k half_k axis_k, |s_k| <= 1. */
typedef struct lanecull_oriented_boxes {
    size_t size; /* sizeof(lanecull_oriented_boxes) */
    const float* x;
    const float* y;
    const float* z;
    lanecull_records axes;         /* 9 floats a record: three axes one after the other; or */
    lanecull_records quaternions;  /* 4 floats a record, (x, y, z, w): exactly one of the two */
    lanecull_records half_extents; /* 3 floats a record, each >= 0 */
    const float* bounding_radius;  /* optional stream: no point of the box is farther from its centre */
    uint32_t count;
} lanecull_oriented_boxes;

/* Every point within `radius` of the segment from a to b. */
typedef struct lanecull_capsules {
    size_t size; /* sizeof(lanecull_capsules) */
    const float* a_x;
    const float* a_y;
    const float* a_z;
    const float* b_x;
    const float* b_y;
    const float* b_z;
    const float* radius; /* >= 0 */
    uint32_t count;
} lanecull_capsules;

/* The convex hull of `count` points, which many instances share. lanecull_prepare_hull() fills it; the points stay the
 * caller's and must not change afterwards. */
typedef struct lanecull_hull {
    const float* x;
    const float* y;
    const float* z;
    uint32_t count;
    float lower[3];
    float upper[3];
    float mean[3];
    float outer;
    float inner;
} lanecull_hull;

/* 1 to 65,535 vertices, all finite. Leaves `hull` untouched where it fails. */
LANECULL_C_API lanecull_status lanecull_prepare_hull(const float* x, const float* y, const float* z, uint32_t count,
                                                     lanecull_hull* hull, lanecull_message* message);

/* Object i is { A_i p + t_i : p in hulls[hull_index[i]] }. */
typedef struct lanecull_hull_instances {
    size_t size; /* sizeof(lanecull_hull_instances) */
    const lanecull_transforms* transforms;
    const lanecull_hull* hulls;
    uint32_t hull_count;
    const uint32_t* hull_index; /* stream; null if there is only one hull */
    /* Optional streams, all four or none: a sphere that contains instance i. */
    const float* bounding_x;
    const float* bounding_y;
    const float* bounding_z;
    const float* bounding_radius;
    uint32_t count;
} lanecull_hull_instances;

/* Object i is { A_i p + t_i : p in its local box }. */
typedef struct lanecull_box_instances {
    size_t size; /* sizeof(lanecull_box_instances) */
    const lanecull_transforms* transforms;
    const lanecull_boxes* boxes;
    const uint32_t* box_index; /* stream: object i has box box_index[i]; null: box i, as many boxes as objects */
    uint32_t count;
    /* In place of boxes' streams, which are null then: corners as records of 3 floats; boxes has their count alone. */
    lanecull_records lower;
    lanecull_records upper;
} lanecull_box_instances;

/* Bits of lanecull_attributes::flags. */
enum lanecull_object_flag { LANECULL_OBJECT_DISABLED = 1, LANECULL_OBJECT_ALWAYS_VISIBLE = 2 };

/* What objects of any kind may have besides their shape: streams of `count` entries, or null. */
typedef struct lanecull_attributes {
    size_t size;          /* sizeof(lanecull_attributes) */
    const float* margin;  /* >= 0: everything within it of the shape belongs to the object */
    const float* sweep_x; /* all three or none: the object is every place that it passes */
    const float* sweep_y;
    const float* sweep_z;
    const uint32_t* flags;           /* bits of lanecull_object_flag */
    const uint32_t* layers;          /* culled if it has no bit in common with the view's layer mask */
    const float* max_distance;       /* culled if all of it is farther from the view's eye; infinity: no limit */
    const float* min_projected_size; /* culled if its projected size is smaller; 0: no limit */
    const float* min_distance;       /* culled if it is nearer to the eye; 0: no limit */
} lanecull_attributes;

/* VkDrawIndexedIndirectCommand, D3D12_DRAW_INDEXED_ARGUMENTS, OpenGL's DrawElementsIndirectCommand. */
typedef struct lanecull_draw_command {
    uint32_t index_count;
    uint32_t instance_count;
    uint32_t first_index;
    int32_t vertex_offset;
    uint32_t first_instance;
} lanecull_draw_command;

enum lanecull_draw_per {
    LANECULL_DRAW_PER_BATCH = 0, /* `first` is the only template: object i's is it with first_instance + i */
    LANECULL_DRAW_PER_OBJECT = 1 /* template i, stride_bytes after the one before, is object i's as it is */
};

typedef struct lanecull_draw_templates {
    size_t size; /* sizeof(lanecull_draw_templates) */
    const lanecull_draw_command* first;
    uint32_t per;        /* lanecull_draw_per */
    size_t stride_bytes; /* a multiple of 4, 20 to 65,536; 0: 20 */
} lanecull_draw_templates;

/* One batch. Exactly one of the kinds is not null. */
typedef struct lanecull_batch {
    size_t size; /* sizeof(lanecull_batch) */
    const lanecull_spheres* spheres;
    const lanecull_boxes* boxes;
    const lanecull_centered_boxes* centered_boxes;
    const lanecull_oriented_boxes* oriented_boxes;
    const lanecull_capsules* capsules;
    const lanecull_hull_instances* hull_instances;
    const lanecull_box_instances* box_instances;
    const lanecull_attributes* attributes; /* null: none */
    const lanecull_draw_templates* draws;  /* null: none */
    uint32_t first_index;                  /* object i appears in index lists as first_index + i */
} lanecull_batch;

/* The batches of a call: a list of fixed length. It keeps what lanecull_set_batch() is given, pointers to arrays
 * included, but none of the structs. Calls that read it may overlap in time. */
typedef struct lanecull_batches lanecull_batches;

/* `count` batches without objects. */
LANECULL_C_API lanecull_status lanecull_create_batches(uint32_t count, lanecull_batches** batches,
                                                       lanecull_message* message);
LANECULL_C_API void lanecull_destroy_batches(lanecull_batches* batches); /* null: nothing */
LANECULL_C_API uint32_t lanecull_batch_count(const lanecull_batches* batches);
/* Batch i becomes `batch`; that its arrays keep their rules is checked by the calls that read it. Allocates nothing.
 */
LANECULL_C_API lanecull_status lanecull_set_batch(lanecull_batches* batches, uint32_t i, const lanecull_batch* batch,
                                                  lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
