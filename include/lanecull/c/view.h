#ifndef LANECULL_C_VIEW_H
#define LANECULL_C_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* View volumes. <lanecull/view.hpp> and <lanecull/light.hpp> say what each function makes, and when it fails. */

/* The points p with normal . p + offset >= 0, in world coordinates. */
typedef struct lanecull_plane {
    double normal[3];
    double offset;
} lanecull_plane;

enum lanecull_matrix_layout {
    LANECULL_COLUMN_MAJOR = 0, /* element (row r, column c) at [4 c + r]; clip = M (x, y, z, 1) */
    LANECULL_ROW_MAJOR = 1     /* element (row r, column c) at [4 r + c] */
};
enum lanecull_depth_range {
    LANECULL_ZERO_TO_ONE = 0,     /* 0 <= z <= w: Vulkan, Direct3D, Metal */
    LANECULL_MINUS_ONE_TO_ONE = 1 /* -w <= z <= w: OpenGL */
};

/* How to read a clip matrix. Calls take a pointer to it; null: column-major, depth 0 to 1, origin 0. */
typedef struct lanecull_clip_space {
    size_t size;      /* sizeof(lanecull_clip_space) */
    uint32_t layout;  /* lanecull_matrix_layout */
    uint32_t depth;   /* lanecull_depth_range */
    double origin[3]; /* the matrix maps p - origin: the eye, for camera-relative rendering */
} lanecull_clip_space;

/* Light from one direction. */
typedef struct lanecull_sun {
    size_t size;      /* sizeof(lanecull_sun) */
    double toward[3]; /* the direction to the sun */
    double reach;     /* casters stand up to reach * toward away from what they shade; 0: any distance, as infinity */
} lanecull_sun;

/* Light from a point. */
typedef struct lanecull_lamp {
    size_t size; /* sizeof(lanecull_lamp) */
    double at[3];
    double range;                /* it lights what is no farther away; 0: no limit, as infinity */
    const lanecull_plane* sides; /* it lights only what lies inside all of these */
    size_t side_count;           /* at most 8 */
} lanecull_lamp;

/* What a view may have besides its volume's shape. Read while the view is prepared; nothing of it is kept. */
typedef struct lanecull_view_options {
    size_t size;                       /* sizeof(lanecull_view_options) */
    const lanecull_plane* clip_planes; /* half-spaces that limit the volume further */
    size_t clip_plane_count;           /* at most 10 */
    double margin;                     /* >= 0: everything within it of the volume is seen */
    const uint32_t* layer_mask;        /* one number; null: all layers */
    const double* eye;                 /* 3 doubles; null: the matrix's own eye */
    double size_scale;                 /* 0: the matrix's own */
    const lanecull_sun* sun;           /* one of the two, or none: the view is then of the casters */
    const lanecull_lamp* lamp;         /* whose shadow can be seen */
} lanecull_view_options;

/* A list of views, of fixed length; view i of it is prepared by the functions below. Calls that only read it may
 * overlap in time. 3.4 KB a view. */
typedef struct lanecull_views lanecull_views;

LANECULL_C_API lanecull_status lanecull_create_views(uint32_t count, lanecull_views** views, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_views(lanecull_views* views); /* null: nothing */
LANECULL_C_API uint32_t lanecull_view_count(const lanecull_views* views);
/* 1 or 0: whether view i is prepared, whether culls by it are exact, and whether it is proved that nothing is in its
 * volume: clip planes leave none of it, or the light reaches none. 0 for an i that is no view. */
LANECULL_C_API uint32_t lanecull_view_is_prepared(const lanecull_views* views, uint32_t i);
LANECULL_C_API uint32_t lanecull_view_is_exact(const lanecull_views* views, uint32_t i);
LANECULL_C_API uint32_t lanecull_view_sees_nothing(const lanecull_views* views, uint32_t i);

/* The volume of a perspective or orthographic clip matrix, 16 numbers. Like those below it leaves view i untouched
 * where it fails, takes some microseconds (benchmarks prepare/), and allocates nothing. */
LANECULL_C_API lanecull_status lanecull_prepare_view(lanecull_views* views, uint32_t i, const double* clip_from_world,
                                                     const lanecull_clip_space* clip_space,
                                                     const lanecull_view_options* options, lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_prepare_view_of_floats(lanecull_views* views, uint32_t i,
                                                               const float* clip_from_world,
                                                               const lanecull_clip_space* clip_space,
                                                               const lanecull_view_options* options,
                                                               lanecull_message* message);
/* The convex hull of both eyes' volumes, 16 numbers each. */
LANECULL_C_API lanecull_status lanecull_prepare_stereo_view(lanecull_views* views, uint32_t i, const double* left,
                                                            const double* right, const lanecull_clip_space* clip_space,
                                                            const lanecull_view_options* options,
                                                            lanecull_message* message);
/* The convex hull of eight corners: 24 numbers, x y z of one after the other. */
LANECULL_C_API lanecull_status lanecull_prepare_view_from_corners(lanecull_views* views, uint32_t i,
                                                                  const double* corners,
                                                                  const lanecull_view_options* options,
                                                                  lanecull_message* message);
/* The intersection of half-spaces; with the options' clip planes at most 16. */
LANECULL_C_API lanecull_status lanecull_prepare_view_from_planes(lanecull_views* views, uint32_t i,
                                                                 const lanecull_plane* planes, size_t plane_count,
                                                                 const lanecull_view_options* options,
                                                                 lanecull_message* message);
/* A ball: what is no farther from the centre (3 numbers) than `radius`. */
LANECULL_C_API lanecull_status lanecull_prepare_view_from_ball(lanecull_views* views, uint32_t i, const double* center,
                                                               double radius, const lanecull_view_options* options,
                                                               lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
