#include <lanecull/scene.h>

#include <optional>

#include <lanecull/shadow.h>

#include "out_of_memory/fail_create.hpp"
#include "out_of_memory/scenes.hpp"

/// Scenes.

namespace {

using lanecull::Batch;
using lanecull::Handle;
using lanecull::Mobility;
using lanecull::Scene;
using lanecull::Status;
using Files = std::vector<std::byte>;

constexpr std::uint64_t seed = 20261128;

void add(Scene& scene, const Batch& batch, const lanecull::AddOptions& options = {}) {
    std::vector<Handle> handles(batch.count());
    const Status status = scene.add({&batch, 1}, handles, options);
    ASSERT_TRUE(status) << status.message();
}

std::vector<Handle> handles_from(Handle first, std::size_t count) {
    std::vector<Handle> handles;
    for (std::size_t i = 0; i < count; ++i) handles.push_back(first + static_cast<Handle>(i));
    return handles;
}

class ScenesOutOfMemory : public testing::Test {
protected:
    /// Objects of every kind: boxes 0 to 255 fill two blocks. Among the balls are two large ones, which have a store of
    /// their own. Blocks of moving balls have room. Some names are unused.
    static Files some_of_each(Around& around) {
        SceneState state;
        add(state.scene, around.batch(Kind::box, 256));
        add(state.scene, around.batch(Kind::sphere, 200, {.margin = true}), {.mobility = Mobility::moving});
        add(state.scene, around.batch(Kind::hull, 60));
        add(state.scene, around.batch(Kind::quaternion_box, 40, {.sweep = true}));
        add(state.scene, around.batch(Kind::box_instance, 40));
        add(state.scene, around.batch(Kind::capsule, 30), {.origin = {1000, 0, 0}});
        add(state.scene, balls(514));
        EXPECT_TRUE(state.scene.remove(handles_from(600, 9)));
        state.scene.refit();
        return SceneFile(state.scene).bytes();
    }
    /// 64 blocks of boxes, all of them full: one more makes another level of boxes. And a ball.
    static Files full(Around& around) {
        SceneState state;
        add(state.scene, around.batch(Kind::box, std::size_t{64} * 128));
        add(state.scene, balls(1));
        state.scene.refit();
        return SceneFile(state.scene).bytes();
    }
    /// Balls in a row, of which two are large.
    static Batch balls(std::uint32_t count) {
        static const std::vector<float> all = [] {
            std::vector<float> numbers(4 * std::size_t{1000});
            for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 1000);
            for (std::size_t i = 3000; i < 4000; ++i) numbers[i] = i % 400 == 0 ? 5000.0F : 0.25F;
            return numbers;
        }();
        return lanecull::Spheres{all.data(), all.data() + 1000, all.data() + 2000, all.data() + 3000, count};
    }

