#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include <lanecull/gjk/distance.hpp>
#include <lanecull/gjk/hull.hpp>
#include <lanecull/gjk/intersect.hpp>
#include <lanecull/gjk/penetration.hpp>
#include <lanecull/gjk/shapes.hpp>

#include "support/random.hpp"
#include "support/scale.hpp"

/// penetration(): depths of polytopes against all separating axes, of round shapes against closed forms, of smooth ones
/// against a search over directions; that the returned translation separates the shapes, and that the returned points
/// are on both.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Vec;
using gjk::Verdict;

template <class T, int N>
Vec<T, N> random_vector(Random& random, double size) {
    const auto number = [&] { return static_cast<T>(random.range(-size, size)); };
    Vec<T, N> v;
    v.x = number(), v.y = number();
    if constexpr (N == 3) v.z = number();
    return v;
}

template <int N, class T>
Vec<double, N> wide(const Vec<T, N>& v) {
    Vec<double, N> result;
    result.x = static_cast<double>(v.x), result.y = static_cast<double>(v.y);
    if constexpr (N == 3) result.z = static_cast<double>(v.z);
    return result;
}

/// Directions in which facets of the difference of two polytopes can face: across two edges of either (in the plane,
/// across one). Every pair of points counts as an edge: too many directions change nothing, the depth is the least
/// extent over all of them.
std::vector<Vec<double, 3>> facet_directions(const std::vector<Vec<double, 3>>& edges) {
    std::vector<Vec<double, 3>> directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const auto& e : edges) {
        for (const auto& axis : {Vec<double, 3>{1, 0, 0}, Vec<double, 3>{0, 1, 0}}) {
            directions.push_back(gjk::cross(e, axis));
        }
        for (const auto& f : edges) directions.push_back(gjk::cross(e, f));
    }
    return directions;
}
std::vector<Vec<double, 2>> facet_directions(const std::vector<Vec<double, 2>>& edges) {
    std::vector<Vec<double, 2>> directions = {{1, 0}, {0, 1}};
    for (const auto& e : edges) directions.push_back(gjk::perpendicular(e));
    return directions;
}

/// How far a has to move against a direction to leave b.
template <int N>
double extent(const std::vector<Vec<double, N>>& a, const std::vector<Vec<double, N>>& b, const Vec<double, N>& d) {
    double high = -1e300, low = 1e300;
    for (const auto& p : a) high = std::max(high, dot(p, d));
    for (const auto& q : b) low = std::min(low, dot(q, d));
    return high - low;
}

/// The depth; negative when they are apart.
template <int N>
double exact_depth(const std::vector<Vec<double, N>>& a, const std::vector<Vec<double, N>>& b) {
    std::vector<Vec<double, N>> edges;
    for (const auto* points : {&a, &b}) {
        for (std::size_t i = 0; i < points->size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) edges.push_back((*points)[i] - (*points)[j]);
        }
    }
    double least = 1e300;
    double size = 0;
    for (const auto& e : edges) size = std::max(size, length(e));
    for (const Vec<double, N>& d : facet_directions(edges)) {
        const double l = length(d);
        if (!(l > 1e-9 * std::pow(size, N - 1)) || l == 0) continue;  // rounding's directions
        least = std::min({least, extent(a, b, 1 / l * d), extent(a, b, -1 / l * d)});
    }
    return least;
}

template <class T>
constexpr double precision = std::is_same_v<T, float> ? 4e-6 : 1e-12;

/// What every answer about intersecting shapes must keep; `size`: of both together.
template <class A, class B>
void expect_way_out(const A& a, const B& b, const gjk::Penetration<gjk::VectorOf<A>>& found, double size) {
    using T = gjk::ScalarOf<A>;
    const double slack = precision<T> * size + 2 * static_cast<double>(found.upper - found.lower);
    EXPECT_NEAR(static_cast<double>(length(found.direction)), 1, 1e-5);
    EXPECT_LE(found.lower, found.upper);
    EXPECT_LE(static_cast<double>(length(found.a - found.b - found.depth * found.direction)), slack);
    EXPECT_LE(static_cast<double>(gjk::distance(gjk::Point<T, gjk::dimension_of<A>>{found.a}, a).distance), slack)
        << "not on a";
    EXPECT_LE(static_cast<double>(gjk::distance(gjk::Point<T, gjk::dimension_of<A>>{found.b}, b).distance), slack)
        << "not on b";
    const auto moved = [&](double by) {
        gjk::Pose<T, gjk::dimension_of<A>> pose;
        pose.translation = static_cast<T>(by) * found.direction;
        return gjk::Placed<B>{b, pose};
    };
    // Farther than that and they are apart, less far and they are not.
    const double depth = static_cast<double>(found.depth);
    EXPECT_EQ(gjk::intersect(a, moved(depth + 8 * slack)).verdict, Verdict::separated);
    EXPECT_NE(gjk::intersect(a, moved(depth - 8 * slack)).verdict, Verdict::separated);
}

