#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "properties/scenes/scenes.hpp"
#include "scene/lists.hpp"
#include "support/culling.hpp"

/// Scenes by hand. Families scenes... (properties/scenes/) have any other.

namespace {

using lanecull::Batch;
using lanecull::Handle;
using lanecull::Output;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;
using properties::SceneCull;
using scene_tests::Example;
using scene_tests::require;
using scene_tests::SceneLists;

/// Balls of radius 1 in a row, 10 and more from the origin.
struct Balls {
    Scene scene;
    std::vector<Handle> handles;

    explicit Balls(std::uint32_t count, float step = 0.15f) : handles(count) {
        std::vector<float> x(count), zero(count), one(count, 1);
        for (std::uint32_t i = 0; i < count; ++i) x[i] = 10 + step * static_cast<float>(i);
        const Batch batch = lanecull::Spheres{x.data(), zero.data(), zero.data(), one.data(), count};
        require(scene.add({&batch, 1}, handles));
    }
};

double sides_of(const lanecull::SceneBlock& block) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j)
        sum += static_cast<double>(block.upper[j]) - static_cast<double>(block.lower[j]);
    return sum;
}

/// Each block's cost is its sides' sum over what it was, the scene's is that of all, and sorting makes both 1.
TEST(SceneEdits, WidenTheBlocksTheyTouch) {
    Balls balls(4000, 0.05f);
    Scene& scene = balls.scene;
    std::vector<double> before;
    for (std::uint32_t b = 0; b < scene.block_count(); ++b) {
        EXPECT_EQ(scene.block(b).cost, 1);
        before.push_back(sides_of(scene.block(b)));
    }
    ASSERT_GT(before.size(), 20u);
    const float by[1] = {30};
    ASSERT_TRUE(scene.move({balls.handles.data(), 1}, by, by, by));
    std::uint32_t slot = 0;
    ASSERT_TRUE(scene.slot_of(balls.handles[0], slot));
    scene.refit();
    double now = 0, then = 0;
    for (std::uint32_t b = 0; b < scene.block_count(); ++b) {
        const lanecull::SceneBlock block = scene.block(b);
        const bool touched = slot - block.first_slot < block.objects;
        EXPECT_NEAR(block.cost, sides_of(block) / before[b], 1e-6);
        EXPECT_EQ(block.cost > 1, touched) << "block " << b;
        now += sides_of(block);
        then += before[b];
    }
    EXPECT_NEAR(scene.cost(), now / then, 1e-6);
    ASSERT_TRUE(scene.rebuild());
    for (std::uint32_t b = 0; b < scene.block_count(); ++b) EXPECT_EQ(scene.block(b).cost, 1);
}

/// Culls with outputs and scratch of exactly the size requested, between pages nobody may touch. Lists have some room.
void expect_within_memory(const Scene& scene, const View& view, GuardedMemory::Against against, std::size_t room) {
    constexpr float thresholds[] = {0.05f, 0.03f};
    const SceneCull whole(scene, view, {}, {}, {}, {.distances = true, .thresholds = thresholds});
    GuardedMemory memory(against);
    const auto array = [&]<class T>(T, std::size_t count) {
        return count == 0 ? std::span<T>() : std::span<T>(memory.array<T>(count), count);
    };
    const std::size_t words = lanecull::visibility_words(scene), limit = scene.handle_limit();
    const std::span<std::uint8_t> hints = array(std::uint8_t{}, scene.hint_bytes());
    const std::span<std::uint8_t> latest = array(std::uint8_t{}, limit);
    std::ranges::fill(latest, lanecull::no_lod);
    SceneOutput own{.handles = array(Handle{}, room),
                    .lod = {.distances = array(float{}, room),
                            .levels = array(std::uint8_t{}, room),
                            .thresholds = thresholds,
                            .latest = latest},
                    .hints = hints};
    const std::span<lanecull::DrawCommand> draws = array(lanecull::DrawCommand{0, 0, 0, 0, 0}, room);
    Output output{.visible = array(std::uint64_t{}, words),
                  .indices = array(std::uint32_t{}, room),
                  .inside = array(std::uint64_t{}, words),
                  .runs = array(lanecull::VisibleRun{}, std::min(whole.runs.size(), room)),
                  .draws = {.memory = std::as_writable_bytes(draws)},
                  .scene = &own};
    require(lanecull::cull(scene, {&view, 1}, {&output, 1}, array(std::byte{}, lanecull::scratch_bytes(scene, 1))));
    ASSERT_EQ(output.visible_count, whole.visible_count);
    ASSERT_EQ(output.draw_count, std::min<std::uint64_t>(room, whole.visible_count));
    const std::size_t listed = std::min<std::size_t>(room, whole.visible_count);
    ASSERT_TRUE(std::ranges::equal(output.visible, whole.visible));
    ASSERT_TRUE(std::ranges::equal(output.inside, whole.inside));
    ASSERT_TRUE(std::equal(output.runs.begin(), output.runs.end(), whole.runs.begin()));
    ASSERT_TRUE(std::equal(own.handles.begin(), own.handles.begin() + listed, whole.handles.begin()));
    ASSERT_TRUE(std::equal(output.indices.begin(), output.indices.begin() + listed, whole.slots.begin()));
    ASSERT_TRUE(std::equal(own.lod.distances.begin(), own.lod.distances.begin() + listed, whole.distances.begin()));
    ASSERT_TRUE(std::equal(own.lod.levels.begin(), own.lod.levels.begin() + listed, whole.levels.begin()));
    const auto same = [](const lanecull::DrawCommand& a, const lanecull::DrawCommand& b) {
        return std::memcmp(&a, &b, sizeof a) == 0;
    };
    const auto drawn = draws.first(listed);
    ASSERT_TRUE(std::equal(drawn.begin(), drawn.end(), whole.draws.begin(), same));
    // Of all objects, whatever room the lists have.
    for (std::size_t k = 0; k < whole.handles.size(); ++k) ASSERT_EQ(latest[whole.handles[k]], whole.levels[k]);
}

