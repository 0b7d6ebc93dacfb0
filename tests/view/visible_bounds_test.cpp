#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"

/// Boxes around what is visible, around all of it and slice by slice: of many parts, by any runner. (The families
/// bounds_visible, bounds_slices, bounds_any_visible and slices test what they hold.)

namespace {

using lanecull::WorldBox;

/// Many words, in parts that end within batches: the box around the boxes of each object alone, whatever the runner.
TEST(VisibleBounds, OfManyParts) {
    Random random(12'350'000);
    const Camera camera = random_camera(random, Projection::perspective);
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    std::vector<std::uint64_t> words;
    WorldBox expected{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (const std::size_t count : {70u, 30'000u, 0u, 1u, 64u, 9'000u}) {
        const std::vector<Object> objects = random_objects(random, Kind::box, camera, count, {});
        batches.push_back(make_batch(Kind::box, objects, {}, memory));
        for (std::size_t w = 0; w < (count + 63) / 64; ++w) words.push_back(random.chance(0.3) ? 0 : random.bits());
        for (std::size_t i = 0; i < count; ++i) {
            if ((words[words.size() - (count + 63) / 64 + i / 64] >> i % 64 & 1) == 0) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                expected.lower[k] = std::min(expected.lower[k], static_cast<double>(objects[i].fields[k]));
                expected.upper[k] = std::max(expected.upper[k], static_cast<double>(objects[i].fields[3 + k]));
            }
        }
    }
    const unsigned threads = 3;
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Runner& runner : {lanecull::Runner{}, on_new_threads(threads)}) {
            WorldBox box;
            ASSERT_TRUE(lanecull::visible_bounds(batches, words, box, {.isa = isa, .runner = runner}));
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_EQ(box.lower[k], expected.lower[k]);
                EXPECT_EQ(box.upper[k], expected.upper[k]);
            }
        }
    }
    WorldBox box{{1, 2, 3}, {4, 5, 6}};
    EXPECT_FALSE(lanecull::visible_bounds(batches, std::span(words).first(1), box));
    EXPECT_EQ(box.lower[0], 1);
}

/// The same boxes with any runner; and wrong arguments are named, and leave the boxes as they were.
TEST(SliceBounds, OfManyPartsAndOfWrongArguments) {
    Random random(12'380'000);
    const Camera camera = random_camera(random, Projection::perspective);
    const std::vector<Object> objects = random_objects(random, Kind::sphere, camera, 40'000, {});
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(Kind::sphere, objects, {}, memory);
    std::vector<std::uint64_t> words(625);
    for (std::uint64_t& word : words) word = random.bits();
    std::vector<double> depths(6);
    ASSERT_TRUE(lanecull::split_depths(camera.depth[0], camera.depth[1], 0.5, depths));
    std::vector<WorldBox> serial(5), threads(5);
    const auto ask = [&](std::span<WorldBox> bounds, const lanecull::WorldBoundsOptions& options) {
        return lanecull::slice_bounds({&batch, 1}, words, camera.matrix, camera.clip_space, depths, bounds, options);
    };
    const unsigned three = 3;
    ASSERT_TRUE(ask(serial, {}));
    ASSERT_TRUE(ask(threads, {.runner = on_new_threads(three)}));
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_TRUE(std::ranges::equal(serial[k].lower, threads[k].lower));
        EXPECT_TRUE(std::ranges::equal(serial[k].upper, threads[k].upper));
    }
    WorldBox kept[4] = {{{1, 2, 3}, {4, 5, 6}}};
    EXPECT_STREQ(ask(kept, {}).message(), "depths: must have one more than bounds, 5, not 6");
    depths[2] = depths[1];
    EXPECT_STREQ(ask(serial, {}).message(), "depths[1]: not finite, or not below the next");
    depths[2] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_STREQ(ask(serial, {}).message(), "depths[1]: not finite, or not below the next");
    depths.assign(10, 1);
    std::vector<WorldBox> many(9);
    EXPECT_STREQ(ask(many, {}).message(), "bounds: must be 1 to 8, not 9");
    depths = {1, 2};
    const std::array<double, 16> flat = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    EXPECT_STREQ(lanecull::slice_bounds({&batch, 1}, words, flat, camera.clip_space, depths, {kept, 1}).message(),
                 "clip_from_world: not the matrix of a perspective camera");
    EXPECT_EQ(kept[0].lower[0], 1);
}

}  // namespace
