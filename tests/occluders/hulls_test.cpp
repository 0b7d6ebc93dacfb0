#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include <lanecull/solids.h>

#include "occluders/solids.hpp"

/// Hulls by their vertices as occluders: the polytopes inscribed in them, and surfaces that are none.

namespace {

using lanecull::OccluderRefusal;
using lanecull::SolidHull;

SolidHull hull_of(const Vertices& vertices) {
    SolidHull hull;
    const lanecull::Status status = inscribe(vertices, hull);
    EXPECT_TRUE(status) << status.message();
    return hull;
}

Vertices ball(int count) {
    Vertices vertices;
    for (int k = 0; k < count; ++k) {
        const double z = -1 + 2 * (k + 0.5) / count, angle = 2.399963 * k, r = std::sqrt(1 - z * z);
        vertices.push_back(
            {static_cast<float>(r * std::cos(angle)), static_cast<float>(r * std::sin(angle)), static_cast<float>(z)});
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

/// A cube's corners, and the middles of its edges and sides and of itself.
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

OccluderRefusal prepare(const lanecull::SolidHullInstance& solid, const Double3& eye) {
    lanecull::Viewpoint viewpoint;
    lanecull::Occluder occluder;
    EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes(eye, 0.1, viewpoint));
    return lanecull::prepare_occluder(solid, viewpoint, occluder);
}

TEST(InscribedHulls, AreAsLargeAsTheHullOrNearly) {
    const SolidHull cube = hull_of(grid(2));
    EXPECT_EQ(cube.corner_count, 8u);
    EXPECT_EQ(volume(cube), 64);
    const double of_ball = volume(hull_of(ball(1000))) / (4.0 / 3 * 3.14159265),
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

/// Triangles are not taken on trust.
TEST(HullOccluders, WithoutAClosedSurfaceAreRefused) {
    const SolidHull sound = hull_of({{-1, -1, 9}, {1, -1, 9}, {0, 1, 9}, {0, 0, 11}, {0, 0, 8}});
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
        EXPECT_EQ(prepare({&hull}, {0, 0, 0}), changes[i].refusal) << "change " << i;
    }
    EXPECT_EQ(prepare({}, {0, 0, 0}), OccluderRefusal::invalid);
    EXPECT_NE(prepare({&sound, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}}, {0, 0, 0}), OccluderRefusal::none);
    EXPECT_EQ(prepare({&sound}, {0, 0, 9.5}), OccluderRefusal::encloses_eye);
}

}  // namespace
