#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <lanecull/hulls.h>

#include "oracle/exact.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// convex_hull(): corners, surface and neighbours for clouds of any shape. enclosing_hull(): every vertex is inside, by
/// rational arithmetic, and the hull is not much larger than necessary.

namespace {

using lanecull::ConvexHull;
using lanecull::Status;
using lanecull::Vertices;
using Points = std::vector<std::array<float, 3>>;
using Double3 = exact::Vec<double>;

Double3 normalized(const Double3& a) { return 1 / std::sqrt(dot(a, a)) * a; }
Double3 double3(const std::array<float, 3>& p) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

Vertices vertices_of(const Points& points) {
    return {&points[0][0], &points[0][1], &points[0][2], static_cast<std::uint32_t>(points.size()), sizeof(points[0])};
}

ConvexHull hull_of(const Points& points) {
    ConvexHull hull;
    const Status status = lanecull::convex_hull(vertices_of(points), hull);
    EXPECT_TRUE(status.ok()) << status.message();
    return hull;
}

ConvexHull enclosing_hull_of(const Points& points, std::uint32_t max_corners) {
    ConvexHull hull;
    const Status status = lanecull::enclosing_hull(vertices_of(points), max_corners, hull);
    EXPECT_TRUE(status.ok()) << status.message();
    return hull;
}

Points corners_of(const ConvexHull& hull) {
    const lanecull::ConvexHullInfo info = hull.info();
    Points corners;
    for (std::uint32_t i = 0; i < info.count(); ++i) corners.push_back({info.x[i], info.y[i], info.z[i]});
    return corners;
}

double extent_of(const Points& points) {
    double extent = 0;
    for (const auto& p : points) {
        for (std::size_t k = 0; k < 3; ++k) {
            extent = std::max(extent, std::fabs(static_cast<double>(p[k]) - static_cast<double>(points[0][k])));
        }
    }
    return extent;
}

double largest_coordinate(const Points& points) {
    double largest = 0;
    for (const auto& p : points) {
        for (const float value : p) largest = std::max(largest, std::fabs(static_cast<double>(value)));
    }
    return largest;
}

exact::Point exact_point(const std::array<float, 3>& p) {
    return exact::point(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
}

/// Points that are farther than `slack` from the hull of the corners, in rational arithmetic.
std::size_t points_outside(const Points& corners, const Points& points, double slack) {
    exact::Solid solid;
    for (const auto& corner : corners) solid.points.push_back(exact_point(corner));
    std::size_t outside = 0;
    for (const auto& p : points) {
        const exact::Point at[] = {exact_point(p)};
        const auto verdict = exact::decide(solid, exact::Volume::hull(at), exact::rational(slack)).verdict;
        outside += verdict == exact::Verdict::visible ? 0 : 1;
    }
    return outside;
}

std::size_t points_outside(const ConvexHull& hull, const Points& points, double slack) {
    return points_outside(corners_of(hull), points, slack);
}

double outward_error(const ConvexHull& outer, const ConvexHull& inner) {
    double error = -1;
    const Status status = lanecull::outward_error(outer, inner, error);
    EXPECT_TRUE(status.ok()) << status.message();
    return error;
}

/// Every edge of a closed surface belongs to two triangles, one each way, and Euler's formula holds.
void expect_closed_surface(const ConvexHull& hull) {
    const lanecull::ConvexHullInfo info = hull.info();
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& t : info.triangles) {
        for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(edges.emplace(t[k], t[(k + 1) % 3]).second) << "an edge twice";
    }
    for (const auto& [from, to] : edges) EXPECT_TRUE(edges.contains({to, from})) << "an open edge";
    EXPECT_EQ(info.count() + info.triangles.size(), edges.size() / 2 + 2);
    EXPECT_EQ(info.neighbors.size(), edges.size());
    EXPECT_GT(lanecull::volume(hull), 0) << "inside out";
}

void expect_mutual_neighbors(const ConvexHull& hull) {
    const lanecull::ConvexHullInfo info = hull.info();
    ASSERT_EQ(info.first_neighbor.size(), info.count() + 1u);
    EXPECT_EQ(info.first_neighbor.front(), 0u);
    ASSERT_EQ(info.first_neighbor.back(), info.neighbors.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 0; i < info.count(); ++i) {
        for (std::uint32_t j = info.first_neighbor[i]; j < info.first_neighbor[i + 1]; ++j) {
            ASSERT_LT(info.neighbors[j], info.count());
            EXPECT_NE(info.neighbors[j], i);
            EXPECT_TRUE(pairs.emplace(i, info.neighbors[j]).second) << "a neighbour twice";
        }
    }
    for (const auto& [from, to] : pairs) EXPECT_TRUE(pairs.contains({to, from}));
}

/// Steps to better neighbours end at the farthest corner, from wherever they start.
void expect_climbable(const ConvexHull& hull, Random& random) {
    const lanecull::ConvexHullInfo info = hull.info();
    const Points corners = corners_of(hull);
    const double slack = 0x1p-45 * extent_of(corners);
    for (int trial = 0; trial < 20; ++trial) {
        const Double3 d = normalized({random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)});
        const auto along = [&](std::uint32_t i) { return dot(d, double3(corners[i]) - double3(corners[0])); };
        auto at = static_cast<std::uint32_t>(random.below(static_cast<int>(info.count())));
        for (std::uint32_t from = info.count(); from != at;) {
            from = at;
            for (std::uint32_t j = info.first_neighbor[from]; j < info.first_neighbor[from + 1]; ++j) {
                if (along(info.neighbors[j]) > along(at)) at = info.neighbors[j];
            }
        }
        double farthest = along(0);
        for (std::uint32_t i = 0; i < info.count(); ++i) farthest = std::max(farthest, along(i));
        EXPECT_GE(along(at), farthest - slack);
    }
}

