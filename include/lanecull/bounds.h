#pragma once

#include <lanecull/batch.h>
#include <lanecull/library.h>
#include <lanecull/types.h>
#include <lanecull/view.h>

/// Bounds of vertices, to make objects from; bounds of objects, to make them cheap to cull; and the streams of a
/// batch from local boxes and transforms, and from arrays of structs.
///
/// All results are exact in one direction: what is said to be contained is contained in the set that the result's
/// floats define, whatever was rounded in between. All functions are thread-safe, allocate nothing, and fail before
/// anything is written, naming the argument. The caller's floating-point modes do not matter and are not changed. They
/// run on `isa` as CullOptions::isa says. Null `options` stand for all defaults.

// Bounds of vertices

/// Vertices: vertex i is (x[i], y[i], z[i]) in three streams, or is read at a stride from records.
LANECULL_STRUCT(Vertices, vertices) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    uint32_t count LANECULL_0;  ///< at least 1
    /// Bytes from one vertex's number to the next vertex's, the same for x, y and z: a multiple of 4 up to 65,536. 0:
    /// three streams, as 4. For structs: {&v[0].x, &v[0].y, &v[0].z, count, sizeof(v[0])}.
    uint32_t stride_bytes LANECULL_0;
};
LANECULL_LAYOUT(vertices, 32)

/// lower <= p <= upper, component by component; a box of Boxes.
LANECULL_STRUCT(BoxBounds, box_bounds) {
    float lower[3] LANECULL_0;
    float upper[3] LANECULL_0;
};
LANECULL_LAYOUT(box_bounds, 24)

/// |p - center| <= radius; one of Spheres.
LANECULL_STRUCT(SphereBounds, sphere_bounds) {
    float center[3] LANECULL_0;
    float radius LANECULL_0;
};
LANECULL_LAYOUT(sphere_bounds, 16)

/// One of OrientedBoxes: center + sum over k of s_k half_extents[k] axis k, |s_k| <= 1. Axis k is axes[3 k] to
/// axes[3 k + 2]. The axes are of length 1 and at right angles as far as floats go, right-handed.
LANECULL_STRUCT(OrientedBoxBounds, oriented_box_bounds) {
    float center[3] LANECULL_0;
    float axes[9] LANECULL_0;
    float half_extents[3] LANECULL_0;
};
LANECULL_LAYOUT(oriented_box_bounds, 60)

LANECULL_C_BEGIN
/// The smallest axis-aligned box. Its corners' coordinates are coordinates of vertices.
///
/// This function and the next two fail, naming the argument, if a pointer is null, if the count is 0, if the stride
/// breaks its rule, or if a coordinate is not finite. A size or centre that is beyond floats' range becomes infinite;
/// then the object stays visible.
LANECULL_API lanecull_status lanecull_bounding_box(const lanecull_vertices* vertices, lanecull_isa isa,
                                                   lanecull_box_bounds* box) LANECULL_NOEXCEPT;

/// A sphere that contains every vertex: in most cases the smallest one, up to what rounding its centre to floats costs.
/// Takes some 10 passes over the vertices (benchmarks bounds/sphere).
LANECULL_API lanecull_status lanecull_bounding_sphere(const lanecull_vertices* vertices, lanecull_isa isa,
                                                      lanecull_sphere_bounds* sphere) LANECULL_NOEXCEPT;

/// An oriented box that contains every vertex, fitted to vertices that are extreme in some 20 directions. It is not the
/// smallest, but never larger than lanecull_bounding_box()'s, except for rounding. Takes some 25 passes over the
/// vertices, 10 ns a vertex from streams and 20 from records, plus 50 to 100 microseconds for the fit (benchmarks
/// bounds/oriented_box).
LANECULL_API lanecull_status lanecull_bounding_oriented_box(const lanecull_vertices* vertices, lanecull_isa isa,
                                                            lanecull_oriented_box_bounds* box) LANECULL_NOEXCEPT;

// Bounds of objects

/// Fills radius[0 .. boxes->count) so that the sphere around each box's centre contains the box. Radii are rounded up,
/// by some 2^-20 at most. An invalid box gets a NaN, which keeps it visible. `radius` must not overlap the batch. To be
/// called when objects change, not every frame.
LANECULL_API lanecull_status lanecull_bounding_radii(const lanecull_oriented_boxes* boxes,
                                                     float* radius) LANECULL_NOEXCEPT;

