#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/solids.h>

#include "occluders/solids.hpp"
#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"
#include "view/prepared_occluder.hpp"

/// Hulls by their vertices as occluders: the polytopes inscribed in them, and surfaces that are none.

namespace {

using lanecull::OccluderRefusal;
using lanecull::SolidHull;
using Vertex = std::array<float, 3>;
using Vertices = std::vector<Vertex>;

lanecull::Status inscribe(const Vertices& vertices, SolidHull& hull) {
    const float* const first = vertices.empty() ? nullptr : vertices[0].data();
    return lanecull::inscribe_hull({first, first + 1, first + 2, static_cast<std::uint32_t>(vertices.size()), 12},
                                   hull);
}

SolidHull hull_of(const Vertices& vertices) {
    SolidHull hull;
    const lanecull::Status status = inscribe(vertices, hull);
    EXPECT_TRUE(status) << status.message();
    return hull;
}

Vertices ball(int count, float radius, const Vertex& centre) {
    Vertices vertices;
    for (int k = 0; k < count; ++k) {
        const double z = -1 + 2 * (k + 0.5) / count, angle = 2.399963 * k, r = std::sqrt(1 - z * z);
        const double unit[3] = {r * std::cos(angle), r * std::sin(angle), z};
        Vertex& v = vertices.emplace_back();
        for (std::size_t j = 0; j < 3; ++j) v[j] = centre[j] + radius * static_cast<float>(unit[j]);
    }
    return vertices;
}

Vertices cylinder(int sides) {
    Vertices vertices;
    for (int k = 0; k < sides; ++k) {
        const double angle = 6.283185307179586 * k / sides;
        for (const float z : {0.0f, 5.0f}) {
            vertices.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), z});
        }
    }
    return vertices;
}

/// Corners along two of the axes, and middles of edges and sides between them.
Vertices grid(float side) {
    Vertices vertices;
    for (int k = 0; k < 27; ++k) {
        vertices.push_back({side * static_cast<float>(k % 3 - 1), side * static_cast<float>(k / 3 % 3 - 1),
                            side * static_cast<float>(k / 9 - 1)});
    }
    return vertices;
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

OccluderRefusal prepare(const SolidHull& hull, const Double3& eye, lanecull::Occluder& occluder,
                        const lanecull::OccluderOptions& options = {}) {
    lanecull::Viewpoint viewpoint;
    EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes(eye, 0.1, viewpoint));
    return lanecull::prepare_occluder(lanecull::SolidHullInstance{&hull}, viewpoint, occluder, options);
}

TEST(InscribedHulls, HaveVerticesForCorners) {
    Random random(31);
    for (int n = 0; n < scaled(200); ++n) {
        Vertices vertices(static_cast<std::size_t>(4 + random.below(60)));
        const double scale = random.log_range(1e-20, 1e20),
                     away = random.chance(0.5) ? 0 : scale * random.log_range(1, 1e4);
        for (Vertex& v : vertices) {
            for (float& a : v) a = static_cast<float>(away + scale * random.range(-1, 1));
        }
        const std::set<Vertex> given(vertices.begin(), vertices.end());
        SolidHull hull;
        if (!inscribe(vertices, hull)) continue;
        ASSERT_LE(hull.corner_count, SolidHull::max_corners);
        ASSERT_EQ(hull.triangle_count, 2 * hull.corner_count - 4);
        for (std::uint32_t i = 0; i < hull.corner_count; ++i) {
            EXPECT_TRUE(given.contains({hull.corner[i][0], hull.corner[i][1], hull.corner[i][2]}));
        }
        for (const Vertex& v : vertices) {
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_LE(hull.drawn.lower[k], v[k]);
                EXPECT_GE(hull.drawn.upper[k], v[k]);
            }
        }
    }
}

