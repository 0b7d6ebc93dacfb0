#include "support/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "support/random.hpp"

namespace {

using Double33 = std::array<Double3, 3>;

/// Orthonormal rows, left- or right-handed.
Double33 random_basis(Random& random) {
    const Double3 a = random_direction(random);
    Double3 b = cross(a, random_direction(random));
    // Two directions of the same bytes are the same.
    if (!(dot(b, b) > 1e-20)) b = cross(a, std::fabs(a[0]) < 0.5 ? Double3{1, 0, 0} : Double3{0, 1, 0});
    b = 1 / std::sqrt(dot(b, b)) * b;
    return {a, b, random.sign() * cross(a, b)};
}

/// The matrix whose rows r_i have r_i . columns_k = (i == k).
Double33 inverse(const Double33& columns) {
    const double determinant = dot(columns[0], cross(columns[1], columns[2]));
    return {1 / determinant * cross(columns[1], columns[2]), 1 / determinant * cross(columns[2], columns[0]),
            1 / determinant * cross(columns[0], columns[1])};
}

void choose_frame(Random& random, Camera& camera) {
    const double reach = random.chance(0.3) ? 0 : random.log_range(1, 1e6);
    for (double& component : camera.eye) component = random.range(-reach, reach);
    const bool axis_aligned = random.chance(0.15);
    const Double33 basis = axis_aligned ? Double33{Double3{1, 0, 0}, {0, 1, 0}, {0, 0, -1}} : random_basis(random);
    for (std::size_t k = 0; k < 3; ++k) camera.axis[k] = basis[k];
    if (camera.projection != Projection::sheared) return;
    for (Double3& axis : camera.axis) axis = random.range(0.5, 2) * (axis + 0.4 * random_direction(random));
}

void choose_ranges(Random& random, Camera& camera) {
    camera.depth[0] = random.log_range(0.01, 1);
    camera.depth[1] = camera.depth[0] * random.log_range(10, random.chance(0.5) ? 1e4 : 1e8);
    camera.depth[1] = std::min(camera.depth[1], 1e6);
    double half_y = std::tan(random.range(0.05, 1.1));
    double half_x = half_y * random.range(0.5, 2.5);
    if (camera.projection == Projection::orthographic) {
        half_y = random.log_range(1, 1e4);
        half_x = half_y * random.range(0.2, 5);
        camera.depth[0] = random.range(-1, 1) * half_y;
        camera.depth[1] = camera.depth[0] + half_y * random.range(0.1, 10);
    }
    const bool shifted = camera.projection == Projection::off_centre || random.chance(0.1);
    const double shift_x = shifted ? random.range(-2, 2) * half_x : 0;
    const double shift_y = shifted ? random.range(-2, 2) * half_y : 0;
    camera.x[0] = shift_x - half_x;
    camera.x[1] = shift_x + half_x;
    camera.y[0] = shift_y - half_y;
    camera.y[1] = shift_y + half_y;
    const bool infinite =
        camera.projection == Projection::infinite || camera.projection == Projection::reversed_infinite;
    if (infinite) camera.depth[1] = std::numeric_limits<double>::infinity();
}

/// z of the clip coordinates as factor and constant: z = factor * depth + constant.
std::pair<double, double> depth_row(const Camera& camera) {
    const auto [near, far] = camera.depth;
    switch (camera.projection) {
        case Projection::reversed:
            return {-near / (far - near), far * near / (far - near)};
        case Projection::infinite:
            return {1, -near};
        case Projection::reversed_infinite:
            return {0, near};
        case Projection::opengl:
            return {(far + near) / (far - near), -2 * far * near / (far - near)};
        case Projection::orthographic:
            return {1 / (far - near), -near / (far - near)};
        default:
            return {far / (far - near), -far * near / (far - near)};
    }
}

/// A near plane tilted about the point (0, 0, near) so that it meets the edge rays between near / (1 + tilt) and
/// near / (1 - tilt), or not at all; the scale decides where the far plane, at w - z = 0, meets which of the rays.
std::array<double, 4> oblique_depth_row(Random& random, const Camera& camera) {
    const double tilt = random.range(0.05, random.chance(0.1) ? 1.3 : 0.9);
    const double share = random.unit();
    const double slope_x = std::max(std::fabs(camera.x[0]), std::fabs(camera.x[1]));
    const double slope_y = std::max(std::fabs(camera.y[0]), std::fabs(camera.y[1]));
    const bool cut_all = tilt < 0.95 && random.chance(0.7);
    const double scale = (cut_all ? random.log_range(1.001, 3) : random.log_range(0.2, 1)) / std::fabs(1 - tilt);
    return {scale * random.sign() * tilt * share / slope_x, scale * random.sign() * tilt * (1 - share) / slope_y, scale,
            -scale * camera.depth[0]};
}

/// Clip rows over view coordinates (x, y, z, 1).
std::array<std::array<double, 4>, 4> projection_rows(Random& random, const Camera& camera) {
    const auto [left, right] = camera.x;
    const auto [bottom, top] = camera.y;
    const auto [factor, constant] = depth_row(camera);
    const double width = right - left, height = top - bottom;
    if (camera.projection == Projection::orthographic) {
        return {{{2 / width, 0, 0, -(right + left) / width},
                 {0, 2 / height, 0, -(top + bottom) / height},
                 {0, 0, factor, constant},
                 {0, 0, 0, 1}}};
    }
    const std::array<double, 4> z = camera.projection == Projection::oblique
                                        ? oblique_depth_row(random, camera)
                                        : std::array<double, 4>{0, 0, factor, constant};
    return {
        {{2 / width, 0, -(right + left) / width, 0}, {0, 2 / height, -(top + bottom) / height, 0}, z, {0, 0, 1, 0}}};
}

void make_matrix(Random& random, Camera& camera) {
    const auto rows = projection_rows(random, camera);
    const Double33 view = inverse({camera.axis[0], camera.axis[1], camera.axis[2]});
    auto& clip_space = camera.clip_space;
    const bool relative = random.chance(0.5);
    for (std::size_t k = 0; k < 3; ++k) clip_space.origin[k] = relative ? camera.eye[k] : 0;
    clip_space.layout = random.chance(0.5) ? lanecull::MatrixLayout::row_major : lanecull::MatrixLayout::column_major;
    clip_space.depth = camera.projection == Projection::opengl ? lanecull::DepthRange::minus_one_to_one
                                                               : lanecull::DepthRange::zero_to_one;
    const double scale = random.chance(0.1) ? random.log_range(0.01, 100) : 1;  // the same volume
    const bool by_rows = clip_space.layout == lanecull::MatrixLayout::row_major;
    for (std::size_t r = 0; r < 4; ++r) {
        const Double3 normal = rows[r][0] * view[0] + rows[r][1] * view[1] + rows[r][2] * view[2];
        const double offset = rows[r][3] - (relative ? 0 : dot(normal, camera.eye));
        for (std::size_t c = 0; c < 4; ++c) {
            const std::size_t at = by_rows ? 4 * r + c : 4 * c + r;
            camera.matrix[at] = scale * (c < 3 ? normal[c] : offset);
        }
    }
    for (std::size_t k = 0; camera.single && k < 16; ++k) {
        camera.single_matrix[k] = static_cast<float>(camera.matrix[k]);
        camera.matrix[k] = static_cast<double>(camera.single_matrix[k]);
    }
}

/// A depth inside the volume, or at one of its ends.
double random_depth(Random& random, const Camera& camera, bool at_end) {
    const double near = camera.depth[0];
    const double far = std::min(camera.depth[1], std::max(1e6, near));
    if (at_end) return random.chance(0.5) ? near : far;
    if (camera.projection == Projection::orthographic) return random.range(near, far);
    return random.log_range(near, far);
}

/// Somewhere on a facet, an edge or a corner: on_boundary of the three coordinates are at an end of their range.
struct Anchor {
    Double3 at;
    double depth;
};

Anchor boundary_point(Random& random, const Camera& camera, int on_boundary) {
    bool at_end[3] = {};
    for (int left = on_boundary; left > 0;) {
        bool& chosen = at_end[random.below(3)];
        if (!chosen) chosen = true, --left;
    }
    const auto pick = [&](const double(&range)[2], bool end) {
        return end ? range[random.below(2)] : random.range(range[0], range[1]);
    };
    const double depth = random_depth(random, camera, at_end[2]);
    const double px = pick(camera.x, at_end[0]), py = pick(camera.y, at_end[1]);
    return {camera.point(px, py, depth), depth};
}

/// Half-extents or radii of about `size`, one in four degenerate.
Double3 random_extents(Random& random, double size) {
    Double3 extents;
    for (double& extent : extents) extent = size * random.log_range(0.1, 1);
    switch (random.below(16)) {
        case 0:
            extents[static_cast<std::size_t>(random.below(3))] = 0;
            break;
        case 1:
            extents = {0, 0, extents[2]};
            break;
        case 2:
            extents = {0, 0, 0};
            break;
        case 3:
            extents[static_cast<std::size_t>(random.below(3))] *= 100;
            break;
        default:
            break;
    }
    return extents;
}

void set(Object& object, std::size_t first, Double3 value) {
    for (std::size_t k = 0; k < 3; ++k) object.fields[first + k] = static_cast<float>(value[k]);
}

/// Three axes: mostly a rotation, else scaled, mirrored, sheared or without an inverse.
Double33 random_axes(Random& random) {
    Double33 axes = random_basis(random);
    if (random.chance(0.5)) return axes;
    for (Double3& axis : axes) axis = random.log_range(0.2, 5) * (axis + 0.5 * random_direction(random));
    if (random.chance(0.1)) axes[2] = axes[0] + axes[1];
    return axes;
}

}  // namespace

