#include <cmath>
#include <vector>

#include "oracle/exact.hpp"
#include "properties/gjk/claims.hpp"
#include "properties/gjk/subject.hpp"

/// Distances and verdicts of ordinary pairs: bounds and points by the shapes' definitions, and against rational
/// arithmetic; the same pair in another place; and with any options.
namespace properties::gjk_subject {
namespace {

template <class T, int N>
using Grown = gjk::Rounded<specimens::Any<T, N>>;  ///< with a core and a margin, which may be 0

template <class V>
void count_sorts(const Trial& trial, const gjk::Intersection<V>& answer, const gjk::Distance<V>& found) {
    ++trial.at(Tally::cases);
    trial.at(Tally::reached) += found.verdict == Verdict::intersecting;
    trial.at(Tally::differing) += answer.verdict != found.verdict || found.verdict == Verdict::undecided;
}

/// How far the point lies beyond the shape along some directions.
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

/// What holds of a distance besides its proofs. `same`: the two are one shape.
template <class S, class T, int N>
const char* broken_of(const S& a, const S& b, bool same, const gjk::Distance<gjk::Vec<T, N>>& found,
                      specimens::Maker<T, N>& maker) {
    const T u = gjk::unit_roundoff<T>;
    const Real size = gjk::magnitude(a) + gjk::magnitude(b), slack = 100 * u * size;
    if (!(found.lower <= found.upper && found.distance <= found.upper && found.distance * (1 + 8 * u) >= found.lower)) {
        return "the distance is not between its bounds";
    }
    if (same && !(found.verdict != Verdict::separated && found.distance <= slack)) return "apart from itself";
    if (found.verdict == Verdict::separated && found.upper - found.lower > (sizeof(T) == 4 ? 1e-3 : 1e-9) * size) {
        return "bounds that are far from each other";
    }
    if (found.verdict == Verdict::undecided && found.distance > 10 * slack) return "apart, and undecided";
    if (abs(Real(reference::length(reference::exact(found.a - found.b)) - found.distance)) > slack) {
        return "points at another distance";
    }
    if (farthest_out(a, found.a, found.direction, maker) > slack) return "a point is off its shape";
    return farthest_out(b, found.b, -found.direction, maker) > slack ? "b's point is off its shape" : nullptr;
}

template <class T, int N>
void certify(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    const auto shape = [&](double far) {
        const int kind = random.below(specimens::kinds<T, N>);
        return Grown<T, N>{{maker(kind, maker.vector(far))}, random.chance(0.5) ? T(0) : maker.size()};
    };
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const bool same = random.chance(0.05);
        const Grown<T, N> a = shape(0), b = same ? a : shape(random.log_range(0.1, 10));
        const Claims claims(a, b);
        const Judge judge(trial, a, b);
        const auto answer = gjk::intersect(a, b);
        const auto found = gjk::distance(a, b);
        judge.expect(claims.broken(answer) == nullptr, Tally::unproved, claims.broken(answer));
        judge.expect_proof(found.verdict, claims.broken(found));
        const char* broken = broken_of(a, b, same, found, maker);
        judge.expect(broken == nullptr, Tally::unproved, broken);
        judge.expect(!(answer.verdict == Verdict::separated && found.verdict == Verdict::intersecting), Tally::untold,
                     "verdicts that exclude each other");
        count_sorts(trial, answer, found);
    }
}

// Against rational arithmetic.

template <class T, int N>
using Points = std::vector<gjk::Vec<T, N>>;

template <class T, int N>
exact::Point exact_point(const gjk::Vec<T, N>& p) {
    if constexpr (N == 3)
        return exact::point(p.x, p.y, p.z);
    else
        return exact::point(p.x, p.y, 0);
}

/// The distance of two hulls by Wolfe's method in rationals (oracle/exact_nearest.hpp). Only the square root is
/// rounded.
template <class T, int N>
double exact_distance(const Points<T, N>& a, const Points<T, N>& b) {
    std::vector<exact::Point> of_a, of_b;
    for (const auto& p : a) of_a.push_back(exact_point(p));
    for (const auto& p : b) of_b.push_back(exact_point(p));
    exact::Nearest<exact::Rational> nearest({of_a, of_b, {}}, {});
    while (const auto better = nearest.better()) {
        if (!nearest.take(*better)) break;
    }
    return std::sqrt(exact::dot(nearest.point(), nearest.point()).template convert_to<double>());
}

/// Hulls of up to 12 points: ordinary ones; of any scale; with coordinates at multiples of a half, so that faces and
/// edges are parallel and touch; and slivers, a millionth as thick as long, for which floats have some four bits left.
template <class T, int N>
class Clouds {
public:
    explicit Clouds(Random& random) : random_(random), maker_(random), style_(random.below(4)) {
        if (style_ == 1) scale_ = random.log_range(1e-6, 1e6);
        if (style_ != 3) return;
        stretch_[0] = random.log_range(1e-6, 1);
        if (random.chance(0.5)) stretch_[1] = random.log_range(1e-6, 1);
        if (random.chance(0.7)) turn_ = maker_.rotation();
    }