/// Fills the four arrays, instances->count floats each, so that each sphere contains its instance: all of the box
/// around its hull, under its transform. It is the sphere around that box's centre, with the distance of the farthest
/// corner for a radius, rounded up by some 2^-24; so it is the smallest one around a box, and not the smallest one
/// around a hull. The batch's own bounding streams are not read. Invalid instances get a radius of NaN, which
/// keeps them visible. The arrays must not overlap one another or the batch. Fails, and writes nothing, if the
/// instances break a rule of batch.h or if a pointer is null; the failure names the argument.
LANECULL_API lanecull_status lanecull_hull_bounding_spheres(const lanecull_hull_instances* instances, float* x,
                                                            float* y, float* z, float* radius) LANECULL_NOEXCEPT;

/// The same around each local box under its transform: the smallest sphere around it, but for rounding.
/// lanecull_world_spheres() makes spheres of many boxes in lanes; where transforms shear, they are larger.
LANECULL_API lanecull_status lanecull_box_bounding_spheres(const lanecull_box_instances* instances, float* x, float* y,
                                                           float* z, float* radius) LANECULL_NOEXCEPT;
LANECULL_C_END

// From local boxes and transforms to the streams of a batch: world bounds for a frame in which objects move.
//
// The result contains { A p + t : p in the local box } of the numbers as given, exactly, whatever was rounded in
// between. It is larger than needed by at most 13 u per coordinate i, u = 2^-24, of
//
//     sum over j of |A_ij| max(|min_j|, |max_j|) + |t_i|
//
// and for spheres by the sum of that over i, and 2^-18 of the radius; oriented boxes have their own bound below.
// Positions add 6 u of |position - origin|. If these numbers, added up over i, are more than some five times the
// object's own coordinates, as when a transform brings back vertices in the world's coordinates, it is 13 u of its
// middle's |coordinate i| and half-extent, and 2^-46 of all these numbers together. If coordinates are tiny, 2^-124
// is added; spheres below 2^-99 may be three times as large as others.
//
// An object is invalid if its local box is (min > max, NaN, infinite), if its box_index is out of range, if a number
// of its transform is not finite, if the last row of a 4x4 transform is not (0 0 0 1), or if its coordinates overflow.
// It gets a number that is infinite or NaN, and stays visible.
//
// Results may differ between instruction sets by a rounding; they do not depend on the runner.

/// Written boxes: six streams of as many floats as there are objects, the streams of Boxes. Any 4-byte
/// alignment will do. Streams must not overlap each other or anything that is read.
LANECULL_STRUCT(BoxStreams, box_streams) {
    float* min_x LANECULL_0;
    float* min_y LANECULL_0;
    float* min_z LANECULL_0;
    float* max_x LANECULL_0;
    float* max_y LANECULL_0;
    float* max_z LANECULL_0;
};
LANECULL_LAYOUT(box_streams, 48)

/// Written spheres: the four streams of Spheres, with the rules of BoxStreams.
LANECULL_STRUCT(SphereStreams, sphere_streams) {
    float* x LANECULL_0;
    float* y LANECULL_0;
    float* z LANECULL_0;
    float* radius LANECULL_0;
};
LANECULL_LAYOUT(sphere_streams, 32)

/// Records that are written, with the stride rules of Records. Bytes between records stay untouched.
LANECULL_STRUCT(WrittenRecords, written_records) {
    float* first LANECULL_0;
    size_t stride_bytes LANECULL_0;  ///< 0: one record right after the other
};
LANECULL_LAYOUT(written_records, 16)

/// Written oriented boxes: the streams and records of OrientedBoxes. Axes or quaternions, exactly one of the
/// two. Streams follow the rules of BoxStreams; no two records may overlap, but records of one kind may lie between
/// those of another, as in an array of structs.
LANECULL_STRUCT(OrientedBoxStreams, oriented_box_streams) {
    float* x LANECULL_0;
    float* y LANECULL_0;
    float* z LANECULL_0;
    lanecull_written_records axes LANECULL_0;         ///< 9 floats a record
    lanecull_written_records quaternions LANECULL_0;  ///< 4 floats a record, of length 1 but for rounding
    lanecull_written_records half_extents LANECULL_0;
    float* bounding_radius LANECULL_0;  ///< optional; null where boxes are culled without it
};
LANECULL_LAYOUT(oriented_box_streams, 80)

