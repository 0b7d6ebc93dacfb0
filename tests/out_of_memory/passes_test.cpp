#include <lanecull/shadow.h>

#include "frame/world.hpp"
#include "out_of_memory/fail_create.hpp"
#include "out_of_memory/scenes.hpp"

/// Passes: reserve() alone takes memory.

namespace {

using lanecull::CullPass;
using lanecull::Status;

class PassesOutOfMemory : public testing::Test {
protected:
    PassesOutOfMemory() {
        made_.add_camera({}, 3);
        lanecull::PassPointLight point_light;
        point_light.at[2] = -20, point_light.range = 30, point_light.near_depth = 0.1;
        made_.point_lights.push_back(point_light);
        std::vector<lanecull::Handle> handles(world_.objects());
        EXPECT_TRUE(scene_.add(world_.batches, handles));
        scene_.refit();
        outputs_.resize(lanecull::view_count(made_.frame()));
        of_scene_.resize(outputs_.size());
        scene_outputs_.resize(outputs_.size());
        for (std::size_t v = 0; v < outputs_.size(); ++v) scene_outputs_[v].scene = &of_scene_[v];
    }

    [[nodiscard]] std::unique_ptr<CullPass> planned() const {
        auto pass = std::make_unique<CullPass>();
        EXPECT_TRUE(pass->reserve(made_.limits(), world_.batches));
        EXPECT_TRUE(pass->reserve(made_.limits(), scene_));
        EXPECT_TRUE(pass->plan(made_.frame(), world_.batches));
        return pass;
    }
    /// What a frame that is planned shows, and how many views each object of the frame has.
    Seen look(CullPass& pass) {
        Seen seen;
        seen.exact = std::to_string(pass.view_count());
        if (pass.view_count() == 0) return seen;
        EXPECT_TRUE(pass.prepare());
        EXPECT_TRUE(pass.cull(world_.batches, outputs_));
        for (const lanecull::Output& output : outputs_) seen.exact += " " + std::to_string(output.visible_count);
        return seen;
    }

    const frame_tests::World world_{300};
    frame_tests::Made made_;
    lanecull::Scene scene_;
    std::vector<lanecull::Output> outputs_, scene_outputs_;
    std::vector<lanecull::SceneOutput> of_scene_;
};

TEST_F(PassesOutOfMemory, WhereAPassIsMade) {
    struct State {
        CullPass pass;
        bool is_reserved = false;
    };
    fail_each(
        "CullPass()", [] { return std::make_unique<State>(); },
        [&](State& state) {
            CullPass pass;
            const Status status = pass.reserve(made_.limits(), world_.batches);
            if (status) state = {std::move(pass), true};
            return status;
        },
        [](const State& state) { return Seen{state.is_reserved ? "reserved" : "not"}; });
}

/// The planned frame is forgotten where there is memory, and otherwise kept.
TEST_F(PassesOutOfMemory, WhereAPassIsReserved) {
    const lanecull::PassLimits more{3, 20, 40};
    const auto look_at = [&](CullPass& pass) { return look(pass); };
    fail_each(
        "CullPass::reserve", [&] { return planned(); },
        [&](CullPass& pass) { return pass.reserve(more, world_.batches); }, look_at);
    fail_each(
        "CullPass::reserve, for a scene", [&] { return planned(); },
        [&](CullPass& pass) { return pass.reserve(more, scene_); }, look_at);
}

TEST_F(PassesOutOfMemory, WhereFramesAreCulled) {
    const lanecull::WorldBox box{{-100, -100, -100}, {100, 100, 100}};
    const auto look_at = [](CullPass& pass) { return Seen{std::to_string(pass.view_count())}; };
    fail_each(
        "CullPass::plan, prepare, cull, run", [&] { return planned(); },
        [&](CullPass& pass) {
            const lanecull::PassFrame frame = made_.frame();
            Status status = pass.run(frame, world_.batches, outputs_);
            if (status) status = pass.run(frame, scene_, scene_outputs_);
            if (status) status = pass.plan(frame, box);
            if (status) status = pass.prepare();
            if (status) status = pass.cull(world_.batches, outputs_);
            return status;
        },
        look_at);
}

TEST_F(PassesOutOfMemory, WhereCMakesPasses) {
    fail_create<lanecull_cull_pass>("lanecull_create_pass", lanecull_create_pass, lanecull_destroy_pass);
}

}  // namespace
