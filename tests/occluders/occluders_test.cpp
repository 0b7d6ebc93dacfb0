#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/flat.h>
#include <lanecull/scene.h>
#include <lanecull/solids.h>

#include "occluders/solids.hpp"

/// What occluders and viewpoints are refused for, and owners, by a wall across the z axis before an eye at the origin.
/// That they hide what is behind them, and nothing else, is a property (properties/occluders).

namespace {

using lanecull::Occluder;
using lanecull::OccluderRefusal;
using lanecull::Reason;
using lanecull::SolidBox;
using lanecull::SolidHull;

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
    return culled;
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

/// Object 0 is hidden by the wall, which object 1 draws.
TEST(Occluders, DoNotHideWhereTheirOwnersAreNotDrawn) {
    const lanecull::Owner owner{0, 1};
    Occluder occluder = occluder_of(wall, eye());
    occluder.owners = {&owner, 1};
    const auto hides_in = [&](const lanecull::View& view, const Spheres& spheres,
                              const lanecull::Attributes& attributes, std::span<const std::uint64_t> candidates = {}) {
        lanecull::Batch batch = spheres.batch();
        batch.attributes = attributes;
        const Culled culled = cull_with(batch, view, {&occluder, 1}, candidates);
        EXPECT_TRUE(culled.status.ok()) << culled.status.message();
        return culled.certificates[0].reason == Reason::culled_occluded;
    };
    const auto hides = [&](const lanecull::Attributes& attributes, const lanecull::ViewOptions& options = {},
                           std::span<const std::uint64_t> candidates = {}) {
        return hides_in(view_of_camera(options), Spheres({{0, 0, 40}, {0, 0, 21}}), attributes, candidates);
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
    // In a view of casters what is out of the volume is not in the light's map.
    const lanecull::PointLight point_light{.at = {0, 0, -5}};
    EXPECT_TRUE(hides({}, {.point_light = &point_light}));
    // A ball's view leaves out what is beyond its radius, as one of a point light does, also where the cube around it
    // reaches.
    lanecull::View ball;
    ASSERT_TRUE(lanecull::prepare_view_from_ball(std::array{0.0, 0.0, 40.0}, 15, ball));
    EXPECT_TRUE(hides_in(ball, Spheres({{0, 0, 40}, {0, 0, 27}}), {}));
    EXPECT_FALSE(hides_in(ball, Spheres({{0, 0, 40}, {13, 13, 28}}), {}));
}

TEST(Occluders, OfAView) {
    const lanecull::Viewpoint from = eye();
    std::vector<Occluder> many(65, occluder_of(wall, from));
    const lanecull::View view = view_of_camera();
    const Spheres spheres({{0, 0, 40}, {3, 0, 60}, {0, 0, 10}});
    const lanecull::Batch batch = spheres.batch();
    EXPECT_STREQ(cull_with(batch, view, many).status.message(), "outputs[0].occluders: at most 64, not 65");
    many.pop_back();
    EXPECT_EQ(cull_with(batch, view, many).hidden[0], 2u) << "counted for the first that hides";
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

    const lanecull::flat::Batch none{lanecull::flat::Circles{}};
    lanecull::flat::View flat;
    lanecull::Output output{.occluders = many};
    ASSERT_TRUE(lanecull::flat::prepare_view_from_points(std::array<double, 8>{0, 0, 1, 0, 1, 1, 0, 1}, flat).ok());
    EXPECT_STREQ(lanecull::flat::cull({&none, 1}, {&flat, 1}, {&output, 1}, {}).message(),
                 "outputs[0].occluders: solids hide no figures");
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
    const auto visible = [&](std::uint32_t owned_by) {
        const lanecull::Owner owner{0, owned_by};
        occluder.owners = {&owner, owned_by == 0 ? 0u : 1u};
        lanecull::Output output{.visible = words, .occluders = {&occluder, 1}};
        const lanecull::Status status = lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch);
        std::string text(status.message());
        for (std::uint32_t i = 0, slot = 0; status && i < 3 && scene.slot_of(handles[i], slot).ok(); ++i) {
            if ((words[slot / 64] >> slot % 64 & 1) != 0) text += std::to_string(i);
        }
        return text;
    };
    EXPECT_EQ(visible(0), "12");
    EXPECT_EQ(visible(handles[1]), "12");
    EXPECT_EQ(visible(handles[3]), "012") << "what draws the wall is disabled";
    EXPECT_EQ(visible(4711), "outputs[0].occluders[0].owners: handle 4711 of batch 0 names no object");
}

TEST(Viewpoints, AreRefusedByName) {
    lanecull::Viewpoint viewpoint;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto eyes = [&](const std::vector<double>& numbers, double near_reach = 0) {
        return std::string(lanecull::prepare_viewpoint_from_eyes(numbers, near_reach, viewpoint).message());
    };
    EXPECT_EQ(eyes({1, 2}), "eyes: 2 numbers are not 1 to 8 places of three each");
    EXPECT_EQ(eyes({}), "eyes: 0 numbers are not 1 to 8 places of three each");
    EXPECT_EQ(eyes({1, nan, 2}), "eyes[1]: nan is not a finite coordinate up to 1e30");
    EXPECT_EQ(eyes({1, 1, 2}, -1), "near_reach: -1 is not a length from 0 to 1e30");
    EXPECT_STREQ(lanecull::prepare_viewpoint_along({0, 0, 0}, {0, 0, 0}, viewpoint).message(),
                 "direction: its length is not from 1e-30 to 1e30");
    EXPECT_STREQ(lanecull::prepare_viewpoint_along({0, 0, 1}, {0, 1e31, 0}, viewpoint).message(),
                 "around[1]: 1e+31 is not a finite coordinate up to 1e30");
    const lanecull::Plane through{{0, 0, 1}, -5}, around{{0, 0, -1}, 50};
    EXPECT_STREQ(lanecull::prepare_viewpoint(camera, {}, viewpoint, {&through, 1}).message(),
                 "clip_planes[0]: the eye is not on its inner side");
    EXPECT_FALSE(viewpoint.prepared());
    EXPECT_TRUE(lanecull::prepare_viewpoint(camera, {}, viewpoint, {&around, 1}).ok());
    EXPECT_TRUE(viewpoint.prepared());
}

// Hulls by their vertices: the polytopes inscribed in them, and surfaces that are none.

SolidHull hull_of(const Vertices& vertices) {
    SolidHull hull;
    const lanecull::Status status = inscribe(vertices, hull);
    EXPECT_TRUE(status) << status.message();
    return hull;
}

/// So many vertices, at(k) each.
template <class At>
SolidHull hull_of(int count, const At& at) {
    Vertices vertices;
    for (int k = 0; k < count; ++k) {
        const Double3 p = at(k);
        vertices.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
    }
    return hull_of(vertices);
}

double volume(const SolidHull& hull) {
    double sum = 0;
    const auto at = [&](std::uint8_t i) {
        return Double3{double{hull.corner[i][0]}, double{hull.corner[i][1]}, double{hull.corner[i][2]}};
    };
    for (std::uint32_t i = 0; i < hull.triangle_count; ++i) {
        const std::uint8_t* const t = hull.triangle[i];
        sum += dot(at(t[0]), cross(at(t[1]), at(t[2]))) / 6;
    }
    return sum;
}

TEST(InscribedHulls, AreAsLargeAsTheHullOrNearly) {
    // A cube's corners, and the middles of its edges and sides and of itself.
    const SolidHull cube = hull_of(27, [](int k) {
        return Double3{k % 3 * 2.0 - 2, k / 3 % 3 * 2.0 - 2, k / 9 * 2.0 - 2};
    });
    EXPECT_EQ(cube.corner_count, 8u);
    EXPECT_EQ(volume(cube), 64);
    constexpr double pi = 3.141592653589793;
    const auto round = [](double angle, double r, double z) {
        return Double3{r * std::cos(angle), r * std::sin(angle), z};
    };
    const auto cylinder = [&](int sides) {
        return hull_of(2 * sides, [&](int k) { return round(2 * pi * (k / 2) / sides, 1, k % 2 * 5); });
    };
    const double of_ball = volume(hull_of(1000,
                                          [&](int k) {
                                              const double z = -1 + 2 * (k + 0.5) / 1000;
                                              return round(2.399963 * k, std::sqrt(1 - z * z), z);
                                          })) /
                           (4.0 / 3 * pi),
                 of_cylinder = volume(cylinder(64)) / (5 * pi),
                 of_prism = volume(cylinder(8)) / (20 * std::sin(pi / 4));
    std::printf("[ figures  ] shares of volumes: ball %.3f, cylinder %.3f, prism of 8 sides %.6f\n", of_ball,
                of_cylinder, of_prism);
    EXPECT_GT(of_ball, 0.55);
    EXPECT_GT(of_cylinder, 0.75);
    EXPECT_NEAR(of_prism, 1, 1e-6);
}

TEST(InscribedHulls, AreRefusedByName) {
    SolidHull hull;
    hull.corner_count = 77;
    const auto message = [&](const Vertices& vertices) {
        const lanecull::Status status = inscribe(vertices, hull);
        EXPECT_FALSE(status);
        EXPECT_EQ(hull.corner_count, 77u) << "nothing is written";
        return std::string(status.message());
    };
    const std::string flat = "vertices: they lie in a plane, but for 2^-40 of their extent";
    EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), flat);
    EXPECT_EQ(message({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {5, 3, 1}}), flat);
    EXPECT_EQ(message({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), flat);
    EXPECT_EQ(message({{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {5, 5, 5}}), flat);
    EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, std::nanf(""), 0}, {0, 0, 1}}),
              "vertices[2]: a coordinate is not finite or is beyond 1e30");
    EXPECT_EQ(message({{0, 2e30f, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
              "vertices[0]: a coordinate is not finite or is beyond 1e30");
    EXPECT_STREQ(lanecull::inscribe_hull({}, hull).message(), "vertices.x: must not be null");
}

TEST(HullOccluders, InCapsulesAndCylindersThatAreNone) {
    constexpr float at[3] = {1, 2, 3}, far_away[3] = {0, 2e30f, 0},
                    none[3] = {0, std::numeric_limits<float>::quiet_NaN()};
    const auto message = [](auto inscribe, const float(&a)[3], const float(&b)[3], float radius) {
        SolidHull hull;
        const std::string text = inscribe(a, b, radius, hull).message().text;
        EXPECT_EQ(hull.corner_count, 0u);
        return text;
    };
    for (const auto inscribe : {lanecull::inscribe_capsule, lanecull::inscribe_cylinder}) {
        EXPECT_EQ(message(inscribe, none, at, 1), "a: a coordinate is not finite or is beyond 1e30");
        EXPECT_EQ(message(inscribe, at, far_away, 1), "b: a coordinate is not finite or is beyond 1e30");
        EXPECT_EQ(message(inscribe, at, at, 0), "radius: must be above 0 and at most 1e30");
        EXPECT_EQ(message(inscribe, at, at, none[1]), "radius: must be above 0 and at most 1e30");
        EXPECT_EQ(message(inscribe, at, at, 2e30f), "radius: must be above 0 and at most 1e30");
    }
    const std::string small = " too small beside the coordinates, whose floats are too far apart";
    EXPECT_EQ(message(lanecull::inscribe_capsule, at, at, 1e-7f), "radius: is" + small);
    EXPECT_EQ(message(lanecull::inscribe_capsule, {}, {}, 1e-45f), "radius: is" + small);
    EXPECT_EQ(message(lanecull::inscribe_cylinder, at, at, 1), "b: is a, and a cylinder needs an axis");
    EXPECT_EQ(message(lanecull::inscribe_cylinder, at, {1, 2, 4}, 1e-7f), "radius, b - a: one is" + small);
    EXPECT_EQ(message(lanecull::inscribe_cylinder, at, {1, 2, 3.0000002f}, 1), "radius, b - a: one is" + small);
}

/// Triangles are not taken on trust.
TEST(HullOccluders, WithoutAClosedSurfaceAreRefused) {
    const SolidHull sound = hull_of({{-1, -1, 9}, {1, -1, 9}, {0, 1, 9}, {0, 0, 11}, {0, 0, 8}});
    const auto prepare = [](const lanecull::SolidHullInstance& solid, const Double3& from = {}) {
        lanecull::Viewpoint viewpoint;
        Occluder occluder;
        EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes(from, 0.1, viewpoint));
        return lanecull::prepare_occluder(solid, viewpoint, occluder);
    };
    const struct {
        OccluderRefusal refusal;
        void (*change)(SolidHull&);
    } changes[] = {
        {OccluderRefusal::none, [](SolidHull&) {}},
        {OccluderRefusal::invalid, [](SolidHull& h) { --h.triangle_count; }},
        {OccluderRefusal::invalid, [](SolidHull& h) { h.triangle_count = 31; }},
        {OccluderRefusal::invalid, [](SolidHull& h) { h.corner_count = 3; }},
        {OccluderRefusal::invalid, [](SolidHull& h) { h.corner_count = 18; }},
        {OccluderRefusal::invalid, [](SolidHull& h) { std::swap(h.triangle[0][0], h.triangle[0][1]); }},
        {OccluderRefusal::invalid, [](SolidHull& h) { h.triangle[0][0] = h.triangle[0][1]; }},
        {OccluderRefusal::invalid, [](SolidHull& h) { h.triangle[0][0] = 200; }},
        {OccluderRefusal::invalid, [](SolidHull& h) { h.corner[0][1] = std::numeric_limits<float>::infinity(); }},
        {OccluderRefusal::invalid, [](SolidHull& h) { h.drawn.upper[2] = 10; }},
        // Closed, but a corner is pushed through the others: some triangle looks inward.
        {OccluderRefusal::too_thin,
         [](SolidHull& h) {
             for (auto& corner : h.corner) {
                 if (corner[2] == 8) corner[2] = 10.9f;
             }
         }},
        // Inside out, as under a mirroring transform.
        {OccluderRefusal::none,
         [](SolidHull& h) {
             for (auto& t : h.triangle) std::swap(t[0], t[1]);
         }},
        // What is drawn are all vertices.
        {OccluderRefusal::near_plane, [](SolidHull& h) { h.drawn.lower[2] = 0.05f; }},
    };
    for (std::size_t i = 0; i < std::size(changes); ++i) {
        SolidHull hull = sound;
        changes[i].change(hull);
        EXPECT_EQ(prepare({&hull}), changes[i].refusal) << "change " << i;
    }
    EXPECT_EQ(prepare({}), OccluderRefusal::invalid);
    EXPECT_NE(prepare({&sound, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}}), OccluderRefusal::none);
    EXPECT_EQ(prepare({&sound}, {0, 0, 9.5}), OccluderRefusal::encloses_eye);
}

}  // namespace
