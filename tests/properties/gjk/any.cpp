#include <cmath>
#include <limits>

#include "properties/family.hpp"
#include "properties/gjk/claims.hpp"
#include "properties/gjk/subject.hpp"

/// Pairs of any kinds, of ordinary numbers and of any. What an answer claims to prove is verified in 50 digits by the
/// shapes' definitions.
namespace properties::gjk_subject {
namespace {

template <class A, class B, class V>
void certify_all(const Trial& trial, const A& a, const B& b, const V& motion) {
    using T = gjk::ScalarOf<A>;
    const Claims claims(a, b);
    const Judge judge(trial, a, b);
    const auto answer = gjk::intersect(a, b);
    judge.expect_proof(answer.verdict, claims.broken(answer));
    const auto found = gjk::distance(a, b);
    judge.expect_proof(found.verdict, claims.broken(found));
    const Real known = claims.known(found);
    for (const ApartLevel& level : apart_levels) {
        if (!(known > Real(std::ldexp(T(a.magnitude() + b.magnitude()), level.exponent)))) break;
        ++trial.at(level.apart);
        trial.at(level.kept) += found.verdict != Verdict::separated;
    }
    const auto contact = gjk::cast(a, motion, b);
    judge.expect_proof(contact.verdict, claims.broken(contact, motion));
    const auto depth = gjk::penetration(a, b);
    judge.expect_proof(depth.verdict, claims.broken(depth));
}

template <class T, int N>
specimens::Any<T, N> shape_at(const Trial& trial, specimens::Maker<T, N>& maker, double far) {
    const int kind = trial.random.below(specimens::kinds<T, N>);
    return {maker(kind, maker.vector(far))};
}

/// Where nothing overflows or underflows, a pair 2^k times as large gets the same answers, 2^k times as large.
template <class T, int N>
void scale(const Trial& trial) {
    specimens::Maker<T, N> maker(trial.random);
    constexpr int most = sizeof(T) == 4 ? 40 : 300;
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        Changed<T, N> changed;
        const auto a = shape_at<T, N>(trial, maker, 0);
        const auto b = shape_at<T, N>(trial, maker, trial.random.log_range(0.1, 10));
        const T s = std::ldexp(T(1), trial.random.below(2 * most) - most);
        const auto larger = [&](T number, Unit unit) { return unit == Unit::none ? number : s * number; };
        const auto scaled_a = changed(a, larger), scaled_b = changed(b, larger);
        const Judge judge(trial, a, b);
        const auto found = gjk::distance(a, b), other = gjk::distance(scaled_a, scaled_b);
        judge.expect(found.verdict == other.verdict && s * found.lower == other.lower && s * found.upper == other.upper,
                     Tally::untold, "distance: differs at another scale");
        trial.at(Tally::culled_gjk) += found.verdict == Verdict::separated;
        judge.expect(gjk::intersect(a, b).verdict == gjk::intersect(scaled_a, scaled_b).verdict, Tally::untold,
                     "intersect: differs at another scale");
        const auto motion = maker.vector(8);
        judge.expect(gjk::cast(a, motion, b).earliest == gjk::cast(scaled_a, s * motion, scaled_b).earliest,
                     Tally::untold, "cast: differs at another scale");
    }
}

/// One number is none: nothing is known.
template <class T, int N>
void spoil(const Trial& trial) {
    specimens::Maker<T, N> maker(trial.random);
    constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    constexpr T none[] = {inf, -inf, nan, -nan};
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        Changed<T, N> changed;
        const auto sound = shape_at<T, N>(trial, maker, 4), other = shape_at<T, N>(trial, maker, 4);
        int numbers = 0;
        (void)changed(other, [&](T number, Unit) { return ++numbers, number; });
        int left = trial.random.below(numbers);
        const auto a =
            changed(other, [&](T number, Unit) { return left-- == 0 ? none[trial.random.below(4)] : number; });
        const Judge judge(trial, a, sound);
        const auto expect = [&](bool holds) {
            judge.expect(holds, Tally::invalid_told, "a number is none, yet they are apart");
        };
        const auto motion = maker.vector(8);
        for (const auto& [p, q] : {std::pair(&a, &sound), std::pair(&sound, &a)}) {
            expect(gjk::intersect(*p, *q).verdict != Verdict::separated);
            for (const T limit : {inf, T(1)}) {
                const auto found = gjk::distance(*p, *q, {.limit = limit});
                expect(found.verdict != Verdict::separated && found.lower == 0);
            }
            expect(gjk::cast(*p, motion, *q).earliest == 0);
            expect(gjk::penetration(*p, *q).verdict != Verdict::separated);
        }
    }
}

// Any numbers.