/// Which instruction set, as CullOptions::isa says; and who runs the tasks, of some 10,000 objects each.
LANECULL_STRUCT(WorldBoundsOptions, world_bounds_options) {
    lanecull_isa isa LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    lanecull_runner runner LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(world_bounds_options, 56)

LANECULL_C_BEGIN
/// Fills `boxes` with the smallest axis-aligned box around each transformed local box, and the rounding bound around
/// that.
///
/// Source: J. Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990: the centre is transformed by A,
/// the half-extents by |A|.
LANECULL_API lanecull_status lanecull_world_boxes(const lanecull_box_instances* instances,
                                                  const lanecull_world_bounds_options* options,
                                                  const lanecull_box_streams* boxes) LANECULL_NOEXCEPT;

/// Fills `spheres` with a sphere around the centre of each transformed local box. With h_j the half-extents and a_j the
/// columns of A, the radius is the root of sum h_j^2 |a_j|^2 + 2 sum over j < k of h_j h_k |a_j . a_k|. That is the
/// distance of the farthest corner where the columns are at right angles, whatever their lengths; where A shears it is
/// at most sqrt(3) times as much.
LANECULL_API lanecull_status lanecull_world_spheres(const lanecull_box_instances* instances,
                                                    const lanecull_world_bounds_options* options,
                                                    const lanecull_sphere_streams* spheres) LANECULL_NOEXCEPT;

/// Fills `boxes` with an oriented box around each transformed local box. One of its axes goes along the longest edge of
/// the parallelepiped, another along what the longer of the other two edges has at right angles to that. Axis k of the
/// result belongs to axis k of the local box. Half-extents are half the width of the parallelepiped along the axes, and
/// at most 44 u more of
///
///     sum over i of (sum over j of |A_ij| max(|min_j|, |max_j|) + |t_i|)
///
/// and, with `axes`, 21 u of all three half-extents together. So the box is as tight as the local one if the columns
/// of A are at right angles, whatever their lengths and signs. If A shears it is larger. Bounding radii are too
/// large by 2^-17 at most.
///
/// Takes five to seven times as long as lanecull_world_boxes() (benchmarks world/oriented_boxes).
LANECULL_API lanecull_status
lanecull_world_oriented_boxes(const lanecull_box_instances* instances, const lanecull_world_bounds_options* options,
                              const lanecull_oriented_box_streams* boxes) LANECULL_NOEXCEPT;

/// Fills `joined`, `count` boxes, with the box around each run of boxes: object i's are boxes first[i] ..
/// first[i + 1] - 1. `first` has count + 1 entries that do not descend, the last of which is at most boxes->count. For
/// skinned meshes: lanecull_world_boxes() of each joint's box, joined mesh by mesh. A run without a box, or with an
/// invalid one, gives an invalid box.
///
/// Copies coordinates, so nothing is rounded. `first` is checked before anything is written, which reads it once more.
LANECULL_API lanecull_status lanecull_join_boxes(const lanecull_boxes* boxes, const uint32_t* first, uint32_t count,
                                                 const lanecull_box_streams* joined) LANECULL_NOEXCEPT;

// From arrays of structs to the streams of a batch: for engines whose objects are structs, and for data from files or
// from a physics library.

/// Unpacks records: float k of record i goes to streams[k][i].
///
/// Each record has stream_count floats (1 to 16,384), at any stride that Records allows. The float of a null stream is
/// skipped. Floats are copied bit by bit, NaNs too. Example in C++, structs with a position and a radius:
///
///     unpack_floats({&structs[0].x, sizeof(Struct)}, count, std::array{x, y, z, radius});
///
/// Each stream receives exactly `count` floats; any 4-byte alignment will do. Streams must not overlap the records or
/// each other. Reads may touch any byte from the first record's first float to the last record's last float, bytes
/// between records included, and none outside. `count` may be 0; then nothing else is read.
///
/// Takes about as long as writing the streams (benchmarks unpack/).
LANECULL_API lanecull_status lanecull_unpack_floats(const lanecull_records* records, uint32_t count, lanecull_isa isa,
                                                    float* const* streams, size_t stream_count) LANECULL_NOEXCEPT;

/// Spheres around double-precision positions, relative to `origin` (3 numbers): sphere i contains every point
/// p - origin with |p - positions[i]| <= radius[i], exactly. For worlds too large for floats.
///
/// x, y, z receive positions - origin, rounded to floats. That moves a centre by up to 2^-24 of its distance from the
/// origin. Therefore sphere_radius receives the radius plus how far this centre was moved, rounded up by at most two
/// steps between floats. Other shapes around the same centre must be expanded by as much: with radius null,
/// sphere_radius is what to add to a capsule's radius or a box's half-extents, rounding that sum up.
///
/// The spheres' coordinates are relative to `origin`, so the view must be prepared with the camera relative to it:
/// ClipSpace::origin = eye - origin. `radius` may be null, for points, or may be sphere_radius itself; no other arrays
/// may overlap. A record with a number that is not finite or beyond floats' range, or with a negative radius, gives an
/// invalid sphere, which stays visible.
LANECULL_API lanecull_status lanecull_relative_spheres(const lanecull_double_records* positions, const float* radius,
                                                       uint32_t count, const double* origin, float* x, float* y,
                                                       float* z, float* sphere_radius) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// The functions above, for C++.
[[nodiscard]] inline Status bounding_box(const Vertices& vertices, BoxBounds& box, Isa isa = Isa::automatic) noexcept {
    return lanecull_bounding_box(&vertices, isa, &box);
}
[[nodiscard]] inline Status bounding_sphere(const Vertices& vertices, SphereBounds& sphere,
                                            Isa isa = Isa::automatic) noexcept {
    return lanecull_bounding_sphere(&vertices, isa, &sphere);
}
[[nodiscard]] inline Status bounding_oriented_box(const Vertices& vertices, OrientedBoxBounds& box,
                                                  Isa isa = Isa::automatic) noexcept {
    return lanecull_bounding_oriented_box(&vertices, isa, &box);
}
[[nodiscard]] inline Status bounding_radii(const OrientedBoxes& boxes, float* radius) noexcept {
    return lanecull_bounding_radii(&boxes, radius);
}
[[nodiscard]] inline Status bounding_spheres(const HullInstances& instances, float* x, float* y, float* z,
                                             float* radius) noexcept {
    return lanecull_hull_bounding_spheres(&instances, x, y, z, radius);
}
[[nodiscard]] inline Status bounding_spheres(const BoxInstances& instances, float* x, float* y, float* z,
                                             float* radius) noexcept {
    return lanecull_box_bounding_spheres(&instances, x, y, z, radius);
}
[[nodiscard]] inline Status world_boxes(const LocalBoxes& local, const Transforms& transforms, uint32_t count,
                                        const BoxStreams& boxes, const WorldBoundsOptions& options = {}) noexcept {
    const BoxInstances instances = {transforms, local, count};
    return lanecull_world_boxes(&instances, &options, &boxes);
}
[[nodiscard]] inline Status world_spheres(const LocalBoxes& local, const Transforms& transforms, uint32_t count,
                                          const SphereStreams& spheres,
                                          const WorldBoundsOptions& options = {}) noexcept {
    const BoxInstances instances = {transforms, local, count};
    return lanecull_world_spheres(&instances, &options, &spheres);
}
[[nodiscard]] inline Status world_oriented_boxes(const LocalBoxes& local, const Transforms& transforms, uint32_t count,
                                                 const OrientedBoxStreams& boxes,
                                                 const WorldBoundsOptions& options = {}) noexcept {
    const BoxInstances instances = {transforms, local, count};
    return lanecull_world_oriented_boxes(&instances, &options, &boxes);
}
[[nodiscard]] inline Status join_boxes(const Boxes& boxes, const uint32_t* first, uint32_t count,
                                       const BoxStreams& joined) noexcept {
    return lanecull_join_boxes(&boxes, first, count, &joined);
}
[[nodiscard]] inline Status unpack_floats(const Records& records, uint32_t count, Span<float* const> streams,
                                          Isa isa = Isa::automatic) noexcept {
    return lanecull_unpack_floats(&records, count, isa, streams.items, streams.count);
}
[[nodiscard]] inline Status relative_spheres(const DoubleRecords& positions, const float* radius, uint32_t count,
                                             Numbers<const double, 3> origin, float* x, float* y, float* z,
                                             float* sphere_radius) noexcept {
    return lanecull_relative_spheres(&positions, radius, count, origin.first, x, y, z, sphere_radius);
}
}  // namespace lanecull
#endif
