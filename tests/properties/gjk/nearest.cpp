#include <algorithm>
#include <cmath>
#include <vector>

#include "properties/gjk/polytopes.hpp"
#include "properties/gjk/subject.hpp"

/// Answers about ordinary pairs: proofs, bounds and points by the shapes' definitions in 50 digits, and against
/// rational arithmetic; the same pair in another place and of another size; and with any options.
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

template <class A, class B, class Found>
void count_kept(const Trial& trial, const A& a, const B& b, const Found& found) {
    const Real known = Claims(a, b).known(found);
    for (const ApartLevel& level : apart_levels) {
        if (!(known > std::ldexp(1.0, level.exponent) * (Real(gjk::magnitude(a)) + Real(gjk::magnitude(b))))) break;
        ++trial.at(level.apart);
        trial.at(level.kept) += found.verdict != Verdict::separated;
    }
}

/// All answers about a pair.
constexpr auto certify = []<class T, int N>(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    const auto shape = [&](double far) {
        return Grown<T, N>{maker.any(maker.vector(far)), random.chance(0.5) ? T(0) : maker.size()};
    };
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const bool same = random.chance(0.05);
        const Grown<T, N> a = shape(0), b = same ? a : shape(random.log_range(0.1, 10));
        const Judge judge(trial, a, b);
        const auto answer = gjk::intersect(a, b);
        const auto found = gjk::distance(a, b);
        const auto motion = maker.vector(8);
        judge.certify(answer);
        judge.certify(found);
        judge.certify(gjk::cast(a, motion, b), motion);
        judge.certify(gjk::penetration(a, b));
        judge.expect_none(broken_of(a, b, same, found, maker));
        judge.expect(!(answer.verdict == Verdict::separated && found.verdict == Verdict::intersecting), Tally::untold,
                     "verdicts that exclude each other");
        const bool may = gjk::may_intersect(a.shape, b.shape);
        const auto between = gjk::distance(a.shape, b.shape);
        judge.expect(may ? !(between.lower > 100 * gjk::unit_roundoff<T> * (gjk::magnitude(a) + gjk::magnitude(b)))
                         : between.verdict != Verdict::intersecting,
                     Tally::untold, "may_intersect: not as the distance");
        count_sorts(trial, answer, found);
        count_kept(trial, a, b, found);
    }
};

/// Casts are never late, and early by no more than the width of their interval.
constexpr auto cast_many = []<class T, int N>(const Trial& trial) {
    using Any = specimens::Any<T, N>;
    using V = gjk::Vec<T, N>;
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    const gjk::CastOptions<V> options;
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const V place = maker.vector(6);
        const Any a = maker.any({}), b = maker.any(place);
        // Mostly towards the other, sometimes anywhere.
        const V motion =
            random.chance(0.8) ? static_cast<T>(random.range(0.5, 3)) * (place + maker.vector(0.7)) : maker.vector(9);
        const gjk::Cast<V> found = gjk::cast(a, motion, b, options);
        const Judge judge(trial, a, b);
        judge.certify(found, motion);
        ++trial.at(Tally::cases);
        trial.at(Tally::differing) += found.verdict == Verdict::undecided;  // they graze, or begin by touching
        if (found.verdict != Verdict::intersecting) continue;
        trial.at(Tally::reached) += found.latest > 0;
        judge.expect(found.earliest <= found.latest && found.latest <= 1 &&
                         found.latest - found.earliest <= options.width * T(65),
                     Tally::untold, "no contact within the width");
        const gjk::Moved<Any> there{a, motion, found.latest};
        const T slack = T(1e3) * gjk::unit_roundoff<T> * (gjk::magnitude(there) + gjk::magnitude(b));
        judge.expect(gjk::distance(there, b).lower <= slack, Tally::unproved, "no contact at the latest time");
    }
};

// Against rational arithmetic.

using polytopes::exact_distance;
using specimens::Points;

