#include <gtest/gtest.h>

#include <lanecull/scene.hpp>

#include "support/generate.hpp"
#include "support/new_threads.hpp"
#include "support/scale.hpp"
#include "support/scene_file.hpp"

/// Building, refitting and culling a scene by several threads gives the same bytes as by one, and any number of culls
/// may share a scene between edits. Also built and run with the thread sanitizer (ctest -L threads).

namespace {

using lanecull::Handle;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;

struct World {
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    std::vector<View> views;
    std::size_t objects = 0;

    World() {
        Random random(41);
        const HullSet hulls = random_hulls(random, 4);
        PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        views.push_back(prepared.view);
        for (const Projection projection : {Projection::infinite, Projection::reversed}) {
            views.push_back(random_prepared_camera(random, projection).view);
        }
        for (const Kind kind : all_kinds) {
            const auto count = static_cast<std::size_t>(scaled(kind == Kind::box ? 150'000 : 3'000)) + 200;
            std::vector<Object> some;
            while (some.size() < count) {
                some.push_back(random_object(random, kind, prepared.camera, Placement::uniform, hulls));
            }
            objects += count;
            batches.push_back(make_batch(kind, some, hulls, memory));
        }
    }
};

/// A scene of all of it, in which every tenth object has been moved.
std::vector<Handle> fill(const World& world, Scene& scene, const lanecull::Runner& runner) {
    std::vector<Handle> handles(world.objects), moved;
    EXPECT_TRUE(scene.add(world.batches, handles, {.mobility = lanecull::Mobility::moving}, runner).ok());
    for (std::size_t i = 0; i < handles.size(); i += 10) moved.push_back(handles[i]);
    const std::vector<float> by(moved.size(), 0.5f);
    EXPECT_TRUE(scene.move(moved, by.data(), by.data(), by.data()).ok());
    scene.refit(lanecull::Fit::tight, runner);
    return handles;
}

struct Outputs {
    std::vector<std::vector<std::uint64_t>> visible, inside;
    std::vector<std::vector<Handle>> handles;
    std::vector<std::vector<lanecull::VisibleRun>> runs;
    std::vector<std::vector<float>> distances;
    std::vector<std::vector<std::uint8_t>> levels, latest;
    bool operator==(const Outputs&) const = default;
};

Outputs cull(const Scene& scene, const World& world, const lanecull::Runner& runner) {
    const std::size_t views = world.views.size(), objects = scene.object_count();
    Outputs all{std::vector(views, std::vector<std::uint64_t>(scene.visibility_words())),
                std::vector(views, std::vector<std::uint64_t>(scene.visibility_words())),
                std::vector(views, std::vector<Handle>(objects)),
                std::vector(views, std::vector<lanecull::VisibleRun>(objects)),
                std::vector(views, std::vector<float>(objects)),
                std::vector(views, std::vector<std::uint8_t>(objects)),
                std::vector(views, std::vector<std::uint8_t>(scene.handle_limit(), lanecull::no_lod))};
    const float thresholds[] = {0.1f, 0.01f, 0.001f};
    std::vector<SceneOutput> outputs(views);
    for (std::size_t v = 0; v < views; ++v) {
        outputs[v] = {all.visible[v], all.inside[v], all.handles[v], {}, all.runs[v]};
        outputs[v].lod = {all.distances[v], all.levels[v], thresholds, 0.1f, all.latest[v]};
    }
    std::vector<std::byte> scratch(scene.scratch_bytes(views));
    EXPECT_TRUE(scene.cull(world.views, outputs, scratch, {}, runner).ok());
    EXPECT_GT(outputs[0].visible_count, 0u);
    EXPECT_GT(outputs[0].outside_objects, 0u);
    return all;
}

TEST(SceneThreads, GiveTheSameBytes) {
    const World world;
    Scene serial;
    fill(world, serial, lanecull::serial_runner());
    const Outputs expected = cull(serial, world, lanecull::serial_runner());
    for (const unsigned threads : {2u, 5u}) {
        SCOPED_TRACE(threads);
        const lanecull::Runner runner = on_new_threads(threads);
        Scene parallel;
        fill(world, parallel, runner);
        EXPECT_TRUE(cull(parallel, world, runner) == expected);
        EXPECT_TRUE(SceneFile(parallel).bytes() == SceneFile(serial).bytes());
        ASSERT_TRUE(parallel.rebuild(runner).ok());
        Scene again;
        const std::vector<std::byte> file = SceneFile(parallel).bytes();
        ASSERT_TRUE(Scene::load(std::as_bytes(std::span(file)), again, runner).ok());
        EXPECT_TRUE(cull(again, world, runner) == cull(parallel, world, lanecull::serial_runner()));
    }
}

TEST(SceneThreads, CullsMayOverlapInTimeBetweenEdits) {
    const World world;
    const unsigned two = 2;
    const lanecull::Runner runner = on_new_threads(two);
    Scene scene;
    const std::vector<Handle> handles = fill(world, scene, runner);
    for (int round = 0; round < 3; ++round) {
        const Outputs expected = cull(scene, world, lanecull::serial_runner());
        std::atomic<int> equal{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                const lanecull::Runner own = t % 2 == 0 ? lanecull::serial_runner() : runner;
                equal += cull(scene, world, own) == expected;
            });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(equal, 4);
        // Joining the threads is what edits need to happen after their culls.
        const std::vector<float> by(100, 3.0f);
        ASSERT_TRUE(scene.move(std::span(handles).first(100), by.data(), by.data(), by.data()).ok());
        static_cast<void>(scene.improve(std::chrono::milliseconds(1)));
        scene.refit(lanecull::Fit::tight, runner);
    }
}

}  // namespace
