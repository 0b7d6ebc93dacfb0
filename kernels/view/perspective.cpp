/// A perspective volume: four edge rays from the eye, which the depth planes cut.

#include "view/perspective.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "view/frame.hpp"
#include "view/options.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

/// Near and far planes count as parallel to the view plane if the depths at which the edges pass them differ by less
/// than this, relative to themselves. In matrices of floats w - z cancels: with far / near = 5,000 the far corners'
/// depths differ by 3e-4.
constexpr double parallel_tolerance = 0x1p-16;
constexpr double edge_blur = 0x1p-40;  // relative to the largest slope: nothing compared with the rounding to float
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Edge {
    Interval3 direction;  // z = 1
    double enter = 0, leave = infinity;
};

/// Finds the four edge rays from the apex, in view space. False if they are not known well enough.
bool find_edges(const ClipRows& rows, Edge (&edges)[4]) {
    for (std::size_t k = 0; k < 4; ++k) {
        const Affine x_side = k & 1 ? rows.w - rows.x : rows.w + rows.x;
        const Affine y_side = k & 2 ? rows.w - rows.y : rows.w + rows.y;
        const Interval3 line = cross(x_side.linear, y_side.linear);
        if (!line.finite() || line.z.contains_zero()) return false;
        // Dividing by z also turns the ray so that w grows along it, unless w and z disagree.
        edges[k].direction = {line.x / line.z, line.y / line.z, Interval(1.0)};
        if (!(dot(rows.w.linear, edges[k].direction).lo > 0)) return false;
    }
    return true;
}

/// Finds where the edges pass the plane f = 0. If the apex is outside, edges enter the half-space there; if it is
/// inside, they leave it there. Only one plane sets where edges enter, and only one where they leave: the hull of what
/// two planes leave of the edges could be too small. Returns whether all of the cone is on the plane's outer side. Sets
/// `missed` if the plane cuts some edges but not, for certain, all.
bool cut_edges(const Affine& f, const Interval3& apex, Edge (&edges)[4], bool& entered, bool& left, bool& missed) {
    const Interval at_apex = f.at(apex);
    const bool entering = at_apex.hi < 0;
    const bool leaving = at_apex.lo > 0;
    if (!entering && !leaving) return false;
    Edge cut[4];
    bool cuts_all = true, leads_outward = true, cuts_any = false;
    for (std::size_t k = 0; k < 4; ++k) {
        cut[k] = edges[k];
        const Interval slope = dot(f.linear, edges[k].direction);
        leads_outward = leads_outward && slope.hi <= 0;
        cuts_any = cuts_any || entering || slope.lo < 0;
        // If the plane does not cut every edge for certain, it does not bound the hull of the edges.
        cuts_all = cuts_all && !slope.contains_zero() && (slope.lo > 0) == entering;
        if (!cuts_all) continue;
        const Interval depth = -at_apex / slope;
        if (entering) {
            cut[k].enter = std::max(0.0, depth.lo);
        } else {
            cut[k].leave = depth.hi;
        }
    }
    bool& taken = entering ? entered : left;
    if (cuts_all && !taken) {
        taken = true;
        std::copy(cut, cut + 4, edges);
    }
    missed = missed || (cuts_any && !cuts_all);
    return entering && leads_outward;
}

