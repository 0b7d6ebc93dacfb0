/// What a solid hides from a viewpoint, as half-spaces that are rounded inward. occluders/PROOF.md derives them
/// ("Hidden by an occluder").

#include <lanecull/occluder.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/rounding_bound.hpp"
#include "occluders/solid.hpp"
#include "view/frame.hpp"
#include "view/prepared_occluder.hpp"

namespace lanecull {
namespace {

/// The viewpoint's numbers as intervals.
struct SolidSight {
    Interval3 eye[PreparedViewpoint::max_eyes];
    std::uint32_t eyes;
    Interval3 direction;

    explicit SolidSight(const PreparedViewpoint& viewpoint) : eyes(viewpoint.eye_count) {
        const auto read = [](const double(&v)[3][2]) {
            return Interval3(Interval(v[0][0], v[0][1]), Interval(v[1][0], v[1][1]), Interval(v[2][0], v[2][1]));
        };
        for (std::uint32_t c = 0; c < eyes; ++c) eye[c] = read(viewpoint.eye[c]);
        direction = read(viewpoint.direction);
    }

    /// How many places the solid is seen from: the eyes, or one, which is infinitely far away.
    [[nodiscard]] std::uint32_t places() const { return eyes > 0 ? eyes : 1; }
    /// A facet's value at a place, but for a positive factor that all facets have in common.
    [[nodiscard]] Interval value(const Affine& facet, std::uint32_t place) const {
        return eyes > 0 ? facet.at(eye[place]) : -dot(facet.linear, direction);
    }
    static Bounds3 around(const Interval3& p) {
        return {{p.x - p.off, p.y - p.off, p.z - p.off}, {p.x + p.off, p.y + p.off, p.z + p.off}};
    }
    /// A box around all eyes.
    [[nodiscard]] Bounds3 bounds() const {
        Bounds3 box = around(eye[0]);
        for (std::uint32_t c = 1; c < eyes; ++c) {
            const Bounds3 other = around(eye[c]);
            box.low = {std::min(box.low.x, other.low.x), std::min(box.low.y, other.low.y),
                       std::min(box.low.z, other.low.z)};
            box.high = {std::max(box.high.x, other.high.x), std::max(box.high.y, other.high.y),
                        std::max(box.high.z, other.high.z)};
        }
        return box;
    }
};

/// A length of at least |(x, y, z)|, and one of at most that.
double length_up(const Double3& a) { return length(a) * (1 + 0x1p-40); }
double length_down(const Double3& a) { return length(a) * (1 - 0x1p-40); }

/// At most the distance between two boxes.
double least_distance(const Bounds3& a, const Bounds3& b) {
    const auto gap = [](double a_low, double a_high, double b_low, double b_high) {
        return std::max({0.0, next_down(b_low - a_high), next_down(a_low - b_high)});
    };
    return length_down({gap(a.low.x, a.high.x, b.low.x, b.high.x), gap(a.low.y, a.high.y, b.low.y, b.high.y),
                        gap(a.low.z, a.high.z, b.low.z, b.high.z)});
}

/// At least the greatest distance of a point of one box from a point of the other.
double greatest_distance(const Bounds3& a, const Bounds3& b) {
    const auto reach = [](double a_low, double a_high, double b_low, double b_high) {
        return std::max(next_up(b_high - a_low), next_up(a_high - b_low));
    };
    return length_up({reach(a.low.x, a.high.x, b.low.x, b.high.x), reach(a.low.y, a.high.y, b.low.y, b.high.y),
                      reach(a.low.z, a.high.z, b.low.z, b.high.z)});
}

/// Whether the near planes leave all of `drawn` whole.
bool beyond_near(const PreparedViewpoint& viewpoint, const SolidSight& sight, const Bounds3& drawn) {
    if (sight.eyes > 0) return least_distance(sight.bounds(), drawn) > viewpoint.near_reach;
    if (viewpoint.has_near_plane == 0) return true;
    Interval sum(viewpoint.near_offset[0], viewpoint.near_offset[1]);
    const double low[3] = {drawn.low.x, drawn.low.y, drawn.low.z}, high[3] = {drawn.high.x, drawn.high.y, drawn.high.z};
    for (std::size_t k = 0; k < 3; ++k) {
        sum = sum + Interval(viewpoint.near_normal[k][0], viewpoint.near_normal[k][1]) * Interval(low[k], high[k]);
    }
    return sum.lo > 0;
}

/// Which facets face the viewpoint, from anywhere, and their values at each place.
struct Facing {
    Interval value[PreparedViewpoint::max_eyes][Solid::max_facets];
    std::uint32_t facing = 0;  ///< bits
    bool enclosed = false;     ///< some place is inside of all facets
    bool finite = true;

