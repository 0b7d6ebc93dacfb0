#include <array>
#include <cmath>
#include <cstdint>

#include <lanecull/visibility.h>

#include "properties/visibility/world.hpp"
#include "support/random.hpp"

/// Grids of cells and parts of a box.
namespace properties {
namespace {

using lanecull::CellGrid;
using lanecull::ConvexCell;
using Counts = std::array<std::uint64_t, 3>;

CellGrid random_grid(Random& random) {
    CellGrid grid;
    for (std::size_t k = 0; k < 3; ++k) {
        grid.lower[k] = random.sign() * random.log_range(1e-3, 1e6);
        grid.size[k] = random.log_range(1e-3, 1e3);
        grid.count[k] = 1;
    }
    return grid;
}

ConvexCell cell_at(const CellGrid& grid, std::uint64_t i) {
    ConvexCell cell;
    static_cast<void>(lanecull::cell_of(grid, i, cell));  // a failure leaves it without corners
    return cell;
}

/// Boxes in rows, of which each begins where the one before it ends, along each axis, and the outer ones where the
/// first and the last do.
template <class At>
bool do_tile(const Counts& counts, const At& at) {
    const std::uint64_t steps[3] = {1, counts[0], counts[0] * counts[1]}, count = steps[2] * counts[2];
    const ConvexCell first = at(0), last = at(count - 1);
    for (std::uint64_t i = 0; i < count; ++i) {
        const ConvexCell cell = at(i);
        if (cell.corners != 8) return false;
        for (std::size_t k = 0; k < 3; ++k) {
            const double low = cell.corner[0][k], high = cell.corner[7][k];
            for (std::size_t c = 0; c < 8; ++c) {
                if (cell.corner[c][k] != ((c >> k & 1) != 0 ? high : low)) return false;
            }
            const std::uint64_t place = i / steps[k] % counts[k];
            const double end = place + 1 < counts[k] ? at(i + steps[k]).corner[0][k] : last.corner[7][k];
            if (!(low <= high) || high != end || (place == 0 && low != first.corner[0][k])) return false;
        }
    }
    return true;
}

void refute(Trial& trial, const CellGrid& grid, const char* what) {
    trial.fail(Tally::untold, what, [&] {
        const double(&l)[3] = grid.lower, (&s)[3] = grid.size;
        return "lower" + written(l) + " size" + written(s) + " count" + written(grid.count);
    });
}

}  // namespace

void cover_with_cells(Trial& trial) {
    Random& random = trial.random;
    const CellGrid of = random_grid(random);
    double high[3];
    for (std::size_t k = 0; k < 3; ++k) {
        high[k] = of.lower[k] + of.size[k] * (random.chance(0.3) ? random.below(6) : random.range(0, 6));
    }
    CellGrid grid;
    if (!lanecull::cover_with_cells(of.lower, high, of.size, grid)) return refute(trial, of, "refused");
    const ConvexCell first = cell_at(grid, 0), last = cell_at(grid, grid.cell_count() - 1);
    bool covers = grid.cell_count() <= 8 * 8 * 8;
    for (std::size_t k = 0; k < 3; ++k) {
        covers = covers && first.corner[0][k] == of.lower[k] && first.corner[0][k] < first.corner[7][k] &&
                 last.corner[7][k] >= high[k] && grid.count[k] <= 8;
    }
    if (!covers) return refute(trial, grid, "does not cover, or too many cells");
    const Counts counts{grid.count[0], grid.count[1], grid.count[2]};
    if (!do_tile(counts, [&](std::uint64_t i) { return cell_at(grid, i); })) {
        refute(trial, grid, "neighbours do not share their faces");
    }
}

void divide_cell(Trial& trial) {
    Random& random = trial.random;
    const CellGrid grid = random_grid(random);
    const ConvexCell box = cell_at(grid, 0);
    std::uint32_t parts[3];
    for (std::uint32_t& n : parts) n = static_cast<std::uint32_t>(1 + random.below(5));
    const auto part_at = [&](std::uint64_t i) {
        ConvexCell part;
        static_cast<void>(lanecull::part_of(box, parts, i, part));
        return part;
    };
    const Counts counts{parts[0], parts[1], parts[2]};
    const std::uint64_t count = counts[0] * counts[1] * counts[2];
    const ConvexCell first = part_at(0), last = part_at(count - 1);
    bool covers = part_at(count).corners == 0;
    for (std::size_t k = 0; k < 3; ++k) {
        covers = covers && first.corner[0][k] == box.corner[0][k] && last.corner[7][k] == box.corner[7][k];
    }
    if (!covers || !do_tile(counts, part_at)) refute(trial, grid, "parts do not cover their box");
}

/// Faces and what is beside them, and points anywhere about the grid.
void find_cell(Trial& trial) {
    Random& random = trial.random;
    const CellGrid grid = {{random.range(-1e5, 1e5), random.range(-1, 1), random.range(-1e9, 1e9)},
                           {random.log_range(1e-3, 1e3), random.log_range(1e-9, 1), random.log_range(1e-3, 1e3)},
                           {static_cast<std::uint32_t>(1 + random.below(100)), 3, 70}};
    const ConvexCell some = cell_at(grid, random.bits() % grid.cell_count());
    const auto contain = [](const ConvexCell& low, const ConvexCell& high, const double(&p)[3]) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!(p[k] >= low.corner[0][k] && p[k] <= high.corner[7][k])) return false;
        }
        return true;
    };
    double p[3];
    for (std::size_t k = 0; k < 3; ++k) {
        p[k] = some.corner[random.chance(0.5) ? 7 : 0][k];
        if (random.chance(0.5)) p[k] = std::nextafter(p[k], random.sign() * 1e300);
        if (random.chance(0.3)) p[k] += grid.size[k] * random.range(-1, 1);
    }
    constexpr std::uint64_t untouched = ~std::uint64_t{0};
    std::uint64_t cell = untouched;
    const bool is_found = lanecull::find_cell(grid, p, cell);
    const bool is_within = contain(cell_at(grid, 0), cell_at(grid, grid.cell_count() - 1), p);
    ++trial.at(Tally::cases);
    trial.at(Tally::reached) += std::uint64_t{is_found};
    if (is_found != is_within) return refute(trial, grid, "found outside, or not found within");
    const bool is_right = is_found ? contain(cell_at(grid, cell), cell_at(grid, cell), p) : cell == untouched;
    if (!is_right) refute(trial, grid, "found in another cell, or written though not found");
}

}  // namespace properties