/// Finds the volume's corners, or edges without end, as functions of p - c. There are none if a depth plane misses an
/// edge, or if clip planes make corners that are not known. This is tighter than enclose(): depths that are not known
/// well are rounded outward, as for the frustum support mappings, and the edges are known to the last digits. False if
/// the volume is empty.
bool frustum_corners(const ClipRows& rows, const Interval3x3& rotation, const HalfSpaces& half_spaces,
                     Generators& corners) {
    constexpr std::uint32_t first_depth = 4, second_depth = 5, first_clip = 6;
    const ClipRows seen = in_view_space(rows, rotation);
    const Interval3x3 sides = {{seen.x.linear, seen.y.linear, seen.w.linear}};
    Edge edges[4];
    bool entered = false, left = false, missed = false;
    if (determinant(rotation).contains_zero() || determinant(sides).contains_zero() || !find_edges(seen, edges)) {
        return true;
    }
    const Interval3 apex = solve(sides, {-seen.x.constant, -seen.y.constant, -seen.w.constant});
    const bool outside = cut_edges(seen.lower_depth(), apex, edges, entered, left, missed);
    if (cut_edges(seen.upper_depth(), apex, edges, entered, left, missed) || outside) return false;
    if (missed) return true;
    bool reversed = true;
    const Inverse into_world(rotation);
    bool fits = true;  // eight of them do
    for (std::uint32_t k = 0; k < 4; ++k) {
        const Edge& edge = edges[k];
        reversed = reversed && edge.enter >= edge.leave;
        const std::uint32_t planes = 1u << (k & 1) | 1u << (2 + (k >> 1));
        const auto at = [&](double depth) { return into_world.times(apex + edge.direction * depth); };
        fits = corners.add({at(edge.enter), 1.0, planes | 1u << first_depth}) && fits;
        if (std::isfinite(edge.leave)) {
            fits = corners.add({at(edge.leave), 1.0, planes | 1u << second_depth}) && fits;
        } else {
            fits = corners.add({into_world.times(edge.direction), 0.0, planes | plane_at_infinity}) && fits;
        }
    }
    if (reversed) return false;
    const Enclosed enclosed = clip_all(half_spaces.clip_planes(), first_clip, corners);
    if (!fits || enclosed == Enclosed::unknown) corners.clear();
    return enclosed != Enclosed::empty;
}

/// Fills in what the frustum support mappings read. If a depth plane has missed an edge, they describe more than the
/// volume.
Status describe_frustum(const ClipRows& rows, PreparedView& view, bool& missed) {
    const Interval3x3 sides = {{rows.x.linear, rows.y.linear, rows.w.linear}};
    Edge edges[4];
    if (determinant(sides).contains_zero() || !find_edges(rows, edges)) return {};  // planes alone
    const Interval3 apex = solve(sides, {-rows.x.constant, -rows.y.constant, -rows.w.constant});
    bool entered = false, left = false;
    bool empty = cut_edges(rows.lower_depth(), apex, edges, entered, left, missed);
    empty = cut_edges(rows.upper_depth(), apex, edges, entered, left, missed) || empty;
    if (empty) return Status::failure("clip_from_world: the volume is empty: no depth is in range where w > 0");

    double x[2] = {infinity, -infinity}, y[2] = {infinity, -infinity};
    double enter[2] = {infinity, 0}, leave[2] = {infinity, 0};
    bool reversed = true;
    double blur = 0;  // the largest width of a slope's enclosure
    for (std::size_t k = 0; k < 4; ++k) {
        const Edge& edge = edges[k];
        for (const Interval& slope : {edge.direction.x, edge.direction.y}) {
            blur = std::max(blur, slope.hi - slope.lo);
        }
        x[0] = std::min(x[0], edge.direction.x.lo), x[1] = std::max(x[1], edge.direction.x.hi);
        y[0] = std::min(y[0], edge.direction.y.lo), y[1] = std::max(y[1], edge.direction.y.hi);
        enter[0] = std::min(enter[0], edge.enter), enter[1] = std::max(enter[1], edge.enter);
        leave[0] = std::min(leave[0], edge.leave), leave[1] = std::max(leave[1], edge.leave);
        reversed = reversed && edge.enter >= edge.leave;
        view.edge_x[k] = static_cast<float>(edge.direction.x.mid());
        view.edge_y[k] = static_cast<float>(edge.direction.y.mid());
        view.edge_near[k] = float_down(edge.enter);
        view.edge_far[k] = float_up(edge.leave);
    }
    if (reversed)
        return Status::failure("clip_from_world: the volume is empty: its far plane lies before its near plane");

    view.x_range[0] = float_down(x[0]), view.x_range[1] = float_up(x[1]);
    view.y_range[0] = float_down(y[0]), view.y_range[1] = float_up(y[1]);
    view.z_range[0] = float_down(enter[0]), view.z_range[1] = float_up(leave[1]);
    view.slope_magnitude = std::max({1.0f, std::fabs(view.x_range[0]), std::fabs(view.x_range[1]),
                                     std::fabs(view.y_range[0]), std::fabs(view.y_range[1])});
    const double apex_distance = std::max({apex.x.magnitude(), apex.y.magnitude(), apex.z.magnitude()});
    view.apex_error = apex_error_of(apex_distance, view.frame);
    if (!std::isfinite(view.apex_error) || !std::isfinite(view.slope_magnitude)) return {};  // planes alone

    const auto tilted = [](const double(&depth)[2]) {
        return std::isfinite(depth[1]) && depth[1] > depth[0] * (1 + parallel_tolerance);
    };
    const bool known = blur <= edge_blur * static_cast<double>(view.slope_magnitude);
    view.is_described = known && !missed;
    view.volume = known && (tilted(enter) || tilted(leave)) ? VolumeKind::edge_frustum : VolumeKind::frustum;
    return {};
}

