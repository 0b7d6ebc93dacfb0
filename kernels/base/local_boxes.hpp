#pragma once

/// Local boxes one at a time, for scalar code.

#include <algorithm>
#include <cstddef>

#include <lanecull/batch.hpp>

#include "base/records.hpp"

namespace lanecull {

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
