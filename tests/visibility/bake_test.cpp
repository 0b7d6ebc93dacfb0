#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/visibility.h>

/// Baked cells, and grids and parts of cells: what one can see, and what their arguments must be.

namespace {

using lanecull::BakedCell;
using lanecull::BakeOptions;
using lanecull::BakeScene;
using lanecull::CellGrid;
using lanecull::ConvexCell;

constexpr double infinite = std::numeric_limits<double>::infinity();

bool has(const std::vector<std::uint64_t>& words, std::size_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

struct Set {
    std::vector<std::uint64_t> words;
    BakedCell baked;
    std::string message;
};

Set bake(const BakeScene& world, const ConvexCell& cell, const BakeOptions& options) {
    Set set;
    set.words.resize(world.visibility_words());
    std::vector<std::byte> scratch(world.scratch_bytes());
    set.message = lanecull::bake_cell(world, cell, options, scratch, set.words, set.baked).message();
    return set;
}

/// A row of unit cubes along x, 10 apart, seen from a cell about the origin.
struct Row {
    std::vector<float> min[3], max[3];
    std::vector<lanecull::Handle> handles;
    lanecull::Scene scene;

    explicit Row(std::size_t count, float first = 10, float step = 10) : handles(count) {
        for (std::size_t i = 0; i < count; ++i) {
            const float at = first + step * static_cast<float>(i);
            for (std::size_t k = 0; k < 3; ++k) {
                min[k].push_back(k == 0 ? at : -0.5F);
                max[k].push_back(k == 0 ? at + 1 : 0.5F);
            }
        }
        const lanecull::Batch batch = lanecull::Boxes{min[0].data(),
                                                      min[1].data(),
                                                      min[2].data(),
                                                      max[0].data(),
                                                      max[1].data(),
                                                      max[2].data(),
                                                      static_cast<std::uint32_t>(count)};
        EXPECT_TRUE(scene.add({&batch, 1}, handles).ok());
        scene.refit();
    }
    [[nodiscard]] std::vector<std::size_t> seen(const Set& set) const {
        std::vector<std::size_t> objects;
        for (std::size_t i = 0; i < handles.size(); ++i) {
            std::uint32_t slot = 0;
            EXPECT_TRUE(scene.slot_of(handles[i], slot).ok());
            if (has(set.words, slot)) objects.push_back(i);
        }
        return objects;
    }
};

ConvexCell cube(double half) {
    ConvexCell cell;
    cell.corners = 8;
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t k = 0; k < 3; ++k) cell.corner[c][k] = (c >> k & 1) != 0 ? half : -half;
    }
    return cell;
}

const lanecull::SolidBox wall = {{25, -20, -20}, {26, 20, 20}};

TEST(BakedCells, LeaveOutWhatIsDistantOrBehindAWall) {
    const Row row(6);  // at 10, 20, ... 60
    BakeScene world;
    ASSERT_TRUE(world.prepare(row.scene, {.boxes = {&wall, 1}}).ok());
    const std::vector<std::size_t> before_wall = {0, 1};
    for (const double half : {0.0, 1e-3, 1.0, 5.0}) {
        const Set set = bake(world, cube(half), {});
        EXPECT_EQ(row.seen(set), before_wall) << half;
        EXPECT_EQ(set.baked.hidden, 4u);
        EXPECT_EQ(set.baked.occluder_count, 1u);
    }
    // Without the wall it is the distance that decides: to the cell's face, which is at 1.
    BakeScene open;
    ASSERT_TRUE(open.prepare(row.scene, {}).ok());
    for (const double none : {0.0, infinite}) {
        EXPECT_EQ(row.seen(bake(open, cube(1), {.distance = none})).size(), 6u);
    }
    EXPECT_EQ(row.seen(bake(open, cube(1), {.distance = 28.99})), before_wall);
    EXPECT_EQ(row.seen(bake(open, cube(1), {.distance = 29.01})).size(), 3u);
    EXPECT_EQ(bake(open, cube(1), {.distance = 29.01}).baked.distant, 3u);
    EXPECT_EQ(row.seen(bake(open, cube(0), {.distance = 29.99})), before_wall);
    // What is about the cell is in its set.
    EXPECT_EQ(row.seen(bake(open, cube(15), {.distance = 1e-30})).size(), 1u);
    // No solid may hide; one may.
    EXPECT_EQ(row.seen(bake(world, cube(1), {.is_unoccluded = 1})).size(), 6u);
    EXPECT_EQ(row.seen(bake(world, cube(1), {.max_occluders = 1})), before_wall);
    // A cell that the wall cuts, and one beside which the near planes may.
    EXPECT_EQ(row.seen(bake(world, cube(25.5), {})).size(), 6u);
    EXPECT_EQ(row.seen(bake(world, cube(1), {.near_reach = 23.9})), before_wall);
    EXPECT_EQ(row.seen(bake(world, cube(1), {.near_reach = 24.1})).size(), 6u);
}

