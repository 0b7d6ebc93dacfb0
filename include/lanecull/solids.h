#pragma once

/// Solid boxes: few large axis-aligned boxes that lie wholly inside what is drawn, for occluders; and convex polytopes
/// that do. To be made once, when a level is loaded or built.
///
/// A solid box is a claim that all of it is filled. It is proved before it is returned. Its faces are floats, and the
/// box is the set of points that they define exactly.
///
/// The functions allocate, but for those that inscribe. Nothing throws. A call that fails, for an argument or for
/// lack of memory, leaves the result as it was. Thread-safe; one thread each. The same input gives the same bytes. The
/// caller's floating-point modes do not matter and are not changed.

#include <lanecull/batch.h>
#include <lanecull/bounds.h>
#include <lanecull/occluder.h>
#include <lanecull/types.h>

/// Boxes with what covers each of them. Owns its memory. Calls with a const one may overlap in time.
typedef struct lanecull_solid_boxes lanecull_solid_boxes;

LANECULL_STRUCT(MergeOptions, merge_options) {
    uint32_t max_boxes LANECULL_0;  ///< only the so many largest boxes; 0: all
    uint32_t reserved_too LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(merge_options, 32)

/// A surface of triangles. Triangle t has the vertices indices[3 t], indices[3 t + 1] and indices[3 t + 2].
LANECULL_STRUCT(TriangleMesh, triangle_mesh) {
    lanecull_vertices vertices LANECULL_0;
    const uint32_t* indices LANECULL_0;  ///< 3 triangle_count of them
    uint32_t triangle_count LANECULL_0;  ///< at least 1
    uint32_t reserved_too LANECULL_0;
};
LANECULL_LAYOUT(triangle_mesh, 48)

#define LANECULL_MAX_SOLID_RESOLUTION 256
#define LANECULL_MAX_MESH_SOLIDS 256

LANECULL_STRUCT(MeshSolidOptions, mesh_solid_options) {
    /// Cells along the mesh's longest extent, 1 to 256, and no more along the others; 0: 32. Parts thinner than two
    /// or three cells may get no box, but for walls along the axes. More than 64 hardly cover more with so few boxes.
    uint32_t resolution LANECULL_0;
    uint32_t max_boxes LANECULL_0;   ///< how many boxes, at most: 1 to 256; 0: 16
    uint32_t is_ungrown LANECULL_0;  ///< 0: boxes are grown until they touch the mesh; 1: they are whole cells
    uint32_t reserved_too LANECULL_0;
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(mesh_solid_options, 32)

/// Volumes, rounded; in cubic units. All of the struct is written.
LANECULL_STRUCT(MeshVolumes, mesh_volumes) {
    double mesh LANECULL_0;   ///< what the mesh encloses; parts that overlap count each
    double boxes LANECULL_0;  ///< of the boxes' union: boxes / mesh is the share of the mesh that is covered
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(mesh_volumes, 32)

LANECULL_C_BEGIN
/// No boxes yet.
LANECULL_API lanecull_solid_boxes* lanecull_create_solid_boxes(void) LANECULL_NOEXCEPT;
LANECULL_API_PLAIN void lanecull_destroy_solid_boxes(lanecull_solid_boxes* solids) LANECULL_NOEXCEPT;

/// How many boxes there are; of null 0.
LANECULL_API uint32_t lanecull_solid_box_count(const lanecull_solid_boxes* solids) LANECULL_NOEXCEPT;

/// The boxes, as streams that are valid until `solids` is written or destroyed. min < max along each axis, all finite.
/// Larger ones come first: by surface, since the mean area of a convex solid's outlines is a quarter of its surface
/// (Cauchy). Writes all of `boxes`; of null no boxes.
LANECULL_API_PLAIN void lanecull_solid_box_streams(const lanecull_solid_boxes* solids,
                                                   lanecull_boxes* boxes) LANECULL_NOEXCEPT;

/// Who covers box i, ascending: the box lies in the union of these input boxes of lanecull_merge_boxes(). It hides
/// something only where all of them are drawn. Few, but not always as few as possible. For lanecull_find_mesh_solids()
/// there are none: the mesh is the owner. As long valid as the streams. Fails, with nothing written, if there is no
/// such box.
LANECULL_API lanecull_status lanecull_solid_box_owners(const lanecull_solid_boxes* solids, uint32_t i,
                                                       lanecull_const_indices* owners) LANECULL_NOEXCEPT;

/// Merges abutting and overlapping boxes into fewer, larger ones. Buildings that are made of 6 x 6 x 4 abutting modules
/// become one box each. options: optional.
///
/// Each box that is returned lies in the union of the boxes given, as a set of real points. Faces are coordinates of
/// the boxes given, so nothing is rounded and there is no tolerance. Boxes abut where their floats are equal (-0 is 0).
/// A gap, however thin, can be seen through, and is never closed: modules that are meant to abut must compute their
/// common face once, such as from the number of the grid's line, not each from its own centre and size.
///
/// Each solid box that is given lies in one that is returned, unless `options->max_boxes` cuts the list short; so
/// nothing hides less than before. Boxes that are returned may overlap, and grow beyond a given box only into others.
///
/// Left out is what is no solid: boxes that are invalid (batch.h), and boxes with min == max along an axis, which
/// enclose nothing. They hide nothing, are no owners, and have no effect on the others.
///
/// Fails if a stream is null or for lack of memory. `boxes` may be streams of `merged`.
/// Takes 1 to 3 microseconds a box where boxes are parts of buildings, some 30 where a million of any sizes overlap,
/// and more where most of them overlap each other (benchmarks solids/merge_boxes); some 100 bytes of memory a box, 4
/// for each owner, and up to 70 MB besides. If more than 4,096 boxes hang together, or their faces make a grid of
/// more than 2^22 cells (for more than 4,096 boxes in all: or of more than 1,024 for each that hangs together), they
/// are merged in parts, and the results with each other, while that makes them a quarter fewer. Such boxes can come out
/// smaller than they could be.
LANECULL_API lanecull_status lanecull_merge_boxes(const lanecull_boxes* boxes, const lanecull_merge_options* options,
                                                  lanecull_solid_boxes* merged) LANECULL_NOEXCEPT;

/// Boxes inside a closed triangle mesh: each box lies within what the mesh encloses, as a set of real points. It may
/// touch the mesh. options: optional.
///
/// The mesh must be *closed*: once vertices of equal coordinates count as one, each edge is gone along as often one way
/// as the other by the triangles at it (in most meshes by two triangles, once each way). An open mesh, or one with a
/// flipped triangle, is refused. A triangle with two equal corners is passed over.
///
/// Inside are the points whose winding number has the sign of the mesh's exact volume (that of 0 is +1),
/// and the surface around them. For a mesh whose triangles are anticlockwise seen from outside the number is 1 inside;
/// if all are clockwise, it is -1, and so is the volume's sign. It follows that
///  - where parts of a mesh overlap, or lie in each other the same way round, all of them are inside;
///  - a closed part the other way round within another is a cavity, and stays empty;
///  - what only lies in parts that are the other way round by themselves is not inside: drawn without back faces, such
///    a part shows nothing in front.
///
/// Cells of a grid that no triangle meets, and whose winding number has that sign, are merged into boxes, one after the
/// other: each covers the most volume that none before it covers, among many candidates. So the first few count most.
/// Both tests are certain: an error of rounding can cost a cell, and never adds one.
///
/// `solids` gets the boxes, larger ones first, without owners; none if no cell is inside. `volumes` may be null.
/// Fails, and writes nothing, if the mesh is not closed, an index is out of range, a coordinate is not finite, a
/// pointer is null, an option is out of its range, or for lack of memory. Takes some 60 ms for a mesh of 2,000
/// triangles (benchmarks solids/solid_boxes); 14 bytes of memory a cell and 150 a triangle.
LANECULL_API lanecull_status lanecull_find_mesh_solids(const lanecull_triangle_mesh* mesh,
                                                       const lanecull_mesh_solid_options* options,
                                                       lanecull_solid_boxes* solids,
                                                       lanecull_mesh_volumes* volumes) LANECULL_NOEXCEPT;

/// Finds a polytope with up to 17 of the vertices as its corners, bit by bit; so it lies in their convex hull. It is
/// that hull where the hull has no more corners. Otherwise vertices are taken one at a time, the one that adds most
/// volume first: 17 of 1,000 vertices of a ball enclose 0.67 of it, 17 of 128 of a cylinder 0.92.
///
/// Fails, leaving `hull` untouched, where lanecull_bounding_box() would; if a coordinate is beyond 1e30; and if the
/// vertices lie in a plane, but for 2^-40 of their extent.
///
/// Takes some 17 passes over the vertices (benchmarks solids/inscribe_hull). Allocates nothing.
LANECULL_API lanecull_status lanecull_inscribe_hull(const lanecull_vertices* vertices,
                                                    lanecull_solid_hull* hull) LANECULL_NOEXCEPT;

/// Finds a polytope of 16 corners inside a capsule, or a ball where a and b, 3 numbers each, are equal; that is proved
/// before it is returned. It encloses 0.66 of a ball and 0.87 of a long capsule. hull->drawn is around the capsule.
/// Fails, leaving `hull` untouched, if a number is not finite or beyond 1e30, if the radius is not above 0, or if it is
/// below some 2^-23 of the coordinates. Allocates nothing.
LANECULL_API lanecull_status lanecull_inscribe_capsule(const float* a, const float* b, float radius,
                                                       lanecull_solid_hull* hull) LANECULL_NOEXCEPT;
/// The same of a cylinder (Cylinders, batch.h): a prism of 16 corners, which encloses 0.90 of it. Fails also if a and b
/// are equal, or nearer than that.
LANECULL_API lanecull_status lanecull_inscribe_cylinder(const float* a, const float* b, float radius,
                                                        lanecull_solid_hull* hull) LANECULL_NOEXCEPT;

/// A convex polytope of up to 17 corners inside a closed triangle mesh, for meshes that few boxes fill badly: balls,
/// cylinders, roofs. As lanecull_find_mesh_solids() has it, the mesh must be closed, and what is inside has the sign of
/// its volume.
///
/// It is lanecull_inscribe_hull()'s of the mesh's vertices, made smaller about `inside` until no triangle of the mesh
/// meets it: by a thousandth where the mesh is convex, by up to 60 % where it is not. With the mesh, hull->drawn is
/// around all vertices.
///
/// inside: 3 numbers, a point of which the caller knows that the mesh encloses it, such as the middle of the first of
/// lanecull_find_mesh_solids(). Near the middle of the mesh is best. volume: null, or receives the polytope's, rounded.
///
/// Fails, and writes nothing, where lanecull_find_mesh_solids() and lanecull_inscribe_hull() refuse the mesh or its
/// vertices, if a coordinate of `inside` is not finite, or if no such polytope was found, as in most meshes that are
/// far from convex. Takes 150 bytes of memory a triangle (benchmarks solids/solid_hull).
LANECULL_API lanecull_status lanecull_find_solid_hull(const lanecull_triangle_mesh* mesh, const float* inside,
                                                      lanecull_solid_hull* hull, double* volume) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
constexpr uint32_t max_solid_resolution = LANECULL_MAX_SOLID_RESOLUTION, max_mesh_solids = LANECULL_MAX_MESH_SOLIDS;

/// Boxes with what covers each of them. One that is null (Owned) has no boxes, and calls that would write it fail.
class SolidBoxes : public Owned<lanecull_solid_boxes, lanecull_create_solid_boxes, lanecull_destroy_solid_boxes> {
public:
    [[nodiscard]] uint32_t count() const noexcept { return lanecull_solid_box_count(it_); }
    [[nodiscard]] Boxes boxes() const noexcept {
        Boxes streams;
        lanecull_solid_box_streams(it_, &streams);
        return streams;
    }
    [[nodiscard]] Span<const uint32_t> owners(uint32_t i) const noexcept {
        Span<const uint32_t> of_it;
        return lanecull_solid_box_owners(it_, i, &of_it).code == StatusCode::ok ? of_it : Span<const uint32_t>();
    }
};

/// The functions above, for C++.
[[nodiscard]] inline Status merge_boxes(const Boxes& boxes, SolidBoxes& merged,
                                        const MergeOptions& options = {}) noexcept {
    return lanecull_merge_boxes(&boxes, &options, merged.get());
}
[[nodiscard]] inline Status solid_boxes(const TriangleMesh& mesh, SolidBoxes& boxes,
                                        const MeshSolidOptions& options = {}, MeshVolumes* volumes = nullptr) noexcept {
    return lanecull_find_mesh_solids(&mesh, &options, boxes.get(), volumes);
}
[[nodiscard]] inline Status inscribe_hull(const Vertices& vertices, SolidHull& hull) noexcept {
    return lanecull_inscribe_hull(&vertices, &hull);
}
[[nodiscard]] inline Status inscribe_capsule(const float (&a)[3], const float (&b)[3], float radius,
                                             SolidHull& hull) noexcept {
    return lanecull_inscribe_capsule(a, b, radius, &hull);
}
[[nodiscard]] inline Status inscribe_cylinder(const float (&a)[3], const float (&b)[3], float radius,
                                              SolidHull& hull) noexcept {
    return lanecull_inscribe_cylinder(a, b, radius, &hull);
}
[[nodiscard]] inline Status solid_hull(const TriangleMesh& mesh, const float (&inside)[3], SolidHull& hull,
                                       double* volume = nullptr) noexcept {
    return lanecull_find_solid_hull(&mesh, inside, &hull, volume);
}
}  // namespace lanecull
#endif
