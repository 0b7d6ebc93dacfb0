#pragma once

#include <cstdint>

#include <lanecull/bounds.hpp>
#include <lanecull/export.hpp>
#include <lanecull/status.hpp>

/// Convex polytopes with few corners, inscribed in hulls of any number of vertices, for occluders.
namespace lanecull {

/// A convex polytope by its surface. inscribe_hull() makes one; whoever has corners and triangles already fills it in.
/// prepare_occluder() takes nothing on trust: it refuses a surface that is not closed or whose triangles do not look
/// outward.
struct SolidHull {
    /// From one eye, a polytope of so many corners never has more facets and outlines than an occluder holds.
    static constexpr std::uint32_t max_corners = 17, max_triangles = 2 * max_corners - 4;

    float corner[max_corners][3] = {};
    std::uint32_t corner_count = 0;
    std::uint8_t triangle[max_triangles][3] = {};  ///< corners, anticlockwise seen from outside
    std::uint32_t triangle_count = 0;
    /// A box around what is drawn for it, and so around all corners. inscribe_hull(): around all vertices.
    BoxBounds drawn = {};
};

/// Finds a polytope with up to 17 of the vertices as its corners, bit by bit; so it lies in their convex hull. It is
/// that hull where the hull has no more corners. Otherwise vertices are taken one at a time, the one that adds most
/// volume first: 17 of 1,000 vertices of a ball enclose 0.67 of it, 17 of 128 of a cylinder 0.92.
///
/// Fails, leaving `hull` untouched, where bounding_box() would; if a coordinate is beyond 1e30; and if the vertices lie
/// in a plane, but for 2^-40 of their extent.
///
/// To be made once, with the assets: some 17 passes over the vertices, 0.3 to 0.5 microseconds a vertex (benchmarks
/// solids/inscribe_hull; a Xeon of family 6, model 207, beside other processes). Thread-safe. Allocates nothing.
LANECULL_API Status inscribe_hull(const Vertices& vertices, SolidHull& hull) noexcept;

}  // namespace lanecull
