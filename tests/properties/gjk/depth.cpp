#include <algorithm>
#include <cmath>
#include <vector>

#include "properties/gjk/polytopes.hpp"
#include "properties/gjk/subject.hpp"

/// Depths: of polytopes against all separating axes, of balls and boxes against closed forms, of smooth shapes against
/// a search over directions. The returned translation separates the shapes, and the returned points are on both.
namespace properties::gjk_subject {
namespace {

template <class T>
constexpr double precision = sizeof(T) == 4 ? 4e-6 : 1e-12;

/// How far the points are from their shapes.
template <class A, class B>
double off_shapes(const A& a, const B& b, const gjk::Penetration<gjk::VectorOf<A>>& found) {
    using Point = gjk::Point<gjk::ScalarOf<A>, gjk::dimension_of<A>>;
    return std::max(double{gjk::distance(Point{found.a}, a).distance},
                    double{gjk::distance(Point{found.b}, b).distance});
}

/// What holds of every depth; `size`: of both together. Points are within `near` of their shapes.
template <class A, class B>
const char* broken_of(const A& a, const B& b, const gjk::Penetration<gjk::VectorOf<A>>& found, double size,
                      double near = 0) {
    using T = gjk::ScalarOf<A>;
    constexpr int N = gjk::dimension_of<A>;
    const double slack = precision<T> * size + 2 * double{found.upper - found.lower};
    if (found.verdict != Verdict::intersecting) return "not told to share a point";
    if (std::fabs(double{length(found.direction)} - 1) > 1e-5) return "the direction's length is not 1";
    if (!(found.lower <= found.upper)) return "bounds in the wrong order";
    if (double{length(found.a - found.b - found.depth * found.direction)} > slack) return "points at another depth";
    // In floats, of 10^5 points of polygons one is off by 2e-4 of the size.
    if (off_shapes(a, b, found) > std::max(near, sizeof(T) == 4 ? 1e-3 * size : slack))
        return "a point is off its shape";
    const auto verdict_at = [&](double by) {
        const gjk::Pose<T, N> pose{gjk::identity<T, N>(), static_cast<T>(by) * found.direction};
        return gjk::intersect(a, gjk::Placed<B>{b, pose}).verdict;
    };
    const auto depth = static_cast<double>(found.depth);
    if (verdict_at(depth + 8 * slack) != Verdict::separated) return "the translation does not separate";
    return verdict_at(depth - 8 * slack) == Verdict::separated ? "a shorter translation separates" : nullptr;
}

// Polytopes.

using polytopes::exact_depth;
template <int N>
using Points = specimens::Points<double, N>;

constexpr auto leave_polytopes = []<class T, int N>(const Trial& trial) {
    using Hull = gjk::Hull<T, N>;
    for (int i = 0; i < pairs_of(trial) / 16 && !trial.stopped(); ++i) {
        specimens::Clouds<T, N> clouds(trial.random, false);
        const double size = clouds.scale();
        const auto a = clouds.cloud(0), b = clouds.cloud(0.7);
        const specimens::Any<T, N> any_a{Hull(a)}, any_b{Hull(b)};
        const Judge judge(trial, any_a, any_b);
        const auto expect = [&](bool holds, const char* what) { judge.expect(holds, Tally::untold, what); };
        Points<N> wide_a, wide_b;
        for (const auto& p : a) wide_a.push_back(gjk::cast<double>(p));
        for (const auto& p : b) wide_b.push_back(gjk::cast<double>(p));
        const double exact = exact_depth<N>(wide_a, wide_b), slack = precision<T> * size;
        const Hull hull_a(a), hull_b(b);
        const auto found = gjk::penetration(hull_a, hull_b);
        const auto depth = static_cast<double>(found.depth);
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += exact >= 10 * slack;
        expect(found.steps <= 2 * 128 + 16, "more steps than there may be");
        if (exact < -10 * slack) {
            expect(found.verdict == Verdict::separated, "not told apart");
        } else if (exact < 10 * slack) {
            expect(depth <= 20 * slack, "deep, yet they touch");
        } else {
            expect(std::fabs(depth - exact) <= slack + 1e-5 * exact && double{found.lower} <= exact + slack &&
                       double{found.upper} >= exact - slack,
                   "another depth");
            expect(gjk::intersect(hull_a, hull_b).verdict == Verdict::intersecting &&
                       gjk::distance(hull_a, hull_b).verdict == Verdict::intersecting,
                   "deep, and not told to share a point");
            trial.at(Tally::differing) += off_shapes(hull_a, hull_b, found) > 10 * slack;
            judge.expect_none(broken_of(hull_a, hull_b, found, size));
        }
    }
};

// Round shapes.

using V = gjk::Vec3<double>;

/// The least extent over many directions, then over finer and finer steps around the best few.
template <class A, class B>
double searched_depth(Random& random, const A& a, const B& b) {
    specimens::Maker<double, 3> maker(random);
    const auto along = [&](const V& d) { return dot(d, V(a.support(d)) - V(b.support(-d))); };
    std::vector<std::pair<double, V>> best;
    for (int i = 0; i < 3000; ++i) {
        const double z = (i + 0.5) / 1500 - 1, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
        const V d = {r * std::cos(turn), r * std::sin(turn), z};
        best.emplace_back(along(d), d);
    }
    std::sort(best.begin(), best.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
    double least = best[0].first;
    for (std::size_t k = 0; k < 10; ++k) {
        auto [value, d] = best[3 * k];
        for (double step = 0.05; step > 1e-7; step *= 0.97) {
            const V next = gjk::unit(d + maker.vector(step));
            const double here = along(next);
            if (here < value) value = here, d = next;
        }
        least = std::min(least, value);
    }
    return least;
}

/// Balls that leave balls, and boxes through the nearest side.
void leave_by_closed_forms(const Trial& trial) {
    specimens::Maker<double, 3> maker(trial.random);
    const auto size = [&] { return trial.random.range(0.1, 2); };
    const gjk::Sphere<double> ball{maker.vector(1), size()}, other{maker.vector(1), size()};
    const gjk::Box<double> box{{0, 0, 0}, {size(), size(), size()}};
    const V in = {ball.center.x * box.half.x, ball.center.y * box.half.y, ball.center.z * box.half.z};
    const V room = box.half - gjk::abs(in);
    const gjk::Sphere<double> inside{in, other.radius};
    const auto expect = [&](const auto& a, const auto& b, double depth) {
        const auto found = gjk::penetration(a, b);
        const Judge judge(trial, a, b);
        if (depth < 1e-9)
            return judge.expect(depth > -1e-9 || found.verdict == Verdict::separated, Tally::untold, "deep");
        judge.expect(std::fabs(found.depth - depth) <= 1e-12, Tally::untold, "another depth");
        judge.expect_none(broken_of(a, b, found, 4));
    };
    expect(ball, other, ball.radius + other.radius - length(ball.center - other.center));
    expect(inside, box, std::min({room.x, room.y, room.z}) + inside.radius);
}

/// Shapes of any kinds, against a search.
void leave_by_search(const Trial& trial) {
    specimens::Maker<double, 3> maker(trial.random);
    const gjk::Rounded a{maker.any(maker.vector(0.3)), trial.random.chance(0.5) ? 0 : maker.size()};
    const auto b = maker.any({});
    const auto found = gjk::penetration(a, b);
    ++trial.at(Tally::cases);
    if (found.verdict != Verdict::intersecting || found.depth < 1e-3) return;
    ++trial.at(Tally::reached);
    // The search never ends below the depth; it may end above.
    const double searched = searched_depth(trial.random, a, b);
    const V& d = found.direction;
    const Judge judge(trial, a, b);
    judge.expect(found.lower <= searched + 1e-9 && found.depth <= searched + 1e-4, Tally::untold,
                 "deeper than the search");
    // With margins the depth is that of the cores' distance, and the direction between them is less accurate.
    judge.expect(std::fabs(found.depth - dot(d, a.support(d) - b.support(-d))) <= (a.radius > 0 ? 1e-9 : 1e-12),
                 Tally::untold, "not the extent along the direction");
    // At the cap on steps the bounds may be farther from each other.
    judge.expect(found.upper - found.lower <= (found.steps < 256 ? 2e-4 : 1e-2), Tally::untold,
                 "bounds that are far from each other");
    judge.expect_none(broken_of(a, b, found, 4, 1e-6));
}

void leave_round_shapes(const Trial& trial) {
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) leave_by_closed_forms(trial);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) leave_by_search(trial);
}

constexpr Rate some[] = {{Tally::reached, Tally::cases, 0.2, 0.8}, {Tally::differing, Tally::cases, 0, 0.001}};
constexpr Rate many[] = {{Tally::reached, Tally::cases, 0.3}};

constexpr Family families[] = {{"gjk_depths", "gjk", in_all<leave_polytopes>, some},
                               {"gjk_round_depths", "gjk", in_doubles<leave_round_shapes>, many}};

}  // namespace

std::span<const Family> depth_families() { return families; }

}  // namespace properties::gjk_subject
