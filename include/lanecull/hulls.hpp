#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lanecull/bounds.hpp>
#include <lanecull/export.hpp>
#include <lanecull/status.hpp>

/// Convex hulls of points: for hull instances (batch.hpp), for GJK (gjk/hull.hpp), and for measuring volumes. To be
/// made once, with the assets. A target of its own: link lanecull::hulls, which exists if CMake found qhull.
///
/// The functions allocate and may throw std::bad_alloc. A failure names the argument and leaves the result as it was.
/// Thread-safe. The caller's floating-point modes do not matter and are not changed.
namespace lanecull {

/// A convex polytope by its corners, with their neighbours, which hill climbing needs.
struct ConvexHull {
    std::vector<float> x, y, z;  ///< corner i is (x[i], y[i], z[i]), as prepare_hull() takes them

    /// Corner i's neighbours are neighbors[j], first_neighbor[i] <= j < first_neighbor[i + 1]. Each is there once, and
    /// neighbourhood is mutual. The mesh is connected. Along any direction every corner but the farthest has a
    /// neighbour that lies farther, up to rounding (2^-45 of the extent); so steps to better neighbours end at the
    /// farthest corner.
    std::vector<std::uint32_t> first_neighbor;  ///< count() + 1 of them
    std::vector<std::uint32_t> neighbors;

    /// For a solid: its surface, anticlockwise seen from outside; each edge belongs to two triangles, once in each
    /// direction. For a polygon: a fan over it. Otherwise none.
    std::vector<std::array<std::uint32_t, 3>> triangles;

    /// 3: a solid. 2: a polygon, its corners in order around it. 1: a segment. 0: a point.
    int dimension = 0;

    [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(x.size()); }
};

/// The convex hull of the vertices. Its corners are some of the vertices, bit by bit.
///
/// Vertices that are not corners lie in the hull, or at most 2^-40 of the extent of all vertices outside: qhull works
/// in doubles, merges facets that its roundings cannot distinguish, and is asked to triangulate them (options Qt Pp;
/// the input is never joggled). If the vertices are as thin as what rounding to floats does to their coordinates (2^-21
/// of the largest, and 2^-10 of the extent), the result is a polygon or a segment, and vertices lie at most that far
/// outside. Equal vertices count once. For a hull that contains every vertex to the last bit, see enclosing_hull().
///
/// Fails when a pointer is null, the count 0, the stride none of those that Vertices allows, or a coordinate not
/// finite. Time grows with the number of vertices, and most with that of corners.
LANECULL_API Status convex_hull(const Vertices& vertices, ConvexHull& hull);

/// A hull of at most `max_corners` corners that contains every vertex exactly: not up to rounding, but as a set of real
/// points. Each vertex is proved to be in it before the function returns.
///
/// If convex_hull() has few enough corners, the result is that hull, moved outward by the few last bits that the proof
/// needs (none if every vertex is a corner).
///
/// Otherwise, as in progressive hulls (Sander, Gu, Gortler, Hoppe and Snyder, 2000), edges are replaced one at a time
/// by a point beyond the planes of all triangles at the edge's two ends, so that both ends lie inside. The edge that
/// adds the least volume goes first. If no edge has such a point, as in boxes, or if this gives a smaller hull, the
/// result is a hull of `max_corners` of the corners, enlarged about its middle.
///
/// Vertices that make no solid, or one so thin that rounding its corners to floats tears it, are given a thickness of
/// 2^-13 of their extent or more, because no polygon of floats contains another exactly.
///
/// Fails as convex_hull() does, if max_corners is less than 4, and if a corner would be beyond floats' range. Time
/// grows with the number of corners that are removed.
LANECULL_API Status enclosing_hull(const Vertices& vertices, std::uint32_t max_corners, ConvexHull& hull);

/// In cubic units; 0 for what is not a solid.
[[nodiscard]] LANECULL_API double volume(const ConvexHull& hull);

/// How far `outer` reaches beyond `inner`: the largest distance of a point of `outer` from the set `inner`, accurate to
/// 1e-12 of the extents. 0 if `inner` contains `outer`. Time grows with the product of the two sizes.
[[nodiscard]] LANECULL_API double outward_error(const ConvexHull& outer, const ConvexHull& inner);

}  // namespace lanecull
