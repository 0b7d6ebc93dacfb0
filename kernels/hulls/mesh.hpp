#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/affine.hpp"

/// The form that hulls have while they are made: points in doubles, which hold every float exactly, and triangles
/// between them.
namespace lanecull::hulls {

using Triangle = std::array<std::uint32_t, 3>;

/// A closed convex surface. Its triangles are anticlockwise seen from outside. Points that no triangle names do not
/// count.
struct Mesh {
    std::vector<Double3> points;
    std::vector<Triangle> triangles;
};

/// The outward normal, as long as twice the area.
[[nodiscard]] inline Double3 area_vector(const Mesh& mesh, const Triangle& t) {
    return cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
}

[[nodiscard]] inline double volume(const Mesh& mesh) {
    double sum = 0;
    const Double3 origin = mesh.triangles.empty() ? Double3{} : mesh.points[mesh.triangles[0][0]];
    for (const Triangle& t : mesh.triangles) sum += dot(mesh.points[t[0]] - origin, area_vector(mesh, t)) / 6;
    return sum;
}

/// The points that triangles name, in order, and the triangles between them.
[[nodiscard]] inline Mesh compacted(const Mesh& mesh) {
    constexpr std::uint32_t unused = 0xFFFFFFFF;
    std::vector<std::uint32_t> place(mesh.points.size(), unused);
    for (const Triangle& t : mesh.triangles) {
        for (const std::uint32_t corner : t) place[corner] = 0;
    }
    Mesh result;
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] == unused) continue;
        place[i] = static_cast<std::uint32_t>(result.points.size());
        result.points.push_back(mesh.points[i]);
    }
    for (const Triangle& t : mesh.triangles) result.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
    return result;
}

/// The solid hull of the points, by qhull. None if qhull gives up, as it does on points of a plane.
[[nodiscard]] std::optional<Mesh> solid_hull(std::span<const Double3> points);

/// A plane through the points that is about the best, and how the points lie around it.
struct FlatFit {
    Double3 origin, u, v;  ///< u and v are unit vectors at right angles; v is 0 if all points are on one line
    double length = 0;     ///< the extent along u, about the longest of all
    double width = 0;      ///< how far points are off the line along u
    double thickness = 0;  ///< how far points are off the plane
};
[[nodiscard]] FlatFit fit_plane(std::span<const Double3> points);

/// The corners of the polygon that the points make in the plane, in order around it.
[[nodiscard]] std::vector<std::uint32_t> flat_hull(std::span<const Double3> points, const FlatFit& fit);

[[nodiscard]] double distance_to_segment(Double3 p, Double3 a, Double3 b);
/// The distance of the point from the triangles or, if they enclose a solid, from the solid.
[[nodiscard]] double distance_to(const Mesh& mesh, bool is_solid, Double3 p);
/// The greatest distance of a point of the solid `outer` from the solid `inner`.
[[nodiscard]] double outward_error(const Mesh& outer, const Mesh& inner);

/// A convex mesh with at most `max_corners` >= 4 corners that contains a convex mesh, up to rounding.
[[nodiscard]] Mesh simplified_outward(const Mesh& mesh, std::uint32_t max_corners);

/// Moves each corner so that every plane of the surface moves outward by about `distance`.
[[nodiscard]] Mesh moved_outward(const Mesh& mesh, double distance);

/// Whether the points were proved to be in the convex hull of the mesh's points. True is exact. False may also mean
/// that a point is in the hull but too close to the surface for a proof. The triangles are hints that need not be
/// right.
[[nodiscard]] bool proved_to_contain(const Mesh& mesh, std::span<const Double3> points);

}  // namespace lanecull::hulls