enum class Form { solid, flat, straight, single, box };
constexpr Form all_forms[] = {Form::solid, Form::flat, Form::straight, Form::single, Form::box};

template <class T, int N>
std::vector<Vec<T, N>> random_points(Form form, Random& random, double size, const Vec<T, N>& at) {
    std::vector<Vec<T, N>> points;
    const Vec<T, N> u = random_vector<T, N>(random, size), v = random_vector<T, N>(random, size);
    const int count = form == Form::single     ? 1
                      : form == Form::straight ? 2
                      : form == Form::box      ? 1 << N
                                               : 4 + random.below(8);
    for (int i = 0; i < count; ++i) {
        Vec<T, N> p = random_vector<T, N>(random, size);
        if (form == Form::flat) p = static_cast<T>(random.range(-1, 1)) * u + static_cast<T>(random.range(-1, 1)) * v;
        if (form == Form::box) {
            p.x = i & 1 ? u.x : -u.x, p.y = i & 2 ? u.y : -u.y;
            if constexpr (N == 3) p.z = i & 4 ? u.z : -u.z;
        }
        points.push_back(p + at);
    }
    return points;
}

template <class T, int N>
void expect_depths_of_polytopes(std::uint64_t seed) {
    using V = Vec<T, N>;
    Random random(seed);
    int intersecting = 0, all = 0;
    for (int trial = 0; trial < scaled(60); ++trial) {
        for (const Form form_a : all_forms) {
            for (const Form form_b : all_forms) {
                const double size = random.log_range(1e-6, 1e6);
                const auto a = random_points<T, N>(form_a, random, size, V{});
                const auto b = random_points<T, N>(form_b, random, size, random_vector<T, N>(random, 0.7 * size));
                std::vector<Vec<double, N>> wide_a, wide_b;
                for (const V& p : a) wide_a.push_back(wide(p));
                for (const V& p : b) wide_b.push_back(wide(p));
                const double exact = exact_depth(wide_a, wide_b), slack = precision<T> * size;
                SCOPED_TRACE("seed " + std::to_string(seed) + ", trial " + std::to_string(trial) + ", forms " +
                             std::to_string(static_cast<int>(form_a)) + " and " +
                             std::to_string(static_cast<int>(form_b)));
                const gjk::Hull<T, N> hull_a(a), hull_b(b);
                const auto found = gjk::penetration(hull_a, hull_b);
                EXPECT_LE(found.steps, 2 * 128 + 16);
                ++all;
                if (exact < -10 * slack) {
                    EXPECT_EQ(found.verdict, Verdict::separated);
                    continue;
                }
                if (exact < 10 * slack) {
                    EXPECT_LE(static_cast<double>(found.depth), 20 * slack);
                    continue;
                }
                ++intersecting;
                ASSERT_EQ(found.verdict, Verdict::intersecting);
                EXPECT_NEAR(static_cast<double>(found.depth), exact, slack + 1e-5 * exact);
                EXPECT_LE(static_cast<double>(found.lower), exact + slack);
                EXPECT_GE(static_cast<double>(found.upper), exact - slack);
                expect_way_out(hull_a, hull_b, found, size);
            }
        }
    }
    // Points and segments rarely meet anything thinner than a solid.
    EXPECT_GT(intersecting, all / 5);
    EXPECT_LT(intersecting, all * 4 / 5);
}

TEST(Penetration, IsExactForPolytopesInDouble) { expect_depths_of_polytopes<double, 3>(701); }
TEST(Penetration, IsExactForPolytopesInFloat) { expect_depths_of_polytopes<float, 3>(702); }
TEST(Penetration, IsExactForPolygonsInDouble) { expect_depths_of_polytopes<double, 2>(703); }
TEST(Penetration, IsExactForPolygonsInFloat) { expect_depths_of_polytopes<float, 2>(704); }

/// A shape that keeps its core to itself.
template <class S>
struct Bare {
    using Vector = gjk::VectorOf<S>;
    S shape;
    [[nodiscard]] Vector support(const Vector& d) const { return shape.support(d); }
};

