#include <gtest/gtest.h>

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

/// A row of unit cubes along x, seen from a cell about the origin.
struct Row {
    std::vector<float> stream[6];
    std::vector<lanecull::Handle> handles;
    lanecull::Scene scene;

    explicit Row(std::size_t count, float first = 10, float step = 10) : handles(count) {
        for (std::size_t i = 0; i < count; ++i) {
            const float at = first + step * static_cast<float>(i), corners[6] = {at, -0.5F, -0.5F, at + 1, 0.5F, 0.5F};
            for (std::size_t k = 0; k < 6; ++k) stream[k].push_back(corners[k]);
        }
        const auto& s = stream;
        const lanecull::Batch batch = lanecull::Boxes{s[0].data(),
                                                      s[1].data(),
                                                      s[2].data(),
                                                      s[3].data(),
                                                      s[4].data(),
                                                      s[5].data(),
                                                      static_cast<std::uint32_t>(count)};
        EXPECT_TRUE(scene.add({&batch, 1}, handles).ok());
        scene.refit();
    }
    [[nodiscard]] std::size_t seen(const Set& set) const {
        std::size_t objects = 0;
        for (const lanecull::Handle handle : handles) {
            std::uint32_t slot = 0;
            EXPECT_TRUE(scene.slot_of(handle, slot).ok());
            objects += has(set.words, slot) ? 1 : 0;
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

/// Of cubes at 10, 20, ... 60, four of them behind the wall. That nothing else is left out is a property
/// (properties/visibility).
TEST(BakedCells, LeaveOutWhatIsDistantOrBehindAWall) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const Row row(6);
    BakeScene walled, open;
    ASSERT_TRUE(walled.prepare(row.scene, {.boxes = {&wall, 1}}).ok());
    ASSERT_TRUE(open.prepare(row.scene, {}).ok());
    const struct {
        const BakeScene& world;
        double half;  // of the cell
        BakeOptions options;
        std::size_t seen;
    } cases[] = {
        {walled, 0, {}, 2},
        {walled, 1e-3, {}, 2},
        {walled, 5, {}, 2},
        {walled, 1, {.is_unoccluded = 1}, 6},
        {walled, 1, {.max_occluders = 1}, 2},
        {walled, 25.5, {}, 6},  // the wall cuts the cell
        {walled, 1, {.near_reach = 23.9}, 2},
        {walled, 1, {.near_reach = 24.1}, 6},
        {open, 1, {.distance = 0}, 6},
        {open, 1, {.distance = infinite}, 6},
        {open, 1, {.distance = 28.99}, 2},  // to the cell's face, which is at 1
        {open, 1, {.distance = 29.01}, 3},
        {open, 0, {.distance = 29.99}, 2},
        {open, 15, {.distance = 1e-30}, 1},  // what is about the cell
    };
    for (const auto& [world, half, options, seen] : cases) {
        SCOPED_TRACE(testing::Message() << half << " " << options.near_reach << " " << options.distance);
        const Set set = bake(world, cube(half), options);
        EXPECT_EQ(row.seen(set), seen);
        const std::size_t left_out = 6 - seen;
        EXPECT_EQ(set.baked.hidden, &world == &walled ? left_out : 0u);
        EXPECT_EQ(set.baked.distant, &world == &walled ? 0u : left_out);
        EXPECT_EQ(set.baked.occluder_count, &world == &walled && left_out > 0 ? 1u : 0u);
    }
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
    ConvexCell nine = cube(1), odd = cube(1);
    nine.corners = 9, odd.corner[3][1] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(message({}, {}), "cell.corners: 1 to 8, not 0");
    EXPECT_EQ(message(nine, {}), "cell.corners: 1 to 8, not 9");
    EXPECT_EQ(message(odd, {}), "cell.corner[3][1]: inf is not a finite coordinate up to 1e30");
    EXPECT_EQ(message(cube(1), {.near_reach = -1}), "options.near_reach: -1 is not a length from 0 to 1e30");
    EXPECT_EQ(message(cube(1), {.distance = -1}),
              "options.distance: -1 is neither a length from 0 to 1e30 nor infinite");
    EXPECT_EQ(message(cube(1), {.raster = {.per_distance = -1}}), "options.raster: a margin is not from 0 to 1e30");
    EXPECT_NE(message(cube(1), {.isa = static_cast<lanecull::Isa>(99)}).find("options.isa"), std::string::npos);
    std::vector<std::uint64_t> words(world.visibility_words() + 1);
    std::vector<std::byte> scratch(world.scratch_bytes());
    BakedCell baked;
    const auto sized = [&] { return std::string(bake_cell(world, cube(1), {}, scratch, words, baked).message()); };
    EXPECT_EQ(sized().find("visible: "), 0u);
    words.pop_back(), scratch.pop_back();
    EXPECT_EQ(sized().find("scratch: "), 0u);
}

TEST(CellGrids, RefuseWhatBreaksARule) {
    CellGrid grid;
    const auto message = [&](double low, double high, double size) {
        return std::string(lanecull::cover_with_cells({0, low, 0}, {1, high, 1}, {1, size, 1}, grid).message());
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message(0, 1, 1), "");
    EXPECT_EQ(message(nan, 1, 1), "lower[1]: nan is not a finite coordinate up to 1e30");
    EXPECT_EQ(message(0, 1e31, 1), "upper[1]: 1e+31 is not a finite coordinate up to 1e30");
    EXPECT_EQ(message(1, 0, 1), "upper[1]: 0 is below lower, 1");
    EXPECT_EQ(message(0, 1, 0), "size[1]: 0 is not above 0 and at most 1e30");
    EXPECT_EQ(message(0, 1, nan), "size[1]: nan is not above 0 and at most 1e30");
    EXPECT_EQ(message(0, 1e10, 1), "size[1]: 1 makes more than 2^32 - 2 cells");
    EXPECT_EQ(message(1e20, 1e20, 1), "size[1]: 1 is too small for coordinates of 1e+20");
    ConvexCell cell;
    EXPECT_STREQ(lanecull::cell_of(grid, 1, cell).message(), "cell: the grid has 1 cells, and no number 1");
    EXPECT_FALSE(lanecull::cell_of({{0, 0, 0}, {1, 1, 1}, {1 << 20, 1 << 20, 1}}, 0, cell).ok());
    EXPECT_FALSE(lanecull::cell_of({{0, 0, 0}, {1, -1, 1}, {1, 1, 1}}, 0, cell).ok());
    EXPECT_EQ(cell.corners, 0u);
    std::uint64_t found = 7;
    EXPECT_FALSE(lanecull::find_cell(grid, {nan, 0, 0}, found));
    EXPECT_FALSE(lanecull::find_cell(grid, {0, 0, std::numeric_limits<double>::infinity()}, found));
    EXPECT_FALSE(lanecull::find_cell({}, {0, 0, 0}, found));
    EXPECT_EQ(found, 7u);

    const auto part_message = [](const ConvexCell& of, const std::uint32_t(&parts)[3], std::uint64_t number = 0) {
        ConvexCell part;
        return std::string(lanecull::part_of(of, parts, number, part).message());
    };
    const ConvexCell box = cube(1);
    ConvexCell less = box, other = box, odd = box;
    less.corners = 7, odd.corner[0][0] = nan;
    std::swap(other.corner[1], other.corner[2]);
    EXPECT_EQ(part_message(box, {2, 1, 1}), "");
    EXPECT_EQ(part_message(box, {2, 0, 1}), "parts: 1 to 1048576, not 0");
    EXPECT_EQ(part_message(less, {1, 1, 1}), "box: is no box along the axes with its corners in cell_of()'s order");
    EXPECT_EQ(part_message(other, {1, 1, 1}), "box: is no box along the axes with its corners in cell_of()'s order");
    EXPECT_EQ(part_message(odd, {1, 1, 1}), "cell.corner[0][0]: nan is not a finite coordinate up to 1e30");
    EXPECT_EQ(part_message(box, {2, 1, 1}, 2), "part: there is no number 2 of 2 x 1 x 1");
}

}  // namespace
