/// c/raster_margin.h

#include <lanecull/c/raster_margin.h>

#include <lanecull/raster_margin.hpp>

#include "c/given.hpp"

using namespace lanecull;

static_assert(LANECULL_DEPTH_UNORM_16 == static_cast<int>(DepthFormat::unorm_16));
static_assert(LANECULL_DEPTH_UNORM_24 == static_cast<int>(DepthFormat::unorm_24));
static_assert(LANECULL_DEPTH_FLOAT_32 == static_cast<int>(DepthFormat::float_32));
static_assert(LANECULL_DEPTH_FLOAT_32_REVERSED == static_cast<int>(DepthFormat::float_32_reversed));

lanecull_status lanecull_find_raster_margin(const lanecull_rasterization* rasterization, lanecull_raster_margin* margin,
                                            lanecull_message* message) {
    if (margin == nullptr) return c::refuse_null("margin", message);
    Status status = c::check_struct(rasterization, "rasterization");
    if (!status) return c::report(status, message);
    const lanecull_rasterization& given = *rasterization;
    Rasterization taken;
    taken.width = given.width, taken.height = given.height;
    taken.scale_x = given.scale_x, taken.scale_y = given.scale_y;
    taken.is_orthographic = given.is_orthographic != 0;
    taken.near_depth = given.near_depth, taken.far_depth = given.far_depth;
    taken.sub_pixel_bits = c::or_default(given.sub_pixel_bits, taken.sub_pixel_bits);
    taken.is_camera_relative = given.is_camera_relative != 0;
    taken.largest_coordinate = given.largest_coordinate;
    taken.least_distance = given.least_distance;
    RasterMargin found;
    status = c::take_enum(given.depth, DepthFormat::float_32_reversed, "rasterization.depth", taken.depth);
    if (status) status = raster_margin(taken, found);
    if (status) *margin = {found.per_distance, found.depth_per_square, found.depth_per_distance};
    return c::report(status, message);
}
