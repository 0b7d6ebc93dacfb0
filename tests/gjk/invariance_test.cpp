#include <gtest/gtest.h>

#include "gjk/cases.hpp"
#include "gjk/specimens.hpp"
#include "support/scale.hpp"

/// Answers do not change with the order of the two shapes, nor when the world is translated, rotated, mirrored or
/// scaled.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;

template <class C>
class Invariance : public testing::Test {
protected:
    using T = typename C::T;
    static constexpr int N = C::dimension;
    using V = gjk::Vec<T, N>;
    using Any = specimens::Any<T, N>;

    /// Pairs of all kinds, a around the origin, b around another point.
    template <class Check>
    void for_pairs(int count, Check&& check) {
        int separated = 0, total = 0;
        for (int i = 0; i < scaled(count); ++i) {
            SCOPED_TRACE(i);
            const Any a{maker_(random_.below(specimens::kinds<T, N>), {})};
            const Any b{maker_(random_.below(specimens::kinds<T, N>), maker_.vector(random_.log_range(0.3, 6)))};
            const auto found = gjk::distance(a, b);
            ++total;
            separated += found.verdict == Verdict::separated;
            check(a, b, found);
            if (HasFailure()) return;
        }
        EXPECT_GT(separated, total / 3);
        EXPECT_LT(separated, total - total / 20);
    }

    /// The same answer at another place: points moved by `place`, lengths by `scale`.
    template <class Place>
    static void expect_same(const gjk::Distance<V>& expected, const gjk::Distance<V>& found, T scale, T size,
                            Place&& place) {
        // What either bounds say they do not know, and rounding.
        const T slack = 1000 * gjk::unit_roundoff<T> * size +
                        (expected.lower > 0 ? expected.upper - expected.lower : T(0)) +
                        (found.lower > 0 ? (found.upper - found.lower) / scale : T(0));
        const bool clear = expected.lower > 4 * slack || expected.verdict == Verdict::intersecting;
        if (clear) {
            EXPECT_EQ(found.verdict, expected.verdict) << expected.distance << " " << found.distance / scale;
        }
        EXPECT_NEAR(found.distance / scale, expected.distance, slack);
        // Where faces are parallel, other points may be as near.
        const V a = place(expected.a), b = place(expected.b);
        if (expected.verdict == Verdict::separated) {
            EXPECT_NEAR(gjk::length(found.a - found.b) / scale, gjk::length(a - b) / scale, slack);
        }
    }

    Random random_{41};
    specimens::Maker<T, N> maker_{random_};
};
TYPED_TEST_SUITE(Invariance, Cases);

TYPED_TEST(Invariance, OfTheOrder) {
    this->for_pairs(1500, [](const auto& a, const auto& b, const auto& found) {
        TestFixture::expect_same(found, gjk::distance(b, a), 1, a.magnitude() + b.magnitude(),
                                 [](const auto& p) { return p; });
        const Verdict one = gjk::intersect(a, b).verdict, other = gjk::intersect(b, a).verdict;
        EXPECT_TRUE(one == other || one == Verdict::undecided || other == Verdict::undecided ||
                    found.distance <
                        200 * gjk::unit_roundoff<decltype(found.distance)> * (a.magnitude() + b.magnitude()));
    });
}

/// Both placed by one pose a million away, and asked about relative to the first: nothing is lost.
TYPED_TEST(Invariance, OfThePlaceInTheWorld) {
    using Number = typename TestFixture::T;
    constexpr int dimension = TestFixture::N;
    this->for_pairs(1500, [&](const auto& a, const auto& b, const auto& found) {
        specimens::Maker<double, dimension> maker(this->random_);
        gjk::Pose<double, dimension> world{maker.rotation(), maker.vector(1e6)}, other = world;
        // b's own coordinates have their origin elsewhere, in the world, by a vector that floats hold.
        const auto move = this->maker_.vector(2);
        other.translation += world.rotation * gjk::cast<double>(move);
        const gjk::Pose<Number, dimension> placed = gjk::cast<Number>(gjk::relative(world, other));
        const gjk::Sum moved{b, gjk::Point<Number, dimension>{-move}};
        const auto again = gjk::distance(a, gjk::Placed{moved, placed});
        // What doubles lose of positions a million away is there before any question is asked.
        const double lost =
            1e6 * 1e-15 + 400 * double{gjk::unit_roundoff<Number>} * double{a.magnitude() + b.magnitude() + 4};
        EXPECT_NEAR(again.distance, found.distance, lost);
        if (double{found.lower} > 4 * lost) {
            EXPECT_EQ(again.verdict, Verdict::separated);
        }
    });
}

TYPED_TEST(Invariance, OfTheWorldsRotationAndMirrorImage) {
    this->for_pairs(1500, [&](const auto& a, const auto& b, const auto& found) {
        gjk::Pose<typename TestFixture::T, TestFixture::N> pose{this->maker_.rotation(), this->maker_.vector(3)};
        if (this->random_.chance(0.5)) pose.rotation.column[0] = -pose.rotation.column[0];
        const auto place = [&](const auto& p) { return pose.rotation * p + pose.translation; };
        const auto size = a.magnitude() + b.magnitude() + 6;
        TestFixture::expect_same(found, gjk::distance(gjk::Placed{a, pose}, gjk::Placed{b, pose}), 1, size, place);
        const auto mirrored = gjk::distance(gjk::Negated{a}, gjk::Negated{b});
        TestFixture::expect_same(found, mirrored, 1, size, [](const auto& p) { return -p; });
    });
}

TYPED_TEST(Invariance, OfTheUnitOfLength) {
    using Number = typename TestFixture::T;
    this->for_pairs(1500, [&](const auto& a, const auto& b, const auto& found) {
        const Number scale = static_cast<Number>(this->random_.log_range(1e-6, 1e6));
        gjk::Affine<Number, TestFixture::N> map;
        for (auto& column : map.linear.column) column = scale * column;
        const gjk::Transformed scaled_a{a, map}, scaled_b{b, map};
        const auto again = gjk::distance(scaled_a, scaled_b);
        TestFixture::expect_same(found, again, scale, a.magnitude() + b.magnitude(),
                                 [&](const auto& p) { return scale * p; });
        const Verdict verdict = gjk::intersect(scaled_a, scaled_b).verdict;
        EXPECT_TRUE(verdict == again.verdict ||
                    again.lower < 200 * gjk::unit_roundoff<Number> * gjk::magnitude(scaled_a));
    });
}

}  // namespace
