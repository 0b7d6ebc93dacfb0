#include "occluders/cell_grid.hpp"

#include <algorithm>

namespace lanecull::solids {

std::uint32_t CellGrid::line_at(std::size_t axis, float coordinate) const {
    const Array<float>& all = lines[axis];
    return static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), coordinate) - all.begin());
}

CellRange CellGrid::cells_of(const Solid& solid) const {
    CellRange range;
    for (std::size_t k = 0; k < dimensions; ++k) {
        range.first[k] = line_at(k, solid.lo[k]);
        range.end[k] = line_at(k, solid.hi[k]);
    }
    return range;
}

Solid CellGrid::solid_of(const CellRange& range) const {
    Solid solid;
    for (std::size_t k = 0; k < dimensions; ++k) {
        solid.lo[k] = lines[k].data()[range.first[k]];
        solid.hi[k] = lines[k].data()[range.end[k]];
    }
    return solid;
}

/// Replaces each number by the sum of those at and below its place, along all axes.
template <class Sums>
void CellGrid::sum_up(Sums& sums) const {
    const std::size_t steps[dimensions] = {lines[1].size() * lines[2].size(), lines[2].size(), 1};
    for (std::size_t k = 0; k < dimensions; ++k) {
        const std::size_t block = steps[k] * lines[k].size();
        for (std::size_t start = 0; start < sums.size(); start += block) {
            for (std::size_t i = start + steps[k]; i < start + block; ++i) sums[i] += sums[i - steps[k]];
        }
    }
}

/// From empty_below_ with a 1 at the upper corner of each empty cell.
void CellGrid::count_empty() { sum_up(empty_below_); }

bool CellGrid::fill(const Solid* solids, std::size_t count) {
    if (!covers_.resize_unset(corners()) || !empty_below_.resize_unset(corners())) return false;
    std::fill(covers_.begin(), covers_.end(), 0);
    // Differences, so that their sums count the solids over a cell: each solid costs eight numbers, whatever its size.
    for (std::size_t s = 0; s < count; ++s) {
        const CellRange range = cells_of(solids[s]);
        for (unsigned corner = 0; corner < 8; ++corner) {
            const auto line = [&](unsigned k) { return (corner >> k & 1) != 0 ? range.end[k] : range.first[k]; };
            const bool odd = ((corner ^ corner >> 1 ^ corner >> 2) & 1) != 0;
            covers_[at(line(0), line(1), line(2))] += odd ? -1 : 1;
        }
    }
    sum_up(covers_);
    std::fill(empty_below_.begin(), empty_below_.end(), 0U);
    for (std::uint32_t i = 0; i < cells(0); ++i) {
        for (std::uint32_t j = 0; j < cells(1); ++j) {
            for (std::uint32_t k = 0; k < cells(2); ++k) {
                empty_below_[at(i + 1, j + 1, k + 1)] = covers_[at(i, j, k)] > 0 ? 0 : 1;
            }
        }
    }
    count_empty();
    return true;
}

bool CellGrid::fill(const Array<std::uint8_t>& filled) {
    if (!empty_below_.resize_unset(corners())) return false;
    std::fill(empty_below_.begin(), empty_below_.end(), 0U);
    const std::uint8_t* cell = filled.data();
    for (std::uint32_t i = 0; i < cells(0); ++i) {
        for (std::uint32_t j = 0; j < cells(1); ++j) {
            for (std::uint32_t k = 0; k < cells(2); ++k) empty_below_[at(i + 1, j + 1, k + 1)] = *cell++ != 0 ? 0 : 1;
        }
    }
    count_empty();
    return true;
}

/// Unsigned sums that wrap around give the right difference.
bool CellGrid::is_filled(const CellRange& range) const {
    const auto& sums = empty_below_.data();
    const auto row = [&](std::uint32_t i, std::uint32_t j) {
        const std::size_t start = at(i, j, 0);
        return sums[start + range.end[2]] - sums[start + range.first[2]];
    };
    return row(range.end[0], range.end[1]) - row(range.end[0], range.first[1]) - row(range.first[0], range.end[1]) +
               row(range.first[0], range.first[1]) ==
           0;
}

/// Whether the next `by` cells on that side, over the range's whole face, exist and are filled.
bool CellGrid::can_extend(CellRange range, std::size_t axis, bool up, std::uint32_t by) const {
    if (up) {
        if (by > cells(axis) - range.end[axis]) return false;
        range.first[axis] = range.end[axis];
        range.end[axis] += by;
    } else {
        if (by > range.first[axis]) return false;
        range.end[axis] = range.first[axis];
        range.first[axis] -= by;
    }
    return is_filled(range);
}

/// As far as it goes: steps that double, then steps that halve.
void CellGrid::extend(CellRange& range, std::size_t axis, bool up) const {
    std::uint32_t most = 0, step = 1;
    while (can_extend(range, axis, up, most + step)) most += step, step *= 2;
    for (; step > 0; step /= 2) {
        if (can_extend(range, axis, up, most + step)) most += step;
    }
    if (up) {
        range.end[axis] += most;
    } else {
        range.first[axis] -= most;
    }
}

CellRange CellGrid::grown(CellRange range, const Growth& growth) const {
    bool again = growth.in_turn;
    while (again) {
        again = false;
        for (std::size_t k = 0; k < dimensions; ++k) {
            if (can_extend(range, k, false, 1)) --range.first[k], again = true;
            if (can_extend(range, k, true, 1)) ++range.end[k], again = true;
        }
    }
    for (const std::uint8_t axis : growth.axis) {
        extend(range, axis, false);
        extend(range, axis, true);
    }
    return range;
}

}  // namespace lanecull::solids
