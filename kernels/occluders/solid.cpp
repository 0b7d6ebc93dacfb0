/// Solids as given become half-spaces. place_solid(): a solid box under a transform as a box of floats that lies in the
/// image.

#include <lanecull/occluder.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/affine.hpp"
#include "base/float_modes.hpp"
#include "base/interval.hpp"
#include "occluders/solid.hpp"
#include "view/frame.hpp"
#include "view/planes.hpp"

namespace lanecull {
namespace {

Double3 unit(std::size_t k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

/// A point relative to an origin.
struct Relative {
    Interval at[3];

    Relative(const float (&p)[3], const float (&origin)[3]) {
        for (std::size_t k = 0; k < 3; ++k) at[k] = Interval(p[k]) - Interval(origin[k]);
    }
    [[nodiscard]] Double3 low() const { return {at[0].lo, at[1].lo, at[2].lo}; }
    [[nodiscard]] Double3 high() const { return {at[0].hi, at[1].hi, at[2].hi}; }
};

/// A solid's edges as columns of a matrix A: exact, as products of two floats are. The solid is { c + A s, |s_k| <= 1
/// }.
struct Edges {
    Double3 row[3];
    [[nodiscard]] Interval3x3 intervals() const { return {{exactly(row[0]), exactly(row[1]), exactly(row[2])}}; }
    [[nodiscard]] Double3 column(std::size_t k) const {
        const auto at = [k](const Double3& r) { return k == 0 ? r.x : k == 1 ? r.y : r.z; };
        return {at(row[0]), at(row[1]), at(row[2])};
    }
};

Edges edges_of(const SolidOrientedBox& given) {
    Edges edges;
    for (std::size_t j = 0; j < 3; ++j) {
        const auto entry = [&](std::size_t k) {
            return static_cast<double>(given.half_extents[k]) * static_cast<double>(given.axes[k][j]);
        };
        edges.row[j] = {entry(0), entry(1), entry(2)};
    }
    return edges;
}

/// At least the greatest row sum of |M A - I|, M's rows being m.
double residue(const Double3 (&m)[3], const Edges& edges) {
    double largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const Interval entry = dot(exactly(m[k]), exactly(edges.column(j)));
            sum = next_up(sum + (entry - Interval(j == k ? 1.0 : 0.0)).magnitude());
        }
        if (!(sum < 1)) return 1;
        largest = std::max(largest, sum);
    }
    return largest;
}

}  // namespace

void Solid::add_pair(const Affine& lower, const Affine& upper) {
    opposite[count] = static_cast<std::uint8_t>(count + 1);
    opposite[count + 1] = static_cast<std::uint8_t>(count);
    beside[count] = beside[count + 1] = ~std::uint32_t{0};
    facet[count++] = lower;
    facet[count++] = upper;
}

OccluderRefusal read_bounds(const SolidBox& given, const float (&origin)[3], Bounds3& bounds) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!is_coordinate(given.min[k]) || !is_coordinate(given.max[k]) || !(given.min[k] <= given.max[k])) {
            return OccluderRefusal::invalid;
        }
    }
    bounds = {Relative(given.min, origin).low(), Relative(given.max, origin).high()};
    return OccluderRefusal::none;
}

OccluderRefusal read_solid(const SolidBox& given, const float (&origin)[3], Solid& solid) {
    if (read_bounds(given, origin, solid.bounds) != OccluderRefusal::none) return OccluderRefusal::invalid;
    const Relative low(given.min, origin), high(given.max, origin);
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(given.min[k] < given.max[k])) return OccluderRefusal::invalid;
        solid.add_pair({exactly(unit(k)), -low.at[k]}, {exactly(unit(k) * -1), high.at[k]});
    }
    return OccluderRefusal::none;
}

/// Let M be near the inverse of A, in doubles, and E = M A - I with |E| <= e, the greatest row sum. Where |M (p - c)|
/// <= 1 - e in each component, s = A^-1 (p - c) = (I + E)^-1 M (p - c) has |s| <= (1 - e) / (1 - |E|) <= 1, so p is in
/// the solid. The half-spaces of that set are exact numbers. occluders/PROOF.md has more ("Hidden by an occluder").
OccluderRefusal read_solid(const SolidOrientedBox& given, const float (&origin)[3], Solid& solid) {
    for (std::size_t k = 0; k < 3; ++k) {
        const float half = given.half_extents[k];
        bool valid = is_coordinate(given.center[k]) && half > 0 && is_coordinate(half);
        for (const float a : given.axes[k]) valid = valid && is_coordinate(a);
        if (!valid) return OccluderRefusal::invalid;
    }
    const Edges edges = edges_of(given);
    const Interval3x3 rows = edges.intervals();
    const Interval3x3 columns = cofactors(rows);
    const Interval determinant = dot(rows.row[0], columns.row[0]);
    if (!determinant.finite() || determinant.contains_zero()) return OccluderRefusal::invalid;
    const Inverse inverse(rows);
    Double3 m[3];
    for (std::size_t j = 0; j < 3; ++j) {
        const Double3 column = middle(inverse.times(exactly(unit(j))));
        const double entry[3] = {column.x, column.y, column.z};
        for (std::size_t k = 0; k < 3; ++k) (j == 0 ? m[k].x : j == 1 ? m[k].y : m[k].z) = entry[k];
    }
    const double e = residue(m, edges);
    if (!(e < 0.5)) return OccluderRefusal::too_thin;
    const Relative place(given.center, origin);
    const Interval3 center(place.at[0], place.at[1], place.at[2]);
    const Interval depth(next_down(1 - e));
    Double3 reach;
    for (std::size_t k = 0; k < 3; ++k) {
        const Interval at = dot(exactly(m[k]), center);
        const Affine lower{exactly(m[k]), depth - at}, upper{exactly(m[k] * -1), depth + at};
        const double size = length(m[k]);
        if (!(size >= 1e-150 && size <= 1e150)) return OccluderRefusal::invalid;
        solid.add_pair(lower * (1 / size), upper * (1 / size));
        const Double3 edge = edges.column(k);
        reach = {next_up(reach.x + std::fabs(edge.x)), next_up(reach.y + std::fabs(edge.y)),
                 next_up(reach.z + std::fabs(edge.z))};
    }
    const Double3 low = place.low(), high = place.high();
    solid.bounds = {{next_down(low.x - reach.x), next_down(low.y - reach.y), next_down(low.z - reach.z)},
                    {next_up(high.x + reach.x), next_up(high.y + reach.y), next_up(high.z + reach.z)}};
    return OccluderRefusal::none;
}

