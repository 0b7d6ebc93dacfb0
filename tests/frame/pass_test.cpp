#include <gtest/gtest.h>

#include "frame/reference.hpp"

/// Frames by hand. Families frames_... (properties/frames/) have any other.

namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullPass;
using lanecull::View;
using lanecull::WorldBox;

/// Culls the frame over batches and over a scene and compares with single culls. Returns how many objects the lights'
/// views have.
std::uint64_t expect_single_culls(const World& world, const Ordered& ordered, const PassFrame& frame, CullPass& pass,
                                  Casters casters = Casters::volume) {
    require(pass.plan(frame, world.batches));
    require(pass.prepare(casters));
    const std::vector<Words> expected = reference(world, frame, pass, casters);
    EXPECT_EQ(difference(world, ordered, frame, pass, expected), "");
    std::uint64_t seen = 0;
    for (std::size_t v = frame.cameras.size(); v < expected.size(); ++v) seen += count_of(expected[v]);
    return seen;
}

/// A point light's map has what its own volume meets, among what the light casts as a whole. Views of casters for each
/// map by itself would cost more to prepare, and would leave out hardly any more.
TEST(CullPass, PointLightMapsHaveHardlyMoreThanTheirOwnCasters) {
    const World world(4000);
    Random random(76);
    std::uint64_t listed = 0, own = 0, seen = 0;
    for (int i = 0; i < 20; ++i) {
        Made made;
        made.add_camera(random_looking(random), 0);
        for (int l = 0; l < 4; ++l) {
            const Looking& look = made.looking[0];
            made.add_point_light(look.point(random.range(-1.2, 1.2), random.range(-1.2, 1.2), random.range(-20, 100)),
                                 50);
        }
        CullPass pass;
        require(pass.reserve(made.limits(), world.batches));
        require(pass.plan(made.frame(), world.batches));
        require(pass.prepare());
        const std::vector<Words> lists = reference(world, made.frame(), pass, Casters::volume);
        for (std::size_t v = 1; v < lists.size(); ++v) {
            listed += count_of(lists[v]);
            if (!pass.view(v).prepared()) continue;
            const View casters = map_casters(made.cameras[0], made.point_lights[(v - 1) / 6], pass.maps()[v - 1]);
            const Words frustum = culled(world, pass.view(v));
            seen += count_of(frustum);
            own += count_of(both(frustum, culled(world, casters)));
        }
    }
    EXPECT_GT(own, 1000u);
    EXPECT_GE(listed, own);
    EXPECT_LT(static_cast<double>(listed), 1.03 * static_cast<double>(own));
    EXPECT_GT(static_cast<double>(seen), 1.5 * static_cast<double>(own));
}

