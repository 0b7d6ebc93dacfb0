#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/flat.h>
#include <lanecull/scene.h>

#include "support/culling.hpp"

/// What occluders are and do, by cases that one can see: a wall across the z axis, before an eye at the origin.

namespace {

using lanecull::Occluder;
using lanecull::OccluderRefusal;
using lanecull::Reason;
using lanecull::SolidBox;

/// Looks along +z, 90 degrees, near 1, far 1000.
constexpr std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1000.0 / 999, 1, 0, 0, -1000.0 / 999, 0};
constexpr SolidBox wall{{-10, -10, 20}, {10, 10, 22}};

lanecull::Viewpoint eye() {
    lanecull::Viewpoint viewpoint;
    EXPECT_TRUE(lanecull::prepare_viewpoint(camera, {}, viewpoint).ok());
    return viewpoint;
}

lanecull::View view_of_camera(const lanecull::ViewOptions& options = {}) {
    lanecull::View view;
    EXPECT_TRUE(lanecull::prepare_view(camera, {}, view, options).ok());
    return view;
}

Occluder occluder_of(const SolidBox& solid, const lanecull::Viewpoint& viewpoint) {
    Occluder occluder;
    EXPECT_EQ(lanecull::prepare_occluder(solid, viewpoint, occluder), OccluderRefusal::none);
    return occluder;
}

/// Spheres of radius 1 at these places.
struct Spheres {
    std::vector<float> x, y, z, radius;

    explicit Spheres(const std::vector<std::array<float, 3>>& at) {
        for (const auto& p : at) x.push_back(p[0]), y.push_back(p[1]), z.push_back(p[2]), radius.push_back(1);
    }
    [[nodiscard]] lanecull::Batch batch() const {
        return {lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), static_cast<std::uint32_t>(x.size())}};
    }
};

struct Culled {
    lanecull::Status status;
    std::vector<lanecull::Certificate> certificates;
    std::vector<std::uint32_t> hidden;  ///< by each occluder
    lanecull::Counts counts;

    [[nodiscard]] Reason reason(std::size_t i) const { return certificates[i].reason; }
};

Culled cull_with(const lanecull::Batch& batch, const lanecull::View& view, std::span<const Occluder> occluders,
                 std::span<const std::uint64_t> candidates = {}) {
    Culled culled;
    culled.certificates.resize(batch.count());
    culled.hidden.assign(occluders.size(), 77);
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Explanation why{.certificates = culled.certificates};
    lanecull::Output output{
        .candidates = candidates, .occluders = occluders, .hidden_counts = culled.hidden, .explanation = &why};
    culled.status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch);
    culled.counts = why.counts;
    return culled;
}

// behind, before, beside (seen past the edge), around the wall's facing side, and behind but always visible
const Spheres five({{0, 0, 40}, {0, 0, 10}, {21, 0, 40}, {0, 0, 21}, {3, 0, 60}});

TEST(Occluders, HideWhatIsWhollyBehindThem) {
    const Occluder occluder = occluder_of(wall, eye());
    std::vector<std::uint32_t> flags(5, 0);
    flags[4] = lanecull::object_always_visible;
    lanecull::Batch batch = five.batch();
    batch.attributes.flags = flags.data();
    const Culled culled = cull_with(batch, view_of_camera(), {&occluder, 1});
    ASSERT_TRUE(culled.status.ok()) << culled.status.message();
    EXPECT_EQ(culled.reason(0), Reason::culled_occluded);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_FALSE(is_culled(culled.reason(i))) << i;
    EXPECT_EQ(culled.counts[Reason::culled_occluded], 1u);
    EXPECT_EQ(culled.hidden, std::vector<std::uint32_t>{1});
    expect_complete(culled.counts, 5);
}

TEST(Occluders, AreNamedAndCountedEachForWhatItHidesFirst) {
    const lanecull::Viewpoint from = eye();
    const Occluder occluders[] = {occluder_of({{200, -10, 300}, {210, 10, 310}}, from), occluder_of(wall, from),
                                  occluder_of({{-10, -10, 30}, {10, 10, 31}}, from)};
    const Spheres spheres({{0, 0, 40}, {0, 0, 50}, {1, 2, 25}, {0, 0, 10}});
    const Culled culled = cull_with(spheres.batch(), view_of_camera(), occluders);
    ASSERT_TRUE(culled.status.ok());
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(culled.reason(i), Reason::culled_occluded);
        EXPECT_EQ(culled.certificates[i].occluder, 1u);
    }
    EXPECT_EQ(culled.hidden, (std::vector<std::uint32_t>{0, 3, 0}));
}

