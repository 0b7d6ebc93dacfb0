#include "view/planes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/failure.hpp"
#include "base/rounding_bound.hpp"
#include "view/edges.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

bool is_new_direction(const Double3& n, const PreparedView& view, std::uint32_t first) {
    for (std::uint32_t k = first; k < view.plane_count; ++k) {
        const Double3 known = {static_cast<double>(view.normal[k][0]), static_cast<double>(view.normal[k][1]),
                               static_cast<double>(view.normal[k][2])};
        if (dot(known, n) > 1 - 1e-5) return false;
    }
    return true;
}

void add_touching_plane(const Double3& n, const Double3& forward, const HullSupport& hull, const NormalsInView& seen,
                        PreparedView& view) {
    Affine f;
    if (view.plane_count == PreparedView::max_planes || !is_new_direction(n, view, 0)) return;
    if (touching_plane(n, forward, hull, f)) add_plane(f, seen, view);
}

/// Gives the length of the plane's normal.
Status check_plane(const Plane& plane, const char* name, std::size_t index, double& size) {
    const Double3 n = {plane.normal[0], plane.normal[1], plane.normal[2]};
    if (!std::isfinite(n.x) || !std::isfinite(n.y) || !std::isfinite(n.z) || !std::isfinite(plane.offset)) {
        return failure("%s[%zu]: not finite", lasting(name), index);
    }
    size = length(n);
    if (!(size >= 1e-150 && size <= 1e150)) {
        return failure("%s[%zu]: its normal is zero, or its length is beyond 1e-150 to 1e150", lasting(name), index);
    }
    if (!std::isfinite(next_up(std::fabs(plane.offset) * (1 / size)))) {
        return failure("%s[%zu]: its offset is too large", lasting(name), index);
    }
    return {};
}

}  // namespace

Status check_plane(const Plane& plane, const char* name, std::size_t index) {
    double size = 0;
    return check_plane(plane, name, index, size);
}

Status read_plane(const Plane& plane, const char* name, std::size_t index, Affine& half_space) {
    double size = 0;
    if (Status status = check_plane(plane, name, index, size); !status) return status;
    const Affine given = {exactly({plane.normal[0], plane.normal[1], plane.normal[2]}), plane.offset};
    half_space = given * (1 / size);
    return {};
}

bool add_plane(const Affine& f, const NormalsInView& seen, PreparedView& view) {
    const Affine n = normalized(f) * (1 - 0x1p-20);
    const Double3 relative = middle(n.linear), normal = seen(relative);
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

HullSupport::HullSupport(std::span<const Generator> generators) {
    for (const Generator& g : generators) {
        bool fits;
        if (g.is_ray()) {
            fits = rays_.add(g.p);
        } else {
            const double slack = (g.p.off + g.p.largest() * SumOfProducts::error) * Near::raise + 0x1p-1000;
            fits = points_.add({middle(g.p), slack});
        }
        static_cast<void>(fits);  // there is room for all
    }
}

HullSupport::Extreme HullSupport::least_along(const Double3& n) const {
    const double one_norm = exactly(n).one_norm();
    Extreme least = {infinity, infinity};
    double nan = 0;  // if any is, which comparisons lose
    for (const Point& p : points_.all()) {
        const double along = dot(n, p.middle) - one_norm * p.slack;
        least.points = along < least.points ? along : least.points;
        nan += 0 * along;
    }
    for (const Interval3& r : rays_.all()) {
        const double along = dot_down(n, r);
        least.rays = along < least.rays ? along : least.rays;
        nan += 0 * along;
    }
    return {least.points + nan, least.rays + nan};
}

bool touching_plane(Double3 n, const Double3& forward, const HullSupport& hull, Affine& f) {
    HullSupport::Extreme least = hull.least_along(n);
    if (least.rays < 0) {
        n = n + forward * (1e-6 - 64 * least.rays);
        least = hull.least_along(n);
    }
    if (!(least.rays >= 0) || !std::isfinite(least.points)) return false;
    f = {exactly(n), Interval(-least.points)};
    return true;
}

void add_hull_planes(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view) {
    const Double3 axis[3] = {middle(rotation.row[0]), middle(rotation.row[1]), middle(rotation.row[2])};
    // The planes are sound whichever triples are taken for facets.
    const NormalsInView seen(rotation);
    const HullSupport hull(generators);
    for_each_facet(generators, [&](const Double3& n) { add_touching_plane(n, axis[2], hull, seen, view); });
    // For a point, a line or too many corners, a box around them.
    for (int k = 0; k < 3 && view.plane_count < PreparedView::stage_one_planes; ++k) {
        add_touching_plane(axis[k], axis[2], hull, seen, view);
        add_touching_plane(axis[k] * -1, axis[2], hull, seen, view);
    }
}

}  // namespace lanecull