void expect_corners_are_points(const ConvexHull& hull, const Points& points) {
    const std::set<std::array<float, 3>> given(points.begin(), points.end());
    std::set<std::array<float, 3>> corners;
    for (const auto& corner : corners_of(hull)) {
        EXPECT_TRUE(given.contains(corner));
        EXPECT_TRUE(corners.insert(corner).second) << "a corner twice";
    }
}

enum class Kind { ball, sphere, cube, cone, grid, slab, rotated_plane, plane, line, equal };
constexpr Kind all_kinds[] = {Kind::ball, Kind::sphere,        Kind::cube,  Kind::cone, Kind::grid,
                              Kind::slab, Kind::rotated_plane, Kind::plane, Kind::line, Kind::equal};

/// About 1 in size around the origin, then scaled and moved.
Points cloud(Kind kind, int count, double scale, const Double3& at, Random& random) {
    Points points;
    for (int i = 0; i < count; ++i) {
        Double3 p = {random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)};
        switch (kind) {
            case Kind::ball:
                break;
            case Kind::sphere:
                p = normalized(p);
                break;
            case Kind::cube:
                p = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
                break;
            case Kind::cone:
                p = i == 0 ? Double3{0, 0, 1} : Double3{std::cos(i), std::sin(i), -1};
                break;
            case Kind::grid:
                p = {std::round(2 * p.x) / 2, std::round(2 * p.y) / 2, std::round(2 * p.z) / 2};
                break;
            case Kind::slab:
                p.z *= 1e-4;
                break;
            case Kind::rotated_plane:
                p.z = 0.3 * p.x - 0.7 * p.y;
                break;
            case Kind::plane:
                p.z = 0.25;
                break;
            case Kind::line:
                p = {p.x, 2 * p.x, -0.3 * p.x};
                break;
            case Kind::equal:
                p = {0.1, 0.2, 0.3};
                break;
        }
        points.push_back({static_cast<float>(scale * p.x + at.x), static_cast<float>(scale * p.y + at.y),
                          static_cast<float>(scale * p.z + at.z)});
    }
    return points;
}

std::uint32_t dimension_of(Kind kind) {
    switch (kind) {
        case Kind::rotated_plane:
        case Kind::plane:
            return 2;
        case Kind::line:
            return 1;
        case Kind::equal:
            return 0;
        default:
            return 3;
    }
}