Object object_at(Random& random, Kind kind, const Double3& centre, double size, const HullSet& hulls) {
    Object object;
    const Double3 extents = random_extents(random, size);
    set(object, 0, centre);
    switch (kind) {
        case Kind::sphere:
            object.fields[3] = static_cast<float>(extents[0]);
            break;
        case Kind::box:
            set(object, 0, centre + -1 * extents);
            set(object, 3, centre + extents);
            break;
        case Kind::centered_box:
            set(object, 3, extents);
            break;
        case Kind::oriented_box: {
            const Double33 axes = random_axes(random);
            for (std::size_t k = 0; k < 3; ++k) set(object, 3 + 3 * k, axes[k]);
            set(object, 12, extents);
            break;
        }
        case Kind::capsule:
        case Kind::cylinder:
        case Kind::cone:
        case Kind::round_cone: {
            const Double3 half = extents[0] * random_direction(random);
            set(object, 0, centre + -1 * half);
            set(object, 3, centre + half);
            object.fields[6] = static_cast<float>(random.chance(0.1) ? 0 : extents[1]);
            keep_axis(kind, object);
            break;
        }
        case Kind::hull: {
            const Double33 axes = random_axes(random);
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t c = 0; c < 3; ++c)
                    object.fields[4 * r + c] = static_cast<float>(axes[c][r] * extents[c]);
                object.fields[4 * r + 3] = static_cast<float>(centre[r]);
            }
            object.hull = static_cast<std::uint32_t>(random.below(static_cast<int>(hulls.size())));
            break;
        }
        case Kind::quaternion_box:
        case Kind::ellipsoid: {
            const double length = random.chance(0.5) ? 1 : random.log_range(1e-15, 1e15);
            const Double3 axis = random_direction(random);
            const double half_turn = random.chance(0.1) ? 0 : random.range(0, 3.141592653589793);
            set(object, 3, length * std::sin(half_turn) * axis);
            object.fields[6] = static_cast<float>(length * std::cos(half_turn));
            set(object, 7, extents);
            break;
        }
        case Kind::box_instance: {
            const Double33 axes = random_axes(random);
            const double scale = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
            const Double3 middle = (random.chance(0.3) ? 10 * size / scale : 0) * random_direction(random);
            Double3 place = centre;
            for (std::size_t c = 0; c < 3; ++c) place = place + (-scale * middle[c]) * axes[c];
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t c = 0; c < 3; ++c) object.fields[4 * r + c] = static_cast<float>(scale * axes[c][r]);
                object.fields[4 * r + 3] = static_cast<float>(place[r]);
            }
            set(object, 12, middle + (-1 / scale) * extents);
            set(object, 15, middle + (1 / scale) * extents);
            break;
        }
    }
    return object;
}

