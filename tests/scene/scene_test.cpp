#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <lanecull/shadow.h>

#include "properties/scenes/scenes.hpp"
#include "scene/example.hpp"
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
using scene_tests::view_from;

/// The handles, distances and levels that a view sees.
struct Sighting {
    std::vector<Handle> handles;
    std::vector<float> distances;
    std::vector<std::uint8_t> levels;

    Sighting(const Scene& scene, const View& view, std::span<const float> thresholds = {})
        : handles(scene.object_count()), distances(handles.size()), levels(handles.size()) {
        std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
        SceneOutput own{.handles = handles, .lod = {.distances = distances}};
        if (!thresholds.empty()) own.lod.levels = levels, own.lod.thresholds = thresholds;
        Output output{.scene = &own};
        require(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch));
        handles.resize(output.visible_count), distances.resize(handles.size()), levels.resize(handles.size());
    }
};

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

/// A margin reaches into the view at once, also where boxes only grow, and is gone again with the next one. A flag
/// leaves the margin as it is.
TEST(SceneEdits, SetAttributesWithoutTheShapes) {
    constexpr lanecull::Plane to_the_left[] = {{{-1, 0, 0}, 0}};  // x <= 0
    View view;
    ASSERT_TRUE(lanecull::prepare_view_from_planes(to_the_left, view));
    const float x[] = {5, 5}, zero[] = {0, 0}, radius[] = {1, 1};
    const Batch batch = lanecull::Spheres{x, zero, zero, radius, 2};
    Scene scene;
    Handle handles[2];
    ASSERT_TRUE(scene.add({&batch, 1}, handles));
    const auto visible = [&](lanecull::Refit fit) {
        scene.refit(fit);
        return SceneCull(scene, view).handles;
    };
    const auto second = std::span(handles).subspan(1);
    const std::vector<Handle> none, one(second.begin(), second.end());
    EXPECT_EQ(visible(lanecull::Refit::tight), none);
    const float wide = 4.5f, narrow = 3;
    ASSERT_TRUE(scene.set_attributes(second, {.margin = &wide}));
    EXPECT_EQ(visible(lanecull::Refit::grown), one);
    const std::uint32_t off = lanecull::object_disabled, on = 0;
    ASSERT_TRUE(scene.set_attributes(second, {.flags = &off}));
    EXPECT_EQ(visible(lanecull::Refit::grown), none);
    ASSERT_TRUE(scene.set_attributes(second, {.flags = &on}));
    EXPECT_EQ(visible(lanecull::Refit::tight), one);
    ASSERT_TRUE(scene.set_attributes(second, {.margin = &narrow}));
    EXPECT_EQ(visible(lanecull::Refit::grown), none);
    ASSERT_TRUE(scene.set_attributes(handles, {}));
    EXPECT_EQ(visible(lanecull::Refit::tight), none);
}

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
            const Batch batch = make_batch(kind, objects, hulls, memory, formats[f]);
            Scene scene;
            std::vector<Handle> handles(objects.size());
            ASSERT_TRUE(scene.add({&batch, 1}, handles));
            files[f] = SceneFile(scene).bytes();
        }
        EXPECT_EQ(files[0], files[1]) << kind_name(kind);
        EXPECT_EQ(files[0], files[2]) << kind_name(kind);
    }
}