TEST(InscribedHulls, AreAsLargeAsTheHullOrNearly) {
    const SolidHull cube = hull_of(grid(2));
    EXPECT_EQ(cube.corner_count, 8u);
    EXPECT_EQ(volume(cube), 64);
    const double of_ball = volume(hull_of(ball(1000, 1, {}))) / (4.0 / 3 * 3.14159265),
                 of_cylinder = volume(hull_of(cylinder(64))) / (5 * 3.14159265),
                 of_prism = volume(hull_of(cylinder(8))) / (5 * 8 * 0.5 * std::sin(3.14159265 / 4));
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

/// From one eye none has too many facets. Of some, all but flat and seen edge on, too little is known.
TEST(HullOccluders, AreNeverRefusedForTheirFacets) {
    Random random(32);
    int hiding = 0;
    for (int n = 0; n < scaled(2000); ++n) {
        Vertices vertices;
        for (int k = 4 + random.below(60); k > 0; --k) {
            const Double3 at = random.chance(0.3)
                                   ? Double3{random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)}
                                   : random_direction(random);
            vertices.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
        }
        SolidHull hull;
        if (!inscribe(vertices, hull)) continue;
        lanecull::Occluder occluder;
        const OccluderRefusal refusal = prepare(hull, random.log_range(1.9, 100) * random_direction(random), occluder);
        EXPECT_TRUE(refusal == OccluderRefusal::none || refusal == OccluderRefusal::too_thin) << name_of(refusal);
        if (refusal == OccluderRefusal::none) ++hiding;
    }
    EXPECT_GT(hiding, scaled(1950));
}

/// A ball of 40 vertices hides what its inscribed polytope does, and never what the hull of all 40 does not.
TEST(HullOccluders, OfManyVerticesHideWhatTheirHullHides) {
    const Vertices vertices = ball(40, 3, {1, 2, 20});
    const SolidHull hull = hull_of(vertices);
    const exact::HalfSpaces facets = facets_of_placed(vertices, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
    const exact::Sight sight{{exact::point(0, 0, 0)}, {}};
    lanecull::Occluder occluder;
    ASSERT_EQ(prepare(hull, {0, 0, 0}, occluder), OccluderRefusal::none);
    Random random(33);
    std::vector<float> x, y, z, radius;
    for (int k = 0; k < scaled(400); ++k) {
        const double depth = random.range(18, 60);
        x.push_back(static_cast<float>(depth * random.range(-0.15, 0.25)));
        y.push_back(static_cast<float>(depth * random.range(-0.1, 0.3)));
        z.push_back(static_cast<float>(depth));
        radius.push_back(0);
    }
    const lanecull::Batch batch{
        lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), static_cast<std::uint32_t>(x.size())}};
    const lanecull::View view = view_of_all();
    std::vector<std::uint64_t> words(lanecull::visibility_words({&batch, 1}));
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output;
    output.visible = words, output.occluders = {&occluder, 1};
    ASSERT_TRUE(lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch));
    int hidden = 0, by_all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto n = [&](float a) { return static_cast<double>(a); };
        const bool by_hull = is_hidden(exact::point(n(x[i]), n(y[i]), n(z[i])), sight, facets);
        const bool culled = (words[i / 64] >> i % 64 & 1) == 0;
        EXPECT_FALSE(culled && !by_hull) << i;
        hidden += culled ? 1 : 0, by_all += by_hull ? 1 : 0;
    }
    EXPECT_GT(hidden, by_all / 2);
    EXPECT_LT(by_all, scaled(390));
}

