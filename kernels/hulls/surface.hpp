#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hulls/mesh.hpp"

/// A mesh's triangles with their planes and neighbours.
namespace lanecull::hulls {

/// Inside: normal . p <= offset. The normal has length 1, or 0 if the triangle has no area.
struct Plane {
    Double3 normal;
    double offset = 0;

    [[nodiscard]] double height(Double3 p) const { return dot(normal, p) - offset; }
};

struct Facet {
    Triangle corners{};
    std::array<std::uint32_t, 3> across{};  ///< across[k]: the facet beyond the edge from corner k to the next
    Plane plane;
    double area = 0;
    bool gone = false;
};

[[nodiscard]] inline Facet make_facet(const std::vector<Double3>& points, const Triangle& t) {
    Facet facet;
    facet.corners = t;
    const Double3 twice = cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]);
    const double size = length(twice);
    if (size > 0) {
        facet.area = size / 2;
        facet.plane.normal = twice * (1 / size);
        facet.plane.offset = dot(facet.plane.normal, (points[t[0]] + points[t[1]] + points[t[2]]) * (1.0 / 3));
    }
    return facet;
}

/// Which of the facet's three corners it is.
[[nodiscard]] inline std::size_t place_of(const Facet& facet, std::uint32_t corner) {
    return facet.corners[0] == corner ? 0 : facet.corners[1] == corner ? 1 : 2;
}

/// The facets of a closed surface. Empty if it is not closed: an edge does not have two triangles, one in each
/// direction.
[[nodiscard]] std::vector<Facet> facets_of(const Mesh& mesh);

/// The point beyond all planes that has the least sum of area times height over them. It is found by trying corners of
/// the planes' arrangement; none if no such corner exists. For up to `most_planes` planes that differ.
inline constexpr std::size_t most_planes = 24;
struct WeightedPlane {
    Plane plane;
    double area;
};
[[nodiscard]] std::optional<Double3> lowest_beyond(std::span<const WeightedPlane> planes, Double3 near_by);

/// Adds a plane. If an equal one is there, up to tolerance, adds its area to that one.
void add_plane(std::vector<WeightedPlane>& planes, const Plane& plane, double area, double tolerance);

}  // namespace lanecull::hulls
