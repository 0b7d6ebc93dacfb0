#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/lanecull.h>

/// World bounds by hand, and what the functions refuse. properties/world has the rest.

namespace {

using lanecull::TransformLayout;

/// What is found of one box.
struct Found {
    float box[6], sphere[4], center[3], axes[9], half[3];

    Found(const float (&lower)[3], const float (&upper)[3], const float (&matrix)[12]) {
        const lanecull::LocalBoxes local{{lower, lower + 1, lower + 2, upper, upper + 1, upper + 2, 1}};
        const lanecull::Transforms transforms{.first = matrix, .layout = TransformLayout::rows_3x4};
        EXPECT_TRUE(lanecull::world_boxes(local, transforms, 1, {box, box + 1, box + 2, box + 3, box + 4, box + 5}));
        EXPECT_TRUE(lanecull::world_spheres(local, transforms, 1, {sphere, sphere + 1, sphere + 2, sphere + 3}));
        EXPECT_TRUE(lanecull::world_oriented_boxes(
            local, transforms, 1,
            {.x = center, .y = center + 1, .z = center + 2, .axes = {axes}, .half_extents = {half}}));
    }
};

/// A box turned by 90 degrees, mirrored, scaled unevenly and moved. The axes are in the local box's order.
TEST(WorldBounds, AreThoseOfTheCorners) {
    const Found found({1, 2, 3}, {2, 4, 7}, {0, -1, 0, 10, 2, 0, 0, 20, 0, 0, -1, 30});  // (10 - y, 2 x + 20, 30 - z)
    const float box[6] = {6, 22, 23, 8, 24, 27}, center[3] = {7, 23, 25}, half[3] = {1, 1, 2};
    const float axes[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(found.box[k], box[k], 4e-5f) << k;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.sphere[k], center[k], 1e-5f) << k;
    EXPECT_NEAR(found.sphere[3], std::sqrt(1.0f + 1 + 4), 4e-5f);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.center[k], center[k], 1e-5f) << k;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.half[k], half[k], 1e-4f) << k;
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(std::fabs(found.axes[k]), axes[k], 1e-6f) << k;
}

/// Where A shears, the box goes along the longest edge: so it is no longer than the parallelepiped is.
TEST(WorldBounds, OrientedBoxesGoAlongTheLongestEdge) {
    const Found found({-1, -1, -1}, {1, 1, 1}, {1, 5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});  // (x + 5 y, y, z)
    const float length = std::sqrt(26.0f);
    const float half[3] = {1 / length, length + 5 / length, 1};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.half[k], half[k], 1e-4f) << k;
    EXPECT_NEAR(std::fabs(found.axes[3]), 5 / length, 1e-6f);
    EXPECT_NEAR(std::fabs(found.axes[4]), 1 / length, 1e-6f);
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

/// What all three functions read, and what two of them write.
struct Call {
    lanecull::LocalBoxes local;
    lanecull::Transforms transforms;
    lanecull::BoxStreams boxes;
    lanecull::OrientedBoxStreams oriented;
};

std::string of_boxes(const Call& call) {
    return lanecull::world_boxes(call.local, call.transforms, 8, call.boxes).message().text;
}
std::string of_oriented(const Call& call) {
    return lanecull::world_oriented_boxes(call.local, call.transforms, 8, call.oriented).message().text;
}

constexpr std::uint32_t index_of_8[8] = {};

template <int layout>
void set_layout(Call& call) {
    call.transforms.layout = static_cast<TransformLayout>(layout);
}

constexpr const char* one_of_two = "boxes.axes.first, quaternions.first: one of the two must be null, the other not";

constexpr struct {
    std::string (*message)(const Call&);
    void (*change)(Call&);
    const char* sentence;
} refusals[] = {
    {of_boxes, [](Call& c) { c.local.boxes.count = 7; },
     "local.boxes.count: 7, but there are 8 objects and no box_index"},
    {of_boxes, [](Call& c) { c.local.box_index = index_of_8, c.local.boxes.count = 0x80000000; },
     "local.boxes.count: 2147483648, with box_index there must be 1 to 2147483647"},
    {of_boxes, [](Call& c) { c.local.boxes.max_y = nullptr; }, "local.boxes.max_y: must not be null"},
    {of_oriented, [](Call& c) { c.local.boxes.min_z = nullptr; }, "local.boxes.min_z: must not be null"},
    {of_boxes, [](Call& c) { c.transforms.first = nullptr; }, "transforms.first: must not be null"},
    {of_boxes, set_layout<0>, "transforms.layout: 0 is not a known value"},
    {of_boxes, set_layout<5>, "transforms.layout: 5 is not a known value"},
    {of_boxes, set_layout<255>, "transforms.layout: 255 is not a known value"},
    {of_boxes, [](Call& c) { c.transforms.stride_bytes = 44; },
     "transforms.stride_bytes: 44 is not a multiple of 4 from 48 to 65536, nor packed"},
    {of_boxes, [](Call& c) { c.transforms.positions.stride_bytes = 12; },
     "transforms.positions.stride_bytes: 12 is not a multiple of 8 from 24 to 65536, nor packed"},
    {of_boxes, [](Call& c) { c.transforms.origin[1] = HUGE_VAL; }, "transforms.origin[1]: not finite"},
    {of_boxes, [](Call& c) { c.boxes.max_y = nullptr; }, "boxes.max_y: must not be null"},
    {of_oriented, [](Call& c) { c.oriented.y = nullptr; }, "boxes.y: must not be null"},
    {of_oriented, [](Call& c) { c.oriented.axes.first = c.oriented.x; }, one_of_two},
    {of_oriented, [](Call& c) { c.oriented.quaternions.first = nullptr; }, one_of_two},
    {of_oriented, [](Call& c) { c.oriented.quaternions.stride_bytes = 12; },
     "boxes.quaternions.stride_bytes: 12 is not a multiple of 4 from 16 to 65536, nor packed"},
    {of_oriented,
     [](Call& c) {
         c.oriented.quaternions = {}, c.oriented.axes = {c.oriented.x, 38};
     },
     "boxes.axes.stride_bytes: 38 is not a multiple of 4 from 36 to 65536, nor packed"},
    {of_oriented, [](Call& c) { c.oriented.half_extents.first = nullptr; },
     "boxes.half_extents.first: must not be null"},
};

TEST(WorldBounds, RefuseBrokenArguments) {
    std::vector<float> numbers(8 * 12, 1), stream(8, -1), records(72, -1);
    const std::vector<double> positions(24);
    float *const n = numbers.data(), *const s = stream.data(), *const r = records.data();
    const Call good{{{n, n, n, n, n, n, 8}},
                    {.first = n, .layout = TransformLayout::rows_3x4, .positions = {positions.data()}},
                    {s, s, s, s, s, s},
                    {.x = s, .y = s, .z = s, .quaternions = {r}, .half_extents = {r}}};
    for (const auto& refusal : refusals) {
        Call call = good;
        refusal.change(call);
        EXPECT_EQ(refusal.message(call), refusal.sentence);
    }
    EXPECT_TRUE(lanecull::world_boxes({}, {}, 0, {}));
    EXPECT_TRUE(lanecull::world_oriented_boxes({}, {}, 0, {}));
    for (const float x : stream) EXPECT_EQ(x, -1);
    for (const float x : records) EXPECT_EQ(x, -1);
}

}  // namespace
