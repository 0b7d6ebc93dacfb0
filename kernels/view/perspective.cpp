/// A perspective volume: four edge rays from the eye, which the depth planes cut.

#include "view/matrix_views.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/failure.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"
#include "view/polytope_support.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

/// Near and far planes count as parallel to the view plane if the depths at which the edges pass them differ by less
/// than this, relative to themselves. In matrices of floats w - z cancels: with far / near = 5,000 the far corners'
/// depths differ by 3e-4.
constexpr double parallel_tolerance = 0x1p-16;
constexpr double edge_blur = 0x1p-40;  // relative to the largest slope: nothing compared with the rounding to float

/// Finds the four edge rays from the apex, in view space. False if they are not known well enough.
bool find_rays(const ClipRows& rows, EdgeVolume::Edge (&edges)[4]) {
    const Interval3 x_side[2] = {rows.w.linear + rows.x.linear, rows.w.linear + -rows.x.linear};
    const Interval3 y_side[2] = {rows.w.linear + rows.y.linear, rows.w.linear + -rows.y.linear};
    for (std::size_t k = 0; k < 4; ++k) {
        const Interval3 line = cross(x_side[k & 1], y_side[k >> 1]);
        const Interval depth = line.in_z();
        if (!line.finite() || depth.contains_zero()) return false;
        // Dividing by z also turns the ray so that w grows along it, unless w and z disagree.
        edges[k].direction = {line.in_x() / depth, line.in_y() / depth, Interval(1.0)};
        if (!(dot(rows.w.linear, edges[k].direction).lo > 0)) return false;
    }
    return true;
}

/// Finds where the edges pass the plane f = 0, which is `bit` among the half-spaces. If the apex is outside, edges
/// enter the half-space there; if it is inside, they leave it there. Only one plane sets where edges enter, and only
/// one where they leave: the hull of what two planes leave of the edges could be too small. Returns whether all of the
/// cone is on the plane's outer side. Sets `missed` if the plane cuts some edges but not, for certain, all.
bool cut_edges(const Affine& f, std::uint32_t bit, EdgeVolume& volume) {
    const Interval at_apex = f.at(volume.apex);
    const bool entering = at_apex.hi < 0;
    const bool leaving = at_apex.lo > 0;
    if (!entering && !leaving) {
        volume.uncut |= bit;
        return false;
    }
    double cut[4];
    bool cuts_all = true, leads_outward = true, cuts_any = false;
    for (std::size_t k = 0; k < 4; ++k) {
        const Interval slope = dot(f.linear, volume.edges[k].direction);
        leads_outward = leads_outward && slope.hi <= 0;
        cuts_any = cuts_any || entering || slope.lo < 0;
        // If the plane does not cut every edge for certain, it does not bound the hull of the edges.
        cuts_all = cuts_all && !slope.contains_zero() && (slope.lo > 0) == entering;
        if (!cuts_all) continue;
        const Interval depth = -at_apex / slope;
        cut[k] = entering ? std::max(0.0, depth.lo) : depth.hi;
    }
    std::uint32_t& taken = entering ? volume.entered_by : volume.left_by;
    if (cuts_all && taken != 0) {
        volume.uncut |= bit;
    } else if (cuts_all) {
        taken = bit;
        for (std::size_t k = 0; k < 4; ++k) (entering ? volume.edges[k].enter : volume.edges[k].leave) = cut[k];
    }
    volume.missed = volume.missed || (cuts_any && !cuts_all);
    return entering && leads_outward;
}

/// Whether a depth plane is tilted against the view's plane, as a mirror's is that a matrix has for its near plane.
bool is_oblique(const ClipRows& rows) {
    const Double3 forward = normalized(middle(rows.w.linear));
    const auto is_tilted = [&](const Affine& depth) {
        const Double3 n = middle(depth.linear);
        return length(n - forward * dot(n, forward)) > parallel_tolerance * length(n);
    };
    return is_tilted(rows.lower_depth()) || is_tilted(rows.upper_depth());
}

/// The edges are functions of y. w - z is taken before it is turned: of an infinite far plane it is then exactly
/// constant, and cuts no edge. Turned first, w and z differ by rounding, and the plane seems to miss some edges.
EdgeVolume find_edges(const ClipRows& rows, const IntoViewSpace& seen, const Interval3& apex,
                      const HalfSpaces& half_spaces) {
    EdgeVolume volume;
    volume.apex = apex;
    volume.known = find_rays(in_view_space(rows, seen), volume.edges);
    if (!volume.known) return volume;
    const bool outside = cut_edges(seen(rows.lower_depth()), half_spaces.lower, volume);
    if (cut_edges(seen(rows.upper_depth()), half_spaces.upper, volume) || outside) {
        volume.why_empty = "no depth is in range where w > 0";
    } else if (std::all_of(volume.edges, volume.edges + 4, [](const auto& edge) { return edge.enter > edge.leave; })) {
        volume.why_empty = "its far plane lies before its near plane";
    }
    return volume;
}

