#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lanecull/batch.h>

#include "support/generate.hpp"
#include "support/scale.hpp"

/// Compares the two spheres around the mean vertex that prepare_hull() finds with every triple of vertices.

namespace {

struct Prepared {
    std::vector<float> x, y, z;
    lanecull::Hull hull;

    explicit Prepared(const std::vector<Double3>& points) {
        for (const Double3& p : points) {
            x.push_back(static_cast<float>(p[0]));
            y.push_back(static_cast<float>(p[1]));
            z.push_back(static_cast<float>(p[2]));
        }
        const auto count = static_cast<std::uint32_t>(points.size());
        EXPECT_TRUE(lanecull::prepare_hull(x.data(), y.data(), z.data(), count, hull));
    }
    [[nodiscard]] Double3 from_mean(std::size_t i) const {
        return {static_cast<double>(x[i]) - static_cast<double>(hull.mean[0]),
                static_cast<double>(y[i]) - static_cast<double>(hull.mean[1]),
                static_cast<double>(z[i]) - static_cast<double>(hull.mean[2])};
    }
    /// How far the mean is from the nearest plane through three vertices that has none beyond it.
    [[nodiscard]] double nearest_facet() const {
        std::vector<Double3> points;
        for (std::size_t i = 0; i < x.size(); ++i) points.push_back(from_mean(i));
        double nearest = HUGE_VAL;
        for (const Double3& a : points) {
            for (const Double3& b : points) {
                for (const Double3& c : points) {
                    const Double3 n = cross(b - a, c - a);
                    const double size = std::sqrt(dot(n, n)), offset = dot(n, a);
                    if (!(size > 0) || !(offset / size < nearest)) continue;
                    const bool none_beyond = std::all_of(points.begin(), points.end(), [&](const Double3& p) {
                        return dot(n, p) <= offset + 1e-12 * size;
                    });
                    if (none_beyond) nearest = offset / size;
                }
            }
        }
        return nearest;
    }
    [[nodiscard]] double farthest_vertex() const {
        double most = 0;
        for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::sqrt(dot(from_mean(i), from_mean(i))));
        return most;
    }
};

std::vector<Double3> random_points(Random& random, int count, const Double3& size) {
    std::vector<Double3> points;
    for (int i = 0; i < count; ++i) {
        const Double3 d = random_direction(random);
        points.push_back({3 + size[0] * d[0], -5 + size[1] * d[1], 7 + size[2] * d[2]});
    }
    return points;
}

TEST(HullBalls, HoldTheHullAndAreHeldByIt) {
    constexpr std::uint64_t seed = 4711;
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < scaled(300); ++round) {
        const Double3 size = {random.log_range(0.01, 10), random.log_range(0.01, 10), random.log_range(0.01, 10)};
        const Prepared prepared(random_points(random, 4 + random.below(20), size));
        const double farthest = prepared.farthest_vertex(), nearest = prepared.nearest_facet();
        const double outer = static_cast<double>(prepared.hull.outer), inner = static_cast<double>(prepared.hull.inner);
        EXPECT_GE(outer, farthest);
        EXPECT_LE(outer, farthest * (1 + 1e-6));
        EXPECT_GE(inner, 0);
        EXPECT_LE(inner, std::max(0.0, nearest));
    }
}

TEST(HullBalls, OfRoundHullsAreWorthHaving) {
    constexpr std::uint64_t seed = 4712;
    SCOPED_TRACE(seed);
    Random random(seed);
    double found = 0, possible = 0;
    for (int round = 0; round < scaled(40); ++round) {
        const Prepared prepared(random_points(random, 32, {1, 1, 1}));
        found += static_cast<double>(prepared.hull.inner);
        possible += prepared.nearest_facet();
    }
    EXPECT_GT(found, 0.5 * possible);
}

TEST(HullBalls, OfFlatHullsHaveNoInnerOne) {
    const std::vector<Double3> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, line = {{1, 2, 3}, {2, 4, 6}},
                               point = {{1, 2, 3}};
    for (const auto& points : {flat, line, point}) {
        const Prepared prepared(points);
        EXPECT_EQ(prepared.hull.inner, 0.0f);
        EXPECT_GE(static_cast<double>(prepared.hull.outer), prepared.farthest_vertex());
    }
    // As far from each other as floats allow.
    const Prepared vast({{3e38, 3e38, 3e38}, {-3e38, -3e38, -3e38}, {3e38, -3e38, 0}, {0, 3e38, -3e38}});
    EXPECT_TRUE(vast.hull.inner >= 0);
    EXPECT_TRUE(vast.hull.outer > 3e38f);
}

/// Radii of denormal size are rounded by more than 2^-24 of themselves. The octahedron's nearest facet is 0.58 steps
/// between floats away from its middle.
TEST(HullBalls, AreRoundedTheRightWayWhereFloatsAreDenormal) {
    constexpr double step = 0x1p-149;
    const Prepared octahedron({{step, 0, 0}, {-step, 0, 0}, {0, step, 0}, {0, -step, 0}, {0, 0, step}, {0, 0, -step}});
    EXPECT_EQ(octahedron.hull.inner, 0.0f);
    EXPECT_GE(octahedron.hull.outer, 0x1p-149f);
    Random random(4713);
    for (int round = 0; round < scaled(300); ++round) {
        std::vector<Double3> points;
        while (points.size() < 6) {
            points.push_back(std::ldexp(random.range(1, 20), -149) * random_direction(random));
        }
        const Prepared prepared(points);
        EXPECT_GE(static_cast<double>(prepared.hull.outer), prepared.farthest_vertex());
        EXPECT_LE(static_cast<double>(prepared.hull.inner), std::max(0.0, prepared.nearest_facet()));
    }
}

}  // namespace
