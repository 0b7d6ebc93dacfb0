#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/bounds.h>

#include "properties/bounds/containment.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// How small bounds of vertices are, bounds by hand, and what is refused. properties/bounds has the rest.

namespace {

using lanecull::BoxBounds;
using lanecull::Isa;
using lanecull::OrientedBoxBounds;
using lanecull::SphereBounds;
using lanecull::Status;
using lanecull::Vertices;
using Points = properties::Cloud;

TEST(Bounds, OfBoxesThatAreNoneAreNaN) {
    const float low[] = {-1, 2}, high[] = {1, 1};
    std::vector<float> matrices;
    for (int i = 0; i < 3; ++i) matrices.insert(matrices.end(), {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0});
    const std::uint32_t index[] = {0, 1, 2};  // there is no box 2, and box 1 goes from 2 to 1
    const lanecull::BoxInstances instances{{.first = matrices.data(), .layout = lanecull::TransformLayout::rows_3x4},
                                           {{low, low, low, high, high, high, 2}, index},
                                           3};
    float x[3], y[3], z[3], radius[3];
    ASSERT_TRUE(lanecull::bounding_spheres(instances, x, y, z, radius));
    EXPECT_EQ(x[0], 5);
    EXPECT_NEAR(radius[0], std::sqrt(3.0f), 1e-6f);
    EXPECT_TRUE(std::isnan(radius[1]));
    EXPECT_TRUE(std::isnan(radius[2]));
}

/// How far the mean vertex is from the nearest facet, in doubles.
double nearest_facet(const Points& points, const float* mean) {
    properties::Judge judge;
    double nearest = HUGE_VAL;
    for_each_facet(points, judge, [&](const properties::Facet& facet) {
        const properties::InDoubles exactly;
        const double depth = -facet.height(mean, exactly).value;
        nearest = std::min(nearest, depth / std::sqrt(facet.square_of_normal(exactly).value));
        return true;
    });
    return nearest;
}

TEST(HullBalls, OfRoundHullsAreWorthHaving) {
    Random random(4712);
    double found = 0, possible = 0;
    for (int round = 0; round < scaled(40); ++round) {
        Points points(32);
        std::vector<float> stream[3];
        for (properties::Vertex& p : points) {
            const Double3 direction = random_direction(random);
            for (std::size_t k = 0; k < 3; ++k) stream[k].push_back(p[k] = static_cast<float>(direction[k]));
        }
        lanecull::Hull hull;
        ASSERT_TRUE(lanecull::prepare_hull(stream[0].data(), stream[1].data(), stream[2].data(), 32, hull));
        found += static_cast<double>(hull.inner);
        possible += nearest_facet(points, hull.mean);
    }
    EXPECT_GT(found, 0.5 * possible);
    EXPECT_LE(found, possible);
}

TEST(Unpack, RefusesBrokenArguments) {
    float records[12] = {}, out[12];
    std::fill(std::begin(out), std::end(out), 5.0f);
    const std::array<float*, 3> streams = {out, out + 4, out + 8};
    const auto expect_failure = [&](const Status& status, const char* named) {
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        for (const float value : out) EXPECT_EQ(value, 5.0f) << named;
    };
    expect_failure(lanecull::unpack_floats({}, 4, streams), "records.first");
    for (const std::size_t stride : {1u, 8u, 11u, 13u, 65'540u}) {
        expect_failure(lanecull::unpack_floats({records, stride}, 4, streams), "records.stride_bytes");
    }
    expect_failure(lanecull::unpack_floats({records}, 4, {}), "streams");
    expect_failure(lanecull::unpack_floats({records}, 4, std::vector<float*>(16'385)), "streams");
    expect_failure(lanecull::unpack_floats({records}, 4, streams, static_cast<Isa>(9)), "isa");
    EXPECT_TRUE(lanecull::unpack_floats({}, 0, {}).ok()) << "nothing is read";
}

TEST(RelativeSpheres, RefuseBrokenArguments) {
    const double positions[6] = {}, origin[3] = {};
    float x = 5, y = 5, z = 5, radius = 5;
    const auto expect_failure = [&](const Status& status, const char* named) {
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        EXPECT_TRUE(x == 5 && y == 5 && z == 5 && radius == 5) << named;
    };
    expect_failure(lanecull::relative_spheres({}, nullptr, 1, origin, &x, &y, &z, &radius), "positions.first");
    for (const std::size_t stride : {4u, 16u, 28u, 65'544u}) {
        expect_failure(lanecull::relative_spheres({positions, stride}, nullptr, 1, origin, &x, &y, &z, &radius),
                       "positions.stride_bytes");
    }
    const double bad[3] = {0, std::numeric_limits<double>::quiet_NaN(), 0};
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, bad, &x, &y, &z, &radius), "origin[1]");
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, origin, nullptr, &y, &z, &radius), "x");
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, origin, &x, &y, nullptr, &radius), "z");
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, origin, &x, &y, &z, nullptr), "sphere_radius");
    EXPECT_TRUE(lanecull::relative_spheres({}, nullptr, 0, origin, nullptr, nullptr, nullptr, nullptr).ok());
}

