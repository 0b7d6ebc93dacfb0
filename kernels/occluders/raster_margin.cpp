#include <lanecull/occluder.h>

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

bool is_positive(double a) { return a > 0 && a <= coordinate_limit; }

Status check(const Rasterization& r) {
    if (r.width == 0 || r.height == 0) return failure("width, height: %u x %u pixels", r.width, r.height);
    if (!is_positive(r.scale_x) || !is_positive(r.scale_y)) {
        return failure("scale_x, scale_y: %g and %g are to be more than 0", r.scale_x, r.scale_y);
    }
    if (!is_positive(r.near_depth) && !r.is_orthographic)
        return failure("near_depth: %g is to be more than 0", r.near_depth);
    if (r.is_orthographic && !(std::fabs(r.near_depth) <= coordinate_limit && r.near_depth < r.far_depth &&
                               r.far_depth <= coordinate_limit)) {
        return failure("far_depth: %g is to be beyond near_depth, %g", r.far_depth, r.near_depth);
    }
    if (r.sub_pixel_bits < 4 || r.sub_pixel_bits > 16) {
        return failure("sub_pixel_bits: 4 to 16, not %u", r.sub_pixel_bits);
    }
    if (Status status = check_enum(r.depth, DepthFormat::float_32_reversed, "depth"); !status) return status;
    if (r.is_camera_relative) return {};
    if (!(r.largest_coordinate >= 0 && r.largest_coordinate <= coordinate_limit)) {
        return failure("largest_coordinate: %g is not from 0 to 1e30", r.largest_coordinate);
    }
    if (!is_positive(r.least_distance) && !r.is_orthographic) {
        return failure("least_distance: %g is to be more than 0", r.least_distance);
    }
    return {};
}

double pixels(const Rasterization& r) {
    const double steps = std::max(std::ldexp(2.0, -static_cast<int>(r.sub_pixel_bits)), 1.0 / 64);
    if (r.is_camera_relative) return steps;
    const double distance = r.is_orthographic ? 1 : r.least_distance;
    const double side = static_cast<double>(std::max(r.width, r.height));
    // An orthographic matrix multiplies coordinates by `scale` instead of dividing them by the depth.
    const double scale = r.is_orthographic ? std::max(r.scale_x, r.scale_y) : 1;
    return std::max(steps, 1.0 / 16) + 8 * 0x1p-24 * side * scale * r.largest_coordinate / distance;
}

Status find_margin(const Rasterization& given, RasterMargin& margin) {
    Rasterization r = given;
    if (r.sub_pixel_bits == 0) r.sub_pixel_bits = 8;
    if (Status status = check(r); !status) return status;
    const double pixel = std::max(2 / (r.scale_x * r.width), 2 / (r.scale_y * r.height));
    const double unit = r.depth == DepthFormat::unorm_16 ? 0x1p-16 : 0x1p-24;
    RasterMargin result;
    result.per_distance = pixels(r) * pixel;
    if (r.is_orthographic) {
        result.depth_per_distance = 4 * unit * (r.far_depth - r.near_depth);
    } else if (r.depth == DepthFormat::float_32_reversed) {
        result.depth_per_distance = 4 * unit;
    } else {
        result.depth_per_square = 4 * unit / r.near_depth;
    }
    for (const double part : {result.per_distance, result.depth_per_square, result.depth_per_distance}) {
        if (!(part <= coordinate_limit)) return failure("margin: %g is beyond 1e30", part);
    }
    margin = result;
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_find_raster_margin(const lanecull_rasterization* rasterization,
                                            lanecull_raster_margin* margin) noexcept {
    const FloatModes modes;
    Status status = check_not_null(rasterization, "rasterization");
    if (status) status = check_not_null(margin, "margin");
    if (status) status = check_cleared(*rasterization, "rasterization");
    return status ? find_margin(*rasterization, *margin) : status;
}
