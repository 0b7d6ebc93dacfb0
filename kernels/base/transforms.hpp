#pragma once

/// Records, rotations, transforms of any layout and local boxes, one at a time, for scalar code.

#include <lanecull/batch.h>

#include <algorithm>
#include <cstddef>

namespace lanecull {

/// Record i of records of `floats` numbers each.
inline const float* record(const Records& records, std::size_t floats, std::size_t i) noexcept {
    return records.first + i * (records.stride_bytes != 0 ? records.stride_bytes / sizeof(float) : floats);
}

/// Whether q stands for a rotation. Kernels take |q|^2 in floats for valid from 1e-36 to 1e36; what is nearer to these
/// than their rounding counts as invalid here.
inline bool is_rotation(const float* q) noexcept {
    double squared = 0;
    for (std::size_t k = 0; k < 4; ++k) squared += static_cast<double>(q[k]) * static_cast<double>(q[k]);
    return squared > 1e-36 * (1 + 1e-6) && squared < 1e36 * (1 - 1e-6);
}

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
    const bool is_packed = of.stride_bytes == 0;
    const double* const position =
        of.first + (of.first == nullptr ? 0 : i * (is_packed ? 3 : of.stride_bytes / sizeof(double)));
    for (std::size_t k = 0; k < 3; ++k) offset[k] = of.first == nullptr ? 0 : position[k] - transforms.origin[k];
}

struct LocalBox {
    float lower[3], upper[3];
};

/// Object i's local box. False: its index is out of range.
inline bool read_local_box(const LocalBoxes& local, std::size_t i, LocalBox& to) noexcept {
    const Boxes& b = local.boxes;
    const std::size_t box = local.box_index == nullptr ? i : local.box_index[i];
    if (box >= b.count) return false;
    if (local.lower.first == nullptr) {
        to = {{b.min_x[box], b.min_y[box], b.min_z[box]}, {b.max_x[box], b.max_y[box], b.max_z[box]}};
    } else {
        std::copy_n(record(local.lower, 3, box), 3, to.lower);
        std::copy_n(record(local.upper, 3, box), 3, to.upper);
    }
    return true;
}

}  // namespace lanecull
