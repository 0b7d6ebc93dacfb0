#pragma once

#include <array>
#include <cstddef>

namespace prove {

/// A camera that looks along an axis of the world, or against it (sign -1), so that planes of equal depth have the
/// numbers of their depths. Clip coordinates x, y and w are the two axes after that and the depth; column by column.
[[nodiscard]] inline std::array<double, 16> axis_camera(std::size_t axis, float sign) {
    std::array<double, 16> matrix{};
    matrix[4 * ((axis + 1) % 3)] = 1;
    matrix[4 * ((axis + 2) % 3) + 1] = 1;
    matrix[4 * axis + 2] = matrix[4 * axis + 3] = static_cast<double>(sign);
    matrix[14] = -1;
    return matrix;
}

}  // namespace prove
