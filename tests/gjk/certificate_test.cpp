#include <gtest/gtest.h>

#include "gjk/cases.hpp"
#include "gjk/reference.hpp"
#include "gjk/specimens.hpp"
#include "support/scale.hpp"

/// Verifies the certificates of answers in 50 digits against the shapes' definitions. Shapes called separated are apart
/// along the returned direction by at least the returned lower bound. The nearest points are on the shapes, and their
/// distance is the returned one. The two bounds then enclose the distance, however they were found.

namespace {

namespace gjk = lanecull::gjk;
using reference::Real;

template <class C>
class Certificates : public testing::Test {};
TYPED_TEST_SUITE(Certificates, Cases);

struct Counts {
    int separated = 0, intersecting = 0, undecided = 0, undecided_apart = 0, differing = 0;
    double widest = 0;  ///< bounds of what is separated, of the size
};

/// Beyond which no point of the shape may lie along any of some directions.
template <class S, class T, int N>
Real farthest_out(const S& shape, const gjk::Vec<T, N>& point, const gjk::Vec<T, N>& direction,
                  specimens::Maker<T, N>& maker) {
    Real most = -1;
    const auto look = [&](const gjk::Vec<T, N>& d) {
        if (!gjk::is_zero(d)) most = std::max(most, reference::beyond(shape, point, reference::exact(d)));
    };
    look(direction);
    look(-direction);
    for (int k = 0; k < 12; ++k) {
        const gjk::Vec<T, N> d = maker.direction();
        look(d);
        look(direction + static_cast<T>(0.01) * gjk::max_norm(direction) * d);
    }
    return most;
}

template <class A, class B, class T, int N>
void check(const A& a, const B& b, specimens::Maker<T, N>& maker, Counts& counts) {
    const Real size = gjk::magnitude(a) + gjk::magnitude(b), u = gjk::unit_roundoff<T>;
    const auto found = gjk::distance(a, b);
    const auto answer = gjk::intersect(a, b);
    // The textbook's answer and the distance's.
    if (answer.verdict == gjk::Verdict::separated) {
        EXPECT_GT(reference::gap(a, b, reference::exact(answer.direction)), 0);
        EXPECT_NE(found.verdict, gjk::Verdict::intersecting);
    }
    counts.differing += answer.verdict != found.verdict;

    ASSERT_LE(found.lower, found.upper);
    EXPECT_LE(found.distance, found.upper);
    EXPECT_GE(found.distance * (1 + 8 * u), found.lower);
    if (found.verdict == gjk::Verdict::separated) {
        ++counts.separated;
        EXPECT_GT(found.lower, 0);
        EXPECT_GE(reference::gap(a, b, reference::exact(found.direction)), found.lower);
        counts.widest = std::max(counts.widest, (Real(found.upper - found.lower) / size).template convert_to<double>());
    }
    counts.intersecting += found.verdict == gjk::Verdict::intersecting;
    if (found.verdict == gjk::Verdict::undecided) {
        ++counts.undecided;
        counts.undecided_apart += found.distance > 1000 * u * size;
    }
    // The nearest points, or the common one.
    const Real slack = 100 * u * size;
    EXPECT_LE(abs(Real(reference::length(reference::exact(found.a - found.b)) - found.distance)), slack);
    EXPECT_LE(farthest_out(a, found.a, found.direction, maker), slack);
    EXPECT_LE(farthest_out(b, found.b, -found.direction, maker), slack);
}

TYPED_TEST(Certificates, HoldForEveryPairOfKinds) {
    using T = typename TypeParam::T;
    constexpr int N = TypeParam::dimension;
    Random random(21);
    specimens::Maker<T, N> maker(random);
    Counts counts;
    int total = 0;
    for (int i = 0; i < specimens::kinds<T, N>; ++i) {
        for (int j = i; j < specimens::kinds<T, N>; ++j) {
            for (int k = 0; k < scaled(24); ++k) {
                SCOPED_TRACE(testing::Message() << "kinds " << i << " and " << j << ", case " << k);
                const auto a = maker(i, {}), b = maker(j, maker.vector(random.log_range(0.1, 10)));
                ++total;
                // Kinds of their own on one side, erased on the other: 15 x 15 pairs compile for minutes.
                std::visit([&](const auto& s) { check(s, specimens::Any<T, N>{b}, maker, counts); }, a);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    }
    std::printf("%d pairs: %d separated, %d intersecting, %d undecided (%d apart); bounds within %.2g of the size\n",
                total, counts.separated, counts.intersecting, counts.undecided, counts.undecided_apart, counts.widest);
    EXPECT_GT(counts.separated, total / 4);
    EXPECT_GT(counts.intersecting, total / 8);
    EXPECT_LE(counts.undecided, total / 200);
    EXPECT_EQ(counts.undecided_apart, 0);
    EXPECT_LE(counts.differing, total / 200);
    EXPECT_LT(counts.widest, sizeof(T) == 4 ? 1e-3 : 1e-9);
}

}  // namespace