/// At distance 1 the view's height is 2 |w| / |the part of y across the view direction|.
Eye eye_of(const ClipRows& rows, const Interval3& place, const Frame& frame) {
    Eye eye;
    eye.known = true;
    std::copy(frame.origin_hi, frame.origin_hi + 3, eye.frame.origin_hi);
    std::copy(frame.origin_lo, frame.origin_lo + 3, eye.frame.origin_lo);
    eye.distance = std::max({place.x.magnitude(), place.y.magnitude(), place.z.magnitude()});
    const Double3 w = middle(rows.w.linear), y = middle(rows.y.linear), forward = normalized(w);
    eye.size_scale = length(y - forward * dot(y, forward)) / length(w);
    return eye;
}

}  // namespace

Status find_eye(const ClipRows& rows, Interval3& eye) {
    const Interval3x3 sides = {{rows.x.linear, rows.y.linear, rows.w.linear}};
    if (determinant(sides).contains_zero()) {
        return Status::failure("clip_from_world: singular: rows x, y and w do not meet in one point, the eye");
    }
    eye = solve(sides, {-rows.x.constant, -rows.y.constant, -rows.w.constant});
    return {};
}

Interval3x3 choose_rotation_of(const ClipRows& rows, Frame& frame) {
    const Double3 forward = normalized(middle(rows.w.linear));
    const Double3 x = middle(rows.x.linear), y = middle(rows.y.linear);
    const Double3 right = normalized(x - forward * dot(x, forward)), up = normalized(y - forward * dot(y, forward));
    return choose_rotation({right, up, forward}, frame);
}

Status enclose_lit(const ClipRows& rows, const Interval3x3& rotation, const HalfSpaces& half_spaces,
                   const ViewOptions& options, const Interval3& c, LitPart& lit) {
    Generators corners;
    if (!frustum_corners(rows, rotation, half_spaces, corners)) {
        return Status::failure("clip_from_world: the volume is empty");
    }
    return lit.enclose(half_spaces.all(), corners.all(), "clip_from_world", options, c);
}

Status finish_with_eye_of(const ClipRows& rows, const ViewOptions& options, PreparedView& view) {
    Interval3 eye;
    if (Status status = find_eye(rows, eye); !status) return status;
    finish(options, eye_of(rows, eye, view.frame), view);
    return {};
}

Status prepare_perspective(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                           PreparedView& view) {
    Interval3 eye;
    if (Status status = find_eye(world, eye); !status) return status;
    const Interval3 c = choose_origin(world_of(middle(eye), clip_space), view.frame);
    const ClipRows rows = about(world, c, clip_space);
    HalfSpaces half_spaces;
    if (Status status = half_spaces.add(rows, options, c); !status) return status;
    const Interval3x3 rotation = choose_rotation_of(world, view.frame);
    if (determinant(rotation).contains_zero()) return Status::failure("clip_from_world: the matrix is singular");
    if (casts_shadows(options)) {
        LitPart lit;
        if (Status status = enclose_lit(rows, rotation, half_spaces, options, c, lit); !status) return status;
        describe_casters(lit, middle(world.w.linear), options, c, view);
        return finish_with_eye_of(rows, options, view);
    }
    if (Status status = add_planes(half_spaces, rotation, view); !status) return status;
    bool missed = false;
    if (options.clip_planes.empty()) {
        if (Status status = describe_frustum(in_view_space(rows, rotation), view, missed); !status) return status;
    }
    if (missed || view.volume == VolumeKind::planes_only) {
        if (Status status = describe_by_corners(half_spaces, rotation, view); !status) return status;
    } else {
        Generators corners;
        if (frustum_corners(rows, rotation, half_spaces, corners)) describe_outlines(corners.all(), view);
    }
    return finish_with_eye_of(rows, options, view);
}

}  // namespace lanecull
