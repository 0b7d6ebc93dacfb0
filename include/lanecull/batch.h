#pragma once

#include <lanecull/types.h>

/// Batches: many convex objects of one kind, as structure of arrays over the caller's memory.
///
///     C++   lanecull::Batch batch = lanecull::Spheres{x, y, z, radius, 3};
///     C     lanecull_batch batch = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, 3}};
///
/// What holds for every kind:
///  - A batch owns nothing. The arrays must exist and must not be written while a cull reads them. Any number of culls
///    may read them at once.
///  - A stream is a contiguous array of `count` floats, one for each object. Records are read at a byte stride (below).
///    Any 4-byte alignment will do. Nothing beyond the last object's data is read.
///  - Units are the caller's own, the same for every batch and view of a call. Coordinates are the world's, in floats.
///    In worlds too large for floats, store coordinates relative to a tile's origin instead, and give each view the eye
///    relative to the same origin: ClipSpace::origin = eye - tile's origin.
///  - Numbers are taken as stored: the object *is* the set of points that they define exactly.
///  - An object is *invalid* if it has a NaN or infinite number, a negative radius or half-extent, min > max, a zero
///    quaternion, or a hull index out of range, or if its coordinates add up to more than 1e37. It is always reported
///    visible, is counted in Reason::visible_invalid, and has no effect on its neighbours. If a bounding sphere
///    is given, the sphere alone decides until the object's records are read; the functions that compute bounding
///    spheres give an invalid object a NaN.
///  - `count` may be 0; then the pointers are not read.

/// Records of floats read at a stride: record i starts at byte `i * stride_bytes` from `first`.
LANECULL_STRUCT(Records, records) {
    const float* first LANECULL_0;
    /// Bytes from one record to the next: a multiple of 4, at least the record's own size and at most 65,536. 0: one
    /// record right after the other.
    size_t stride_bytes LANECULL_0;
};
LANECULL_LAYOUT(records, 16)

/// Positions in double precision, 3 doubles a record, read at a stride.
LANECULL_STRUCT(DoubleRecords, double_records) {
    const double* first LANECULL_0;
    /// Bytes from one record to the next: a multiple of 8 from 24 to 65,536. 0: one record right after the other.
    size_t stride_bytes LANECULL_0;
};
LANECULL_LAYOUT(double_records, 16)

/// How the numbers of an affine transform p -> A p + t follow each other in memory. 0 names no layout.
LANECULL_ENUM(TransformLayout, transform_layout){
    /// 12 floats: (A00 A01 A02 t0) (A10 A11 A12 t1) (A20 A21 A22 t2)
    LANECULL_VALUE(ROWS_3X4, rows_3x4) = 1,
    /// 12 floats: (A00 A10 A20) (A01 A11 A21) (A02 A12 A22) (t0 t1 t2)
    LANECULL_VALUE(COLUMNS_3X4, columns_3x4) = 2,
    /// 16 floats: the rows of rows_3x4, then (0 0 0 1)
    LANECULL_VALUE(ROWS_4X4, rows_4x4) = 3,
    /// 16 floats: (A00 A10 A20 0) (A01 A11 A21 0) (A02 A12 A22 0) (t0 t1 t2 1)
    LANECULL_VALUE(COLUMNS_4X4, columns_4x4) = 4,
};

/// The transforms of objects, as engines have them, read at a stride. A may mirror, shear, scale and be singular. The
/// numbers are taken as stored: these are the transforms that a shader reads.
LANECULL_STRUCT(Transforms, transforms) {
    const float* first LANECULL_0;
    /// Bytes from one transform to the next: a multiple of 4, at least the transform's own size and at most 65,536. 0:
    /// one transform right after the other.
    size_t stride_bytes LANECULL_0;
    /// Must be named: whoever reads transforms fails where it is none of the enumerators, as it is by default. Sixteen
    /// floats that are read as twelve would be other transforms.
    lanecull_transform_layout layout LANECULL_0;
    /// Optional, for worlds too large for floats: position i, less `origin`, is added to object i's translation. What
    /// comes out is then relative to `origin`, as is the view that it is culled in (ClipSpace::origin = eye - origin).
    lanecull_double_records positions LANECULL_0;
    double origin[3] LANECULL_0;
};
LANECULL_LAYOUT(transforms, 64)

