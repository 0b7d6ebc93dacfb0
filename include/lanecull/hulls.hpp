#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lanecull/bounds.hpp>
#include <lanecull/export.hpp>
#include <lanecull/status.hpp>

/// Convex hulls of points: for hull instances (batch.hpp), for GJK (gjk/hull.hpp), for whoever asks how large one is.
/// Made once, when assets are. Its own target: link lanecull::hulls, which is there where CMake found qhull.
///
/// The functions allocate and may throw std::bad_alloc; a failure names the argument and leaves the result as it was.
/// Thread-safe. The caller's floating-point modes neither matter nor change.
namespace lanecull {

/// A convex polytope by its corners, with what hill climbing needs: who is next to whom.
struct ConvexHull {
    std::vector<float> x, y, z;  ///< corner i is (x[i], y[i], z[i]), as prepare_hull() takes them

    /// Corner i's neighbours are neighbors[j], first_neighbor[i] <= j < first_neighbor[i + 1], each of them once and
    /// mutually. The mesh is connected and along any direction some neighbour of every corner but the farthest lies
    /// farther, up to rounding (2^-45 of the extent): steps to better neighbours end at the farthest corner.
    std::vector<std::uint32_t> first_neighbor;  ///< count() + 1 of them
    std::vector<std::uint32_t> neighbors;

    /// Of a solid: its surface, anticlockwise seen from outside; each edge belongs to two triangles, one each way. Of a
    /// polygon: a fan over it. None otherwise.
    std::vector<std::array<std::uint32_t, 3>> triangles;

    /// 3: a solid. 2: a polygon, its corners in order around it. 1: a segment. 0: a point.
    int dimension = 0;

    [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(x.size()); }
};

/// The convex hull of the vertices; its corners are some of them, bit by bit.
///
/// Points that are no corners lie in it, or at most 2^-40 of the cloud's extent outside: qhull works in doubles, takes
/// facets that its roundings cannot tell apart for one, and is asked to triangulate those (options Qt Pp; the input is
/// never joggled). A cloud whose thickness is within what rounding to floats does to its coordinates (2^-21 of the
/// largest, and 2^-10 of the extent) is a polygon, or a segment, and points lie that far outside at most; equal points
/// are one. For a hull that contains every vertex to the last bit, see enclosing_hull().
///
/// Fails when a pointer is null, the count 0, the stride none of those that Vertices allows, or a coordinate not
/// finite. About a microsecond a vertex, 4 for a corner.
LANECULL_API Status convex_hull(const Vertices& vertices, ConvexHull& hull);

/// A hull of at most `max_corners` corners that contains every vertex exactly: not up to rounding, but as a set of real
/// numbers. Each vertex is proved to be in it before the function returns.
///
/// Where convex_hull() has few enough corners the result is that hull, moved outward by the few last bits that the
/// proof takes (none where every vertex is a corner). Otherwise, as in progressive hulls (Sander, Gu, Gortler, Hoppe
/// and Snyder, 2000), edges are replaced one at a time by a point beyond the planes of all triangles at their two ends,
/// so both ends end up inside; the edge that adds the least volume goes first. Where no edge has such a point, as in
/// boxes, or where that turns out smaller, the result is a hull of `max_corners` of the corners, enlarged about its
/// middle. A cloud that is no solid, or so thin a one that rounding its corners to floats tears it, is given a
/// thickness of 2^-13 of its extent or more: no polygon of floats contains another exactly.
///
/// Fails as convex_hull() does, when max_corners is less than 4, and when a corner would be beyond floats' range. Some
/// 0.1 to 0.6 ms a corner that goes.
LANECULL_API Status enclosing_hull(const Vertices& vertices, std::uint32_t max_corners, ConvexHull& hull);

/// In cubic units; 0 of what is no solid.
[[nodiscard]] LANECULL_API double volume(const ConvexHull& hull);

/// How far `outer` reaches beyond `inner`: the largest distance of a point of `outer` from the set `inner`, to 1e-12 of
/// the extents; 0 where it is contained. Time grows with the product of the two sizes.
[[nodiscard]] LANECULL_API double outward_error(const ConvexHull& outer, const ConvexHull& inner);

}  // namespace lanecull
