#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "frame/reference.hpp"

/// Every rule of a pass. A call that breaks one fails with a status that names the argument, and writes nothing.

namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullPass;
using lanecull::Status;

void expect_named(const Status& status, const std::string& name) {
    EXPECT_FALSE(status) << name;
    EXPECT_NE(std::string(status.message()).find(name), std::string::npos)
        << "\"" << status.message() << "\" does not name " << name;
}

class PassArguments : public testing::Test {
protected:
    PassArguments() {
        made.add_camera({}, 4);
        made.add_camera({{3, 4, 5}}, 0);
        made.add_point_light({0, 0, -30}, 40);
        made.add_spot({5, 0, -30}, 40, {0, -1, 0});
        EXPECT_TRUE(pass.reserve(made.limits(), world.batches));
    }

    Status plan() { return pass.plan(made.frame(), world.batches); }

    /// Sets a member, expects a failure of plan(), puts it back. Nothing is planned meanwhile.
    template <class T, class Value>
    void expect_plan_failure(T& member, Value value, const std::string& name) {
        ASSERT_TRUE(plan());
        const T before = member;
        member = static_cast<T>(value);
        expect_named(plan(), name);
        EXPECT_EQ(pass.view_count(), 0u);
        EXPECT_TRUE(pass.maps().empty());
        expect_named(pass.prepare(), "pass: ");
        member = before;
    }

