#pragma once

/// Convex hulls of points: for hull instances (batch.h), for GJK, and for measuring volumes. To be made once, with the
/// assets.
///
/// <lanecull/lanecull.h> does not include this header, whose functions are in a library of their own: link
/// lanecull::hulls, which exists if CMake found qhull; or lanecull_hulls before lanecull, and qhull (qhull_r).
///
/// The functions allocate: a hull is kept in memory of the hooks (library.h); while one is made or measured, memory is
/// that of C++ (operator new) and of qhull (malloc). Nothing throws. A failure names the argument, or lack of memory,
/// and leaves the result as it was. Thread-safe. The caller's floating-point modes do not matter and are not changed.

#include <lanecull/bounds.h>
#include <lanecull/types.h>

/// A convex polytope by its corners, with their neighbours, which hill climbing needs. Owns its memory. Calls with a
/// const one may overlap in time.
typedef struct lanecull_convex_hull lanecull_convex_hull;

/// Three corners by their numbers.
LANECULL_STRUCT(HullTriangle, hull_triangle) {
    uint32_t corner[3] LANECULL_0;
#ifdef __cplusplus
    constexpr uint32_t operator[](size_t k) const noexcept { return corner[k]; }
#endif
};
LANECULL_LAYOUT(hull_triangle, 12)
LANECULL_SPAN(const lanecull_hull_triangle, hull_triangles)

/// The parts of a hull. Its arrays are the hull's, valid until that is written or destroyed.
LANECULL_STRUCT(ConvexHullInfo, convex_hull_info) {
    /// Corner i is (x[i], y[i], z[i]), as lanecull_prepare_hull() takes them. All three have as many as there are
    /// corners.
    lanecull_const_floats x LANECULL_0;
    lanecull_const_floats y LANECULL_0;
    lanecull_const_floats z LANECULL_0;

    /// Corner i's neighbours are neighbors[j], first_neighbor[i] <= j < first_neighbor[i + 1]; so there is one
    /// first_neighbor more than corners. Each is there once, and neighbourhood is mutual. The mesh is connected. Along
    /// any direction every corner but the farthest has a neighbour that lies farther, up to rounding (2^-45 of the
    /// extent); so steps to better neighbours end at the farthest corner.
    lanecull_const_indices first_neighbor LANECULL_0;
    lanecull_const_indices neighbors LANECULL_0;

    /// For a solid: its surface, anticlockwise seen from outside; each edge belongs to two triangles, once in each
    /// direction. For a polygon: a fan over it. Otherwise none.
    lanecull_hull_triangles triangles LANECULL_0;

    /// 3: a solid. 2: a polygon, its corners in order around it. 1: a segment. 0: a point, or no corner.
    uint32_t dimension LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    double volume LANECULL_0;  ///< in cubic units; 0 for what is not a solid
    uint64_t reserved[2] LANECULL_0;
#ifdef __cplusplus
    [[nodiscard]] constexpr uint32_t count() const noexcept { return static_cast<uint32_t>(x.count); }
#endif
};
LANECULL_LAYOUT(convex_hull_info, 128)

LANECULL_C_BEGIN
/// Without corners, until one is found.
LANECULL_API lanecull_convex_hull* lanecull_create_convex_hull(void) LANECULL_NOEXCEPT;
LANECULL_API_PLAIN void lanecull_destroy_convex_hull(lanecull_convex_hull* hull) LANECULL_NOEXCEPT;

/// Writes all of `info`; of null, or of a hull without corners, zeros and empty spans.
LANECULL_API_PLAIN void lanecull_convex_hull_get_info(const lanecull_convex_hull* hull,
                                                      lanecull_convex_hull_info* info) LANECULL_NOEXCEPT;

