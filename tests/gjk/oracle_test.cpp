#include <gtest/gtest.h>

#include "gjk/cases.hpp"
#include "gjk/polytopes.hpp"
#include "support/scale.hpp"

/// Distances and verdicts against rational arithmetic.

namespace {

namespace gjk = lanecull::gjk;
using polytopes::Cloud;
using polytopes::Points;

template <class C>
class Oracle : public testing::Test {
protected:
    using T = typename C::T;
    static constexpr int N = C::dimension;
    using V = gjk::Vec<T, N>;

    struct Counts {
        int total = 0, apart = 0, together = 0, undecided = 0;
        double worst = 0, widest = 0;
    };

    /// accuracy: of the distance, relative to the size.
    void check(const Points<T, N>& a, const Points<T, N>& b, double accuracy) {
        const gjk::Hull<T, N> hull_a(a), hull_b(b);
        const double size = double{hull_a.magnitude()} + double{hull_b.magnitude()}, u = gjk::unit_roundoff<T>;
        const double exact = polytopes::exact_distance(a, b), least = 200 * u * size;
        ++counts_.total;
        counts_.apart += exact > least;
        counts_.together += exact == 0;

        const auto found = gjk::distance(hull_a, hull_b);
        EXPECT_NEAR(found.distance, exact, accuracy * size);
        EXPECT_LE(found.lower, exact * (1 + 1e-15));
        EXPECT_GE(found.upper, exact * (1 - 1e-15));
        EXPECT_LE(distance_from(found.a, a), accuracy * size);
        EXPECT_LE(distance_from(found.b, b), accuracy * size);
        counts_.worst = std::max(counts_.worst, std::fabs(found.distance - exact) / size);
        if (found.verdict == gjk::Verdict::separated) {
            EXPECT_TRUE(polytopes::separates(found.direction, a, b));
            counts_.widest = std::max(counts_.widest, double{found.upper - found.lower} / size);
        }
        const auto answer = gjk::intersect(hull_a, hull_b);
        for (const gjk::Verdict verdict : {found.verdict, answer.verdict}) {
            EXPECT_FALSE(exact == 0 && verdict == gjk::Verdict::separated);
            EXPECT_FALSE(exact > accuracy * size && verdict == gjk::Verdict::intersecting);
            counts_.undecided += verdict == gjk::Verdict::undecided;
        }
        if (answer.verdict == gjk::Verdict::separated) {
            EXPECT_TRUE(polytopes::separates(answer.direction, a, b));
        }
    }

    /// Of all, so many could not be told.
    void expect_hits(double apart, double together, double undecided) {
        std::printf("%d pairs: %d apart, %d together, %d verdicts undecided; off by %.2g of the size, bounds %.2g\n",
                    counts_.total, counts_.apart, counts_.together, counts_.undecided, counts_.worst, counts_.widest);
        EXPECT_GE(counts_.apart, apart * counts_.total);
        EXPECT_GE(counts_.together, together * counts_.total);
        EXPECT_LE(counts_.undecided, undecided * 2 * counts_.total);
    }

    [[nodiscard]] static double distance_from(const V& point, const Points<T, N>& points) {
        return polytopes::exact_distance(Points<T, N>{point}, points);
    }

    [[nodiscard]] gjk::Vec<double, N> offset() {
        const double far = random_.log_range(0.01, 10);
        return far * specimens::Maker<double, N>(random_).vector(1);
    }

    static constexpr double rounding = 50 * double{gjk::unit_roundoff<T>};

    Random random_{31};
    Counts counts_;
};
TYPED_TEST_SUITE(Oracle, Cases);

TYPED_TEST(Oracle, KnowsTheDistance) {
    Cloud<typename TestFixture::T, TestFixture::N> cloud(this->random_);
    for (int i = 0; i < scaled(600); ++i) {
        SCOPED_TRACE(i);
        this->check(cloud({}), cloud(this->offset()), this->rounding);
    }
    this->expect_hits(0.3, 0.3, 0);
}

TYPED_TEST(Oracle, KnowsTheDistanceAtEveryScale) {
    Cloud<typename TestFixture::T, TestFixture::N> cloud(this->random_);
    for (int i = 0; i < scaled(400); ++i) {
        SCOPED_TRACE(i);
        cloud.scale = this->random_.log_range(1e-6, 1e6);
        this->check(cloud({}), cloud(this->offset()), this->rounding);
    }
    this->expect_hits(0.3, 0.3, 0);
}

/// Faces, edges and vertices that touch, lie in one plane or coincide: half of all coordinates are equal to another.
TYPED_TEST(Oracle, KnowsTheDistanceOfWhatTouches) {
    Cloud<typename TestFixture::T, TestFixture::N> cloud(this->random_);
    cloud.halves = true;
    for (int i = 0; i < scaled(600); ++i) {
        SCOPED_TRACE(i);
        this->check(cloud({}), cloud(this->offset()), this->rounding);
    }
    this->expect_hits(0.3, 0.3, 0.01);
}

/// A millionth as thick as long, in one or two directions. Floats have some four bits left for the thickness then.
TYPED_TEST(Oracle, KnowsTheDistanceOfSlivers) {
    using Number = typename TestFixture::T;
    Cloud<Number, TestFixture::N> cloud(this->random_);
    for (int i = 0; i < scaled(600); ++i) {
        SCOPED_TRACE(i);
        cloud.stretch.x = this->random_.log_range(1e-6, 1);
        if (this->random_.chance(0.5)) cloud.stretch.y = this->random_.log_range(1e-6, 1);
        cloud.turn = specimens::Maker<Number, TestFixture::N>(this->random_).rotation();
        if (this->random_.chance(0.3)) cloud.turn = gjk::identity<Number, TestFixture::N>();
        this->check(cloud({}), cloud(this->offset()), sizeof(Number) == 4 ? 1e-5 : 1e-13);
    }
    this->expect_hits(0.2, 0.2, sizeof(Number) == 4 ? 0.05 : 0.001);
}

}  // namespace
