#include <gtest/gtest.h>

#include "gjk/cases.hpp"
#include "gjk/reference.hpp"
#include "gjk/specimens.hpp"
#include "support/scale.hpp"

/// Support mappings return a point of the shape that is as far along the direction as the shape reaches, up to the
/// error that `roundings` and magnitude() allow. Every proof of separation depends on that.

namespace {

namespace gjk = lanecull::gjk;
using reference::Real;

template <class C>
class Support : public testing::Test {};
TYPED_TEST_SUITE(Support, Cases);

/// Directions of all sorts: random, along axes, nearly along axes or across something, very short and very long.
template <class T, int N>
gjk::Vec<T, N> some_direction(Random& random, specimens::Maker<T, N>& maker) {
    gjk::Vec<T, N> d = maker.direction();
    if (random.chance(0.3)) {
        d.x = random.chance(0.5) ? T(0) : d.x * static_cast<T>(random.log_range(1e-9, 1));
        d.y = random.chance(0.5) ? T(0) : d.y * static_cast<T>(random.log_range(1e-9, 1));
    }
    if (gjk::is_zero(d)) return maker.direction();
    const T length = static_cast<T>(random.chance(0.5) ? 1 : random.log_range(1e-12, 1e12));
    return length * d;
}

TYPED_TEST(Support, ReachesAsFarAsTheShape) {
    using T = typename TypeParam::T;
    constexpr int N = TypeParam::dimension;
    Random random(11);
    specimens::Maker<T, N> maker(random);
    Real most = 0;
    for (int kind = 0; kind < specimens::kinds<T, N>; ++kind) {
        for (int i = 0; i < scaled(60); ++i) {
            const auto specimen = maker(kind, maker.vector(random.chance(0.5) ? 0 : 10));
            std::visit(
                [&](const auto& shape) {
                    const Real unit = gjk::unit_roundoff<T> * Real(gjk::magnitude(shape));
                    for (int k = 0; k < 20; ++k) {
                        const auto d = some_direction<T, N>(random, maker);
                        const auto p = shape.support(d);
                        const Real short_of =
                            reference::height(shape, reference::exact(d)) - reference::along(p, reference::exact(d));
                        const Real allowed =
                            gjk::roundings<std::remove_cvref_t<decltype(shape)>> * unit * Real(gjk::sum_norm(d));
                        EXPECT_LE(short_of, allowed) << "kind " << kind << ", shape " << i << ", direction " << k;
                        if (allowed > 0) most = std::max<Real>(most, short_of / allowed);
                        // Points of the shape, that is: nowhere beyond it.
                        const auto other = some_direction<T, N>(random, maker);
                        EXPECT_LE(reference::beyond(shape, p, reference::exact(other)), 64 * unit) << "kind " << kind;
                        EXPECT_LE(-short_of, 64 * unit * reference::length(reference::exact(d))) << "kind " << kind;
                    }
                },
                specimen);
        }
    }
    // The bounds are no orders of magnitude too large.
    EXPECT_GT(most, 0.03);
    std::printf("at most %.2f of what is allowed\n", most.template convert_to<double>());
}

TYPED_TEST(Support, TakesTheZeroDirection) {
    using T = typename TypeParam::T;
    constexpr int N = TypeParam::dimension;
    Random random(12);
    specimens::Maker<T, N> maker(random);
    for (int kind = 0; kind < specimens::kinds<T, N>; ++kind) {
        for (int i = 0; i < scaled(30); ++i) {
            std::visit(
                [&](const auto& shape) {
                    const auto p = shape.support({});
                    for (int k = 0; k < 20; ++k) {
                        EXPECT_LE(reference::beyond(shape, p, reference::exact(maker.direction())),
                                  64 * gjk::unit_roundoff<T> * gjk::magnitude(shape))
                            << "kind " << kind;
                    }
                },
                maker(kind, maker.vector(3)));
        }
    }
}

/// inside() and the core's points, too, are nowhere beyond the shape; and nothing is larger than magnitude() says.
TYPED_TEST(Support, TellsTheTruthAboutTheShape) {
    using T = typename TypeParam::T;
    constexpr int N = TypeParam::dimension;
    Random random(13);
    specimens::Maker<T, N> maker(random);
    int round = 0;
    for (int kind = 0; kind < specimens::kinds<T, N>; ++kind) {
        for (int i = 0; i < scaled(30); ++i) {
            std::visit(
                [&](const auto& shape) {
                    const Real size = gjk::magnitude(shape), slack = 64 * gjk::unit_roundoff<T> * size;
                    for (int k = 0; k < 20; ++k) {
                        const auto d = maker.direction();
                        const auto exact = reference::exact(d);
                        EXPECT_LE(reference::beyond(shape, gjk::inside(shape), exact), slack) << "kind " << kind;
                        EXPECT_LE(gjk::max_norm(shape.support(d)), size + slack) << "kind " << kind;
                        const auto& core = gjk::core(shape);
                        const Real whole =
                            reference::height(core, exact) + gjk::margin(shape) * reference::length(exact);
                        EXPECT_LE(abs(Real(whole - reference::height(shape, exact))), slack) << "kind " << kind;
                    }
                    round += gjk::margin(shape) > 0;
                },
                maker(kind, maker.vector(3)));
        }
    }
    EXPECT_GT(round, scaled(80));
}

/// Whoever says nothing of magnitude, center and core.
struct Egg {
    using Vector = gjk::Vec3<double>;
    Vector support(const Vector& d) const {
        const gjk::Ellipsoid<double> half{{1, 2, 3}, gjk::identity<double, 3>(), {1, 1, d.z > 0 ? 2.0 : 1.0}};
        return half.support(d);
    }
};

/// Whoever keeps a core hands out a reference.
struct Shell {
    using Vector = gjk::Vec3<double>;
    gjk::Box<double> kept{{0, 0, 0}, {1, 1, 1}};
    Vector support(const Vector&) const { return {NAN, NAN, NAN}; }  // not to be asked
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
