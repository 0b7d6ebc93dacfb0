/// Origin, rotation, planes, points, eye: how they are chosen, enclosed and rounded outward.

#include "view/prepare.hpp"

#include <limits>

#include "base/rounding_bound.hpp"
#include "view/facets.hpp"

namespace lanecull {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// How far p - c, as (p - hi) - lo in floats, is off because of lo: u |lo|, all components together.
double origin_residue(const Frame& frame) {
    double sum = 0;
    for (const float lo : frame.origin_lo) sum += std::fabs(static_cast<double>(lo));
    return sum * static_cast<double>(unit_roundoff) * (1 + 0x1p-10);
}

bool usable(double x) { return std::fabs(x) <= coordinate_limit; }

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

Interval3 choose_origin(const Double3& near, Frame& frame) {
    const double guess[3] = {near.x, near.y, near.z};
    Interval c[3];
    for (std::size_t k = 0; k < 3; ++k) {
        frame.origin_hi[k] = static_cast<float>(guess[k]);
        frame.origin_lo[k] = static_cast<float>(guess[k] - static_cast<double>(frame.origin_hi[k]));
        c[k] = Interval(frame.origin_hi[k]) + Interval(frame.origin_lo[k]);
    }
    return {c[0], c[1], c[2]};
}

Interval3x3 choose_rotation(const Double3 (&axis)[3], Frame& frame) {
    Double3 row[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const double values[3] = {axis[k].x, axis[k].y, axis[k].z};
        for (std::size_t j = 0; j < 3; ++j) frame.rotation[3 * k + j] = static_cast<float>(values[j]);
        row[k] = {frame.rotation[3 * k], frame.rotation[3 * k + 1], frame.rotation[3 * k + 2]};
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
    frame.rigid = skew < 0x1p-20;
    frame.ball_scale = float_up(std::sqrt(norm) * (1 + 0x1p-40));
    return {{exactly(row[0]), exactly(row[1]), exactly(row[2])}};
}

Interval3x3 choose_rotation_along(const Double3& forward, Frame& frame) {
    const Double3 z = normalized(forward);
    const Double3 other = std::fabs(z.x) < 0.6 ? Double3{1, 0, 0} : Double3{0, 1, 0};
    const Double3 x = normalized(cross(other, z));
    return choose_rotation({x, cross(z, x), z}, frame);
}

/// Never so small that a lane's arithmetic with it could become subnormal: that costs some 150 cycles each time.
float apex_error_of(double distance, const Frame& frame) {
    return float_up(std::max(next_up(distance + origin_residue(frame)), 1e-25));
}

bool add_plane(const Affine& f, const IntoViewSpace& seen, PreparedView& view) {
    const Affine n = scaled_to(f, 1 - 0x1p-20);
    const Affine in_view = seen(n);
    if (!n.linear.finite() || !n.constant.finite() || !in_view.linear.finite()) return false;
    if (n.constant.lo > coordinate_limit) return true;  // farther than any coordinate: limits nothing

    const std::uint32_t k = view.plane_count++;
    const Double3 relative = middle(n.linear), normal = middle(in_view.linear);
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
    // f is a function of p - (hi + lo), stage 1 works with p - hi.
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

namespace {

struct Extreme {
    double points, rays;  // least n . p, and least n . r; infinity where there are none
};

Extreme least_along(const Double3& n, std::span<const Generator> generators) {
    Extreme least{infinity, infinity};
    for (const Generator& g : generators) {
        double& kind = g.is_ray() ? least.rays : least.points;
        kind = std::fmin(kind, dot(exactly(n), g.p).lo);
    }
    return least;
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
    // Whichever triples are taken for facets, the planes are sound.
    const IntoViewSpace seen(rotation);
    for_each_facet(generators, [&](const Double3& n) { add_touching_plane(n, axis[2], generators, seen, view); });
    // A point, a line or too many corners: a box around them.
    for (int k = 0; k < 3 && view.plane_count < PreparedView::stage_one_planes; ++k) {
        add_touching_plane(axis[k], axis[2], generators, seen, view);
        add_touching_plane(axis[k] * -1, axis[2], generators, seen, view);
    }
}

namespace {

/// The depth that parts the near points from the far ones, infinity where they are not far apart. A volume's far end
/// counts by the object's depth only if it is told from the near end: the better, the larger the gap is against the
/// near end's size; but not if some of the far end's points are so much nearer than others that all of it counts at
/// once.
double depth_split(std::span<const Generator> points) {
    constexpr double steepest = 8;
    double depth[Generators::capacity], reach[Generators::capacity], all = 0;
    std::size_t count = 0;
    for (const Generator& g : points) {
        const Double3 p = middle(g.p);
        std::size_t at = count++;
        for (; at > 0 && depth[at - 1] > p.z; --at) depth[at] = depth[at - 1], reach[at] = reach[at - 1];
        depth[at] = p.z, reach[at] = largest_component(p);
        all = std::fmax(all, reach[at]);
    }
    double best = 4, split = infinity, farthest = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        farthest = std::fmax(farthest, reach[i]);
        const double gap = depth[i + 1] - depth[0];
        const double ratio = gap / std::fmax(farthest, 1e-3 * gap) / std::fmax(1, all / (steepest * gap));
        if (ratio > best && depth[i + 1] > depth[i]) best = ratio, split = depth[i + 1];
    }
    return split;
}

double half_width(const Interval3& p) {
    const auto half = [](Interval a) { return std::fmax(a.hi - a.mid(), a.mid() - a.lo); };
    return next_up(std::fmax(std::fmax(half(p.x), half(p.y)), half(p.z)));
}

/// Appends a point as floats.
void put(const Interval3& p, std::uint32_t at, PreparedView& view) {
    view.point_x[at] = static_cast<float>(p.x.mid());
    view.point_y[at] = static_cast<float>(p.y.mid());
    view.point_z[at] = static_cast<float>(p.z.mid());
}

double magnitude(const Interval3& p) { return std::fmax(std::fmax(p.x.magnitude(), p.y.magnitude()), p.z.magnitude()); }

/// A ray scaled so that its depth grows by 1 or a little more; false when it hardly does.
bool deepen(Interval3& ray) {
    if (!(ray.z.lo > 0.02 * magnitude(ray))) return false;
    ray = ray * Interval(1 / ray.z.lo * (1 + 0x1p-40));
    return ray.z.lo >= 1;
}

}  // namespace

bool describe_polytope(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view) {
    constexpr double far_tolerance = 0x1p-24;  // of its size: the one rounding that polytope_point counts for it
    Generator seen[Generators::capacity];
    bool endless = false;
    for (std::size_t i = 0; i < generators.size(); ++i) {
        const Interval3& p = generators[i].p;
        seen[i] = generators[i];
        seen[i].p = {dot(rotation.row[0], p), dot(rotation.row[1], p), dot(rotation.row[2], p)};
        if (!seen[i].p.finite()) return false;
        endless = endless || seen[i].is_ray();
    }
    const std::span<Generator> all(seen, generators.size());
    const double split = endless ? infinity : depth_split(all);
    const auto is_far = [&](const Generator& g) { return g.is_ray() || g.p.z.mid() >= split; };

    PreparedView described = view;
    double error = 0, least = infinity, near_size = 0, far_size = 0, far_least = infinity;
    std::uint32_t near_count = 0, far_count = 0;
    for (const Generator& g : all) {
        if (is_far(g)) continue;
        put(g.p, near_count++, described);
        error = std::fmax(error, half_width(g.p));
        least = std::fmin(least, g.p.z.lo);
        near_size = std::fmax(near_size, magnitude(g.p));
    }
    for (Generator& g : all) {
        if (!is_far(g)) continue;
        if (g.is_ray() && !deepen(g.p)) return false;
        if (!(half_width(g.p) <= far_tolerance * magnitude(g.p))) return false;
        put(g.p, near_count + far_count++, described);
        far_least = std::fmin(far_least, g.p.z.lo);
        far_size = std::fmax(far_size, magnitude(g.p));
    }
    if (near_count == 0 || !usable(near_size) || !usable(far_size)) return false;
    described.near_count = near_count;
    described.far_count = far_count;
    described.far_is_rays = endless;
    described.near_depth = float_down(least);
    const double way = far_least - static_cast<double>(described.near_depth);
    described.depth_inverse = far_count > 0 && !endless ? float_up(1 / way * (1 + 0x1p-40)) : 0.0f;
    described.near_magnitude = float_up(near_size);
    described.far_magnitude = float_up(far_size);
    described.apex_error = apex_error_of(error, view.frame);
    if (!std::isfinite(described.apex_error) || (far_count > 0 && !endless && !(way > 0))) return false;
    described.volume = VolumeKind::polytope;
    view = described;
    return true;
}

void describe_if_known_well(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view) {
    constexpr float tolerance = 0x1p-20f, place_tolerance = 0x1p-40f;  // of its size; of its distance from 0
    PreparedView described = view;
    if (!describe_polytope(generators, rotation, described)) return;
    float place = 0;
    for (const float coordinate : view.frame.origin_hi) place = std::fmax(place, std::fabs(coordinate));
    // (Not of its magnitude, in which the blur itself is contained.)
    const auto size = static_cast<float>(extent(generators));
    const float allowed = std::fmax(std::fmax(tolerance * size, place_tolerance * place), 1e-30f);
    if (described.apex_error <= allowed) view = described;
}

}  // namespace lanecull