/// Triangles are not taken on trust.
TEST(HullOccluders, WithoutAClosedSurfaceAreRefused) {
    const SolidHull sound = hull_of({{-1, -1, 9}, {1, -1, 9}, {0, 1, 9}, {0, 0, 11}, {0, 0, 8}});
    const auto refusal = [&](const auto& spoil) {
        SolidHull hull = sound;
        spoil(hull);
        lanecull::Occluder occluder;
        return prepare(hull, {0, 0, 0}, occluder);
    };
    EXPECT_EQ(refusal([](SolidHull&) {}), OccluderRefusal::none);
    EXPECT_EQ(refusal([](SolidHull& h) { --h.triangle_count; }), OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { h.triangle_count = 31; }), OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { h.corner_count = 3; }), OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { h.corner_count = 18; }), OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { std::swap(h.triangle[0][0], h.triangle[0][1]); }), OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { h.triangle[0][0] = h.triangle[0][1]; }), OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { h.triangle[0][0] = 200; }), OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { h.corner[0][1] = std::numeric_limits<float>::infinity(); }),
              OccluderRefusal::invalid);
    EXPECT_EQ(refusal([](SolidHull& h) { h.drawn.upper[2] = 10; }), OccluderRefusal::invalid);
    // Closed, but a corner is pushed through the others: some triangle looks inward.
    EXPECT_EQ(refusal([](SolidHull& h) {
                  for (auto& corner : h.corner) {
                      if (corner[2] == 8) corner[2] = 10.9f;
                  }
              }),
              OccluderRefusal::too_thin);
    // Inside out, as under a mirroring transform.
    EXPECT_EQ(refusal([](SolidHull& h) {
                  for (auto& t : h.triangle) std::swap(t[0], t[1]);
              }),
              OccluderRefusal::none);
    lanecull::Occluder occluder;
    lanecull::Viewpoint viewpoint;
    ASSERT_TRUE(lanecull::prepare_viewpoint_from_eyes(std::array{0.0, 0.0, 0.0}, 0.1, viewpoint));
    EXPECT_EQ(lanecull::prepare_occluder(lanecull::SolidHullInstance{}, viewpoint, occluder), OccluderRefusal::invalid);
    const lanecull::SolidHullInstance flat{&sound, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}};
    EXPECT_NE(lanecull::prepare_occluder(flat, viewpoint, occluder), OccluderRefusal::none);
    EXPECT_EQ(prepare(sound, {0, 0, 9.5}, occluder), OccluderRefusal::encloses_eye);
    // What is drawn are all vertices.
    SolidHull wide = sound;
    wide.drawn.lower[2] = 0.05f;
    EXPECT_EQ(prepare(wide, {0, 0, 0}, occluder), OccluderRefusal::near_plane);
}

/// With a margin a hull hides no more than its facets moved inward by it do.
TEST(HullOccluders, ShrinkByWhatARasteriserAdds) {
    const Vertices vertices = ball(12, 3, {0, 0, 20});
    const SolidHull hull = hull_of(vertices);
    lanecull::Occluder whole, shrunk, none;
    const double per_distance = 0.01;
    ASSERT_EQ(prepare(hull, {0, 0, 0}, whole), OccluderRefusal::none);
    ASSERT_EQ(prepare(hull, {0, 0, 0}, shrunk, {.raster = {.per_distance = per_distance}}), OccluderRefusal::none);
    EXPECT_EQ(prepare(hull, {0, 0, 0}, none, {.raster = {.per_distance = 1}}), OccluderRefusal::too_thin);
    exact::HalfSpaces moved = facets_of_placed(vertices, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
    for (exact::HalfSpace& f : moved) {
        const exact::Vec<double> n = exact::to_double(f.normal);
        f.offset -= exact::rational(per_distance * 17 * std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z));
    }
    const exact::Sight sight{{exact::point(0, 0, 0)}, {}};
    const auto hides = [](const lanecull::Occluder& occluder, const Double3& p) {
        const lanecull::PreparedOccluder& o = contents_of(occluder);
        bool inside = true;
        for (std::uint32_t k = 0; k < o.count; ++k) {
            const float* n = o.normal[k];
            inside =
                inside && double{n[0]} * p[0] + double{n[1]} * p[1] + double{n[2]} * p[2] + double{o.offset[k]} > 0;
        }
        return inside;
    };
    Random random(34);
    int by_whole = 0, by_shrunk = 0;
    for (int k = 0; k < scaled(4000); ++k) {
        const double depth = random.range(17, 60);
        const Double3 p = {depth * random.range(-0.2, 0.2), depth * random.range(-0.2, 0.2), depth};
        by_whole += hides(whole, p) ? 1 : 0;
        if (!hides(shrunk, p)) continue;
        ++by_shrunk;
        EXPECT_TRUE(hides(whole, p));
        EXPECT_TRUE(is_hidden(exact::point(p[0], p[1], p[2]), sight, moved));
    }
    EXPECT_GT(by_shrunk, by_whole / 2);
    EXPECT_LT(by_shrunk, by_whole);
}

}  // namespace