    [[nodiscard]] Points<T, N> cloud(double far) {
        const double center[3] = {random_.range(-far, far), random_.range(-far, far), random_.range(-far, far)};
        Points<T, N> points(static_cast<std::size_t>(1 + random_.below(12)));
        for (auto& p : points) {
            const auto number = [&](std::size_t k) {
                const double v = stretch_[k] * (center[k] + random_.range(-1, 1));
                return static_cast<T>(scale_ * (style_ == 2 ? std::round(2 * v) / 2 : v));
            };
            p.x = number(0), p.y = number(1);
            if constexpr (N == 3) p.z = number(2);
            p = turn_ * p;
        }
        return points;
    }
    /// Of distances, relative to the size.
    [[nodiscard]] double accuracy() const {
        if (style_ == 3) return sizeof(T) == 4 ? 1e-5 : 1e-13;
        return 50 * double{gjk::unit_roundoff<T>};
    }

private:
    Random& random_;
    specimens::Maker<T, N> maker_;
    int style_;
    double scale_ = 1, stretch_[3] = {1, 1, 1};
    gjk::Matrix<T, N> turn_ = gjk::identity<T, N>();
};

template <class T, int N>
void compare(const Trial& trial) {
    using Hull = gjk::Hull<T, N>;
    for (int i = 0; i < pairs_of(trial) / 24 && !trial.stopped(); ++i) {
        Clouds<T, N> clouds(trial.random);
        const Points<T, N> a = clouds.cloud(0), b = clouds.cloud(trial.random.log_range(0.01, 10));
        const specimens::Any<T, N> any_a{Hull(a)}, any_b{Hull(b)};
        const Judge judge(trial, any_a, any_b);
        const Hull hull_a(a), hull_b(b);
        const auto answer = gjk::intersect(hull_a, hull_b);
        const auto found = gjk::distance(hull_a, hull_b);
        const double size = double{hull_a.magnitude()} + double{hull_b.magnitude()}, exact = exact_distance(a, b);
        const double near = clouds.accuracy() * size;
        const auto is_on = [&](const gjk::Vec<T, N>& point, const Points<T, N>& points) {
            return exact_distance<T, N>({point}, points) <= near;
        };
        judge.expect(std::fabs(double{found.distance} - exact) <= near, Tally::untold, "another distance");
        judge.expect(double{found.lower} <= exact * (1 + 1e-15) && double{found.upper} >= exact * (1 - 1e-15),
                     Tally::unproved, "the distance is not between its bounds");
        judge.expect(is_on(found.a, a) && is_on(found.b, b), Tally::unproved, "a point is off its hull");
        const Claims claims(any_a, any_b);
        judge.expect_proof(found.verdict, claims.broken(found));
        judge.expect(claims.broken(answer) == nullptr, Tally::unproved, claims.broken(answer));
        for (const Verdict verdict : {found.verdict, answer.verdict}) {
            judge.expect(!(exact == 0 && verdict == Verdict::separated), Tally::false_culls, "apart, yet they meet");
            judge.expect(!(exact > near && verdict == Verdict::intersecting), Tally::untold, "together, yet apart");
        }
        count_sorts(trial, answer, found);
    }
}

// In another place.

/// Whether the answer is the same at another place, where lengths are `scale` times as long.
template <class T, int N>
bool is_same(const gjk::Distance<gjk::Vec<T, N>>& expected, const gjk::Distance<gjk::Vec<T, N>>& found, T scale,
             T size) {
    // What either bounds say they do not know, and rounding.
    const T slack = 1000 * gjk::unit_roundoff<T> * size +
                    (expected.lower > 0 ? expected.upper - expected.lower : T(0)) +
                    (found.lower > 0 ? (found.upper - found.lower) / scale : T(0));
    if (expected.lower > 4 * slack && found.verdict != Verdict::separated) return false;
    if (expected.verdict == Verdict::intersecting && found.verdict == Verdict::separated) return false;
    if (!(std::fabs(found.distance / scale - expected.distance) <= slack)) return false;
    // Where faces are parallel, other points may be as near.
    return expected.verdict != Verdict::separated ||
           std::fabs(gjk::length(found.a - found.b) / scale - gjk::length(expected.a - expected.b)) <= slack;
}

/// In the other order; with the world turned, mirrored and scaled; and both a million away, relative to each other.
template <class T, int N>
void move(const Trial& trial) {
    using Any = specimens::Any<T, N>;
    constexpr T u = gjk::unit_roundoff<T>;
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    specimens::Maker<double, N> wide(random);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const auto shape = [&](double far) {
            const int kind = random.below(specimens::kinds<T, N>);
            return Any{maker(kind, maker.vector(far))};
        };
        const Any a = shape(0), b = shape(random.log_range(0.3, 6));
        const Judge judge(trial, a, b);
        const auto expect = [&](bool same, const char* what) { judge.expect(same, Tally::untold, what); };
        const auto answer = gjk::intersect(a, b);
        const auto found = gjk::distance(a, b);
        const T size = a.magnitude() + b.magnitude();
        count_sorts(trial, answer, found);
        trial.at(Tally::culled_gjk) += found.verdict == Verdict::separated;

        const Verdict turned = gjk::intersect(b, a).verdict;
        expect(is_same(found, gjk::distance(b, a), T(1), size), "distance: differs in the other order");
        expect(turned == answer.verdict || turned == Verdict::undecided || answer.verdict == Verdict::undecided ||
                   found.distance < 200 * u * size,
               "intersect: differs in the other order");

        gjk::Pose<T, N> pose{maker.rotation(), maker.vector(3)};
        if (random.chance(0.5)) pose.rotation.column[0] = -pose.rotation.column[0];
        expect(is_same(found, gjk::distance(gjk::Placed{a, pose}, gjk::Placed{b, pose}), T(1), size + 6),
               "distance: differs where the world is turned");
        expect(is_same(found, gjk::distance(gjk::Negated{a}, gjk::Negated{b}), T(1), size + 6),
               "distance: differs where the world is mirrored");

        const T scale = static_cast<T>(random.log_range(1e-6, 1e6));
        gjk::Affine<T, N> map;
        for (auto& column : map.linear.column) column = scale * column;
        const gjk::Transformed scaled_a{a, map}, scaled_b{b, map};
        const auto scaled = gjk::distance(scaled_a, scaled_b);
        trial.at(Tally::differing) += scaled.verdict == Verdict::undecided && found.verdict != Verdict::undecided;
        expect(is_same(found, scaled, scale, size), "distance: differs where the world is larger");
        expect(gjk::intersect(scaled_a, scaled_b).verdict == scaled.verdict ||
                   scaled.lower < 200 * u * gjk::magnitude(scaled_a),
               "intersect: differs where the world is larger");

        const gjk::Pose<double, N> world{wide.rotation(), wide.vector(1e6)};
        gjk::Pose<double, N> other = world;
        // b's own coordinates have their origin elsewhere, in the world, by a vector that floats hold.
        const auto way = maker.vector(2);
        other.translation += world.rotation * gjk::cast<double>(way);
        const gjk::Sum moved{b, gjk::Point<T, N>{-way}};
        const auto again = gjk::distance(a, gjk::Placed{moved, gjk::cast<T>(gjk::relative(world, other))});
        // What doubles lose of positions a million away is there before any question is asked.
        const double lost = 1e6 * 1e-15 + 400 * double{u} * double{size + 4};
        expect(std::fabs(double{again.distance} - double{found.distance}) <= lost &&
                   (double{found.lower} <= 4 * lost || again.verdict == Verdict::separated),
               "distance: differs a million away");
    }
}