/// What is 0 is the usual: 4 cascades, split by 0.8; 4.5 texels of the filter; maps of 2048 and 512 texels; spots of 90
/// degrees. What is below 0 is none.
TEST(CullPass, HasUsualNumbers) {
    const World world(500);
    struct Numbers {
        std::uint32_t cascades = 0;
        double logarithmic = 0, filter = 0;
        std::uint32_t directional_texels = 0, point_light_texels = 0;
        double tan = 0;
    };
    const auto planned = [&](const Numbers& numbers, CullPass& pass) {
        Made made;
        made.add_camera({}, 4);
        made.add_point_light({0, 0, -30}, 40);
        made.add_spot({5, 0, -30}, 40, {0, -1, 0});
        require(pass.reserve(made.limits(), world.batches));
        PassDirectionalLight& directional_light = made.directional_lights[0];
        directional_light.cascades = numbers.cascades, directional_light.logarithmic = numbers.logarithmic,
        directional_light.filter_texels = numbers.filter;
        directional_light.map.texels = numbers.directional_texels;
        for (PassPointLight& point_light : made.point_lights) {
            point_light.texels = numbers.point_light_texels, point_light.filter_texels = numbers.filter;
        }
        made.spots[0].tan_x = made.spots[0].tan_y = numbers.tan;
        EXPECT_EQ(lanecull::view_count(made.frame()), 1u + 4 + 6 + 1);
        require(pass.plan(made.frame(), world.batches));
        require(pass.prepare());
    };
    const auto alike = [](const CullPass& a, const CullPass& b) {
        bool all = a.view_count() == b.view_count();
        for (std::size_t m = 0; all && m < a.maps().size(); ++m) all = a.maps()[m].texel_size == b.maps()[m].texel_size;
        for (std::size_t v = 0; all && v < a.view_count(); ++v) all = same_view(a.view(v), b.view(v));
        return all;
    };
    CullPass usual;
    planned({}, usual);
    const Numbers named{4, 0.8, 4.5, 2048, 512, 1};
    CullPass by_name;
    planned(named, by_name);
    EXPECT_TRUE(alike(usual, by_name));
    // Each of them matters.
    Numbers others[] = {named, named, named, named, named};
    others[0].logarithmic = 0.7, others[1].filter = 4, others[2].directional_texels = 1024,
    others[3].point_light_texels = 256;
    others[4].tan = 0.5;
    for (const Numbers& other : others) {
        CullPass by_other;
        planned(other, by_other);
        EXPECT_FALSE(alike(usual, by_other)) << &other - others;
    }
    Numbers without = named;
    without.logarithmic = -1;
    CullPass uniform;
    planned(without, uniform);
    const lanecull::Span<const lanecull::Cascade> slices = uniform.cascades(0);
    ASSERT_EQ(slices.size(), 4u);
    for (const lanecull::Cascade& slice : slices) {
        EXPECT_NEAR(slice.far_depth - slice.near_depth, slices[0].far_depth - slices[0].near_depth, 1e-9);
    }
    // Without a filter, and with nearly none.
    without.filter = -1;
    CullPass unfiltered, hardly;
    planned(without, unfiltered);
    without.filter = 1e-300;
    planned(without, hardly);
    EXPECT_FALSE(alike(uniform, unfiltered));
    EXPECT_EQ(unfiltered.view_count(), hardly.view_count());
    for (std::size_t v = 1; v < hardly.view_count(); ++v) {
        EXPECT_EQ(culled(world, unfiltered.view(v)), culled(world, hardly.view(v))) << v;
    }
}

/// More views than one call of cull() takes, most of them of point lights that light nothing in view.
TEST(CullPass, HasMoreViewsThanACullTakes) {
    const World world(700);
    const Ordered ordered(world);
    Random random(74);
    Made made;
    for (int c = 0; c < 3; ++c) made.add_camera(random_looking(random), 8);
    for (int l = 0; l < 90; ++l) {
        PassPointLight& point_light =
            l % 5 == 0
                ? made.add_spot({random.range(-150, 150), random.range(-150, 150), random.range(-150, 150)}, 70,
                                {0, -1, 0})
                : made.add_point_light({random.range(-150, 150), random.range(-150, 150), random.range(-150, 150)}, 50);
        if (l % 3 == 0) made.let_see(point_light, {static_cast<std::uint32_t>(l / 3 % 3)});
    }
    CullPass pass;
    require(pass.reserve(made.limits(), world.batches));
    require(pass.reserve(made.limits(), ordered.scene));
    for (const Casters casters : {Casters::volume, Casters::frustum}) {
        EXPECT_GT(expect_single_culls(world, ordered, made.frame(), pass, casters), 0u);
    }
    EXPECT_EQ(pass.view_count(), 3u + 24u + 18u + 72u * 6u);
}

TEST(CullPass, NeedsNeitherDirectionalLightNorPointLights) {
    const World world(1000);
    const Ordered ordered(world);
    Made made;
    made.add_camera({}, 0);
    made.add_reflection(0, {0, 0, -30}, {0, 0, 1});
    CullPass pass;
    require(pass.reserve(made.limits(), world.batches));
    require(pass.reserve(made.limits(), ordered.scene));
    EXPECT_EQ(expect_single_culls(world, ordered, made.frame(), pass), 0u);
    EXPECT_EQ(pass.view_count(), 2u);
    EXPECT_TRUE(pass.maps().empty());
    // The mirror shows nothing of what is behind it.
    const Words direct = culled(world, pass.view(0)), mirrored = culled(world, pass.view(1));
    std::size_t behind = 0;
    for (std::uint32_t i = 0; i < world.count(); ++i) {
        const bool is_behind = world.z[i] + world.half[i] < -30.01f;
        EXPECT_FALSE(is_behind && has(mirrored, i)) << i;
        behind += is_behind && has(direct, i) ? 1 : 0;
    }
    EXPECT_GT(behind, 10u);
    EXPECT_GT(count_of(mirrored), 10u);
}

