#include "view/planes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding_bound.hpp"
#include "view/facets.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Extreme {
    double points, rays;  // least n . p, and least n . r; infinity where there are none
};

Extreme least_along(const Double3& n, std::span<const Generator> generators) {
    Extreme least{infinity, infinity};
    const Interval3 normal = exactly(n);
    double nan = 0;  // if any is, which comparisons lose
    for (const Generator& g : generators) {
        const Near along = near_dot(normal, g.p);
        double& of_kind = g.is_ray() ? least.rays : least.points;
        of_kind = std::min(of_kind, along.at - along.off);
        nan += 0 * along.at + 0 * along.off;
    }
    return {least.points + nan, least.rays + nan};
}

bool is_new_direction(const Double3& n, const PreparedView& view, std::uint32_t first) {
    for (std::uint32_t k = first; k < view.plane_count; ++k) {
        const Double3 known = {static_cast<double>(view.normal[k][0]), static_cast<double>(view.normal[k][1]),
                               static_cast<double>(view.normal[k][2])};
        if (dot(known, n) > 1 - 1e-5) return false;
    }
    return true;
}

void add_touching_plane(const Double3& n, const Double3& forward, std::span<const Generator> generators,
                        const IntoViewSpace& seen, PreparedView& view) {
    Affine f;
    if (view.plane_count == PreparedView::max_planes || !is_new_direction(n, view, 0)) return;
    if (touching_plane(n, forward, generators, f)) add_plane(f, seen, view);
}

}  // namespace

Status read_plane(const Plane& plane, const char* name, std::size_t index, Affine& half_space) {
    const Double3 n = {plane.normal[0], plane.normal[1], plane.normal[2]};
    if (!std::isfinite(n.x) || !std::isfinite(n.y) || !std::isfinite(n.z) || !std::isfinite(plane.offset)) {
        return Status::failure("%s[%zu]: not finite", name, index);
    }
    const double size = length(n);
    if (!(size >= 1e-150 && size <= 1e150)) {
        return Status::failure("%s[%zu]: its normal is zero, or its length is beyond 1e-150 to 1e150", name, index);
    }
    half_space = scaled_to({exactly(n), plane.offset}, 1);
    if (!half_space.finite()) return Status::failure("%s[%zu]: its offset is too large", name, index);
    return {};
}

bool add_plane(const Affine& f, const IntoViewSpace& seen, PreparedView& view) {
    const Affine n = normalized(f) * (1 - 0x1p-20);
    const Double3 relative = middle(n.linear), normal = seen.nearest(relative);
    if (!n.finite() || !exactly(normal).finite()) return false;
    if (n.constant.lo > coordinate_limit) return true;  // farther than any coordinate: limits nothing

    const std::uint32_t k = view.plane_count++;
    const double values[2][3] = {{relative.x, relative.y, relative.z}, {normal.x, normal.y, normal.z}};
    for (std::size_t j = 0; j < 3; ++j) {
        view.exact_normal[k][j] = values[0][j];
        view.normal[k][j] = static_cast<float>(values[0][j]);
        view.view_normal[k][j] = static_cast<float>(values[1][j]);
    }
    const double one_norm = (std::fabs(normal.x) + std::fabs(normal.y) + std::fabs(normal.z)) * (1 + 0x1p-20);
    view.view_normal_one_norm = std::max(view.view_normal_one_norm, float_up(one_norm));

    const auto allowance = [](double offset, int count) {
        return static_cast<double>(error_per_magnitude(count)) * std::fabs(offset) +
               static_cast<double>(underflow_guard);
    };
    // f is a function of p - (hi + lo), but stage 1 works with p - hi.
    const float* lo = view.frame.origin_lo;
    const double outer = n.at(-Interval3{lo[0], lo[1], lo[2]}).hi;
    view.offset[k] = float_up(outer + allowance(outer, roundings::grown_plane));
    const double inner = n.constant.lo, residue = origin_residue(view.frame) * one_norm;
    view.view_offset[k] = float_up(n.constant.hi + allowance(n.constant.hi, roundings::polytope) + residue);
    view.inner_offset[k] = float_down(inner - allowance(inner, roundings::polytope) - residue);
    return true;
}

void pad_planes(PreparedView& view) {
    for (std::uint32_t k = view.plane_count; k < PreparedView::stage_one_planes; ++k) {
        view.offset[k] = view.view_offset[k] = std::numeric_limits<float>::max();  // beyond every object's distance
    }
}

bool touching_plane(Double3 n, const Double3& forward, std::span<const Generator> generators, Affine& f) {
    Extreme least = least_along(n, generators);
    if (least.rays < 0) {
        n = n + forward * (1e-6 - 64 * least.rays);
        least = least_along(n, generators);
    }
    if (!(least.rays >= 0) || !std::isfinite(least.points)) return false;
    f = {exactly(n), Interval(-least.points)};
    return true;
}

void add_hull_planes(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view) {
    const Double3 axis[3] = {middle(rotation.row[0]), middle(rotation.row[1]), middle(rotation.row[2])};
    // The planes are sound whichever triples are taken for facets.
    const IntoViewSpace seen(rotation);
    for_each_facet(generators, [&](const Double3& n) { add_touching_plane(n, axis[2], generators, seen, view); });
    // For a point, a line or too many corners, a box around them.
    for (int k = 0; k < 3 && view.plane_count < PreparedView::stage_one_planes; ++k) {
        add_touching_plane(axis[k], axis[2], generators, seen, view);
        add_touching_plane(axis[k] * -1, axis[2], generators, seen, view);
    }
}

}  // namespace lanecull