// Options.

using Shape = specimens::Any<double, 3>;
using V = gjk::Vec3<double>;

Shape shape_at(Random& random, specimens::Maker<double, 3>& maker, double far) {
    const int kind = random.below(specimens::kinds<double, 3>);
    return {maker(kind, maker.vector(far))};
}

/// A limit ends the search sooner, and tells nothing wrong. Any first direction leads to the same answer.
void ask_with_options(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<double, 3> maker(random);
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        const Shape a = shape_at(random, maker, 0), b = shape_at(random, maker, random.chance(0.5) ? 3 : 6);
        const Judge judge(trial, a, b);
        const auto found = gjk::distance(a, b);
        const V direction = random.log_range(1e-9, 1e9) * maker.direction();
        judge.expect(
            std::fabs(gjk::distance(a, b, {.direction = direction}).distance - found.distance) <= 1e-9 &&
                (gjk::intersect(a, b, {.direction = direction}).verdict == found.verdict || found.distance < 1e-9),
            Tally::untold, "the first direction changes the answer");
        const double limit = random.range(0, 2) * found.distance;
        if (found.verdict != Verdict::separated) continue;
        const auto limited = gjk::distance(a, b, {.limit = limit});
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += limited.steps < found.steps;
        judge.expect(limited.lower <= found.upper && limited.upper >= found.lower &&
                         std::fabs(limited.distance - gjk::length(limited.a - limited.b)) <= 1e-12,
                     Tally::unproved, "a limit makes the distance wrong");
        judge.expect(limit >= 0.99 * found.lower || (limited.lower > limit && limited.verdict == Verdict::separated),
                     Tally::untold, "not told to be beyond the limit");
        judge.expect(limit <= found.upper || limited.distance == found.distance, Tally::untold,
                     "a limit that is not reached changes the answer");
    }
}

