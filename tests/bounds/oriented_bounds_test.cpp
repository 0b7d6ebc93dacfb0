#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/lanecull.h>

#include "bounds/oriented_cases.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/memory.hpp"
#include "support/new_threads.hpp"
#include "support/scale.hpp"

/// Oriented boxes around transformed local boxes contain them, in rational arithmetic, and are hardly larger than they
/// must be for the axes that were chosen. Invalid objects stay visible.

namespace {

using namespace world_tests;

class OrientedBoundsOf : public testing::TestWithParam<lanecull::Isa> {};
INSTANTIATE_TEST_SUITE_P(All, OrientedBoundsOf, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& test) { return isa_label(test.param); });

TEST_P(OrientedBoundsOf, ContainTheTransformedBox) {
    Random random(20261129);
    for (int f = 0; f < static_cast<int>(Family::families); ++f) {
        const auto family = static_cast<Family>(f);
        std::size_t finite = 0, all = 0;
        double padding[2] = {}, beyond_edge = 0;
        for (int round = 0; round < scaled(40); ++round) {
            const World world(random, family, static_cast<std::size_t>(1 + random.below(700)));
            const bool by_axes = round % 2 == 1;
            const OrientedBounds bounds = oriented_bounds_of(world, by_axes, GetParam());
            for (std::size_t i = 0; i < world.cases.size(); ++i) {
                const OrientedJudgement box = judge_oriented(world, bounds, i);
                ASSERT_TRUE(box.contains) << family_name(family) << ' ' << world.describe(i);
                ASSERT_TRUE(box.in_ball) << family_name(family) << ' ' << world.describe(i);
                ASSERT_TRUE(box.is_turned) << family_name(family) << ' ' << world.describe(i);
                ++all;
                finite += box.is_finite;
                padding[by_axes] = std::max(padding[by_axes], box.padding);
                beyond_edge = std::max(beyond_edge, box.beyond_edge);
            }
        }
        std::printf("[ figures  ] %-9s padding %.1f u by quaternions, %.1f u by axes; beyond the edges %.1f u\n",
                    family_name(family), padding[0], padding[1], beyond_edge);
        EXPECT_GT(finite, family == Family::extreme ? all / 4 : all * 9 / 10) << family_name(family);
        EXPECT_LT(padding[0], 44) << family_name(family);
        EXPECT_LT(padding[1], 80) << family_name(family);
        EXPECT_GT(padding[0], 5) << family_name(family);
        if (family == Family::ordinary) {
            EXPECT_LT(beyond_edge, 60);
        }
    }
}

