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

/// Boxes around what is visible: around all of it, and slice by slice. (The properties bounds_visible and slices test
/// what they hold.)

namespace {

using lanecull::WorldBox;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool has_no_end(const WorldBox& box) {
    return std::all_of(box.lower, box.lower + 3, [](double end) { return end == -infinity; }) &&
           std::all_of(box.upper, box.upper + 3, [](double end) { return end == infinity; });
}

/// Nothing tells where what is no object is drawn. A size below 0 stays one, whatever other sizes and margins add to
/// it.
TEST(VisibleBounds, HaveNoEndAroundInvalidObjects) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    struct Invalid {
        Kind kind;
        Object object;
    };
    const Invalid invalid[] = {
        {Kind::sphere, {{none, 0, 0, 1}}},
        {Kind::sphere, {{0, 0, 0, -1}, 0, 2}},
        {Kind::box, {{0, 0, 1, 1, 1, 0}}},
        {Kind::centered_box, {{0, 0, 0, 1, -1, 1}, 0, 2}},
        {Kind::capsule, {{-1, -1, -1, 1, 1, 1, -0.5f}}},
        {Kind::oriented_box, {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, -1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 0, 1, 1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 1e-19f, 1, 1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 1e19f, 1, 1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 1, 1, 1, -1}}},
        {Kind::box_instance, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 1}}},
        {Kind::box_instance, {{1, 0, none, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1}}},
        {Kind::sphere, {{0, 0, 0, 1}, 0, -0.5f}},
        {Kind::sphere, {{0, 0, 0, 1}, 0, 0, {0, none, 0}}},
    };
    for (const auto& [kind, object] : invalid) {
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, {&object, 1}, {}, memory, {.bounds = false, .streams = {.margin = true, .sweep = true}});
        const std::uint64_t one = 1;
        for (const lanecull::Isa isa : runnable_isas()) {
            WorldBox box;
            ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, {&one, 1}, box, {isa}));
            EXPECT_TRUE(has_no_end(box)) << describe(kind, object, {});
        }
    }
}

/// A hull that is not there; and nothing is around what is not visible.
TEST(VisibleBounds, OfHullsThatAreNotThere) {
    const float zero = 0;
    const std::uint64_t one = 1, no_bit = 0;
    const std::uint32_t out_of_range = 1;
    WorldBox box;
    lanecull::Hull hulls[2];  // the batch has the first alone
    for (lanecull::Hull& hull : hulls) ASSERT_TRUE(lanecull::prepare_hull(&zero, &zero, &zero, 1, hull));
    const float transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    lanecull::HullInstances instance{
        {.first = transform, .layout = lanecull::TransformLayout::rows_3x4}, hulls, 1, &out_of_range};
    instance.count = 1;
    const lanecull::Batch batch = instance;
    ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, {&one, 1}, box));
    EXPECT_TRUE(has_no_end(box));
    ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, {&no_bit, 1}, box));
    EXPECT_GT(box.lower[0], box.upper[0]);
    EXPECT_FALSE(lanecull::visible_bounds({&batch, 1}, {}, box).ok());
}

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

bool is_empty(const WorldBox& box) { return box.lower[0] > box.upper[0]; }

/// Invalid objects reach anywhere, in every slice.
TEST(SliceBounds, HaveNoEndAroundInvalidObjects) {
    const float none = std::numeric_limits<float>::quiet_NaN(), one = 1, far = 1e5f;
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};  // along +z
    const double depths[] = {1, 10, 100};
    const std::uint64_t bit = 1;
    const lanecull::Batch batches[] = {lanecull::Spheres{&none, &one, &far, &one, 1},
                                       lanecull::Boxes{&one, &one, &far, &one, &none, &far, 1},
                                       lanecull::CenteredBoxes{&one, &one, &far, &one, &one, &none, 1}};
    for (const lanecull::Batch& batch : batches) {
        for (const lanecull::Isa isa : runnable_isas()) {
            WorldBox bounds[2];
            ASSERT_TRUE(lanecull::slice_bounds({&batch, 1}, {&bit, 1}, camera, {}, depths, bounds, {isa}));
            EXPECT_TRUE(has_no_end(bounds[0]) && has_no_end(bounds[1]));
        }
    }
    const lanecull::Batch beyond = lanecull::Spheres{&one, &one, &far, &one, 1};
    WorldBox bounds[2];
    ASSERT_TRUE(lanecull::slice_bounds({&beyond, 1}, {&bit, 1}, camera, {}, depths, bounds));
    EXPECT_TRUE(is_empty(bounds[0]) && is_empty(bounds[1]));
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