TEST(Hulls, AreTheHullsOfClouds) {
    Random random(601);
    for (const Kind kind : all_kinds) {
        for (int trial = 0; trial < scaled(30); ++trial) {
            const double scale = random.log_range(1e-6, 1e6);
            const Double3 at = trial % 2 == 0 ? Double3{} : Double3{3 * scale, -2 * scale, scale};
            const Points points = cloud(kind, kind == Kind::cube ? 64 : 8 + random.below(60), scale, at, random);
            SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", trial " + std::to_string(trial));
            const ConvexHull hull = hull_of(points);
            EXPECT_EQ(hull.info().dimension, dimension_of(kind));
            expect_corners_are_points(hull, points);
            expect_mutual_neighbors(hull);
            EXPECT_TRUE(kind != Kind::cube || hull.count() == 8) << hull.count();
            const bool solid = hull.info().dimension == 3;
            if (solid) {
                expect_closed_surface(hull);
                expect_climbable(hull, random);
            } else {
                EXPECT_EQ(lanecull::volume(hull), 0);
            }
            const double slack = solid ? 0x1p-40 * extent_of(points) : 0x1p-21 * largest_coordinate(points);
            EXPECT_EQ(points_outside(hull, points, slack), 0u);
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

TEST(Hulls, OfManyPointsKeepTheirCorners) {
    Random random(602);
    Points points = cloud(Kind::sphere, 3000, 1, {}, random);
    for (const auto& p : cloud(Kind::ball, 3000, 0.5, {}, random)) points.push_back(p);
    const ConvexHull hull = hull_of(points);
    EXPECT_EQ(hull.count(), 3000u);
    expect_closed_surface(hull);
    expect_climbable(hull, random);
}

TEST(EnclosingHulls, ContainEveryVertexExactly) {
    Random random(603);
    for (const Kind kind : all_kinds) {
        for (int trial = 0; trial < scaled(30); ++trial) {
            const double scale = random.log_range(1e-15, 1e15);
            const Double3 at = trial % 3 != 2 ? Double3{} : Double3{30 * scale, -20 * scale, scale};
            const int count = 5 + random.below(40);
            const Points points = cloud(kind, count, scale, at, random);
            const auto most = static_cast<std::uint32_t>(trial % 5 == 4 ? 1000 : 4 + random.below(28));
            SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", trial " + std::to_string(trial) + ", " +
                         std::to_string(most) + " corners");
            const ConvexHull hull = enclosing_hull_of(points, most);
            EXPECT_LE(hull.count(), most);
            EXPECT_EQ(points_outside(hull, points, 0), 0u);
            if (hull.info().dimension == 3) expect_closed_surface(hull);
            expect_mutual_neighbors(hull);
        }
    }
}

/// What the tests above rest on: a little smaller, and some points are outside.
TEST(EnclosingHulls, AreTightEnoughForTheTestToNotice) {
    Random random(604);
    const Points points = cloud(Kind::sphere, 200, 1, {}, random);
    Points corners = corners_of(enclosing_hull_of(points, 32));
    EXPECT_EQ(points_outside(corners, points, 0), 0u);
    for (auto& corner : corners) {
        for (float& value : corner) value *= 1 - 0x1p-20f;
    }
    EXPECT_GT(points_outside(corners, points, 0), 0u);
}

TEST(EnclosingHulls, AreNotMuchLarger) {
    Random random(605);
    const Points ball = cloud(Kind::sphere, 400, 1, {}, random);
    const double least = lanecull::volume(hull_of(ball));
    const auto growth = [&](std::uint32_t corners) {
        return lanecull::volume(enclosing_hull_of(ball, corners)) / least;
    };
    // A ball in the best polytope of as many corners: 1.10, 1.25, 2.0 (a cube).
    EXPECT_LT(growth(64), 1.10);
    EXPECT_LT(growth(32), 1.20);
    EXPECT_LT(growth(8), 2.4);
    EXPECT_LT(growth(4), 12);
    EXPECT_LT(growth(1000), 1 + 1e-6);
    for (const Kind kind : {Kind::ball, Kind::cube, Kind::grid, Kind::cone}) {
        const Points points = cloud(kind, 100, 1, {5, 6, 7}, random);
        const ConvexHull exact = hull_of(points), around = enclosing_hull_of(points, 1000);
        EXPECT_LE(outward_error(around, exact), 2e-5) << static_cast<int>(kind);
    }
    // Every vertex a corner: nothing moves.
    const ConvexHull same = enclosing_hull_of(ball, 400);
    EXPECT_EQ(outward_error(same, hull_of(ball)), outward_error(hull_of(ball), hull_of(ball)));
    EXPECT_EQ(same.count(), 400u);
    // Flat clouds stay flat, whatever they are reduced to.
    const Points plane = cloud(Kind::plane, 200, 1, {}, random);
    EXPECT_LT(outward_error(enclosing_hull_of(plane, 1000), hull_of(plane)), 2e-3);
    EXPECT_LT(lanecull::volume(enclosing_hull_of(plane, 12)), 2e-3);
}

TEST(Hulls, AreMeasured) {
    Points cube;
    for (int i = 0; i < 8; ++i) {
        cube.push_back({i & 1 ? 2.0f : 0.0f, i & 2 ? 3.0f : 0.0f, i & 4 ? 4.0f : 0.0f});
    }
    const ConvexHull inner = hull_of(cube);
    EXPECT_NEAR(lanecull::volume(inner), 24, 1e-12);
    EXPECT_EQ(outward_error(inner, inner), 0);
    cube[7] = {5, 3, 4};
    EXPECT_NEAR(outward_error(hull_of(cube), inner), 3, 1e-12);
    EXPECT_EQ(outward_error(inner, hull_of(cube)), 0);
    cube[7] = {3, 4, 5};
    EXPECT_NEAR(outward_error(hull_of(cube), inner), std::sqrt(3.0), 1e-12);
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
    const auto changed = [&](auto change) {
        Vertices vertices = vertices_of(good);
        change(vertices);
        return vertices;
    };
    expect_failure(changed([](Vertices& v) { v.x = nullptr; }), "vertices.x");
    expect_failure(changed([](Vertices& v) { v.y = nullptr; }), "vertices.y");
    expect_failure(changed([](Vertices& v) { v.z = nullptr; }), "vertices.z");
    expect_failure(changed([](Vertices& v) { v.count = 0; }), "vertices.count");
    expect_failure(changed([](Vertices& v) { v.stride_bytes = 6; }), "vertices.stride_bytes");
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