TEST(Occluders, DoNotHideThemselvesNorWhatTouchesThem) {
    const Occluder occluder = occluder_of(wall, eye());
    const float low[3][3] = {{-10, -10, 20}, {-1, -1, 22}, {-1, -1, 20}};
    const float high[3][3] = {{10, 10, 22}, {1, 1, 24}, {1, 1, 21}};
    std::vector<float> column[6];
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) column[k].push_back(low[i][k]), column[3 + k].push_back(high[i][k]);
    }
    const lanecull::Batch batch{lanecull::Boxes{column[0].data(), column[1].data(), column[2].data(), column[3].data(),
                                                column[4].data(), column[5].data(), 3}};
    const Culled culled = cull_with(batch, view_of_camera(), {&occluder, 1});
    EXPECT_FALSE(is_culled(culled.reason(0)));             // the wall itself
    EXPECT_EQ(culled.reason(1), Reason::culled_occluded);  // touches its far side
    EXPECT_FALSE(is_culled(culled.reason(2)));             // reaches its facing side
}

TEST(Occluders, AreRefusedWithAReason) {
    const lanecull::Viewpoint from = eye();
    const auto refusal = [&](const SolidBox& solid, const lanecull::OccluderOptions& options = {}) {
        Occluder occluder;
        const OccluderRefusal r = lanecull::prepare_occluder(solid, from, occluder, options);
        EXPECT_EQ(occluder.prepared(), r == OccluderRefusal::none);
        EXPECT_NE(lanecull::name_of(r), std::string("unknown"));
        return r;
    };
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(refusal(wall), OccluderRefusal::none);
    EXPECT_EQ(refusal({{-10, -10, 22}, {10, 10, 20}}), OccluderRefusal::invalid);
    EXPECT_EQ(refusal({{-10, -10, 20}, {10, 10, 20}}), OccluderRefusal::invalid);
    EXPECT_EQ(refusal({{-10, nan, 20}, {10, 10, 22}}), OccluderRefusal::invalid);
    EXPECT_EQ(refusal({{-10, -10, 20}, {10, inf, 22}}), OccluderRefusal::invalid);
    EXPECT_EQ(refusal({{-10, -10, -1}, {10, 10, 22}}), OccluderRefusal::encloses_eye);
    // The near corners are sqrt(3) away: what is nearer than that may be cut.
    EXPECT_EQ(refusal({{-10, -10, 1.7f}, {10, 10, 22}}), OccluderRefusal::near_plane);
    EXPECT_EQ(refusal({{-10, -10, 1.74f}, {10, 10, 22}}), OccluderRefusal::none);
    // What is drawn for it may be nearer than the solid.
    const SolidBox drawn{{-10, -10, 1.5f}, {10, 10, 22}};
    EXPECT_EQ(refusal(wall, {.drawn = &drawn}), OccluderRefusal::near_plane);
    EXPECT_EQ(refusal(wall, {.raster = {.per_distance = 0.05}}), OccluderRefusal::too_thin);
    EXPECT_EQ(refusal(wall, {.raster = {.per_distance = nan}}), OccluderRefusal::invalid);
    Occluder occluder;
    EXPECT_EQ(lanecull::prepare_occluder(wall, lanecull::Viewpoint(), occluder), OccluderRefusal::no_viewpoint);
    lanecull::SolidOrientedBox degenerate{{0, 0, 20}, {1, 1, 1}, {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
    EXPECT_EQ(lanecull::prepare_occluder(degenerate, from, occluder), OccluderRefusal::invalid);
    const std::vector<lanecull::Plane> half(3), many(33);
    EXPECT_EQ(lanecull::prepare_occluder(half, from, occluder, {.drawn = &wall}), OccluderRefusal::invalid);
    EXPECT_EQ(lanecull::prepare_occluder(many, from, occluder, {.drawn = &wall}), OccluderRefusal::too_many_facets);
    const std::vector<lanecull::Plane> box = {{{1, 0, 0}, 10},  {{-1, 0, 0}, 10}, {{0, 1, 0}, 10},
                                              {{0, -1, 0}, 10}, {{0, 0, 1}, -20}, {{0, 0, -1}, 22}};
    EXPECT_EQ(lanecull::prepare_occluder(box, from, occluder, {}), OccluderRefusal::invalid) << "drawn is required";
    EXPECT_EQ(lanecull::prepare_occluder(box, from, occluder, {.drawn = &wall}), OccluderRefusal::none);
}

TEST(Occluders, ShrinkByWhatARasteriserAdds) {
    const lanecull::Viewpoint from = eye();
    // Seen just past the edge at x = 10, z = 20: hidden by the mathematics, visible with a margin of 1 unit there.
    const Spheres sphere({{18.2f, 0, 40}});
    Occluder exact, shrunk;
    ASSERT_EQ(lanecull::prepare_occluder(wall, from, exact), OccluderRefusal::none);
    ASSERT_EQ(lanecull::prepare_occluder(wall, from, shrunk, {.raster = {.per_distance = 0.03}}),
              OccluderRefusal::none);
    EXPECT_EQ(cull_with(sphere.batch(), view_of_camera(), {&exact, 1}).counts[Reason::culled_occluded], 1u);
    EXPECT_EQ(cull_with(sphere.batch(), view_of_camera(), {&shrunk, 1}).counts[Reason::culled_occluded], 0u);
}

/// Object 0 is hidden by the wall, which object 1 draws.
TEST(Occluders, DoNotHideWhereTheirOwnersAreNotDrawn) {
    const Spheres spheres({{0, 0, 40}, {0, 0, 21}});
    const lanecull::Owner owner{0, 1};
    Occluder occluder = occluder_of(wall, eye());
    occluder.owners = {&owner, 1};
    const auto hides = [&](const lanecull::Attributes& attributes, const lanecull::ViewOptions& options = {},
                           std::span<const std::uint64_t> candidates = {}) {
        lanecull::Batch batch = spheres.batch();
        batch.attributes = attributes;
        const Culled culled = cull_with(batch, view_of_camera(options), {&occluder, 1}, candidates);
        EXPECT_TRUE(culled.status.ok()) << culled.status.message();
        return culled.reason(0) == Reason::culled_occluded;
    };
    EXPECT_TRUE(hides({}));
    const std::uint32_t flags[] = {0, lanecull::object_disabled}, layers[] = {3, 1};
    const float limit[] = {1e9f, 5}, none[] = {0, 0}, size[] = {0, 10}, from[] = {0, 500};
    EXPECT_FALSE(hides({.flags = flags}));
    EXPECT_TRUE(hides({.layers = layers}, {.hidden_layers = ~1u}));
    EXPECT_FALSE(hides({.layers = layers}, {.hidden_layers = ~2u}));
    EXPECT_FALSE(hides({.max_distance = limit}));
    EXPECT_FALSE(hides({.min_projected_size = size}));
    EXPECT_TRUE(hides({.min_projected_size = none}));
    EXPECT_FALSE(hides({.min_distance = from}));
    const std::uint64_t both = 3, first = 1;
    EXPECT_TRUE(hides({}, {}, {&both, 1}));
    EXPECT_FALSE(hides({}, {}, {&first, 1}));
    // Out of the view's volume an owner is not drawn, and hides nothing in it: it counts as drawn.
    EXPECT_TRUE(hides({}, {}));
    // In a view of casters what is out of the volume is not in the light's map.
    const lanecull::PointLight point_light{.at = {0, 0, -5}};
    EXPECT_TRUE(hides({}, {.point_light = &point_light}));
}

/// A ball's view leaves out what is beyond its radius, as one of a point light does, also where the cube around it
/// reaches.
TEST(Occluders, DoNotHideInABallWhereTheirOwnersAreBeyondIt) {
    const lanecull::Owner owner{0, 1};
    Occluder occluder = occluder_of(wall, eye());
    occluder.owners = {&owner, 1};
    const double center[3] = {0, 0, 40};
    lanecull::View ball;
    ASSERT_TRUE(lanecull::prepare_view_from_ball(center, 15, ball));
    const auto hides = [&](const Spheres& spheres) {
        const Culled culled = cull_with(spheres.batch(), ball, {&occluder, 1});
        EXPECT_TRUE(culled.status.ok()) << culled.status.message();
        return culled.reason(0) == Reason::culled_occluded;
    };
    EXPECT_TRUE(hides(Spheres({{0, 0, 40}, {0, 0, 27}})));
    EXPECT_FALSE(hides(Spheres({{0, 0, 40}, {13, 13, 28}})));
}

TEST(Occluders, OfAView) {
    const lanecull::Viewpoint from = eye();
    std::vector<Occluder> many(65, occluder_of(wall, from));
    const lanecull::View view = view_of_camera();
    const lanecull::Batch batch = five.batch();
    EXPECT_STREQ(cull_with(batch, view, many).status.message(), "outputs[0].occluders: at most 64, not 65");
    many.pop_back();
    EXPECT_EQ(cull_with(batch, view, many).hidden[0], 2u);
    EXPECT_EQ(cull_with(batch, view, std::span(many).last(1)).hidden[0], 2u);
    const Occluder unprepared[] = {many[0], {}};
    EXPECT_STREQ(cull_with(batch, view, unprepared).status.message(),
                 "outputs[0].occluders[1]: was not prepared by prepare_occluder()");
    lanecull::Viewpoint other;
    ASSERT_TRUE(lanecull::prepare_viewpoint_from_eyes(std::array{0.0, 0.0, 5.0}, 1, other).ok());
    const Occluder mixed[] = {many[0], occluder_of(wall, other)};
    EXPECT_STREQ(cull_with(batch, view, mixed).status.message(),
                 "outputs[0].occluders[1]: seen from another viewpoint than occluders[0]");
    const lanecull::Owner owner{0, 5};
    many[0].owners = {&owner, 1};
    EXPECT_STREQ(cull_with(batch, view, many).status.message(),
                 "outputs[0].occluders[0].owners: there is no object 5 of batch 0");
}

/// In a scene whose objects have an origin of their own, the occluder's is moved to it.
TEST(Occluders, HideTheSameFromAnyOriginOfAScene) {
    lanecull::ClipSpace clip;
    clip.origin[0] = 1000000.25;
    lanecull::Viewpoint from;
    lanecull::View view;
    ASSERT_TRUE(lanecull::prepare_viewpoint(camera, clip, from).ok());
    ASSERT_TRUE(lanecull::prepare_view(camera, clip, view).ok());
    Occluder occluder = occluder_of({{999990, -10, 20}, {1000010, 10, 22}}, from);
    // Behind the wall, before it, and seen just past its edge; the last is disabled.
    const Spheres spheres({{0.25f, 0, 40}, {0.25f, 0, 10}, {21, 0, 40}, {0.25f, 0, 10}});
    const std::uint32_t flags[] = {0, 0, 0, lanecull::object_disabled};
    lanecull::Batch batch = spheres.batch();
    batch.attributes.flags = flags;
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(4);
    ASSERT_TRUE(scene.add({&batch, 1}, handles, {.origin = {1000000, 0, 0}}).ok());
    scene.refit();
    std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output{.visible = words, .occluders = {&occluder, 1}};
    const auto is_visible = [&](std::size_t i) {
        EXPECT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch).ok());
        std::uint32_t slot = 0;
        EXPECT_TRUE(scene.slot_of(handles[i], slot).ok());
        return (words[slot / 64] >> slot % 64 & 1) != 0;
    };
    EXPECT_FALSE(is_visible(0));
    EXPECT_TRUE(is_visible(1));
    EXPECT_TRUE(is_visible(2));
    lanecull::Owner owner{0, handles[1]};
    occluder.owners = {&owner, 1};
    EXPECT_FALSE(is_visible(0));
    owner.object = handles[3];
    EXPECT_TRUE(is_visible(0)) << "what draws the wall is disabled";
    owner.object = 4711;
    EXPECT_STREQ(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch).message(),
                 "outputs[0].occluders[0].owners: handle 4711 of batch 0 names no object");
}

