/// Reads a clip matrix, tests whether it is perspective or orthographic, and has the view prepared accordingly.

#include "view/clip_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "view/camera.hpp"
#include "view/frame.hpp"
#include "view/matrix_views.hpp"
#include "view/options.hpp"
#include "view/planes.hpp"

namespace lanecull {
namespace {

Status check_place(const Frame& frame, const char* name) {
    for (const float coordinate : frame.origin_hi) {
        if (!(std::fabs(coordinate) <= static_cast<float>(coordinate_limit))) {
            return failure("%s: the volume lies beyond coordinates of 1e30", lasting(name));
        }
    }
    return {};
}

/// Replaces clip_from_world by the argument's own name in a message that begins with it.
Status renamed(const Status& status, const char* name) {
    return renamed(status, "clip_from_world", "%s", lasting(name));
}

}  // namespace

Status check_clip_space(const ClipSpace& clip_space) {
    const Status status = check_enum(clip_space.layout, MatrixLayout::row_major, "clip_space.layout");
    return status ? check_enum(clip_space.depth, DepthRange::minus_one_to_one, "clip_space.depth") : status;
}

Status read_rows(std::span<const double, 16> m, const ClipSpace& clip_space, ClipRows& rows) {
    if (Status status = check_clip_space(clip_space); !status) return status;
    double largest = 0;
    for (std::size_t i = 0; i < 16; ++i) {
        if (!std::isfinite(m[i])) return failure("clip_from_world: element %zu is not finite", i);
        largest = std::max(largest, std::fabs(m[i]));
    }
    for (const double coordinate : clip_space.origin) {
        if (!(std::fabs(coordinate) <= coordinate_limit)) {
            return failure("clip_space.origin: %g is not a finite coordinate up to 1e30", coordinate);
        }
    }
    if (largest == 0) return failure("clip_from_world: the matrix is zero");
    const int scale = -std::ilogb(largest);
    const bool ordinary = std::abs(scale) <= 1000;
    const double factor = ordinary ? std::ldexp(1.0, scale) : 0, back = ordinary ? std::ldexp(1.0, -scale) : 0;
    const auto times_power = [&](double x, int power, double known) {
        return ordinary ? x * known : std::ldexp(x, power);  // ldexp is a call
    };
    const auto row = [&](std::size_t r) {
        const auto element = [&](std::size_t c) {
            const double given = clip_space.layout == MatrixLayout::row_major ? m[4 * r + c] : m[4 * c + r];
            const double scaled = times_power(given, scale, factor);
            const bool exact = times_power(scaled, -scale, back) == given;  // not if it became subnormal
            return exact ? Interval(scaled) : Interval(next_down(scaled), next_up(scaled));
        };
        return Affine{{element(0), element(1), element(2)}, element(3)};
    };
    rows = {row(0), row(1), row(2), row(3), clip_space.depth};
    return {};
}

ClipRows in_view_space(const ClipRows& rows, const IntoViewSpace& seen) {
    return {seen(rows.x), seen(rows.y), seen(rows.z), seen(rows.w), rows.depth};
}

Double3 world_of(const Double3& p, const ClipSpace& clip_space) {
    return p + Double3{clip_space.origin[0], clip_space.origin[1], clip_space.origin[2]};
}

ClipRows about(const ClipRows& rows, const Interval3& c, const ClipSpace& clip_space) {
    const double* o = clip_space.origin;
    return rows.about(c - exactly({o[0], o[1], o[2]}));
}

Status HalfSpaces::add(const Affine& half_space) {
    if (half_space.vanishes()) {
        if (half_space.constant.hi < 0) return failure("clip_from_world: the volume is empty");
        return {};
    }
    const Affine scaled = normalized(half_space);
    if (!scaled.finite()) return failure("clip_from_world: the matrix is singular, or too close to it");
    f[count++] = scaled;
    return {};
}

Status HalfSpaces::add(const ClipRows& rows, const ViewOptions& options, const Interval3& c) {
    for (const Affine& side : {rows.w + rows.x, rows.w - rows.x, rows.w + rows.y, rows.w - rows.y}) {
        if (Status status = add(side); !status) return status;
    }
    sides = count;
    for (std::size_t i = 0; i < options.clip_planes.size(); ++i) {
        Affine half_space;
        if (Status status = read_plane(options.clip_planes[i], "options.clip_planes", i, half_space); !status) {
            return status;
        }
        if (Status status = add(half_space.about(c)); !status) return status;
    }
    clip_end = count;
    if (Status status = add(rows.lower_depth()); !status) return status;
    lower = count > clip_end ? 1u << clip_end : 0;
    const std::uint32_t depth_end = count;
    if (Status status = add(rows.upper_depth()); !status) return status;
    upper = count > depth_end ? 1u << depth_end : 0;
    return {};
}

Status add_planes(const HalfSpaces& half_spaces, const Interval3x3& rotation, PreparedView& view) {
    const NormalsInView seen(rotation);
    for (const Affine& f : half_spaces.all()) {
        if (!add_plane(f, seen, view)) {
            return failure("clip_from_world: the matrix is singular, or too close to it");
        }
    }
    if (view.plane_count == 0) return failure("clip_from_world: the matrix limits nothing");
    pad_planes(view);
    view.planes_suffice = view.inside_known = 1;
    return {};
}

Status describe_camera(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                       const ViewOptions& options, Camera& camera) {
    ClipRows rows;
    if (Status status = read_rows(clip_from_world, clip_space, rows); !status) return status;
    const Status status = rows.w.vanishes() ? describe_orthographic(rows, clip_space, options, camera)
                                            : describe_perspective(rows, clip_space, options, camera);
    if (!status) return status;
    if (Status placed = check_place(camera.frame, "clip_from_world"); !placed) return placed;
    if (camera.corners.size() > 0 || camera.sees_nothing) return {};
    const Enclosed enclosed = enclose(camera.half_spaces.all(), camera.corners);
    camera.sees_nothing = enclosed == Enclosed::empty;
    if (enclosed != Enclosed::whole) camera.corners.clear();
    return {};
}

namespace {

Status prepare(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, const ViewOptions& options,
               View& view) {
    ClipRows rows;
    if (Status status = check_options(options); !status) return status;
    PreparedView prepared;
    if (casts_shadows(options)) {
        if (is_small) return failure(StatusCode::unsupported, "options: this build has no casters");
        Camera camera;
        if (Status status = describe_camera(clip_from_world, clip_space, options, camera); !status) return status;
        if (Status status = prepare_casters(camera, options, prepared); !status) return status;
        set_prepared(view, prepared);
        return {};
    }
    if (Status status = read_rows(clip_from_world, clip_space, rows); !status) return status;
    const bool orthographic = rows.w.vanishes();
    const Status status = orthographic ? prepare_orthographic(rows, clip_space, options, prepared)
                                       : prepare_perspective(rows, clip_space, options, prepared);
    if (!status) return status;
    if (Status placed = check_place(prepared.frame, "clip_from_world"); !placed) return placed;
    set_prepared(view, prepared);
    return {};
}

Status prepare(std::span<const double, 16> left, std::span<const double, 16> right, const ClipSpace& clip_space,
               const ViewOptions& options, View& view) {
    ClipRows eyes[2];
    if (Status status = check_options(options); !status) return status;
    if (Status status = read_rows(left, clip_space, eyes[0]); !status) return renamed(status, "left");
    if (Status status = read_rows(right, clip_space, eyes[1]); !status) return renamed(status, "right");
    if (eyes[0].w.vanishes()) return failure("left: not the matrix of a perspective camera");
    if (eyes[1].w.vanishes()) return failure("right: not the matrix of a perspective camera");
    PreparedView prepared;
    if (Status status = prepare_stereo(eyes, clip_space, options, prepared); !status) {
        return renamed(status, "left, right");
    }
    if (Status placed = check_place(prepared.frame, "left"); !placed) return placed;
    set_prepared(view, prepared);
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_prepare_view(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                      const lanecull_view_options* options, lanecull_view* view) noexcept {
    const FloatModes modes;
    if (Status status = check_not_null(clip_from_world, "clip_from_world"); !status) return status;
    if (Status status = check_not_null(view, "view"); !status) return status;
    return prepare(std::span<const double, 16>(clip_from_world, 16), or_usual(clip_space), or_usual(options), *view);
}

lanecull_status lanecull_prepare_view_of_floats(const float* clip_from_world, const lanecull_clip_space* clip_space,
                                                const lanecull_view_options* options, lanecull_view* view) noexcept {
    const FloatModes modes;  // flushing to zero would change what is converted
    if (Status status = check_not_null(clip_from_world, "clip_from_world"); !status) return status;
    double matrix[16];
    std::copy_n(clip_from_world, 16, matrix);
    return lanecull_prepare_view(matrix, clip_space, options, view);
}

lanecull_status lanecull_prepare_stereo_view(const double* left, const double* right,
                                             const lanecull_clip_space* clip_space,
                                             const lanecull_view_options* options, lanecull_view* view) noexcept {
    const FloatModes modes;
    if (Status status = check_not_null(left, "left"); !status) return status;
    if (Status status = check_not_null(right, "right"); !status) return status;
    if (Status status = check_not_null(view, "view"); !status) return status;
    return prepare(std::span<const double, 16>(left, 16), std::span<const double, 16>(right, 16), or_usual(clip_space),
                   or_usual(options), *view);
}
