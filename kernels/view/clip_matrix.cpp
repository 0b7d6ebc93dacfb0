/// From a clip matrix to what the kernels read. kernels/README.md derives it under the same names.
///
/// Everything is relative to the point c = origin_hi + origin_lo and, for the support mapping, in coordinates
/// y = R (p - c). Both c and R are merely *chosen* near the apex and along the view's axes; as floats they are exact,
/// and the volume's numbers in these coordinates are enclosed in intervals and rounded outward.

#include <lanecull/view.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/float_modes.hpp"
#include "view/casters.hpp"
#include "view/prepare.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

/// Near and far planes count as parallel to the view plane when the depths at which the edges pass them differ by less.
/// In matrices of floats w - z cancels: with far / near = 5,000 the far corners' depths differ by 3e-4.
constexpr double parallel_tolerance = 0x1p-16;
constexpr double edge_blur = 0x1p-40;  // of the largest slope: nothing beside the rounding to float
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The matrix's rows; each a function of p - ClipSpace::origin until about() moves them.
struct ClipRows {
    Affine x, y, z, w;
    DepthRange depth;

    [[nodiscard]] Affine lower_depth() const { return depth == DepthRange::zero_to_one ? z : w + z; }
    [[nodiscard]] Affine upper_depth() const { return w - z; }
    [[nodiscard]] ClipRows about(const Interval3& c) const {
        return {x.about(c), y.about(c), z.about(c), w.about(c), depth};
    }
};

/// Scaled as a whole by a power of two, which changes no volume, so that matrices of any size work.
Status read_rows(std::span<const double, 16> m, const ClipSpace& clip_space, ClipRows& rows) {
    if (clip_space.layout != MatrixLayout::row_major && clip_space.layout != MatrixLayout::column_major) {
        return Status::failure("clip_space.layout: %d is no layout", static_cast<int>(clip_space.layout));
    }
    if (clip_space.depth != DepthRange::zero_to_one && clip_space.depth != DepthRange::minus_one_to_one) {
        return Status::failure("clip_space.depth: %d is no depth range", static_cast<int>(clip_space.depth));
    }
    double largest = 0;
    for (std::size_t i = 0; i < 16; ++i) {
        if (!std::isfinite(m[i])) return Status::failure("clip_from_world: element %zu is not finite", i);
        largest = std::max(largest, std::fabs(m[i]));
    }
    for (const double coordinate : clip_space.origin) {
        if (!(std::fabs(coordinate) <= coordinate_limit)) {
            return Status::failure("clip_space.origin: %g is not a finite coordinate up to 1e30", coordinate);
        }
    }
    if (largest == 0) return Status::failure("clip_from_world: the matrix is zero");
    const int scale = -std::ilogb(largest);
    const auto row = [&](std::size_t r) {
        const auto element = [&](std::size_t c) {
            const double given = clip_space.layout == MatrixLayout::row_major ? m[4 * r + c] : m[4 * c + r];
            const double scaled = std::ldexp(given, scale);
            const bool exact = std::ldexp(scaled, -scale) == given;  // not where it became subnormal
            return exact ? Interval(scaled) : Interval(next_down(scaled), next_up(scaled));
        };
        return Affine{{element(0), element(1), element(2)}, element(3)};
    };
    rows = {row(0), row(1), row(2), row(3), clip_space.depth};
    return {};
}

ClipRows in_view_space(const ClipRows& rows, const Interval3x3& rotation) {
    const IntoViewSpace seen(rotation);
    return {seen(rows.x), seen(rows.y), seen(rows.z), seen(rows.w), rows.depth};
}

/// A volume's half-spaces, functions of p - c: the sides, the options' clip planes, then the depth planes, so that
/// stage 1, which takes the first six, sees a clip plane rather than the far plane.
struct HalfSpaces {
    Affine f[PreparedView::max_planes];
    std::uint32_t count = 0;
    std::uint32_t sides = 0, clip_end = 0;

