#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <lanecull/gjk.hpp>

#include "support/random.hpp"
#include "support/scale.hpp"

/// Numbers of extreme size: products of them underflow and overflow. Pairs share a point by construction: all their
/// numbers are integers times a power of two, so that both shapes contain the point exactly. None may be separated.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;

template <class T>
class Extremes : public testing::Test {
public:
    using V = gjk::Vec3<T>;

protected:
    static constexpr int least_exponent = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    static constexpr int most_exponent = std::numeric_limits<T>::max_exponent - 28;

    [[nodiscard]] static T power(int e) { return std::ldexp(T(1), e); }
    [[nodiscard]] int below(int n) { return random_.below(n); }
    [[nodiscard]] T integer(int size) { return static_cast<T>(below(2 * size + 1) - size); }
    [[nodiscard]] V vector(int size) { return {integer(size), integer(size), integer(size)}; }
    [[nodiscard]] T some(int most) { return static_cast<T>(1 + below(most)); }

    /// Any direction, of any length that is not 0; its components may differ by many powers of two.
    [[nodiscard]] V direction() {
        const bool alike = random_.chance(0.5);
        const int e = exponent();
        const auto number = [&] { return integer(4) * power(std::min(alike ? e : exponent(), most_exponent + 24)); };
        const V d{number(), number(), number()};
        return is_zero(d) ? V{power(e), 0, 0} : d;
    }
    [[nodiscard]] int exponent() { return least_exponent + below(most_exponent + 24 - least_exponent); }

    /// The axes in some order, with signs, times 2^k.
    [[nodiscard]] gjk::Matrix<T, 3> turn(int k) {
        V axes[3] = {{power(k), 0, 0}, {0, power(k), 0}, {0, 0, power(k)}};
        for (int i = 2; i > 0; --i) std::swap(axes[i], axes[below(i + 1)]);
        for (V& axis : axes) axis = random_.chance(0.5) ? -axis : axis;
        return {{axes[0], axes[1], axes[2]}};
    }
    /// How a length of 2^e is split between a matrix and what it maps.
    [[nodiscard]] int split(int e) {
        const int k = below(253) - 126;
        return e - k < least_exponent || e - k > most_exponent || k < least_exponent || k > most_exponent ? 0 : k;
    }

    /// An axis' length, to be added to a coordinate: as short as numbers go where that is 0.
    [[nodiscard]] T length(T coordinate, T s) {
        if (coordinate != 0) return some(64) * s;
        return std::max(s * power(-below(80)), power(least_exponent));
    }

    /// Calls `use` with a shape that contains p * 2^e: on its boundary as a rule.
    template <class Use>
    void with_shape(const V& p, int e, const Use& use) {
        const T s = power(e);
        const V at = s * p;
        const auto size = [&] { return some(64) * s; };
        kind_[1] = kind_[0], kind_[0] = below(13);
        switch (kind_[0]) {
            case 0:
                return use(gjk::Point<T>{at});
            case 1: {
                const V way = vector(64);
                return use(gjk::Segment<T>{s * (p - static_cast<T>(below(3)) * way), s * (p + some(3) * way)});
            }
            case 2:
                return use(gjk::Triangle<T>{s * (p + vector(64)), at, s * (p + vector(64))});
            case 3: {
                const T k = some(16);
                return use(gjk::Sphere<T>{s * (p + V{3 * k, 0, -4 * k}), 5 * k * s});
            }
            case 4: {
                const T k = some(16);
                const V end = p + V{0, 4 * k, 3 * k};
                return use(gjk::Capsule<T>{s * end, s * (end + vector(64)), 5 * k * s});
            }
            case 5: {
                const V half{some(64), some(64), some(64)};
                const V corner{random_.chance(0.5) ? half.x : -half.x, integer(static_cast<int>(half.y)),
                               integer(static_cast<int>(half.z))};
                return use(gjk::Box<T>{s * (p - corner), s * half});
            }
            case 6: {
                const int k = split(e);
                const gjk::Matrix<T, 3> axes = turn(0);
                const V half{some(64), some(64), some(64)};
                gjk::Matrix<T, 3> scaled = axes;
                for (V& column : scaled.column) column = power(k) * column;
                return use(gjk::OrientedBox<T>{s * (p - axes * V{half.x, 0, -half.z}), scaled, power(e - k) * half});
            }
            case 7: {
                const int k = split(e);
                const gjk::Matrix<T, 3> axes = turn(0);
                const V half{some(64), some(64), some(64)};
                gjk::Matrix<T, 3> scaled = axes;
                for (V& column : scaled.column) column = power(k) * column;
                return use(gjk::Ellipsoid<T>{s * (p - axes * V{0, half.y, 0}), scaled, power(e - k) * half});
            }
            case 8: {  // p on the rim at a's end; the axis may be as short as numbers go
                const T r = size(), length = this->length(p.x, s);
                const V a = at - V{0, r, 0};
                return use(gjk::Cylinder<T>{a, V{a.x + length, a.y, a.z}, r});
            }
            case 9: {
                const T r = size(), length = this->length(p.y, s);
                const V base = at - V{0, 0, r};
                return use(gjk::Cone<T>{base, V{base.x, base.y - length, base.z}, r});
            }
            case 10: {
                std::vector<V> points = {at};
                for (int i = 0; i < 6; ++i) points.push_back(s * (p + vector(64)));
                return use(gjk::Hull<T>(points));
            }
            case 11: {  // a mapped capsule
                const int k = split(e);
                const gjk::Matrix<T, 3> axes = turn(0);
                gjk::Affine<T, 3> map;
                for (int i = 0; i < 3; ++i) map.linear.column[i] = power(k) * axes.column[i];
                const V q = vector(64), moved = p - axes * q;
                map.translation = s * moved;
                const T inner = power(e - k), r = some(16);
                return use(gjk::Transformed{
                    gjk::Capsule<T>{inner * (q + V{0, 3 * r, 4 * r}), inner * (q + vector(64)), 5 * r * inner}, map});
            }
            default: {
                const V half{some(64), some(64), some(64)}, way = vector(64);
                const gjk::Box<T> box{s * (p - half - way), s * half};
                return use(gjk::Rounded{gjk::Swept{box, s * way}, some(4) * s});
            }
        }
    }

