#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/gjk.hpp>

#include "gjk/sharing.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// Numbers of extreme size: products of them underflow and overflow. Pairs that share a point by construction may never
/// be separated.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;

template <class T>
class Extremes : public testing::Test {
protected:
    using Maker = sharing::Maker<T>;

    void expect_meeting(int e) {
        typename Maker::V p = maker_.vector(64);
        if (random_.chance(0.3)) p.x = 0;
        if (random_.chance(0.3)) p.y = 0;
        const auto a = maker_.shape(p, e), b = maker_.shape(p, e);
        const typename Maker::V d = maker_.direction();
        const Verdict plain = gjk::intersect(a, b).verdict;
        const auto found = gjk::distance(a, b, {.direction = d});
        SCOPED_TRACE("kinds " + std::to_string(a.specimen.index()) + " and " + std::to_string(b.specimen.index()) +
                     ", 2^" + std::to_string(e));
        EXPECT_NE(plain, Verdict::separated);
        EXPECT_NE(gjk::intersect(a, b, {.direction = d}).verdict, Verdict::separated);
        EXPECT_NE(found.verdict, Verdict::separated);
        EXPECT_EQ(found.lower, 0);
        EXPECT_GE(found.upper, 0);
        EXPECT_EQ(gjk::cast(a, d, b).earliest, 0);
        EXPECT_NE(gjk::penetration(a, b).verdict, Verdict::separated);
        decided_ += plain == Verdict::intersecting;
    }

    Random random_{20261124};
    Maker maker_{random_};
    int decided_ = 0;
};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Extremes, Numbers);

