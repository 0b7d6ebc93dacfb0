#pragma once

/// Transforms of any layout, one at a time, for scalar code.

#include <cstddef>

#include <lanecull/transforms.hpp>

#include "base/records.hpp"

namespace lanecull {

/// Where the numbers of the layouts stand: A_rc at r * row + c * column, t_r at r * row + 3 * column.
struct TransformNumbers {
    std::size_t count, row, column;

    static constexpr TransformNumbers of(TransformLayout layout) noexcept {
        switch (layout) {
            case TransformLayout::rows_3x4:
                return {12, 4, 1};
            case TransformLayout::columns_3x4:
                return {12, 1, 3};
            case TransformLayout::rows_4x4:
                return {16, 4, 1};
            case TransformLayout::columns_4x4:
                return {16, 1, 4};
        }
        return {12, 4, 1};
    }
};

/// Writes transform i by rows_3x4. False: its last row is not (0 0 0 1).
inline bool rows_of(const Transforms& transforms, std::size_t i, float (&rows)[12]) noexcept {
    const TransformNumbers at = TransformNumbers::of(transforms.layout);
    const float* const m = record({transforms.first, transforms.stride_bytes}, at.count, i);
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c) rows[4 * r + c] = m[r * at.row + c * at.column];
    }
    if (at.count == 12) return true;
    const auto last = [&](std::size_t c) { return m[3 * at.row + c * at.column]; };
    return last(0) == 0 && last(1) == 0 && last(2) == 0 && last(3) == 1;
}

/// Position i less the origin; 0 if there are no positions.
inline void offset_of(const Transforms& transforms, std::size_t i, double (&offset)[3]) noexcept {
    const DoubleRecords& of = transforms.positions;
    const bool is_packed = of.stride_bytes == Records::packed;
    const double* const position =
        of.first + (of.first == nullptr ? 0 : i * (is_packed ? 3 : of.stride_bytes / sizeof(double)));
    for (std::size_t k = 0; k < 3; ++k) offset[k] = of.first == nullptr ? 0 : position[k] - transforms.origin[k];
}

}  // namespace lanecull
