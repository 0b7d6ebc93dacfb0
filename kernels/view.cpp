/// From a clip matrix to what the kernels read. kernels/README.md derives it under the same names.
///
/// Everything is relative to the point c = origin_hi + origin_lo and, for the support mapping, in coordinates
/// y = R (p - c). Both c and R are merely *chosen* near the apex and along the view's axes; as floats they are exact,
/// and the volume's numbers in these coordinates are enclosed in intervals and rounded outward.

#include <lanecull/view.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bound.hpp"
#include "float_modes.hpp"
#include "interval.hpp"

namespace lanecull {
namespace {

constexpr double coordinate_limit = 1e30;
/// Near and far planes count as parallel to the view plane when the depths at which the edges pass them differ by less.
/// In matrices of floats w - z cancels: with far / near = 5,000 the far corners' depths differ by 3e-4.
constexpr double parallel_tolerance = 0x1p-16;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Double3 {
    double x = 0, y = 0, z = 0;
};
double dot(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Double3 operator*(Double3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
Double3 operator-(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Double3 normalized(Double3 a) {
    const double largest = std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)});
    const Double3 scaled = a * (1 / largest);
    return scaled * (1 / std::sqrt(dot(scaled, scaled)));
}
Double3 middle(const Interval3& a) { return {a.x.mid(), a.y.mid(), a.z.mid()}; }
Interval3 exactly(Double3 a) { return {a.x, a.y, a.z}; }

/// An affine function of a point, linear . p + constant; a clip coordinate or, where it is >= 0, one side of a plane.
struct Affine {
    Interval3 linear;
    Interval constant;

    [[nodiscard]] Interval at(const Interval3& p) const { return dot(linear, p) + constant; }
    /// Seen from c: a function of p - c.
    [[nodiscard]] Affine about(const Interval3& c) const { return {linear, at(c)}; }
    [[nodiscard]] bool vanishes() const {
        const auto zero = [](Interval a) { return a.lo == 0 && a.hi == 0; };
        return zero(linear.x) && zero(linear.y) && zero(linear.z);
    }
};
Affine operator+(const Affine& a, const Affine& b) { return {a.linear + b.linear, a.constant + b.constant}; }
Affine operator-(const Affine& a) { return {-a.linear, -a.constant}; }
Affine operator-(const Affine& a, const Affine& b) { return a + -b; }

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

/// c as two floats a component, and p - ClipSpace::origin at p = c.
Interval3 choose_origin(const Double3& relative, const double (&clip_origin)[3], PreparedView& view) {
    const double guess[3] = {relative.x + clip_origin[0], relative.y + clip_origin[1], relative.z + clip_origin[2]};
    Interval c[3];
    for (std::size_t k = 0; k < 3; ++k) {
        view.frame.origin_hi[k] = static_cast<float>(guess[k]);
        view.frame.origin_lo[k] = static_cast<float>(guess[k] - static_cast<double>(view.frame.origin_hi[k]));
        c[k] = Interval(view.frame.origin_hi[k]) + Interval(view.frame.origin_lo[k]) - Interval(clip_origin[k]);
    }
    return {c[0], c[1], c[2]};
}

/// R's rows as floats. Whether they are orthonormal, within that rounding, decides how balls are treated.
Interval3x3 choose_rotation(const Double3 (&axis)[3], PreparedView& view) {
    Double3 row[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const double values[3] = {axis[k].x, axis[k].y, axis[k].z};
        for (std::size_t j = 0; j < 3; ++j) view.frame.rotation[3 * k + j] = static_cast<float>(values[j]);
        row[k] = {view.frame.rotation[3 * k], view.frame.rotation[3 * k + 1], view.frame.rotation[3 * k + 2]};
    }
    double skew = 0, norm = 0;  // of R R^T: distance from the identity; a row sum, so norm >= |R|^2
    for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const double product = dot(row[i], row[j]);
            skew = std::max(skew, std::fabs(product - (i == j ? 1 : 0)));
            sum += std::fabs(product);
        }
        norm = std::max(norm, sum);
    }
    view.frame.rigid = skew < 0x1p-20;
    view.frame.ball_scale = float_up(std::sqrt(norm) * (1 + 0x1p-40));
    return {{exactly(row[0]), exactly(row[1]), exactly(row[2])}};
}

/// A function of q = p - c as one of y = R q: linear' = R^-T linear.
Affine in_view_space(const Affine& f, const Interval3x3& rotation) {
    // R^T linear' = linear; R's columns are the rows of that system.
    const Interval3* r = rotation.row;
    const Interval3x3 transposed = {{{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}}};
    return {solve(transposed, f.linear), f.constant};
}

ClipRows in_view_space(const ClipRows& rows, const Interval3x3& rotation) {
    return {in_view_space(rows.x, rotation), in_view_space(rows.y, rotation), in_view_space(rows.z, rotation),
            in_view_space(rows.w, rotation), rows.depth};
}