TYPED_TEST(Extremes, ShapesThatShareAPointAreNeverSeparated) {
    const int pairs = scaled(60'000);
    for (int i = 0; i < pairs; ++i) {
        this->expect_meeting(
            TestFixture::Maker::least_exponent +
            this->maker_.below(TestFixture::Maker::most_exponent - TestFixture::Maker::least_exponent));
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(this->decided_, pairs / 3);
}

TYPED_TEST(Extremes, OfOrdinarySizeMostAreDecided) {
    const int pairs = scaled(20'000);
    for (int i = 0; i < pairs; ++i) this->expect_meeting(this->maker_.below(21) - 10);
    EXPECT_GT(this->decided_, pairs / 2);
}

/// A length's bounds hold, and are of use, from where squares underflow to where they overflow.
TYPED_TEST(Extremes, DistancesAreBracketedAtEveryScale) {
    using T = TypeParam;
    using Vector = typename TestFixture::Maker::V;
    constexpr int most = std::numeric_limits<T>::max_exponent - 30;
    int tight = 0;
    const int pairs = scaled(20'000);
    for (int i = 0; i < pairs; ++i) {
        const Vector a = this->maker_.vector(64), b = this->maker_.vector(64), c = this->maker_.vector(64);
        const T height = this->maker_.some(64);
        const int e = this->maker_.below(2 * most) - most;
        const T s = TestFixture::Maker::power(e);
        // A triangle in the plane z = 0 around the origin, or a point beside it, and a point above.
        const gjk::Triangle<T> triangle{{-64 * s - s * std::abs(a.x), -64 * s, 0},
                                        {64 * s, -64 * s + s * b.y / 2, 0},
                                        {s * c.x, 64 * s + 64 * s, 0}};
        const gjk::Point<T> point{{0, 0, height * s}};
        const auto found = gjk::distance(triangle, point);
        EXPECT_LE(found.lower, height * s);
        EXPECT_GE(found.upper, height * s);
        EXPECT_EQ(found.verdict, Verdict::separated) << "2^" << e;
        // Below that, bounds are as wide as what underflows.
        const bool is_tiny = e < std::numeric_limits<T>::min_exponent + 2 * std::numeric_limits<T>::digits;
        tight += is_tiny || found.upper - found.lower <= (T(1e-4) * height + T(0.01)) * s;
    }
    EXPECT_EQ(tight, pairs);
}

TEST(Extremes, ALongDirectionOfTheCallersSeparatesNothing) {
    const gjk::Segment<float> segment{{20, 0, 0}, {12, 0, 0}};
    const gjk::Box<float> box{{12.1f, 0, 0}, {0.05f, 0.05f, 0.05f}};
    for (const float length : {3e37f, 1e38f, 1e-30f, 1e-40f, 1.0f}) {
        EXPECT_NE(gjk::intersect(segment, box, {.direction = {length, 0, 0}}).verdict, Verdict::separated) << length;
    }
}

TEST(Extremes, CrossProductsThatNearlyOverflowSeparateNothing) {
    constexpr float u = 0x1p26f;
    const gjk::Capsule<float> capsule{{44247 * u, -15495 * u, 35405 * u}, {44223 * u, -15518 * u, 35262 * u}, 0};
    const gjk::Box<float> box{{44246 * u, -15491 * u, 35407 * u}, {1 * u, 4 * u, 2 * u}};
    EXPECT_NE(gjk::intersect(capsule, box).verdict, Verdict::separated);
    EXPECT_EQ(gjk::distance(capsule, box).lower, 0);
}

TEST(Extremes, TinyAxesOfHugeHalves) {
    const gjk::OrientedBox<float> box{
        {0, 0, 0}, {{{0x1p-140f, 0, 0}, {0, 0x1p-140f, 0}, {0, 0, 0x1p-140f}}}, {0x1p120f, 0x1p120f, 0x1p120f}};
    Random random{1};
    for (int i = 0; i < 1000; ++i) {
        const auto inside = [&] { return static_cast<float>(random.range(-1, 1)) * 0x1p-20f; };
        const gjk::Point<float> point{{inside(), inside(), inside()}};
        EXPECT_NE(gjk::intersect(box, point).verdict, Verdict::separated);
        EXPECT_EQ(gjk::distance(box, point).lower, 0);
    }
}

/// Far from the origin, so that a scan takes a vertex that is not the farthest, by rounding; the wrong one may lie
/// apart from the other hull's. With adjacency that leads nowhere climbing always stops early.
TYPED_TEST(Extremes, HullsThatClimbAndShareAPointAreNeverSeparated) {
    using T = TypeParam;
    using Vector = typename TestFixture::Maker::V;
    constexpr std::size_t count = gjk::Hull<T>::linear + 12;
    constexpr int far = sizeof(T) == 4 ? 1 << 20 : 1 << 29;
    const std::vector<std::uint32_t> nowhere(count + 1, 0);
    const auto vector = [&](int size) { return this->maker_.vector(size); };
    for (int i = 0; i < scaled(20'000); ++i) {
        const T s = TestFixture::Maker::power(this->maker_.below(60) - 30);
        const Vector p = vector(far), normal = vector(64);
        const auto points_on = [&](T side) {
            std::vector<Vector> points;
            while (points.size() + 1 < count) {
                const Vector way = vector(4);
                points.push_back(s * (p + (side * dot(normal, way) >= 0 ? way : -way)));
            }
            points.push_back(s * p);  // climbing starts at the first
            return points;
        };
        const std::vector<Vector> below = points_on(-1), above = points_on(1);
        const gjk::Hull<T> a(below, {nowhere, {}}), b(above, {nowhere, {}});
        EXPECT_NE(gjk::intersect(a, b).verdict, Verdict::separated);
        EXPECT_NE(gjk::intersect(a, b, {.direction = normal}).verdict, Verdict::separated);
        EXPECT_EQ(gjk::distance(a, b, {.direction = normal}).lower, 0);
        if (testing::Test::HasFailure()) return;
    }
}

/// One map takes directions to where the other's products underflow or overflow.
TYPED_TEST(Extremes, ShapesMappedTwiceAreNotSeparatedFromTheirPoints) {
    using T = TypeParam;
    constexpr int most = std::numeric_limits<T>::max_exponent * 3 / 4;
    const auto power = TestFixture::Maker::power;
    const auto map = [&](int e) {
        return gjk::Affine<T, 3>{{{{power(e), 0, 0}, {0, power(e), 0}, {0, 0, power(e)}}}, {}};
    };
    for (const int e : {-most, 0, most}) {
        const T inner = power(-e), outer = power(e);
        const gjk::OrientedBox<T> box{{}, {{{3, 4, 0}, {-4, 3, 0}, {0, 0, 5}}}, {inner, inner, inner}};
        const gjk::Transformed twice{gjk::Transformed{box, map(e)}, map(e)};
        for (int i = 0; i < 200; ++i) {
            const gjk::Point<T> point{outer * this->maker_.vector(3)};
            EXPECT_NE(gjk::intersect(twice, point).verdict, Verdict::separated) << e;
            EXPECT_EQ(gjk::distance(twice, point).lower, 0) << e;
        }
    }
}

/// Directions along a cylinder's axis leave only rounding for its rim.
TYPED_TEST(Extremes, RimsAreNoHigherAndNoLowerThanDisks) {
    using T = TypeParam;
    for (int i = 0; i < scaled(20'000); ++i) {
        const auto way = this->maker_.diagonal();
        const auto number = [&] { return static_cast<T>(this->random_.range(0.5, 4)); };
        const typename TestFixture::Maker::V axis = number() * way, d = number() * way;
        const T radius = this->maker_.some(4);
        const gjk::Cylinder<T> cylinder{{}, axis, radius};
        const gjk::Cone<T> cone{axis, {}, radius};
        const T size = (max_norm(axis) + radius) * sum_norm(d), top = dot(axis, d);
        EXPECT_NEAR(dot(cylinder.support(d), d), top, 64 * gjk::unit_roundoff<T> * size);
        EXPECT_NEAR(dot(cone.support(d), d), top, 64 * gjk::unit_roundoff<T> * size);
        if (testing::Test::HasFailure()) return;
    }
}

template <int times, class S, class T>
auto rounded(const S& shape, T radius) {
    if constexpr (times == 0)
        return shape;
    else
        return rounded<times - 1>(gjk::Rounded<S>{shape, radius}, radius);
}

/// Every radius is lost in the margin's sum.
TYPED_TEST(Extremes, MarginsOfManySumsCoverTheirRoundings) {
    using T = TypeParam;
    constexpr T u = gjk::unit_roundoff<T>;
    constexpr int times = 32;
    const auto grown = rounded<times>(gjk::Sphere<T>{{}, 1}, u);
    const gjk::Point<T> point{{1 + times * u, 0, 0}};
    ASSERT_EQ(gjk::margin(grown), 1);
    EXPECT_NE(gjk::intersect(grown, point).verdict, Verdict::separated);
    EXPECT_NE(gjk::penetration(grown, point).verdict, Verdict::separated);
    EXPECT_EQ(gjk::distance(grown, point).lower, 0);
}

/// Climbing that ends at the first vertex finds the hull too far away.
TYPED_TEST(Extremes, BoundsOfHullsThatClimbAreOfAllVertices) {
    using T = TypeParam;
    using Vector = typename TestFixture::Maker::V;
    std::vector<Vector> points(gjk::Hull<T>::linear + 12, Vector{4, 0, 0});
    points.back() = {1, 0, 0};
    const std::vector<std::uint32_t> nowhere(points.size() + 1, 0);
    const gjk::Hull<T> hull(points, {nowhere, {}});
    const gjk::Point<T> point{{}};
    EXPECT_LE(gjk::distance(hull, point).lower, 1);
    EXPECT_LE(gjk::cast(hull, {-2, 0, 0}, point).earliest, T(0.5));
}

TYPED_TEST(Extremes, DisksOnVeryShortAxes) {
    using T = TypeParam;
    for (const T axis : {T(1e-22), sizeof(T) == 4 ? T(1e-38) : T(1e-165), std::numeric_limits<T>::denorm_min()}) {
        const gjk::Cylinder<T> disk{{0, 0, 0}, {0, 0, axis}, 1};
        const gjk::Cone<T> cone{{0, 0, 0}, {0, 0, axis}, 1};
        const gjk::Point<T> inside{{T(0.5), 0, 0}}, outside{{3, 0, 0}};
        EXPECT_NE(gjk::intersect(disk, inside).verdict, Verdict::separated) << axis;
        EXPECT_NE(gjk::intersect(cone, inside).verdict, Verdict::separated) << axis;
        EXPECT_NEAR(gjk::distance(disk, outside).distance, 2, 1e-5) << axis;
        EXPECT_NEAR(gjk::distance(cone, outside).distance, 2, 1e-5) << axis;
        const auto contact = gjk::cast(outside, {-4, 0, 0}, disk);
        EXPECT_LE(contact.earliest, T(0.5));
        EXPECT_GT(contact.earliest, T(0.499));
    }
}

}  // namespace
