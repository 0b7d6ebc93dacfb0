#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numbers>

#include "gjk/polytopes.hpp"
#include "support/scale.hpp"

/// Iteration caps, distance limits, first directions, reused simplexes and traces; and NaN and infinities.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using V = gjk::Vec3<double>;

const gjk::Box<double> cube{{0, 0, 0}, {1, 1, 1}};

TEST(Options, TheCapLeavesItUndecided) {
    const gjk::OrientedBox<double> box{{1.5, 1.6, 1.7}, {{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}}, {1, 1, 1}};
    const auto all = gjk::intersect(cube, box);
    EXPECT_EQ(all.verdict, Verdict::intersecting);
    ASSERT_GT(all.steps, 3);
    for (int cap = 0; cap < all.steps; ++cap) {
        const auto capped = gjk::intersect(cube, box, {.max_steps = cap});
        EXPECT_EQ(capped.verdict, Verdict::undecided);
        EXPECT_EQ(capped.steps, cap);
        EXPECT_TRUE(gjk::may_intersect(cube, box, {.max_steps = cap}));
        EXPECT_LE(gjk::distance(cube, box, {.max_steps = cap}).steps, cap);
        EXPECT_NE(gjk::distance(cube, box, {.max_steps = cap}).verdict, Verdict::separated);
    }
    const gjk::Ellipsoid<double> round{{5, 4, 3}, gjk::identity<double, 3>(), {1, 2, 3}};
    const auto exact = gjk::distance(cube, round);
    for (int cap = 1; cap < exact.steps; ++cap) {
        const auto capped = gjk::distance(cube, round, {.max_steps = cap});
        EXPECT_EQ(capped.steps, cap);
        EXPECT_LE(capped.lower, exact.upper);
        EXPECT_GE(capped.upper, exact.lower);
    }
}

TEST(Options, TheLimitEndsItSooner) {
    Random random(61);
    specimens::Maker<double, 3> maker(random);
    int sooner = 0, total = 0;
    for (int i = 0; i < scaled(500); ++i) {
        const specimens::Any<double, 3> a{maker(random.below(specimens::kinds<double, 3>), {})};
        const specimens::Any<double, 3> b{maker(random.below(specimens::kinds<double, 3>), maker.vector(6))};
        const auto found = gjk::distance(a, b);
        if (found.verdict != Verdict::separated) continue;
        const double limit = random.range(0, 2) * found.distance;
        const auto limited = gjk::distance(a, b, {.limit = limit});
        ++total;
        sooner += limited.steps < found.steps;
        EXPECT_LE(limited.lower, found.upper);
        EXPECT_GE(limited.upper, found.lower);
        EXPECT_NEAR(limited.distance, gjk::length(limited.a - limited.b), 1e-12);
        if (limit < 0.99 * found.lower) {
            EXPECT_GT(limited.lower, limit);
            EXPECT_EQ(limited.verdict, Verdict::separated);
        }
        if (limit > found.upper) {
            EXPECT_EQ(limited.distance, found.distance);
        }
    }
    EXPECT_GT(total, scaled(200));
    EXPECT_GT(sooner, total / 4);
}

TEST(Options, TheToleranceIsKept) {
    const gjk::Ellipsoid<double> a{{0, 0, 0}, gjk::identity<double, 3>(), {1, 2, 3}};
    const gjk::Cone<double> b{{6, 5, 4}, {5, 8, 4}, 2};
    const double exact = gjk::distance(a, b).distance;
    int steps = 0;
    for (const double relative : {1e-1, 1e-2, 1e-4, 1e-6, 1e-9}) {
        const auto found = gjk::distance(a, b, {.relative = relative});
        EXPECT_LE(found.upper - found.lower, relative * found.upper + 1e-13);
        EXPECT_NEAR(found.distance, exact, relative * exact + 1e-13);
        EXPECT_GE(found.steps, steps);
        steps = found.steps;
    }
}

