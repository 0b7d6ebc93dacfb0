#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <lanecull/visibility.h>

#include "support/random.hpp"
#include "support/scale.hpp"

/// Grids of cells: they cover, neighbours share their faces, and points are found where they are.

namespace {

using lanecull::CellGrid;
using lanecull::ConvexCell;

ConvexCell cell_of(const CellGrid& grid, std::uint64_t cell) {
    ConvexCell corners;
    const lanecull::Status status = lanecull::cell_of(grid, cell, corners);
    EXPECT_TRUE(status.ok()) << status.message();
    return corners;
}

bool contains(const ConvexCell& cell, const double (&p)[3]) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(p[k] >= cell.corner[0][k] && p[k] <= cell.corner[7][k])) return false;
    }
    return true;
}

TEST(CellGrids, CoverAndShareFaces) {
    Random random(1);
    for (int n = scaled(300); n > 0; --n) {
        double low[3], high[3], size[3];
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = random.sign() * random.log_range(1e-3, 1e6);
            size[k] = random.log_range(1e-3, 1e3);
            high[k] = low[k] + size[k] * (random.chance(0.3) ? random.below(6) : random.range(0, 6));
        }
        CellGrid grid;
        const lanecull::Status status = lanecull::cover_with_cells(low, high, size, grid);
        ASSERT_TRUE(status.ok()) << status.message();
        const ConvexCell first = cell_of(grid, 0), last = cell_of(grid, grid.cell_count() - 1);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(first.corner[0][k], low[k]);
            EXPECT_GE(last.corner[7][k], high[k]);
            EXPECT_LE(grid.count[k], 8u);
        }
        for (std::uint64_t c = 0; c + 1 < grid.cell_count(); ++c) {
            if ((c + 1) % grid.count[0] == 0) continue;
            const ConvexCell here = cell_of(grid, c), next = cell_of(grid, c + 1);
            EXPECT_EQ(here.corner[7][0], next.corner[0][0]);
            EXPECT_LT(here.corner[0][0], here.corner[7][0]);
        }
    }
}

/// Parts of a box cover it: they begin and end where it does, and neighbours share their faces.
TEST(CellGrids, PartsCoverTheirBox) {
    Random random(3);
    for (int n = scaled(300); n > 0; --n) {
        CellGrid grid;
        std::uint32_t parts[3];
        for (std::size_t k = 0; k < 3; ++k) {
            grid.lower[k] = random.sign() * random.log_range(1e-3, 1e6);
            grid.size[k] = random.log_range(1e-3, 1e3);
            grid.count[k] = 1;
            parts[k] = 1 + static_cast<std::uint32_t>(random.below(5));
        }
        const ConvexCell box = cell_of(grid, 0);
        const std::uint64_t count = std::uint64_t{parts[0]} * parts[1] * parts[2],
                            steps[3] = {1, parts[0], count / parts[2]};
        for (std::uint64_t i = 0; i < count; ++i) {
            ConvexCell part, next;
            ASSERT_TRUE(lanecull::part_of(box, parts, i, part).ok());
            ASSERT_EQ(part.corners, 8u);
            const std::uint64_t at[3] = {i % parts[0], i / parts[0] % parts[1], i / parts[0] / parts[1]};
            for (std::size_t k = 0; k < 3; ++k) {
                const double low = part.corner[0][k], high = part.corner[7][k];
                ASSERT_LE(low, high);
                for (std::size_t c = 0; c < 8; ++c) ASSERT_EQ(part.corner[c][k], (c >> k & 1) != 0 ? high : low);
                if (at[k] == 0) {
                    ASSERT_EQ(low, box.corner[0][k]);
                }
                if (at[k] + 1 == parts[k]) {
                    ASSERT_EQ(high, box.corner[7][k]);
                } else {
                    ASSERT_TRUE(lanecull::part_of(box, parts, i + steps[k], next).ok());
                    ASSERT_EQ(high, next.corner[0][k]);
                }
            }
        }
        ConvexCell none;
        EXPECT_FALSE(lanecull::part_of(box, parts, count, none).ok());
    }
}

