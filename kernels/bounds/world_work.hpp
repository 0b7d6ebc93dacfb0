#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/transforms.hpp>

namespace lanecull {

/// Transforms and local boxes, checked, and where the bounds go.
struct WorldWork {
    const float* transforms;
    std::size_t stride;  ///< floats from one transform to the next
    TransformLayout layout;
    const double* positions;  ///< or null
    std::size_t position_stride;
    double origin[3];
    const float* local[6];  ///< the streams of Boxes: lower corner, upper corner
    std::uint32_t local_count;
    const std::uint32_t* box_index;  ///< or null
    std::uint32_t count;             ///< objects of the whole call
    float* out[6];                   ///< the streams of Boxes, or four of Spheres
};

/// Fills the bounds of objects first .. first + count - 1.
using WorldKernel = void(const WorldWork&, std::uint32_t first, std::uint32_t count);

}  // namespace lanecull