using V = gjk::Vec3<float>;
using Hull = gjk::Hull<float>;
using Specimen = specimens::Any<float, 3>;
using AnyShape = specimens::OneOf<true, Specimen, Hull, gjk::Rounded<gjk::Swept<Hull>>, gjk::Transformed<Hull>,
                                  gjk::Transformed<gjk::Transformed<Specimen>>, gjk::Sum<Hull, gjk::Negated<Specimen>>,
                                  gjk::Join<Hull, Hull>>;

class AnyMaker {
public:
    explicit AnyMaker(Random& random) : random_(random), maker_(random) {}

    [[nodiscard]] bool finite() const { return finite_; }  ///< all numbers so far were
    [[nodiscard]] V vector() { return {number(), number(), number()}; }
    /// Its numbers are any. Sizes are not negative; axes and maps are often those of a rotation, and of any scale.
    [[nodiscard]] AnyShape shape() {
        AnyShape made = skeleton();
        const bool usual = random_.chance(0.5);
        const float scale = random_.chance(0.5) ? 1.0f : std::ldexp(1.0f, random_.below(251) - 126);
        each_number(made, [&](float& of, Unit unit) {
            if (unit == Unit::none) of = scale * (usual ? of : number());
            if (unit == Unit::length) of = number();
            if (unit == Unit::size) of = std::fabs(number());
            finite_ = finite_ && std::isfinite(of);
        });
        return made;
    }

private:
    [[nodiscard]] AnyShape skeleton() {
        const gjk::Affine<float, 3> turn{maker_.rotation(), {}};
        switch (random_.below(16)) {
            case 0:
                return {gjk::Rounded<gjk::Swept<Hull>>{{hull(), {}}, 0}};
            case 1:
                return {gjk::Transformed<Hull>{hull(), turn}};
            case 2:
                return {gjk::Transformed<gjk::Transformed<Specimen>>{{specimen(), turn}, turn}};
            case 3:
                return {gjk::Sum<Hull, gjk::Negated<Specimen>>{hull(), {specimen()}}};
            case 4:
                return {gjk::Join<Hull, Hull>{hull(), hull()}};
            case 5:
            case 6:
                return {hull()};
            default:
                return {specimen()};
        }
    }
    [[nodiscard]] Specimen specimen() { return {maker_(random_.below(specimens::kinds<float, 3>), {})}; }
    [[nodiscard]] float number() {
        const float any = random_.any_float();
        finite_ = finite_ && std::isfinite(any);
        return any;
    }

    /// Of few points, or of as many as it takes to climb, with any adjacency.
    [[nodiscard]] Hull hull() {
        const bool climbs = random_.chance(0.5);
        const V center = vector();
        const auto size = static_cast<std::size_t>(1 + random_.below(8)) + (climbs ? Hull::linear : 0);
        std::vector<V>& points = points_.emplace_back(size);
        const auto coordinate = [&] { return 0.5f * static_cast<float>(random_.below(256) - 128); };
        for (V& p : points) p = center + V{coordinate(), coordinate(), coordinate()};
        if (!climbs) return Hull(points);
        std::vector<std::uint32_t>& first = lists_.emplace_back(1, 0);
        std::vector<std::uint32_t>& neighbors = lists_.emplace_back();
        for (std::size_t i = 0; i < size; ++i) {
            for (int k = random_.below(4); k > 0; --k) {
                neighbors.push_back(static_cast<std::uint32_t>(random_.below(static_cast<int>(size))));
            }
            first.push_back(static_cast<std::uint32_t>(neighbors.size()));
        }
        return Hull(points, {first, neighbors});
    }

    Random& random_;
    specimens::Maker<float, 3> maker_;
    bool finite_ = true;
    std::deque<std::vector<V>> points_;
    std::deque<std::vector<std::uint32_t>> lists_;
};

void judge_any(const Trial& trial) {
    AnyMaker maker(trial.random);
    const AnyShape a = maker.shape(), b = maker.shape();
    const bool finite = maker.finite();
    const V direction = maker.vector(), motion = maker.vector();
    const Claims claims(a, b);
    const Judge judge(trial, a, b);
    const auto answer = gjk::intersect(a, b, {.direction = direction});
    const auto found = gjk::distance(a, b, {.direction = direction, .warm = &answer.simplex});
    const auto depth = gjk::penetration(a, b);
    const auto contact = gjk::cast(a, motion, b);
    ++trial.at(Tally::cases);
    trial.at(Tally::reached) += finite;
    if (finite) {
        judge.expect_proof(answer.verdict, claims.broken(answer));
        judge.expect_proof(found.verdict, claims.broken(found));
        // With adjacency that lacks edges climbing proves no depth.
        const bool deep = depth.verdict == Verdict::intersecting && (a.climbs() || b.climbs());
        judge.expect_proof(depth.verdict, deep ? nullptr : claims.broken(depth));
    } else {
        const bool told = answer.verdict == Verdict::separated || found.verdict == Verdict::separated ||
                          depth.verdict == Verdict::separated || found.lower > 0;
        judge.expect(!told, Tally::invalid_told, "a number is none, yet they are apart");
    }
    if (finite && gjk::sum_norm(motion - motion) == 0) {
        judge.expect_proof(contact.verdict, claims.broken(contact, motion));
    } else {
        judge.expect(contact.earliest == 0, Tally::invalid_told, "a number is none, yet there is no contact at first");
    }
}

}  // namespace

