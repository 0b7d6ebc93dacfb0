#pragma once

#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/bounds.hpp>
#include <lanecull/export.hpp>
#include <lanecull/memory.hpp>
#include <lanecull/solid_hull.hpp>
#include <lanecull/status.hpp>

/// Solid boxes: few large axis-aligned boxes that lie wholly inside what is drawn, for occluders; and convex polytopes
/// that do. To be made once, when a level is loaded or built.
///
/// A solid box is a claim that all of it is filled. It is proved before it is returned. Its faces are floats, and the
/// box is the set of points that they define exactly.
///
/// The functions allocate. Nothing throws. A call that fails, for an argument or for lack of memory, leaves the result
/// as it was. Thread-safe; one thread each. The same input gives the same bytes. The caller's floating-point modes do
/// not matter and are not changed.
namespace lanecull {

/// Boxes with what covers each of them. Holds its memory; may be moved, not copied.
class LANECULL_API SolidBoxes {
public:
    SolidBoxes() noexcept;
    SolidBoxes(SolidBoxes&& other) noexcept;
    SolidBoxes& operator=(SolidBoxes&& other) noexcept;
    ~SolidBoxes();

    [[nodiscard]] std::uint32_t count() const noexcept { return boxes().count; }

    /// The boxes, as streams that are valid until this object is written, moved or destroyed. min < max along each
    /// axis, all finite. Larger ones come first: by surface, since the mean area of a convex solid's outlines is a
    /// quarter of its surface (Cauchy).
    [[nodiscard]] Boxes boxes() const noexcept;

    /// Who covers box i, ascending: the box lies in the union of these input boxes of merge_boxes(). It hides something
    /// only where all of them are drawn. Few, but not always as few as possible. For solid_boxes() there are none: the
    /// mesh is the owner.
    [[nodiscard]] std::span<const std::uint32_t> owners(std::uint32_t i) const noexcept;

    /// The memory of the boxes. Not part of the interface.
    struct Contents;

private:
    friend struct SolidBoxesAccess;
    Owned<Contents> contents_;
};

struct MergeOptions {
    /// Only the so many largest boxes; 0: all.
    std::uint32_t max_boxes = 0;
};

/// Merges abutting and overlapping boxes into fewer, larger ones. Buildings that are made of 6 x 6 x 4 abutting modules
/// become one box each.
///
/// Each box that is returned lies in the union of the boxes given, as a set of real points. Faces are coordinates of
/// the boxes given, so nothing is rounded and there is no tolerance. Boxes abut where their floats are equal (-0 is 0).
/// A gap, however thin, can be seen through, and is never closed: modules that are meant to abut must compute their
/// common face once, such as from the number of the grid's line, not each from its own centre and size.
///
/// Each solid box that is given lies in one that is returned, unless `options.max_boxes` cuts the list short; so
/// nothing hides less than before. Boxes that are returned may overlap, and grow beyond a given box only into others.
///
/// Left out is what is no solid: boxes that are invalid (batch.hpp), and boxes with min == max along an axis, which
/// enclose nothing. They hide nothing, are no owners, and have no effect on the others.
///
/// Fails if a stream is null or for lack of memory. `boxes` may be streams of `merged`.
///
/// Takes 1 to 3 microseconds a box where boxes are parts of buildings, some 30 where a million of any sizes overlap,
/// and more where most of them overlap each other (benchmarks solids/merge_boxes); some 100 bytes of memory a box, 4
/// for each owner, and up to 70 MB besides. Where more than 4,096 boxes hang together, or their faces make a grid of
/// more than 2^22 cells (for more than 4,096 boxes in all: or of more than 1,024 for each that hangs together), they
/// are merged in parts, and the results with each other, while that makes them a quarter fewer. Such boxes can come out
/// smaller than they could be.
LANECULL_API Status merge_boxes(const Boxes& boxes, SolidBoxes& merged, const MergeOptions& options = {}) noexcept;

/// A surface of triangles. Triangle t has the vertices indices[3 t], indices[3 t + 1] and indices[3 t + 2].
struct TriangleMesh {
    Vertices vertices = {};
    const std::uint32_t* indices = nullptr;  ///< 3 triangle_count of them
    std::uint32_t triangle_count = 0;        ///< at least 1
};

constexpr std::uint32_t max_solid_resolution = 256, max_mesh_solids = 256;

struct MeshSolidOptions {
    /// Cells along the mesh's longest extent, 1 to 256, and no more along the others. What is thinner than two or three
    /// cells may get no box, but for walls along the axes. More than 64 hardly cover more with so few boxes.
    std::uint32_t resolution = 32;
    /// How many boxes, at most: 1 to 256.
    std::uint32_t max_boxes = 16;
    /// Whether the boxes are grown until they touch the mesh.
    bool grow = true;
};

/// Volumes, rounded; in cubic units.
struct MeshVolumes {
    double mesh = 0;   ///< what the mesh encloses; parts that overlap count each
    double boxes = 0;  ///< of the boxes' union: boxes / mesh is the share of the mesh that is covered
};

/// Boxes inside a closed triangle mesh: each box lies within what the mesh encloses, as a set of real points. It may
/// touch the mesh.
///
/// The mesh must be *closed*: once vertices of equal coordinates count as one, each edge is gone along as often one way
/// as the other by the triangles at it (in most meshes by two triangles, once each way). An open mesh, or one with a
/// flipped triangle, is refused. A triangle with two equal corners is passed over.
///
/// What counts as inside: the points whose winding number has the sign of the mesh's exact volume (that of 0 is +1),
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
/// `boxes` gets the boxes, larger ones first, without owners; none if no cell is inside. `volumes` may be null.
///
/// Fails, and writes nothing, if the mesh is not closed, an index is out of range, a coordinate is not finite, a
/// pointer is null, an option is out of its range, or for lack of memory. Takes some 60 ms for a mesh of 2,000
/// triangles at the default resolution and 0.8 s for one of 160,000 (benchmarks solids/solid_boxes); 14 bytes of
/// memory a cell and 150 a triangle.
LANECULL_API Status solid_boxes(const TriangleMesh& mesh, SolidBoxes& boxes, const MeshSolidOptions& options = {},
                                MeshVolumes* volumes = nullptr) noexcept;

/// A convex polytope of up to 17 corners inside a closed triangle mesh, for meshes that few boxes fill badly: balls,
/// cylinders, roofs. As solid_boxes() has it, the mesh must be closed, and what is inside has the sign of its volume.
///
/// It is inscribe_hull()'s of the mesh's vertices, made smaller about `inside` until no triangle of the mesh meets it:
/// by a thousandth where the mesh is convex, by up to 60 % where it is not. With the mesh, hull->drawn is around all
/// vertices.
///
/// inside: a point of which the caller knows that the mesh encloses it, such as the middle of the first of
/// solid_boxes(). Near the middle of the mesh is best. volume: null, or receives the polytope's, rounded.
///
/// Fails, and writes nothing, where solid_boxes() and inscribe_hull() refuse the mesh or its vertices, if a coordinate
/// of `inside` is not finite, or if no such polytope was found, as in most meshes that are far from convex.
///
/// Takes inscribe_hull()'s time and some 0.1 to 3 microseconds a triangle (benchmarks solids/solid_hull); 150 bytes of
/// memory a triangle. Thread-safe.
LANECULL_API Status solid_hull(const TriangleMesh& mesh, const float (&inside)[3], SolidHull& hull,
                               double* volume = nullptr) noexcept;

}  // namespace lanecull
