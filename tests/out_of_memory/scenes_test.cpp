#include <lanecull/scene.h>

#include <algorithm>
#include <vector>

#include "base/failure.hpp"
#include "out_of_memory/fail_each.hpp"
#include "support/files.hpp"
#include "support/generate.hpp"

/// Scenes: the calls that take memory. Moves, refits and culls take none.

namespace {

using lanecull::Batch;
using lanecull::Handle;
using lanecull::Mobility;
using lanecull::Scene;
using lanecull::Status;
using Files = std::vector<std::byte>;

/// Cameras, hulls and objects about them; batches live as long.
class Around {
public:
    explicit Around(std::uint64_t seed)
        : random_(seed), prepared_(random_prepared_camera(random_, Projection::perspective)) {
        hulls = random_hulls(random_, 3);
        views.push_back(prepared_.view);
        views.push_back(random_prepared_camera(random_, Projection::orthographic).view);
    }

    lanecull::Batch batch(Kind kind, std::size_t count, const Streams& streams = {}) {
        std::vector<Object> objects = random_objects(random_, kind, prepared_.camera, count, hulls);
        for (Object& object : objects) {
            grow(random_, kind, hulls, streams, object);
            if (streams.flags && random_.chance(0.1)) object.flags = lanecull::object_disabled;
        }
        return make_batch(kind, objects, hulls, memory_, {.bounds = false, .streams = streams});
    }

    HullSet hulls;
    std::vector<lanecull::View> views;

private:
    Random random_;
    PreparedCamera prepared_;
    HeapMemory memory_;
};

/// Meaning: the objects that the views see, by handle. Exact: the scene as a file, and whether it is stale.
Seen look(Scene& scene, std::span<const lanecull::View> views) {
    Seen seen;
    seen.exact = scene.stale() ? "stale" : "fit";
    scene.refit();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    std::vector<lanecull::Handle> visible(scene.object_count());
    seen.meaning = std::to_string(scene.object_count()) + " objects, " + std::to_string(scene.handle_limit());
    for (const lanecull::View& view : views) {
        lanecull::SceneOutput of_scene{.handles = visible};
        lanecull::Output output{.scene = &of_scene};
        const lanecull::Status status = lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch);
        EXPECT_TRUE(status) << status.message();
        std::sort(visible.begin(), visible.begin() + static_cast<std::ptrdiff_t>(output.visible_count));
        seen.meaning += text_of(std::as_bytes(std::span(visible).first(output.visible_count)));
    }
    const std::vector<std::byte> file = SceneFile(scene).bytes();
    Scene read;
    const lanecull::Status status = lanecull::Scene::load(std::span<const std::byte>(file), read);
    EXPECT_TRUE(status) << "its parts do not belong together: " << status.message();
    seen.exact += text_of(file);
    return seen;
}

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
        Scene scene;
        add(scene, around.batch(Kind::box, 256));
        add(scene, around.batch(Kind::sphere, 200, {.margin = true}), {.mobility = Mobility::moving});
        add(scene, around.batch(Kind::hull, 60));
        add(scene, around.batch(Kind::quaternion_box, 40, {.sweep = true}));
        add(scene, around.batch(Kind::box_instance, 40));
        add(scene, around.batch(Kind::capsule, 30), {.origin = {1000, 0, 0}});
        add(scene, balls(514));
        EXPECT_TRUE(scene.remove(handles_from(600, 9)));
        scene.refit();
        return SceneFile(scene).bytes();
    }
    /// 64 blocks of boxes, all of them full: one more makes another level of boxes. And a ball.
    static Files full(Around& around) {
        Scene scene;
        add(scene, around.batch(Kind::box, std::size_t{64} * 128));
        add(scene, balls(1));
        scene.refit();
        return SceneFile(scene).bytes();
    }
    /// Balls in a row, of which two are large.
    static Batch balls(std::uint32_t count) {
        static std::vector<float> all(4000);
        for (std::size_t i = 0; i < 3000; ++i) all[i] = static_cast<float>(i % 1000);
        for (std::size_t i = 3000; i < 4000; ++i) all[i] = i % 400 == 0 ? 5000.0F : 0.25F;
        return lanecull::Spheres{all.data(), all.data() + 1000, all.data() + 2000, all.data() + 3000, count};
    }

    template <class Call>
    void fail_each_edit(const char* function, const Files& file, const Call& call) {
        const auto load = [&] {
            auto state = std::make_unique<Scene>();
            EXPECT_TRUE(Scene::load(std::span<const std::byte>(file), *state));
            return state;
        };
        fail_each(function, load, call, [&](Scene& scene) { return look(scene, around_.views); });
    }
    /// Adds batches.
    void fail_add(const char* function, const Files& file, std::vector<Batch> batches,
                  const lanecull::AddOptions& options = {}) {
        std::size_t n = 0;
        for (const Batch& batch : batches) n += batch.count();
        std::vector<Handle> handles(n);
        fail_each_edit(function, file, [&](Scene& scene) { return scene.add(batches, handles, options); });
    }

    Batch hulls_of_another(std::size_t count) { return another_.batch(Kind::hull, count); }

    Around around_{seed}, another_{seed + 1};  // with other hulls
    const Files file_ = some_of_each(around_);
    const Files full_ = full(around_);
    const Files empty_ = SceneFile(Scene()).bytes();
};

