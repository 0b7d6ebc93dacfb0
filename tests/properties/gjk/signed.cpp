#include <algorithm>
#include <cmath>

#include "properties/gjk/polytopes.hpp"
#include "properties/gjk/subject.hpp"

/// Signed distances: of polytopes against exact distances and all separating axes, their directions against finite
/// differences of these; of any shapes along straight ways through contact. By a translation of one shape the signed
/// distance is a convex function that changes by no more than the way is long.
namespace properties::gjk_subject {
namespace {

/// Of values and of directions, in units of the shapes' size.
template <class T>
constexpr double precision = sizeof(T) == 4 ? 1e-5 : 1e-12;
template <class T>
constexpr double direction_precision = sizeof(T) == 4 ? 1e-2 : 1e-6;

template <int N>
using Points = specimens::Points<double, N>;

/// b moved by `way`.
template <int N>
double exact_signed(const Points<N>& a, Points<N> b, const gjk::Vec<double, N>& way) {
    for (auto& q : b) q += way;
    const double depth = polytopes::exact_depth<N>(a, b);
    return depth > 0 ? -depth : polytopes::exact_distance<double, N>(a, b);
}

template <class T, int N>
Points<N> widened(const specimens::Points<T, N>& points) {
    Points<N> wide;
    for (const auto& p : points) wide.push_back(gjk::cast<double>(p));
    return wide;
}

/// What holds of every signed distance whose bounds are known.
template <class A, class B, class V = gjk::VectorOf<A>>
const char* broken_of(const A& a, const B& b, const gjk::SignedDistance<V>& found, double slack) {
    using Point = gjk::Point<gjk::ScalarOf<A>, gjk::dimension_of<A>>;
    if (std::fabs(double{length(found.direction)} - 1) > 1e-5) return "the direction's length is not 1";
    if (!(found.lower <= found.distance + gjk::ScalarOf<A>(slack) && found.distance <= found.upper))
        return "the distance is not between its bounds";
    if (double{length(found.b - found.a - found.distance * found.direction)} > slack)
        return "points at another distance";
    const double off =
        std::max(double{gjk::distance(Point{found.a}, a).distance}, double{gjk::distance(Point{found.b}, b).distance});
    return off > (sizeof(gjk::ScalarOf<A>) == 4 ? 1e-2 : 1e-6) * slack / precision<gjk::ScalarOf<A>>
               ? "a point is off its shape"
               : nullptr;
}

/// Convex: the slope along any way is between the differences on both sides.
constexpr auto differentiate = []<class T, int N>(const Trial& trial) {
    using Hull = gjk::Hull<T, N>;
    for (int i = 0; i < pairs_of(trial) / 96 && !trial.stopped(); ++i) {
        specimens::Clouds<T, N> clouds(trial.random, false);
        specimens::Maker<double, N> maker(trial.random);
        const double size = clouds.scale(), step = (sizeof(T) == 4 ? 1e-2 : 1e-3) * size;
        const auto a = clouds.cloud(0), b = clouds.cloud(trial.random.chance(0.5) ? 0.7 : 3);
        const Points<N> wide_a = widened<T, N>(a), wide_b = widened<T, N>(b);
        const specimens::Any<T, N> any_a{Hull(a)}, any_b{Hull(b)};
        const Judge judge(trial, any_a, any_b);
        const auto expect = [&](bool holds, const char* what) { judge.expect(holds, Tally::untold, what); };
        const auto found = gjk::signed_distance(Hull(a), Hull(b));
        const double exact = exact_signed<N>(wide_a, wide_b, {});
        const double slack = 4 * precision<T> * size + 1e-5 * std::max(0.0, -exact);
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += exact < 0;
        judge.certify(found);
        judge.expect_none(broken_of(Hull(a), Hull(b), found, slack));
        expect(std::fabs(double{found.distance} - exact) <= slack && double{found.lower} <= exact + slack &&
                   double{found.upper} >= exact - slack,
               "another signed distance");
        if (std::fabs(exact) < 0.01 * size)
            continue;  // the direction between points that are so near is mostly rounding
        const auto direction = gjk::cast<double>(found.direction);
        for (const auto& way : {direction, maker.direction(), maker.direction()}) {
            const double slope = dot(direction, way), off = 2 * slack / step + direction_precision<T>;
            expect(slope <= (exact_signed<N>(wide_a, wide_b, step * way) - exact) / step + off &&
                       slope >= (exact - exact_signed<N>(wide_a, wide_b, -step * way)) / step - off,
                   "the direction is no gradient");
        }
    }
};

/// Of any shapes: as distance() and penetration() have it; along its own direction, in and out of contact; along
/// others.
constexpr auto move_through = []<class T, int N>(const Trial& trial) {
    using Any = specimens::Any<T, N>;
    using V = gjk::Vec<T, N>;
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    for (int i = 0; i < pairs_of(trial) / 16 && !trial.stopped(); ++i) {
        const gjk::Rounded<Any> a{maker.any({}), random.chance(0.5) ? T(0) : maker.size()};
        const Any b = maker.any(maker.vector(random.chance(0.5) ? 0.5 : 4));
        const Judge judge(trial, a, b);
        const auto expect = [&](bool holds, const char* what) { judge.expect(holds, Tally::untold, what); };
        const auto at = [&](const V& way) {
            return gjk::signed_distance(a, gjk::Placed<Any>{b, {gjk::identity<T, N>(), way}});
        };
        const auto found = gjk::signed_distance(a, b);
        const auto distance = static_cast<double>(found.distance);
        const double size = double{gjk::magnitude(a)} + double{gjk::magnitude(b)};
        const double slack = 16 * precision<T> * size + 4e-5 * std::max(0.0, -distance);
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += found.verdict == Verdict::intersecting;
        judge.certify(found);
        judge.expect_none(broken_of(a, b, found, slack));
        if (found.verdict == Verdict::separated)
            expect(std::fabs(distance - double{gjk::distance(a, b).distance}) <= slack, "another distance");
        else
            expect(std::fabs(distance + double{gjk::penetration(a, b).depth}) <= slack, "another depth");
        for (const double end : {distance - 1, -0.1, -1e-3, -1e-6, -1e-9, 0.0, 1e-9, 1e-6, 1e-3, 0.1, distance + 1}) {
            const double way = end - distance;
            const auto moved = at(static_cast<T>(way) * found.direction);
            const auto there = static_cast<double>(moved.distance);
            const double more = 2 * slack + double{found.upper - found.lower} + double{moved.upper - moved.lower};
            expect(there >= end - more && std::fabs(there - distance) <= std::fabs(way) + more, "a jump");
            // Once together, they may leave each other sooner on another way. Curved shapes' nearest points, and so
            // their direction, are accurate to the square root of the tolerance.
            const bool straight = way >= 0 || (distance >= 0 && end >= 0);
            const double off = (sizeof(T) == 4 ? 4e-3 : 4e-6) * std::fabs(way);
            expect(!straight || there <= end + more + off, "not as far as along the direction");
        }
        const V aside = maker.vector(random.log_range(1e-3, 3));
        expect(double{at(aside).distance} >= distance + double{dot(found.direction, aside)} -
                                                 direction_precision<T> * double{length(aside)} - 2 * slack,
               "the direction is no subgradient");
    }
};

// Of pairs: those that share a point, and those apart.
constexpr Rate both[] = {{Tally::reached, Tally::cases, 0.2}, {Tally::culled_gjk, Tally::cases, 0.2}};

constexpr Family families[] = {{"gjk_gradients", "gjk", in_all<differentiate>, both, true},
                               {"gjk_through_contact", "gjk", in_all<move_through>, both, true}};

}  // namespace

std::span<const Family> signed_families() { return families; }

}  // namespace properties::gjk_subject
