#include <gtest/gtest.h>

#include <lanecull/scene.h>

#include "support/culling.hpp"
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
    lanecull::DrawCommand command{36, 1, 0, 0, 7};
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
            batches.back().draws = {&command};
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
    scene.refit(lanecull::Refit::tight, runner);
    return handles;
}

struct Outputs {
    std::vector<std::vector<std::uint64_t>> visible, inside;
    std::vector<std::vector<Handle>> handles;
    std::vector<std::vector<lanecull::VisibleRun>> runs;
    std::vector<std::vector<float>> distances;
    std::vector<std::vector<std::uint8_t>> levels, latest;
    std::vector<std::vector<std::uint32_t>> draws;  // five numbers a command
    bool operator==(const Outputs&) const = default;
};

Outputs cull(const Scene& scene, const World& world, const lanecull::Runner& runner) {
    const std::size_t views = world.views.size(), objects = scene.object_count();
    Outputs all{std::vector(views, std::vector<std::uint64_t>(lanecull::visibility_words(scene))),
                std::vector(views, std::vector<std::uint64_t>(lanecull::visibility_words(scene))),
                std::vector(views, std::vector<Handle>(objects)),
                std::vector(views, std::vector<lanecull::VisibleRun>(objects)),
                std::vector(views, std::vector<float>(objects)),
                std::vector(views, std::vector<std::uint8_t>(objects)),
                std::vector(views, std::vector<std::uint8_t>(scene.handle_limit(), lanecull::no_lod)),
                std::vector(views, std::vector<std::uint32_t>(5 * objects))};
    const float thresholds[] = {0.1f, 0.01f, 0.001f};
    std::vector<lanecull::Output> outputs(views);
    std::vector<SceneOutput> of_scene(views);
    for (std::size_t v = 0; v < views; ++v) {
        of_scene[v] = {.handles = all.handles[v],
                       .lod = {.distances = all.distances[v],
                               .levels = all.levels[v],
                               .thresholds = thresholds,
                               .hysteresis = 0.1f,
                               .latest = all.latest[v]}};
        outputs[v] = {.visible = all.visible[v],
                      .inside = all.inside[v],
                      .runs = all.runs[v],
                      .draws = {.memory = std::as_writable_bytes(std::span(all.draws[v]))},
                      .scene = &of_scene[v]};
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, views));
    EXPECT_TRUE(lanecull::cull(scene, world.views, outputs, scratch, {.runner = runner}).ok());
    EXPECT_GT(outputs[0].visible_count, 0u);
    EXPECT_GT(of_scene[0].outside_objects, 0u);
    return all;
}

TEST(SceneThreads, GiveTheSameBytes) {
    const World world;
    Scene serial;
    fill(world, serial, {});
    const Outputs expected = cull(serial, world, {});
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
        EXPECT_TRUE(cull(again, world, runner) == cull(parallel, world, {}));
    }
}

/// Handle i's object has the bit that object i of a flat batch has.
void expect_verdicts_of(const Scene& scene, std::span<const Handle> handles, const ViewResult& flat, const View& view) {
    std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output{.visible = words};
    ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch));
    for (std::size_t i = 0; i < handles.size(); ++i) {
        std::uint32_t slot = 0;
        ASSERT_TRUE(scene.slot_of(handles[i], slot));
        ASSERT_EQ((words[slot / 64] >> slot % 64 & 1) != 0, flat.visible(i)) << i;
    }
}

/// All objects of a scene at once: the same scene as one thread leaves, with either refit, and the verdicts of the flat
/// batch.
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
            expect_verdicts_of(scene, handles, run_cull(to, prepared.view), prepared.view);
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
        const Outputs expected = cull(scene, world, {});
        std::atomic<int> equal{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                const lanecull::Runner own = t % 2 == 0 ? lanecull::Runner{} : runner;
                equal += cull(scene, world, own) == expected;
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
