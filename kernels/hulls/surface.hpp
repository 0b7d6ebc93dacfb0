#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hulls/mesh.hpp"

/// A mesh's triangles with planes, and who lies across which edge.
namespace lanecull::hulls {

/// normal . p <= offset inside; a normal of length 1, or 0 for a triangle without area.
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

/// The place of a corner among the facet's three.
[[nodiscard]] inline std::size_t place_of(const Facet& facet, std::uint32_t corner) {
    return facet.corners[0] == corner ? 0 : facet.corners[1] == corner ? 1 : 2;
}

/// Facets of a closed surface; empty when it is none: an edge that does not have two triangles, one each way.
[[nodiscard]] std::vector<Facet> facets_of(const Mesh& mesh);

/// A point beyond all planes with the least sum of area times height over them, by trying corners of their
/// arrangement. None where there is no such corner. For up to `most_planes` planes that differ.
inline constexpr std::size_t most_planes = 24;
struct WeightedPlane {
    Plane plane;
    double area;
};
[[nodiscard]] std::optional<Double3> lowest_beyond(std::span<const WeightedPlane> planes, Double3 near_by);

/// Adds a plane, or its area to one that it cannot be told from.
void add_plane(std::vector<WeightedPlane>& planes, const Plane& plane, double area, double tolerance);

}  // namespace lanecull::hulls
