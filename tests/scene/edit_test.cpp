#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <lanecull/scene.h>

#include "scene/shadowed.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"
#include "support/scene_file.hpp"

/// Scenes that are edited, compared with a copy of their objects that is culled flat.

namespace {

using lanecull::Handle;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;

/// LANECULL_SOAK_FRAMES runs more (tests/README.md).
int soak_frames() {
    const char* frames = std::getenv("LANECULL_SOAK_FRAMES");
    return frames != nullptr ? std::atoi(frames) : scaled(20'000);
}

TEST(SceneEdits, LeaveTheVerdictsOfTheShadowCopy) {
    constexpr std::uint64_t seed = 99;
    Shadowed shadowed(seed);
    constexpr std::size_t objects = 10'000;
    shadowed.keep_to(objects);
    while (shadowed.size() < objects) {
        shadowed.add(static_cast<std::size_t>(shadowed.random().log_range(1, 2000)));
        if (testing::Test::HasFatalFailure()) return;
    }
    std::uint64_t moved = 0;
    std::uint64_t bytes = 0;
    const int frames = soak_frames();
    for (int frame = 0; frame < frames; ++frame) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", frame " << frame);
        for (int edit = shadowed.random().below(4); edit-- > 0;)
            shadowed.edit(shadowed.random().chance(0.05) ? 500 : 20);
        if (shadowed.random().chance(0.5)) moved += shadowed.scene.improve(20'000).objects;
        shadowed.scene.refit(shadowed.random().chance(0.5) ? lanecull::Fit::tight : lanecull::Fit::grown);
        if (frame % 500 == 250) {
            ASSERT_TRUE(shadowed.scene.rebuild().ok());
        }
        if (frame % 97 == 5) shadowed.save_and_load();
        if (frame % 10 == 0) shadowed.compare();
        if (testing::Test::HasFatalFailure()) return;
        if (frame == frames / 2) bytes = shadowed.scene.bytes();
    }
    std::printf("seed %llu: %d frames, %llu objects moved by improve(), spread %.2f, %llu bytes then %llu\n",
                static_cast<unsigned long long>(seed), frames, static_cast<unsigned long long>(moved),
                shadowed.scene.spread(), static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(shadowed.scene.bytes()));
    EXPECT_GT(moved, 0u);
    EXPECT_GT(shadowed.visible, 10u * static_cast<unsigned>(frames / 10));
    EXPECT_GT(shadowed.outside, 100u * static_cast<unsigned>(frames / 10));
    EXPECT_LT(static_cast<double>(shadowed.scene.bytes()), 1.5 * static_cast<double>(bytes) + 1e6);
}

/// A margin reaches into the view at once, also where boxes only grow, and is gone again with the next one. A flag
/// leaves the margin as it is.
TEST(SceneEdits, SetAttributesWithoutTheShapes) {
    constexpr lanecull::Plane to_the_left[] = {{{-1, 0, 0}, 0}};  // x <= 0
    View view;
    ASSERT_TRUE(lanecull::prepare_view_from_planes(to_the_left, view));
    const float x[] = {5, 5}, zero[] = {0, 0}, radius[] = {1, 1};
    const lanecull::Batch batch = lanecull::Spheres{x, zero, zero, radius, 2};
    Scene scene;
    Handle handles[2];
    ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
    const auto visible = [&](lanecull::Fit fit) {
        scene.refit(fit);
        std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
        Handle found[2];
        SceneOutput of_scene{.handles = found};
        lanecull::Output output{.scene = &of_scene};
        EXPECT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch).ok());
        return std::vector<Handle>(found, found + output.visible_count);
    };
    const auto second = std::span(handles).subspan(1);
    const std::vector<Handle> none, one(second.begin(), second.end());
    EXPECT_EQ(visible(lanecull::Fit::tight), none);
    const float wide = 4.5f, narrow = 3;
    ASSERT_TRUE(scene.set_attributes(second, {.margin = &wide}).ok());
    EXPECT_EQ(visible(lanecull::Fit::grown), one);
    const std::uint32_t off = lanecull::object_disabled, on = 0;
    ASSERT_TRUE(scene.set_attributes(second, {.flags = &off}).ok());
    EXPECT_EQ(visible(lanecull::Fit::grown), none);
    ASSERT_TRUE(scene.set_attributes(second, {.flags = &on}).ok());
    EXPECT_EQ(visible(lanecull::Fit::tight), one);
    ASSERT_TRUE(scene.set_attributes(second, {.margin = &narrow}).ok());
    EXPECT_EQ(visible(lanecull::Fit::grown), none);
    ASSERT_TRUE(scene.set_attributes(handles, {}).ok());
    EXPECT_EQ(visible(lanecull::Fit::tight), none);
}

double sides_of(const lanecull::SceneBlock& block) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j)
        sum += static_cast<double>(block.upper[j]) - static_cast<double>(block.lower[j]);
    return sum;
}

