#pragma once

#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/transforms.hpp>

namespace lanecull {

/// Transforms and local boxes, checked, and where the bounds go.
struct WorldWork {
    Transforms transforms;
    LocalBoxes local;
    std::uint32_t count;  ///< objects of the whole call
    float* out[6];        ///< the streams of Boxes, or four of Spheres
};

/// Fills the bounds of objects first .. first + count - 1.
using WorldKernel = void(const WorldWork&, std::uint32_t first, std::uint32_t count);

}  // namespace lanecull