/// The kinds of shapes that a batch may have.
LANECULL_ENUM(Kind, kind){
    LANECULL_VALUE(NO_KIND, none) = 0,  ///< that of a batch that was not set: calls refuse it
    LANECULL_VALUE(SPHERES, spheres) = 1,
    LANECULL_VALUE(BOXES, boxes) = 2,
    LANECULL_VALUE(CENTERED_BOXES, centered_boxes) = 3,
    LANECULL_VALUE(ORIENTED_BOXES, oriented_boxes) = 4,
    LANECULL_VALUE(CAPSULES, capsules) = 5,
    LANECULL_VALUE(HULL_INSTANCES, hull_instances) = 6,
    LANECULL_VALUE(BOX_INSTANCES, box_instances) = 7,
    LANECULL_VALUE(CYLINDERS, cylinders) = 8,
    LANECULL_VALUE(ELLIPSOIDS, ellipsoids) = 9,
    LANECULL_VALUE(CONES, cones) = 10,
};

/// Balls: every point within `radius` of (x, y, z). 16 bytes an object.
LANECULL_STRUCT(Spheres, spheres) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    const float* radius LANECULL_0;  ///< >= 0; 0 is a point
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::spheres;
#endif
};
LANECULL_LAYOUT(spheres, 40)

/// Axis-aligned boxes by their corners: min <= p <= max. 24 bytes an object, the cheapest boxes to cull.
LANECULL_STRUCT(Boxes, boxes) {
    const float* min_x LANECULL_0;
    const float* min_y LANECULL_0;
    const float* min_z LANECULL_0;
    const float* max_x LANECULL_0;
    const float* max_y LANECULL_0;
    const float* max_z LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::boxes;
#endif
};
LANECULL_LAYOUT(boxes, 56)

/// Axis-aligned boxes by centre and half-extents: |p - centre| <= half, component by component. 24 bytes an object.
LANECULL_STRUCT(CenteredBoxes, centered_boxes) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    const float* half_x LANECULL_0;  ///< >= 0, as the other two
    const float* half_y LANECULL_0;
    const float* half_z LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::centered_boxes;
#endif
};
LANECULL_LAYOUT(centered_boxes, 56)

/// Oriented boxes: centre + sum over k of s_k half_k axis_k, |s_k| <= 1.
///
/// Centre and bounding radius are streams that are read for every object. Orientation and half-extents are records that
/// are read only for the few objects that their bounding sphere leaves undecided. The orientation is given as `axes` or
/// as `quaternions`, exactly one of the two.
LANECULL_STRUCT(OrientedBoxes, oriented_boxes) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    /// 9 floats a record: the three axes one after the other. They are used as stored: an axis of length 2 doubles that
    /// half-extent, axes need not be orthogonal (a sheared box), left-handed triples are fine, and zero axes make flat
    /// boxes.
    lanecull_records axes LANECULL_0;
    /// 4 floats a record, (x, y, z, w): the axes are the columns of the rotation matrix of q / |q|. So |q| need not be
    /// 1, but its square must be a normal float: a box with |q| outside of 1e-18 to 1e18 is invalid.
    lanecull_records quaternions LANECULL_0;
    /// 3 floats a record, each >= 0.
    lanecull_records half_extents LANECULL_0;
    /// Optional stream. No point of box i may be farther than bounding_radius[i] from its centre; otherwise the box may
    /// be culled wrongly. lanecull_bounding_radii() (bounds.h) computes such radii. Without this stream every object's
    /// records are read, which takes some 5 times as long for uniformly placed objects.
    const float* bounding_radius LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::oriented_boxes;
#endif
};
LANECULL_LAYOUT(oriented_boxes, 88)

/// Capsules: every point within `radius` of the segment from a to b. 28 bytes an object. a == b makes a ball.
LANECULL_STRUCT(Capsules, capsules) {
    const float* a_x LANECULL_0;
    const float* a_y LANECULL_0;
    const float* a_z LANECULL_0;
    const float* b_x LANECULL_0;
    const float* b_y LANECULL_0;
    const float* b_z LANECULL_0;
    const float* radius LANECULL_0;  ///< >= 0; 0 is a segment
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::capsules;
#endif
};
LANECULL_LAYOUT(capsules, 64)