/// Culls with outputs and scratch of exactly the size asked for, between pages nobody may touch. Lists have some room.
void expect_within_memory(const Scene& scene, const View& view, GuardedMemory::Against against, std::size_t room) {
    constexpr float thresholds[] = {0.05f, 0.03f};
    const SceneCull whole(scene, view);
    const Sighting seen(scene, view, thresholds);
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
    ASSERT_TRUE(std::equal(own.lod.distances.begin(), own.lod.distances.begin() + listed, seen.distances.begin()));
    ASSERT_TRUE(std::equal(own.lod.levels.begin(), own.lod.levels.begin() + listed, seen.levels.begin()));
    const auto same = [](const lanecull::DrawCommand& a, const lanecull::DrawCommand& b) {
        return std::memcmp(&a, &b, sizeof a) == 0;
    };
    const auto drawn = draws.first(listed);
    ASSERT_TRUE(std::equal(drawn.begin(), drawn.end(), whole.draws.begin(), same));
    // Of all objects, whatever room the lists have.
    for (std::size_t k = 0; k < seen.handles.size(); ++k) ASSERT_EQ(latest[seen.handles[k]], seen.levels[k]);
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

/// Commands at a stride, in memory that ends one byte short of another command: nothing beside them is written.
TEST(SceneOutputs, CommandsAreWrittenAtAnyStride) {
    const Example example(91, 200);
    const Scene& scene = example.scene;
    const View& view = example.prepared.view;
    const SceneCull whole(scene, view);
    ASSERT_GT(whole.visible_count, 5u);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    for (const std::size_t room : {std::size_t{0}, std::size_t{5}, whole.draws.size(), whole.draws.size() + 1}) {
        constexpr std::size_t offset = 12, stride = 32;
        const std::byte untouched{0x77};
        std::vector<std::byte> memory(offset + stride * room + 19, untouched);
        Output output{.draws = {memory, offset, stride}};
        ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch));
        ASSERT_EQ(output.draw_count, std::min(room, whole.draws.size()));
        for (std::size_t i = 0; i < room; ++i) {
            const std::span<const std::byte> here = std::span(memory).subspan(offset + i * stride, stride);
            const std::size_t written = i < whole.draws.size() ? sizeof(lanecull::DrawCommand) : 0;
            EXPECT_EQ(std::memcmp(here.data(), whole.draws.data() + i, written), 0) << i;
            EXPECT_TRUE(std::ranges::all_of(here.subspan(written), [&](std::byte b) { return b == untouched; })) << i;
        }
    }
}

/// Every output of 64 views, the most that there may be.
TEST(SceneOutputs, ServeSixtyFourViews) {
    const Example example(7, 40);
    const Scene& scene = example.scene;
    const SceneCull alone(scene, example.prepared.view);
    HeapMemory memory;
    constexpr std::size_t most = 64;
    constexpr float threshold = 0.1f;
    const std::size_t words = lanecull::visibility_words(scene), objects = scene.object_count();
    const auto array = [&]<class T>(T, std::size_t count) { return std::span<T>(memory.array<T>(count), count); };
    const std::vector<View> views(most + 1, example.prepared.view);
    std::vector<Output> outputs(most + 1);
    std::vector<SceneOutput> of_scene(most + 1);
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        of_scene[v] = {.handles = array(Handle{}, objects),
                       .lod = {.distances = array(float{}, objects),
                               .levels = array(std::uint8_t{}, objects),
                               .thresholds = {&threshold, 1},
                               .latest = array(std::uint8_t{}, objects)},
                       .block_outcomes = array(lanecull::BlockOutcome{}, scene.block_count()),
                       .hints = array(std::uint8_t{}, scene.hint_bytes())};
        std::ranges::fill(of_scene[v].hints, std::uint8_t{0});
        outputs[v] = {.visible = array(std::uint64_t{}, words),
                      .indices = array(std::uint32_t{}, objects),
                      .inside = array(std::uint64_t{}, words),
                      .runs = array(lanecull::VisibleRun{}, objects),
                      .scene = &of_scene[v]};
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, most + 1));
    const auto cull = [&](std::size_t count) {
        return std::string(
            lanecull::cull(scene, std::span(views).first(count), std::span(outputs).first(count), scratch).message());
    };
    EXPECT_NE(cull(most + 1).find("views: 1 to 64"), std::string::npos);
    ASSERT_EQ(cull(most), "");
    for (const Output& output : std::span(outputs).first(most)) {
        EXPECT_TRUE(std::ranges::equal(output.visible, alone.visible));
        EXPECT_TRUE(std::ranges::equal(output.inside, alone.inside));
        EXPECT_TRUE(std::ranges::equal(output.scene->handles.first(output.visible_count), alone.handles));
    }
    // The last pieces of memory are read as the first are.
    of_scene[most - 1].hints = of_scene[0].hints;
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
        const Sighting seen(scene, view_from({10, 0, 0}));
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
        const Sighting seen(balls.scene, view, thresholds);
        EXPECT_NEAR(static_cast<double>(seen.distances.at(0)), 9, 1e-5);
        return seen.levels.at(0);
    };
    EXPECT_EQ(level(0.999 * f / 9), 0);
    EXPECT_EQ(level(1.001 * f / 9), 1);
}

