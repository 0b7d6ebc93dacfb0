#include <gtest/gtest.h>

#include "frame/reference.hpp"
#include "frame/shadows.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"

/// A pass gives what single culls of its views give, over batches and over scenes, whatever a frame has.

namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullOptions;
using lanecull::CullPass;
using lanecull::Status;
using lanecull::View;
using lanecull::WorldBox;

void expect_ok(const Status& status) { ASSERT_TRUE(status) << status.message(); }

/// Culls the frame in both ways and compares with single culls. Adds up how many casters there are.
void expect_reference(const World& world, const Ordered& ordered, const PassFrame& frame, CullPass& pass,
                      Casters casters, const CullOptions& options, std::uint64_t& casters_seen) {
    expect_ok(pass.plan(frame, world.batches, options));
    ASSERT_EQ(pass.view_count(), lanecull::view_count(frame));
    expect_ok(pass.prepare(casters));
    const std::vector<Words> expected = reference(world, frame, pass, casters, options);
    ASSERT_EQ(expected.size(), pass.view_count());
    for (int again = 0; again < 2; ++again) {
        FlatLists lists(world, pass.view_count());
        expect_ok(pass.cull(world.batches, lists.outputs, options));
        for (std::size_t v = 0; v < expected.size(); ++v) expect_lists(world, lists, v, expected[v]);
    }
    SceneLists lists(ordered.scene, pass.view_count());
    expect_ok(pass.cull(ordered.scene, lists.outputs, options));
    for (std::size_t v = 0; v < expected.size(); ++v) expect_lists(world, ordered, lists, v, expected[v]);
    for (std::size_t v = frame.cameras.size(); v < expected.size(); ++v) casters_seen += count_of(expected[v]);
}

TEST(CullPass, GivesWhatSingleCullsGive) {
    const World world(1500);
    const Ordered ordered(world);
    Random random(71);
    CullPass pass;
    std::uint64_t in_volumes = 0, in_frusta = 0;
    std::size_t lamps = 0, lit = 0;
    const int frames = static_cast<int>(scaled(40)) + 1;
    for (int i = 0; i < frames; ++i) {
        SCOPED_TRACE(i);
        Made made;
        fill(made, random);
        expect_ok(pass.reserve(made.limits(), world.batches));
        expect_ok(pass.reserve(made.limits(), ordered.scene));
        const CullOptions options = {.isa = runnable_isas()[static_cast<std::size_t>(i) % runnable_isas().size()]};
        for (const Casters casters : {Casters::frustum, Casters::volume}) {
            expect_reference(world, ordered, made.frame(), pass, casters, options,
                             casters == Casters::volume ? in_volumes : in_frusta);
            if (testing::Test::HasFatalFailure()) return;
        }
        lamps += made.lamps.size();
        for (std::size_t l = 0; l < made.lamps.size(); ++l) lit += pass.view(pass.first_lamp_view(l)).prepared();
    }
    EXPECT_GT(in_frusta, 1.3 * static_cast<double>(in_volumes)) << "casters are fewer than what lights see";
    EXPECT_GT(in_volumes, 100u * static_cast<std::uint64_t>(frames));
    EXPECT_GT(10 * lit, 3 * lamps);
    EXPECT_LT(10 * lit, 9 * lamps);
}

/// The same maps and verdicts if receivers are found by way of a scene.
TEST(CullPass, PlansTheSameOverAScene) {
    const World world(1500);
    const Ordered ordered(world);
    Random random(72);
    CullPass flat, by_scene;
    for (int i = 0; i < 10; ++i) {
        SCOPED_TRACE(i);
        Made made;
        fill(made, random);
        expect_ok(flat.reserve(made.limits(), world.batches));
        expect_ok(by_scene.reserve(made.limits(), ordered.scene));
        expect_ok(flat.plan(made.frame(), world.batches));
        expect_ok(by_scene.plan(made.frame(), ordered.scene));
        ASSERT_EQ(flat.maps().size(), by_scene.maps().size());
        for (std::size_t m = 0; m < flat.maps().size(); ++m) {
            EXPECT_TRUE(std::ranges::equal(flat.maps()[m].clip_from_world, by_scene.maps()[m].clip_from_world)) << m;
        }
        for (std::size_t c = 0; c < made.cameras.size(); ++c) {
            for (std::size_t k = 0; k < flat.cascades(c).size(); ++k) {
                const WorldBox &a = flat.cascades(c)[k].receivers, &b = by_scene.cascades(c)[k].receivers;
                EXPECT_TRUE(std::ranges::equal(a.lower, b.lower) && std::ranges::equal(a.upper, b.upper)) << c << k;
            }
        }
        expect_ok(flat.prepare());
        expect_ok(by_scene.prepare());
        for (std::size_t v = 0; v < flat.view_count(); ++v) {
            EXPECT_TRUE(same_view(flat.view(v), by_scene.view(v))) << v;
        }
    }
}