TEST(Options, AnyBeginningWillDo) {
    Random random(62);
    specimens::Maker<double, 3> maker(random);
    for (int i = 0; i < scaled(500); ++i) {
        const specimens::Any<double, 3> a{maker(random.below(specimens::kinds<double, 3>), {})};
        const specimens::Any<double, 3> b{maker(random.below(specimens::kinds<double, 3>), maker.vector(3))};
        const auto found = gjk::distance(a, b);
        const V direction = random.log_range(1e-9, 1e9) * maker.direction();
        EXPECT_NEAR(gjk::distance(a, b, {.direction = direction}).distance, found.distance, 1e-9);
        const Verdict verdict = gjk::intersect(a, b, {.direction = direction}).verdict;
        EXPECT_TRUE(verdict == found.verdict || found.distance < 1e-9);
    }
}

/// A pair that moves a little each time, from apart to together and apart again.
TEST(Options, AKeptSimplexIsAHeadStart) {
    Random random(63);
    specimens::Maker<double, 3> maker(random);
    int cold = 0, warm = 0, cold_steps = 0, warm_steps = 0, together = 0, total = 0;
    for (int i = 0; i < scaled(60); ++i) {
        const auto a = maker(random.below(specimens::kinds<double, 3>), {});
        const auto b = maker(random.below(specimens::kinds<double, 3>), {});
        gjk::Intersection<V> last;
        gjk::Distance<V> nearest;
        for (double x = -3; x < 3; x += 0.02) {
            const specimens::Any<double, 3> one{a};
            const gjk::Placed<specimens::Any<double, 3>> other{{b}, {gjk::identity<double, 3>(), {x, 0.1, 0.2}}};
            const auto from_scratch = gjk::intersect(one, other);
            last = gjk::intersect(one, other, {.warm = &last.simplex});
            cold += from_scratch.steps;
            warm += last.steps;
            const auto found = gjk::distance(one, other);
            EXPECT_TRUE(last.verdict == from_scratch.verdict || found.distance < 1e-13) << found.distance;
            nearest = gjk::distance(one, other, {.warm = &nearest.simplex});
            EXPECT_NEAR(nearest.distance, found.distance, 1e-10);
            EXPECT_NEAR(gjk::length(nearest.a - nearest.b), nearest.distance, 1e-10);
            cold_steps += found.steps;
            warm_steps += nearest.steps;
            together += found.verdict == Verdict::intersecting;
            ++total;
        }
    }
    EXPECT_GT(together, total / 10);
    EXPECT_LT(together, total - total / 10);
    std::printf("%d pairs: intersect() %.2f points from scratch, %.2f with what was kept; distance() %.2f and %.2f\n",
                total, double(cold) / total, double(warm) / total, double(cold_steps) / total,
                double(warm_steps) / total);
    EXPECT_LT(warm, cold);
}

TEST(Options, TheTraceTellsEveryStep) {
    const gjk::Sphere<double> ball{{4, 3, 2}, 1};
    int steps = 0;
    double nearest = std::numeric_limits<double>::infinity();
    const auto found = gjk::distance(cube, ball, {}, [&](const gjk::Simplex<V>& simplex, const V& direction) {
        ++steps;
        ASSERT_GE(simplex.count, 1);
        ASSERT_LE(simplex.count, 4);
        const gjk::SupportPoint<V>& newest = simplex.points[simplex.count - 1];
        EXPECT_EQ(newest.direction, direction);
        EXPECT_EQ(rescaled(newest.w), rescaled(newest.a - newest.b));
        // The ball's core, that is.
        EXPECT_EQ(newest.a, cube.support(direction));
        EXPECT_EQ(newest.b, ball.center);
        const double square = gjk::nearest_on(simplex).square;
        EXPECT_LT(square, nearest);
        nearest = square;
    });
    EXPECT_EQ(found.verdict, Verdict::separated);
    EXPECT_GE(steps, found.steps - 1);
    EXPECT_LE(steps, found.steps);
    steps = 0;
    (void)gjk::intersect(cube, gjk::Box<double>{{1.5, 1.2, 1.1}, {1, 1, 1}}, {},
                         [&](const gjk::Simplex<V>&, const V&) { ++steps; });
    EXPECT_GT(steps, 0);
}