    [[nodiscard]] std::span<const Affine> all() const { return {f, count}; }
    [[nodiscard]] std::span<const Affine> clip_planes() const { return {f + sides, clip_end - sides}; }

    Status add(const Affine& half_space) {
        if (half_space.vanishes()) {
            if (half_space.constant.hi < 0) return Status::failure("clip_from_world: the volume is empty");
            return {};
        }
        const Affine scaled = scaled_to(half_space, 1);
        if (!scaled.finite()) return Status::failure("clip_from_world: the matrix is singular, or too close to it");
        f[count++] = scaled;
        return {};
    }

    Status add(const ClipRows& rows, const ViewOptions& options, const Interval3& c) {
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
        for (const Affine& side : {rows.lower_depth(), rows.upper_depth()}) {
            if (Status status = add(side); !status) return status;
        }
        return {};
    }
};

Status add_planes(const HalfSpaces& half_spaces, const Interval3x3& rotation, PreparedView& view) {
    const IntoViewSpace seen(rotation);
    for (const Affine& f : half_spaces.all()) {
        if (!add_plane(f, seen, view)) {
            return Status::failure("clip_from_world: the matrix is singular, or too close to it");
        }
    }
    if (view.plane_count == 0) return Status::failure("clip_from_world: the matrix limits nothing");
    pad_planes(view);
    view.planes_suffice = view.inside_known = 1;
    return {};
}

/// By its corners; leaves the view as it is where those are not known well enough.
Status describe_by_corners(const HalfSpaces& half_spaces, const Interval3x3& rotation, PreparedView& view) {
    Generators corners;
    const Enclosed enclosed = enclose(half_spaces.all(), corners);
    if (enclosed == Enclosed::empty) return Status::failure("clip_from_world: the volume is empty");
    if (enclosed == Enclosed::whole) describe_if_known_well(corners.all(), rotation, view);
    return {};
}

struct Edge {
    Interval3 direction;  // z = 1
    double enter = 0, leave = infinity;
};

/// The four edge rays from the apex, in view space; false where they are not known well enough.
bool find_edges(const ClipRows& rows, Edge (&edges)[4]) {
    for (std::size_t k = 0; k < 4; ++k) {
        const Affine x_side = k & 1 ? rows.w - rows.x : rows.w + rows.x;
        const Affine y_side = k & 2 ? rows.w - rows.y : rows.w + rows.y;
        const Interval3 line = cross(x_side.linear, y_side.linear);
        if (!line.finite() || line.z.contains_zero()) return false;
        // Dividing by z also turns the ray the way on which w grows, unless w and z disagree.
        edges[k].direction = {line.x / line.z, line.y / line.z, Interval(1.0)};
        if (!(dot(rows.w.linear, edges[k].direction).lo > 0)) return false;
    }
    return true;
}

/// Where the edges pass plane f >= 0. A plane with the apex outside is entered, with the apex inside left; each end of
/// the edges is set by one plane, since the hull of what two planes leave of the edges could be too small. Returns
/// whether the plane has all of the cone on its outer side; `missed` is set when it cuts some edges but not all.
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
        // Not cutting every edge for certain, the plane does not bound the hull of the edges.
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

/// The volume's corners, or edges without end, in relative coordinates; none where a depth plane misses an edge or clip
/// planes make corners that are not known. Tighter than enclose(): depths that are not known well are rounded outward,
/// as for the frustum support mappings, while the edges are known to the last digits. False when the volume is empty.
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
    for (std::uint32_t k = 0; k < 4; ++k) {
        const Edge& edge = edges[k];
        reversed = reversed && edge.enter >= edge.leave;
        const std::uint32_t planes = 1u << (k & 1) | 1u << (2 + (k >> 1));
        const auto at = [&](double depth) { return into_world.times(apex + edge.direction * Interval(depth)); };
        corners.add({at(edge.enter), 1.0, planes | 1u << first_depth});
        if (std::isfinite(edge.leave)) {
            corners.add({at(edge.leave), 1.0, planes | 1u << second_depth});
        } else {
            corners.add({into_world.times(edge.direction), 0.0, planes | plane_at_infinity});
        }
    }
    if (reversed) return false;
    const Enclosed enclosed = clip_all(half_spaces.clip_planes(), first_clip, corners);
    if (enclosed == Enclosed::unknown) corners.clear();
    return enclosed != Enclosed::empty;
}

