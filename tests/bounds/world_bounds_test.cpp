#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <lanecull/lanecull.h>

#include "bounds/world_cases.hpp"
#include "support/culling.hpp"
#include "support/memory.hpp"
#include "support/new_threads.hpp"
#include "support/scale.hpp"

/// World bounds contain the transformed local boxes, in rational arithmetic, and are hardly larger. Invalid objects
/// stay visible.

namespace {

using namespace world_tests;
using lanecull::TransformLayout;

class WorldBoundsOf : public testing::TestWithParam<lanecull::Isa> {};
INSTANTIATE_TEST_SUITE_P(All, WorldBoundsOf, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& test) { return isa_label(test.param); });

TEST_P(WorldBoundsOf, ContainTheTransformedBox) {
    Random random(20261125);
    for (int f = 0; f < static_cast<int>(Family::families); ++f) {
        const auto family = static_cast<Family>(f);
        std::size_t finite = 0, all = 0;
        double padding = 0, own_padding = 0, sphere_padding = 0;
        for (int round = 0; round < scaled(40); ++round) {
            const World world(random, family, static_cast<std::size_t>(1 + random.below(700)));
            const WorldBounds bounds = bounds_of(world, GetParam());
            for (std::size_t i = 0; i < world.cases.size(); ++i) {
                const Judgement box = judge_box(world, bounds, i), sphere = judge_sphere(world, bounds, i);
                ASSERT_TRUE(box.contains) << family_name(family) << ' ' << world.describe(i);
                ASSERT_TRUE(sphere.contains) << family_name(family) << ' ' << world.describe(i);
                ++all;
                finite += box.is_finite && sphere.is_finite;
                padding = std::max(padding, box.padding);
                own_padding = std::max(own_padding, box.own_padding);
                sphere_padding = std::max(sphere_padding, sphere.padding);
            }
        }
        EXPECT_GT(finite, family == Family::extreme ? all / 4 : all * 9 / 10) << family_name(family);
        EXPECT_LT(padding, family == Family::relative ? 20 : 13) << family_name(family);
        EXPECT_GT(padding, 4) << family_name(family);
        EXPECT_LT(own_padding, most_own_padding) << family_name(family);
        EXPECT_LT(sphere_padding, 0.7321) << family_name(family);  // sqrt(3) - 1, where A shears
        if (family == Family::ordinary) {
            EXPECT_LT(sphere_padding, 1e-5);
        }
    }
}

/// What the extremes are, by hand: a box turned by 90 degrees, mirrored and moved.
TEST(WorldBounds, AreThoseOfTheCorners) {
    const float lower[3] = {1, 2, 3}, upper[3] = {2, 4, 7};
    const float matrix[12] = {0, -1, 0, 10, 2, 0, 0, 20, 0, 0, -1, 30};  // (-y + 10, 2 x + 20, -z + 30)
    float out[6], sphere[4];
    const lanecull::LocalBoxes local{{lower, lower + 1, lower + 2, upper, upper + 1, upper + 2, 1}};
    ASSERT_TRUE(lanecull::world_boxes(local, {.first = matrix, .layout = TransformLayout::rows_3x4}, 1,
                                      {out, out + 1, out + 2, out + 3, out + 4, out + 5}));
    ASSERT_TRUE(lanecull::world_spheres(local, {.first = matrix, .layout = TransformLayout::rows_3x4}, 1,
                                        {sphere, sphere + 1, sphere + 2, sphere + 3}));
    const float expected[6] = {6, 22, 23, 8, 24, 27};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(out[k], expected[k], 4e-5f) << k;
    EXPECT_NEAR(sphere[0], 7, 1e-5f);
    EXPECT_NEAR(sphere[3], std::sqrt(1.0f + 1 + 4), 4e-5f);
}

