#pragma once

#include <cstddef>

namespace lanecull {

/// Whether q stands for a rotation. Kernels take |q|^2 in floats for valid from 1e-36 to 1e36; what is nearer to these
/// than their rounding counts as invalid here.
inline bool is_rotation(const float* q) noexcept {
    double squared = 0;
    for (std::size_t k = 0; k < 4; ++k) squared += static_cast<double>(q[k]) * static_cast<double>(q[k]);
    return squared > 1e-36 * (1 + 1e-6) && squared < 1e36 * (1 - 1e-6);
}

}  // namespace lanecull
