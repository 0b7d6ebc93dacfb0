#include <gtest/gtest.h>

#include <algorithm>

#include <lanecull/scene.h>

#include "scene/lists.hpp"
#include "support/culling.hpp"
#include "support/files.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"
#include "support/random.hpp"

/// Building, refitting and culling a scene by several threads gives the same bytes as by one, and any number of culls
/// may share a scene between edits. Also built and run with the thread sanitizer (ctest -L threads).

namespace {

using lanecull::Handle;
using lanecull::Scene;
using lanecull::View;
using scene_tests::SceneLists;

/// With views of other cameras.
struct World : scene_tests::Example {
    std::vector<View> views{prepared.view};

    World() : Example(41, static_cast<std::size_t>(scaled(20'000)) + 200) {
        for (const Projection projection : {Projection::infinite, Projection::reversed}) {
            views.push_back(random_prepared_camera(random, projection).view);
        }
    }
};

/// A scene of all of it, in which every tenth object has been moved.
std::vector<Handle> fill(const World& world, Scene& scene, const lanecull::Runner& runner) {
    std::vector<Handle> handles(world.handles.size()), moved;
    EXPECT_TRUE(scene.add(world.batches, handles, {.mobility = lanecull::Mobility::moving}, runner).ok());
    for (std::size_t i = 0; i < handles.size(); i += 10) moved.push_back(handles[i]);
    const std::vector<float> by(moved.size(), 0.5f);
    EXPECT_TRUE(scene.move(moved, by.data(), by.data(), by.data()).ok());
    scene.refit(lanecull::Refit::tight, runner);
    return handles;
}

/// With all outputs, and the levels when objects were last visible.
struct Outputs {
    std::vector<std::vector<std::uint8_t>> latest;
    SceneLists lists;

    Outputs(const Scene& scene, const World& world, const lanecull::Runner& runner)
        : latest(world.views.size(), std::vector<std::uint8_t>(scene.handle_limit(), lanecull::no_lod)),
          lists(scene, latest.size(),
                {.counts = false, .distances = true, .thresholds = thresholds, .hysteresis = 0.1f}) {
        for (std::size_t v = 0; v < latest.size(); ++v) lists.views[v].own.lod.latest = latest[v];
        lists.cull(scene, world.views, {.runner = runner});
        EXPECT_GT(lists.views[0].visible_count, 0u);
        EXPECT_GT(lists.views[0].own.outside_objects, 0u);
    }
    Outputs(const Outputs&) = delete;
    Outputs& operator=(const Outputs&) = delete;

    [[nodiscard]] bool operator==(const Outputs& other) const {
        const auto same = [](const auto& a, const auto& b) { return a.has_same_lists(b); };
        return latest == other.latest && std::ranges::equal(lists.views, other.lists.views, same);
    }

private:
    static constexpr float thresholds[] = {0.1f, 0.01f, 0.001f};
};

TEST(SceneThreads, GiveTheSameBytes) {
    const World world;
    Scene serial;
    fill(world, serial, {});
    const Outputs expected(serial, world, {});
    for (const unsigned threads : {2u, 5u}) {
        SCOPED_TRACE(threads);
        const lanecull::Runner runner = on_new_threads(threads);
        Scene parallel;
        fill(world, parallel, runner);
        EXPECT_TRUE(Outputs(parallel, world, runner) == expected);
        EXPECT_TRUE(SceneFile(parallel).bytes() == SceneFile(serial).bytes());
        ASSERT_TRUE(parallel.rebuild(runner).ok());
        Scene again;
        const std::vector<std::byte> file = SceneFile(parallel).bytes();
        ASSERT_TRUE(Scene::load(std::as_bytes(std::span(file)), again, runner).ok());
        EXPECT_TRUE(Outputs(again, world, runner) == Outputs(parallel, world, {}));
    }
}

/// All objects of a scene at once: the same scene as one thread leaves, with either refit. Families scenes... judge it.
TEST(SceneThreads, PlaceObjects) {
    Random random(9);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const HullSet hulls = random_hulls(random, 4);
    const unsigned three = 3;
    for (const Kind kind : all_kinds) {
        SCOPED_TRACE(kind_name(kind));
        const auto count = static_cast<std::size_t>(scaled(kind == Kind::box ? 20'000 : 10'000)) + 9'000;
        const std::vector<Object> before = random_objects(random, kind, prepared.camera, count, hulls),
                                  after = random_objects(random, kind, prepared.camera, count, hulls);
        HeapMemory memory;
        const lanecull::Batch from = make_batch(kind, before, hulls, memory),
                              to = make_batch(kind, after, hulls, memory);
        for (const lanecull::Refit fit : {lanecull::Refit::tight, lanecull::Refit::grown}) {
            std::vector<std::byte> files[2];
            std::vector<Handle> handles(count);
            Scene scene;
            for (std::size_t k = 0; k < 2; ++k) {
                const lanecull::Runner runner = k == 0 ? lanecull::Runner{} : on_new_threads(three);
                scene = Scene();
                ASSERT_TRUE(scene.add({&from, 1}, handles));
                ASSERT_GT(scene.block_count(), 64u) << "too few for a second task";
                ASSERT_TRUE(scene.place(handles, to, runner));
                EXPECT_TRUE(scene.stale());
                scene.refit(fit, runner);
                files[k] = SceneFile(scene).bytes();
            }
            EXPECT_TRUE(files[0] == files[1]);
        }
    }
}

/// Handles of several tasks: the first one that is refused is named, whichever task finds it first, and nothing
/// changes.
TEST(SceneThreads, PlaceNamesTheFirstHandleThatIsRefused) {
    constexpr std::uint32_t count = 30'000;
    const std::vector<float> zeros(count), ones(count, 1.0f);
    const lanecull::Batch balls = lanecull::Spheres{ones.data(), zeros.data(), zeros.data(), ones.data(), count};
    std::vector<float> x(count);
    for (std::uint32_t i = 0; i < count; ++i) x[i] = static_cast<float>(i);
    const lanecull::Batch row = lanecull::Spheres{x.data(), zeros.data(), zeros.data(), ones.data(), count};
    const lanecull::Batch box =
        lanecull::Boxes{zeros.data(), zeros.data(), zeros.data(), ones.data(), ones.data(), ones.data(), 1};
    Scene scene;
    std::vector<Handle> handles(count), of_box(1);
    ASSERT_TRUE(scene.add({&row, 1}, handles));
    ASSERT_TRUE(scene.add({&box, 1}, of_box));
    const std::vector<std::byte> before = SceneFile(scene).bytes();
    const unsigned three = 3;
    const auto expect_refused = [&](std::span<const Handle> named, const std::string& message) {
        for (const lanecull::Runner& runner : {lanecull::Runner{}, on_new_threads(three)}) {
            EXPECT_EQ(std::string(scene.place(named, balls, runner).message()), message);
            EXPECT_TRUE(SceneFile(scene).bytes() == before);
        }
    };
    std::vector<Handle> wrong = handles;
    wrong[29'000] = 4'000'000'000, wrong[12'345] = of_box[0], wrong[20'000] = 4'000'000'001;
    expect_refused(
        wrong, "handles[12345]: " + std::to_string(of_box[0]) + " names an object of another kind than the batch's");
    wrong[9'000] = 4'000'000'002;
    expect_refused(wrong, "handles[9000]: 4000000002 names no object");
    // Twice, far from each other in the list and in the scene.
    wrong = handles;
    wrong[29'999] = handles[3], wrong[17'000] = handles[11], wrong[25'000] = handles[16'999];
    expect_refused(wrong, "handles[17000]: " + std::to_string(handles[11]) + " is there twice");
    for (const lanecull::Runner& runner : {lanecull::Runner{}, on_new_threads(three)}) {
        EXPECT_TRUE(scene.place(handles, balls, runner));
        EXPECT_EQ(std::string(Scene().place(handles, balls, runner).message()).find("handles[0]: "), 0u);
    }
}

TEST(SceneThreads, CullsMayOverlapInTimeBetweenEdits) {
    const World world;
    const unsigned two = 2;
    const lanecull::Runner runner = on_new_threads(two);
    Scene scene;
    const std::vector<Handle> handles = fill(world, scene, runner);
    for (int round = 0; round < 3; ++round) {
        const Outputs expected(scene, world, {});
        std::atomic<int> equal{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                const lanecull::Runner own = t % 2 == 0 ? lanecull::Runner{} : runner;
                equal += Outputs(scene, world, own) == expected;
            });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(equal, 4);
        // Joining the threads is what edits need to happen after their culls.
        const std::vector<float> by(100, 3.0f);
        ASSERT_TRUE(scene.move(std::span(handles).first(100), by.data(), by.data(), by.data()).ok());
        static_cast<void>(scene.rebuild_within(1'000'000));
        scene.refit(lanecull::Refit::tight, runner);
    }
}

}  // namespace