    Facing(const Solid& solid, const SolidSight& sight) {
        for (std::uint32_t c = 0; c < sight.places(); ++c) {
            std::uint32_t from_here = 0;
            for (std::uint32_t i = 0; i < solid.count; ++i) {
                value[c][i] = sight.value(solid.facet[i], c);
                finite = finite && value[c][i].finite();
                if (!(value[c][i].lo >= 0)) from_here |= 1u << i;
            }
            enclosed = enclosed || from_here == 0;
            facing |= from_here;
        }
    }
    [[nodiscard]] bool faces(std::uint32_t i) const { return (facing >> i & 1) != 0; }

    /// At most lambda_j / mu_i at every place that facet i faces, 0 at least. Any smaller ratio hides less.
    [[nodiscard]] double ratio(std::uint32_t i, std::uint32_t j, std::uint32_t places) const {
        constexpr double enough = 1e60;
        double least = enough;
        for (std::uint32_t c = 0; c < places; ++c) {
            if (value[c][i].lo < 0) least = std::min(least, next_down(value[c][j].lo / -value[c][i].lo));
        }
        return std::max(least, 0.0);
    }
};

/// Adds g >= 0, a function of q, rounded inward. False if g is not known well enough, or does not fit.
bool add_half_space(const Affine& g, PreparedOccluder& occluder) {
    if (occluder.count == PreparedOccluder::max_half_spaces) return false;
    const Affine n = scaled_to(g, 1 - 0x1p-20);
    if (!n.finite()) return false;
    if (!(2 * n.linear.off <= 0x1p-40)) return false;
    const std::uint32_t k = occluder.count;
    const Double3 normal = middle(n.linear);
    const double values[3] = {normal.x, normal.y, normal.z};
    for (std::size_t j = 0; j < 3; ++j) occluder.normal[k][j] = static_cast<float>(values[j]);
    const double inner = std::min(n.constant.lo, coordinate_limit);
    if (!(inner >= -coordinate_limit)) return false;
    const double allowance = static_cast<double>(error_per_magnitude(roundings::grown_plane)) * std::fabs(inner) +
                             static_cast<double>(underflow_guard);
    occluder.offset[k] = float_down(next_down(inner - allowance));
    ++occluder.count;
    return true;
}

/// Whether what the pair's half-space says follows from facet i. Parallel facets have h_j = width - h_i everywhere, so
/// the true ratio is 1 + width / -h_i(e): at least 1 if the width is not negative, and h_j + r h_i = width + (r - 1)
/// h_i is not negative where h_i is not.
bool follows(const Solid& solid, std::uint32_t i, std::uint32_t j) {
    return solid.opposite[i] == j && (solid.facet[i].constant + solid.facet[j].constant).lo >= 0;
}

OccluderRefusal hide_behind(const Solid& solid, const SolidSight& sight, PreparedOccluder& occluder) {
    const Facing facing(solid, sight);
    if (!facing.finite) return OccluderRefusal::invalid;
    if (facing.enclosed) return OccluderRefusal::encloses_eye;
    for (std::uint32_t i = 0; i < solid.count; ++i) {
        for (std::uint32_t j = 0; facing.faces(i) && j < solid.count; ++j) {
            if (facing.faces(j) || (solid.beside[i] >> j & 1) == 0) continue;
            if (follows(solid, i, j)) continue;
            const double ratio = facing.ratio(i, j, sight.places());
            if (occluder.count == PreparedOccluder::max_half_spaces) return OccluderRefusal::too_many_facets;
            if (!add_half_space(solid.facet[j] + solid.facet[i] * ratio, occluder)) return OccluderRefusal::too_thin;
        }
    }
    for (std::uint32_t i = 0; i < solid.count; ++i) {
        if (!facing.faces(i)) continue;
        if (occluder.count == PreparedOccluder::max_half_spaces) return OccluderRefusal::too_many_facets;
        if (!add_half_space(solid.facet[i], occluder)) return OccluderRefusal::too_thin;
    }
    return OccluderRefusal::none;
}

/// Makes a hull smaller about its mean corner, so that each facet moves inward by `inward` at least. Facets moved each
/// by itself would have other neighbours.
OccluderRefusal shrink_about_mean(double inward, Solid& solid) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < solid.count; ++i) least = std::min(least, solid.at_mean[i].interval().lo);
    const double share = inward / least * (1 + 0x1p-40);
    if (!(share < 1)) return OccluderRefusal::too_thin;
    for (std::uint32_t i = 0; i < solid.count; ++i) {
        solid.facet[i].constant = solid.facet[i].constant - solid.at_mean[i].interval() * share;
    }
    return OccluderRefusal::none;
}