TEST(Penetration, OfRoundShapesIsThatOfCoresAndMargins) {
    using V = Vec<double, 3>;
    Random random(705);
    for (int trial = 0; trial < scaled(500); ++trial) {
        const double r = random.range(0, 2), s = random.range(0.1, 2);
        const V p = random_vector<double, 3>(random, 1), q = random_vector<double, 3>(random, 1);
        const double apart = length(p - q);
        SCOPED_TRACE(trial);
        const gjk::Sphere<double> ball{p, r}, other{q, s};
        const auto found = gjk::penetration(ball, other);
        if (apart > r + s + 1e-9) {
            EXPECT_EQ(found.verdict, Verdict::separated);
        } else if (apart < r + s - 1e-9) {
            ASSERT_EQ(found.verdict, Verdict::intersecting);
            EXPECT_NEAR(found.depth, r + s - apart, 1e-12);
            expect_way_out(ball, other, found, 4);
        }
        // A ball in a box: out through the nearest side.
        const V half = {random.range(0.5, 3), random.range(0.5, 3), random.range(0.5, 3)};
        const gjk::Box<double> box{{0, 0, 0}, half};
        const V in = {p.x * 0.4 * half.x, p.y * 0.4 * half.y, p.z * 0.4 * half.z}, room = half - gjk::abs(in);
        const auto out = gjk::penetration(gjk::Sphere<double>{in, s}, box);
        EXPECT_NEAR(out.depth, std::min({room.x, room.y, room.z}) + s, 1e-12);
        expect_way_out(gjk::Sphere<double>{in, s}, box, out, 4);
        // A rounded box by its core and as whatever shape it may be.
        const gjk::Rounded<gjk::Box<double>> rounded{{q, {0.3, 0.4, 0.5}}, 0.25};
        const auto by_core = gjk::penetration(rounded, box),
                   bare = gjk::penetration(Bare<decltype(rounded)>{rounded}, box);
        if (by_core.verdict == Verdict::intersecting && by_core.depth > 1e-3) {
            EXPECT_NEAR(by_core.depth, bare.depth, 1e-4);
            expect_way_out(rounded, box, by_core, 4);
        }
    }
}