TEST(CellGrids, PartsAreOfBoxes) {
    const CellGrid grid = {{0, 0, 0}, {1, 2, 3}, {1, 1, 1}};
    const ConvexCell box = cell_of(grid, 0);
    ConvexCell part;
    const auto message = [&](const ConvexCell& of, const std::uint32_t(&parts)[3]) {
        return std::string(lanecull::part_of(of, parts, 0, part).message());
    };
    EXPECT_EQ(message(box, {2, 1, 1}), "");
    EXPECT_EQ(message(box, {2, 0, 1}), "parts: 1 to 1048576, not 0");
    ConvexCell other = box;
    other.corners = 7;
    EXPECT_EQ(message(other, {1, 1, 1}), "box: is no box along the axes with its corners in cell_of()'s order");
    other = box;
    std::swap(other.corner[1], other.corner[2]);
    EXPECT_EQ(message(other, {1, 1, 1}), "box: is no box along the axes with its corners in cell_of()'s order");
    other.corner[0][0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message(other, {1, 1, 1}), "cell.corner[0][0]: nan is not a finite coordinate up to 1e30");
    EXPECT_EQ(std::string(lanecull::part_of(box, {2, 1, 1}, 2, part).message()),
              "part: there is no number 2 of 2 x 1 x 1");
}

TEST(CellGrids, FindPoints) {
    Random random(2);
    for (int n = scaled(3000); n > 0; --n) {
        const CellGrid grid = {{random.range(-1e5, 1e5), random.range(-1, 1), random.range(-1e9, 1e9)},
                               {random.log_range(1e-3, 1e3), random.log_range(1e-9, 1), random.log_range(1e-3, 1e3)},
                               {1 + static_cast<std::uint32_t>(random.below(100)), 3, 70}};
        const ConvexCell some = cell_of(grid, random.bits() % grid.cell_count());
        double p[3];
        for (std::size_t k = 0; k < 3; ++k) {
            // Faces and what is beside them, and points anywhere about the grid.
            p[k] = some.corner[random.below(2) * 7][k];
            if (random.chance(0.5)) p[k] = std::nextafter(p[k], random.sign() * 1e300);
            if (random.chance(0.3)) p[k] += grid.size[k] * random.range(-1, 1);
        }
        const ConvexCell first = cell_of(grid, 0), last = cell_of(grid, grid.cell_count() - 1);
        bool within = true;
        for (std::size_t k = 0; k < 3; ++k) within = within && p[k] >= first.corner[0][k] && p[k] <= last.corner[7][k];
        std::uint64_t cell = 7;
        const bool found = lanecull::find_cell(grid, p, cell);
        ASSERT_EQ(found, within) << p[0] << " " << p[1] << " " << p[2];
        ASSERT_TRUE(found ? contains(cell_of(grid, cell), p) : cell == 7);
    }
}

TEST(CellGrids, FindNothingThatIsNoPoint) {
    const CellGrid grid = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    std::uint64_t cell = 0;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(lanecull::find_cell(grid, {nan, 1, 1}, cell));
    EXPECT_FALSE(lanecull::find_cell(grid, {1, 1, std::numeric_limits<double>::infinity()}, cell));
    EXPECT_FALSE(lanecull::find_cell({}, {0, 0, 0}, cell));
    EXPECT_TRUE(lanecull::find_cell(grid, {0.5, 1.5, 0.5}, cell));
    EXPECT_EQ(cell, 2u);
}

TEST(CellGrids, RefuseWhatBreaksARule) {
    CellGrid grid;
    const auto message = [&](double low, double high, double size) {
        return std::string(lanecull::cover_with_cells({0, low, 0}, {1, high, 1}, {1, size, 1}, grid).message());
    };
    EXPECT_EQ(message(0, 1, 1), "");
    EXPECT_EQ(grid.cell_count(), 1u);
    EXPECT_EQ(message(std::nan(""), 1, 1), "lower[1]: nan is not a finite coordinate up to 1e30");
    EXPECT_EQ(message(0, 1e31, 1), "upper[1]: 1e+31 is not a finite coordinate up to 1e30");
    EXPECT_EQ(message(1, 0, 1), "upper[1]: 0 is below lower, 1");
    EXPECT_EQ(message(0, 1, 0), "size[1]: 0 is not above 0 and at most 1e30");
    EXPECT_EQ(message(0, 1, std::nan("")), "size[1]: nan is not above 0 and at most 1e30");
    EXPECT_EQ(message(0, 1e10, 1), "size[1]: 1 makes more than 2^32 - 2 cells");
    EXPECT_EQ(message(1e20, 1e20, 1), "size[1]: 1 is too small for coordinates of 1e+20");
    ConvexCell cell;
    EXPECT_STREQ(lanecull::cell_of(grid, 1, cell).message(), "cell: the grid has 1 cells, and no number 1");
    EXPECT_EQ(cell.corners, 0u);
    EXPECT_FALSE(lanecull::cell_of({{0, 0, 0}, {1, 1, 1}, {1 << 20, 1 << 20, 1}}, 0, cell).ok());
    EXPECT_FALSE(lanecull::cell_of({{0, 0, 0}, {1, -1, 1}, {1, 1, 1}}, 0, cell).ok());
}

}  // namespace