/// Fills what the frustum support mappings read. Where a depth plane has missed an edge, what they describe is larger
/// than the volume.
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
    double blur = 0;  // how far a slope may be from the middle of its enclosure
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

/// Where rows x, y and w vanish.
Status find_eye(const ClipRows& rows, Interval3& eye) {
    const Interval3x3 sides = {{rows.x.linear, rows.y.linear, rows.w.linear}};
    if (determinant(sides).contains_zero()) {
        return Status::failure("clip_from_world: singular: rows x, y and w do not meet in one point, the eye");
    }
    eye = solve(sides, {-rows.x.constant, -rows.y.constant, -rows.w.constant});
    return {};
}

Double3 world_of(const Double3& p, const ClipSpace& clip_space) {
    return p + Double3{clip_space.origin[0], clip_space.origin[1], clip_space.origin[2]};
}

/// Rows that are functions of p - ClipSpace::origin as functions of p - c.
ClipRows about(const ClipRows& rows, const Interval3& c, const ClipSpace& clip_space) {
    const double* o = clip_space.origin;
    return rows.about({c.x - Interval(o[0]), c.y - Interval(o[1]), c.z - Interval(o[2])});
}

/// Axes along the view's x, y and depth.
Interval3x3 choose_rotation_of(const ClipRows& rows, Frame& frame) {
    const Double3 forward = normalized(middle(rows.w.linear));
    const Double3 x = middle(rows.x.linear), y = middle(rows.y.linear);
    const Double3 right = normalized(x - forward * dot(x, forward)), up = normalized(y - forward * dot(y, forward));
    return choose_rotation({right, up, forward}, frame);
}

/// The view's height is 2 |w| / |the part of y across the view direction| times the distance.
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

/// A perspective volume's part that the light reaches. Rows and half-spaces are functions of p - c.
Status enclose_lit(const ClipRows& rows, const Interval3x3& rotation, const HalfSpaces& half_spaces,
                   const ViewOptions& options, const Interval3& c, LitPart& lit) {
    Generators corners;
    if (!frustum_corners(rows, rotation, half_spaces, corners)) {
        return Status::failure("clip_from_world: the volume is empty");
    }
    return lit.enclose(half_spaces.all(), corners.all(), "clip_from_world", options, c);
}

/// Rows about the view's origin.
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

