/// A hull of the mesh's vertices, made smaller about a point inside until no triangle meets it.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanecull/solids.h>

#include "base/affine.hpp"
#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "occluders/mesh_steps.hpp"

namespace lanecull {
namespace {

using solids::Triangle;

/// What is left of the hull's distances from the point inside. The first is for meshes that are convex: a triangle then
/// lies beyond one of the hull's facets, or has the hull on one side, with so much to spare.
constexpr double shares[] = {1 - 0x1p-10, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4};

Double3 place(const float (&p)[3]) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// A range of dot products.
struct Reach {
    double low = HUGE_VAL, high = -HUGE_VAL;

    void add(double at) { low = std::min(low, at), high = std::max(high, at); }
};

/// Whether the point lies in the hull of the corners for certain: seen from it, no triangle of the closed surface turns
/// its outer side.
bool encloses(const SolidHull& hull, const float (&point)[3]) {
    for (std::uint32_t t = 0; t < hull.triangle_count; ++t) {
        const auto corner = [&](std::size_t v) { return exactly(place(hull.corner[hull.triangle[t][v]])); };
        const Interval3 a = corner(0), inward = cross(corner(2) - a, corner(1) - a);
        if (!(Affine{inward, -dot(inward, a)}.at(exactly(place(point))).lo > 0)) return false;
    }
    return true;
}

/// A hull and directions that may part triangles from it.
class Parting {
public:
    /// largest: no coordinate is larger.
    Parting(const SolidHull& hull, double largest) : hull_(hull), spare_(largest * 0x1p-45 + 1e-300) {
        for (std::uint32_t t = 0; t < hull.triangle_count; ++t) {
            const Double3 a = corner(hull.triangle[t][0]);
            direction_[t] = unit(cross(corner(hull.triangle[t][1]) - a, corner(hull.triangle[t][2]) - a));
            reach_[t] = reach(direction_[t]);
        }
    }

    /// Whether the triangle shares no point with the hull for certain.
    [[nodiscard]] bool parts(const Triangle& triangle) const {
        const Double3 p[3] = {place(triangle.corner[0]), place(triangle.corner[1]), place(triangle.corner[2])};
        const Double3 normal = unit(cross(p[1] - p[0], p[2] - p[0]));
        if (parts(normal, reach(normal), p)) return true;
        for (std::uint32_t t = 0; t < hull_.triangle_count; ++t) {
            if (parts(direction_[t], reach_[t], p)) return true;
        }
        return false;
    }

private:
    [[nodiscard]] Double3 corner(std::uint8_t c) const { return place(hull_.corner[c]); }
    /// About 1 long; NaN where there is no direction, which parts nothing. Components are 0 or at least 2^-298.
    static Double3 unit(const Double3& a) { return a * (1 / length(a)); }
    [[nodiscard]] Reach reach(const Double3& along) const {
        Reach result;
        for (std::uint32_t c = 0; c < hull_.corner_count; ++c) result.add(dot(along, place(hull_.corner[c])));
        return result;
    }
    /// Dot products are off by less than 2^-49 of the largest coordinate, and these differences by less than spare_.
    [[nodiscard]] bool parts(const Double3& along, const Reach& hull, const Double3 (&p)[3]) const {
        const double a = dot(along, p[0]), b = dot(along, p[1]), c = dot(along, p[2]);
        return (a - hull.high > spare_ && b - hull.high > spare_ && c - hull.high > spare_) ||
               (hull.low - a > spare_ && hull.low - b > spare_ && hull.low - c > spare_);
    }

    const SolidHull& hull_;
    const double spare_;
    Double3 direction_[SolidHull::max_triangles];
    Reach reach_[SolidHull::max_triangles];
};

SolidHull smaller(const SolidHull& hull, const float (&about)[3], double share) {
    SolidHull result = hull;
    for (std::uint32_t c = 0; c < hull.corner_count; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double from = static_cast<double>(about[k]), to = static_cast<double>(hull.corner[c][k]);
            result.corner[c][k] = static_cast<float>(from + share * (to - from));
        }
    }
    return result;
}

double largest_coordinate(const Array<Triangle>& triangles) {
    double largest = 0;
    for (const Triangle& triangle : triangles) {
        for (const float(&p)[3] : triangle.corner) largest = std::max(largest, largest_component(place(p)));
    }
    return largest;
}

double volume_of(const SolidHull& hull, const float (&inside)[3]) {
    double sum = 0;
    for (std::uint32_t t = 0; t < hull.triangle_count; ++t) {
        const auto from_inside = [&](std::size_t v) { return place(hull.corner[hull.triangle[t][v]]) - place(inside); };
        sum += dot(from_inside(0), cross(from_inside(1), from_inside(2)));
    }
    return sum / 6;
}

Status find_hull(const TriangleMesh& mesh, const float (&inside)[3], SolidHull& hull, double* volume) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(inside[k])) return failure("inside[%zu]: not finite", k);
    }
    Array<Triangle> triangles;
    if (Status status = solids::read_closed_mesh(mesh, triangles); !status) return status;
    SolidHull whole;
    if (Status status = inscribe_hull(mesh.vertices, whole); !status) return status;
    const double largest = std::max(largest_coordinate(triangles), largest_component(place(inside)));
    for (const double share : shares) {
        const SolidHull found = smaller(whole, inside, share);
        if (!encloses(found, inside)) continue;
        const Parting parting(found, largest);
        const auto parts = [&](const Triangle& triangle) { return parting.parts(triangle); };
        if (!std::all_of(triangles.begin(), triangles.end(), parts)) continue;
        hull = found;
        if (volume != nullptr) *volume = volume_of(found, inside);
        return {};
    }
    return failure("mesh: no hull of its vertices fits in it around `inside`");
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_find_solid_hull(const lanecull_triangle_mesh* mesh, const float* inside,
                                         lanecull_solid_hull* hull, double* volume) noexcept {
    const FloatModes modes;
    Status status = check_not_null(mesh, "mesh");
    if (status) status = check_not_null(inside, "inside");
    if (status) status = check_not_null(hull, "hull");
    if (!status) return status;
    const float place[3] = {inside[0], inside[1], inside[2]};
    return find_hull(*mesh, place, *hull, volume);
}