Double3 random_direction(Random& random) {
    const double z = random.range(-1, 1);
    const double turn = random.range(0, 6.283185307179586);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(turn), r * std::sin(turn), z};
}

const char* projection_name(Projection projection) {
    constexpr const char* names[] = {"perspective",       "reversed",   "infinite",
                                     "reversed_infinite", "off_centre", "opengl",
                                     "orthographic",      "oblique",    "sheared"};
    return names[static_cast<int>(projection)];
}

lanecull::Status Camera::prepare(lanecull::View& view, const lanecull::ViewOptions& options) const {
    return single ? lanecull::prepare_view(single_matrix, clip_space, view, options)
                  : lanecull::prepare_view(matrix, clip_space, view, options);
}

oracle::Volume Camera::volume() const { return {matrix, clip_space}; }

Double3 Camera::point(double px, double py, double z) const {
    const double by_depth = projection == Projection::orthographic ? 1 : z;
    return eye + px * by_depth * axis[0] + py * by_depth * axis[1] + z * axis[2];
}

double Camera::size_at(double z) const {
    return projection == Projection::orthographic ? x[1] - x[0] : z * (x[1] - x[0]);
}

std::string Camera::describe() const {
    std::string text = std::string(projection_name(projection)) + (single ? " float" : " double");
    text += clip_space.layout == lanecull::MatrixLayout::row_major ? " row-major" : " column-major";
    text += clip_space.depth == lanecull::DepthRange::zero_to_one ? " 0..1" : " -1..1";
    const auto append = [&](const char* name, std::span<const double> values) {
        text += std::string(" ") + name + ":" + written(values);
    };
    append("origin", clip_space.origin);
    append("matrix", matrix);
    return text;
}

