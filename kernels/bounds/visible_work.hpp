#pragma once

#include <cstdint>

#include <lanecull/batch.hpp>

namespace lanecull {

/// Some words of a batch, a bit an object.
struct VisibleWork {
    const void* shapes;  ///< the batch's Spheres, Boxes, ... as the table's entry expects
    const Attributes* attributes;
    const std::uint64_t* words;
    std::uint32_t first;  ///< the object of the first bit: a multiple of 64
    std::uint32_t count;  ///< objects from there on
};

/// A box around objects. It is empty, with low > high, if there are none.
struct WorldExtent {
    float low[3], high[3];
    bool is_endless;  ///< an object is invalid or too large: nothing tells how far it reaches
};

/// Finds the box around the objects whose bits are set, rounded outward.
using VisibleExtentKernel = void(const VisibleWork&, WorldExtent&);

}  // namespace lanecull