Status prepare_orthographic(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                            PreparedView& view) {
    if (world.z.vanishes()) {
        return Status::failure(
            "clip_from_world: the orthographic volume has no depth limit: row z does not depend on p");
    }
    const Interval w = world.w.constant;  // exact: nothing has been added yet
    if (!(w.lo > 0)) return Status::failure("clip_from_world: the volume is empty: w is %g everywhere", w.lo);
    const Interval3x3 axes = {{world.x.linear, world.y.linear, world.z.linear}};
    if (determinant(axes).contains_zero()) {
        return Status::failure("clip_from_world: singular: rows x, y and z do not span space");
    }
    const Interval lowest = clip_space.depth == DepthRange::zero_to_one ? Interval(0.0) : -w;
    // On the axis, at the depth nearest to the matrix's own origin: where numbers are small anyway, or the camera is.
    const double depth = std::clamp(world.z.constant.mid(), lowest.mid(), w.mid());
    const Double3 center =
        middle(solve(axes, {-world.x.constant, -world.y.constant, Interval(depth) - world.z.constant}));
    const Interval3 c = choose_origin(world_of(center, clip_space), view.frame);
    const ClipRows rows = about(world, c, clip_space);

    const Double3 y_row = middle(world.y.linear);
    const Double3 x = normalized(middle(world.x.linear)), y = normalized(y_row), z = normalized(middle(world.z.linear));
    HalfSpaces half_spaces;
    if (Status status = half_spaces.add(rows, options, c); !status) return status;
    Eye none;
    std::copy(view.frame.origin_hi, view.frame.origin_hi + 3, none.frame.origin_hi);
    std::copy(view.frame.origin_lo, view.frame.origin_lo + 3, none.frame.origin_lo);
    none.size_scale = length(y_row) / w.lo;
    none.size_by_distance = false;
    finish(options, none, view);
    if (casts_shadows(options)) {
        LitPart lit;
        if (Status status = lit.enclose(half_spaces.all(), {}, "clip_from_world", options, c); !status) return status;
        describe_casters(lit, z, options, c, view);
        return {};
    }

    const Interval3x3 rotation = choose_rotation({x, y, z}, view.frame);
    if (determinant(rotation).contains_zero()) return Status::failure("clip_from_world: the matrix is singular");
    if (Status status = add_planes(half_spaces, rotation, view); !status) return status;
    if (!options.clip_planes.empty()) return describe_by_corners(half_spaces, rotation, view);

    // The corners' coordinates: every combination at once, as the clip coordinates' ranges solved for y.
    const ClipRows seen = in_view_space(rows, rotation);
    const Interval across(-w.hi, w.hi), deep(lowest.lo, w.hi);
    const Interval3 box = solve({{seen.x.linear, seen.y.linear, seen.z.linear}},
                                {across - seen.x.constant, across - seen.y.constant, deep - seen.z.constant});
    view.x_range[0] = float_down(box.x.lo), view.x_range[1] = float_up(box.x.hi);
    view.y_range[0] = float_down(box.y.lo), view.y_range[1] = float_up(box.y.hi);
    view.z_range[0] = float_down(box.z.lo), view.z_range[1] = float_up(box.z.hi);
    view.slope_magnitude = float_up(std::max({box.x.magnitude(), box.y.magnitude(), box.z.magnitude()}));
    view.apex_error = apex_error_of(0, view.frame);
    if (!(view.slope_magnitude <= static_cast<float>(coordinate_limit))) {
        return Status::failure("clip_from_world: the volume reaches beyond coordinates of 1e30");
    }
    view.volume = VolumeKind::box;
    view.is_described = 1;
    Generators corners;
    const Inverse into_world(rotation);
    for (std::uint32_t k = 0; k < 8; ++k) {
        const auto end = [&](Interval range, std::uint32_t bit) { return Interval(k & bit ? range.hi : range.lo); };
        corners.add({into_world.times({end(box.x, 1), end(box.y, 2), end(box.z, 4)}), 1.0, 0});
    }
    describe_outlines(corners.all(), view);
    return {};
}

Status check_place(const PreparedView& view, const char* name) {
    for (const float coordinate : view.frame.origin_hi) {
        if (!(std::fabs(coordinate) <= static_cast<float>(coordinate_limit))) {
            return Status::failure("%s: the volume lies beyond coordinates of 1e30", name);
        }
    }
    return {};
}

/// The corners of both eyes' volumes as far as a light reaches, as functions of p - c.
Status enclose_eyes(const ClipRows (&eyes)[2], const ClipSpace& clip_space, const ViewOptions& options,
                    const Interval3& c, Generators& joint) {
    for (const ClipRows& world : eyes) {
        HalfSpaces half_spaces;
        LitPart lit;
        const ClipRows rows = about(world, c, clip_space);
        Frame own;
        if (Status status = half_spaces.add(rows, options, c); !status) return status;
        if (Status status = enclose_lit(rows, choose_rotation_of(world, own), half_spaces, options, c, lit); !status) {
            return status;
        }
        if (lit.unlit()) continue;
        if (lit.corners().empty()) {
            return Status::failure("clip_from_world: the volume's corners are not known well enough");
        }
        for (const Generator& corner : lit.corners()) {
            if (!joint.add(corner)) return Status::failure("options.clip_planes: they make too many corners");
        }
    }
    return {};
}