/// Every number of every kind in turn.
template <class T, int N>
void expect_nothing_proved(T bad) {
    Random random(64);
    specimens::Maker<T, N> maker(random);
    int spoilt = 0;
    for (int kind = 0; kind < specimens::kinds<T, N>; ++kind) {
        std::visit(
            [&](auto shape) {
                using S = decltype(shape);
                if constexpr (!std::is_same_v<S, gjk::Hull<T, N>>) {
                    static_assert(sizeof(S) % sizeof(T) == 0);
                    for (std::size_t i = 0; i < sizeof(S) / sizeof(T); ++i) {
                        S broken = shape;
                        std::memcpy(reinterpret_cast<char*>(&broken) + i * sizeof(T), &bad, sizeof(T));
                        const gjk::Box<T, N> far{100 * gjk::some_axis<gjk::Vec<T, N>>(),
                                                 gjk::some_axis<gjk::Vec<T, N>>()};
                        for (const auto& found :
                             {gjk::distance(broken, far), gjk::distance(broken, far, {.limit = 1})}) {
                            EXPECT_NE(found.verdict, Verdict::separated) << "kind " << kind << ", number " << i;
                            EXPECT_FALSE(found.lower > 0) << "kind " << kind << ", number " << i;
                        }
                        EXPECT_TRUE(gjk::may_intersect(broken, far)) << "kind " << kind << ", number " << i;
                        EXPECT_TRUE(gjk::may_intersect(far, broken)) << "kind " << kind << ", number " << i;
                        ++spoilt;
                    }
                }
            },
            maker(kind, {}));
    }
    EXPECT_GT(spoilt, 60);
    const gjk::Vec<T, N> one = gjk::some_axis<gjk::Vec<T, N>>(), points[] = {one, bad * one, 3 * one};
    EXPECT_TRUE(gjk::may_intersect(gjk::Hull<T, N>(points), gjk::Point<T, N>{100 * one}));
}

TEST(Options, NothingIsProvedOfWhatIsNotANumber) {
    expect_nothing_proved<float, 2>(std::numeric_limits<float>::quiet_NaN());
    expect_nothing_proved<float, 3>(std::numeric_limits<float>::quiet_NaN());
    expect_nothing_proved<double, 2>(std::numeric_limits<double>::quiet_NaN());
    expect_nothing_proved<double, 3>(std::numeric_limits<double>::quiet_NaN());
    expect_nothing_proved<float, 3>(std::numeric_limits<float>::infinity());
    expect_nothing_proved<double, 3>(-std::numeric_limits<double>::infinity());
}

TEST(Options, NothingOverflowsIntoAProof) {
    for (const float huge : {1e19f, 1e25f, 1e30f, 1e37f, 3e38f}) {
        const gjk::Box<float> a{{0, 0, 0}, {huge, huge, huge}}, b{{huge, huge, 0}, {huge, huge, huge}};
        EXPECT_TRUE(gjk::may_intersect(a, b)) << huge;
        EXPECT_NE(gjk::distance(a, b).verdict, Verdict::separated) << huge;
        const gjk::Sphere<float> ball{{huge, 0, 0}, huge};
        EXPECT_TRUE(gjk::may_intersect(a, ball)) << huge;
        EXPECT_NE(gjk::distance(a, ball).verdict, Verdict::separated) << huge;
    }
    for (const float tiny : {1e-20f, 1e-30f, 1e-37f, 1e-44f}) {
        const gjk::Box<float> a{{0, 0, 0}, {tiny, tiny, tiny}}, b{{tiny, tiny, 0}, {tiny, tiny, tiny}};
        EXPECT_TRUE(gjk::may_intersect(a, b)) << tiny;
        EXPECT_NE(gjk::distance(a, b).verdict, Verdict::separated) << tiny;
        EXPECT_TRUE(gjk::may_intersect(gjk::Sphere<float>{{tiny, 0, 0}, tiny}, a)) << tiny;
    }
}

