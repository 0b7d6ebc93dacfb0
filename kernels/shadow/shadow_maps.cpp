/// Cascades, maps of point lights, and the views of what is rendered into them. In doubles, and merely chosen: what is
/// proved about casters is prepare_view()'s.

#include <lanecull/shadow.h>

#include <algorithm>
#include <cmath>

#include "base/affine.hpp"
#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "view/clip_matrix.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"

namespace lanecull {
namespace {

Double3 vector(const double* v) { return {v[0], v[1], v[2]}; }

bool finite(const Double3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

Plane plane(const Double3& normal, double offset) { return {{normal.x, normal.y, normal.z}, offset}; }
Plane plane_through(const Double3& at, const Double3& normal) { return plane(normal, -dot(normal, at)); }

Status check_depths(double near_depth, double far_depth) {
    if (near_depth > 0 && near_depth < far_depth && far_depth <= coordinate_limit) return {};
    return failure("near_depth, far_depth: %g and %g are not in 0 < near < far <= 1e30", near_depth, far_depth);
}

Status check_texels(std::uint32_t texels, const char* name = "texels") {
    if (texels >= 16 && texels <= 65536) return {};
    return failure("%s: %u is not from 16 to 65536", lasting(name), texels);
}

// Slices.

/// A clip matrix's rows as functions of world points.
struct Row {
    Double3 linear;
    double constant;
};

struct SliceRows {
    Row x, y, w;  // of a slice: scaled so that w grows by 1 a unit
};

SliceRows rows_of(const double* clip_from_world, const ClipSpace& space) {
    const bool by_rows = space.layout == MatrixLayout::row_major;
    const auto row = [&](std::size_t r) {
        const auto at = [&](std::size_t c) { return clip_from_world[by_rows ? 4 * r + c : 4 * c + r]; };
        const Double3 linear = {at(0), at(1), at(2)};
        return Row{linear, at(3) - dot(linear, vector(space.origin))};
    };
    return {row(0), row(1), row(3)};
}

Status read_slice(const Slice& slice, SliceRows& rows) {
    Status status = check_not_null(slice.clip_from_world.first, "slice.clip_from_world");
    if (status) status = check_clip_space(slice.clip_space);
    if (!status) return status;
    if (!is_cleared(slice)) return not_cleared("slice.reserved");
    const double near_depth = slice.near_depth, far_depth = slice.far_depth;
    if (!(std::fabs(near_depth) <= coordinate_limit && std::fabs(far_depth) <= coordinate_limit &&
          near_depth < far_depth)) {
        return failure("slice: depths %g to %g are not finite and in order", near_depth, far_depth);
    }
    rows = rows_of(slice.clip_from_world.first, slice.clip_space);
    const double size = length(rows.w.linear);
    if (!(size > 0 && std::isfinite(size))) {
        return failure("slice.clip_from_world: not the matrix of a perspective camera");
    }
    for (Row* r : {&rows.x, &rows.y, &rows.w}) {
        r->linear = r->linear * (1 / size);
        r->constant /= size;
        if (!finite(r->linear) || !std::isfinite(r->constant)) {
            return failure("slice.clip_from_world: a number is not finite");
        }
    }
    return {};
}

/// Where three functions have these values.
Double3 meeting(const Row (&f)[3], const double (&value)[3]) {
    const Double3 bc = cross(f[1].linear, f[2].linear), ca = cross(f[2].linear, f[0].linear),
                  ab = cross(f[0].linear, f[1].linear);
    const Double3 sum =
        bc * (value[0] - f[0].constant) + ca * (value[1] - f[1].constant) + ab * (value[2] - f[2].constant);
    return sum * (1 / dot(f[0].linear, bc));
}

Status corners_of(const Slice& slice, Double3 (&corners)[8]) {
    SliceRows rows = {};
    if (Status status = read_slice(slice, rows); !status) return status;
    for (std::size_t i = 0; i < 8; ++i) {
        const double depth = i & 4 ? slice.far_depth : slice.near_depth;
        corners[i] = meeting({rows.x, rows.y, rows.w}, {i & 1 ? depth : -depth, i & 2 ? depth : -depth, depth});
        if (!finite(corners[i])) return failure("slice.clip_from_world: singular");
    }
    return {};
}

// Fitting.

struct Range {
    double low = HUGE_VAL, high = -HUGE_VAL;

    void add(double x) { low = std::fmin(low, x), high = std::fmax(high, x); }
    void limit(const Range& other) {
        low = std::fmax(low, other.low), high = std::fmin(high, other.high);
        if (!(low <= high)) low = high = 0.5 * (low + high);
    }
    [[nodiscard]] double size() const { return high - low; }
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};

/// Right, up and towards the light.
Status light_axes(const DirectionalMapOptions& options, Double3 (&axes)[3]) {
    const Double3 toward = vector(options.toward), given = vector(options.up);
    const bool has_up = given.x != 0 || given.y != 0 || given.z != 0;
    const Double3 up = has_up ? given : Double3{0, 1, 0};
    if (!finite(toward) || !(length(toward) >= 1e-150 && length(toward) <= 1e150)) {
        return failure("options.toward: not finite, zero, or of a length beyond 1e-150 to 1e150");
    }
    if (!finite(up) || !(length(up) >= 1e-150 && length(up) <= 1e150)) {
        return failure("options.up: not finite, zero, or of a length beyond 1e-150 to 1e150");
    }
    axes[2] = normalized(toward);
    const Double3 right = cross(normalized(up), axes[2]);
    if (!(length(right) > 1e-9)) return failure("options.up: along options.toward; zeros mean (0, 1, 0)");
    axes[0] = normalized(right);
    axes[1] = cross(axes[2], axes[0]);
    return {};
}

bool bounded(const WorldBox& box) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(box.lower[k]) || !std::isfinite(box.upper[k])) return false;
    }
    return true;
}

