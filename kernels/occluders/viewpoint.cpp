/// Where solids are seen from: enclosures of eyes, or of a direction of sight, and what near planes may cut.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanecull/occluder.h>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "occluders/solid.hpp"
#include "view/clip_matrix.hpp"
#include "view/frame.hpp"
#include "view/matrix_views.hpp"
#include "view/prepared_occluder.hpp"

namespace lanecull {
namespace {

void write(Interval a, double (&to)[2]) {
    to[0] = a.lo;
    to[1] = a.hi;
}

void write(const Interval3& a, double (&to)[3][2]) {
    write(a.in_x(), to[0]);
    write(a.in_y(), to[1]);
    write(a.in_z(), to[2]);
}

Interval3 origin_low(const Frame& frame) {
    return {static_cast<double>(frame.origin_lo[0]), static_cast<double>(frame.origin_lo[1]),
            static_cast<double>(frame.origin_lo[2])};
}

void take_origin(const Frame& frame, PreparedViewpoint& viewpoint) {
    std::copy(frame.origin_hi, frame.origin_hi + 3, viewpoint.origin);
}

/// Raises `reach` to the distance of the corners in which a depth plane cuts the volume's edges, unless the eye is on
/// the plane's inner side.
Status reach_corners(const PerspectiveVolume& volume, const Affine& plane, double& reach) {
    const Interval at_eye = plane.at(volume.eye);
    if (at_eye.lo > 0) return {};
    if (!(at_eye.hi < 0)) return failure("clip_from_world: the eye may lie on a depth plane");
    for (const EdgeVolume::Edge& edge : volume.edges.edges) {
        const Interval3 way = volume.seen.back(edge.direction);
        const Interval slope = dot(plane.linear, way);
        if (!(slope.lo > 0)) return failure("clip_from_world: the near plane misses an edge of the volume");
        const double longest = length(middle(way)) + 2 * way.off;
        const double corner = longest * (-at_eye / slope).hi * (1 + 0x1p-40);
        if (!(corner <= coordinate_limit)) return failure("clip_from_world: the near plane is too far away");
        reach = std::max(reach, corner);
    }
    return {};
}

Status see_perspective(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                       PreparedViewpoint& viewpoint) {
    PerspectiveVolume volume;
    Frame frame;
    if (Status status = volume.find_eye(world); !status) return status;
    const Interval3 c = choose_origin(world_of(middle(volume.eye), clip_space), frame);
    if (Status status = volume.describe(world, clip_space, options, c, frame); !status) return status;
    if (!volume.seen.exists() || !volume.edges.known) {
        return failure("clip_from_world: the matrix is singular, or too close to it");
    }
    const HalfSpaces& all = volume.half_spaces;
    for (std::size_t i = 0; i < all.clip_planes().size(); ++i) {
        if (all.clip_planes()[i].at(volume.eye).lo > 0) continue;
        return failure("clip_planes[%zu]: the eye is not on its inner side", i);
    }
    for (std::uint32_t k = all.clip_end; k < all.count; ++k) {
        if (Status status = reach_corners(volume, all.f[k], viewpoint.near_reach); !status) return status;
    }
    take_origin(frame, viewpoint);
    viewpoint.eye_count = 1;
    write(volume.eye + origin_low(frame), viewpoint.eye[0]);
    return {};
}

Status see_orthographic(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                        SightDirection sight, PreparedViewpoint& viewpoint) {
    Camera camera;
    if (Status status = describe_orthographic(world, clip_space, options, camera); !status) return status;
    Interval3 direction = cross(world.x.linear, world.y.linear);
    Interval grows = dot(direction, world.z.linear);
    if (sight == SightDirection::shrinking_depth) grows = -grows;
    if (!grows.finite() || grows.contains_zero()) return failure("clip_from_world: the matrix is singular");
    if (grows.hi < 0) direction = -direction;
    direction = direction * (1 / length(middle(direction)));
    if (!direction.finite()) return failure("clip_from_world: the matrix is singular, or too close to it");
    const HalfSpaces& all = camera.half_spaces;
    for (std::size_t i = 0; i < all.clip_planes().size(); ++i) {
        if (dot(all.clip_planes()[i].linear, direction).hi <= 0) continue;
        return failure("clip_planes[%zu]: the eye is not on its inner side", i);
    }
    take_origin(camera.frame, viewpoint);
    write(direction, viewpoint.direction);
    const std::uint32_t near = sight == SightDirection::growing_depth ? all.lower : all.upper;
    for (std::uint32_t k = 0; k < all.count; ++k) {
        if (near != 1u << k) continue;
        const Affine plane = all.f[k].about(-origin_low(camera.frame));
        write(plane.linear, viewpoint.near_normal);
        write(plane.constant, viewpoint.near_offset);
        viewpoint.has_near_plane = 1;
    }
    return {};
}

Status see(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, Span<const Plane> clip_planes,
           SightDirection sight, Viewpoint& viewpoint) {
    ViewOptions options;
    options.clip_planes = clip_planes;
    if (clip_planes.size() > 10) {
        return failure("clip_planes: at most 10, not %zu", clip_planes.size());
    }
    if (Status status = check_enum(sight, SightDirection::shrinking_depth, "sight"); !status) return status;
    ClipRows rows;
    PreparedViewpoint prepared;
    if (Status status = read_rows(clip_from_world, clip_space, rows); !status) return status;
    const Status status = rows.w.vanishes() ? see_orthographic(rows, clip_space, options, sight, prepared)
                                            : see_perspective(rows, clip_space, options, prepared);
    if (!status) return status;
    for (const float coordinate : prepared.origin) {
        if (is_coordinate(coordinate)) continue;
        return failure("clip_from_world: the volume lies beyond coordinates of 1e30");
    }
    Opaque<PreparedViewpoint>::set(viewpoint, prepared);
    return {};
}

Status see_from_eyes(std::span<const double> eyes, double near_reach, Viewpoint& viewpoint) {
    const std::size_t count = eyes.size() / 3;
    if (eyes.size() % 3 != 0 || count < 1 || count > PreparedViewpoint::max_eyes) {
        return failure("eyes: %zu numbers are not 1 to 8 places of three each", eyes.size());
    }
    for (std::size_t i = 0; i < eyes.size(); ++i) {
        if (!is_coordinate(eyes[i])) {
            return failure("eyes[%zu]: %g is not a finite coordinate up to 1e30", i, eyes[i]);
        }
    }
    if (!(near_reach >= 0 && near_reach <= coordinate_limit)) {
        return failure("near_reach: %g is not a length from 0 to 1e30", near_reach);
    }
    PreparedViewpoint prepared;
    prepared.eye_count = static_cast<std::uint32_t>(count);
    prepared.near_reach = near_reach;
    for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        for (std::size_t c = 0; c < count; ++c) sum += eyes[3 * c + k] / static_cast<double>(count);
        prepared.origin[k] = static_cast<float>(sum);
        for (std::size_t c = 0; c < count; ++c) {
            write(Interval(eyes[3 * c + k]) - Interval(prepared.origin[k]), prepared.eye[c][k]);
        }
    }
    Opaque<PreparedViewpoint>::set(viewpoint, prepared);
    return {};
}

Status see_along(const double* direction, const double* around, Viewpoint& viewpoint) {
    const Double3 given = {direction[0], direction[1], direction[2]};
    const double size = length(given);
    if (!std::isfinite(given.x + given.y + given.z) || !(size >= 1e-30 && size <= coordinate_limit)) {
        return failure("direction: its length is not from 1e-30 to 1e30");
    }
    PreparedViewpoint prepared;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!is_coordinate(around[k])) {
            return failure("around[%zu]: %g is not a finite coordinate up to 1e30", k, around[k]);
        }
        prepared.origin[k] = static_cast<float>(around[k]);
        write(Interval(direction[k]) * (1 / size), prepared.direction[k]);
    }
    Opaque<PreparedViewpoint>::set(viewpoint, prepared);
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_prepare_viewpoint(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                           const lanecull_plane* clip_planes, size_t clip_plane_count,
                                           lanecull_sight sight, lanecull_viewpoint* viewpoint) noexcept {
    const FloatModes modes;
    const Span<const Plane> planes(clip_planes, clip_plane_count);
    Status status = check_not_null(clip_from_world, "clip_from_world");
    if (status) status = check_span(planes, "clip_planes");
    if (status) status = check_not_null(viewpoint, "viewpoint");
    if (!status) return status;
    return see(std::span<const double, 16>(clip_from_world, 16), or_usual(clip_space), planes, sight, *viewpoint);
}

lanecull_status lanecull_prepare_viewpoint_from_eyes(const double* eyes, size_t number_count, double near_reach,
                                                     lanecull_viewpoint* viewpoint) noexcept {
    const FloatModes modes;
    Status status = check_span(Span<const double>(eyes, number_count), "eyes");
    if (status) status = check_not_null(viewpoint, "viewpoint");
    return status ? see_from_eyes({eyes, number_count}, near_reach, *viewpoint) : status;
}

lanecull_status lanecull_prepare_viewpoint_along(const double* direction, const double* around,
                                                 lanecull_viewpoint* viewpoint) noexcept {
    const FloatModes modes;
    Status status = check_not_null(direction, "direction");
    if (status) status = check_not_null(around, "around");
    if (status) status = check_not_null(viewpoint, "viewpoint");
    return status ? see_along(direction, around, *viewpoint) : status;
}