/// Two walls that each hide a row from one half of the cell, and neither from all of it.
TEST(BakedCells, AreBakedInPartsWhereSolidsHideFromOneSideEach) {
    const Row row(40, 100, 0.1F);
    BakeScene world;
    const lanecull::SolidBox walls[] = {{{20, -30, -9}, {21, 0.6F, 9}}, {{22, -0.6F, -9}, {23, 30, 9}}};
    ASSERT_TRUE(world.prepare(row.scene, {.boxes = walls}).ok());
    const Set whole = bake(world, cube(2), {.max_parts = 1});
    EXPECT_EQ(whole.baked.visible, 40u);
    const Set parts = bake(world, cube(2), {});
    EXPECT_EQ(parts.baked.visible, 0u);
    EXPECT_EQ(parts.baked.hidden, 40u);
    EXPECT_EQ(parts.baked.parts[0] * parts.baked.parts[1] * parts.baked.parts[2], 64u);
    EXPECT_EQ(bake(world, cube(2), {.max_parts = 5}).baked.parts[1], 2u);
    // Only boxes are divided.
    ConvexCell other = cube(2);
    std::swap(other.corner[0], other.corner[1]);
    EXPECT_EQ(bake(world, other, {}).words, whole.words);
}

TEST(BakedCells, NameTheSolidsThatHide) {
    const Row row(6);
    const lanecull::SolidBox solids[] = {{{45, -1, -1}, {46, 1, 1}}, wall, {{5, 5, 5}, {5, 6, 6}}};
    BakeScene world;
    ASSERT_TRUE(world.prepare(row.scene, {.boxes = solids}).ok());
    std::vector<std::byte> scratch(world.scratch_bytes());
    std::vector<std::uint64_t> words(world.visibility_words());
    std::uint32_t numbers[4] = {9, 9, 9, 9};
    BakedCell baked;
    baked.occluders = numbers;
    ASSERT_TRUE(lanecull::bake_cell(world, cube(1), {}, scratch, words, baked).ok());
    EXPECT_EQ(baked.occluder_count, 1u);
    EXPECT_EQ(numbers[0], 1u);
    EXPECT_EQ(numbers[1], 9u);
}

/// What is no shape, or lies where no plane does, is visible from everywhere.
TEST(BakedCells, KeepWhatIsInvalidOrBeyondAllCoordinates) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), far = 1e35F, most = std::numeric_limits<float>::max();
    const float x[] = {nan, 40, -far, most, 40}, r[] = {1, nan, 1, 1, 1}, zero[5] = {};
    const lanecull::Batch batch = lanecull::Spheres{x, zero, zero, r, 5};
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(5);
    ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
    scene.refit();
    BakeScene world;
    ASSERT_TRUE(world.prepare(scene, {.boxes = {&wall, 1}}).ok());
    const Set set = bake(world, cube(1), {});
    for (std::size_t i = 0; i < 5; ++i) {
        std::uint32_t slot = 0;
        ASSERT_TRUE(scene.slot_of(handles[i], slot).ok());
        EXPECT_EQ(has(set.words, slot), i != 4) << i;
    }
}

TEST(BakedCells, RefuseWhatBreaksARule) {
    const Row row(3);
    BakeScene world;
    const lanecull::SolidBox two[2] = {wall, wall};
    EXPECT_STREQ(world.prepare(row.scene, {.boxes = two, .drawn = {two, 1}}).message(),
                 "solids.drawn: 1 boxes are not one for each of 2 solids");
    EXPECT_EQ(bake(world, cube(1), {}).message, "world: was not prepared");
    ASSERT_TRUE(world.prepare(row.scene, {.boxes = two}).ok());
    const auto message = [&](const ConvexCell& cell, const BakeOptions& options) {
        const Set set = bake(world, cell, options);
        for (const std::uint64_t word : set.words) EXPECT_EQ(word, 0u);
        return set.message;
    };
    EXPECT_EQ(message({}, {}), "cell.corners: 1 to 8, not 0");
    ConvexCell nine = cube(1);
    nine.corners = 9;
    EXPECT_EQ(message(nine, {}), "cell.corners: 1 to 8, not 9");
    ConvexCell odd = cube(1);
    odd.corner[3][1] = infinite;
    EXPECT_EQ(message(odd, {}), "cell.corner[3][1]: inf is not a finite coordinate up to 1e30");
    EXPECT_EQ(message(cube(1), {.near_reach = -1}), "options.near_reach: -1 is not a length from 0 to 1e30");
    EXPECT_EQ(message(cube(1), {.distance = -1}),
              "options.distance: -1 is neither a length from 0 to 1e30 nor infinite");
    EXPECT_EQ(message(cube(1), {.raster = {.per_distance = -1}}), "options.raster: a margin is not from 0 to 1e30");
    std::vector<std::uint64_t> words(world.visibility_words() + 1);
    std::vector<std::byte> scratch(world.scratch_bytes());
    BakedCell baked;
    EXPECT_NE(std::string(lanecull::bake_cell(world, cube(1), {}, scratch, words, baked).message()).find("visible: "),
              std::string::npos);
    words.pop_back();
    scratch.pop_back();
    EXPECT_NE(std::string(lanecull::bake_cell(world, cube(1), {}, scratch, words, baked).message()).find("scratch: "),
              std::string::npos);
    EXPECT_NE(message(cube(1), {.isa = static_cast<lanecull::Isa>(99)}).find("options.isa"), std::string::npos);
}

TEST(CellGrids, PartsAreOfBoxes) {
    ConvexCell box, part;
    ASSERT_TRUE(lanecull::cell_of({{0, 0, 0}, {1, 2, 3}, {1, 1, 1}}, 0, box).ok());
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