/// The receivers of a slice: a box around all that its camera sees of it, and no more than around what lies between
/// its planes.
TEST(CullPass, FindsTheReceiversOfEachSlice) {
    const World world(1500);
    Random random(73);
    CullPass pass;
    std::size_t slices = 0, smaller = 0;
    for (int i = 0; i < 20; ++i) {
        Made made;
        fill(made, random);
        expect_ok(pass.reserve(made.limits(), world.batches));
        expect_ok(pass.plan(made.frame(), world.batches));
        expect_ok(pass.prepare());
        for (std::size_t c = 0; c < made.cameras.size(); ++c) {
            const PassCamera& camera = made.cameras[c];
            const Words seen = culled(world, pass.view(c));
            WorldBox whole;
            ASSERT_TRUE(lanecull::visible_bounds(world.batches, seen, whole));
            for (const lanecull::Cascade& cascade : pass.cascades(c)) {
                const lanecull::Slice slice{camera.clip_from_world, camera.clip_space, cascade.near_depth,
                                            cascade.far_depth};
                std::vector<lanecull::Plane> planes(2);
                expect_ok(lanecull::slice_planes(slice, std::span<lanecull::Plane, 2>(planes.data(), 2)));
                planes.insert(planes.end(), camera.options.clip_planes.begin(), camera.options.clip_planes.end());
                lanecull::ViewOptions options = camera.options;
                options.clip_planes = planes;
                View exact;
                expect_ok(lanecull::prepare_view(camera.clip_from_world, camera.clip_space, exact, options));
                WorldBox least;
                expect_ok(lanecull::visible_bounds(world.batches, both(seen, culled(world, exact)), least));
                for (std::size_t k = 0; k < 3; ++k) {
                    EXPECT_LE(cascade.receivers.lower[k], least.lower[k]);
                    EXPECT_GE(cascade.receivers.upper[k], least.upper[k]);
                    EXPECT_GE(cascade.receivers.lower[k], whole.lower[k]);
                    EXPECT_LE(cascade.receivers.upper[k], whole.upper[k]);
                }
                ++slices;
                smaller += cascade.receivers.upper[1] - cascade.receivers.lower[1] < whole.upper[1] - whole.lower[1];
            }
        }
    }
    EXPECT_GT(slices, 60u);
    EXPECT_GT(2 * smaller, slices);
}