TEST(Containment, IsTold) {
    properties::Judge judge;
    const SphereBounds sphere{{1, 2, 3}, 5};
    EXPECT_TRUE(contains(sphere, {1, 5, 7}, judge));
    EXPECT_FALSE(contains(sphere, {1, 5, 7.000001f}, judge));
    const OrientedBoxBounds oriented{{1, 0, 0}, {0, 2, 0, -1, 0, 0, 0, 0, 1}, {1, 1, 0}};
    const properties::OrientedBoxSet box(oriented, judge);
    EXPECT_TRUE(box.contains({0, 2, 0}));
    EXPECT_FALSE(box.contains({0, 2.0000002f, 0}));
    EXPECT_FALSE(box.contains({0, 2, 1e-45f}));
    EXPECT_GT(judge.exact_checks(), 0u);
}

/// All three bounds of some points.
struct AllBounds {
    BoxBounds box;
    SphereBounds sphere;
    OrientedBoxBounds oriented_box;
};

AllBounds bounds_of(const Points& points) {
    const Vertices vertices{&points[0][0], &points[0][1], &points[0][2], static_cast<std::uint32_t>(points.size()),
                            sizeof points[0]};
    AllBounds bounds;
    EXPECT_TRUE(bounding_box(vertices, bounds.box));
    EXPECT_TRUE(bounding_sphere(vertices, bounds.sphere));
    EXPECT_TRUE(bounding_oriented_box(vertices, bounds.oriented_box));
    return bounds;
}

/// Points of the box |p_k| <= size_k, turned and moved; the first eight are its corners if asked for.
Points box_points(Random& random, std::size_t count, const Double3& size, double offset, bool corners) {
    const Double3 z = random_direction(random), aside = cross(z, random_direction(random));
    const Double3 x = (1 / length(aside)) * aside, y = cross(z, x);
    const Double3 center = {random.sign() * offset, random.sign() * offset, random.sign() * offset};
    Points points;
    for (std::size_t i = 0; i < count; ++i) {
        double p[3];
        for (std::size_t k = 0; k < 3; ++k) {
            p[k] = corners && i < 8 ? ((i >> k & 1) != 0 ? size[k] : -size[k]) : random.range(-size[k], size[k]);
        }
        const Double3 at = center + p[0] * x + p[1] * y + p[2] * z;
        points.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    }
    return points;
}

/// At most the squared radius of any ball around the points: for weights w that add up to 1,
/// sum of w_i |p_i|^2 - |sum of w_i p_i|^2. The weights are those of Badoiu and Clarkson's algorithm.
double least_radius(const Points& points) {
    const auto in_doubles = [](const properties::Vertex& p) -> Double3 {
        return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
    };
    Double3 center = in_doubles(points[0]);
    double squares = dot(center, center), best = 0;
    for (int step = 1; step <= 3'000; ++step) {
        const Double3 p = in_doubles(std::ranges::max(points, {}, [&](const properties::Vertex& of) {
            const Double3 away = in_doubles(of) - center;
            return dot(away, away);
        }));
        const double weight = 1.0 / (step + 1);
        center = center + weight * (p - center);
        squares += weight * (dot(p, p) - squares);
        best = std::max(best, squares - dot(center, center));
    }
    return std::sqrt(best);
}

TEST(BoundingSphere, IsTheSmallestButForRounding) {
    Random random(53);
    const int rounds = scaled(60);
    for (int round = 0; round < rounds; ++round) {
        const Double3 size = {1, random.range(0, 1), random.range(0, 1)};
        const auto count = static_cast<std::size_t>(2 + random.below(300));
        const Points points = box_points(random, count, size, random.range(0, 2), random.chance(0.5));
        const SphereBounds sphere = bounds_of(points).sphere;
        const double least = least_radius(points);
        EXPECT_LE(static_cast<double>(sphere.radius), 1.002 * least + 1e-6) << count << " points";
    }
}

double volume(const OrientedBoxBounds& box) {
    return 8 * static_cast<double>(box.half_extents[0]) * static_cast<double>(box.half_extents[1]) *
           static_cast<double>(box.half_extents[2]);
}
double volume(const BoxBounds& box) {
    double product = 1;
    for (std::size_t k = 0; k < 3; ++k) product *= static_cast<double>(box.upper[k] - box.lower[k]);
    return product;
}