Camera random_camera(Random& random, Projection projection) {
    Camera camera;
    camera.projection = projection;
    camera.single = random.chance(0.3);
    choose_frame(random, camera);
    choose_ranges(random, camera);
    make_matrix(random, camera);
    return camera;
}

HullSet random_hulls(Random& random, int count) {
    HullSet hulls;
    for (int h = 0; h < count; ++h) {
        const int vertices = h == 0 ? 1 : h == 1 ? 100 : 1 + random.below(random.chance(0.5) ? 12 : 100);
        const Double3 extents = random_extents(random, 1);
        const Double3 middle = (random.chance(0.2) ? 10 : 0) * random_direction(random);
        Vertices& set = hulls.emplace_back();
        for (int j = 0; j < vertices; ++j) {
            const Double3 unit = random_direction(random);
            set.push_back({});
            for (std::size_t k = 0; k < 3; ++k) set.back()[k] = static_cast<float>(middle[k] + extents[k] * unit[k]);
        }
    }
    return hulls;
}

void grow(Random& random, Kind kind, const HullSet& hulls, const Streams& streams, Object& object) {
    const oracle::Solid shape = shape_of(kind, object, hulls);
    oracle::Real reach = 0;
    for (const oracle::Vec p : shape.points) reach = std::max(reach, length(p - shape.points[0]));
    double size = static_cast<double>(reach + shape.radius);
    if (size == 0) size = 1e-3 * static_cast<double>(largest_component(shape.points[0]));
    if (streams.margin) object.margin = static_cast<float>(random.chance(0.1) ? 0 : size * random.log_range(0.01, 2));
    if (!streams.sweep || random.chance(0.1)) return;
    const Double3 sweep = size * random.log_range(0.1, 5) * random_direction(random);
    for (std::size_t k = 0; k < 3; ++k) object.sweep[k] = static_cast<float>(sweep[k]);
}