void run_any(Trial& trial) {
    for_each_number([&]<class T, int N>() {
        specimens::Maker<T, N> maker(trial.random);
        for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
            const auto a = shape_at<T, N>(trial, maker, 0);
            const auto b = shape_at<T, N>(trial, maker, trial.random.log_range(0.1, 10));
            certify_all(trial, a, b, maker.vector(8));
        }
    });
}

void run_scaled(Trial& trial) {
    for_each_number([&]<class T, int N>() { scale<T, N>(trial); });
}

void run_none(Trial& trial) {
    for_each_number([&]<class T, int N>() { spoil<T, N>(trial); });
}

void run_any_numbers(Trial& trial) {
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) judge_any(trial);
}

}  // namespace properties::gjk_subject

namespace properties {
namespace {

template <void (*ask)(Trial&)>
void run(Trial& trial) {
    trial.at(Tally::trials) = 1;
    ask(trial);
}

template <void (*ask)(Trial&)>
constexpr Family family(const char* name, std::span<const Rate> rates = {}, bool of_bytes = false) {
    return {name, "gjk", run<ask>, rates, of_bytes};
}

// Of pairs that share a point: those of which that is found.
constexpr Rate told_together[] = {{Tally::reached, Tally::cases, 0.9}};
constexpr Rate mostly_valid[] = {{Tally::reached, Tally::cases, 0.5, 0.995}};
constexpr Rate all_told_apart[] = {{Tally::kept_14, Tally::apart_14, 0, 0.001}};
// Of support points: those that fall short by a thirtieth of what is allowed.
constexpr Rate near_the_bound[] = {{Tally::reached, Tally::cases, 0.003}};
// Of pairs: apart, sharing a point, and undecided or decided in two ways.
constexpr Rate of_all_sorts[] = {{Tally::culled_gjk, Tally::cases, 0.3},
                                 {Tally::reached, Tally::cases, 0.15},
                                 {Tally::differing, Tally::cases, 0, 0.01}};
constexpr Rate some[] = {{Tally::reached, Tally::cases, 0.2, 0.8}, {Tally::differing, Tally::cases, 0, 0.001}};
constexpr Rate most[] = {{Tally::reached, Tally::cases, 0.5}};
// Support points with a simplex that was kept, among those from scratch.
constexpr Rate fewer[] = {{Tally::reached, Tally::cases, 0, 0.95}};

constexpr Family all_families[] = {
    family<gjk_subject::run_touching>("gjk_touching", told_together, true),
    family<gjk_subject::run_directions>("gjk_directions", {}, true),
    family<gjk_subject::run_degenerate>("gjk_degenerate", {}, true),
    family<gjk_subject::run_margins>("gjk_margins", {}, true),
    family<gjk_subject::run_climbing>("gjk_climbing", {}, true),
    family<gjk_subject::run_split>("gjk_split", {}, true),
    family<gjk_subject::run_any>("gjk_any", all_told_apart, true),
    family<gjk_subject::run_scaled>("gjk_scaled"),
    family<gjk_subject::run_none>("gjk_none", {}, true),
    family<gjk_subject::run_supports>("gjk_supports", near_the_bound, true),
    family<gjk_subject::run_any_numbers>("gjk_any_numbers", mostly_valid, true),
    family<gjk_subject::run_bracketed>("gjk_bracketed"),
    family<gjk_subject::run_globes>("gjk_globes", some),
    family<gjk_subject::run_shapes>("gjk_shapes", {}, true),
    family<gjk_subject::run_nearest>("gjk_nearest", of_all_sorts),
    family<gjk_subject::run_rational>("gjk_rational", of_all_sorts),
    family<gjk_subject::run_moved>("gjk_moved", of_all_sorts),
    family<gjk_subject::run_options>("gjk_options", some),
    family<gjk_subject::run_kept_simplex>("gjk_kept_simplex", fewer),
    family<gjk_subject::run_depths>("gjk_depths", some),
    family<gjk_subject::run_round_depths>("gjk_round_depths", most),
    family<gjk_subject::run_casts>("gjk_casts", of_all_sorts),
};

}  // namespace

std::span<const Family> gjk_families() { return all_families; }

}  // namespace properties