TEST(Penetration, OfFlatAndSmallShapes) {
    using gjk::Capsule;
    using gjk::Point;
    using gjk::Segment;
    const auto depth = [](const auto& a, const auto& b) {
        const auto found = gjk::penetration(a, b);
        EXPECT_EQ(found.verdict, Verdict::intersecting);
        return found.depth;
    };
    const Segment<double> along_x{{-1, 0, 0}, {1, 0, 0}}, along_y{{0, -1, 0}, {0, 1, 0}};
    const gjk::Triangle<double> triangle{{-1, -1, 0}, {2, 0, 0}, {-1, 1, 0}};
    EXPECT_EQ(depth(Point<double>{{1, 2, 3}}, Point<double>{{1, 2, 3}}), 0);
    EXPECT_NEAR(depth(along_x, along_y), 0, 1e-15);
    EXPECT_NEAR(depth(along_x, along_x), 0, 1e-15);
    EXPECT_NEAR(depth(triangle, along_y), 0, 1e-15);
    EXPECT_NEAR(depth(triangle, triangle), 0, 1e-15);
    EXPECT_NEAR(depth(Point<double>{{0, 0, 0}}, triangle), 0, 1e-15);
    EXPECT_NEAR(depth(Segment<double>{{0, 0, -1}, {0, 0, 3}}, triangle), 2 / std::sqrt(10.0), 1e-12) << "past an edge";
    EXPECT_NEAR(depth(Capsule<double>{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule<double>{{0, -1, 0}, {0, 1, 0}, 0.25}), 0.75,
                1e-12);
    EXPECT_NEAR(depth(Capsule<double>{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule<double>{{-1, 0, 0}, {1, 0, 0}, 0.5}), 1,
                1e-12);
    EXPECT_NEAR(depth(gjk::Circle<double>{{0, 0}, 1}, gjk::Circle<double>{{0, 0}, 0.5}), 1.5, 1e-12);
    EXPECT_NEAR(depth(Segment<double, 2>{{-1, 0}, {1, 0}}, Segment<double, 2>{{0, -2}, {0, 2}}), 1, 1e-12);
    EXPECT_NEAR(depth(Segment<double, 2>{{-1, 0}, {1, 0}}, Segment<double, 2>{{0, 0}, {3, 0}}), 0, 1e-15);
    // Kissing, one above the other, at one pose, and equally turned.
    const gjk::Box<double> cube{{0, 0, 0}, {1, 1, 1}};
    EXPECT_NEAR(gjk::penetration(cube, gjk::Box<double>{{2, 0.5, 0}, {1, 1, 1}}).depth, 0, 1e-14);
    EXPECT_NEAR(depth(cube, gjk::Box<double>{{1.9, 0, 0}, {1, 1, 1}}), 0.1, 1e-12);
    EXPECT_NEAR(depth(cube, cube), 2, 1e-12);
    const double c = std::cos(0.7), s = std::sin(0.7);
    const gjk::Matrix<double, 3> turn = {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    EXPECT_NEAR(depth(gjk::OrientedBox<double>{{0, 0, 0}, turn, {1, 1, 1}},
                      gjk::OrientedBox<double>{1.9 * turn.column[1], turn, {1, 1, 1}}),
                0.1, 1e-12);
}

/// The least extent over many directions, then over finer and finer steps around the best few.
template <class A, class B>
double searched_depth(const A& a, const B& b, Random& random) {
    using V = Vec<double, 3>;
    const auto along = [&](const V& d) { return dot(d, V(a.support(d)) - V(b.support(-d))); };
    std::vector<std::pair<double, V>> best;
    for (int i = 0; i < 3000; ++i) {
        const double z = (i + 0.5) / 1500 - 1, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
        const V d = {r * std::cos(turn), r * std::sin(turn), z};
        best.emplace_back(along(d), d);
    }
    std::sort(best.begin(), best.end(), [](auto& p, auto& q) { return p.first < q.first; });
    double least = best[0].first;
    for (std::size_t k = 0; k < 10; ++k) {
        auto [value, d] = best[3 * k];
        for (double step = 0.05; step > 1e-7; step *= 0.97) {
            const V next = gjk::unit(d + random_vector<double, 3>(random, step));
            const double here = along(next);
            if (here < value) value = here, d = next;
        }
        least = std::min(least, value);
    }
    return least;
}

TEST(Penetration, OfSmoothShapesConverges) {
    Random random(706);
    int checked = 0;
    const auto check = [&](const auto& a, const auto& b) {
        const auto found = gjk::penetration(a, b);
        if (found.verdict != Verdict::intersecting || found.depth < 1e-3) return;
        ++checked;
        const double searched = searched_depth(a, b, random);
        // The search never ends below the depth; it may end above.
        EXPECT_LE(found.lower, searched + 1e-9);
        EXPECT_LE(found.depth, searched + 1e-4);
        const auto& d = found.direction;
        EXPECT_NEAR(found.depth, dot(d, a.support(d) - b.support(-d)), 1e-12) << "it is the extent along the direction";
        EXPECT_LE(found.upper - found.lower, 2e-4);
        expect_way_out(a, b, found, 4);
    };
    for (int trial = 0; trial < scaled(100); ++trial) {
        SCOPED_TRACE(trial);
        const auto vector = [&](double size) { return random_vector<double, 3>(random, size); };
        const auto half = [&] {
            return Vec<double, 3>{random.range(0.3, 2), random.range(0.3, 2), random.range(0.3, 2)};
        };
        const gjk::Ellipsoid<double> egg{vector(1), gjk::identity<double, 3>(), half()};
        const gjk::Ellipsoid<double> other{vector(1), gjk::identity<double, 3>(), half()};
        const gjk::Cylinder<double> cylinder{vector(1.5), vector(1.5), random.range(0.1, 1)};
        const gjk::Cone<double> cone{vector(1.5), vector(1.5), random.range(0.1, 1)};
        const gjk::Box<double> box{vector(1), half()};
        check(egg, other);
        check(egg, box);
        check(cylinder, egg);
        check(cylinder, box);
        check(cone, box);
        check(cone, cylinder);
    }
    EXPECT_GT(checked, scaled(100) * 3);
}

TEST(Penetration, StopsWhereItIsTold) {
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
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const gjk::Box<double> cube{{0, 0, 0}, {1, 1, 1}};
    EXPECT_NE(gjk::penetration(gjk::Box<double>{{nan, 0, 0}, {1, 1, 1}}, cube).verdict, Verdict::separated);
    EXPECT_NE(gjk::penetration(cube, gjk::Sphere<double>{{0, 0, 0}, nan}).verdict, Verdict::separated);
}

}  // namespace
