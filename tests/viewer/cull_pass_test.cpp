#include "../../tools/viewer/cull_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "../../tools/viewer/suspects.hpp"
#include "support/random.hpp"

/// The culling pass: its lists are those of separate culls, and it lists the casters of all visible shadows.

namespace {

using namespace lanecull;
using namespace lanecull::render;

/// Balls in a cube of 400 around the origin, one draw each.
struct Balls {
    std::vector<float> x, y, z, radius;
    DrawCommand draw{36, 1, 12, 3, 0};
    std::vector<Batch> batches;

    void add(float a, float b, float c, float r) {
        x.push_back(a), y.push_back(b), z.push_back(c), radius.push_back(r);
    }
    void finish() {
        batches.emplace_back(
            Spheres{x.data(), y.data(), z.data(), radius.data(), static_cast<std::uint32_t>(x.size())});
        batches.back().draws = {&draw};
    }
};

void add_scattered(Balls& balls, std::size_t count) {
    Random random(5);
    const auto between = [&](double low, double high) { return static_cast<float>(random.range(low, high)); };
    for (std::size_t i = 0; i < count; ++i) {
        const float x = between(-200, 200), y = between(-200, 200), z = between(-200, 200);
        balls.add(x, y, z, between(0.5, 5));
    }
}

/// At the origin, looking along -z, y up, 90 degrees wide and high, from 1 to 101.
FrameCamera camera() {
    const double depth = 101.0 / 100;
    FrameCamera result;
    result.near_depth = 1;
    result.far_depth = 101;
    result.clip_from_world = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -depth, -1, 0, 0, -depth, 0};
    return result;
}

FrameLights lights() {
    FrameLights result;
    result.sun.toward[1] = 1;  // straight up
    result.lamp.at[2] = -30;
    result.lamp.range = 40;
    return result;
}

struct Lists {
    std::array<std::vector<DrawCommand>, view_count> commands;
    std::array<std::uint32_t, view_count> counts{};

    explicit Lists(std::size_t objects) {
        for (auto& list : commands) list.resize(objects);
    }
    std::array<DrawList, view_count> outputs() {
        std::array<DrawList, view_count> result;
        for (std::size_t v = 0; v < view_count; ++v) {
            result[v] = {std::as_writable_bytes(std::span(commands[v])), &counts[v]};
        }
        return result;
    }
    [[nodiscard]] std::set<std::uint32_t> objects(std::size_t view) const {
        std::set<std::uint32_t> result;
        for (std::uint32_t i = 0; i < counts[view]; ++i) result.insert(commands[view][i].first_instance);
        return result;
    }
};

void run(CullPass& pass, Casters casters, Lists& lists, FramePlan& plan, FrameViews& views) {
    Status status = pass.plan(camera(), lights(), {}, plan);
    ASSERT_TRUE(status) << status.message();
    status = prepare_views(plan, casters, views);
    ASSERT_TRUE(status) << status.message();
    status = pass.cull(views, lists.outputs(), {});
    ASSERT_TRUE(status) << status.message();
}

TEST(CullPass, ListsAreThoseOfSingleCulls) {
    Balls balls;
    add_scattered(balls, 5000);
    balls.finish();
    CullPass pass(balls.batches, serial_runner());
    for (const Casters casters : {Casters::frustum, Casters::volume}) {
        Lists lists(5000);
        FramePlan plan;
        FrameViews views;
        run(pass, casters, lists, plan, views);
        for (std::size_t v = 0; v < view_count; ++v) {
            std::vector<std::uint32_t> expected(5000);
            std::vector<std::byte> scratch(scratch_bytes(balls.batches, 1));
            ViewOutput output{.indices = expected};
            ASSERT_TRUE(lanecull::cull(balls.batches, {&views[v], 1}, {&output, 1}, scratch));
            ASSERT_EQ(lists.counts[v], output.visible_count);
            EXPECT_GT(output.visible_count, 0U) << v;
            EXPECT_LT(output.visible_count, 5000U) << v;
            for (std::uint32_t i = 0; i < lists.counts[v]; ++i) {
                const DrawCommand& command = lists.commands[v][i];
                EXPECT_EQ(command.first_instance, expected[i]);
                EXPECT_EQ(command.index_count, 36U);
                EXPECT_EQ(command.vertex_offset, 3);
            }
        }
    }
}