TEST(Occluders, HideSolidsAlone) {
    const Occluder occluder = occluder_of(wall, eye());
    const lanecull::flat::Batch none{lanecull::flat::Circles{}};
    lanecull::flat::View view;
    lanecull::Output output;
    output.occluders = {&occluder, 1};
    ASSERT_TRUE(lanecull::flat::prepare_view_from_points(std::array<double, 8>{0, 0, 1, 0, 1, 1, 0, 1}, view).ok());
    const auto status = lanecull::flat::cull({&none, 1}, {&view, 1}, {&output, 1}, {});
    EXPECT_STREQ(status.message(), "outputs[0].occluders: solids hide no figures");
}

TEST(Viewpoints, AreRefusedByName) {
    lanecull::Viewpoint viewpoint;
    const auto message = [](const lanecull::Status& status) { return std::string(status.message()); };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message(lanecull::prepare_viewpoint_from_eyes(std::array{1.0, 2.0}, 0, viewpoint)),
              "eyes: 2 numbers are not 1 to 8 places of three each");
    EXPECT_EQ(message(lanecull::prepare_viewpoint_from_eyes(std::span<const double>{}, 0, viewpoint)),
              "eyes: 0 numbers are not 1 to 8 places of three each");
    EXPECT_EQ(message(lanecull::prepare_viewpoint_from_eyes(std::array{1.0, nan, 2.0}, 0, viewpoint)),
              "eyes[1]: nan is not a finite coordinate up to 1e30");
    EXPECT_EQ(message(lanecull::prepare_viewpoint_from_eyes(std::array{1.0, 1.0, 2.0}, -1, viewpoint)),
              "near_reach: -1 is not a length from 0 to 1e30");
    EXPECT_EQ(message(lanecull::prepare_viewpoint_along({0, 0, 0}, {0, 0, 0}, viewpoint)),
              "direction: its length is not from 1e-30 to 1e30");
    EXPECT_EQ(message(lanecull::prepare_viewpoint_along({0, 0, 1}, {0, 1e31, 0}, viewpoint)),
              "around[1]: 1e+31 is not a finite coordinate up to 1e30");
    const lanecull::Plane through{{0, 0, 1}, -5}, around{{0, 0, -1}, 50};
    EXPECT_EQ(message(lanecull::prepare_viewpoint(camera, {}, viewpoint, {&through, 1})),
              "clip_planes[0]: the eye is not on its inner side");
    EXPECT_FALSE(viewpoint.prepared());
    EXPECT_TRUE(lanecull::prepare_viewpoint(camera, {}, viewpoint, {&around, 1}).ok());
    EXPECT_TRUE(viewpoint.prepared());
}

