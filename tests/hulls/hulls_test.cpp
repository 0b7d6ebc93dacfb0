#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/hulls.h>

#include "support/double3.hpp"
#include "support/random.hpp"

/// convex_hull() and enclosing_hull() by hand and how tight they are, and what is measured of them. properties/bounds
/// has the rest.

namespace {

using lanecull::ConvexHull;
using lanecull::Status;
using lanecull::Vertices;
using Points = std::vector<std::array<float, 3>>;

Vertices vertices_of(const Points& points) {
    return {&points[0][0], &points[0][1], &points[0][2], static_cast<std::uint32_t>(points.size()), sizeof(points[0])};
}

/// The convex hull, or with a limit of corners an enclosing one.
ConvexHull hull_of(const Points& points, std::uint32_t max_corners = 0) {
    ConvexHull hull;
    const Status status = max_corners == 0 ? lanecull::convex_hull(vertices_of(points), hull)
                                           : lanecull::enclosing_hull(vertices_of(points), max_corners, hull);
    EXPECT_TRUE(status.ok()) << status.message();
    return hull;
}

double outward_error(const ConvexHull& outer, const ConvexHull& inner) {
    double error = -1;
    const Status status = lanecull::outward_error(outer, inner, error);
    EXPECT_TRUE(status.ok()) << status.message();
    return error;
}

/// What point i of a cloud is made of: a random place in a cube.
using Make = Double3 (*)(const Double3& p, int i);
constexpr Make in_cube = [](const Double3& p, int) { return p; };
constexpr Make sphere = [](const Double3& p, int) { return 1 / length(p) * p; };
constexpr Make cube = [](const Double3&, int i) {
    return Double3{i % 2 * 2.0 - 1, i / 2 % 2 * 2.0 - 1, i / 4 % 2 * 2.0 - 1};
};
constexpr Make cone = [](const Double3&, int i) {
    return i == 0 ? Double3{0, 0, 1} : Double3{std::cos(i), std::sin(i), -1};
};
constexpr Make grid = [](const Double3& p, int) {
    return Double3{std::round(2 * p[0]) / 2, std::round(2 * p[1]) / 2, std::round(2 * p[2]) / 2};
};
constexpr Make turned_plane = [](const Double3& p, int) { return Double3{p[0], p[1], 0.3 * p[0] - 0.7 * p[1]}; };
constexpr Make plane = [](const Double3& p, int) { return Double3{p[0], p[1], 0.25}; };
constexpr Make line = [](const Double3& p, int) { return Double3{p[0], 2 * p[0], -0.3 * p[0]}; };
constexpr Make equal = [](const Double3&, int) { return Double3{0.1, 0.2, 0.3}; };

/// About 1 in size, moved.
Points cloud(Make make, int count, const Double3& at, Random& random) {
    Points points;
    for (int i = 0; i < count; ++i) {
        const Double3 p = make({random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)}, i) + at;
        points.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
    }
    return points;
}

TEST(Hulls, HaveTheDimensionOfTheirClouds) {
    Random random(601);
    constexpr std::pair<Make, std::uint32_t> dimensions[] = {{in_cube, 3}, {sphere, 3},       {cube, 3},
                                                             {cone, 3},    {grid, 3},         {line, 1},
                                                             {plane, 2},   {turned_plane, 2}, {equal, 0}};
    for (const auto& [make, dimension] : dimensions) {
        for (const Double3& at : {Double3{}, Double3{3, -2, 1}}) {
            const ConvexHull hull = hull_of(cloud(make, 64, at, random));
            EXPECT_EQ(hull.info().dimension, dimension);
            EXPECT_TRUE(make != cube || hull.count() == 8) << hull.count();
        }
    }
}

TEST(Hulls, OfPolygonsGoAround) {
    const Points square = {{1, 1, 5}, {0, 0, 5}, {0.5f, 0.5f, 5}, {0, 1, 5}, {1, 0, 5}, {0.5f, 0, 5}, {0.5f, 1, 5}};
    const ConvexHull hull = hull_of(square);
    const lanecull::ConvexHullInfo info = hull.info();
    ASSERT_EQ(info.dimension, 2u);
    ASSERT_EQ(info.count(), 4u) << "points on an edge are no corners";
    EXPECT_EQ(info.triangles.size(), 2u);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t next = (i + 1) % 4;
        EXPECT_EQ(std::fabs(info.x[i] - info.x[next]) + std::fabs(info.y[i] - info.y[next]), 1);
        EXPECT_EQ(info.first_neighbor[i + 1] - info.first_neighbor[i], 2u);
    }
}

