#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "frame/reference.hpp"
#include "support/new_threads.hpp"

/// Frames by hand. Families frames_... (properties/frames/) have any other.

namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullPass;
using lanecull::View;
using lanecull::WorldBox;

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
    constexpr Numbers named{4, 0.8, 4.5, 2048, 512, 1};
    // Each of them matters.
    constexpr Numbers all[] = {named,
                               {4, 0.7, 4.5, 2048, 512, 1},
                               {4, 0.8, 4, 2048, 512, 1},
                               {4, 0.8, 4.5, 1024, 512, 1},
                               {4, 0.8, 4.5, 2048, 256, 1},
                               {4, 0.8, 4.5, 2048, 512, 0.5}};
    for (const Numbers& numbers : all) {
        CullPass by_number;
        planned(numbers, by_number);
        EXPECT_EQ(alike(usual, by_number), &numbers == all) << &numbers - all;
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
    require(pass.reserve(made.limits(), ordered.scene));
    FlatLists lists(world, 14);
    SceneLists scene_lists(ordered.scene, 14);
    std::vector<lanecull::Certificate> certificates(world.objects());
    lists.views[1].why.certificates = certificates;
    require(pass.run(made.frame(), world.batches, lists.outputs));
    require(pass.run(made.frame(), ordered.scene, scene_lists.outputs));
    for (const std::size_t v : {1u, 2u, 3u, 4u, 5u, 6u, 13u}) {
        EXPECT_FALSE(pass.view(v).prepared());
        EXPECT_EQ(lists.views[v].why.counts[lanecull::Reason::culled_candidate], 3000u) << v;
        EXPECT_EQ(scene_lists.views[v].own.outside_blocks, ordered.scene.block_count());
    }
    EXPECT_TRUE(pass.view(7).prepared());
    for (const lanecull::Certificate& c : certificates) ASSERT_EQ(c.reason, lanecull::Reason::culled_candidate);
    std::uint64_t lit = 0;
    for (std::size_t v = 7; v < 13; ++v) lit += lists.outputs[v].visible_count;
    EXPECT_GT(lit, 0u);
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
    // What a wall hides need not be in view: walls are tested before the last stages.
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

/// Walls, of which some are before the camera and some before its lights.
std::vector<lanecull::SolidBox> random_walls(std::uint64_t seed) {
    Random random(seed);
    std::vector<lanecull::SolidBox> walls(300);
    for (lanecull::SolidBox& wall : walls) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double middle = random.range(-60, 60), half = random.log_range(0.2, 20);
            wall.min[k] = static_cast<float>(middle - half), wall.max[k] = static_cast<float>(middle + half);
        }
    }
    return walls;
}

/// The walls that share a point with a view.
Words seen_walls(const std::vector<lanecull::SolidBox>& walls, const lanecull::View& view) {
    std::vector<float> of[6];
    for (const lanecull::SolidBox& wall : walls) {
        for (std::size_t k = 0; k < 3; ++k) of[k].push_back(wall.min[k]), of[3 + k].push_back(wall.max[k]);
    }
    const lanecull::Batch boxes = lanecull::Boxes{of[0].data(),
                                                  of[1].data(),
                                                  of[2].data(),
                                                  of[3].data(),
                                                  of[4].data(),
                                                  of[5].data(),
                                                  static_cast<std::uint32_t>(walls.size())};
    Words seen(lanecull::visibility_words({&boxes, 1}));
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&boxes, 1}, 1));
    lanecull::Output output{.visible = seen};
    require(lanecull::cull({&boxes, 1}, {&view, 1}, {&output, 1}, scratch));
    return seen;
}