/// The convex hull of the vertices. Its corners are some of the vertices, bit by bit.
///
/// Vertices that are not corners lie in the hull, or at most 2^-40 of the extent of all vertices outside: qhull works
/// in doubles, merges facets that its roundings cannot distinguish, and triangulates them (options Qt Pp;
/// the input is never joggled). If the vertices are as thin as what rounding to floats does to their coordinates (2^-21
/// of the largest, and 2^-10 of the extent), the result is a polygon or a segment, and vertices lie at most that far
/// outside. Equal vertices count once. For a hull that contains every vertex to the last bit, see
/// lanecull_find_enclosing_hull().
///
/// Fails when a pointer is null, the count 0, the stride none of those that Vertices allows, a coordinate not finite,
/// or for lack of memory. Time grows with the number of vertices, and most with that of corners.
LANECULL_API lanecull_status lanecull_find_convex_hull(const lanecull_vertices* vertices,
                                                       lanecull_convex_hull* hull) LANECULL_NOEXCEPT;

/// A hull of at most `max_corners` corners that contains every vertex exactly: not up to rounding, but as a set of real
/// points. Each vertex is proved to be in it before the function returns.
///
/// If lanecull_find_convex_hull() has few enough corners, the result is that hull, moved outward by the few last bits
/// that the proof needs (none if every vertex is a corner).
///
/// Otherwise, as in progressive hulls (Sander, Gu, Gortler, Hoppe and Snyder, 2000), edges are replaced one at a time
/// by a point beyond the planes of all triangles at the edge's two ends, so that both ends lie inside. The edge that
/// adds the least volume goes first. If no edge has such a point, as in boxes, or if this gives a smaller hull, the
/// result is a hull of `max_corners` of the corners, enlarged about its middle.
///
/// Vertices that make no solid, or one so thin that rounding its corners to floats tears it, are given a thickness of
/// 2^-13 of their extent or more, because no polygon of floats contains another exactly.
///
/// Fails as lanecull_find_convex_hull() does, if max_corners is less than 4, and if a corner would be beyond floats'
/// range. Time grows with the number of corners that are removed.
LANECULL_API lanecull_status lanecull_find_enclosing_hull(const lanecull_vertices* vertices, uint32_t max_corners,
                                                          lanecull_convex_hull* hull) LANECULL_NOEXCEPT;

/// How far `outer` reaches beyond `inner`: the largest distance of a point of `outer` from the set `inner`, accurate to
/// 1e-12 of the extents. 0 if `inner` contains `outer`. Time grows with the product of the two sizes. Fails, leaving
/// `error` untouched, if one of them has no corners, or for lack of memory.
LANECULL_API lanecull_status lanecull_convex_hull_outward_error(const lanecull_convex_hull* outer,
                                                                const lanecull_convex_hull* inner,
                                                                double* error) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// A convex polytope. One that is null (Owned) has no corners, and calls that would write it fail.
class ConvexHull : public Owned<lanecull_convex_hull, lanecull_create_convex_hull, lanecull_destroy_convex_hull> {
public:
    /// Its corners, neighbours and triangles, valid until this object is written or destroyed:
    /// lanecull_convex_hull_get_info().
    [[nodiscard]] ConvexHullInfo info() const noexcept {
        ConvexHullInfo of_it;
        lanecull_convex_hull_get_info(it_, &of_it);
        return of_it;
    }
    [[nodiscard]] uint32_t count() const noexcept { return info().count(); }  ///< of corners
};

/// The functions above, for C++.
[[nodiscard]] inline Status convex_hull(const Vertices& vertices, ConvexHull& hull) noexcept {
    return lanecull_find_convex_hull(&vertices, hull.get());
}
[[nodiscard]] inline Status enclosing_hull(const Vertices& vertices, uint32_t max_corners, ConvexHull& hull) noexcept {
    return lanecull_find_enclosing_hull(&vertices, max_corners, hull.get());
}
[[nodiscard]] inline Status outward_error(const ConvexHull& outer, const ConvexHull& inner, double& error) noexcept {
    return lanecull_convex_hull_outward_error(outer, inner, &error);
}
/// In cubic units; 0 for what is not a solid.
[[nodiscard]] inline double volume(const ConvexHull& hull) noexcept { return hull.info().volume; }
}  // namespace lanecull
#endif
