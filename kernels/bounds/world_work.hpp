#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/transforms.hpp>

namespace lanecull {

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

}  // namespace lanecull