/// The volume's corners, or edges without end, as functions of p - c. There are none if a depth plane misses an edge,
/// or if clip planes make corners that are not known. This is tighter than enclose(): depths that are not known well
/// are rounded outward, as for the frustum support mappings, and the edges are known to the last digits. False if the
/// volume has no point, for certain.
bool corners_of(const PerspectiveVolume& volume, Generators& corners) {
    const EdgeVolume& edges = volume.edges;
    if (!edges.known || volume.half_spaces.sides != 4) return true;
    if (edges.why_empty != nullptr) return false;
    if (edges.missed) return true;
    bool fits = true;  // eight of them do
    for (std::uint32_t k = 0; k < 4; ++k) {
        const EdgeVolume::Edge& edge = edges.edges[k];
        const std::uint32_t sides = 1u << (k & 1) | 1u << (2 + (k >> 1));
        const Interval3 way = volume.seen.back(edge.direction);
        const auto at = [&](double depth) { return volume.eye + way * depth; };
        fits = corners.add({at(edge.enter), 1.0, sides | edges.entered_by, sides}) && fits;
        if (std::isfinite(edge.leave)) {
            fits = corners.add({at(edge.leave), 1.0, sides | edges.left_by, sides}) && fits;
        } else {
            fits = corners.add({way, 0.0, sides | plane_at_infinity, sides}) && fits;
        }
    }
    const HalfSpaces& half_spaces = volume.half_spaces;
    Enclosed enclosed = clip_all(half_spaces.all(), half_spaces.sides, half_spaces.clip_end, corners);
    for (std::uint32_t rest = edges.uncut; rest != 0 && enclosed == Enclosed::whole; rest &= rest - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(rest));
        enclosed = clip(half_spaces.all(), k, corners);
    }
    if (!fits || enclosed == Enclosed::unknown) corners.clear();
    return enclosed != Enclosed::empty;
}

/// Fills in what the frustum support mappings read. If a depth plane has missed an edge, they describe more than the
/// volume.
void describe_frustum(const EdgeVolume& volume, PreparedView& view) {
    if (!volume.known) return;  // planes alone
    double x[2] = {infinity, -infinity}, y[2] = {infinity, -infinity};
    double enter[2] = {infinity, 0}, leave[2] = {infinity, 0};
    double blur = 0;  // the largest width of a slope's enclosure
    for (std::size_t k = 0; k < 4; ++k) {
        const EdgeVolume::Edge& edge = volume.edges[k];
        blur = std::max(blur, 2 * edge.direction.off);
        const Interval slope_x = edge.direction.in_x(), slope_y = edge.direction.in_y();
        x[0] = std::min(x[0], slope_x.lo), x[1] = std::max(x[1], slope_x.hi);
        y[0] = std::min(y[0], slope_y.lo), y[1] = std::max(y[1], slope_y.hi);
        enter[0] = std::min(enter[0], edge.enter), enter[1] = std::max(enter[1], edge.enter);
        leave[0] = std::min(leave[0], edge.leave), leave[1] = std::max(leave[1], edge.leave);
        view.edge_x[k] = static_cast<float>(edge.direction.x);
        view.edge_y[k] = static_cast<float>(edge.direction.y);
        view.edge_near[k] = float_down(edge.enter);
        view.edge_far[k] = float_up(edge.leave);
    }
    view.x_range[0] = float_down(x[0]), view.x_range[1] = float_up(x[1]);
    view.y_range[0] = float_down(y[0]), view.y_range[1] = float_up(y[1]);
    view.z_range[0] = float_down(enter[0]), view.z_range[1] = float_up(leave[1]);
    view.slope_magnitude = std::max({1.0f, std::fabs(view.x_range[0]), std::fabs(view.x_range[1]),
                                     std::fabs(view.y_range[0]), std::fabs(view.y_range[1])});
    const Interval3& apex = volume.apex;
    view.apex_error = apex_error_of(apex.magnitude(), view.frame);
    if (!std::isfinite(view.apex_error) || !std::isfinite(view.slope_magnitude)) return;  // planes alone

    const auto tilted = [](const double(&depth)[2]) {
        return std::isfinite(depth[1]) && depth[1] > depth[0] * (1 + parallel_tolerance);
    };
    const bool known = blur <= edge_blur * static_cast<double>(view.slope_magnitude);
    view.is_described = known && !volume.missed;
    view.volume = known && (tilted(enter) || tilted(leave)) ? VolumeKind::edge_frustum : VolumeKind::frustum;
}

