#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "occluders/aligned_solid.hpp"

namespace lanecull::solids {

/// Cells first <= i < end of a grid, along each axis at least one.
struct CellRange {
    std::uint32_t first[dimensions], end[dimensions];

    [[nodiscard]] bool contains(const CellRange& other) const {
        for (std::size_t k = 0; k < dimensions; ++k) {
            if (other.first[k] < first[k] || other.end[k] > end[k]) return false;
        }
        return true;
    }
    bool operator==(const CellRange&) const = default;
};

/// The order in which a box of cells grows along the axes: along each of them as far as it goes, or by a cell on each
/// of the six sides in turn. All end in boxes that cannot grow, but in different ones.
struct Growth {
    std::uint8_t axis[dimensions];
    bool in_turn;
};
constexpr Growth all_growths[] = {{{0, 1, 2}, true},  {{0, 1, 2}, false}, {{0, 2, 1}, false}, {{1, 0, 2}, false},
                                  {{1, 2, 0}, false}, {{2, 0, 1}, false}, {{2, 1, 0}, false}};

/// The lines of a grid, and which of its cells are filled. Any box of cells is tested in constant time, whether all of
/// its cells are, by eight sums over the cells below a corner: a summed-area table (Crow, 1984) in space.
class CellGrid {
public:
    /// Along each axis, ascending, all different, at least two. Cell i lies between lines i and i + 1.
    Array<float> lines[dimensions];

    [[nodiscard]] std::uint32_t cells(std::size_t axis) const {
        return static_cast<std::uint32_t>(lines[axis].size()) - 1;
    }
    [[nodiscard]] std::uint64_t cells() const { return std::uint64_t{cells(0)} * cells(1) * cells(2); }
    /// The line at that coordinate, which must be one.
    [[nodiscard]] std::uint32_t line_at(std::size_t axis, float coordinate) const;
    [[nodiscard]] CellRange cells_of(const Solid& solid) const;
    [[nodiscard]] Solid solid_of(const CellRange& range) const;

    /// Fills what the solids fill; their faces must lie on lines. The grid has less than 2^31 cells. False: no memory.
    [[nodiscard]] bool fill(const Solid* solids, std::size_t count);
    /// Fills cell (i, j, k) where filled[(i n_1 + j) n_2 + k] is not 0.
    [[nodiscard]] bool fill(const Array<std::uint8_t>& filled);

    [[nodiscard]] bool is_filled(const CellRange& range) const;
    /// The range, all of which is filled, grown to where it cannot grow any more.
    [[nodiscard]] CellRange grown(CellRange range, const Growth& growth) const;

private:
    [[nodiscard]] std::size_t at(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        return (std::size_t{i} * lines[1].size() + j) * lines[2].size() + k;
    }
    [[nodiscard]] std::size_t corners() const { return lines[0].size() * lines[1].size() * lines[2].size(); }
    [[nodiscard]] bool can_extend(CellRange range, std::size_t axis, bool up, std::uint32_t by) const;
    void extend(CellRange& range, std::size_t axis, bool up) const;
    template <class Sums>
    void sum_up(Sums& sums) const;
    void count_empty();

    /// At each corner of cells: how many of the cells below it, along all axes, are empty.
    Array<std::uint32_t> empty_below_;
    Array<std::int32_t> covers_;  ///< how many solids cover a cell; kept for its memory
};

}  // namespace lanecull::solids