/// How far p - c, as (p - hi) - lo in floats, is off because of lo: u |lo|, all components together.
double origin_residue(const PreparedView& view) {
    double sum = 0;
    for (const float lo : view.frame.origin_lo) sum += std::fabs(static_cast<double>(lo));
    return sum * static_cast<double>(unit_roundoff) * (1 + 0x1p-10);
}

/// Never so small that a lane's arithmetic with it could become subnormal: that costs some 150 cycles each time.
float apex_error_of(double distance, const PreparedView& view) {
    return float_up(std::max(next_up(distance + origin_residue(view)), 1e-25));
}

/// Appends f >= 0 to the view's planes: the normal no longer than 1, the offset raised by all that does not depend on
/// the object.
bool add_plane(const Affine& f, const Interval3x3& rotation, PreparedView& view) {
    const Double3 l = middle(f.linear);
    const double length = std::sqrt(dot(l, l));
    const Interval scale((1 - 0x1p-20) / length);
    const Affine n = {f.linear * scale, f.constant * scale};
    const Affine in_view = in_view_space(n, rotation);
    if (!n.linear.finite() || !n.constant.finite() || !in_view.linear.finite()) return false;
    if (n.constant.lo > coordinate_limit) return true;  // farther than any coordinate: limits nothing

    const std::uint32_t k = view.plane_count++;
    const Double3 relative = middle(n.linear), normal = middle(in_view.linear);
    const double values[2][3] = {{relative.x, relative.y, relative.z}, {normal.x, normal.y, normal.z}};
    for (std::size_t j = 0; j < 3; ++j) {
        view.normal[k][j] = static_cast<float>(values[0][j]);
        view.view_normal[k][j] = static_cast<float>(values[1][j]);
    }
    const double one_norm = (std::fabs(normal.x) + std::fabs(normal.y) + std::fabs(normal.z)) * (1 + 0x1p-20);
    view.view_normal_one_norm = std::max(view.view_normal_one_norm, float_up(one_norm));

    const double offset = n.constant.hi, residue = origin_residue(view);
    const auto raised = [&](int count, double origin_share) {
        const double rounding = static_cast<double>(error_per_magnitude(count)) * std::fabs(offset);
        return float_up(offset + rounding + residue * origin_share + static_cast<double>(underflow_guard));
    };
    view.offset[k] = raised(roundings::plane, 1);
    view.view_offset[k] = raised(roundings::hull, one_norm);
    return true;
}

/// Everything is inside of an unused plane.
void pad_planes(PreparedView& view) {
    for (std::uint32_t k = view.plane_count; k < PreparedView::max_planes; ++k) {
        view.offset[k] = view.view_offset[k] = static_cast<float>(coordinate_limit);
    }
}