    template <class Call>
    void fail_each_edit(const char* function, const Files& file, const Call& call) {
        const auto load = [&] {
            auto state = std::make_unique<SceneState>();
            EXPECT_TRUE(Scene::load(std::span<const std::byte>(file), state->scene));
            state->handles.resize(10'000);
            return state;
        };
        fail_each(function, load, call, [&](SceneState& state) { return look(state, around_.views); });
    }
    /// Adds batches.
    void fail_add(const char* function, const Files& file, std::vector<Batch> batches,
                  const lanecull::AddOptions& options = {}) {
        std::size_t n = 0;
        for (const Batch& batch : batches) n += batch.count();
        fail_each_edit(function, file, [&](SceneState& state) {
            return state.scene.add(batches, std::span(state.handles).first(n), options);
        });
    }

    Batch hulls_of_another(std::size_t count) { return another_.batch(Kind::hull, count); }

    Around around_{seed}, another_{seed + 1};  // with other hulls
    const Files file_ = some_of_each(around_);
    const Files full_ = full(around_);
    const Files empty_ = SceneFile(Scene()).bytes();
};

TEST_F(ScenesOutOfMemory, WhereASceneIsMade) {
    const Batch batch = around_.batch(Kind::box, 3);
    const auto none = [] { return std::make_unique<std::optional<SceneState>>(); };
    const auto look_at = [&](std::optional<SceneState>& state) { return state ? look(*state, around_.views) : Seen{}; };
    fail_each(
        "Scene()", none,
        [&](std::optional<SceneState>& state) {
            Scene scene;
            Handle handles[3];
            const Status status = scene.add({&batch, 1}, handles);
            if (status) state.emplace().scene = std::move(scene);
            return status;
        },
        look_at);
}

TEST_F(ScenesOutOfMemory, WhereObjectsAreAdded) {
    fail_add("add, a few to full blocks", full_, {around_.batch(Kind::box, 3)});
    fail_add("add, a few", file_, {around_.batch(Kind::box, 3)});
    fail_add("add, a few of a new kind", file_, {around_.batch(Kind::centered_box, 3)});
    fail_add("add, a few with new attributes", file_,
             {around_.batch(Kind::box, 2, {.sweep = true}), around_.batch(Kind::box, 140, {.flags = true})});
    fail_add("add, new hulls", file_, {hulls_of_another(5)});
    fail_add("add, many", file_, {balls(600)});
    fail_add("add, many with new attributes", file_, {around_.batch(Kind::box, 600, Streams::all())});
    fail_add("add, many and a few, of several kinds", file_,
             {around_.batch(Kind::box, 3), around_.batch(Kind::box, 700), around_.batch(Kind::capsule, 5),
              around_.batch(Kind::box_instance, 520), around_.batch(Kind::sphere, 300)},
             {.mobility = Mobility::moving});
    fail_add("add, to an empty scene", empty_, {around_.batch(Kind::hull, 20), around_.batch(Kind::box_instance, 20)});
    fail_add("add, several of one kind to an empty scene", empty_, {balls(600), balls(300), balls(1)});
}

TEST_F(ScenesOutOfMemory, WhereObjectsAreRemoved) {
    const std::vector<Handle> handles = handles_from(10, 500);
    fail_each_edit("remove", file_, [&](SceneState& state) { return state.scene.remove(handles); });
}

TEST_F(ScenesOutOfMemory, WhereObjectsAreReplaced) {
    const std::vector<Handle> handles = handles_from(100, 300);  // boxes and balls
    for (const auto& [function, batch] : {std::pair{"replace, some by their own kind with new attributes",
                                                    around_.batch(Kind::box, 300, {.sweep = true})},
                                          {"replace, by a kind that there is", around_.batch(Kind::capsule, 300)},
                                          {"replace, by a new kind", around_.batch(Kind::centered_box, 300)},
                                          {"replace, by new hulls", hulls_of_another(300)}}) {
        fail_each_edit(function, file_,
                       [&, &batch = batch](SceneState& state) { return state.scene.replace(handles, batch); });
    }
    const Batch boxes = around_.batch(Kind::box, 1);
    const Handle ball = 8192;
    fail_each_edit("replace, into full blocks", full_, [&](SceneState& state) {
        return state.scene.replace({&ball, 1}, boxes);
    });
}

TEST_F(ScenesOutOfMemory, WhereObjectsMove) {
    const std::vector<Handle> handles = handles_from(0, 200), of_hulls = handles_from(456, 60);
    const std::vector<float> by(200, 3.0F);
    fail_each_edit("move", file_,
                   [&](SceneState& state) { return state.scene.move(handles, by.data(), by.data(), by.data()); });
    const Batch boxes = around_.batch(Kind::box, 200), hulls = hulls_of_another(60);
    fail_each_edit("place", file_, [&](SceneState& state) { return state.scene.place(handles, boxes); });
    fail_each_edit("place, new hulls", file_, [&](SceneState& state) { return state.scene.place(of_hulls, hulls); });
}

TEST_F(ScenesOutOfMemory, WhereAttributesAreSet) {
    const std::vector<Handle> handles = handles_from(0, 560);
    const std::vector<float> ones(560, 1.0F);
    const std::vector<std::uint32_t> bits(560, 3);
    const float* one = ones.data();
    for (const auto& [function, attributes] :
         {std::pair{"set_attributes, sweeps", lanecull::Attributes{.sweep_x = one, .sweep_y = one, .sweep_z = one}},
          {"set_attributes, all", lanecull::Attributes{one, one, one, one, bits.data(), bits.data(), one, one, one}}}) {
        fail_each_edit(function, file_, [&, &attributes = attributes](SceneState& state) {
            return state.scene.set_attributes(handles, attributes);
        });
    }
}

TEST_F(ScenesOutOfMemory, WhereTheOrderIsMended) {
    const std::vector<Handle> handles = handles_from(0, 250);
    std::vector<float> by;
    for (int i = 0; i < 250; ++i) by.push_back(i % 3 == 0 ? 1e5F * static_cast<float>(i) : 0.0F);
    for (const auto& [name, file] : {std::pair{"", &file_}, {", full blocks", &full_}}) {
        const std::span<const std::byte> bytes(*file);
        const auto scattered = [&, bytes] {
            auto state = std::make_unique<SceneState>();
            EXPECT_TRUE(Scene::load(bytes, state->scene));
            EXPECT_TRUE(state->scene.move(handles, by.data(), by.data(), by.data()));
            state->scene.refit();
            return state;
        };
        const auto look_at = [&](SceneState& state) { return look(state, around_.views); };
        fail_each(
            std::string("rebuild_within") + name, scattered,
            [](SceneState& state) {
                const lanecull::PartialRebuild all = state.scene.rebuild_within(~std::uint64_t{0});
                return all.all_seen != 0 ? Status() : lanecull::failure("all is seen, with whatever memory");
            },
            look_at);
        if (file == &full_) continue;
        fail_each(
            std::string("rebuild") + name, scattered, [](SceneState& state) { return state.scene.rebuild(); }, look_at);
        fail_each(
            std::string("refit") + name, scattered,
            [](SceneState& state) {
                state.scene.refit();
                return Status();
            },
            look_at);
    }
}

TEST_F(ScenesOutOfMemory, WhereASceneIsRead) {
    std::vector<std::byte> scratch(1 << 20);
    std::vector<std::uint64_t> visible(1000);
    fail_each_edit("cull, visible_bounds, slice_bounds", file_, [&](SceneState& state) {
        lanecull::Output output;
        output.visible = std::span(visible).first(lanecull::visibility_words(state.scene));
        Status status = lanecull::cull(state.scene, {around_.views.data(), 1}, {&output, 1}, scratch);
        lanecull::WorldBox box;
        if (status) status = lanecull::visible_bounds(state.scene, output.visible, box);
        constexpr double clip_from_world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0}, depths[] = {1, 9};
        if (status)
            status = lanecull::slice_bounds(state.scene, output.visible, clip_from_world, {}, depths, {&box, 1});
        return status;
    });
}

TEST_F(ScenesOutOfMemory, WhereFilesAreWrittenAndRead) {
    const TemporaryPath path;
    fail_each_edit("save", file_, [&](SceneState& state) { return state.scene.save(path.get()); });
    EXPECT_EQ(path.bytes(), file_);
    fail_each_edit("load", empty_, [&](SceneState& state) { return Scene::load(path.get(), state.scene); });
    fail_each_edit("load, of memory", empty_,
                   [&](SceneState& state) { return Scene::load(std::span<const std::byte>(file_), state.scene); });
}

/// What was loaded has as much room as it has objects: whatever is unused later has a place.
TEST_F(ScenesOutOfMemory, AfterAFileIsRead) {
    const std::vector<Handle> handles = handles_from(0, 8193);
    fail_each_edit("remove, all", full_, [&](SceneState& state) { return state.scene.remove(handles); });
}

TEST_F(ScenesOutOfMemory, WhereCMakesScenes) {
    fail_create<lanecull_scene>("lanecull_create_scene", lanecull_create_scene, lanecull_destroy_scene);
}

}  // namespace