/// At distance 1 the view's height is 2 |w| / |the part of y across the view direction|.
Eye eye_of(const PerspectiveVolume& volume, const Frame& frame) {
    const ClipRows& rows = volume.rows;
    Eye eye;
    eye.known = true;
    eye.sight = sight_along(rows.w, volume.c);
    std::copy(frame.origin_hi, frame.origin_hi + 3, eye.frame.origin_hi);
    std::copy(frame.origin_lo, frame.origin_lo + 3, eye.frame.origin_lo);
    eye.distance = volume.eye.magnitude();
    const Double3 w = middle(rows.w.linear), y = middle(rows.y.linear), forward = normalized(w);
    eye.size_scale = length(y - forward * dot(y, forward)) / length(w);
    return eye;
}

Interval3x3 choose_rotation_of(const ClipRows& rows, Frame& frame) {
    const Double3 forward = normalized(middle(rows.w.linear));
    const Double3 x = middle(rows.x.linear), y = middle(rows.y.linear);
    const Double3 right = normalized(x - forward * dot(x, forward)), up = normalized(y - forward * dot(y, forward));
    return choose_rotation({right, up, forward}, frame);
}

}  // namespace

Status PerspectiveVolume::find_eye(const ClipRows& world) {
    sides = Inverse(Interval3x3{{world.x.linear, world.y.linear, world.w.linear}});
    if (!sides.exists()) {
        return failure("clip_from_world: singular: rows x, y and w do not meet in one point, the eye");
    }
    eye = sides.times(-world.x.constant, -world.y.constant, -world.w.constant);
    return {};
}

Status PerspectiveVolume::describe(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                                   const Interval3& origin, Frame& frame) {
    c = origin;
    rows = about(world, c, clip_space);
    eye = sides.times(-rows.x.constant, -rows.y.constant, -rows.w.constant);
    if (Status status = half_spaces.add(rows, options, c); !status) return status;
    rotation = choose_rotation_of(world, frame);
    seen = IntoViewSpace(rotation);
    if (!seen.exists()) return {};
    edges = find_edges(rows, seen, rotation * eye, half_spaces);
    if (edges.why_empty == nullptr || is_oblique(rows)) return {};
    return failure("clip_from_world: the volume is empty: %s", lasting(edges.why_empty));
}

Status enclose_lit(const PerspectiveVolume& volume, const ViewOptions& options, LitPart& lit) {
    Generators corners;
    if (!corners_of(volume, corners)) return lit.enclose_nothing(options);
    return lit.enclose(volume.half_spaces.all(), corners.all(), options, volume.c);
}

void finish_with_eye_of(const PerspectiveVolume& volume, const ViewOptions& options, PreparedView& view) {
    finish(options, eye_of(volume, view.frame), view);
}

Status describe_perspective(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                            Camera& camera) {
    PerspectiveVolume volume;
    if (Status status = volume.find_eye(world); !status) return status;
    camera.c = choose_origin(world_of(middle(volume.eye), clip_space), camera.frame);
    if (Status status = volume.describe(world, clip_space, options, camera.c, camera.frame); !status) return status;
    if (!volume.seen.exists()) return failure("clip_from_world: the matrix is singular");
    camera.sees_nothing = !corners_of(volume, camera.corners);
    camera.half_spaces = volume.half_spaces;
    camera.forward = middle(world.w.linear);
    camera.eye = eye_of(volume, camera.frame);
    return {};
}

Status prepare_perspective(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                           PreparedView& view) {
    PerspectiveVolume volume;
    if (Status status = volume.find_eye(world); !status) return status;
    const Interval3 c = choose_origin(world_of(middle(volume.eye), clip_space), view.frame);
    if (Status status = volume.describe(world, clip_space, options, c, view.frame); !status) return status;
    if (!volume.seen.exists()) return failure("clip_from_world: the matrix is singular");
    if (Status status = add_planes(volume.half_spaces, volume.rotation, view); !status) return status;
    if (options.clip_planes.empty()) describe_frustum(volume.edges, view);
    if (volume.edges.why_empty != nullptr) {
        describe_nothing(view);
    } else if (volume.edges.missed || view.volume == VolumeKind::planes_only) {
        describe_by_corners(volume.half_spaces.all(), volume.rotation, view);
    } else if (!is_small && options.margin == 0) {  // the kernels of small/ read no outlines
        Generators corners;
        EdgeList edges;
        if (corners_of(volume, corners)) {
            add_edges(volume.half_spaces.all(), corners.all(), edges);
            describe_outlines(corners.all(), edges.all(), view);
        }
    }
    finish_with_eye_of(volume, options, view);
    return {};
}

}  // namespace lanecull