/// A cell hides only what all of its eyes do; a directional light hides along its way.
TEST(Viewpoints, OfCellsAndDirectionalLights) {
    lanecull::Viewpoint cell, directional_light;
    ASSERT_TRUE(lanecull::prepare_viewpoint_from_eyes(std::array{-15.0, 0.0, 0.0, 15.0, 0.0, 0.0}, 1, cell).ok());
    ASSERT_TRUE(lanecull::prepare_viewpoint_along({0, 0, 3}, {0, 0, 0}, directional_light).ok());
    const lanecull::View view = view_of_camera();
    // Hidden from both eyes; from the one at -15 alone, whose way to it passes z = 20 at x = -4.5; from neither.
    const Spheres spheres({{0, 0, 26}, {6, 0, 40}, {30, 0, 40}, {8, 8, 500}});
    const Occluder from_cell = occluder_of(wall, cell), from_directional_light = occluder_of(wall, directional_light);
    const Culled by_cell = cull_with(spheres.batch(), view, {&from_cell, 1});
    EXPECT_EQ(by_cell.reason(0), Reason::culled_occluded);
    EXPECT_FALSE(is_culled(by_cell.reason(1)));
    EXPECT_FALSE(is_culled(by_cell.reason(2)));
    const Culled by_directional_light = cull_with(spheres.batch(), view, {&from_directional_light, 1});
    EXPECT_EQ(by_directional_light.hidden[0], 3u);
    EXPECT_FALSE(is_culled(by_directional_light.reason(2)));
}

}  // namespace