/// A polytope with its edges: points on a sphere, in rings, and a pole at either end.
struct Globe {
    explicit Globe(std::uint32_t rings, std::uint32_t around) {
        points.push_back({0, 0, -1});
        for (std::uint32_t i = 1; i <= rings; ++i) {
            const double z = -std::cos(std::numbers::pi * i / (rings + 1)), r = std::sqrt(1 - z * z);
            for (std::uint32_t k = 0; k < around; ++k) {
                const double angle = 2 * std::numbers::pi * k / around;
                points.push_back({r * std::cos(angle), r * std::sin(angle), z});
            }
        }
        points.push_back({0, 0, 1});
        const std::uint32_t top = rings * around + 1;
        first.push_back(0);
        for (std::uint32_t v = 0; v <= top; ++v) {
            if (v == 0 || v == top) {
                const std::uint32_t ring = v == 0 ? 1 : top - around;
                for (std::uint32_t k = 0; k < around; ++k) neighbors.push_back(ring + k);
            } else {
                const std::uint32_t ring = (v - 1) / around, k = (v - 1) % around;
                const auto at = [&](std::uint32_t r, std::uint32_t j) { return 1 + r * around + j % around; };
                neighbors.push_back(at(ring, k + 1));
                neighbors.push_back(at(ring, k + around - 1));
                neighbors.push_back(ring == 0 ? 0 : at(ring - 1, k));
                neighbors.push_back(ring + 1 == rings ? top : at(ring + 1, k));
            }
            first.push_back(static_cast<std::uint32_t>(neighbors.size()));
        }
    }

    std::vector<V> points;
    std::vector<std::uint32_t> first, neighbors;
};

TEST(Options, HullsClimbAsHighAsTheyCanBeSearched) {
    const Globe globe(40, 60);
    const gjk::Hull<double> climbing(globe.points, {globe.first, globe.neighbors}), searched(globe.points);
    ASSERT_TRUE(climbing.climbs());
    EXPECT_FALSE(searched.climbs());
    EXPECT_FALSE(climbing.exhaustive().climbs());
    Random random(65);
    specimens::Maker<double, 3> maker(random);
    for (int i = 0; i < scaled(20000); ++i) {
        const V d = maker.direction();
        EXPECT_NEAR(dot(climbing.support(d), d), dot(searched.support(d), d), 1e-15);
    }
    int separated = 0;
    for (int i = 0; i < scaled(2000); ++i) {
        const gjk::Pose<double, 3> pose{maker.rotation(), maker.vector(2)};
        const gjk::Placed<gjk::Hull<double>> other{climbing, pose}, same{searched, pose};
        const auto answer = gjk::intersect(climbing, other);
        EXPECT_EQ(answer.verdict, gjk::intersect(searched, same).verdict);
        EXPECT_NEAR(gjk::distance(climbing, other).distance, gjk::distance(searched, same).distance, 1e-13);
        separated += answer.verdict == Verdict::separated;
    }
    EXPECT_GT(separated, scaled(200));
    EXPECT_LT(separated, scaled(1800));
}

/// Adjacency that leads nowhere: climbing stops at once, and nothing is proved by it.
TEST(Options, ClimbingProvesNothing) {
    const Globe globe(20, 30);
    std::vector<std::uint32_t> none(globe.points.size() + 1, 0);
    const gjk::Hull<double> stuck(globe.points, {none, {}});
    ASSERT_TRUE(stuck.climbs());
    Random random(66);
    specimens::Maker<double, 3> maker(random);
    for (int i = 0; i < scaled(2000); ++i) {
        const gjk::Sphere<double> ball{0.9 * maker.direction(), 0.2};
        EXPECT_TRUE(gjk::may_intersect(stuck, ball));
        EXPECT_NE(gjk::distance(stuck, ball).verdict, Verdict::separated);
        EXPECT_TRUE(gjk::may_intersect(gjk::Swept<gjk::Hull<double>>{stuck, {0.1, 0, 0}}, ball));
    }
}

}  // namespace