constexpr auto compare = []<class T, int N>(const Trial& trial) {
    using Hull = gjk::Hull<T, N>;
    for (int i = 0; i < pairs_of(trial) / 24 && !trial.stopped(); ++i) {
        specimens::Clouds<T, N> clouds(trial.random, true);
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
        const auto with_sign = gjk::signed_distance(hull_a, hull_b);
        judge.expect(double{with_sign.lower} <= exact * (1 + 1e-15) &&
                         (exact == 0 || double{with_sign.upper} >= exact * (1 - 1e-15)),
                     Tally::unproved, "the signed distance is not between its bounds");
        judge.expect(is_on(found.a, a) && is_on(found.b, b), Tally::unproved, "a point is off its hull");
        judge.certify(found);
        judge.certify(answer);
        for (const Verdict verdict : {found.verdict, answer.verdict}) {
            judge.expect(!(exact == 0 && verdict == Verdict::separated), Tally::false_culls, "apart, yet they meet");
            judge.expect(!(exact > near && verdict == Verdict::intersecting), Tally::untold, "together, yet apart");
        }
        count_sorts(trial, answer, found);
    }
};

// Elsewhere.

/// Both a million away, relative to each other.
constexpr auto move_far = []<class T, int N>(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    specimens::Maker<double, N> wide(random);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const specimens::Any<T, N> a = maker.any({}), b = maker.any(maker.vector(random.log_range(0.3, 6)));
        const auto found = gjk::distance(a, b);
        count_sorts(trial, gjk::intersect(a, b), found);
        trial.at(Tally::culled_gjk) += found.verdict == Verdict::separated;
        const gjk::Pose<double, N> world{wide.rotation(), wide.vector(1e6)};
        gjk::Pose<double, N> other = world;
        // b's own coordinates have their origin elsewhere, in the world, by a vector that floats hold.
        const auto way = maker.vector(2);
        other.translation += world.rotation * gjk::cast<double>(way);
        const gjk::Sum moved{b, gjk::Point<T, N>{-way}};
        const auto again = gjk::distance(a, gjk::Placed{moved, gjk::cast<T>(gjk::relative(world, other))});
        // What doubles lose of positions a million away is there before any question is asked.
        const double lost =
            1e6 * 1e-15 + 400 * double{gjk::unit_roundoff<T>} * double{a.magnitude() + b.magnitude() + 4};
        Judge(trial, a, b)
            .expect(std::fabs(double{again.distance} - double{found.distance}) <= lost &&
                        (double{found.lower} <= 4 * lost || again.verdict == Verdict::separated),
                    Tally::untold, "distance: differs a million away");
    }
};

/// Where nothing overflows or underflows, a pair 2^k times as large gets the same answers, 2^k times as large.
constexpr auto scale = []<class T, int N>(const Trial& trial) {
    specimens::Maker<T, N> maker(trial.random);
    constexpr int most = sizeof(T) == 4 ? 40 : 300;
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        Changed<T, N> changed;
        const auto a = maker.any({}), b = maker.any(maker.vector(trial.random.log_range(0.1, 10)));
        const T s = std::ldexp(T(1), trial.random.below(2 * most) - most);
        const auto larger = [&](T number, Unit unit) { return unit == Unit::none ? number : s * number; };
        const auto scaled_a = changed(a, larger), scaled_b = changed(b, larger);
        const Judge judge(trial, a, b);
        const auto motion = maker.vector(8);
        const auto found = gjk::distance(a, b), other = gjk::distance(scaled_a, scaled_b);
        trial.at(Tally::culled_gjk) += found.verdict == Verdict::separated;
        judge.expect(found.verdict == other.verdict && s * found.lower == other.lower && s * found.upper == other.upper,
                     Tally::untold, "distance: differs at another scale");
        judge.expect(gjk::intersect(a, b).verdict == gjk::intersect(scaled_a, scaled_b).verdict, Tally::untold,
                     "intersect: differs at another scale");
        judge.expect(gjk::cast(a, motion, b).earliest == gjk::cast(scaled_a, s * motion, scaled_b).earliest,
                     Tally::untold, "cast: differs at another scale");
    }
};

// Options.

using Shape = specimens::Any<double, 3>;
using V = gjk::Vec3<double>;