    void expect_meeting(int e) {
        V p = vector(64);
        if (random_.chance(0.3)) p.x = 0;
        if (random_.chance(0.3)) p.y = 0;
        with_shape(p, e, [&](const auto& a) {
            with_shape(p, e, [&](const auto& b) {
                const V d = direction();
                const Verdict plain = gjk::intersect(a, b).verdict,
                              aimed = gjk::intersect(a, b, {.direction = d}).verdict;
                EXPECT_NE(plain, Verdict::separated) << "2^" << e << ", kinds " << kind_[1] << " and " << kind_[0];
                EXPECT_NE(aimed, Verdict::separated) << "2^" << e << " along " << d.x << ' ' << d.y << ' ' << d.z;
                const auto found = gjk::distance(a, b, {.direction = d});
                EXPECT_NE(found.verdict, Verdict::separated) << "2^" << e;
                EXPECT_EQ(found.lower, 0) << "2^" << e;
                EXPECT_GE(found.upper, 0);
                EXPECT_EQ(gjk::cast(a, d, b).earliest, 0) << "2^" << e;
                EXPECT_NE(gjk::penetration(a, b).verdict, Verdict::separated) << "2^" << e;
                decided_ += plain == Verdict::intersecting;
            });
        });
    }

    Random random_{20261124};
    int decided_ = 0;
    int kind_[2] = {};
};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Extremes, Numbers);

TYPED_TEST(Extremes, ShapesThatShareAPointAreNeverSeparated) {
    const int pairs = scaled(60'000);
    for (int i = 0; i < pairs; ++i) {
        this->expect_meeting(TestFixture::least_exponent +
                             this->below(TestFixture::most_exponent - TestFixture::least_exponent));
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(this->decided_, pairs / 3);
}

TYPED_TEST(Extremes, OfOrdinarySizeMostAreDecided) {
    const int pairs = scaled(20'000);
    for (int i = 0; i < pairs; ++i) this->expect_meeting(this->below(21) - 10);
    EXPECT_GT(this->decided_, pairs / 2);
}

/// A length's bounds hold, and are of use, from where squares underflow to where they overflow.
TYPED_TEST(Extremes, DistancesAreBracketedAtEveryScale) {
    using T = TypeParam;
    using Vector = typename TestFixture::V;
    constexpr int most = std::numeric_limits<T>::max_exponent - 30;
    int tight = 0;
    const int pairs = scaled(20'000);
    for (int i = 0; i < pairs; ++i) {
        const Vector a = this->vector(64), b = this->vector(64), c = this->vector(64);
        const T height = this->some(64);
        const int e = this->below(2 * most) - most;
        const T s = TestFixture::power(e);
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
