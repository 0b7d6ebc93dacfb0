#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/prepared_view.hpp>

namespace lanecull {

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
    std::size_t kind;    ///< in the order of Batch::Shapes
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
    bool is_endless;  ///< an object is invalid or too large: nothing tells how far it reaches
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

}  // namespace lanecull
