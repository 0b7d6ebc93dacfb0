#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/visibility.h>

#include "occluders/solids.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"
#include "visibility/world.hpp"

/// Baked cells against exact arithmetic, and what is asked of their arguments.

namespace {

using lanecull::BakedCell;
using lanecull::BakeOptions;
using lanecull::BakeScene;
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

struct Counts {
    std::size_t objects = 0, hidden = 0, distant = 0, left_out = 0;
    std::size_t divided = 0, by_parts = 0;  ///< cells that were baked in parts; objects that these left out
};

/// No object may be left out that is near enough, and that an eye may see past every single solid: by the corners of
/// the cell or of each of its parts, and by an eye within the cell. `sets`: of each instruction set.
void check(const BakeWorld& world, const std::vector<Set>& sets, std::uint64_t seed, Random& random, Counts& counts) {
    std::vector<std::size_t> left_out(sets.size());
    std::vector<BakedCell> bakes;
    for (const Set& set : sets) bakes.push_back(set.baked);
    const std::vector<BakeWorld::Parts> parts = world.parts(bakes);
    for (const BakeWorld::Parts& each : parts) counts.divided += each.places.size() > 1;
    for (const BakeWorld::Member& member : world.members) {
        bool is_left_out = false;
        for (std::size_t s = 0; s < sets.size(); ++s) {
            left_out[s] += !has(sets[s].words, member.slot);
            is_left_out = is_left_out || !has(sets[s].words, member.slot);
        }
        const exact::Solid object = world.exact_of(member);
        const bool hidden = BakeWorld::is_hidden(object, world.corners());
        const bool distant = world.is_distant(object);
        ++counts.objects;
        counts.hidden += hidden, counts.distant += distant;
        counts.left_out += is_left_out;
        if (!is_left_out || distant) continue;
        // Which set left it out does not matter: what any parts prove holds for the cell.
        const bool by_parts = !hidden && std::any_of(parts.begin(), parts.end(), [&](const BakeWorld::Parts& each) {
            return BakeWorld::is_hidden(object, each);
        });
        counts.by_parts += by_parts;
        ASSERT_TRUE((hidden || by_parts) && world.is_hidden(object, world.random_eye(random)))
            << "seed " << seed << world.text << "\n  " << describe(member.kind, member.object, world.hulls);
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
        EXPECT_EQ(sets[s].baked.visible, world.members.size() - left_out[s]);
        EXPECT_EQ(sets[s].baked.hidden + sets[s].baked.distant, left_out[s]);
    }
}

TEST(BakedCells, LeaveOutWhatIsDistantOrHiddenByOneSolidFromEveryEye) {
    Counts counts;
    const auto seeds = static_cast<std::uint64_t>(scaled(30));
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random(seed);
        const Projection perspective[] = {Projection::perspective, Projection::infinite, Projection::opengl};
        BakeWorld world;
        if (seed % 2 == 0) {
            make_world(random, random_camera(random, perspective[seed % 3]), 8, 8, world);
        } else {
            make_walls(random, {random.range(-99, 99), random.range(-99, 99), random.range(-99, 99)}, 4, world);
        }
        BakeScene prepared;
        ASSERT_TRUE(prepared.prepare(world.scene, world.solids()).ok());
        std::vector<Set> sets;
        for (const lanecull::Isa isa : runnable_isas()) {
            world.options.isa = isa;
            sets.push_back(bake(prepared, world.cell, world.options));
            ASSERT_EQ(sets.back().message, "");
        }
        check(world, sets, seed, random, counts);
        if (HasFatalFailure()) return;
    }
    std::printf(
        "[ figures  ] %zu objects, %zu hidden from all corners by one solid, %zu distant, %zu left out; %zu cells in "
        "parts, %zu objects left out by these alone\n",
        counts.objects, counts.hidden, counts.distant, counts.left_out, counts.divided, counts.by_parts);
    EXPECT_GT(counts.left_out * 10, counts.objects);
    EXPECT_GT(counts.left_out * 10, std::max(counts.hidden, counts.distant) * 9);
    EXPECT_GT(counts.by_parts * 40, counts.objects);
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

/// What is disabled, on no layer or too far away now may be drawn when a set is read.
TEST(BakedCells, DoNotDependOnFlagsLayersAndLimits) {
    std::size_t culled = 0, always = 0, left_out = 0;
    const auto seeds = static_cast<std::uint64_t>(scaled(30));
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random(seed);
        BakeWorld world;
        if (seed % 2 == 0) {
            make_world(random, random_camera(random, Projection::perspective), 8, 8, world);
        } else {
            make_walls(random, {random.range(-99, 99), random.range(-99, 99), random.range(-99, 99)}, 4, world);
        }
        const auto baked = [&] {
            BakeScene prepared;
            EXPECT_TRUE(prepared.prepare(world.scene, world.solids()).ok());
            return bake(prepared, world.cell, world.options);
        };
        const Set plain = baked();
        world.mark(random, lanecull::object_disabled);
        const Set marked = baked();
        EXPECT_EQ(marked.words, plain.words) << "seed " << seed;
        EXPECT_EQ(marked.baked.visible, plain.baked.visible) << "seed " << seed;
        for (const BakeWorld::Member& member : world.members) {
            culled += member.object.flags != 0 || member.object.layers == 0;
            left_out += !has(plain.words, member.slot);
        }
        // What is visible always is in every set, also if it is disabled now.
        world.mark(random, lanecull::object_disabled | lanecull::object_always_visible);
        const Set forced = baked();
        for (const BakeWorld::Member& member : world.members) {
            if ((member.object.flags & lanecull::object_always_visible) == 0) continue;
            ++always;
            EXPECT_TRUE(has(forced.words, member.slot)) << "seed " << seed;
        }
    }
    std::printf("[ figures  ] %zu objects disabled or on no layer, %zu always visible, %zu left out\n", culled, always,
                left_out);
    EXPECT_GT(culled, 10 * seeds);
    EXPECT_GT(always, 5 * seeds);
    EXPECT_GT(left_out, 5 * seeds);
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

TEST(BakedCells, AreTheSameFromAnyMemory) {
    Random random(5);
    BakeWorld given;
    make_world(random, random_camera(random, Projection::perspective), 30, 40, given);
    BakeScene world;
    ASSERT_TRUE(world.prepare(given.scene, given.solids()).ok());
    const Set first = bake(world, given.cell, {});
    std::vector<std::byte> scratch(world.scratch_bytes() + 8);
    for (std::size_t shift = 0; shift < 8; ++shift) {
        std::fill(scratch.begin(), scratch.end(), static_cast<std::byte>(0xff - shift));
        std::vector<std::uint64_t> words(world.visibility_words(), ~std::uint64_t{0});
        BakedCell baked;
        ASSERT_TRUE(lanecull::bake_cell(world, given.cell, {}, std::span(scratch).subspan(shift), words, baked).ok());
        EXPECT_EQ(words, first.words);
        EXPECT_EQ(baked.visible, first.baked.visible);
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

}  // namespace