/// Moves facets inward by what a rasteriser adds. Facets' normals are 1 long but for rounding.
OccluderRefusal shrink(const RasterMargin& raster, const SolidSight& sight, const Bounds3& drawn, Solid& solid) {
    if (!is_valid(raster)) return OccluderRefusal::invalid;
    const double distance = sight.eyes > 0 ? greatest_distance(sight.bounds(), drawn) : 1;
    const double sideways = raster.per_distance * distance;
    const double inward = sideways + (raster.depth_per_square * distance + raster.depth_per_distance) * distance;
    if (inward == 0) return OccluderRefusal::none;
    if (solid.has_mean) return shrink_about_mean(inward, solid);
    const Facing facing(solid, sight);
    for (std::uint32_t i = 0; i < solid.count; ++i) {
        const double by = (facing.faces(i) ? inward : sideways) * (1 + 0x1p-40);
        solid.facet[i].constant = solid.facet[i].constant - Interval(by);
    }
    for (std::uint32_t i = 0; i < solid.count; ++i) {
        const std::uint32_t j = solid.opposite[i];
        if (j == Solid::none) continue;
        if (!((solid.facet[i].constant + solid.facet[j].constant).lo > 0)) return OccluderRefusal::too_thin;
    }
    return OccluderRefusal::none;
}

/// Any of these pointers may be null.
template <class Given>
OccluderRefusal prepare(const Given* given, const Viewpoint* viewpoint, const OccluderOptions* chosen,
                        Occluder* occluder, bool has_bounds) {
    const FloatModes modes;
    if (viewpoint == nullptr || !is_prepared(*viewpoint)) return OccluderRefusal::no_viewpoint;
    const OccluderOptions& options = or_usual(chosen);
    if (given == nullptr || occluder == nullptr || !is_cleared(options)) return OccluderRefusal::invalid;
    const PreparedViewpoint& from = contents_of(*viewpoint);
    Solid solid;
    if (const OccluderRefusal r = read_solid(*given, from.origin, solid); r != OccluderRefusal::none) return r;
    if (options.drawn == nullptr && !has_bounds) return OccluderRefusal::invalid;
    Bounds3 drawn = solid.bounds;
    if (options.drawn != nullptr) {
        if (const OccluderRefusal r = read_bounds(*options.drawn, from.origin, drawn); r != OccluderRefusal::none) {
            return r;
        }
    }
    const SolidSight sight(from);
    if (!beyond_near(from, sight, drawn)) {
        return Facing(solid, sight).enclosed ? OccluderRefusal::encloses_eye : OccluderRefusal::near_plane;
    }
    if (const OccluderRefusal r = shrink(options.raster, sight, drawn, solid); r != OccluderRefusal::none) return r;
    PreparedOccluder prepared;
    std::copy(from.origin, from.origin + 3, prepared.origin);
    if (const OccluderRefusal r = hide_behind(solid, sight, prepared); r != OccluderRefusal::none) return r;
    Opaque<PreparedOccluder>::set(*occluder, prepared);
    return OccluderRefusal::none;
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_refusal lanecull_prepare_occluder_box(const lanecull_solid_box* solid, const lanecull_viewpoint* viewpoint,
                                               const lanecull_occluder_options* options,
                                               lanecull_occluder* occluder) noexcept {
    return prepare(solid, viewpoint, options, occluder, true);
}

lanecull_refusal lanecull_prepare_occluder_oriented_box(const lanecull_solid_oriented_box* solid,
                                                        const lanecull_viewpoint* viewpoint,
                                                        const lanecull_occluder_options* options,
                                                        lanecull_occluder* occluder) noexcept {
    return prepare(solid, viewpoint, options, occluder, true);
}

lanecull_refusal lanecull_prepare_occluder_hull(const lanecull_solid_hull_instance* solid,
                                                const lanecull_viewpoint* viewpoint,
                                                const lanecull_occluder_options* options,
                                                lanecull_occluder* occluder) noexcept {
    return prepare(solid, viewpoint, options, occluder, true);
}

lanecull_refusal lanecull_prepare_occluder_planes(const lanecull_plane* planes, size_t plane_count,
                                                  const lanecull_viewpoint* viewpoint,
                                                  const lanecull_occluder_options* options,
                                                  lanecull_occluder* occluder) noexcept {
    const std::span<const Plane> solid(planes, plane_count);
    return prepare(planes != nullptr ? &solid : nullptr, viewpoint, options, occluder, false);
}

const char* lanecull_refusal_name(lanecull_refusal refusal) noexcept {
    constexpr const char* names[] = {
        "none",     "viewpoint not prepared", "not a solid", "the eye may be inside", "the near plane may cut it",
        "too thin", "too many facets"};
    const auto number = static_cast<std::uint32_t>(refusal);
    return number < std::size(names) ? names[number] : "unknown";
}