/// Only for certain: with a NaN it is not.
bool empty(const WorldBox& box) {
    return box.lower[0] > box.upper[0] || box.lower[1] > box.upper[1] || box.lower[2] > box.upper[2];
}

constexpr WorldBox endless = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};

/// Along an axis: from where to where the slice reaches, and of that the box.
Range reach_along(const Double3& axis, const Double3 (&corners)[8], const WorldBox& box) {
    Range range, limit;
    for (const Double3& corner : corners) range.add(dot(axis, corner));
    if (!bounded(box) || empty(box)) return range;
    for (std::size_t i = 0; i < 8; ++i) {
        limit.add(dot(axis, {i & 1 ? box.upper[0] : box.lower[0], i & 2 ? box.upper[1] : box.lower[1],
                             i & 4 ? box.upper[2] : box.lower[2]}));
    }
    range.limit(limit);
    return range;
}

/// A radius of the slice that no turn or move of the camera changes but by rounding, made a round number. 0 if the
/// corners are one point: a small slice far from the origin, or sizes that underflow.
double stable_radius(const Double3 (&corners)[8]) {
    Double3 middle{};
    for (const Double3& corner : corners) middle = middle + corner * 0.125;
    double radius = 0;
    for (const Double3& corner : corners) radius = std::fmax(radius, length(corner - middle));
    if (radius == 0) return 0;
    const double step = std::ldexp(1.0, std::ilogb(radius) - 12);
    return std::ceil(radius / step + 0.5) * step;
}

/// Rows of an affine function each, as a matrix; column by column.
void put_rows(const Row (&rows)[4], double (&matrix)[16]) {
    for (std::size_t r = 0; r < 4; ++r) {
        matrix[r] = rows[r].linear.x;
        matrix[4 + r] = rows[r].linear.y;
        matrix[8 + r] = rows[r].linear.z;
        matrix[12 + r] = rows[r].constant;
    }
}

/// Any clip matrix, column by column and with depth 0 to 1.
void put_matrix(const double* given, const ClipSpace& space, double (&matrix)[16]) {
    const bool by_rows = space.layout == MatrixLayout::row_major;
    for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t r = 0; r < 4; ++r) matrix[4 * c + r] = given[by_rows ? 4 * r + c : 4 * c + r];
        double &z = matrix[4 * c + 2], w = matrix[4 * c + 3];
        if (space.depth == DepthRange::minus_one_to_one) z = 0.5 * z + 0.5 * w;
    }
}