TEST(EnclosingHulls, AreNotMuchLarger) {
    Random random(605);
    const Points ball = cloud(sphere, 400, {}, random);
    const double least = lanecull::volume(hull_of(ball));
    const auto growth = [&](std::uint32_t corners) { return lanecull::volume(hull_of(ball, corners)) / least; };
    // A ball in the best polytope of as many corners: 1.10, 1.25, 2.0 (a cube).
    EXPECT_LT(growth(64), 1.10);
    EXPECT_LT(growth(32), 1.20);
    EXPECT_LT(growth(8), 2.4);
    EXPECT_LT(growth(4), 12);
    EXPECT_LT(growth(1000), 1 + 1e-6);
    for (const Make make : {in_cube, cube, grid, cone}) {
        const Points points = cloud(make, 100, {5, 6, 7}, random);
        EXPECT_LE(outward_error(hull_of(points, 1000), hull_of(points)), 2e-5);
    }
    // Every vertex a corner: nothing moves.
    const ConvexHull same = hull_of(ball, 400);
    EXPECT_EQ(outward_error(same, hull_of(ball)), outward_error(hull_of(ball), hull_of(ball)));
    EXPECT_EQ(same.count(), 400u);
    // Flat clouds stay flat, whatever they are reduced to.
    const Points flat = cloud(plane, 200, {}, random);
    EXPECT_LT(outward_error(hull_of(flat, 1000), hull_of(flat)), 2e-3);
    EXPECT_LT(lanecull::volume(hull_of(flat, 12)), 2e-3);
}

TEST(Hulls, AreMeasured) {
    Points corners;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 2.0f : 0.0f, i & 2 ? 3.0f : 0.0f, i & 4 ? 4.0f : 0.0f});
    const ConvexHull inner = hull_of(corners);
    EXPECT_NEAR(lanecull::volume(inner), 24, 1e-12);
    EXPECT_EQ(outward_error(inner, inner), 0);
    corners[7] = {5, 3, 4};
    EXPECT_NEAR(outward_error(hull_of(corners), inner), 3, 1e-12);
    EXPECT_EQ(outward_error(inner, hull_of(corners)), 0);
    corners[7] = {3, 4, 5};
    EXPECT_NEAR(outward_error(hull_of(corners), inner), std::sqrt(3.0), 1e-12);
    const ConvexHull segment = hull_of({{0, 0, 0}, {1, 0, 0}}), point = hull_of({{4, 4, 0}});
    EXPECT_EQ(segment.info().dimension, 1u);
    EXPECT_EQ(point.info().dimension, 0u);
    EXPECT_NEAR(outward_error(point, segment), 5, 1e-12);
    EXPECT_NEAR(outward_error(segment, point), std::sqrt(32.0), 1e-12);
    const ConvexHull none;
    EXPECT_EQ(none.count(), 0u);
    EXPECT_EQ(none.info().dimension, 0u);
    EXPECT_EQ(lanecull::volume(none), 0);
    double error = 7;
    EXPECT_FALSE(lanecull::outward_error(none, point, error).ok());
    EXPECT_FALSE(lanecull::outward_error(point, none, error).ok());
    EXPECT_EQ(error, 7);
}

TEST(Hulls, RefuseBrokenArguments) {
    const Points good = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const auto expect_failure = [&](const Vertices& vertices, const std::string& named, std::uint32_t most = 8) {
        ConvexHull hull = hull_of({{0, 0, 0}, {1, 0, 0}});
        Status status = lanecull::enclosing_hull(vertices, most, hull);
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        if (most >= 4) {
            status = lanecull::convex_hull(vertices, hull);
            EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        }
        EXPECT_EQ(hull.info().dimension, 1u);
        EXPECT_EQ(hull.count(), 2u);
    };
    const std::pair<const char*, void (*)(Vertices&)> changes[] = {
        {"vertices.x", [](Vertices& v) { v.x = nullptr; }},
        {"vertices.y", [](Vertices& v) { v.y = nullptr; }},
        {"vertices.z", [](Vertices& v) { v.z = nullptr; }},
        {"vertices.count", [](Vertices& v) { v.count = 0; }},
        {"vertices.stride_bytes", [](Vertices& v) { v.stride_bytes = 6; }}};
    for (const auto& [named, change] : changes) {
        Vertices vertices = vertices_of(good);
        change(vertices);
        expect_failure(vertices, named);
    }
    expect_failure(vertices_of(good), "max_corners", 3);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Points points = good;
        points[3][1] = bad;
        expect_failure(vertices_of(points), "vertices.y[3]");
    }
    // A tetrahedron around this would be beyond floats.
    constexpr float huge = 3e38f;
    Points box;
    for (int i = 0; i < 8; ++i) box.push_back({i & 1 ? huge : -huge, i & 2 ? huge : -huge, i & 4 ? huge : -huge});
    ConvexHull hull;
    EXPECT_FALSE(lanecull::enclosing_hull(vertices_of(box), 4, hull).ok());
    EXPECT_TRUE(lanecull::enclosing_hull(vertices_of(box), 8, hull).ok());
    EXPECT_EQ(hull.count(), 8u);
}

}  // namespace