/// Each block's spread is its sides' sum over what it was, the scene's is that of all, and sorting makes both 1.
TEST(SceneEdits, WidenTheBlocksTheyTouch) {
    Random random(8);
    constexpr std::size_t count = 4000;
    std::vector<float> place[3], radius(count, 0.5f);
    for (auto& axis : place) {
        for (std::size_t i = 0; i < count; ++i) axis.push_back(static_cast<float>(random.range(-100, 100)));
    }
    const lanecull::Batch batch =
        lanecull::Spheres{place[0].data(), place[1].data(), place[2].data(), radius.data(), count};
    Scene scene;
    std::vector<Handle> handles(count);
    ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
    std::vector<double> before;
    for (std::uint32_t b = 0; b < scene.block_count(); ++b) {
        EXPECT_EQ(scene.block(b).spread, 1);
        before.push_back(sides_of(scene.block(b)));
    }
    const float by[1] = {30};
    ASSERT_TRUE(scene.move(std::span(handles).first(1), by, by, by).ok());
    std::uint32_t slot = 0;
    ASSERT_TRUE(scene.slot_of(handles[0], slot).ok());
    scene.refit();
    double now = 0, then = 0;
    for (std::uint32_t b = 0; b < scene.block_count(); ++b) {
        const lanecull::SceneBlock block = scene.block(b);
        const bool touched = slot - block.first_slot < block.objects;
        EXPECT_NEAR(block.spread, sides_of(block) / before[b], 1e-6);
        EXPECT_EQ(block.spread > 1, touched) << "block " << b;
        now += sides_of(block);
        then += before[b];
    }
    EXPECT_NEAR(scene.spread(), now / then, 1e-6);
    ASSERT_TRUE(scene.rebuild().ok());
    for (std::uint32_t b = 0; b < scene.block_count(); ++b) EXPECT_EQ(scene.block(b).spread, 1);
}

/// Balls of radius 1 on a grid around a place.
struct ManyBalls {
    std::vector<float> x, y, z, radius;
    lanecull::Batch batch = lanecull::Spheres{};

    ManyBalls(float place, std::uint32_t count) : radius(count, 1) {
        for (std::uint32_t i = 0; i < count; ++i) {
            x.push_back(place + static_cast<float>(i % 128));
            y.push_back(static_cast<float>(i / 128 % 128));
            z.push_back(static_cast<float>(i / 128 / 128));
        }
        batch = lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), count};
    }
};

/// 64 blocks need no box above them, one more needs two, and 64 * 64 + 1 need two levels of boxes. The boxes of the
/// first blocks must be there, though nothing has touched these blocks since.
TEST(SceneEdits, NewLevelsContainTheBlocksThatWereThere) {
    const ManyBalls first(-1e6f, 64 * 128), second(1e6f, 64 * 64 * 128);
    Scene scene;
    std::vector<Handle> handles(first.x.size()), others(second.x.size());
    ASSERT_TRUE(scene.add({&first.batch, 1}, handles).ok());
    ASSERT_TRUE(scene.add({&second.batch, 1}, others).ok());
    ASSERT_GT(scene.block_count(), 64u * 64u);
    std::array<double, 24> corners{};
    for (std::size_t c = 0; c < 24; ++c)
        corners[c] = (c % 3 == 0 ? -1e6 : 0) + ((c / 3 >> c % 3 & 1) != 0 ? 1e3 : -1e3);
    View view;
    ASSERT_TRUE(lanecull::prepare_view_from_corners(corners, view).ok());
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output;
    ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch).ok());
    EXPECT_EQ(output.visible_count, first.x.size());
}

/// A negative margin makes an object invalid. It is visible, and not inside, though the shape without it is.
TEST(SceneEdits, InvalidObjectsAreNotInside) {
    Random random(7);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::orthographic);
    const Camera& camera = prepared.camera;
    const Double3 middle = camera.point(0.5 * (camera.x[0] + camera.x[1]), 0.5 * (camera.y[0] + camera.y[1]),
                                        0.5 * (camera.depth[0] + camera.depth[1]));
    const HullSet hulls = random_hulls(random, 1);
    for (const Kind kind : all_kinds) {
        for (const float margin : {0.0f, -1.0f, NAN, -INFINITY}) {
            Object object = object_at(random, kind, middle, 1e-3 * (camera.x[1] - camera.x[0]), hulls);
            object.margin = margin;
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, {&object, 1}, hulls, memory, {.streams = {.margin = true}});
            std::uint64_t visible = 0, inside = 0;
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            lanecull::Output output{.visible = {&visible, 1}, .inside = {&inside, 1}};
            ASSERT_TRUE(lanecull::cull({&batch, 1}, {&prepared.view, 1}, {&output, 1}, scratch).ok());
            EXPECT_EQ(visible, 1u) << kind_name(kind);
            EXPECT_EQ(inside, margin == 0 ? 1u : 0u) << kind_name(kind) << ", margin " << margin;
        }
    }
}

/// Strides and first_index say how a batch is read and listed. They are no part of what a scene keeps.
TEST(SceneEdits, KeepObjectsFromAnyStride) {
    Random random(14);
    const HullSet hulls = random_hulls(random, 3);
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects;
        for (int i = 0; i < 300; ++i) objects.push_back(object_at(random, kind, {0, 0, 0}, 1, hulls));
        std::vector<std::byte> files[3];
        const Format formats[] = {{}, {.stride_floats = 19, .first_index = 0xfffffff0}, {.stride_floats = 16384}};
        for (std::size_t f = 0; f < 3; ++f) {
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, formats[f]);
            Scene scene;
            std::vector<Handle> handles(objects.size());
            ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
            files[f] = SceneFile(scene).bytes();
        }
        EXPECT_EQ(files[0], files[1]) << kind_name(kind);
        EXPECT_EQ(files[0], files[2]) << kind_name(kind);
    }
}

}  // namespace
