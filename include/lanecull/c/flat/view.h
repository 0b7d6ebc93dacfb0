#ifndef LANECULL_C_FLAT_VIEW_H
#define LANECULL_C_FLAT_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Views in the plane: the part of it that is seen. <lanecull/flat/view.hpp> says when each function fails. */

/* min <= p <= max. */
typedef struct lanecull_flat_rectangle {
    double min_x;
    double min_y;
    double max_x;
    double max_y;
} lanecull_flat_rectangle;

/* (x, y) + s half_x (axis_x, axis_y) + t half_y (-axis_y, axis_x), |s| <= 1, |t| <= 1. */
typedef struct lanecull_flat_turned_rectangle {
    double x;
    double y;
    double half_x;
    double half_y;
    double axis_x; /* (cos, sin) of the angle by which the camera is turned, used as stored */
    double axis_y;
} lanecull_flat_turned_rectangle;

/* A list of views, of fixed length. Calls that read it may overlap in time. */
typedef struct lanecull_flat_views lanecull_flat_views;

/* `count` views, none of them prepared. */
LANECULL_C_API lanecull_status lanecull_flat_create_views(uint32_t count, lanecull_flat_views** views,
                                                          lanecull_message* message);
LANECULL_C_API void lanecull_flat_destroy_views(lanecull_flat_views* views); /* null: nothing */
LANECULL_C_API uint32_t lanecull_flat_view_count(const lanecull_flat_views* views);
LANECULL_C_API uint32_t lanecull_flat_view_is_prepared(const lanecull_flat_views* views, uint32_t i);

/* Each prepares view i, and leaves it as it was where it fails. None allocates. */
LANECULL_C_API lanecull_status lanecull_flat_prepare_view(lanecull_flat_views* views, uint32_t i,
                                                          const lanecull_flat_rectangle* rectangle,
                                                          lanecull_message* message);
LANECULL_C_API lanecull_status lanecull_flat_prepare_turned_view(lanecull_flat_views* views, uint32_t i,
                                                                 const lanecull_flat_turned_rectangle* rectangle,
                                                                 lanecull_message* message);
/* The convex hull of 3 to 16 points: x y of one after the other. */
LANECULL_C_API lanecull_status lanecull_flat_prepare_view_from_points(lanecull_flat_views* views, uint32_t i,
                                                                      const double* points, size_t point_count,
                                                                      lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