TEST_F(ScenesOutOfMemory, WhereASceneIsMade) {
    const Batch batch = around_.batch(Kind::box, 3);
    fail_first<Scene>(
        "add",
        [&](Scene& scene) {
            Handle handles[3];
            return scene.add({&batch, 1}, handles);
        },
        [&](Scene& scene) { return look(scene, around_.views); });
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
    fail_each_edit("remove", file_, [&](Scene& scene) { return scene.remove(handles); });
}

TEST_F(ScenesOutOfMemory, WhereObjectsAreReplaced) {
    const std::vector<Handle> handles = handles_from(100, 300);  // boxes and balls
    for (const auto& [function, batch] : {std::pair{"replace, some by their own kind with new attributes",
                                                    around_.batch(Kind::box, 300, {.sweep = true})},
                                          {"replace, by a kind that there is", around_.batch(Kind::capsule, 300)},
                                          {"replace, by a new kind", around_.batch(Kind::centered_box, 300)},
                                          {"replace, by new hulls", hulls_of_another(300)}}) {
        fail_each_edit(function, file_, [&, &batch = batch](Scene& scene) { return scene.replace(handles, batch); });
    }
    const Batch boxes = around_.batch(Kind::box, 1);
    const Handle ball = 8192;
    fail_each_edit("replace, into full blocks", full_, [&](Scene& scene) { return scene.replace({&ball, 1}, boxes); });
}

TEST_F(ScenesOutOfMemory, WhereObjectsArePlaced) {
    const std::vector<Handle> handles = handles_from(0, 200), of_hulls = handles_from(456, 60);
    const Batch boxes = around_.batch(Kind::box, 200), hulls = hulls_of_another(60);
    fail_each_edit("place", file_, [&](Scene& scene) { return scene.place(handles, boxes); });
    fail_each_edit("place, new hulls", file_, [&](Scene& scene) { return scene.place(of_hulls, hulls); });
}

TEST_F(ScenesOutOfMemory, WhereAttributesAreSet) {
    const std::vector<Handle> handles = handles_from(0, 560);
    const std::vector<float> ones(560, 1.0F);
    const std::vector<std::uint32_t> bits(560, 3);
    const float* one = ones.data();
    for (const auto& [function, attributes] :
         {std::pair{"set_attributes, sweeps", lanecull::Attributes{.sweep_x = one, .sweep_y = one, .sweep_z = one}},
          {"set_attributes, all", lanecull::Attributes{one, one, one, one, bits.data(), bits.data(), one, one, one}}}) {
        fail_each_edit(function, file_, [&, &attributes = attributes](Scene& scene) {
            return scene.set_attributes(handles, attributes);
        });
    }
}

TEST_F(ScenesOutOfMemory, WhereTheOrderIsMended) {
    const std::vector<Handle> handles = handles_from(0, 250);
    std::vector<float> by;
    for (int i = 0; i < 250; ++i) by.push_back(i % 3 == 0 ? 1e5F * static_cast<float>(i) : 0.0F);
    const auto fail_mending = [&](const char* function, std::span<const std::byte> file, const auto& mend) {
        const auto scattered = [&] {
            auto state = std::make_unique<Scene>();
            EXPECT_TRUE(Scene::load(file, *state));
            EXPECT_TRUE(state->move(handles, by.data(), by.data(), by.data()));
            state->refit();
            return state;
        };
        fail_each(
            function, scattered, [&](Scene& scene) { return mend(scene); },
            [&](Scene& scene) { return look(scene, around_.views); });
    };
    const auto rebuild_all_within = [](Scene& scene) {
        const bool all_seen = scene.rebuild_within(~std::uint64_t{0}).all_seen != 0;
        return all_seen ? Status() : lanecull::failure("all is seen, with whatever memory");
    };
    fail_mending("rebuild_within", file_, rebuild_all_within);
    fail_mending("rebuild_within, full blocks", full_, rebuild_all_within);
    fail_mending("rebuild", file_, [](Scene& scene) { return scene.rebuild(); });
}

TEST_F(ScenesOutOfMemory, WhereFilesAreWrittenAndRead) {
    const TemporaryPath path;
    fail_each_edit("save", file_, [&](Scene& scene) { return scene.save(path.get()); });
    EXPECT_EQ(path.bytes(), file_);
    fail_each_edit("load", empty_, [&](Scene& scene) { return Scene::load(path.get(), scene); });
    fail_each_edit("load, of memory", empty_,
                   [&](Scene& scene) { return Scene::load(std::span<const std::byte>(file_), scene); });
}

/// What was loaded has as much room as it has objects: whatever is unused later has a place.
TEST_F(ScenesOutOfMemory, AfterAFileIsRead) {
    const std::vector<Handle> handles = handles_from(0, 8193);
    fail_each_edit("remove, all", full_, [&](Scene& scene) { return scene.remove(handles); });
}

}  // namespace