/// Of water at y = 0 a camera 5 above, which looks ahead, sees nothing that is near: the first cascades of its
/// reflection have nothing in them. Of one that looks up the reflection looks down, and has nothing at all.
void add_water(Made& made, Looking look, std::uint32_t cascades) {
    look.eye = {0, 5, 0};
    made.add_camera(look, cascades);
    const std::size_t seen = made.cameras.size() - 1;
    made.add_reflection(seen, {0, 0, 0}, {0, 1, 0});
    made.cameras.back().directional_light = made.cameras[seen].directional_light;
}

/// Bits of each view.
std::vector<Words> bits_of(const World& world, const PassFrame& frame, CullPass& pass, Casters casters) {
    FlatLists lists(world, lanecull::view_count(frame));
    require(pass.run(frame, world.batches, lists.outputs, casters));
    std::vector<Words> result;
    for (const auto& view : lists.views) result.push_back(view.visible);
    return result;
}

TEST(CullPass, ViewsThatAPlaneCutsAwayHaveNothing) {
    const World world(1500);
    const Ordered ordered(world);
    Made made, alone;
    const Looking level{.tan_y = 0.6}, up{.forward = {0, 1, 0}, .right = {1, 0, 0}, .up = {0, 0, 1}};
    Looking above = level;
    above.eye = {0, 5, 0};
    alone.add_camera(above, 4);
    alone.add_point_light({3, 8, -20}, 40);
    add_water(made, level, 4);
    add_water(made, up, 3);
    made.add_point_light({3, 8, -20}, 40);
    CullPass pass;
    require(pass.reserve(made.limits(), world.batches));
    require(pass.reserve(made.limits(), ordered.scene));
    for (const Casters casters : {Casters::frustum, Casters::volume}) {
        expect_single_culls(world, ordered, made.frame(), pass, casters);
        const std::vector<Words> bits = bits_of(world, made.frame(), pass, casters);
        // What the first camera and its cascades have does not depend on the others.
        const std::vector<Words> of_one = bits_of(world, alone.frame(), pass, casters);
        for (std::size_t v = 0; v < 5; ++v) EXPECT_EQ(bits[v == 0 ? 0 : 3 + v], of_one[v]) << v;
    }
    require(pass.plan(made.frame(), world.batches));
    require(pass.prepare());
    const auto cascade = [&](std::size_t camera, std::size_t k) -> const View& {
        return pass.view(pass.first_cascade_view(camera) + k);
    };
    EXPECT_FALSE(pass.view(1).sees_nothing());
    EXPECT_TRUE(cascade(1, 0).sees_nothing());
    EXPECT_LT(0.6 * pass.cascades(1)[0].far_depth, 5);
    EXPECT_FALSE(cascade(1, 3).sees_nothing());
    EXPECT_TRUE(pass.view(3).sees_nothing());
    for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(cascade(3, k).sees_nothing());
    for (const std::size_t camera : {0u, 2u}) EXPECT_FALSE(pass.view(camera).sees_nothing());
}

/// A point light whose range does not reach the view costs no cull: its maps are empty and have no views.
TEST(CullPass, PointLightsThatLightNothingAreEmpty) {
    const World world(1000);
    const Ordered ordered(world);
    Made made;
    made.add_camera({}, 0);
    made.add_point_light({0, 0, 90}, 60);
    made.add_point_light({0, 0, -30}, 40);
    made.add_spot({0, 0, 5}, 40, {0, 0, 1});  // away from what is seen
    CullPass pass;
    require(pass.reserve(made.limits(), world.batches));
    FlatLists lists(world, 14);
    std::vector<lanecull::Certificate> certificates(world.objects());
    lists.views[1].why.certificates = certificates;
    require(pass.run(made.frame(), world.batches, lists.outputs));
    const Words nothing(lanecull::visibility_words(world.batches));
    for (const std::size_t v : {1u, 2u, 3u, 4u, 5u, 6u, 13u}) {
        EXPECT_EQ(difference(world, lists, v, nothing), "");
        EXPECT_EQ(lists.views[v].why.counts[lanecull::Reason::culled_candidate], 3000u) << v;
    }
    for (const std::size_t v : {1u, 6u, 13u}) EXPECT_FALSE(pass.view(v).prepared());
    EXPECT_TRUE(pass.view(7).prepared());
    for (const lanecull::Certificate& c : certificates) ASSERT_EQ(c.reason, lanecull::Reason::culled_candidate);
    std::uint64_t lit = 0;
    for (std::size_t v = 7; v < 13; ++v) lit += lists.outputs[v].visible_count;
    EXPECT_GT(lit, 0u);

    require(pass.reserve(made.limits(), ordered.scene));
    SceneLists scene_lists(ordered.scene, 14);
    require(pass.run(made.frame(), ordered.scene, scene_lists.outputs));
    for (const std::size_t v : {1u, 6u, 13u}) {
        EXPECT_EQ(difference(world, ordered, scene_lists, v, nothing), "");
        for (const lanecull::BlockOutcome outcome : scene_lists.views[v].outcomes) {
            EXPECT_EQ(outcome, lanecull::BlockOutcome::outside);
        }
        EXPECT_EQ(scene_lists.views[v].of_scene.outside_blocks, ordered.scene.block_count());
    }
}

