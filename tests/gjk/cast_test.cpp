#include <gtest/gtest.h>

#include <limits>

#include "gjk/reference.hpp"
#include "gjk/specimens.hpp"
#include "support/scale.hpp"

/// Casts are never late, by certificates in 50 digits and by closed forms, and early by no
/// more than the width of their interval.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using reference::Real;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What became of many casts.
struct Tally {
    int separated = 0, intersecting = 0, undecided = 0, from_the_start = 0, queries = 0;

    [[nodiscard]] int total() const { return separated + intersecting + undecided; }
};

/// In 50 digits, the direction proves that there is no contact before `earliest`.
template <class A, class B, class V>
void expect_proof(const A& a, const V& motion, const B& b, const gjk::Cast<V>& found) {
    if (found.earliest == 0) return;
    const reference::Direction d = reference::exact(found.direction);
    const Real closing = reference::along(motion, d) / reference::length(d);
    EXPECT_GT(closing, 0);
    EXPECT_GE(reference::gap(a, b, d) - found.earliest * closing, 0) << found.earliest;
}

/// They share no point on the whole way: another question's direction proves it, in 50 digits.
template <class A, class B, class V>
void expect_no_contact(const A& a, const V& motion, const B& b) {
    const gjk::Swept<A> way{a, motion};
    const auto answer = gjk::distance(way, b);
    EXPECT_EQ(answer.verdict, Verdict::separated);
    EXPECT_GT(reference::gap(way, b, reference::exact(answer.direction)), 0);
}

/// They are in contact at `latest`, within rounding.
template <class A, class B, class V>
void expect_contact(const A& a, const V& motion, const B& b, const gjk::Cast<V>& found) {
    using T = gjk::ScalarOf<A>;
    const gjk::Moved<A> there{a, motion, found.latest};
    const T slack = T(1e3) * gjk::unit_roundoff<T> * (gjk::magnitude(there) + gjk::magnitude(b));
    EXPECT_LE(gjk::distance(there, b).lower, slack);
}

template <class T, int N>
Tally cast_many(std::uint64_t seed, int count) {
    Random random(seed);
    specimens::Maker<T, N> maker(random);
    const gjk::CastOptions<gjk::Vec<T, N>> options;
    Tally tally;
    int wide = 0;
    for (int i = 0; i < count; ++i) {
        const specimens::Any<T, N> a{maker(random.below(specimens::kinds<T, N>), {})};
        const auto place = maker.vector(6);
        const specimens::Any<T, N> b{maker(random.below(specimens::kinds<T, N>), place)};
        // Mostly towards the other, sometimes anywhere.
        const auto motion =
            random.chance(0.8) ? static_cast<T>(random.range(0.5, 3)) * (place + maker.vector(0.7)) : maker.vector(9);
        const gjk::Cast<gjk::Vec<T, N>> found = gjk::cast(a, motion, b, options);
        tally.queries += found.queries;
        switch (found.verdict) {
            case Verdict::separated:
                ++tally.separated;
                EXPECT_GT(found.earliest, 1);
                expect_no_contact(a, motion, b);
                break;
            case Verdict::intersecting:
                ++tally.intersecting;
                tally.from_the_start += found.latest == 0;
                EXPECT_LE(found.earliest, found.latest);
                expect_proof(a, motion, b, found);
                EXPECT_LE(found.latest, 1);
                EXPECT_LE(found.latest - found.earliest, options.width * T(65));
                wide += found.latest - found.earliest > options.width * T(1.01);
                expect_contact(a, motion, b, found);
                break;
            default:
                ++tally.undecided;
        }
    }
    std::printf(
        "seed %d: %d separated, %d intersecting (%d from the start), %d undecided, %.2f distances each, %d wide\n",
        static_cast<int>(seed), tally.separated, tally.intersecting, tally.from_the_start, tally.undecided,
        static_cast<double>(tally.queries) / tally.total(), wide);
    return tally;
}

void expect_all_sorts(const Tally& tally) {
    EXPECT_GT(tally.separated, tally.total() / 5);
    EXPECT_GT(tally.intersecting - tally.from_the_start, tally.total() / 5);
    EXPECT_GT(tally.from_the_start, 0);
    // They graze, or begin by touching.
    EXPECT_LT(tally.undecided, tally.total() / 50 + 1);
}

TEST(Cast, IsNeverLate) {
    expect_all_sorts(cast_many<double, 3>(1, scaled(4000)));
    expect_all_sorts(cast_many<double, 2>(2, scaled(4000)));
    expect_all_sorts(cast_many<float, 3>(3, scaled(4000)));
    expect_all_sorts(cast_many<float, 2>(4, scaled(4000)));
}