TEST(SceneOutputs, StayWithinTheirMemory) {
    Random random(5);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const HullSet hulls = random_hulls(random, 3);
    const lanecull::DrawCommand command{36, 1, 0, 0, 7};
    for (const Kind kind : all_kinds) {
        for (const std::size_t count : {1u, 63u, 127u, 128u, 129u, 1000u}) {
            SCOPED_TRACE(testing::Message() << kind_name(kind) << ", " << count << " objects");
            HeapMemory heap;
            Batch batch = make_batch(kind, random_objects(random, kind, prepared.camera, count, hulls), hulls, heap);
            batch.draws = {&command};
            Scene scene;
            std::vector<Handle> handles(count);
            ASSERT_TRUE(scene.add({&batch, 1}, handles, {.mobility = lanecull::Mobility::moving}));
            const std::size_t visible = SceneCull(scene, prepared.view).visible_count;
            for (const auto against : {GuardedMemory::Against::end, GuardedMemory::Against::start}) {
                for (const std::size_t room : {visible, visible / 2, visible + 1}) {
                    expect_within_memory(scene, prepared.view, against, room);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

/// Every output of 64 views, the most that there may be.
TEST(SceneOutputs, ServeSixtyFourViews) {
    const Example example(7, 40);
    const Scene& scene = example.scene;
    const SceneCull alone(scene, example.prepared.view);
    constexpr std::size_t most = 64;
    constexpr float threshold[] = {0.1f};
    const std::vector<View> views(most + 1, example.prepared.view);
    SceneLists lists(scene, most + 1, {.distances = true, .thresholds = threshold});
    std::vector<std::vector<std::uint8_t>> latest(most + 1), hints(most + 1);
    for (std::size_t v = 0; v < most + 1; ++v) {
        latest[v].resize(scene.handle_limit()), hints[v].resize(scene.hint_bytes());
        lists.views[v].own.lod.latest = latest[v], lists.views[v].own.hints = hints[v];
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, most + 1));
    const auto cull = [&](std::size_t count) {
        return std::string(
            lanecull::cull(scene, std::span(views).first(count), std::span(lists.outputs).first(count), scratch)
                .message());
    };
    EXPECT_NE(cull(most + 1).find("views: 1 to 64"), std::string::npos);
    ASSERT_EQ(cull(most), "");
    for (const Output& output : std::span(lists.outputs).first(most)) {
        EXPECT_TRUE(std::ranges::equal(output.visible, alone.visible));
        EXPECT_TRUE(std::ranges::equal(output.inside, alone.inside));
        EXPECT_TRUE(std::ranges::equal(output.scene->handles.first(output.visible_count), alone.handles));
    }
    // The last pieces of memory are read as the first are.
    lists.views[most - 1].own.hints = hints[0];
    EXPECT_NE(cull(most).find("overlaps"), std::string::npos);
}

/// A cube around the origin is 9.5 away, wherever its local box and the transform that brings it back are.
TEST(SceneLod, DistancesDoNotDependOnTheLocalPlace) {
    for (const float away : {0.0f, 1e3f, 1e5f}) {
        const float matrix[12] = {1, 0, 0, -away, 0, 1, 0, -away, 0, 0, 1, -away};
        const float low = away - 0.5f, high = away + 0.5f;
        const Batch cube = lanecull::BoxInstances{{.first = matrix, .layout = lanecull::TransformLayout::rows_3x4},
                                                  {{&low, &low, &low, &high, &high, &high, 1}},
                                                  1};
        Scene scene;
        Handle handle{};
        ASSERT_TRUE(scene.add({&cube, 1}, {&handle, 1}));
        const SceneCull seen(scene, properties::view_from({10, 0, 0}, 1, 1e9).value(), {}, {}, {}, {.distances = true});
        ASSERT_EQ(seen.distances.size(), 1u);
        EXPECT_LE(seen.distances[0], 9.5f);
        EXPECT_GE(seen.distances[0], 9.5f - 1e-5f) << away;
    }
}

/// A ball of radius 1, 9 units from a camera that sees 60 degrees from top to bottom, is 1 / (9 tan 30) of its height.
TEST(SceneLod, SizesAreSharesOfTheViewsHeight) {
    const Balls balls(1);
    const double f = 1 / std::tan(M_PI / 6);
    // Looks along x.
    const std::array<double, 16> matrix{0, -f, 0, 0, 0, 0, f, 0, 1.01, 0, 0, -0.1, 1, 0, 0, 0};
    View view;
    ASSERT_TRUE(lanecull::prepare_view(matrix, {.layout = lanecull::MatrixLayout::row_major}, view));
    const auto level = [&](double threshold) {
        const float thresholds[] = {static_cast<float>(threshold)};
        const SceneCull seen(balls.scene, view, {}, {}, {}, {.distances = true, .thresholds = thresholds});
        EXPECT_NEAR(static_cast<double>(seen.distances.at(0)), 9, 1e-5);
        return seen.levels.at(0);
    };
    EXPECT_EQ(level(0.999 * f / 9), 0);
    EXPECT_EQ(level(1.001 * f / 9), 1);
}

}  // namespace