/// A vertex set that many instances share: the convex hull of `count` points. lanecull_prepare_hull() makes it and
/// fills the bounds. The vertices stay the caller's and must not change afterwards.
LANECULL_STRUCT(Hull, hull) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    uint32_t count LANECULL_0;
    float lower[3] LANECULL_0;  ///< smallest coordinate of any vertex
    float upper[3] LANECULL_0;  ///< largest coordinate of any vertex
    float mean[3] LANECULL_0;   ///< the vertices' mean: a point of the hull
    float outer LANECULL_0;     ///< no vertex is farther from the mean
    float inner LANECULL_0;     ///< a ball of this radius around the mean lies in the hull; 0 where none is known
};
LANECULL_LAYOUT(hull, 72)

/// Instances of hulls: object i is { A_i p + t_i : p in hulls[hull_index[i]] }. It is also invalid if the last row of a
/// 4x4 transform is not (0 0 0 1).
LANECULL_STRUCT(HullInstances, hull_instances) {
    lanecull_transforms transforms LANECULL_0;
    const lanecull_hull* hulls LANECULL_0;
    uint32_t hull_count LANECULL_0;
    /// Stream: which hull. Null if there is only one. Instances of one hull that follow each other are tested together:
    /// across the volume's boundary, those in random order take 1.2 to 1.35 times as long as those ordered by hull.
    const uint32_t* hull_index LANECULL_0;
    /// Optional streams, all four or none: a sphere that contains instance i. It is tested before the instance's
    /// transform is read. If it does not contain the instance, the instance may be culled wrongly.
    /// lanecull_hull_bounding_spheres() (bounds.h) computes such spheres.
    const float* bounding_x LANECULL_0;
    const float* bounding_y LANECULL_0;
    const float* bounding_z LANECULL_0;
    const float* bounding_radius LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::hull_instances;
#endif
};
LANECULL_LAYOUT(hull_instances, 128)

/// Boxes in the coordinates of objects or of their meshes, one an object or shared by index. They are streams
/// (`boxes`), or records: `lower` and `upper` point into the caller's own array of boxes, with its stride; then `boxes`
/// has their count alone.
LANECULL_STRUCT(LocalBoxes, local_boxes) {
    lanecull_boxes boxes LANECULL_0;
    /// Stream: object i has box box_index[i]. Null: box i, and there must be as many boxes as objects.
    const uint32_t* box_index LANECULL_0;
    lanecull_records lower LANECULL_0;  ///< 3 floats a record: each box's smallest coordinates
    lanecull_records upper LANECULL_0;  ///< 3 floats a record: its largest ones
};
LANECULL_LAYOUT(local_boxes, 96)

/// Boxes under transforms: object i is { A_i p + t_i : p in its local box }, a parallelepiped, exactly.
///
/// For what an engine has anyway: its matrices, and a local box for each object or mesh. A cull of 10^6 takes 0.69 to
/// 0.73 of the time of lanecull_world_boxes() (bounds.h) and a cull of what it writes, of 10^4 0.84 to 1.0; it stores
/// nothing, and culls the box as it is turned, not the box along the world's axes around that. World boxes that are
/// culled several times, as in several views of a frame, are cheaper from the second time on.
///
/// An object is also invalid if min > max in its local box, if its box_index is out of range, if the last row of a 4x4
/// transform is not (0 0 0 1), or if a number overflows on the way.
LANECULL_STRUCT(BoxInstances, box_instances) {
    lanecull_transforms transforms LANECULL_0;
    lanecull_local_boxes local LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::box_instances;
#endif
};
LANECULL_LAYOUT(box_instances, 168)

/// Solid cylinders with flat ends: every point within `radius` of the line through a and b that lies between the planes
/// through a and through b at right angles to it. 28 bytes an object. One with a == b has no axis: it is invalid.
LANECULL_STRUCT(Cylinders, cylinders) {
    const float* a_x LANECULL_0;
    const float* a_y LANECULL_0;
    const float* a_z LANECULL_0;
    const float* b_x LANECULL_0;
    const float* b_y LANECULL_0;
    const float* b_z LANECULL_0;
    const float* radius LANECULL_0;  ///< >= 0; 0 is a segment
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::cylinders;
#endif
};
LANECULL_LAYOUT(cylinders, 64)