Status prepare_stereo(const ClipRows (&eyes)[2], const ClipSpace& clip_space, const ViewOptions& options,
                      PreparedView& view) {
    Interval3 eye;
    if (Status status = find_eye(eyes[0], eye); !status) return status;
    const Interval3 c = choose_origin(world_of(middle(eye), clip_space), view.frame);
    Generators joint;
    if (Status status = enclose_eyes(eyes, clip_space, options, c, joint); !status) return status;
    if (joint.size() == 0) {
        describe_no_casters(view);
    } else if (casts_shadows(options)) {
        describe_casters({{}, false, joint.all(), middle(eyes[0].w.linear)}, options, c, view);
    } else {
        const Interval3x3 rotation = choose_rotation_of(eyes[0], view.frame);
        if (determinant(rotation).contains_zero()) return Status::failure("clip_from_world: the matrix is singular");
        if (!describe_polytope(joint.all(), rotation, view)) {
            return Status::failure("clip_from_world: the two volumes have no depth in common, or lie beyond 1e30");
        }
        add_hull_planes(joint.all(), rotation, view);
        pad_planes(view);
    }
    return finish_with_eye_of(about(eyes[0], c, clip_space), options, view);
}

/// The message with the argument's own name, if it speaks of a matrix.
Status renamed(const Status& status, const char* name) {
    constexpr char matrix[] = "clip_from_world";
    constexpr std::size_t size = sizeof matrix - 1;
    if (std::strncmp(status.message(), matrix, size) != 0) return status;
    return Status::failure("%s%s", name, status.message() + size);
}

}  // namespace

Status prepare_view(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, View& view,
                    const ViewOptions& options) noexcept {
    const FloatModes modes;
    ClipRows rows;
    if (Status status = check_options(options); !status) return status;
    if (Status status = read_rows(clip_from_world, clip_space, rows); !status) return status;
    PreparedView prepared;
    const bool orthographic = rows.w.vanishes();
    const Status status = orthographic ? prepare_orthographic(rows, clip_space, options, prepared)
                                       : prepare_perspective(rows, clip_space, options, prepared);
    if (!status) return status;
    if (Status placed = check_place(prepared, "clip_from_world"); !placed) return placed;
    ViewAccess::set(view, prepared);
    return {};
}

Status prepare_view(std::span<const float, 16> clip_from_world, const ClipSpace& clip_space, View& view,
                    const ViewOptions& options) noexcept {
    double matrix[16];
    std::copy(clip_from_world.begin(), clip_from_world.end(), matrix);
    return prepare_view(std::span<const double, 16>(matrix), clip_space, view, options);
}

Status prepare_stereo_view(std::span<const double, 16> left, std::span<const double, 16> right,
                           const ClipSpace& clip_space, View& view, const ViewOptions& options) noexcept {
    const FloatModes modes;
    ClipRows eyes[2];
    if (Status status = check_options(options); !status) return status;
    if (Status status = read_rows(left, clip_space, eyes[0]); !status) return renamed(status, "left");
    if (Status status = read_rows(right, clip_space, eyes[1]); !status) return renamed(status, "right");
    if (eyes[0].w.vanishes()) return Status::failure("left: not the matrix of a perspective camera");
    if (eyes[1].w.vanishes()) return Status::failure("right: not the matrix of a perspective camera");
    PreparedView prepared;
    if (Status status = prepare_stereo(eyes, clip_space, options, prepared); !status) {
        return renamed(status, "left, right");
    }
    if (Status placed = check_place(prepared, "left"); !placed) return placed;
    ViewAccess::set(view, prepared);
    return {};
}

}  // namespace lanecull