/// Where w + sign * row >= 0.
Plane side_of(const Row& w, const Row& row, double sign) {
    const Double3 normal = w.linear + row.linear * sign;
    const double size = 1 / length(normal);
    return plane(normal * size, (w.constant + sign * row.constant) * size);
}

/// The row that takes `range` to -1 .. 1, or 0 .. 1 from its high end down.
Row across(const Double3& axis, const Range& range) {
    const double scale = 2 / range.size();
    return {axis * scale, -range.middle() * scale};
}
Row downwards(const Double3& axis, const Range& range) {
    return {axis * (-1 / range.size()), range.high / range.size()};
}

// Receivers.

/// The box's sides as half-spaces; those without end or of no number are none.
std::size_t box_planes(const WorldBox& box, Plane (&planes)[6]) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Double3 axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        if (std::isfinite(box.lower[k])) planes[count++] = plane(axis, -box.lower[k]);
        if (std::isfinite(box.upper[k])) planes[count++] = plane(axis * -1, box.upper[k]);
    }
    return count;
}

/// A point light's map, its axes right, up and forward, of length 1.
Status point_light_map(const double* at, const Double3 (&axes)[3], double tan_x, double tan_y, double near_depth,
                       double far_depth, std::uint32_t texels, ShadowMap& map) {
    if (Status status = check_texels(texels); !status) return status;
    if (Status status = check_depths(near_depth, far_depth); !status) return status;
    for (const double coordinate : std::span<const double, 3>(at, 3)) {
        if (!(std::fabs(coordinate) <= coordinate_limit)) {
            return failure("at: %g is not a finite coordinate up to 1e30", coordinate);
        }
    }
    const Double3 &x = axes[0], &y = axes[1], &z = axes[2], place = vector(at);
    ShadowMap result;
    const double depth = far_depth / (far_depth - near_depth);
    put_rows({{x * (1 / tan_x), 0}, {y * (1 / tan_y), 0}, {z * depth, -near_depth * depth}, {z, 0}},
             result.clip_from_world);
    std::copy_n(at, 3, result.clip_space.origin);
    result.sides[0] = plane_through(place, z * tan_x + x), result.sides[1] = plane_through(place, z * tan_x - x);
    result.sides[2] = plane_through(place, z * tan_y + y), result.sides[3] = plane_through(place, z * tan_y - y);
    result.texel_size = 2 * std::fmax(tan_x, tan_y) / texels;
    result.is_perspective = 1;
    map = result;
    return {};
}

/// Leaves a view with its options, but nothing in it.
void darken(View& view) {
    PreparedView dark = contents_of(view);
    describe_nothing(dark);
    set_prepared(view, dark);
}

Status split(double near_depth, double far_depth, double logarithmic, Span<double> depths) {
    if (Status status = check_depths(near_depth, far_depth); !status) return status;
    if (!(logarithmic >= 0 && logarithmic <= 1)) {
        return failure("logarithmic: %g is not from 0 to 1", logarithmic);
    }
    if (depths.size() < 2) return failure("depths: at least 2, not %zu", depths.size());
    const std::size_t slices = depths.size() - 1;
    for (std::size_t i = 1; i < slices; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(slices);
        // Of powers: far / near may overflow.
        const double by_ratio = std::pow(near_depth, 1 - share) * std::pow(far_depth, share);
        const double by_length = near_depth + (far_depth - near_depth) * share;
        depths[i] = logarithmic * by_ratio + (1 - logarithmic) * by_length;
    }
    depths[0] = near_depth, depths[slices] = far_depth;
    for (std::size_t i = 1; i < slices; ++i) depths[i] = std::clamp(depths[i], depths[i - 1], far_depth);
    return {};
}