/// Boxes around what is visible, of all and of slices, are those of the batches moved by the origin, and no larger than
/// by a rounding. The camera moves along.
TEST(SceneBounds, AreThoseOfTheBatches) {
    constexpr std::size_t each = 700, step = 3;
    for (const Double3& origin :
         {Double3{0, 0, 0}, Double3{1e4 + 0.3, -1234.5, 1e-3}, Double3{1e7 + 0.3, -12345.678, 1e-3}}) {
        lanecull::AddOptions options;
        std::ranges::copy(origin, options.origin);
        const Example example(91, each, options);
        std::vector<std::uint64_t> flat(lanecull::visibility_words(example.batches));
        std::vector<std::uint64_t> slots(lanecull::visibility_words(example.scene));
        for (std::size_t i = 0; i < example.handles.size(); i += step) {
            const std::size_t bit = i / each * ((each + 63) / 64 * 64) + i % each;
            flat[bit / 64] |= std::uint64_t{1} << bit % 64;
            std::uint32_t slot = 0;
            ASSERT_TRUE(example.scene.slot_of(example.handles[i], slot));
            slots[slot / 64] |= std::uint64_t{1} << slot % 64;
        }
        const Camera& camera = example.prepared.camera;
        const double depths[] = {camera.depth[0], 4000, 20'000};
        lanecull::ClipSpace space = camera.clip_space;
        lanecull::WorldBox expected[3], found[3];
        require(lanecull::visible_bounds(example.batches, flat, expected[0]));
        require(lanecull::slice_bounds(example.batches, flat, camera.matrix, space, depths, {expected + 1, 2}));
        for (std::size_t k = 0; k < 3; ++k) space.origin[k] += origin[k];
        require(lanecull::visible_bounds(example.scene, slots, found[0]));
        require(lanecull::slice_bounds(example.scene, slots, camera.matrix, space, depths, {found + 1, 2}));
        EXPECT_FALSE(std::ranges::equal(expected[1].lower, expected[2].lower));
        for (std::size_t s = 0; s < 3; ++s) {
            for (std::size_t k = 0; k < 3; ++k) {
                const double low = expected[s].lower[k] + origin[k], high = expected[s].upper[k] + origin[k];
                const double slack = 1e-15 * (std::fabs(low) + std::fabs(high));
                EXPECT_LE(found[s].lower[k], low) << s;
                EXPECT_GE(found[s].upper[k], high) << s;
                EXPECT_NEAR(found[s].lower[k], low, slack) << s;
                EXPECT_NEAR(found[s].upper[k], high, slack) << s;
            }
        }
    }
}

TEST(SceneBounds, OfNothingAreEmpty) {
    const Example example(3, 100, {.origin = {3, 0, -5}});
    const std::vector<std::uint64_t> none(lanecull::visibility_words(example.scene));
    lanecull::WorldBox box;
    ASSERT_TRUE(lanecull::visible_bounds(example.scene, none, box));
    EXPECT_EQ(box.lower[0], HUGE_VAL);
    EXPECT_EQ(box.upper[2], -HUGE_VAL);
    ASSERT_TRUE(lanecull::visible_bounds(Scene(), {}, box));
    EXPECT_EQ(box.lower[1], HUGE_VAL);
}

/// An invalid object has no end, and neither has the box around it.
TEST(SceneBounds, HaveNoEndAroundInvalidObjects) {
    for (const std::uint32_t count : {3u, 20'000u}) {  // of so many, blocks are asked first
        std::vector<float> x(count, 3), one(count, 1);
        x[0] = 1, x[1] = std::nanf("");
        const Batch batch = lanecull::Spheres{x.data(), one.data(), one.data(), one.data(), count};
        Scene scene;
        std::vector<Handle> handles(count);
        ASSERT_TRUE(scene.add({&batch, 1}, handles, {.origin = {10, 20, 30}}));
        std::vector<std::uint64_t> slots(lanecull::visibility_words(scene));
        for (const std::size_t object : {0u, 1u}) {
            std::uint32_t slot = 0;
            ASSERT_TRUE(scene.slot_of(handles[object], slot));
            slots[slot / 64] |= std::uint64_t{1} << slot % 64;
            lanecull::WorldBox box;
            ASSERT_TRUE(lanecull::visible_bounds(scene, slots, box));
            EXPECT_EQ(std::isfinite(box.lower[0]), object == 0);
            EXPECT_EQ(std::isfinite(box.upper[2]), object == 0);
        }
    }
}

}  // namespace