Status add_planes(const ClipRows& rows, const Interval3x3& rotation, PreparedView& view) {
    const Affine sides[] = {rows.w + rows.x, rows.w - rows.x,    rows.w + rows.y,
                            rows.w - rows.y, rows.lower_depth(), rows.upper_depth()};
    for (const Affine& side : sides) {
        if (side.vanishes()) {
            if (side.constant.hi < 0) return Status::failure("clip_from_world: the volume is empty");
            continue;
        }
        if (!add_plane(side, rotation, view)) {
            return Status::failure("clip_from_world: the matrix is singular, or too close to it");
        }
    }
    if (view.plane_count == 0) return Status::failure("clip_from_world: the matrix limits nothing");
    pad_planes(view);
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
/// whether the plane has all of the cone on its outer side.
bool cut_edges(const Affine& f, const Interval3& apex, Edge (&edges)[4], bool& entered, bool& left) {
    const Interval at_apex = f.at(apex);
    const bool entering = at_apex.hi < 0;
    const bool leaving = at_apex.lo > 0;
    if (!entering && !leaving) return false;
    Edge cut[4];
    bool cuts_all = true, leads_outward = true;
    for (std::size_t k = 0; k < 4; ++k) {
        cut[k] = edges[k];
        const Interval slope = dot(f.linear, edges[k].direction);
        leads_outward = leads_outward && slope.hi <= 0;
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
    return entering && leads_outward;
}

/// Fills what the frustum support mappings read.
Status describe_frustum(const ClipRows& rows, PreparedView& view) {
    const Interval3x3 sides = {{rows.x.linear, rows.y.linear, rows.w.linear}};
    Edge edges[4];
    if (determinant(sides).contains_zero() || !find_edges(rows, edges)) return {};  // planes alone
    const Interval3 apex = solve(sides, {-rows.x.constant, -rows.y.constant, -rows.w.constant});
    bool entered = false, left = false;
    bool empty = cut_edges(rows.lower_depth(), apex, edges, entered, left);
    empty = cut_edges(rows.upper_depth(), apex, edges, entered, left) || empty;
    if (empty) return Status::failure("clip_from_world: the volume is empty: no depth is in range where w > 0");

    double x[2] = {infinity, -infinity}, y[2] = {infinity, -infinity};
    double enter[2] = {infinity, 0}, leave[2] = {infinity, 0};
    bool reversed = true;
    for (std::size_t k = 0; k < 4; ++k) {
        const Edge& edge = edges[k];
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
    view.apex_error = apex_error_of(apex_distance, view);
    if (!std::isfinite(view.apex_error) || !std::isfinite(view.slope_magnitude)) return {};  // planes alone

    const auto tilted = [](const double(&depth)[2]) {
        return std::isfinite(depth[1]) && depth[1] > depth[0] * (1 + parallel_tolerance);
    };
    view.volume = tilted(enter) || tilted(leave) ? VolumeKind::edge_frustum : VolumeKind::frustum;
    return {};
}

Status prepare_perspective(const ClipRows& world, const ClipSpace& clip_space, PreparedView& view) {
    const Interval3x3 sides = {{world.x.linear, world.y.linear, world.w.linear}};
    if (determinant(sides).contains_zero()) {
        return Status::failure("clip_from_world: singular: rows x, y and w do not meet in one point, the eye");
    }
    const Double3 eye = middle(solve(sides, {-world.x.constant, -world.y.constant, -world.w.constant}));
    const ClipRows rows = world.about(choose_origin(eye, clip_space.origin, view));

    const Double3 forward = normalized(middle(world.w.linear));
    const Double3 x = middle(world.x.linear), y = middle(world.y.linear);
    const Double3 right = normalized(x - forward * dot(x, forward)), up = normalized(y - forward * dot(y, forward));
    const Interval3x3 rotation = choose_rotation({right, up, forward}, view);
    if (determinant(rotation).contains_zero()) return Status::failure("clip_from_world: the matrix is singular");
    if (Status status = add_planes(rows, rotation, view); !status) return status;
    return describe_frustum(in_view_space(rows, rotation), view);
}

Status prepare_orthographic(const ClipRows& world, const ClipSpace& clip_space, PreparedView& view) {
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
    const Interval middle_depth = (lowest + w) * Interval(0.5);
    const Double3 center = middle(solve(axes, {-world.x.constant, -world.y.constant, middle_depth - world.z.constant}));
    const ClipRows rows = world.about(choose_origin(center, clip_space.origin, view));

    const Double3 x = normalized(middle(world.x.linear)), y = normalized(middle(world.y.linear)),
                  z = normalized(middle(world.z.linear));
    const Interval3x3 rotation = choose_rotation({x, y, z}, view);
    if (determinant(rotation).contains_zero()) return Status::failure("clip_from_world: the matrix is singular");
    if (Status status = add_planes(rows, rotation, view); !status) return status;

    // The corners' coordinates: every combination at once, as the clip coordinates' ranges solved for y.
    const ClipRows seen = in_view_space(rows, rotation);
    const Interval across(-w.hi, w.hi), deep(lowest.lo, w.hi);
    const Interval3 box = solve({{seen.x.linear, seen.y.linear, seen.z.linear}},
                                {across - seen.x.constant, across - seen.y.constant, deep - seen.z.constant});
    view.x_range[0] = float_down(box.x.lo), view.x_range[1] = float_up(box.x.hi);
    view.y_range[0] = float_down(box.y.lo), view.y_range[1] = float_up(box.y.hi);
    view.z_range[0] = float_down(box.z.lo), view.z_range[1] = float_up(box.z.hi);
    view.slope_magnitude = float_up(std::max({box.x.magnitude(), box.y.magnitude(), box.z.magnitude()}));
    view.apex_error = apex_error_of(0, view);
    if (!(view.slope_magnitude <= static_cast<float>(coordinate_limit))) {
        return Status::failure("clip_from_world: the volume reaches beyond coordinates of 1e30");
    }
    view.volume = VolumeKind::box;
    return {};
}

}  // namespace

Status prepare_view(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, View& view) noexcept {
    const FloatModes modes;
    ClipRows rows;
    if (Status status = read_rows(clip_from_world, clip_space, rows); !status) return status;
    PreparedView prepared;
    const bool orthographic = rows.w.vanishes();
    const Status status = orthographic ? prepare_orthographic(rows, clip_space, prepared)
                                       : prepare_perspective(rows, clip_space, prepared);
    if (!status) return status;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(std::fabs(prepared.frame.origin_hi[k]) <= static_cast<float>(coordinate_limit))) {
            return Status::failure("clip_from_world: the volume lies beyond coordinates of 1e30");
        }
    }
    view.prepared_ = prepared;
    return {};
}

Status prepare_view(std::span<const float, 16> clip_from_world, const ClipSpace& clip_space, View& view) noexcept {
    double matrix[16];
    std::copy(clip_from_world.begin(), clip_from_world.end(), matrix);
    return prepare_view(std::span<const double, 16>(matrix), clip_space, view);
}

}  // namespace lanecull