OccluderRefusal read_solid(std::span<const Plane> given, const float (&origin)[3], Solid& solid) {
    if (given.size() < 4) return OccluderRefusal::invalid;
    if (given.size() > Solid::max_facets) return OccluderRefusal::too_many_facets;
    for (std::size_t k = 0; k < given.size(); ++k) {
        Affine facet;
        if (!read_plane(given[k], "solid", k, facet)) return OccluderRefusal::invalid;
        facet = facet.about(
            {static_cast<double>(origin[0]), static_cast<double>(origin[1]), static_cast<double>(origin[2])});
        if (!facet.finite()) return OccluderRefusal::invalid;
        solid.opposite[solid.count] = Solid::none;
        solid.beside[solid.count] = ~std::uint32_t{0};
        solid.facet[solid.count++] = facet;
    }
    return OccluderRefusal::none;
}

namespace {

bool is_sound(const SolidBox& box, const float* transform) {
    bool sound = std::all_of(transform, transform + 12, [](float a) { return is_coordinate(a); });
    for (std::size_t k = 0; k < 3; ++k) {
        sound = sound && is_coordinate(box.min[k]) && is_coordinate(box.max[k]) && box.min[k] < box.max[k];
    }
    return sound;
}

/// The result has the matrix's columns a_k as its axes. Its centre c is the image of the box's middle m, rounded: off
/// by d. A point c + sum s_k h_k a_k of it is the image of m + A^-1 d + sum s_k h_k e_k, so h_k may be as large as the
/// box's half extent less |(A^-1 d)_k|. By Cramer's rule that is |det(.., d, ..) / det A| <= |d| |a_i| |a_j| / |det A|.
OccluderRefusal place(const SolidBox& box, const float* transform, SolidOrientedBox& placed) {
    if (!is_sound(box, transform)) return OccluderRefusal::invalid;
    const auto column = [&](std::size_t k) {
        return Double3{static_cast<double>(transform[k]), static_cast<double>(transform[4 + k]),
                       static_cast<double>(transform[8 + k])};
    };
    const Double3 axis[3] = {column(0), column(1), column(2)};
    SolidOrientedBox result;
    Double3 off;  // at least what the centre is off by, component by component
    double* const off_by[3] = {&off.x, &off.y, &off.z};
    for (std::size_t row = 0; row < 3; ++row) {
        Interval center(transform[4 * row + 3]);
        for (std::size_t k = 0; k < 3; ++k) {
            result.axes[k][row] = transform[4 * row + k];
            const Interval twice_middle = Interval(box.min[k]) + Interval(box.max[k]);
            center = center + twice_middle * (0.5 * static_cast<double>(transform[4 * row + k]));
        }
        result.center[row] = static_cast<float>(center.mid());
        *off_by[row] = (Interval(result.center[row]) - center).magnitude();
    }
    const Interval volume = dot(exactly(axis[0]), cross(exactly(axis[1]), exactly(axis[2])));
    const double least_volume = volume.lo > 0 ? volume.lo : -volume.hi;
    if (!(least_volume > 0)) return OccluderRefusal::too_thin;
    for (std::size_t k = 0; k < 3; ++k) {
        const double others = length(axis[(k + 1) % 3]) * length(axis[(k + 2) % 3]);
        const double moved = length(off) * (others / least_volume) * (1 + 0x1p-40);
        const Interval half = (Interval(box.max[k]) - Interval(box.min[k])) * 0.5;
        const double left = next_down(half.lo - moved);
        if (!(left > 0)) return OccluderRefusal::too_thin;
        result.half_extents[k] = float_down(left);
        if (!(result.half_extents[k] > 0)) return OccluderRefusal::too_thin;
    }
    placed = result;
    return OccluderRefusal::none;
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_refusal lanecull_place_solid(const lanecull_solid_box* box, const float* transform,
                                      lanecull_solid_oriented_box* placed) noexcept {
    const FloatModes modes;
    if (box == nullptr || transform == nullptr || placed == nullptr) return OccluderRefusal::invalid;
    return place(*box, transform, *placed);
}
