#include "view/polytope_support.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "view/frame.hpp"
#include "view/options.hpp"

namespace lanecull {
namespace {

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
        all = std::max(all, reach[at]);
    }
    double best = 4, split = infinity, farthest = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        farthest = std::max(farthest, reach[i]);
        const double gap = depth[i + 1] - depth[0];
        const double ratio = gap / std::max(farthest, 1e-3 * gap) / std::max(1.0, all / (steepest * gap));
        if (ratio > best && depth[i + 1] > depth[i]) best = ratio, split = depth[i + 1];
    }
    return split;
}

/// Stores a point as floats.
void put(const Interval3& p, std::uint32_t at, PreparedView& view) {
    view.point_x[at] = static_cast<float>(p.x);
    view.point_y[at] = static_cast<float>(p.y);
    view.point_z[at] = static_cast<float>(p.z);
}

/// Scales a ray so that its depth grows by 1 or a little more. False if its depth hardly grows.
bool deepen(Interval3& ray) {
    if (!(ray.in_z().lo > 0.02 * ray.magnitude())) return false;
    ray = ray * (1 / ray.in_z().lo * (1 + 0x1p-40));
    return ray.in_z().lo >= 1;
}

}  // namespace

bool describe_polytope(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view,
                       double most_error) {
    constexpr double far_tolerance = 0x1p-24;  // relative to its size: polytope_point counts one rounding for it
    if (generators.size() > Generators::capacity) return false;
    Generators seen(generators);
    const std::span<Generator> all(seen.data(), seen.size());
    const Turning turning(rotation);
    bool endless = false;
    for (Generator& g : all) {
        g.p = turning(g.p);
        if (!g.p.finite()) return false;
        endless = endless || g.is_ray();
    }
    const double split = endless ? infinity : depth_split(all);
    const auto is_far = [&](const Generator& g) { return g.is_ray() || g.p.z >= split; };

    double error = 0, least = infinity, near_size = 0, far_size = 0, far_least = infinity;
    std::uint32_t near_count = 0, far_count = 0;
    for (Generator& g : all) {
        if (is_far(g)) {
            if (g.is_ray() && !deepen(g.p)) return false;
            if (!(g.p.off <= far_tolerance * g.p.magnitude())) return false;
            far_least = std::min(far_least, g.p.in_z().lo);
            far_size = std::max(far_size, g.p.magnitude());
            ++far_count;
        } else {
            error = std::max(error, g.p.off);
            least = std::min(least, g.p.in_z().lo);
            near_size = std::max(near_size, g.p.magnitude());
            ++near_count;
        }
    }
    if (near_count == 0 || !usable(near_size) || !usable(far_size)) return false;
    const float near_depth = float_down(least), apex_error = apex_error_of(error, view.frame);
    const double way = far_least - static_cast<double>(near_depth);
    if (!(static_cast<double>(apex_error) <= most_error) || !std::isfinite(apex_error)) return false;
    if (far_count > 0 && !endless && !(way > 0)) return false;

    std::uint32_t near_end = 0, far_end = near_count;
    for (const Generator& g : all) put(g.p, is_far(g) ? far_end++ : near_end++, view);
    view.near_count = near_count;
    view.far_count = far_count;
    view.far_is_rays = endless;
    view.near_depth = near_depth;
    view.depth_inverse = far_count > 0 && !endless ? float_up(1 / way * (1 + 0x1p-40)) : 0.0f;
    view.near_magnitude = float_up(near_size);
    view.far_magnitude = float_up(far_size);
    view.apex_error = apex_error;
    view.volume = VolumeKind::polytope;
    return true;
}

/// How large the volume is where it matters: of one without end, no larger than the fourth of its points' distances.
/// Its farthest may be far away in a ray's direction, and then are known no better than that.
double known_size(std::span<const Generator> generators) {
    double least[4] = {infinity, infinity, infinity, infinity};  // in order
    bool endless = false;
    for (const Generator& g : generators) {
        endless = endless || g.is_ray();
        double distance = g.is_ray() ? infinity : g.p.largest();
        for (double& known : least) {
            if (distance < known) std::swap(distance, known);
        }
    }
    const double size = extent(generators);
    return endless ? std::min(size, least[3]) : size;
}

bool describe_if_known_well(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view) {
    // Relative to its size; to its distance from 0, and from the view's origin, by which lanes' errors are counted.
    constexpr double tolerance = 0x1p-20, place_tolerance = 0x1p-38, distance_tolerance = 0x1p-32;
    double place = 0, nearest = infinity;
    for (const Generator& g : generators) nearest = std::min(nearest, g.is_ray() ? infinity : g.p.largest());
    for (const float coordinate : view.frame.origin_hi) {
        place = std::max(place, std::fabs(static_cast<double>(coordinate)));
    }
    // The larger tolerance is relative to the size, not to the distance, which contains the blur itself.
    const double allowed =
        std::max({tolerance * known_size(generators), place_tolerance * place, distance_tolerance * nearest, 1e-30});
    return describe_polytope(generators, rotation, view, allowed);
}

void describe_by_corners(std::span<const Affine> half_spaces, const Interval3x3& rotation, PreparedView& view) {
    Generators corners;
    const Enclosed enclosed = enclose(half_spaces, corners);
    if (enclosed == Enclosed::empty) return describe_nothing(view);
    if (enclosed == Enclosed::whole) describe_if_known_well(corners.all(), rotation, view);
}

}  // namespace lanecull
