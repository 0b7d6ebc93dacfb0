#include <gtest/gtest.h>

#include <limits>

#include <lanecull/gjk.hpp>

/// Traces of the queries and options of casts, by examples; and shapes that say little about themselves.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using V = gjk::Vec3<double>;
constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

const gjk::Box<double> cube{{0, 0, 0}, {1, 1, 1}};

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

TEST(Cast, Options) {
    const gjk::Box<double> wall{{5, 0, 0}, {1, 1, 1}};
    const struct {
        V motion;
        gjk::CastOptions<V> options;
        Verdict expected;
    } cases[] = {
        {{2, 0, 0}, {}, Verdict::separated},
        {{2, 0, 0}, {.until = infinity}, Verdict::intersecting},
        {{-2, 0, 0}, {.until = infinity}, Verdict::separated},
        {{0, 0, 0}, {.until = infinity}, Verdict::separated},
        {{2, 0, 0}, {.until = nan}, Verdict::undecided},
        {{2, 0, 0}, {.until = -1}, Verdict::undecided},
        {{2, 0, 0}, {.until = 2, .width = nan}, Verdict::undecided},
        {{nan, 0, 0}, {}, Verdict::undecided},
        {{infinity, 0, 0}, {}, Verdict::undecided},
    };
    for (const auto& [motion, options, expected] : cases) {
        const auto found = gjk::cast(cube, motion, wall, options);
        EXPECT_EQ(found.verdict, expected) << motion.x << " until " << options.until;
        if (expected == Verdict::undecided) {
            EXPECT_LE(found.earliest, 1.5);
        }
    }
    const auto beyond = gjk::cast(cube, {2, 0, 0}, wall, {.until = 2});
    EXPECT_NEAR(beyond.earliest, 1.5, 1e-9);
    EXPECT_LE(beyond.queries, 5);
    EXPECT_EQ(gjk::cast(wall, {0, 0, 0}, wall).latest, 0);
    const auto capped = gjk::cast(cube, {9, 0.1, 0}, wall, {.max_queries = 1});
    EXPECT_EQ(capped.verdict, Verdict::undecided);
    EXPECT_GT(capped.earliest, 0.3);
    EXPECT_LE(capped.earliest, 1.0 / 3);
}

/// Sliding along a face: no contact can be told from none, and none is before it could be.
TEST(Cast, GrazingIsLeftOpen) {
    const gjk::Box<double> floor{{10, 0, -2}, {5, 5, 1}};
    const auto slide = [&](double height) {
        return gjk::cast(gjk::Box<double>{{0, 0, height}, {1, 1, 1}}, {10, 0, 0}, floor);
    };
    EXPECT_NE(slide(0).verdict, Verdict::separated);
    EXPECT_LE(slide(0).earliest, 0.4);
    EXPECT_EQ(slide(1e-9).verdict, Verdict::separated);
    EXPECT_EQ(slide(-1e-6).verdict, Verdict::intersecting);
    EXPECT_NEAR(slide(-1e-6).earliest, 0.4, 1e-8);
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