/// By way of an ordered scene: the same plan, the same bytes.
TEST(CullPass, OrderedObjectsGiveTheSameLists) {
    Balls balls;
    add_scattered(balls, 5000);
    balls.finish();
    // Some more balls, and boxes of which each has a command of its own.
    std::vector<DrawCommand> commands(3000);
    for (std::uint32_t i = 0; i < 3000; ++i) commands[i] = {i % 7, 1, i, 0, 10'000 + i};
    balls.batches.push_back(balls.batches[0]);
    const float* x = balls.x.data();
    const float *y = balls.y.data(), *z = balls.z.data(), *half = balls.radius.data();
    balls.batches.emplace_back(CenteredBoxes{z, x, y, half, half, half, 3000});
    balls.batches.back().draws = {commands.data(), DrawTemplates::Per::object};
    OrderedObjects ordered;
    ASSERT_TRUE(ordered.build(balls.batches, serial_runner()));
    CullPass flat_pass(balls.batches, serial_runner()), ordered_pass(balls.batches, serial_runner(), &ordered);
    for (const Casters casters : {Casters::frustum, Casters::volume}) {
        Lists expected(13'000), found(13'000);
        FramePlan plan, ordered_plan;
        FrameViews views;
        run(flat_pass, casters, expected, plan, views);
        run(ordered_pass, casters, found, ordered_plan, views);
        for (std::size_t k = 0; k < cascade_count; ++k) {
            EXPECT_TRUE(std::ranges::equal(plan.receivers[k].lower, ordered_plan.receivers[k].lower)) << k;
            EXPECT_TRUE(std::ranges::equal(plan.receivers[k].upper, ordered_plan.receivers[k].upper)) << k;
        }
        for (std::size_t v = 0; v < view_count; ++v) {
            EXPECT_GT(expected.counts[v], 0U) << v;
            EXPECT_EQ(found.counts[v], expected.counts[v]) << v;
            EXPECT_EQ(found.objects(v), expected.objects(v)) << v;
            const auto bytes = [&](const Lists& lists) { return std::as_bytes(std::span(lists.commands[v])); };
            EXPECT_TRUE(std::ranges::equal(bytes(found), bytes(expected))) << v;
            EXPECT_EQ(ordered_pass.results()[v].visible_count, flat_pass.results()[v].visible_count) << v;
        }
    }
}

/// Commands end where the memory does.
TEST(CullPass, OrderedObjectsStayInTheirMemory) {
    Balls balls;
    add_scattered(balls, 5000);
    balls.finish();
    OrderedObjects ordered;
    ASSERT_TRUE(ordered.build(balls.batches, serial_runner()));
    CullPass pass(balls.batches, serial_runner(), &ordered);
    Lists lists(3);
    FramePlan plan;
    FrameViews views;
    run(pass, Casters::frustum, lists, plan, views);
    for (std::size_t v = 0; v < view_count; ++v) {
        EXPECT_EQ(lists.counts[v], 3U) << v;
        EXPECT_GT(pass.results()[v].visible_count, 3U) << v;
    }
}

TEST(CullPass, CastersAreFewerThanWhatTheLightSees) {
    Balls balls;
    add_scattered(balls, 5000);
    balls.finish();
    CullPass pass(balls.batches, serial_runner());
    Lists frustum(5000), volume(5000);
    FramePlan plan;
    FrameViews views;
    run(pass, Casters::frustum, frustum, plan, views);
    run(pass, Casters::volume, volume, plan, views);
    EXPECT_EQ(frustum.objects(0), volume.objects(0));
    std::uint64_t seen = 0, casting = 0;
    for (std::size_t v = 1; v < view_count; ++v) seen += frustum.counts[v], casting += volume.counts[v];
    EXPECT_LT(casting, seen);
}

/// A ball above the view shades the one in it; one below shades nothing.
TEST(CullPass, ACasterOutsideOfTheViewIsInItsMapAlone) {
    Balls balls;
    balls.add(0, 0, -50, 2);
    balls.add(0, 150, -50, 2);
    balls.add(0, -150, -50, 2);
    balls.finish();
    CullPass pass(balls.batches, serial_runner());
    Lists lists(3);
    FramePlan plan;
    FrameViews views;
    run(pass, Casters::volume, lists, plan, views);
    EXPECT_EQ(lists.objects(0), std::set<std::uint32_t>{0});
    std::set<std::uint32_t> casters;
    for (std::size_t k = 0; k < cascade_count; ++k) casters.merge(lists.objects(1 + k));
    EXPECT_EQ(casters, (std::set<std::uint32_t>{0, 1}));
}

TEST(CullPass, GivenBoundsNothingIsCulledForThePlan) {
    Balls balls;
    balls.add(0, 0, -50, 2);
    balls.finish();
    CullPass pass(balls.batches, serial_runner());
    const WorldBox bounds{{-9, -9, -90}, {9, 9, 9}};
    FramePlan plan;
    ASSERT_TRUE(pass.plan(camera(), lights(), {}, plan, &bounds));
    for (const WorldBox& box : plan.receivers) EXPECT_EQ(box.lower[2], -90);
}

TEST(CullPass, AWrongArgumentIsAFailure) {
    Balls balls;
    balls.add(0, 0, -50, 2);
    balls.finish();
    CullPass pass(balls.batches, serial_runner());
    FrameCamera wrong = camera();
    wrong.near_depth = 200;
    FramePlan plan;
    EXPECT_FALSE(pass.plan(wrong, lights(), {}, plan));
}

/// A picture of 10 by 10 pixels: the ball ahead is behind the four pixels in the middle.
TEST(Suspects, WhoIsMissingFromAPixel) {
    Balls balls;
    balls.add(0, 0, -50, 2);
    balls.add(30, 0, -50, 2);
    balls.finish();
    const FrameCamera seen = camera();
    const auto missing_at = [&](std::uint32_t x, std::uint32_t y, std::vector<DrawCommand> drawn) {
        return program::missing_from(balls.batches, program::matrix_of({x, y, 10, 10}, seen.clip_from_world),
                                     seen.clip_space, nullptr, drawn);
    };
    const std::vector<std::uint32_t> first = {0}, second = {1}, none;
    DrawCommand both[2];
    both[1].first_instance = 1;
    for (const std::uint32_t x : {4U, 5U}) {
        for (const std::uint32_t y : {4U, 5U}) EXPECT_EQ(missing_at(x, y, {both[1]}), first);
    }
    EXPECT_EQ(missing_at(4, 4, {both[0], both[1]}), none);
    EXPECT_EQ(missing_at(2, 4, {}), none);
    EXPECT_EQ(missing_at(8, 4, {both[0]}), second);
    EXPECT_EQ(missing_at(4, 8, {}), none);
}

}  // namespace