/// Whether bounds have a number in common.
template <class Found>
bool overlap(const Found& one, const Found& other) {
    return one.lower <= other.upper && other.lower <= one.upper;
}

/// A search that is cut off, or satisfied by less, ends sooner and says nothing wrong.
void ask_capped(const Trial& trial, const Shape& a, const Shape& b) {
    Random& random = trial.random;
    const Judge judge(trial, a, b);
    const auto answer = gjk::intersect(a, b);
    const auto found = gjk::distance(a, b);
    const auto depth = gjk::penetration(a, b);
    const int cap = random.below(1 + std::max(answer.steps, found.steps));
    const auto capped = gjk::intersect(a, b, {.max_steps = cap});
    judge.expect(cap >= answer.steps ? capped.verdict == answer.verdict
                                     : capped.verdict == Verdict::undecided && capped.steps == cap,
                 Tally::untold, "intersect: decided beyond its cap, or not within it");
    judge.expect(gjk::may_intersect(a, b, {.max_steps = cap}) == (capped.verdict != Verdict::separated), Tally::untold,
                 "may_intersect: differs");
    const auto nearly = gjk::distance(a, b, {.max_steps = cap});
    judge.expect(nearly.steps <= cap && overlap(nearly, found), Tally::unproved, "distance: wrong at its cap");
    const double relative = random.log_range(1e-9, 0.1);
    const auto roughly = gjk::distance(a, b, {.relative = relative});
    judge.expect(roughly.steps <= found.steps && overlap(roughly, found) &&
                     std::fabs(roughly.distance - found.distance) <= relative * roughly.distance + 1e-12,
                 Tally::untold, "distance: not within its tolerance");
    judge.expect(
        roughly.verdict != Verdict::separated || roughly.upper - roughly.lower <= relative * roughly.upper + 1e-12,
        Tally::untold, "distance: bounds wider than the tolerance");
    const auto shallow = gjk::penetration(a, b, {.max_steps = cap});
    judge.expect(shallow.steps <= 2 * cap + 16 && (shallow.verdict != depth.verdict || overlap(shallow, depth)),
                 Tally::untold, "penetration: wrong at its cap");
}

/// A limit ends the search sooner, and says nothing wrong. Any first direction leads to the same answer.
void ask_with_options(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<double, 3> maker(random);
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        const Shape a = maker.any({}), b = maker.any(maker.vector(random.chance(0.5) ? 3 : 6));
        const Judge judge(trial, a, b);
        ask_capped(trial, a, b);
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
        const Shape a = maker.any({}), b = maker.any({});
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

// Of pairs: apart, sharing a point, and undecided or decided in two ways.
constexpr Rate of_all_sorts[] = {{Tally::culled_gjk, Tally::cases, 0.3},
                                 {Tally::reached, Tally::cases, 0.15},
                                 {Tally::differing, Tally::cases, 0, 0.01}};
constexpr Rate all_told[] = {{Tally::kept_14, Tally::apart_14, 0, 0.001},
                             {Tally::culled_gjk, Tally::cases, 1, 4},
                             {Tally::reached, Tally::cases, 0.15},
                             {Tally::differing, Tally::cases, 0, 0.01}};
constexpr Rate some_end_sooner[] = {{Tally::reached, Tally::cases, 0.2, 0.8}};
// Support points with a simplex that was kept, among those from scratch.
constexpr Rate fewer[] = {{Tally::reached, Tally::cases, 0, 0.95}};

constexpr Family families[] = {{"gjk_any", "gjk", in_all<certify>, all_told, true},
                               {"gjk_casts", "gjk", in_all<cast_many>, of_all_sorts, true},
                               {"gjk_rational", "gjk", in_all<compare>, of_all_sorts},
                               {"gjk_moved", "gjk", in_all<move_far>, of_all_sorts},
                               {"gjk_scaled", "gjk", in_all<scale>},
                               {"gjk_options", "gjk", in_doubles<ask_with_options>, some_end_sooner},
                               {"gjk_kept_simplex", "gjk", in_doubles<keep_simplex>, fewer}};

}  // namespace

std::span<const Family> nearest_families() { return families; }

}  // namespace properties::gjk_subject