/// One number after the other is made invalid: NaN or infinite in the box or the transform, an inverted box, an index
/// out of range, a projective row. The object's neighbours do not change.
TEST_P(WorldBoundsOf, KeepInvalidObjectsVisible) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    Random random(20261126);
    for (int round = 0; round < scaled(200); ++round) {
        World world(random, Family::ordinary, 37);
        world.index.clear();
        for (std::uint32_t i = 0; i < 37; ++i) world.index.push_back(i);
        const WorldBounds good = bounds_of(world, GetParam());
        const auto broken = static_cast<std::size_t>(random.below(37));
        const std::size_t floats = world.matrices.size() / 37;
        const float numbers[] = {nan, infinity, -infinity};
        switch (random.below(4)) {
            case 0:
                world.put(static_cast<std::size_t>(random.below(6)), broken, numbers[random.below(3)]);
                break;
            case 1: {
                const auto k = static_cast<std::size_t>(random.below(3));
                world.put(k, broken, std::nextafterf(world.boxes[3 + k][broken], infinity));
                break;
            }
            case 2:
                world.index[broken] = random.chance(0.5) ? 37 : 0xffffffff;
                break;
            default: {
                const auto at = broken * floats + static_cast<std::size_t>(random.below(static_cast<int>(floats)));
                const bool in_last_row =
                    floats == 16 && (world.layout == TransformLayout::rows_4x4 ? at % 16 >= 12 : at % 4 == 3);
                world.matrices[at] = in_last_row && random.chance(0.5) ? 0.5f : numbers[random.below(3)];
            }
        }
        const WorldBounds found = bounds_of(world, GetParam());
        for (std::size_t i = 0; i < 37; ++i) {
            bool box = true, sphere = true, same = true;
            for (std::size_t k = 0; k < 6; ++k) {
                box = box && std::isfinite(found.boxes[k][i]);
                same = same && found.boxes[k][i] == good.boxes[k][i];
            }
            for (std::size_t k = 0; k < 4; ++k) {
                sphere = sphere && std::isfinite(found.spheres[k][i]);
                same = same && found.spheres[k][i] == good.spheres[k][i];
            }
            EXPECT_EQ(box, i != broken);
            EXPECT_EQ(sphere, i != broken);
            EXPECT_EQ(same, i != broken);
        }
    }
}

/// Guard pages before and after every array, at any alignment of floats; strides; the last packet of any size.
TEST_P(WorldBoundsOf, TouchNothingElse) {
    Random random(20261127);
    for (std::size_t count = 1; count < 70; ++count) {
        const World world(random, static_cast<Family>(random.below(static_cast<int>(Family::families))), count);
        const WorldBounds expected = bounds_of(world, GetParam());
        GuardedMemory memory(count % 2 == 0 ? GuardedMemory::Against::start : GuardedMemory::Against::end);
        const auto [local, transforms] = copied(memory, world);
        float* out[6];
        for (std::size_t k = 0; k < 6; ++k) out[k] = copied(memory, std::vector<float>(count, -1));
        const lanecull::WorldBoundsOptions options{GetParam()};
        ASSERT_TRUE(lanecull::world_boxes(local, transforms, world.count(),
                                          {out[0], out[1], out[2], out[3], out[4], out[5]}, options));
        for (std::size_t k = 0; k < 6; ++k) {
            EXPECT_EQ(0, std::memcmp(out[k], expected.boxes[k].data(), count * sizeof(float))) << count;
        }
        ASSERT_TRUE(
            lanecull::world_spheres(local, transforms, world.count(), {out[0], out[1], out[2], out[3]}, options));
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_EQ(0, std::memcmp(out[k], expected.spheres[k].data(), count * sizeof(float))) << count;
        }
    }
}