/// By hand: a box turned by 90 degrees, mirrored, scaled unevenly and moved. The axes are in the local box's order.
TEST(OrientedBounds, AreThoseOfTheCorners) {
    const float lower[3] = {1, 2, 3}, upper[3] = {2, 4, 7};
    const float matrix[12] = {0, -1, 0, 10, 2, 0, 0, 20, 0, 0, -1, 30};  // (-y + 10, 2 x + 20, -z + 30)
    const lanecull::LocalBoxes local{{lower, lower + 1, lower + 2, upper, upper + 1, upper + 2, 1}};
    float center[3], axes[9], half[3];
    ASSERT_TRUE(lanecull::world_oriented_boxes(
        local, {.first = matrix, .layout = lanecull::TransformLayout::rows_3x4}, 1,
        {.x = center, .y = center + 1, .z = center + 2, .axes = {axes}, .half_extents = {half}}));
    const float expected_center[3] = {7, 23, 25}, expected_half[3] = {1, 1, 2};
    const float expected_axes[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(center[k], expected_center[k], 1e-5f) << k;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(half[k], expected_half[k], 1e-4f) << k;
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(std::fabs(axes[k]), expected_axes[k], 1e-6f) << k;
}

/// Where A shears, the box goes along the longest edge: so it is no longer than the parallelepiped is.
TEST(OrientedBounds, GoAlongTheLongestEdge) {
    const float lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    const float matrix[12] = {1, 5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  // x + 5 y, y, z
    const lanecull::LocalBoxes local{{lower, lower + 1, lower + 2, upper, upper + 1, upper + 2, 1}};
    float center[3], axes[9], half[3];
    ASSERT_TRUE(lanecull::world_oriented_boxes(
        local, {.first = matrix, .layout = lanecull::TransformLayout::rows_3x4}, 1,
        {.x = center, .y = center + 1, .z = center + 2, .axes = {axes}, .half_extents = {half}}));
    const float length = std::sqrt(26.0f);
    EXPECT_NEAR(half[1], length + 5 / length, 1e-4f);
    EXPECT_NEAR(half[0], 1 / length, 1e-4f);
    EXPECT_NEAR(half[2], 1, 1e-4f);
    EXPECT_NEAR(std::fabs(axes[3]), 5 / length, 1e-6f);
    EXPECT_NEAR(std::fabs(axes[4]), 1 / length, 1e-6f);
}

/// What is written is a batch: culled as box instances are, but for what rounding or shear adds.
TEST_P(OrientedBoundsOf, AreBatchesOfOrientedBoxes) {
    Random random(20261130);
    std::size_t culled = 0, both = 0;
    for (int round = 0; round < scaled(40); ++round) {
        const World world(random, Family::ordinary, 500);
        const OrientedBounds b = oriented_bounds_of(world, round % 2 == 1, GetParam());
        lanecull::OrientedBoxes boxes{.x = b.center[0].data(),
                                      .y = b.center[1].data(),
                                      .z = b.center[2].data(),
                                      .half_extents = {b.half.data()},
                                      .bounding_radius = b.radius.data(),
                                      .count = world.count()};
        (b.by_axes ? boxes.axes : boxes.quaternions) = {b.turned.data()};
        const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        const lanecull::BoxInstances instances{world.transforms(), world.local(), world.count()};
        const ViewResult by_box = run_cull(boxes, prepared.view, {.isa = GetParam()}),
                         by_instance = run_cull(instances, prepared.view, {.isa = GetParam()});
        EXPECT_EQ(by_box.counts[lanecull::Reason::visible_invalid], 0u);
        for (std::size_t i = 0; i < world.cases.size(); ++i) {
            culled += !by_instance.visible(i);
            both += !by_instance.visible(i) && !by_box.visible(i);
        }
    }
    EXPECT_GT(culled, 1000u * test_scale());
    EXPECT_GE(both * 1000, culled * 999);
}

/// One number after the other is made invalid. The object's neighbours do not change.
TEST_P(OrientedBoundsOf, KeepInvalidObjectsVisible) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    constexpr std::uint32_t count = 37;
    Random random(20261131);
    for (int round = 0; round < scaled(200); ++round) {
        World world(random, Family::ordinary, count);
        world.index.clear();
        for (std::uint32_t i = 0; i < count; ++i) world.index.push_back(i);
        const bool by_axes = random.chance(0.5);
        const OrientedBounds good = oriented_bounds_of(world, by_axes, GetParam());
        const auto broken = static_cast<std::size_t>(random.below(count));
        const std::size_t floats = world.matrices.size() / count;
        const float numbers[] = {nan, infinity, -infinity};
        const float number = numbers[random.below(3)];
        switch (random.below(4)) {
            case 0:
                world.put(static_cast<std::size_t>(random.below(6)), broken, number);
                break;
            case 1: {
                const auto k = static_cast<std::size_t>(random.below(3));
                world.put(k, broken, std::nextafterf(world.boxes[3 + k][broken], infinity));
                break;
            }
            case 2:
                world.index[broken] = random.chance(0.5) ? count : 0xffffffff;
                break;
            default:
                world.matrices[broken * floats + static_cast<std::size_t>(random.below(static_cast<int>(floats)))] =
                    number;
        }
        const OrientedBounds found = oriented_bounds_of(world, by_axes, GetParam());
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(found.is_finite(i), i != broken) << round;
            ASSERT_EQ(std::isfinite(found.radius[i]), i != broken) << round;
            if (i == broken) continue;
            for (std::size_t k = 0; k < good.width(); ++k) {
                ASSERT_EQ(found.turned[i * good.width() + k], good.turned[i * good.width() + k]);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                ASSERT_EQ(found.center[k][i], good.center[k][i]);
                ASSERT_EQ(found.half[3 * i + k], good.half[3 * i + k]);
            }
        }
    }
}

