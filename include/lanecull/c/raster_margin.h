#ifndef LANECULL_C_RASTER_MARGIN_H
#define LANECULL_C_RASTER_MARGIN_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The margin that a rasteriser needs of occluders, from what an engine knows of it: <lanecull/raster_margin.hpp>. */

enum lanecull_depth_format {
    LANECULL_DEPTH_UNORM_16 = 0,
    LANECULL_DEPTH_UNORM_24 = 1,
    LANECULL_DEPTH_FLOAT_32 = 2,         /* the far plane at 1 */
    LANECULL_DEPTH_FLOAT_32_REVERSED = 3 /* the near plane at 1 */
};

/* A viewport and what is drawn into it. */
typedef struct lanecull_rasterization {
    size_t size;    /* sizeof(lanecull_rasterization) */
    uint32_t width; /* in pixels: the smallest that occurs */
    uint32_t height;
    double scale_x; /* the projection matrix's first two diagonal elements, without their signs */
    double scale_y;
    uint32_t is_orthographic;
    uint32_t depth;    /* lanecull_depth_format */
    double near_depth; /* distances of the depth planes from the eye; the far one of orthographic projections alone */
    double far_depth;
    uint32_t sub_pixel_bits;     /* 4 to 16; 0: 8 */
    uint32_t is_camera_relative; /* 0: vertices are in world coordinates; then the next two are read */
    double largest_coordinate;
    double least_distance;
} lanecull_rasterization;

/* For lanecull_occluder_options and lanecull_choose_options. */
typedef struct lanecull_raster_margin {
    double per_distance;
    double depth_per_square;
    double depth_per_distance;
} lanecull_raster_margin;

LANECULL_C_API lanecull_status lanecull_find_raster_margin(const lanecull_rasterization* rasterization,
                                                           lanecull_raster_margin* margin, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