TEST(BoundingOrientedBox, FindsTheBoxThatVerticesFill) {
    Random random(54);
    const int rounds = scaled(200);
    double sum_of_ratios = 0;
    for (int round = 0; round < rounds; ++round) {
        const Double3 size = {random.range(0.2, 1), random.range(0.2, 1), random.range(0.2, 1)};
        const double full = 8 * size[0] * size[1] * size[2];
        const AllBounds corners = bounds_of(box_points(random, 100, size, 1, true));
        EXPECT_LE(volume(corners.oriented_box), 1.001 * full) << "a box's corners are among the vertices";
        const AllBounds filled = bounds_of(box_points(random, 1'000, size, 1, false));
        EXPECT_LE(volume(filled.oriented_box), 1.25 * full);
        EXPECT_LE(volume(filled.oriented_box), 1.00001 * volume(filled.box)) << "never larger than the aligned box";
        sum_of_ratios += volume(filled.oriented_box) / volume(filled.box);
    }
    EXPECT_LE(sum_of_ratios / rounds, 0.6) << "and mostly much smaller";
}

TEST(BoundingOrientedBox, IsFlatAroundFlatVertices) {
    Random random(55);
    for (int round = 0; round < 100; ++round) {
        OrientedBoxBounds box = bounds_of(box_points(random, 50, {2, 1, 0}, 0, round % 2 == 0)).oriented_box;
        std::sort(std::begin(box.half_extents), std::end(box.half_extents));
        EXPECT_LE(box.half_extents[0], 2e-6f);
        EXPECT_LE(box.half_extents[1] * box.half_extents[2], round % 2 == 0 ? 2.01f : 2.3f);
        box = bounds_of(box_points(random, 50, {2, 0, 0}, 0, true)).oriented_box;
        std::sort(std::begin(box.half_extents), std::end(box.half_extents));
        EXPECT_LE(box.half_extents[1], 2e-6f);
        EXPECT_LE(box.half_extents[2], 2.001f);
    }
}

class VertexBoundsOfSets : public testing::TestWithParam<Isa> {};
INSTANTIATE_TEST_SUITE_P(All, VertexBoundsOfSets, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& parameter) { return isa_label(parameter.param); });

/// Streams, and more vertices than one block of streams holds.
TEST_P(VertexBoundsOfSets, AreOfAllBlocks) {
    std::vector<float> stream[3];
    for (std::size_t k = 0; k < 3; ++k) stream[k].assign(1'100'000, std::ldexp(0.5f, -static_cast<int>(k)));
    stream[0][0] = -9, stream[1][1'048'576] = 8, stream[2].back() = -7;
    const Vertices vertices{stream[0].data(), stream[1].data(), stream[2].data(), 1'100'000};
    BoxBounds box;
    ASSERT_TRUE(lanecull::bounding_box(vertices, box, GetParam()));
    EXPECT_EQ(box.lower[0], -9);
    EXPECT_EQ(box.upper[1], 8);
    EXPECT_EQ(box.lower[2], -7);
    SphereBounds sphere;
    ASSERT_TRUE(lanecull::bounding_sphere(vertices, sphere, GetParam()));
    properties::Judge judge;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1'048'576}, stream[0].size() - 1}) {
        EXPECT_TRUE(contains(sphere, {stream[0][i], stream[1][i], stream[2][i]}, judge));
    }
}

TEST(VertexBounds, RefuseBrokenArguments) {
    const float numbers[12] = {};
    const Vertices good{numbers, numbers + 4, numbers + 8, 4};
    const auto expect_failure = [&](auto change, const char* named, Isa isa = Isa::automatic) {
        Vertices vertices = good;
        change(vertices);
        AllBounds bounds{};
        bounds.box.lower[0] = bounds.sphere.radius = bounds.oriented_box.center[2] = 7;
        const AllBounds before = bounds;
        for (const Status& status : {lanecull::bounding_box(vertices, bounds.box, isa),
                                     lanecull::bounding_sphere(vertices, bounds.sphere, isa),
                                     lanecull::bounding_oriented_box(vertices, bounds.oriented_box, isa)}) {
            EXPECT_FALSE(status.ok()) << named;
            EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        }
        EXPECT_TRUE(std::memcmp(&bounds, &before, sizeof before) == 0) << named;
    };
    expect_failure([](Vertices& v) { v.x = nullptr; }, "vertices.x");
    expect_failure([](Vertices& v) { v.y = nullptr; }, "vertices.y");
    expect_failure([](Vertices& v) { v.z = nullptr; }, "vertices.z");
    expect_failure([](Vertices& v) { v.count = 0; }, "vertices.count");
    for (const std::uint32_t stride : {1u, 2u, 6u, 65'540u}) {
        expect_failure([&](Vertices& v) { v.stride_bytes = stride; }, "vertices.stride_bytes");
    }
    expect_failure([](Vertices&) {}, "isa", static_cast<Isa>(9));
}

}  // namespace