void mark(Random& random, Object& object) {
    object.flags = random.chance(0.5) ? 0 : static_cast<std::uint32_t>(random.below(8)) << random.below(2);
    object.layers = static_cast<std::uint32_t>(random.bits() & random.bits() & random.bits());
}

Object random_object(Random& random, Kind kind, const Camera& camera, Placement placement, const HullSet& hulls) {
    const bool orthographic = camera.projection == Projection::orthographic;
    const double near_size = orthographic ? camera.size_at(0) : camera.depth[0];
    Double3 centre;
    double size = 0;
    switch (placement) {
        case Placement::uniform: {
            const double reach = orthographic ? 2 * camera.size_at(0) : std::min(camera.depth[1], 1e4);
            size = reach * random.log_range(1e-4, 1e-2);
            for (std::size_t k = 0; k < 3; ++k) centre[k] = camera.eye[k] + random.range(-reach, reach);
            break;
        }
        case Placement::facet:
        case Placement::edge:
        case Placement::corner: {
            const int on_boundary = placement == Placement::facet ? 1 : placement == Placement::edge ? 2 : 3;
            const Anchor anchor = boundary_point(random, camera, on_boundary);
            size = camera.size_at(anchor.depth) * random.log_range(1e-3, 0.5);
            centre = anchor.at + random.range(0, 2) * size * random_direction(random);
            break;
        }
        case Placement::around_eye:
            centre = camera.eye + near_size * random.log_range(0.1, 10) * random_direction(random);
            size = near_size * random.log_range(0.01, 5);
            break;
        case Placement::huge: {
            const double depth = random_depth(random, camera, false);
            size = std::fabs(camera.size_at(depth)) * random.log_range(0.5, 50);
            centre = camera.point(random.range(3 * camera.x[0], 3 * camera.x[1]),
                                  random.range(3 * camera.y[0], 3 * camera.y[1]), depth) +
                     random.range(0, 1.5) * size * random_direction(random);
            break;
        }
    }
    return object_at(random, kind, centre, size, hulls);
}

/// Two thirds near edges and corners, where planes do not suffice.
constexpr Placement mixed_placements[] = {
    Placement::corner, Placement::edge,       Placement::uniform, Placement::corner, Placement::huge, Placement::edge,
    Placement::corner, Placement::around_eye, Placement::facet,   Placement::corner, Placement::edge, Placement::edge};

std::vector<Object> random_objects(Random& random, Kind kind, const Camera& camera, std::size_t count,
                                   const HullSet& hulls) {
    std::vector<Object> objects;
    for (std::size_t i = 0; i < count; ++i) {
        objects.push_back(
            random_object(random, kind, camera, mixed_placements[i % std::size(mixed_placements)], hulls));
    }
    return objects;
}

Camera random_camera(Random& random) {
    return random_camera(random, all_projections[random.below(static_cast<int>(std::size(all_projections)))]);
}

PreparedCamera random_prepared_camera(Random& random) {
    return random_prepared_camera(random, all_projections[random.below(static_cast<int>(std::size(all_projections)))]);
}

PreparedCamera random_prepared_camera(Random& random, Projection projection) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        PreparedCamera prepared{random_camera(random, projection), {}};
        if (prepared.camera.prepare(prepared.view)) return prepared;
    }
    throw std::runtime_error(std::string("no camera of 100 could be prepared: ") + projection_name(projection));
}