/// Ellipsoids: centre + sum over k of s_k half_k axis_k with s_1^2 + s_2^2 + s_3^2 <= 1, where the axes are the columns
/// of the rotation matrix of the quaternion. Particles, and Gaussian splats: half-axes are the deviations times how
/// many of them are drawn.
///
/// Centre and bounding radius are streams that are read for every object. The records are read only for the few objects
/// that their bounding sphere leaves undecided.
LANECULL_STRUCT(Ellipsoids, ellipsoids) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    /// 4 floats a record, (x, y, z, w), of any length from 1e-18 to 1e18; others make the object invalid.
    lanecull_records quaternions LANECULL_0;
    /// 3 floats a record, each >= 0. With zeros it is an ellipse, a segment or a point.
    lanecull_records half_axes LANECULL_0;
    /// Optional stream. No point of ellipsoid i may be farther than bounding_radius[i] from its centre; otherwise it
    /// may be culled wrongly. Its largest half-axis will do. Without this stream every object's records are read.
    const float* bounding_radius LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::ellipsoids;
#endif
};
LANECULL_LAYOUT(ellipsoids, 72)

/// How cones end.
LANECULL_ENUM(ConeEnd, cone_end){
    LANECULL_VALUE(CONE_FLAT, flat) = 0,    ///< by the disc inside of the rim
    LANECULL_VALUE(CONE_ROUND, round) = 1,  ///< by the part that the rim cuts off the sphere around the apex
};

/// Solid cones: the convex hull of the apex and of the base. The base's rim is a circle around the base's middle, at
/// right angles to the way from the apex to there. 28 bytes an object. One whose apex is its base's middle has no axis:
/// it is invalid.
///
/// A spotlight of half-angle a below 90 degrees and range r lights exactly the round cone with base = apex + r cos(a) *
/// direction and radius = r sin(a).
LANECULL_STRUCT(Cones, cones) {
    const float* apex_x LANECULL_0;
    const float* apex_y LANECULL_0;
    const float* apex_z LANECULL_0;
    const float* base_x LANECULL_0;
    const float* base_y LANECULL_0;
    const float* base_z LANECULL_0;
    const float* radius LANECULL_0;  ///< of the rim; >= 0; 0 is a segment
    uint32_t count LANECULL_0;
    lanecull_cone_end end LANECULL_0;  ///< of all of them
#ifdef __cplusplus
    static constexpr Kind kind = Kind::cones;
#endif
};
LANECULL_LAYOUT(cones, 64)

