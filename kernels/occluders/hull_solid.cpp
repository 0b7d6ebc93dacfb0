/// Hulls by their corners as solids. occluders/PROOF.md says why the half-spaces of a closed surface's triangles hold
/// no point beyond the corners' hull ("Hidden by an occluder").

#include <cmath>
#include <cstddef>
#include <cstring>

#include "occluders/solid.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

/// Whether the counts are possible, and numbers are coordinates.
bool is_sound(const SolidHullInstance& given) {
    if (given.hull == nullptr) return false;
    const SolidHull& hull = *given.hull;
    bool sound = hull.corner_count >= 4 && hull.corner_count <= SolidHull::max_corners && hull.triangle_count >= 4 &&
                 hull.triangle_count <= SolidHull::max_triangles;
    for (const float a : given.transform) sound = sound && is_coordinate(a);
    for (std::size_t k = 0; k < 3; ++k) {
        const float low = hull.drawn.lower[k], high = hull.drawn.upper[k];
        sound = sound && is_coordinate(low) && is_coordinate(high);
        for (std::uint32_t i = 0; sound && i < hull.corner_count; ++i) {
            sound = low <= hull.corner[i][k] && hull.corner[i][k] <= high;
        }
    }
    return sound;
}

/// Finds for each triangle those that it has an edge in common with. False unless each edge is that of two triangles,
/// once in each direction: then the surface is closed.
bool find_neighbours(const SolidHull& hull, Solid& solid) {
    std::uint8_t left_of[SolidHull::max_corners][SolidHull::max_corners];  // [from][to]: the triangle
    std::memset(left_of, Solid::none, sizeof left_of);
    for (std::uint32_t i = 0; i < hull.triangle_count; ++i) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint8_t from = hull.triangle[i][e], to = hull.triangle[i][(e + 1) % 3];
            if (from >= hull.corner_count || to >= hull.corner_count || from == to) return false;
            if (left_of[from][to] != Solid::none) return false;
            left_of[from][to] = static_cast<std::uint8_t>(i);
        }
    }
    for (std::uint32_t i = 0; i < hull.triangle_count; ++i) {
        solid.beside[i] = 0;
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint8_t other = left_of[hull.triangle[i][(e + 1) % 3]][hull.triangle[i][e]];
            if (other == Solid::none) return false;
            solid.beside[i] |= std::uint32_t{1} << other;
        }
    }
    return true;
}

/// Points under the transform, relative to the origin. Products of two floats are exact in doubles.
class Placing {
public:
    Placing(const float (&transform)[12], const float (&origin)[3]) : transform_(transform), origin_(origin) {}

    [[nodiscard]] Interval3 corner(const float (&p)[3]) const { return {row(0, p, p), row(1, p, p), row(2, p, p)}; }
    [[nodiscard]] Bounds3 box(const BoxBounds& box) const {
        const Interval x = row(0, box.lower, box.upper), y = row(1, box.lower, box.upper),
                       z = row(2, box.lower, box.upper);
        return {{x.lo, y.lo, z.lo}, {x.hi, y.hi, z.hi}};
    }

private:
    [[nodiscard]] Interval row(std::size_t k, const float (&low)[3], const float (&high)[3]) const {
        const float* const m = transform_ + 4 * k;
        Interval sum = Interval(m[3]) - Interval(origin_[k]);
        for (std::size_t j = 0; j < 3; ++j) {
            const double a = static_cast<double>(m[j]) * static_cast<double>(low[j]),
                         b = static_cast<double>(m[j]) * static_cast<double>(high[j]);
            sum = sum + Interval(a < b ? a : b, a < b ? b : a);
        }
        return sum;
    }

    const float (&transform_)[12];
    const float (&origin_)[3];
};

}  // namespace

OccluderRefusal read_solid(const SolidHullInstance& given, const float (&origin)[3], Solid& solid) {
    if (!is_sound(given) || !find_neighbours(*given.hull, solid)) return OccluderRefusal::invalid;
    const SolidHull& hull = *given.hull;
    const Placing placing(given.transform, origin);
    Interval3 corner[SolidHull::max_corners];
    Interval sum[3];
    for (std::uint32_t i = 0; i < hull.corner_count; ++i) {
        corner[i] = placing.corner(hull.corner[i]);
        sum[0] = sum[0] + corner[i].in_x(), sum[1] = sum[1] + corner[i].in_y(), sum[2] = sum[2] + corner[i].in_z();
    }
    const Interval corners(hull.corner_count);
    const Interval3 mean(sum[0] / corners, sum[1] / corners, sum[2] / corners);
    bool mirrored = false;
    for (std::uint32_t i = 0; i < hull.triangle_count; ++i) {
        const Interval3 &a = corner[hull.triangle[i][0]], &b = corner[hull.triangle[i][1]],
                        &c = corner[hull.triangle[i][2]];
        const Interval3 inward = cross(c - a, b - a);
        Affine facet{inward, -dot(inward, a)};
        const double size = length(middle(inward));
        if (!(size >= 1e-150 && size <= 1e150)) return OccluderRefusal::too_thin;
        if (i == 0) mirrored = facet.at(mean).hi < 0;
        facet = facet * ((mirrored ? -1 : 1) / size);
        solid.facet[i] = facet;
        solid.opposite[i] = Solid::none;
        solid.at_mean[i] = Near(facet.at(mean));
        if (!(facet.at(mean).lo > 0)) return OccluderRefusal::too_thin;
    }
    solid.count = hull.triangle_count;
    solid.has_mean = true;
    solid.bounds = placing.box(hull.drawn);
    return OccluderRefusal::none;
}

}  // namespace lanecull