/// A pair that moves a little each time, from apart to together and apart again. The simplex that is kept is a head
/// start.
void keep_simplex(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<double, 3> maker(random);
    for (int i = 0; i < pairs_of(trial) / 240 && !trial.stopped(); ++i) {
        const Shape a = shape_at(random, maker, 0), b = shape_at(random, maker, 0);
        gjk::Intersection<V> last;
        gjk::Distance<V> nearest;
        for (double x = -3; x < 3; x += 0.02) {
            const gjk::Placed<Shape> other{b, {gjk::identity<double, 3>(), {x, 0.1, 0.2}}};
            const Judge judge(trial, a, other);
            const auto answer = gjk::intersect(a, other);
            const auto found = gjk::distance(a, other);
            last = gjk::intersect(a, other, {.warm = &last.simplex});
            nearest = gjk::distance(a, other, {.warm = &nearest.simplex});
            const double unknown = found.upper - found.lower + nearest.upper - nearest.lower;
            judge.expect((last.verdict == answer.verdict || found.distance < 1e-13) &&
                             std::fabs(nearest.distance - found.distance) <= 1e-10 + (found.lower > 0 ? unknown : 0) &&
                             std::fabs(gjk::length(nearest.a - nearest.b) - nearest.distance) <= 1e-10,
                         Tally::untold, "the kept simplex changes the answer");
            trial.at(Tally::cases) += static_cast<std::uint64_t>(answer.steps);
            trial.at(Tally::reached) += static_cast<std::uint64_t>(last.steps);
            trial.at(Tally::culled_gjk) += found.verdict == Verdict::separated;
        }
    }
}

}  // namespace

void run_nearest(Trial& trial) {
    for_each_number([&]<class T, int N>() { certify<T, N>(trial); });
}

void run_rational(Trial& trial) {
    for_each_number([&]<class T, int N>() { compare<T, N>(trial); });
}

void run_moved(Trial& trial) {
    for_each_number([&]<class T, int N>() { move<T, N>(trial); });
}

void run_options(Trial& trial) { ask_with_options(trial); }

void run_kept_simplex(Trial& trial) { keep_simplex(trial); }

}  // namespace properties::gjk_subject