/// Bits of Attributes::flags. Others are ignored. In C++ they are plain numbers: lanecull::object_disabled.
#ifdef __cplusplus
namespace lanecull {
enum ObjectFlag : uint32_t {
#else
typedef uint32_t lanecull_object_flag;
enum {
#endif
    /// Culled from every view, whatever its other attributes.
    LANECULL_VALUE(OBJECT_DISABLED, object_disabled) = 1,
    /// Visible wherever it is; its shape, distance and size are not read.
    LANECULL_VALUE(OBJECT_ALWAYS_VISIBLE, object_always_visible) = 2,
};
#ifdef __cplusplus
}  // namespace lanecull
typedef lanecull::ObjectFlag lanecull_object_flag;
#endif

/// What objects of any kind may have besides their shape: optional streams of `count` entries each, null for none. Like
/// the shapes' arrays they stay the caller's and are only read.
///
/// A margin or sweep makes the shape larger; everything said about shapes then holds for the larger one. A batch's
/// bounding spheres and radii are those of the shapes without margin and sweep.
///
/// An object is invalid if its attributes have a NaN, a negative number where none may be, or an infinite margin or
/// sweep. It is visible and counted as invalid, unless it is disabled or on none of the view's layers.
///
/// Flags and layers cost least, then margins and distances, then sweeps; all together some two times as much as a cull
/// of balls without (benchmarks attributes/).
LANECULL_STRUCT(Attributes, attributes) {
    /// Every point within `margin` >= 0 of the shape belongs to the object: displacement, skinning, a collision skin.
    const float* margin LANECULL_0;
    /// The shape moves by (sweep_x, sweep_y, sweep_z) in a straight line; every place that it passes belongs to the
    /// object. All three streams or none.
    const float* sweep_x LANECULL_0;
    const float* sweep_y LANECULL_0;
    const float* sweep_z LANECULL_0;
    const uint32_t* flags LANECULL_0;  ///< bits of ObjectFlag
    /// Culled if the view hides all of its bits (ViewOptions::hidden_layers). An object without any bit is culled.
    const uint32_t* layers LANECULL_0;
    /// >= 0; infinity for no limit. The object is culled if all of it is proved to be farther than this from the view's
    /// eye. The proof uses one direction, from the eye to the object's centre. That is exact for balls, and nearly
    /// exact for objects that are small compared with their distance. Views without an eye ignore it.
    const float* max_distance LANECULL_0;
    /// >= 0; 0 for no limit. The object is culled if its projected size is proved to be smaller. That size is the
    /// diameter of the smallest ball around the object's centre (a cone's: its axis' middle) that contains it (for a
    /// hull, its box; without margin and sweep), seen at the object's smallest distance, as a fraction of the view's
    /// height. Views without a size scale ignore it.
    const float* min_projected_size LANECULL_0;
    /// >= 0; 0 for no limit. The object is culled if it is proved to be nearer than this to the view's eye: a proxy
    /// that is drawn from some distance on in place of its children (HLOD). Its distance is that of its nearest point,
    /// with margin and sweep; a hull's that of its box. The proof finds that point: for balls, boxes,
    /// capsules, cylinders and cones without sweep exactly but for rounding, for others nearly. Views without an eye
    /// ignore it.
    ///
    /// max_distance culls only what is farther than it, min_distance only what is nearer, both of the same distance. So
    /// of two batches with the same shapes, one with max_distance and one with the same numbers as min_distance, at
    /// least one shows each object, whatever was rounded. Both show it within the bound on rounding; and, where an
    /// object is no ball but has radius r, from max_distance up to the root of max_distance^2 + r^2.
    ///
    /// If a proxy contains several smaller children, some of them are farther away than the proxy's nearest point.
    /// Then nothing is missing if each child's max_distance is at least the proxy's min_distance plus the largest
    /// distance between two of the proxy's points.
    const float* min_distance LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(attributes, 96)

/// VkDrawIndexedIndirectCommand, D3D12_DRAW_INDEXED_ARGUMENTS, OpenGL's DrawElementsIndirectCommand.
LANECULL_STRUCT(DrawCommand, draw_command) {
    uint32_t index_count LANECULL_0;
    uint32_t instance_count LANECULL_DEFAULT(1);
    uint32_t first_index LANECULL_0;
    int32_t vertex_offset LANECULL_0;
    uint32_t first_instance LANECULL_0;
};
LANECULL_LAYOUT(draw_command, 20)

/// What a template is of.
LANECULL_ENUM(DrawPer, draw_per){
    /// DrawTemplates::first is the only template; object i's command is a copy of it with first_instance + i
    LANECULL_VALUE(DRAW_PER_BATCH, batch) = 0,
    /// template i, DrawTemplates::stride_bytes after the one before, is object i's command as it is
    LANECULL_VALUE(DRAW_PER_OBJECT, object) = 1,
};

/// The commands that draw a batch's objects, for Output::draws. Not read if no view has draws.
LANECULL_STRUCT(DrawTemplates, draw_templates) {
    const lanecull_draw_command* first LANECULL_0;
    lanecull_draw_per per LANECULL_0;
    uint32_t stride_bytes LANECULL_0;  ///< a multiple of 4, 20 to 65,536; 0: 20
#ifdef __cplusplus
    using Per = DrawPer;
#endif
};
LANECULL_LAYOUT(draw_templates, 16)

/// The shapes of a batch: one of them, by Batch::kind.
LANECULL_UNION(Shapes, shapes) {
    uint64_t reserved[28];  // 224 bytes: kinds to come have room
    lanecull_spheres spheres;
    lanecull_boxes boxes;
    lanecull_centered_boxes centered_boxes;
    lanecull_oriented_boxes oriented_boxes;
    lanecull_capsules capsules;
    lanecull_hull_instances hull_instances;
    lanecull_box_instances box_instances;
    lanecull_cylinders cylinders;
    lanecull_ellipsoids ellipsoids;
    lanecull_cones cones;
#ifdef __cplusplus
    Shapes() noexcept : reserved{} {}
#endif
};
LANECULL_LAYOUT(shapes, 224)

/// A batch of any kind. Each batch of a call starts a new 64-object word in the visibility bits.
LANECULL_STRUCT(Batch, batch) {
    lanecull_kind kind LANECULL_0;
    uint32_t first_index LANECULL_0;  ///< object i appears in index lists as first_index + i (modulo 2^32)
    lanecull_shapes shapes LANECULL_0;
    lanecull_attributes attributes LANECULL_0;
    lanecull_draw_templates draws LANECULL_0;
    uint64_t reserved[5] LANECULL_0;
#ifdef __cplusplus
    Batch() noexcept = default;
    /// Any of the kinds above. Object i of this batch appears in index lists as `first + i` (modulo 2^32).
    template <class OfKind, class = std::enable_if_t<std::is_same<decltype(OfKind::kind), const Kind>::value>>
    Batch(const OfKind& of, uint32_t first = 0) noexcept : kind(OfKind::kind), first_index(first) {
        static_assert(sizeof of <= sizeof shapes && std::is_trivially_copyable<OfKind>::value, "no kind of shapes");
        ::new (static_cast<void*>(&shapes)) OfKind(of);
    }
    template <class OfKind, class = std::enable_if_t<std::is_same<decltype(OfKind::kind), const Kind>::value>>
    Batch(const OfKind& of, const Attributes& also, uint32_t first = 0) noexcept : Batch(of, first) {
        attributes = also;
    }

    /// Its shapes if they are of that kind, else null: `batch.get_if<Spheres>()`.
    template <class OfKind>
    [[nodiscard]] const OfKind* get_if() const noexcept {
        return kind == OfKind::kind ? reinterpret_cast<const OfKind*>(&shapes) : nullptr;
    }
    template <class OfKind>
    [[nodiscard]] OfKind* get_if() noexcept {
        return kind == OfKind::kind ? reinterpret_cast<OfKind*>(&shapes) : nullptr;
    }
    /// How many objects there are; 0 of a kind that these headers do not know.
    [[nodiscard]] uint32_t count() const noexcept {
        switch (kind) {
            case Kind::spheres:
                return shapes.spheres.count;
            case Kind::boxes:
                return shapes.boxes.count;
            case Kind::centered_boxes:
                return shapes.centered_boxes.count;
            case Kind::oriented_boxes:
                return shapes.oriented_boxes.count;
            case Kind::capsules:
                return shapes.capsules.count;
            case Kind::hull_instances:
                return shapes.hull_instances.count;
            case Kind::box_instances:
                return shapes.box_instances.count;
            case Kind::cylinders:
                return shapes.cylinders.count;
            case Kind::ellipsoids:
                return shapes.ellipsoids.count;
            case Kind::cones:
                return shapes.cones.count;
            case Kind::none:
                break;
        }
        return 0;
    }
#endif
};
LANECULL_LAYOUT(batch, 384)
LANECULL_SPAN(const lanecull_batch, batches)

LANECULL_C_BEGIN
/// Fills `hull`, in some sixteen passes over the vertices. There must be 1 to 65,535 vertices, all finite. Flat, linear
/// and single-point sets are hulls too. Vertices inside the hull do no harm but cost time. A failure names what is
/// wrong and leaves `hull` untouched. Thread-safe; allocates nothing.
LANECULL_API lanecull_status lanecull_prepare_hull(const float* x, const float* y, const float* z, uint32_t count,
                                                   lanecull_hull* hull) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// The functions above, for C++.
[[nodiscard]] inline Status prepare_hull(const float* x, const float* y, const float* z, uint32_t count,
                                         Hull& hull) noexcept {
    return lanecull_prepare_hull(x, y, z, count, &hull);
}
}  // namespace lanecull
#endif