/// The views of cameras and cascades are those that the functions for single ones prepare, with the filters' widths as
/// margins; what a lamp's maps show is culled as by a view of the map, with distances from the camera's eye if the lamp
/// has one camera, else whatever the distances.
TEST(CullPass, PreparesTheViewsOfTheSingleFunctions) {
    const World world(500);
    Random random(77);
    std::size_t cascades = 0, maps = 0;
    for (int i = 0; i < 20; ++i) {
        Made made;
        fill(made, random);
        CullPass pass;
        expect_ok(pass.reserve(made.limits(), world.batches));
        expect_ok(pass.plan(made.frame(), world.batches));
        expect_ok(pass.prepare());
        View expected;
        for (std::size_t c = 0; c < made.cameras.size(); ++c) {
            const PassCamera& camera = made.cameras[c];
            expect_ok(lanecull::prepare_view(camera.clip_from_world, camera.clip_space, expected, camera.options));
            EXPECT_TRUE(same_view(pass.view(c), expected)) << c;
            for (std::size_t k = 0; k < pass.cascades(c).size(); ++k, ++cascades) {
                const lanecull::Cascade& cascade = pass.cascades(c)[k];
                const std::size_t v = pass.first_cascade_view(c) + k;
                lanecull::ViewOptions options = camera.options;
                options.margin +=
                    filter_texels_of(camera.sun->filter_texels) * pass.maps()[v - made.cameras.size()].texel_size;
                options.hidden_layers = camera.sun->hidden_layers;
                options.sun = &camera.sun->sun;
                expect_ok(lanecull::prepare_cascade_casters(
                    {camera.clip_from_world, camera.clip_space, cascade.near_depth, cascade.far_depth},
                    cascade.receivers, options, expected));
                EXPECT_TRUE(same_view(pass.view(v), expected)) << v;
            }
        }
        expect_ok(pass.prepare(Casters::frustum));
        for (std::size_t l = 0; l < made.lamps.size(); ++l, ++maps) {
            const std::size_t v = pass.first_lamp_view(l);
            const lanecull::ShadowMap& map = pass.maps()[v - made.cameras.size()];
            const auto& by = made.lamps[l].cameras;
            const bool has_one_camera = by.empty() ? made.cameras.size() == 1 : by.size() == 1;
            const Double3 eye = made.looking[by.empty() ? 0 : by[0]].eye;
            lanecull::ViewOptions options;
            options.hidden_layers = made.lamps[l].hidden_layers;
            options.eye = eye.data();
            expect_ok(lanecull::prepare_view(map.clip_from_world, map.clip_space, expected, options));
            World seen_by_all(500);
            if (!has_one_camera) seen_by_all.batches[2].attributes.max_distance = nullptr;
            EXPECT_EQ(culled(world, pass.view(v)), culled(seen_by_all, expected)) << v;
        }
    }
    EXPECT_GT(cascades, 60u);
    EXPECT_GT(maps, 40u);
}