TEST(CullPass, ChoosesOccludersAsIsDoneByHand) {
    const World world(1000);
    Made made;
    made.add_camera({}, 3);
    made.add_point_light({0, 0, -30}, 60);
    const std::vector<lanecull::SolidBox> walls = random_walls(3);
    lanecull::PassOccluders from{.solids = {.boxes = walls}, .raster = {.per_distance = 1e-4}};
    PassFrame frame = made.frame();
    frame.occluders = &from;
    lanecull::PassLimits limits = made.limits();
    CullPass pass;
    require(pass.reserve(limits, world.batches));
    FlatLists plain(world, 10), lists(world, 10);
    EXPECT_EQ(std::string(pass.run(frame, world.batches, lists.outputs).message()),
              "frame.occluders->solids: 300, but reserve() was for 0");
    limits.solids = 300;
    require(pass.reserve(limits, world.batches));
    require(pass.run(made.frame(), world.batches, plain.outputs));
    require(pass.run(frame, world.batches, lists.outputs));

    std::size_t culled = 0;
    std::vector<std::byte> memory(lanecull::choose_scratch_bytes(walls.size()));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(world.batches, 1));
    for (std::size_t v = 0; v < 10; ++v) {
        SCOPED_TRACE(v);
        EXPECT_TRUE(lists.outputs[v].occluders.empty()) << "they are the pass's own";
        if (!pass.view(v).prepared()) continue;
        lanecull::Viewpoint viewpoint;
        const PassCamera& camera = made.cameras[0];
        const PassPointLight& light = made.point_lights[0];
        if (v == 0) {
            require(lanecull::prepare_viewpoint(camera.clip_from_world, camera.clip_space, viewpoint));
        } else if (v < 4) {
            const double(&toward)[3] = camera.directional_light->directional_light.toward;
            const WorldBox& receivers = pass.cascades(0)[v - 1].receivers;
            double around[3];  // of a slice without receivers the world's origin
            for (std::size_t k = 0; k < 3; ++k) {
                const double middle = 0.5 * receivers.lower[k] + 0.5 * receivers.upper[k];
                around[k] = std::isfinite(middle) ? middle : 0;
            }
            require(lanecull::prepare_viewpoint_along({-toward[0], -toward[1], -toward[2]}, around, viewpoint));
        } else {
            require(lanecull::prepare_viewpoint_from_eyes(light.at, light.near_depth * std::sqrt(3.0) * (1 + 0x1p-40),
                                                          viewpoint));
        }
        const Words candidates = seen_walls(walls, pass.view(v));
        lanecull::ChooseOptions how{.raster = from.raster, .candidates = candidates};
        if (v > 0) how.raster = {pass.maps()[v - 1].texel_size / 16, 0, 0};
        lanecull::Occluder occluders[48];
        std::uint32_t indices[48], count = 0;
        require(
            lanecull::choose_occluders(from.solids, pass.view(v), viewpoint, occluders, indices, memory, count, how));
        EXPECT_EQ(std::vector(pass.chosen_solids(v).begin(), pass.chosen_solids(v).end()),
                  std::vector(indices, indices + count));
        if (v >= 4) continue;  // what is culled for a light's maps is among what the light reaches
        Words direct(lanecull::visibility_words(world.batches));
        lanecull::Output alone{.visible = direct, .occluders = {occluders, count}};
        require(lanecull::cull(world.batches, {&pass.view(v), 1}, {&alone, 1}, scratch));
        EXPECT_EQ(lists.views[v].visible, direct);
    }
    for (std::size_t v = 0; v < 10; ++v) {
        EXPECT_EQ(both(lists.views[v].visible, plain.views[v].visible), lists.views[v].visible);
        culled += plain.outputs[v].visible_count - lists.outputs[v].visible_count;
    }
    EXPECT_GT(culled, 20u);

    // For cameras alone; with occluders of the caller's; on several threads.
    from.are_for_cameras_alone = 1;
    FlatLists of_camera(world, 10), again(world, 10);
    require(pass.run(frame, world.batches, of_camera.outputs));
    EXPECT_EQ(of_camera.views[0].visible, lists.views[0].visible);
    for (std::size_t v = 1; v < 10; ++v) {
        EXPECT_EQ(of_camera.views[v].visible, plain.views[v].visible) << v;
        EXPECT_TRUE(pass.chosen_solids(v).empty());
    }
    lanecull::Occluder nothing;
    lanecull::Viewpoint behind;
    require(lanecull::prepare_viewpoint_from_eyes(made.looking[0].eye, 1, behind));
    ASSERT_EQ(lanecull::prepare_occluder(lanecull::SolidBox{{90, 90, 90}, {91, 91, 91}}, behind, nothing),
              lanecull::OccluderRefusal::none);
    again.outputs[0].occluders = {&nothing, 1};
    require(pass.run(frame, world.batches, again.outputs));
    EXPECT_TRUE(pass.chosen_solids(0).empty());
    from.are_for_cameras_alone = 0;
    FlatLists threaded(world, 10);
    const unsigned threads = 3;
    const lanecull::Runner runner = on_new_threads(threads);
    require(pass.run(frame, world.batches, threaded.outputs, lanecull::Casters::volume, {.runner = runner}));
    for (std::size_t v = 0; v < 10; ++v) EXPECT_EQ(threaded.views[v].visible, lists.views[v].visible) << v;
}

TEST(CullPass, RefusesOccludersThatBreakARule) {
    const World world(10);
    Made made;
    made.add_camera({}, 1);
    const std::vector<lanecull::SolidBox> walls = random_walls(3);
    lanecull::PassLimits limits = made.limits();
    limits.solids = 300;
    CullPass pass;
    require(pass.reserve(limits, world.batches));
    const auto message = [&](auto change) {
        lanecull::PassOccluders from{.solids = {.boxes = walls}};
        change(from);
        PassFrame frame = made.frame();
        frame.occluders = &from;
        return std::string(pass.plan(frame, world.batches).message());
    };
    using From = lanecull::PassOccluders;
    const lanecull::Owner one{};
    EXPECT_EQ(message([](From&) {}), "");
    EXPECT_EQ(message([](From& from) { from.max_occluders = 65; }), "frame.occluders->max_occluders: 1 to 64, not 65");
    EXPECT_EQ(message([](From& from) { from.raster.depth_per_square = -1; }),
              "frame.occluders->raster: a margin is not from 0 to 1e30");
    const auto spoil = [](From& from) { from.reserved[3] = 1; };
    const auto spoil_too = [](From& from) { from.reserved_too = 1; };
    for (const auto& change : {std::function<void(From&)>(spoil), std::function<void(From&)>(spoil_too)}) {
        EXPECT_EQ(message(change),
                  "frame.occluders.reserved: must be zero; the struct is that of a newer library, or was not cleared "
                  "with {0}");
    }
    EXPECT_EQ(message([](From& from) { from.sight = static_cast<lanecull::SightDirection>(7); }),
              "frame.occluders->sight: 7 is not a known value");
    EXPECT_EQ(message([&](From& from) {
                  from.solids.owners = {&one, 1};
              }),
              "frame.occluders->solids.owners: 1 are not one for each of 300 solids");
}

/// That lists in order are those of culls by themselves is a property (frames_alike).
TEST(CullPass, HasMemoryForAsManyOrdersAsWereReserved) {
    const World world(10);
    Made made;
    made.add_camera({}, 3);
    CullPass pass;
    require(pass.reserve(made.limits(), world.batches));
    require(pass.plan(made.frame(), world.batches));
    require(pass.prepare());
    FlatLists refused(world, 4);
    refused.outputs[3].order = lanecull::ListOrder::back_to_front;
    EXPECT_EQ(std::string(pass.cull(world.batches, refused.outputs).message()),
              "outputs: 1 of them have an order, but reserve() was for 0 (limits.ordered_views)");
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