    World world{300};
    Made made;
    CullPass pass;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = HUGE_VAL;

TEST_F(PassArguments, OfFrames) {
    auto& cameras = made.cameras;
    auto& point_lights = made.point_lights;
    expect_named(pass.plan({}, world.batches), "frame.cameras");
    expect_plan_failure(cameras[1].clip_from_world[5], nan, "frame.cameras[1].clip_from_world");
    expect_plan_failure(cameras[1].options.margin, -1, "frame.cameras[1].options.margin");
    expect_plan_failure(cameras[0].options.directional_light, &made.directional_lights[0].directional_light,
                        "frame.cameras[0].options");
    const lanecull::PointLight point_light;
    expect_plan_failure(cameras[1].options.point_light, &point_light, "frame.cameras[1].options");
    PassDirectionalLight& directional_light = made.directional_lights[0];
    expect_plan_failure(directional_light.cascades, 9, "frame.cameras[0].directional_light->cascades");
    expect_plan_failure(directional_light.near_depth, 0, "frame.cameras[0].directional_light->near_depth");
    expect_plan_failure(directional_light.far_depth, infinity, "frame.cameras[0].directional_light->near_depth");
    expect_plan_failure(directional_light.logarithmic, 1.5, "frame.cameras[0].directional_light->logarithmic");
    expect_plan_failure(directional_light.filter_texels, 1e6, "frame.cameras[0].directional_light->filter_texels");
    expect_plan_failure(directional_light.logarithmic, nan, "frame.cameras[0].directional_light->logarithmic");
    expect_plan_failure(directional_light.filter_texels, nan, "frame.cameras[0].directional_light->filter_texels");
    expect_plan_failure(directional_light.map.texels, 15, "frame.cameras[0].directional_light->map: ");
    expect_plan_failure(directional_light.directional_light.toward[1], nan,
                        "frame.cameras[0].directional_light->map: options.toward");
    expect_plan_failure(point_lights[0].range, infinity, "frame.point_lights[0].range");
    expect_plan_failure(point_lights[0].range, 0, "frame.point_lights[0].range");
    expect_plan_failure(point_lights[1].at[2], nan, "frame.point_lights[1].at");
    expect_plan_failure(point_lights[1].near_depth, 41, "frame.point_lights[1].");
    expect_plan_failure(point_lights[0].texels, 15, "frame.point_lights[0].texels");
    expect_plan_failure(point_lights[0].filter_texels, 1e6, "frame.point_lights[0].filter_texels");
    expect_plan_failure(made.spots[0].tan_x, -1, "frame.point_lights[1].tan_x");
    expect_plan_failure(made.spots[0].forward[1], 0, "frame.point_lights[1].forward");
    expect_plan_failure(directional_light.reserved[0], 1, "frame.cameras[0].directional_light->reserved");
    expect_plan_failure(made.spots[0].reserved[0], 1, "frame.point_lights[1].spot->reserved");
    const std::uint32_t none_such[] = {0, 2}, twice[] = {1, 1}, three[] = {0, 1, 0};
    using Span = std::span<const std::uint32_t>;
    expect_plan_failure(point_lights[1].cameras, Span(none_such), "frame.point_lights[1].cameras[1]");
    expect_plan_failure(point_lights[1].cameras, Span(twice), "frame.point_lights[1].cameras[1]");
    expect_plan_failure(point_lights[1].cameras, Span(three), "frame.point_lights[1].cameras");
    EXPECT_TRUE(plan());
}

TEST_F(PassArguments, OfLimits) {
    CullPass small;
    expect_named(small.reserve({70'000, 0, 0}, world.batches), "limits.cameras");
    expect_named(small.reserve({1, 0, 70'000}, world.batches), "limits.point_lights");
    expect_named(small.reserve({1, 70'000, 0}, world.batches), "limits.cascades");
    expect_named(small.plan(made.frame(), world.batches), "frame.cameras");
    ASSERT_TRUE(small.reserve({}, world.batches));
    expect_named(small.plan(made.frame(), world.batches), "frame.cameras: 2, but reserve() was for 1");
    ASSERT_TRUE(small.reserve({1, 3, 1}, world.batches));
    expect_named(small.plan(made.frame(), world.batches), "frame.cameras: 2");
    ASSERT_TRUE(small.reserve({2, 0, 0}, world.batches));
    expect_named(small.plan(made.frame(), world.batches), "frame.point_lights: 2");
    ASSERT_TRUE(small.reserve({1, 0, 2}, world.batches));
    expect_named(small.plan(made.frame(), world.batches), "frame.cameras: cascades: 4");
    ASSERT_TRUE(small.reserve({1, 4, 0}, world.batches));
    EXPECT_TRUE(small.plan(made.frame(), world.batches)) << "room stays";
    lanecull::PassLimits unknown;
    unknown.reserved[0] = 1;
    expect_named(small.reserve(unknown, world.batches), "limits.reserved");
}

TEST_F(PassArguments, OfObjects) {
    const World larger(400);
    expect_named(pass.plan(made.frame(), larger.batches), "batches: ");
    ASSERT_TRUE(plan());
    ASSERT_TRUE(pass.prepare());
    FlatLists lists(larger, pass.view_count());
    expect_named(pass.cull(larger.batches, lists.outputs), "batches: ");
    world.batches[0].get_if<lanecull::Spheres>()->x = nullptr;
    expect_named(plan(), "batches[0].");
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(larger.objects());
    ASSERT_TRUE(scene.add(larger.batches, handles));
    expect_named(pass.plan(made.frame(), scene), "scene: ");
    ASSERT_TRUE(pass.reserve({}, scene));
    ASSERT_TRUE(pass.plan(made.frame(), scene));
    const float by[] = {100};
    ASSERT_TRUE(scene.move({handles.data(), 1}, by, by, by));
    expect_named(pass.plan(made.frame(), scene), "scene: ");
}

TEST_F(PassArguments, OfHow) {
    expect_named(pass.plan(made.frame(), world.batches, {.method = static_cast<lanecull::Method>(7)}),
                 "options.method");
    ASSERT_TRUE(plan());
    expect_named(pass.prepare(static_cast<Casters>(2)), "casters");
    FlatLists lists(world, pass.view_count());
    expect_named(pass.cull(world.batches, lists.outputs), "pass: ");
    ASSERT_TRUE(pass.prepare());
    Words masks(world.objects());
    expect_named(pass.cull(world.batches, lists.outputs, {.view_masks = masks}), "options.view_masks");
    EXPECT_TRUE(pass.cull(world.batches, lists.outputs));
}

TEST_F(PassArguments, OfOutputs) {
    ASSERT_TRUE(plan());
    ASSERT_TRUE(pass.prepare());
    FlatLists lists(world, pass.view_count());
    const Words untouched = lists.views[0].visible;
    const auto expect_failure = [&](const std::string& name) {
        expect_named(pass.cull(world.batches, lists.outputs), name);
        for (const FlatLists::One& one : lists.views) EXPECT_EQ(one.visible, untouched) << name;
    };
    lanecull::Output& last = lists.outputs.back();
    const lanecull::Output before = last;
    const auto expect_failure_of = [&](auto& member, const auto& value, const std::string& name) {
        member = value;
        expect_failure("outputs[12]." + name);
        last = before;
    };
    expect_failure_of(last.visible, last.visible.first(1), "visible");
    expect_failure_of(last.candidates, std::span<const std::uint64_t>(lists.views[0].inside), "candidates");
    expect_failure_of(last.inside, std::span(lists.views[12].visible), "");
    expect_failure_of(last.visible, std::span(lists.views[3].visible), "visible");
    expect_failure_of(last.draws.stride_bytes, 10u, "draws.stride_bytes");
    world.batches[1].draws = {};
    expect_failure("batches[1].draws");
    world.batches[1].draws = {world.of_boxes.data(), lanecull::DrawTemplates::Per::object};
    lists.outputs.pop_back();
    expect_failure("outputs: ");
    lists.outputs.push_back(before);
    EXPECT_TRUE(pass.cull(world.batches, lists.outputs));

    const Ordered ordered(world);
    ASSERT_TRUE(pass.reserve({}, ordered.scene));
    ASSERT_TRUE(plan());
    ASSERT_TRUE(pass.prepare());
    SceneLists scene_lists(ordered.scene, pass.view_count());
    const Words clean = scene_lists.views[0].visible;
    std::vector<std::uint8_t> hints(3);
    scene_lists.views[12].own.hints = hints;
    expect_named(pass.cull(ordered.scene, scene_lists.outputs), "outputs[12].hints");
    scene_lists.views[12].own.hints = {};
    scene_lists.outputs[7].candidates = scene_lists.views[0].visible;
    expect_named(pass.cull(ordered.scene, scene_lists.outputs), "outputs[7].candidates");
    for (const scene_tests::ViewLists& one : scene_lists.views) EXPECT_EQ(one.visible, clean);
    scene_lists.outputs[7].candidates = {};
    EXPECT_TRUE(pass.cull(ordered.scene, scene_lists.outputs));
}

TEST(PassWithoutAFrame, HasNothing) {
    const World world(10);
    CullPass pass;
    EXPECT_EQ(pass.view_count(), 0u);
    EXPECT_TRUE(pass.maps().empty());
    EXPECT_TRUE(pass.cascades(0).empty());
    EXPECT_EQ(pass.first_cascade_view(0), 0u);
    EXPECT_EQ(pass.first_point_light_view(0), 0u);
    EXPECT_FALSE(pass.view(0).prepared());
    expect_named(pass.prepare(), "pass: ");
    expect_named(pass.cull(world.batches, {}), "pass: ");
    const CullPass moved = std::move(pass);
    expect_named(pass.prepare(), "pass: ");
}

}  // namespace