/// A camera's occluders hide in its view alone. Where one breaks a rule, nothing is written.
TEST(CullPass, TakesOccluders) {
    const World world(1000);
    Made made;
    made.add_camera({}, 2);
    made.add_point_light({0, 0, -30}, 40);
    lanecull::Viewpoint eye;
    const PassCamera& camera = made.cameras[0];
    require(lanecull::prepare_viewpoint(camera.clip_from_world, camera.clip_space, eye));
    lanecull::Occluder wall;
    ASSERT_EQ(lanecull::prepare_occluder(lanecull::SolidBox{{-15, -15, -31}, {15, 15, -30}}, eye, wall),
              lanecull::OccluderRefusal::none);
    CullPass pass;
    require(pass.reserve(made.limits(), world.batches));
    FlatLists plain(world, 9), lists(world, 9);
    std::uint32_t hidden = 0;
    lists.outputs[0].occluders = {&wall, 1}, lists.outputs[0].hidden_counts = {&hidden, 1};
    require(pass.run(made.frame(), world.batches, plain.outputs));
    require(pass.run(made.frame(), world.batches, lists.outputs));
    EXPECT_LT(lists.outputs[0].visible_count, plain.outputs[0].visible_count);
    // What a wall hides need not be in view: walls are asked before the last stages.
    EXPECT_GE(lists.outputs[0].visible_count + hidden, plain.outputs[0].visible_count);
    EXPECT_EQ(lists.views[0].why.counts[lanecull::Reason::culled_occluded], hidden);
    EXPECT_EQ(both(lists.views[0].visible, plain.views[0].visible), lists.views[0].visible);
    // The same as a single call, counts included.
    std::uint32_t direct_hidden = 0;
    Words direct(lanecull::visibility_words(world.batches));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(world.batches, 1));
    lanecull::Output alone{.visible = direct, .occluders = {&wall, 1}, .hidden_counts = {&direct_hidden, 1}};
    require(lanecull::cull(world.batches, {&pass.view(0), 1}, {&alone, 1}, scratch));
    EXPECT_EQ(lists.views[0].visible, direct);
    EXPECT_EQ(hidden, direct_hidden);
    for (std::size_t v = 1; v < 9; ++v) EXPECT_EQ(lists.views[v].visible, plain.views[v].visible) << v;

    const lanecull::Owner nobody{7, 0};
    lanecull::Occluder lost = wall;
    lost.owners = {&nobody, 1};
    FlatLists untouched(world, 9);
    const Words before = untouched.views[0].visible;
    untouched.outputs[8].occluders = {&lost, 1};
    EXPECT_EQ(std::string(pass.run(made.frame(), world.batches, untouched.outputs).message()),
              std::string("outputs[8].occluders[0].owners: there is no object 0 of batch 7"));
    EXPECT_EQ(untouched.views[0].visible, before);
}

TEST(CullPass, GivenReceiversNothingIsCulledForThePlan) {
    const World world(10);
    Made made;
    made.add_camera({}, 3);
    CullPass pass;
    require(pass.reserve(made.limits(), world.batches));
    const WorldBox box{{-9, -9, -90}, {9, 9, 9}};
    require(pass.plan(made.frame(), box));
    for (const lanecull::Cascade& cascade : pass.cascades(0)) EXPECT_EQ(cascade.receivers.lower[2], -90);
    require(pass.prepare());
    EXPECT_TRUE(pass.view(3).prepared());
    CullPass moved = std::move(pass);
    EXPECT_TRUE(moved.view(3).prepared());
    FlatLists lists(world, 4);
    EXPECT_TRUE(moved.cull(world.batches, lists.outputs));
}

}  // namespace
