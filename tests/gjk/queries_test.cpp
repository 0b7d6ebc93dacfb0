#include <gtest/gtest.h>

#include <limits>

#include <lanecull/gjk.hpp>

/// Options, caps, limits and traces of the queries, by examples; and shapes that say little about themselves.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using V = gjk::Vec3<double>;
constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

const gjk::Box<double> cube{{0, 0, 0}, {1, 1, 1}};

TEST(Queries, TheCapLeavesItUndecided) {
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

TEST(Queries, TheToleranceIsKept) {
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

TEST(Queries, TheTraceTellsEveryStep) {
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

TEST(Queries, NothingOverflowsIntoAProof) {
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

TEST(Penetration, StopsAtItsCap) {
    const gjk::Ellipsoid<double> a{{0, 0, 0}, gjk::identity<double, 3>(), {1, 2, 3}};
    const gjk::Ellipsoid<double> b{{0.3, 0.2, 0.1}, gjk::identity<double, 3>(), {3, 1, 2}};
    const auto exact = gjk::penetration(a, b);
    double gap = 1e300;
    for (const int steps : {8, 16, 32, 64}) {
        const auto found = gjk::penetration(a, b, {.max_steps = steps});
        EXPECT_LE(found.steps, 2 * steps + 16);
        EXPECT_LE(found.lower, exact.upper);
        EXPECT_GE(found.upper, exact.lower);
        EXPECT_LE(found.upper - found.lower, gap) << steps;
        gap = found.upper - found.lower;
    }
}

TEST(Cast, Options) {
    const gjk::Box<double> box{{0, 0, 0}, {1, 1, 1}}, wall{{5, 0, 0}, {1, 1, 1}};
    const gjk::Vec3<double> way{2, 0, 0};
    EXPECT_EQ(gjk::cast(box, way, wall).verdict, Verdict::separated);
    const auto beyond = gjk::cast(box, way, wall, {.until = 2});
    EXPECT_EQ(beyond.verdict, Verdict::intersecting);
    EXPECT_NEAR(beyond.earliest, 1.5, 1e-9);
    EXPECT_LE(beyond.queries, 5);
    EXPECT_EQ(gjk::cast(box, way, wall, {.until = infinity}).verdict, Verdict::intersecting);
    EXPECT_EQ(gjk::cast(box, -way, wall, {.until = infinity}).verdict, Verdict::separated);
    EXPECT_EQ(gjk::cast(box, {0, 0, 0}, wall, {.until = infinity}).verdict, Verdict::separated);
    EXPECT_EQ(gjk::cast(wall, {0, 0, 0}, wall).latest, 0);
    const auto capped = gjk::cast(box, {9, 0.1, 0}, wall, {.max_queries = 1});
    EXPECT_EQ(capped.verdict, Verdict::undecided);
    EXPECT_GT(capped.earliest, 0.3);
    EXPECT_LE(capped.earliest, 1.0 / 3);
}

/// Sliding along a face: no contact can be told from none, and none is before it could be.
TEST(Cast, GrazingIsLeftOpen) {
    const gjk::Box<double> box{{0, 0, 0}, {1, 1, 1}}, floor{{10, 0, -2}, {5, 5, 1}};
    const auto found = gjk::cast(box, {10, 0, 0}, floor);
    EXPECT_NE(found.verdict, Verdict::separated);
    EXPECT_LE(found.earliest, 0.4);
    const auto above = gjk::cast(gjk::Box<double>{{0, 0, 1e-9}, {1, 1, 1}}, {10, 0, 0}, floor);
    EXPECT_EQ(above.verdict, Verdict::separated);
    const auto below = gjk::cast(gjk::Box<double>{{0, 0, -1e-6}, {1, 1, 1}}, {10, 0, 0}, floor);
    EXPECT_EQ(below.verdict, Verdict::intersecting);
    EXPECT_NEAR(below.earliest, 0.4, 1e-8);
}

TEST(Cast, NumbersThatAreNone) {
    const gjk::Sphere<double> a{{0, 0, 0}, 1}, b{{9, 0, 0}, 1};
    const gjk::Vec3<double> way{20, 0, 0};
    for (const double bad : {nan, infinity}) {
        EXPECT_EQ(gjk::cast(a, {bad, 0, 0}, b).verdict, Verdict::undecided) << bad;
        EXPECT_LE(gjk::cast(a, {bad, 0, 0}, b).earliest, 0.35) << bad;
    }
    for (const double bad : {nan, -1.0}) {
        const auto found = gjk::cast(a, way, b, {.until = bad});
        EXPECT_EQ(found.verdict, Verdict::undecided);
        EXPECT_EQ(found.earliest, 0);
    }
    EXPECT_EQ(gjk::cast(a, way, b, {.width = nan}).verdict, Verdict::undecided);
}

/// A shape without magnitude, centre and core.
struct Egg {
    using Vector = gjk::Vec3<double>;
    Vector support(const Vector& d) const {
        const gjk::Ellipsoid<double> half{{1, 2, 3}, gjk::identity<double, 3>(), {1, 1, d.z > 0 ? 2.0 : 1.0}};
        return half.support(d);
    }
};

/// A shape that keeps a core returns a reference.
struct Shell {
    using Vector = gjk::Vec3<double>;
    gjk::Box<double> kept{{0, 0, 0}, {1, 1, 1}};
    Vector support(const Vector&) const { return {nan, nan, nan}; }  // never called
    const gjk::Box<double>& core() const { return kept; }
    double margin() const { return 0.5; }
};

TEST(Support, IsOfTheCoreWhereThereIsOne) {
    static_assert(gjk::Round<Shell> && std::is_same_v<gjk::CoreOf<Shell>, gjk::Box<double>>);
    EXPECT_NEAR(gjk::distance(Shell{}, gjk::Point<double>{{3, 0, 0}}).distance, 1.5, 1e-14);
    EXPECT_EQ(gjk::intersect(Shell{}, gjk::Point<double>{{1.4, 0, 0}}).verdict, gjk::Verdict::intersecting);
    EXPECT_EQ(gjk::intersect(Shell{}, gjk::Point<double>{{1.6, 0, 0}}).verdict, gjk::Verdict::separated);
}

TEST(Support, NeedsNothingButItself) {
    static_assert(gjk::Shape<Egg> && !gjk::Round<Egg> && !gjk::Climbing<Egg>);
    static_assert(!gjk::Shape<int> && !gjk::Shape<gjk::Vec3<double>>);
    static_assert(gjk::Pair<Egg, gjk::Box<double>> && !gjk::Pair<Egg, gjk::Box<float>> &&
                  !gjk::Pair<Egg, gjk::Circle<double>>);
    EXPECT_GE(gjk::magnitude(Egg{}), 5);
    EXPECT_LE(gjk::magnitude(Egg{}), 6 * 5);
    const auto found = gjk::distance(Egg{}, gjk::Box<double>{{1, 2, 9}, {1, 1, 1}});
    EXPECT_EQ(found.verdict, gjk::Verdict::separated);
    EXPECT_NEAR(found.distance, 3, 1e-12);
    EXPECT_EQ(gjk::intersect(Egg{}, gjk::Box<double>{{1, 2, 5.9}, {1, 1, 1}}).verdict, gjk::Verdict::intersecting);
    EXPECT_EQ(gjk::intersect(Egg{}, gjk::Box<double>{{1, 2, 6.1}, {1, 1, 1}}).verdict, gjk::Verdict::separated);
}

}  // namespace