TEST_P(WorldBoundsOf, AreTheSameOnSeveralThreads) {
    Random random(20261128);
    const World world(random, Family::ordinary, 50'000);
    const unsigned threads = 3;
    EXPECT_EQ(bounds_of(world, GetParam()), bounds_of(world, GetParam(), on_new_threads(threads)));
}

TEST(JoinedBoxes, AreAroundEachRun) {
    const std::vector<float> lower = {0, -2, 5, 1, 7}, upper = {1, 3, 6, 2, 8};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> broken = upper;
    broken[4] = nan;
    const std::uint32_t first[] = {0, 2, 2, 4, 5};
    float out[6][4];
    const lanecull::BoxStreams streams{out[0], out[1], out[2], out[3], out[4], out[5]};
    ASSERT_TRUE(lanecull::join_boxes(
        {lower.data(), lower.data(), lower.data(), upper.data(), upper.data(), broken.data(), 5}, first, 4, streams));
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(out[k][0], -2);
        EXPECT_EQ(out[3 + k][0], 3);
        EXPECT_TRUE(std::isnan(out[k][1]) && std::isnan(out[3 + k][1]));  // no box
        EXPECT_EQ(out[k][2], 1);
        EXPECT_EQ(out[3 + k][2], 6);
        EXPECT_EQ(std::isnan(out[k][3]), k == 2);
    }
    const std::uint32_t descending[] = {0, 2, 1}, beyond[] = {0, 6};
    const lanecull::Boxes boxes{lower.data(), lower.data(), lower.data(), upper.data(), upper.data(), upper.data(), 5};
    EXPECT_STREQ(lanecull::join_boxes(boxes, descending, 2, streams).message(), "first[1]: 2, and then 1");
    EXPECT_STREQ(lanecull::join_boxes(boxes, beyond, 1, streams).message(), "first[1]: 6, of 5 boxes");
}

TEST(WorldBounds, RefuseBrokenArguments) {
    Random random(1);
    World world(random, Family::relative, 8);
    world.boxes_are_records = false;
    std::vector<float> stream(8, -1);
    float* const s = stream.data();
    const auto message = [&](const lanecull::LocalBoxes& local, const lanecull::Transforms& transforms,
                             const lanecull::BoxStreams& out, const lanecull::WorldBoundsOptions& options = {}) {
        return std::string(lanecull::world_boxes(local, transforms, 8, out, options).message());
    };
    const lanecull::BoxStreams out{s, s, s, s, s, s};
    lanecull::LocalBoxes local = world.local();
    local.box_index = nullptr;
    local.boxes.count = 7;
    EXPECT_EQ(message(local, world.transforms(), out),
              "local.boxes.count: 7, but there are 8 objects and no box_index");
    const std::vector<std::uint32_t> index(8);
    local = world.local();
    local.box_index = index.data();
    local.boxes.count = 0x80000000;
    EXPECT_EQ(message(local, world.transforms(), out),
              "local.boxes.count: 2147483648, with box_index there must be 1 to 2147483647");
    local = world.local();
    local.boxes.max_y = nullptr;
    EXPECT_EQ(message(local, world.transforms(), out), "local.boxes.max_y: must not be null");
    lanecull::Transforms transforms = world.transforms();
    transforms.first = nullptr;
    EXPECT_EQ(message(world.local(), transforms, out), "transforms.first: must not be null");
    transforms = world.transforms();
    transforms.stride_bytes = 44;
    EXPECT_EQ(message(world.local(), transforms, out).find("transforms.stride_bytes: 44 is not a multiple of 4"), 0u);
    transforms = world.transforms();
    for (const int number : {0, 5, 255}) {
        transforms.layout = static_cast<TransformLayout>(number);
        EXPECT_EQ(message(world.local(), transforms, out),
                  "transforms.layout: must name a TransformLayout, and " + std::to_string(number) + " names none");
    }
    transforms = world.transforms();
    transforms.positions.stride_bytes = 12;
    EXPECT_EQ(message(world.local(), transforms, out),
              "transforms.positions.stride_bytes: 12 is not a multiple of 8 from 24 to 65536, nor packed");
    transforms = world.transforms();
    transforms.origin[1] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(message(world.local(), transforms, out), "transforms.origin[1]: not finite");
    EXPECT_EQ(message(world.local(), world.transforms(), {s, s, s, s, nullptr, s}), "boxes.max_y: must not be null");
    EXPECT_TRUE(lanecull::world_boxes({}, {}, 0, {}));
    for (const float x : stream) EXPECT_EQ(x, -1);
}

}  // namespace