/// Guard pages before and after every array, at any alignment of floats; records at a stride, and interleaved; without
/// radii; the last packet of any size. What lies between records stays as it was.
TEST_P(OrientedBoundsOf, TouchNothingElse) {
    Random random(20261132);
    for (std::size_t count = 1; count < 70; ++count) {
        const World world(random, static_cast<Family>(random.below(static_cast<int>(Family::families))), count);
        const bool by_axes = count % 3 == 0;
        const OrientedBounds expected = oriented_bounds_of(world, by_axes, GetParam());
        GuardedMemory memory(count % 2 == 0 ? GuardedMemory::Against::start : GuardedMemory::Against::end);
        const auto [local, transforms] = copied(memory, world);
        float* stream[3];
        for (float*& s : stream) s = copied(memory, std::vector<float>(count, -1));
        // A struct of a rotation, a float between, and half-extents; the last one ends with these.
        const std::size_t width = expected.width(), stride = width + 4 + count % 2;
        const std::size_t floats = (count - 1) * stride + width + 4;
        float* const structs = copied(memory, std::vector<float>(floats, -1));
        const bool has_radius = count % 4 != 0;
        float* const radius = copied(memory, std::vector<float>(count, -1));
        lanecull::OrientedBoxStreams out{.x = stream[0],
                                         .y = stream[1],
                                         .z = stream[2],
                                         .half_extents = {structs + width + 1, stride * sizeof(float)},
                                         .bounding_radius = has_radius ? radius : nullptr};
        (by_axes ? out.axes : out.quaternions) = {structs, stride * sizeof(float)};
        ASSERT_TRUE(lanecull::world_oriented_boxes(local, transforms, world.count(), out, {GetParam()}));
        const auto same = [](const float* a, const float* b, std::size_t n) {
            return std::memcmp(a, b, n * sizeof(float)) == 0;
        };
        for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(same(stream[k], expected.center[k].data(), count)) << count;
        if (has_radius) {
            EXPECT_TRUE(same(radius, expected.radius.data(), count)) << count;
        } else {
            EXPECT_EQ(std::count(radius, radius + count, -1.0f), static_cast<std::ptrdiff_t>(count));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const float* const one = structs + i * stride;
            EXPECT_TRUE(same(one, expected.turned.data() + i * width, width)) << count;
            EXPECT_TRUE(same(one + width + 1, expected.half.data() + 3 * i, 3)) << count;
            EXPECT_EQ(one[width], -1);
            if (i + 1 < count && count % 2 != 0) {
                EXPECT_EQ(one[stride - 1], -1);
            }
        }
    }
}

TEST_P(OrientedBoundsOf, AreTheSameOnSeveralThreads) {
    Random random(20261133);
    const World world(random, Family::ordinary, 50'000);
    const unsigned threads = 3;
    for (const bool by_axes : {false, true}) {
        EXPECT_EQ(oriented_bounds_of(world, by_axes, GetParam()),
                  oriented_bounds_of(world, by_axes, GetParam(), on_new_threads(threads)));
    }
}

TEST(OrientedBounds, RefuseBrokenArguments) {
    Random random(1);
    World world(random, Family::ordinary, 8);
    world.boxes_are_records = false;
    std::vector<float> stream(8, -1), records(72, -1);
    float *const s = stream.data(), *const r = records.data();
    const auto message = [&](const lanecull::OrientedBoxStreams& out, const lanecull::LocalBoxes& local,
                             const lanecull::WorldBoundsOptions& options = {}) {
        return std::string(lanecull::world_oriented_boxes(local, world.transforms(), 8, out, options).message());
    };
    const lanecull::OrientedBoxStreams good{.x = s, .y = s, .z = s, .quaternions = {r}, .half_extents = {r}};
    lanecull::OrientedBoxStreams out = good;
    out.y = nullptr;
    EXPECT_EQ(message(out, world.local()), "boxes.y: must not be null");
    constexpr const char* one_of_two =
        "boxes.axes.first, quaternions.first: one of the two must be null, the other not";
    out = good;
    out.axes.first = r;
    EXPECT_EQ(message(out, world.local()), one_of_two);
    out.axes.first = out.quaternions.first = nullptr;
    EXPECT_EQ(message(out, world.local()), one_of_two);
    out = good;
    out.quaternions.stride_bytes = 12;
    EXPECT_EQ(message(out, world.local()),
              "boxes.quaternions.stride_bytes: 12 is not a multiple of 4 from 16 to 65536, nor packed");
    out = good;
    out.quaternions = {};
    out.axes = {r, 38};
    EXPECT_EQ(message(out, world.local()),
              "boxes.axes.stride_bytes: 38 is not a multiple of 4 from 36 to 65536, nor packed");
    out = good;
    out.half_extents.first = nullptr;
    EXPECT_EQ(message(out, world.local()), "boxes.half_extents.first: must not be null");
    lanecull::LocalBoxes local = world.local();
    local.boxes.min_z = nullptr;
    EXPECT_EQ(message(good, local), "local.boxes.min_z: must not be null");
    EXPECT_TRUE(lanecull::world_oriented_boxes({}, {}, 0, {}));
    for (const float x : stream) EXPECT_EQ(x, -1);
    for (const float x : records) EXPECT_EQ(x, -1);
}

}  // namespace