Status fit_map(const Slice& slice, const WorldBox& receivers, const DirectionalMapOptions& options, ShadowMap& map) {
    Double3 axes[3], corners[8];
    constexpr std::uint32_t usual_texels = 2048;
    const std::uint32_t side = options.texels != 0 ? options.texels : usual_texels;
    const bool is_stable = options.is_tight == 0;
    if (!is_cleared(options)) return not_cleared("options.reserved");
    if (Status status = check_texels(side); !status) return status;
    if (Status status = light_axes(options, axes); !status) return status;
    if (Status status = corners_of(slice, corners); !status) return status;
    // A stable map is of the whole slice: its receivers change from frame to frame.
    const WorldBox& within = is_stable ? endless : receivers;
    Range x = reach_along(axes[0], corners, within), y = reach_along(axes[1], corners, within);
    Range depth = reach_along(axes[2], corners, receivers);
    const double texels = side;
    double size = is_stable ? 2 * stable_radius(corners) : std::fmax(x.size(), y.size());
    const double least = 1e-6 * std::fmax(std::fabs(x.middle()), std::fabs(y.middle())) + 1e-30;
    // A little more than one texel wider, and the low side a sixteenth of a texel lower: when a stable map's low side
    // then moves down to a whole texel, by less than one, a sixteenth is left on either side for rounding.
    constexpr double spare = 1.125;
    size = std::fmax(size, least) * texels / (texels - spare);
    const double texel = size / texels;
    for (Range* range : {&x, &y}) {
        const double low = range->middle() - 0.5 * size + (is_stable ? (0.5 * spare - 0.0625) * texel : 0);
        const double placed = is_stable ? std::floor(low / texel) * texel : low;
        *range = {placed, placed + size};
    }
    const double thin = 1e-6 * (std::fabs(depth.low) + std::fabs(depth.high) + size);
    if (depth.size() < thin) depth = {depth.low - thin, depth.high + thin};

    ShadowMap result;
    put_rows({across(axes[0], x), across(axes[1], y), downwards(axes[2], depth), {{0, 0, 0}, 1}},
             result.clip_from_world);
    result.sides[0] = plane(axes[0], -x.low), result.sides[1] = plane(axes[0] * -1, x.high);
    result.sides[2] = plane(axes[1], -y.low), result.sides[3] = plane(axes[1] * -1, y.high);
    result.texel_size = texel;
    for (const double element : result.clip_from_world) {
        if (!std::isfinite(element)) return failure("slice: too large to fit a map around");
    }
    map = result;
    return {};
}

Status prepare_casters_into(const Slice& slice, const WorldBox& receivers, const ViewOptions& options, View& view) {
    constexpr std::size_t most = 2;
    if ((options.directional_light == nullptr) == (options.point_light == nullptr)) {
        return failure("options: one light, directional_light or point_light, is to be given");
    }
    if (Status status = check_span(options.clip_planes, "options.clip_planes"); !status) return status;
    if (options.clip_planes.size() > most) {
        return failure("options.clip_planes: at most %zu, not %zu", most, options.clip_planes.size());
    }
    Plane planes[2 + most + 6], sides[6];
    if (Status status = lanecull_slice_planes(&slice, planes); !status) return status;
    std::size_t count = 2;
    for (const Plane& given : options.clip_planes) planes[count++] = given;
    ViewOptions cut = options;
    const std::size_t box_count = empty(receivers) ? 0 : box_planes(receivers, sides);
    for (std::size_t k = 0; k < box_count; ++k) planes[count++] = sides[k];
    cut.clip_planes = {planes, count};
    if (Status status = prepare_view(slice.clip_from_world, slice.clip_space, view, cut); !status) return status;
    if (empty(receivers)) darken(view);
    return {};
}

Status prepare_inner(const ShadowMap& directional_map, double border, View& view) {
    if (!is_cleared(directional_map)) return not_cleared("directional_map.reserved");
    if (!(border >= 0 && border <= 65536)) return failure("border: %g is not from 0 to 65536 texels", border);
    if (!(directional_map.texel_size >= 0)) {
        return failure("directional_map.texel_size: %g is no width", directional_map.texel_size);
    }
    Plane planes[4];
    for (std::size_t k = 0; k < 4; ++k) {
        planes[k] = directional_map.sides[k];
        const double size = length(vector(planes[k].normal));
        planes[k].offset -= border * directional_map.texel_size * size;
    }
    return prepare_view_from_planes(planes, view);
}

