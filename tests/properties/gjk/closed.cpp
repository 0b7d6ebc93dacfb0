#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/gjk/subject.hpp"

/// Pairs that closed forms answer, by their own types: anywhere, touching up to rounding, and of any numbers. The
/// answers are verified by definition, and beside those of the search, which the same shapes get behind another type.
namespace properties::gjk_subject {
namespace {

template <class T, int N>
class ClosedTrial {
public:
    using V = gjk::Vec<T, N>;
    using Any = specimens::Any<T, N>;

    explicit ClosedTrial(const Trial& trial) : trial_(trial), random_(trial.random), maker_(random_) {}

    void run() {
        using Point = gjk::Point<T, N>;
        using Ball = gjk::Sphere<T, N>;
        using Capsule = gjk::Capsule<T, N>;
        using Box = gjk::Box<T, N>;
        using Turned = gjk::OrientedBox<T, N>;
        switch (random_.below(8)) {
            case 0:
                return ask<Ball, Ball>();
            case 1:
                return ask<Ball, Capsule>();
            case 2:
                return ask<Capsule, Capsule>();
            case 3:
                return ask<gjk::Placed<Capsule>, Ball>();
            case 4:
                return ask<Box, Ball>();
            case 5:
                return ask<Capsule, Box>();
            case 6:
                return random_.chance(0.5) ? ask<Turned, Ball>() : ask<Point, Turned>();
            default:
                return ask<Box, Box>();
        }
    }

private:
    /// The radius is the distance of what is left without it, up to what places lose by rounding; or two boxes' sides
    /// are in one plane.
    template <class A, class B>
    void touch(const A& a, B& b) {
        if constexpr (requires { b.radius; }) {
            b.radius = 0;
            const T off = gjk::unit_roundoff<T> * (gjk::magnitude(a) + gjk::magnitude(b));
            b.radius = std::max(T(0), gjk::distance(a, b).distance + static_cast<T>(random_.range(-4, 4)) * off);
        } else if constexpr (std::is_same_v<A, B>) {
            b.center.x = a.center.x + static_cast<T>(random_.sign()) * (a.half.x + b.half.x);
        }
    }

    template <class A, class B>
    void ask() {
        const V place = maker_.vector(random_.chance(0.5) ? 1 : random_.log_range(1, 1e4));
        A a = maker_.template make<A>(place);
        B b = maker_.template make<B>(place + maker_.vector(random_.log_range(0.1, 10)));
        if (random_.chance(0.2)) b = maker_.template make<B>(gjk::inside(a));
        if (random_.chance(0.4)) touch(a, b);
        const int most = std::numeric_limits<T>::max_exponent;
        const T s = random_.chance(0.8) ? T(1) : std::ldexp(T(1), random_.below(2 * most) - most);
        int spoilt = random_.chance(0.05) ? random_.below(12) : -1;
        bool is_finite = true;
        const auto change = [&](T& of, Unit unit) {
            if (unit != Unit::none) of *= s;
            if (spoilt-- == 0)
                of = random_.chance(0.5) ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::quiet_NaN();
            is_finite = is_finite && std::isfinite(of);
        };
        each_number(a, change);
        each_number(b, change);
        is_finite ? judge(a, b) : judge_unsound(a, b);
    }

    template <class A, class B>
    void judge_unsound(const A& a, const B& b) {
        const bool told = !gjk::may_intersect(a, b) || gjk::intersect(a, b).verdict == Verdict::separated ||
                          gjk::distance(a, b).lower > 0 || gjk::signed_distance(a, b).lower > 0;
        Judge(trial_, a, b).expect(!told, Tally::invalid_told, "a number is none, yet they are apart");
    }

    template <class A, class B>
    void judge(const A& a, const B& b) {
        const Judge judge(trial_, a, b);
        const auto answer = gjk::intersect(a, b);
        const auto found = gjk::distance(a, b);
        judge.certify(answer);
        judge.certify(found);
        const bool may = gjk::may_intersect(a, b);
        judge.expect(may == (answer.verdict != Verdict::separated), Tally::untold, "may_intersect: differs");
        const auto searched = gjk::distance(Any{a}, Any{b});
        judge.expect(found.lower <= searched.upper && searched.lower <= found.upper, Tally::unproved,
                     "distance: not as by the search");
        judge.expect(found.verdict == searched.verdict || found.verdict == Verdict::undecided ||
                         searched.verdict == Verdict::undecided,
                     Tally::untold, "distance: decided otherwise than by the search");
        const T slack = 100 * gjk::unit_roundoff<T> * (gjk::magnitude(a) + gjk::magnitude(b));
        judge.expect(answer.verdict != Verdict::intersecting || !(searched.lower > slack), Tally::untold,
                     "intersect: together, yet apart");
        ++judge.at(Tally::cases);
        judge.at(Tally::reached) += found.steps <= gjk::Simplex<V>::most;
        judge.at(Tally::differing) += answer.verdict == Verdict::undecided;
    }

    const Trial& trial_;
    Random& random_;
    specimens::Maker<T, N> maker_;
};

constexpr auto decide = []<class T, int N>(const Trial& trial) {
    ClosedTrial<T, N> closed(trial);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) closed.run();
};

// Of pairs: those whose corners are found at once, and those that rounding leaves open.
constexpr Rate found_at_once[] = {{Tally::reached, Tally::cases, 0.9}, {Tally::differing, Tally::cases, 0.001, 0.2}};
constexpr Family families[] = {{"gjk_closed", "gjk", in_all<decide>, found_at_once, true}};

}  // namespace

std::span<const Family> closed_families() { return families; }

}  // namespace properties::gjk_subject