/// A lamp's map has what its own volume meets, among what the lamp casts as a whole. Views of casters for each map by
/// itself would cost more to prepare, and would leave out hardly any more.
TEST(CullPass, LampMapsHaveHardlyMoreThanTheirOwnCasters) {
    const World world(4000);
    Random random(76);
    std::uint64_t listed = 0, own = 0, seen = 0;
    for (int i = 0; i < 20; ++i) {
        Made made;
        made.add_camera(random_looking(random), 0);
        for (int l = 0; l < 4; ++l) {
            const Looking& look = made.looking[0];
            made.add_lamp(look.point(random.range(-1.2, 1.2), random.range(-1.2, 1.2), random.range(-20, 100)), 50);
        }
        CullPass pass;
        expect_ok(pass.reserve(made.limits(), world.batches));
        expect_ok(pass.plan(made.frame(), world.batches));
        expect_ok(pass.prepare());
        const std::vector<Words> lists = reference(world, made.frame(), pass, Casters::volume);
        for (std::size_t v = 1; v < lists.size(); ++v) {
            listed += count_of(lists[v]);
            if (!pass.view(v).prepared()) continue;
            const View casters = map_casters(made.cameras[0], made.lamps[(v - 1) / 6], pass.maps()[v - 1]);
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
        std::uint32_t sun_texels = 0, lamp_texels = 0;
        double tan = 0;
    };
    const auto planned = [&](const Numbers& numbers, CullPass& pass) {
        Made made;
        made.add_camera({}, 4);
        made.add_lamp({0, 0, -30}, 40);
        made.add_spot({5, 0, -30}, 40, {0, -1, 0});
        expect_ok(pass.reserve(made.limits(), world.batches));
        PassSun& sun = made.suns[0];
        sun.cascades = numbers.cascades, sun.logarithmic = numbers.logarithmic, sun.filter_texels = numbers.filter;
        sun.map.texels = numbers.sun_texels;
        for (PassLamp& lamp : made.lamps) {
            lamp.texels = numbers.lamp_texels, lamp.filter_texels = numbers.filter;
        }
        made.spots[0].tan_x = made.spots[0].tan_y = numbers.tan;
        EXPECT_EQ(lanecull::view_count(made.frame()), 1u + 4 + 6 + 1);
        expect_ok(pass.plan(made.frame(), world.batches));
        expect_ok(pass.prepare());
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
    others[0].logarithmic = 0.7, others[1].filter = 4, others[2].sun_texels = 1024, others[3].lamp_texels = 256;
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

TEST(CullPass, HasAnyNumberOfCascades) {
    const World world(1000);
    const Ordered ordered(world);
    std::uint64_t seen = 0;
    for (std::uint32_t cascades = 1; cascades <= 8; ++cascades) {
        SCOPED_TRACE(cascades);
        Made made;
        made.add_camera({}, cascades);
        CullPass pass;
        expect_ok(pass.reserve(made.limits(), world.batches));
        expect_ok(pass.reserve(made.limits(), ordered.scene));
        expect_reference(world, ordered, made.frame(), pass, Casters::volume, {}, seen);
        ASSERT_EQ(pass.cascades(0).size(), cascades);
        EXPECT_EQ(pass.first_cascade_view(0), 1u);
        EXPECT_EQ(pass.cascades(0).front().near_depth, 1);
        EXPECT_NEAR(pass.cascades(0).back().far_depth, 80.8, 1e-12);
        for (std::size_t k = 1; k < cascades; ++k) {
            EXPECT_EQ(pass.cascades(0)[k].near_depth, pass.cascades(0)[k - 1].far_depth);
        }
    }
    EXPECT_GT(seen, 0u);
}

/// More views than one call of cull() takes, most of them of lamps that light nothing in view.
TEST(CullPass, HasMoreViewsThanACullTakes) {
    const World world(700);
    const Ordered ordered(world);
    Random random(74);
    Made made;
    for (int c = 0; c < 3; ++c) made.add_camera(random_looking(random), 8);
    for (int l = 0; l < 90; ++l) {
        PassLamp& lamp =
            l % 5 == 0 ? made.add_spot({random.range(-150, 150), random.range(-150, 150), random.range(-150, 150)}, 70,
                                       {0, -1, 0})
                       : made.add_lamp({random.range(-150, 150), random.range(-150, 150), random.range(-150, 150)}, 50);
        if (l % 3 == 0) made.let_see(lamp, {static_cast<std::uint32_t>(l / 3 % 3)});
    }
    CullPass pass;
    expect_ok(pass.reserve(made.limits(), world.batches));
    expect_ok(pass.reserve(made.limits(), ordered.scene));
    std::uint64_t seen = 0;
    for (const Casters casters : {Casters::volume, Casters::frustum}) {
        expect_reference(world, ordered, made.frame(), pass, casters, {}, seen);
    }
    EXPECT_EQ(pass.view_count(), 3u + 24u + 18u + 72u * 6u);
    EXPECT_GT(seen, 0u);
}

TEST(CullPass, NeedsNeitherSunNorLamps) {
    const World world(1000);
    const Ordered ordered(world);
    Made made;
    made.add_camera({}, 0);
    made.add_reflection(0, {0, 0, -30}, {0, 0, 1});
    CullPass pass;
    expect_ok(pass.reserve(made.limits(), world.batches));
    expect_ok(pass.reserve(made.limits(), ordered.scene));
    std::uint64_t seen = 0;
    expect_reference(world, ordered, made.frame(), pass, Casters::volume, {}, seen);
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
    made.cameras.back().sun = made.cameras[seen].sun;
}

/// Bits of each view.
std::vector<Words> bits_of(const World& world, const PassFrame& frame, CullPass& pass, Casters casters) {
    FlatLists lists(world, lanecull::view_count(frame));
    expect_ok(pass.run(frame, world.batches, lists.outputs, casters));
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
    alone.add_lamp({3, 8, -20}, 40);
    add_water(made, level, 4);
    add_water(made, up, 3);
    made.add_lamp({3, 8, -20}, 40);
    CullPass pass;
    expect_ok(pass.reserve(made.limits(), world.batches));
    expect_ok(pass.reserve(made.limits(), ordered.scene));
    std::uint64_t seen = 0;
    for (const Casters casters : {Casters::frustum, Casters::volume}) {
        expect_reference(world, ordered, made.frame(), pass, casters, {}, seen);
        if (testing::Test::HasFatalFailure()) return;
        const std::vector<Words> bits = bits_of(world, made.frame(), pass, casters);
        // What the first camera and its cascades have does not depend on the others.
        const std::vector<Words> of_one = bits_of(world, alone.frame(), pass, casters);
        for (std::size_t v = 0; v < 5; ++v) EXPECT_EQ(bits[v == 0 ? 0 : 3 + v], of_one[v]) << v;
    }
    expect_ok(pass.plan(made.frame(), world.batches));
    expect_ok(pass.prepare());
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

    // Every shadow that can be seen is in the maps, those of the reflection among them.
    Random random(78);
    const std::vector<Ball> balls = balls_of(world);
    const std::vector<Words> bits = bits_of(world, made.frame(), pass, Casters::volume);
    std::size_t shadows = 0;
    for (int again = 0; again < 20; ++again) {
        for_each_sun_shadow(made, pass, balls, random, [&](std::size_t view, std::uint32_t ball) {
            EXPECT_TRUE(has(bits[view], ball)) << view << " " << ball;
            shadows += view >= pass.first_cascade_view(1) && view < pass.first_cascade_view(2);
        });
    }
    EXPECT_GT(shadows, 20u);
}

/// Whatever mirrors and clip planes cut away, no frame fails.
TEST(CullPass, NoClipPlaneFailsAFrame) {
    const World world(300);
    Random random(79);
    CullPass pass;
    std::size_t nothing = 0, cascades = 0;
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(i);
        Made made;
        fill(made, random);
        std::vector<lanecull::Plane> planes;
        planes.reserve(3 * made.cameras.size());
        for (PassCamera& camera : made.cameras) {
            const std::size_t first = planes.size();
            for (int k = random.below(4); k > 0; --k) {
                const Double3 n = random_direction_of_length_one(random);
                planes.push_back({{n[0], n[1], n[2]}, random.range(-150, 150)});
            }
            camera.options.clip_planes = std::span(planes).subspan(first);
        }
        expect_ok(pass.reserve(made.limits(), world.batches));
        for (const Casters casters : {Casters::frustum, Casters::volume}) {
            FlatLists lists(world, lanecull::view_count(made.frame()));
            expect_ok(pass.run(made.frame(), world.batches, lists.outputs, casters));
        }
        for (std::size_t v = 0; v < pass.view_count(); ++v) nothing += pass.view(v).sees_nothing();
        cascades += made.limits().cascades;
    }
    EXPECT_GT(nothing, cascades / 10);
    EXPECT_LT(nothing, cascades);
}

/// A lamp whose range does not reach the view costs no cull: its maps are empty and have no views.
TEST(CullPass, LampsThatLightNothingAreEmpty) {
    const World world(1000);
    const Ordered ordered(world);
    Made made;
    made.add_camera({}, 0);
    made.add_lamp({0, 0, 90}, 60);
    made.add_lamp({0, 0, -30}, 40);
    made.add_spot({0, 0, 5}, 40, {0, 0, 1});  // away from what is seen
    CullPass pass;
    expect_ok(pass.reserve(made.limits(), world.batches));
    FlatLists lists(world, 14);
    std::vector<lanecull::Certificate> certificates(world.objects());
    lists.views[1].why.certificates = certificates;
    expect_ok(pass.run(made.frame(), world.batches, lists.outputs));
    const Words nothing(lanecull::visibility_words(world.batches));
    for (const std::size_t v : {1u, 2u, 3u, 4u, 5u, 6u, 13u}) {
        expect_lists(world, lists, v, nothing);
        EXPECT_EQ(lists.views[v].why.counts[lanecull::Reason::culled_candidate], 3000u) << v;
    }
    for (const std::size_t v : {1u, 6u, 13u}) EXPECT_FALSE(pass.view(v).prepared());
    EXPECT_TRUE(pass.view(7).prepared());
    for (const lanecull::Certificate& c : certificates) ASSERT_EQ(c.reason, lanecull::Reason::culled_candidate);
    std::uint64_t lit = 0;
    for (std::size_t v = 7; v < 13; ++v) lit += lists.outputs[v].visible_count;
    EXPECT_GT(lit, 0u);

    expect_ok(pass.reserve(made.limits(), ordered.scene));
    SceneLists scene_lists(ordered.scene, 14);
    expect_ok(pass.run(made.frame(), ordered.scene, scene_lists.outputs));
    for (const std::size_t v : {1u, 6u, 13u}) {
        expect_lists(world, ordered, scene_lists, v, nothing);
        for (const lanecull::BlockOutcome outcome : scene_lists.views[v].outcomes) {
            EXPECT_EQ(outcome, lanecull::BlockOutcome::outside);
        }
        EXPECT_EQ(scene_lists.views[v].of_scene.outside_blocks, ordered.scene.block_count());
    }
}

/// The caller's own candidates for cameras and cascades.
TEST(CullPass, TakesCandidates) {
    const World world(1000);
    Made made;
    made.add_camera({}, 2);
    made.add_lamp({0, 0, -30}, 40);
    CullPass pass;
    expect_ok(pass.reserve(made.limits(), world.batches));
    Words some(lanecull::visibility_words(world.batches), 0x5555ffff0000ffffu);
    FlatLists lists(world, 9);
    for (const std::size_t v : {0u, 1u, 2u}) lists.outputs[v].candidates = some;
    expect_ok(pass.run(made.frame(), world.batches, lists.outputs));
    for (std::size_t v = 0; v < 3; ++v) {
        EXPECT_EQ(lists.views[v].visible, both(some, culled(world, pass.view(v)))) << v;
        EXPECT_EQ(lists.outputs[v].candidates.data(), some.data());
    }
}

/// A camera's occluders hide in its view alone. Where one breaks a rule, nothing is written.
TEST(CullPass, TakesOccluders) {
    const World world(1000);
    Made made;
    made.add_camera({}, 2);
    made.add_lamp({0, 0, -30}, 40);
    lanecull::Viewpoint eye;
    const PassCamera& camera = made.cameras[0];
    expect_ok(lanecull::prepare_viewpoint(camera.clip_from_world, camera.clip_space, eye));
    lanecull::Occluder wall;
    ASSERT_EQ(lanecull::prepare_occluder(lanecull::SolidBox{{-15, -15, -31}, {15, 15, -30}}, eye, wall),
              lanecull::OccluderRefusal::none);
    CullPass pass;
    expect_ok(pass.reserve(made.limits(), world.batches));
    FlatLists plain(world, 9), lists(world, 9);
    std::uint32_t hidden = 0;
    lists.outputs[0].occluders = {&wall, 1}, lists.outputs[0].hidden_counts = {&hidden, 1};
    expect_ok(pass.run(made.frame(), world.batches, plain.outputs));
    expect_ok(pass.run(made.frame(), world.batches, lists.outputs));
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
    expect_ok(lanecull::cull(world.batches, {&pass.view(0), 1}, {&alone, 1}, scratch));
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
    expect_ok(pass.reserve(made.limits(), world.batches));
    const WorldBox box{{-9, -9, -90}, {9, 9, 9}};
    expect_ok(pass.plan(made.frame(), box));
    for (const lanecull::Cascade& cascade : pass.cascades(0)) EXPECT_EQ(cascade.receivers.lower[2], -90);
    expect_ok(pass.prepare());
    EXPECT_TRUE(pass.view(3).prepared());
}

/// One plan, prepared in two ways in turn, and one call that does all.
TEST(CullPass, StepsMayBeRepeated) {
    const World world(1000);
    Random random(75);
    Made made;
    fill(made, random);
    CullPass pass, other;
    expect_ok(pass.reserve(made.limits(), world.batches));
    expect_ok(other.reserve(made.limits(), world.batches));
    expect_ok(pass.plan(made.frame(), world.batches));
    for (const Casters casters : {Casters::volume, Casters::frustum, Casters::volume}) {
        expect_ok(pass.prepare(casters));
        FlatLists steps(world, pass.view_count()), at_once(world, pass.view_count());
        expect_ok(pass.cull(world.batches, steps.outputs));
        expect_ok(other.run(made.frame(), world.batches, at_once.outputs, casters));
        for (std::size_t v = 0; v < pass.view_count(); ++v) {
            EXPECT_EQ(steps.views[v].visible, at_once.views[v].visible) << v;
            EXPECT_EQ(std::memcmp(&pass.view(v), &other.view(v), sizeof(View)), 0) << v;
        }
    }
    CullPass moved = std::move(pass);
    FlatLists lists(world, moved.view_count());
    expect_ok(moved.cull(world.batches, lists.outputs));
}

}  // namespace