/// Balls: |p + t m| = r, solved in 50 digits.
TEST(Cast, BallsMeetWhenTheyMust) {
    Random random(5);
    specimens::Maker<double, 3> maker(random);
    int hits = 0;
    for (int i = 0; i < scaled(2000); ++i) {
        const gjk::Sphere<double> a{maker.vector(1), random.range(0, 1)}, b{maker.vector(8), random.range(0, 1)};
        const auto motion = random.range(0.5, 3) * (b.center - a.center + maker.vector(1.5));
        const auto found = gjk::cast(a, motion, b);
        const reference::Direction p = reference::exact(a.center) - reference::exact(b.center);
        const reference::Direction m = reference::exact(motion);
        const Real r = Real(a.radius) + b.radius, half = dot(p, m), square = dot(m, m);
        const Real inside = half * half - square * (dot(p, p) - r * r);
        if (inside < 0) {
            EXPECT_NE(found.verdict, Verdict::intersecting);
            continue;
        }
        const Real contact = (-half - sqrt(inside)) / square;
        if (dot(p, p) <= r * r) {
            EXPECT_EQ(found.earliest, 0);
            continue;
        }
        if (contact > 0) {
            EXPECT_LE(Real(found.earliest), contact);
        }
        if (found.verdict == Verdict::intersecting) {
            ++hits;
            EXPECT_GE(Real(found.latest), contact);
        } else if (contact < 0 || contact > 1) {
            EXPECT_EQ(found.verdict, Verdict::separated);
        }
    }
    EXPECT_GT(hits, scaled(500));
}

/// Boxes: the last of the axes to meet, in 50 digits.
TEST(Cast, BoxesMeetWhenTheyMust) {
    Random random(6);
    specimens::Maker<double, 3> maker(random);
    int hits = 0, misses = 0;
    for (int i = 0; i < scaled(2000); ++i) {
        const gjk::Box<double> a{maker.vector(1), maker.sizes()}, b{maker.vector(8), maker.sizes()};
        const auto motion = random.range(0.5, 3) * (b.center - a.center + maker.vector(1.5));
        const auto found = gjk::cast(a, motion, b);
        Real enter = 0, leave = 1;
        const auto axis = [&](double from, double to, double by, double size_a, double size_b) {
            const Real gap = Real(to) - from, size = Real(size_a) + size_b;
            Real first = (gap - size) / by, last = (gap + size) / by;
            if (first > last) std::swap(first, last);
            enter = std::max(enter, first);
            leave = std::min(leave, last);
        };
        axis(a.center.x, b.center.x, motion.x, a.half.x, b.half.x);
        axis(a.center.y, b.center.y, motion.y, a.half.y, b.half.y);
        axis(a.center.z, b.center.z, motion.z, a.half.z, b.half.z);
        if (enter <= leave) {
            ++hits;
            EXPECT_LE(Real(found.earliest), enter);
            if (enter + Real(1e-8) < leave) {
                EXPECT_EQ(found.verdict, Verdict::intersecting);
                EXPECT_GE(Real(found.latest), enter - Real(1e-15));
            }
        } else {
            ++misses;
            EXPECT_NE(found.verdict, Verdict::intersecting);
            if (enter > leave + Real(1e-8)) {
                EXPECT_EQ(found.verdict, Verdict::separated);
            }
        }
    }
    EXPECT_GT(hits, scaled(500));
    EXPECT_GT(misses, scaled(300));
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
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const gjk::Vec3<double> way{20, 0, 0};
    for (const double bad : {nan, infinity}) {
        EXPECT_EQ(gjk::cast(a, {bad, 0, 0}, b).verdict, Verdict::undecided) << bad;
        EXPECT_EQ(gjk::cast(a, way, gjk::Sphere<double>{{bad, 0, 0}, 1}).verdict, Verdict::undecided) << bad;
        EXPECT_NE(gjk::cast(a, way, gjk::Sphere<double>{{9, 0, 0}, bad}).verdict, Verdict::separated) << bad;
        EXPECT_LE(gjk::cast(a, {bad, 0, 0}, b).earliest, 0.35) << bad;
    }
    for (const double bad : {nan, -1.0}) {
        const auto found = gjk::cast(a, way, b, {.until = bad});
        EXPECT_EQ(found.verdict, Verdict::undecided);
        EXPECT_EQ(found.earliest, 0);
    }
    EXPECT_EQ(gjk::cast(a, way, b, {.width = nan}).verdict, Verdict::undecided);
}

}  // namespace
