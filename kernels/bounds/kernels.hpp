#pragma once

/// What the kernels of bounds get and give, and their list.

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.h>
#include <lanecull/library.h>
#include "calls/kinds.hpp"
#include "view/prepared_view.hpp"

#include "calls/kernel_table.hpp"

namespace lanecull {

/// Writes float k of record i to streams[k][i], where streams[k] is not null. The stride counts floats.
using UnpackKernel = void(const float* records, std::size_t stride, std::size_t floats, std::uint32_t count,
                          float* const* streams);

/// 1 to 2^24 vertices.
struct VertexStreams {
    const float *x, *y, *z;
    std::uint32_t count;
};
/// The first vertex at which some function has its greatest value, and that value as floats compute it.
struct GreatestVertex {
    float value;
    std::uint32_t vertex;
};
/// Finds the smallest and the largest coordinates. False, with unspecified coordinates, if one is not finite.
using ExtentKernel = bool(const VertexStreams&, float (&lower)[3], float (&upper)[3]);
/// Finds the vertex with the greatest squared distance from hi + lo: dx dx + dy dy + dz dz with d = (p - hi) - lo, each
/// operation rounded.
using FarthestKernel = GreatestVertex(const VertexStreams&, const float (&hi)[3], const float (&lo)[3]);
/// Finds the vertex with the greatest direction . (p - origin), and the one with the greatest negative of that.
using ExtremesKernel = void(const VertexStreams&, const float (&origin)[3], const float (&direction)[3],
                            GreatestVertex (&result)[2]);

/// The space between each two of some parallel planes, in relative coordinates q = p - origin. A point is in slab k if
///     n . q + from[k] >= 0  and  to[k] - n . q >= 0.
/// The normal is at most 1 long; offsets are rounded outward, as PreparedView's are. An offset may be infinite.
struct ParallelSlabs {
    static constexpr std::size_t capacity = 8;

    Frame frame;
    float normal[3];
    std::uint32_t count;
    float from[capacity], to[capacity];
};

/// Some words of a batch, a bit an object.
struct VisibleWork {
    std::size_t kind;    ///< in the order of Kind
    const void* shapes;  ///< the batch's Spheres, Boxes, ...
    const Attributes* attributes;
    const std::uint64_t* words;
    std::uint32_t first;         ///< the object of the first bit: a multiple of 64
    std::uint32_t count;         ///< objects from there on
    const ParallelSlabs* slabs;  ///< null: all of space
};

/// A box around objects. It is empty, with low > high, if there are none.
struct WorldExtent {
    float low[3], high[3];
    bool is_endless;  ///< an object is invalid or too large: how far it reaches is not known
};

/// Finds the box around the objects whose bits are set, rounded outward; or one for each slab, around those of them
/// that are not proved to lie outside of it. `extents` has as many.
using VisibleExtentKernel = void(const VisibleWork&, WorldExtent* extents);

/// 64 boxes, and a box for each slab, or one for all of space.
struct BeyondWork {
    const float* low[3];
    const float* high[3];
    const ParallelSlabs* slabs;  ///< null: all of space
    const WorldExtent* known;    ///< as many as there are slabs
    bool or_touches;             ///< set: a box that reaches a known box's side from within counts, too
};

/// Bits of the boxes that reach into a slab beyond its known box, or perhaps do. Of boxes that are empty or not finite
/// the bits are set.
using BeyondKernel = std::uint64_t(const BeyondWork&);

/// Records that are written.
struct RecordsOut {
    float* first = nullptr;  ///< null: none are wanted
    std::size_t stride = 0;  ///< in floats
};

/// Transforms and local boxes, checked, and where the bounds go.
struct WorldWork {
    Transforms transforms;
    LocalBoxes local;
    std::uint32_t count;  ///< objects of the whole call
    float* out[6];        ///< the streams of Boxes, or four of Spheres: with radius null or not, of OrientedBoxes
    RecordsOut axes, quaternions, half_extents;  ///< of OrientedBoxes
};

/// Fills the bounds of objects first .. first + count - 1.
using WorldKernel = void(const WorldWork&, std::uint32_t first, std::uint32_t count);

/// What the object files of one instruction set define, as Kernels has it.
template <Isa isa>
struct BoundsKernels {
    static UnpackKernel unpack;  ///< unpack_kernel.cpp
    static ExtentKernel extent;  ///< vertex_extremes.cpp
    static FarthestKernel farthest;
    static ExtremesKernel extremes;
    static VisibleExtentKernel visible_extents;  ///< visible_kernel.cpp
    static BeyondKernel boxes_beyond;
    static WorldKernel world_boxes;  ///< world_kernel.cpp
    static WorldKernel world_spheres;
    static WorldKernel world_oriented_boxes;
};

/// Those of one set, chosen at run time.
struct BoundsTable {
    UnpackKernel* unpack;
    ExtentKernel* extent;
    FarthestKernel* farthest;
    ExtremesKernel* extremes;
    VisibleExtentKernel* visible_extents;
    BeyondKernel* boxes_beyond;
    WorldKernel* world_boxes;
    WorldKernel* world_spheres;
    WorldKernel* world_oriented_boxes;

    template <Isa isa>
    static constexpr BoundsTable of() {
        using K = BoundsKernels<isa>;
        return {K::unpack,      K::extent,          K::farthest,
                K::extremes,    K::visible_extents, K::boxes_beyond,
                K::world_boxes, K::world_spheres,   K::world_oriented_boxes};
    }
};

}  // namespace lanecull
