#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/records.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/status.hpp>
#include <lanecull/transforms.hpp>

/// From local boxes and transforms to the columns of a batch: world bounds for a frame in which objects move.
///
/// What comes out contains { A p + t : p in the local box } of the numbers as given, exactly, whatever was rounded in
/// between. It is larger than needed by at most 13 u per coordinate i, u = 2^-24, of
///
///     sum over j of |A_ij| max(|min_j|, |max_j|) + |t_i|
///
/// and for spheres by the sum of that over i, and 2^-18 of the radius; oriented boxes have their own bound below.
/// Positions add 6 u of |position - origin|. Where these numbers, added up over i, are more than some five times the
/// object's own coordinates, as where a transform brings back vertices in the world's coordinates, it is 13 u of its
/// middle's |coordinate i| and half-extent, and 2^-46 of all these numbers together. Where coordinates are tiny, 2^-124
/// is added; spheres below 2^-99 may be three times as large as others.
///
/// An object is invalid if its local box is (min > max, NaN, infinite), if its box_index is out of range, if a number
/// of its transform is not finite, if the last row of a 4x4 transform is not (0 0 0 1), or if its coordinates overflow.
/// It gets a number that is infinite or NaN, and stays visible.
///
/// Any number of threads may call these functions. They allocate nothing, and fail before anything is written, naming
/// the argument. The caller's floating-point modes do not matter and are not changed. Results may differ between
/// instruction sets by a rounding; they do not depend on the runner.
namespace lanecull {

/// Where boxes are written: six streams of as many floats as there are objects, the streams of Boxes. Any 4-byte
/// alignment will do. Streams must not overlap each other or anything that is read.
struct BoxStreams {
    float* min_x = nullptr;
    float* min_y = nullptr;
    float* min_z = nullptr;
    float* max_x = nullptr;
    float* max_y = nullptr;
    float* max_z = nullptr;
};

/// Where spheres are written: the four streams of Spheres, with the rules of BoxStreams.
struct SphereStreams {
    float* x = nullptr;
    float* y = nullptr;
    float* z = nullptr;
    float* radius = nullptr;
};

/// Records that are written, with the stride rules of Records. Bytes between records stay untouched.
struct WrittenRecords {
    float* first = nullptr;
    std::size_t stride_bytes = Records::packed;
};

/// Where oriented boxes are written: the streams and records of OrientedBoxes. Axes or quaternions, exactly one of the
/// two. Streams follow the rules of BoxStreams; no two records may overlap, but records of one kind may lie between
/// those of another, as in an array of structs.
struct OrientedBoxStreams {
    float* x = nullptr;
    float* y = nullptr;
    float* z = nullptr;
    WrittenRecords axes = {};         ///< 9 floats a record
    WrittenRecords quaternions = {};  ///< 4 floats a record, of length 1 but for rounding
    WrittenRecords half_extents = {};
    float* bounding_radius = nullptr;  ///< optional; null where boxes are culled without it
};

/// Which instruction set, as CullOptions::isa says; and who runs the tasks, of some 10,000 objects each.
struct WorldBoundsOptions {
    Isa isa = Isa::automatic;
    Runner runner = {};
};

/// Fills `boxes` with the smallest axis-aligned box around each transformed local box, and the rounding bound around
/// that.
///
/// Source: J. Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990: the centre is transformed by A,
/// the half-extents by |A|.
LANECULL_API Status world_boxes(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count,
                                const BoxStreams& boxes, const WorldBoundsOptions& options = {}) noexcept;

/// Fills `spheres` with a sphere around the centre of each transformed local box. With h_j the half-extents and a_j the
/// columns of A, the radius is the root of sum h_j^2 |a_j|^2 + 2 sum over j < k of h_j h_k |a_j . a_k|. That is the
/// distance of the farthest corner where the columns are at right angles, whatever their lengths; where A shears it is
/// at most sqrt(3) times as much.
LANECULL_API Status world_spheres(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count,
                                  const SphereStreams& spheres, const WorldBoundsOptions& options = {}) noexcept;

/// Fills `boxes` with an oriented box around each transformed local box. One of its axes goes along the longest edge of
/// the parallelepiped, another along what the longer of the other two edges has at right angles to that. Axis k of the
/// result belongs to axis k of the local box. Half-extents are half the width of the parallelepiped along the axes, and
/// at most 44 u more of
///
///     sum over i of (sum over j of |A_ij| max(|min_j|, |max_j|) + |t_i|)
///
/// and, with `axes`, 21 u of all three half-extents together. So the box is as tight as the local one where the columns
/// of A are at right angles, whatever their lengths and signs. Where A shears it is larger. Bounding radii are too
/// large by 2^-17 at most.
///
/// Takes five to seven times as long as world_boxes(): 12 and 20 ns a box (benchmarks world/oriented_boxes; AVX-512
/// and AVX2, 10^4 boxes, a Xeon of family 6, model 207, beside other processes).
LANECULL_API Status world_oriented_boxes(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count,
                                         const OrientedBoxStreams& boxes,
                                         const WorldBoundsOptions& options = {}) noexcept;

/// Fills `joined` with the box around each run of boxes: object i's are boxes first[i] .. first[i + 1] - 1. `first` has
/// count + 1 entries that do not descend, the last of which is at most boxes.count. For skinned meshes: world_boxes()
/// of each joint's box, joined mesh by mesh. A run without a box, or with an invalid one, gives an invalid box.
///
/// Copies coordinates, so nothing is rounded. `first` is checked before anything is written, which reads it once more.
LANECULL_API Status join_boxes(const Boxes& boxes, const std::uint32_t* first, std::uint32_t count,
                               const BoxStreams& joined) noexcept;

}  // namespace lanecull