Status make_spot_map(const double* at, const double* forward, const double* up, double tan_x, double tan_y,
                     double near_depth, double far_depth, std::uint32_t texels, ShadowMap& map) {
    if (!(tan_x >= 1e-6 && tan_x <= 1e6 && tan_y >= 1e-6 && tan_y <= 1e6)) {
        return failure("tan_x, tan_y: %g and %g are not from 1e-6 to 1e6", tan_x, tan_y);
    }
    const Double3 way = vector(forward), head = vector(up);
    if (!finite(way) || !(length(way) >= 1e-150 && length(way) <= 1e150)) {
        return failure("forward: not finite, zero, or of a length beyond 1e-150 to 1e150");
    }
    if (!finite(head) || !(length(head) >= 1e-150 && length(head) <= 1e150)) {
        return failure("up: not finite, zero, or of a length beyond 1e-150 to 1e150");
    }
    const Double3 z = normalized(way);
    const Double3 right = cross(z, normalized(head));
    if (!(length(right) > 1e-9)) return failure("up: along forward");
    const Double3 x = normalized(right);
    return point_light_map(at, {x, cross(x, z), z}, tan_x, tan_y, near_depth, far_depth, texels, map);
}

Status make_cube_map_face(const double* at, std::uint32_t face, double near_depth, double far_depth,
                          std::uint32_t texels, ShadowMap& map) {
    // Right, up and forward of each face as it is sampled: mirrored against what a camera there sees.
    constexpr Double3 axes[6][3] = {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
                                    {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
    if (face > 5) return failure("face: %u is not from 0 to 5", face);
    return point_light_map(at, axes[face], 1, 1, near_depth, far_depth, texels, map);
}

Status take_engine_map(const double* clip_from_world, const ClipSpace& clip_space, std::uint32_t width,
                       std::uint32_t height, ShadowMap& map) {
    if (Status status = check_texels(width, "width"); !status) return status;
    if (Status status = check_texels(height, "height"); !status) return status;
    if (Status status = check_clip_space(clip_space); !status) return status;
    if (!std::all_of(clip_from_world, clip_from_world + 16, [](double x) { return std::isfinite(x); })) {
        return failure("clip_from_world: a number is not finite");
    }
    const SliceRows rows = rows_of(clip_from_world, clip_space);
    const double grows = length(rows.w.linear), w = grows > 0 ? grows : rows.w.constant;
    const Double3 forward = grows > 0 ? normalized(rows.w.linear) : Double3{};
    // Of texels side by side at one depth, where w does not change: across the map's plane.
    const auto across = [&](const Row& row, std::uint32_t texels) {
        return 2 * w / (length(row.linear - forward * dot(row.linear, forward)) * texels);
    };
    const double x = across(rows.x, width), y = across(rows.y, height);
    if (!(x > 0 && y > 0 && std::isfinite(x) && std::isfinite(y))) {
        return failure("clip_from_world: its rows make no map's sides");
    }
    ShadowMap result;
    put_matrix(clip_from_world, clip_space, result.clip_from_world);
    std::copy_n(clip_space.origin, 3, result.clip_space.origin);
    result.sides[0] = side_of(rows.w, rows.x, 1), result.sides[1] = side_of(rows.w, rows.x, -1);
    result.sides[2] = side_of(rows.w, rows.y, 1), result.sides[3] = side_of(rows.w, rows.y, -1);
    for (const Plane& side : result.sides) {
        if (!finite(vector(side.normal)) || !std::isfinite(side.offset)) {
            return failure("clip_from_world: its rows make no map's sides");
        }
    }
    result.texel_size = std::max(x, y);
    result.is_perspective = grows > 0 ? 1 : 0;
    map = result;
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_split_depths(double near_depth, double far_depth, double logarithmic, double* depths,
                                      size_t depth_count) noexcept {
    const FloatModes modes;
    const Span<double> to = {depths, depth_count};
    const Status status = check_span(to, "depths");
    return status ? split(near_depth, far_depth, logarithmic, to) : status;
}

lanecull_status lanecull_slice_planes(const lanecull_slice* slice, lanecull_plane* planes) noexcept {
    const FloatModes modes;
    SliceRows rows = {};
    Status status = check_not_null(slice, "slice");
    if (status) status = check_not_null(planes, "planes");
    if (status) status = read_slice(*slice, rows);
    if (!status) return status;
    // The next slice's near plane has these very numbers, negated.
    planes[0] = plane(rows.w.linear, rows.w.constant - slice->near_depth);
    planes[1] = plane(rows.w.linear * -1, -(rows.w.constant - slice->far_depth));
    return status;
}

lanecull_status lanecull_slice_corners(const lanecull_slice* slice, double* corners) noexcept {
    const FloatModes modes;
    Double3 points[8];
    Status status = check_not_null(slice, "slice");
    if (status) status = check_not_null(corners, "corners");
    if (status) status = corners_of(*slice, points);
    if (!status) return status;
    for (std::size_t i = 0; i < 8; ++i) {
        corners[3 * i] = points[i].x, corners[3 * i + 1] = points[i].y, corners[3 * i + 2] = points[i].z;
    }
    return status;
}

lanecull_status lanecull_fit_directional_map(const lanecull_slice* slice, const lanecull_world_box* receivers,
                                             const lanecull_directional_map_options* options,
                                             lanecull_shadow_map* map) noexcept {
    const FloatModes modes;
    Status status = check_not_null(slice, "slice");
    if (status) status = check_not_null(receivers, "receivers");
    if (status) status = check_not_null(options, "options");
    if (status) status = check_not_null(map, "map");
    return status ? fit_map(*slice, *receivers, *options, *map) : status;
}

lanecull_status lanecull_prepare_cascade_casters(const lanecull_slice* slice, const lanecull_world_box* receivers,
                                                 const lanecull_view_options* options, lanecull_view* view) noexcept {
    const FloatModes modes;
    Status status = check_not_null(slice, "slice");
    if (status) status = check_not_null(receivers, "receivers");
    if (status) status = check_not_null(options, "options");
    if (status) status = check_not_null(view, "view");
    return status ? prepare_casters_into(*slice, *receivers, *options, *view) : status;
}

lanecull_status lanecull_prepare_covered(const lanecull_shadow_map* directional_map, double border,
                                         lanecull_view* view) noexcept {
    const FloatModes modes;
    Status status = check_not_null(directional_map, "directional_map");
    if (status) status = check_not_null(view, "view");
    return status ? prepare_inner(*directional_map, border, *view) : status;
}

lanecull_status lanecull_spot_map(const double* at, const double* forward, const double* up, double tan_x, double tan_y,
                                  double near_depth, double far_depth, uint32_t texels,
                                  lanecull_shadow_map* map) noexcept {
    const FloatModes modes;
    Status status = check_not_null(at, "at");
    if (status) status = check_not_null(forward, "forward");
    if (status) status = check_not_null(up, "up");
    if (status) status = check_not_null(map, "map");
    return status ? make_spot_map(at, forward, up, tan_x, tan_y, near_depth, far_depth, texels, *map) : status;
}

lanecull_status lanecull_cube_map_face(const double* at, uint32_t face, double near_depth, double far_depth,
                                       uint32_t texels, lanecull_shadow_map* map) noexcept {
    const FloatModes modes;
    Status status = check_not_null(at, "at");
    if (status) status = check_not_null(map, "map");
    return status ? make_cube_map_face(at, face, near_depth, far_depth, texels, *map) : status;
}

lanecull_status lanecull_engine_map(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                    uint32_t width, uint32_t height, lanecull_shadow_map* map) noexcept {
    const FloatModes modes;
    Status status = check_not_null(clip_from_world, "clip_from_world");
    if (status) status = check_not_null(map, "map");
    return status ? take_engine_map(clip_from_world, or_usual(clip_space), width, height, *map) : status;
}
