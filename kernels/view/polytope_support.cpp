#include "view/polytope_support.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "view/frame.hpp"

namespace lanecull {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool usable(double x) { return std::fabs(x) <= coordinate_limit; }

/// The depth that separates the near points from the far ones. Infinity if they are not far apart. Only far points that
/// are separated from near ones are cut at the object's depth. A split is the better, the larger its gap in depth is
/// compared with the near points' size. It is worse if some far points are so much nearer than others that a cut takes
/// in all of the far end at once.
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

/// Stores a point as floats.
void put(const Interval3& p, std::uint32_t at, PreparedView& view) {
    view.point_x[at] = static_cast<float>(p.x.mid());
    view.point_y[at] = static_cast<float>(p.y.mid());
    view.point_z[at] = static_cast<float>(p.z.mid());
}

double magnitude(const Interval3& p) { return std::fmax(std::fmax(p.x.magnitude(), p.y.magnitude()), p.z.magnitude()); }

/// Scales a ray so that its depth grows by 1 or a little more. False if its depth hardly grows.
bool deepen(Interval3& ray) {
    if (!(ray.z.lo > 0.02 * magnitude(ray))) return false;
    ray = ray * (1 / ray.z.lo * (1 + 0x1p-40));
    return ray.z.lo >= 1;
}

}  // namespace

bool describe_polytope(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view) {
    constexpr double far_tolerance = 0x1p-24;  // relative to its size: polytope_point counts one rounding for it
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
    constexpr float tolerance = 0x1p-20f, place_tolerance = 0x1p-40f;  // relative to its size; to its distance from 0
    PreparedView described = view;
    if (!describe_polytope(generators, rotation, described)) return;
    float place = 0;
    for (const float coordinate : view.frame.origin_hi) place = std::fmax(place, std::fabs(coordinate));
    // The tolerance is relative to the extent, not to the magnitude, which contains the blur itself.
    const auto size = static_cast<float>(extent(generators));
    const float allowed = std::fmax(std::fmax(tolerance * size, place_tolerance * place), 1e-30f);
    if (described.apex_error <= allowed) view = described;
}

}  // namespace lanecull
