#pragma once

#include <cstdio>
#include <deque>
#include <functional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <lanecull/gjk.hpp>

#include "properties/family.hpp"
#include "properties/gjk/claims.hpp"
#include "properties/gjk/specimens.hpp"

/// What the families of gjk.hpp share: the numbers that a shape is made of, for scaling it, for spoiling one of them,
/// and for writing them down; and verdicts about pairs.
namespace properties::gjk_subject {

/// Lengths and sizes change when the shape is scaled; sizes are not negative.
enum class Unit { length, size, none };

template <class T>
using Visit = std::function<void(T&, Unit)>;

/// Calls visit(number, unit) for each. A hull's points are the caller's and are left out.
template <class T, int N>
void each_number(gjk::Vec<T, N>& v, Unit unit, const Visit<std::type_identity_t<T>>& visit) {
    visit(v.x, unit);
    visit(v.y, unit);
    if constexpr (N == 3) visit(v.z, unit);
}
template <class T, int N>
void each_number(gjk::Matrix<T, N>& m, const Visit<std::type_identity_t<T>>& visit) {
    for (auto& column : m.column) each_number(column, Unit::none, visit);
}

template <class T, int N>
void each_number(gjk::Hull<T, N>&, const Visit<std::type_identity_t<T>>&) {}
template <class S>
void each_number(S& s, const Visit<gjk::ScalarOf<S>>& visit) {
    const auto lengths = [&](auto&... vectors) { (each_number(vectors, Unit::length, visit), ...); };
    if constexpr (requires { s.p; }) lengths(s.p);
    if constexpr (requires { s.center; }) lengths(s.center);
    if constexpr (requires { s.half; }) each_number(s.half, Unit::size, visit);
    if constexpr (requires { s.base; }) lengths(s.base, s.apex);
    if constexpr (requires { s.way; }) lengths(s.way);
    if constexpr (requires { s.radius; }) visit(s.radius, Unit::size);
    if constexpr (requires { s.axes; }) each_number(s.axes, visit);
    if constexpr (requires { s.map; }) {
        each_number(s.map.linear, visit);
        lengths(s.map.translation);
    }
    if constexpr (requires { s.pose; }) {
        each_number(s.pose.rotation, visit);
        lengths(s.pose.translation);
    }
    if constexpr (requires { s.c; }) lengths(s.c);
    if constexpr (requires { s.a.x; }) lengths(s.a, s.b);
    if constexpr (requires { s.a.inside(); }) {
        each_number(s.a, visit);
        each_number(s.b, visit);
    }
    if constexpr (requires { s.shape; }) each_number(s.shape, visit);
    if constexpr (requires { s.specimen; }) {
        std::visit([&](auto& shape) { each_number(shape, visit); }, s.specimen);
    }
}

// Compiled once, by supports.cpp.
extern template void each_number(specimens::Any<float, 3>&, const Visit<float>&);
extern template void each_number(specimens::Any<double, 3>&, const Visit<double>&);
extern template void each_number(specimens::Any<float, 2>&, const Visit<float>&);
extern template void each_number(specimens::Any<double, 2>&, const Visit<double>&);

/// In hexadecimal, which is enough to repeat it.
[[nodiscard]] inline std::string text_of(double number) {
    char text[40];
    std::snprintf(text, sizeof text, " %a", number);
    return text;
}
/// All of them, as they are in memory.
template <class S>
[[nodiscard]] std::string describe(const S& shape) {
    S copy(shape);
    std::string text;
    each_number(copy, [&](auto& number, Unit) { text += text_of(number); });
    if constexpr (requires { shape.specimen; }) return "kind " + std::to_string(shape.specimen.index()) + ":" + text;
    return text;
}

/// A copy, each of whose numbers is replaced by what `change` returns.
template <class T, int N>
class Changed {
public:
    template <class Change>
    [[nodiscard]] specimens::Any<T, N> operator()(const specimens::Any<T, N>& shape, const Change& change) {
        if (const auto* hull = std::get_if<gjk::Hull<T, N>>(&shape.specimen)) {
            auto& points = points_.emplace_back(hull->points().begin(), hull->points().end());
            for (auto& p : points) {
                each_number(p, Unit::length, [&](T& number, Unit unit) { number = change(number, unit); });
            }
            return {gjk::Hull<T, N>(points)};
        }
        specimens::Any<T, N> copy(shape);
        each_number(copy, [&](T& number, Unit unit) { number = change(number, unit); });
        return copy;
    }

private:
    std::deque<std::vector<gjk::Vec<T, N>>> points_;
};

/// Verdicts about two shapes: counts them, and describes those that are wrong.
template <class A, class B>
class Judge {
public:
    Judge(const Trial& trial, const A& a, const B& b) : trial_(trial), a_(a), b_(b) {}

    [[nodiscard]] std::uint64_t& at(Tally::Count count) const { return trial_.at(count); }
    void expect(bool holds, Tally::Count failure, const char* what) const {
        ++at(Tally::verdicts);
        if (holds) return;
        trial_.fail(failure, what, [&] { return "a " + describe(a_) + "\n  b " + describe(b_); });
    }
    /// broken: the claim that does not hold, or null.
    void expect_none(const char* broken) const { expect(broken == nullptr, Tally::unproved, broken); }
    /// Verifies what an answer proves; of a cast by its motion.
    template <class Answer, class... Motion>
    void certify(const Answer& answer, const Motion&... motion) const {
        ++at(Tally::exact_checks);
        at(Tally::culled_gjk) += answer.verdict == Verdict::separated;
        expect_none(Claims(a_, b_).broken(answer, motion...));
    }
    /// No answer may claim a proof that the two are apart, who share a point by construction.
    void expect_together(bool holds, const char* wrong) const {
        at(Tally::culled_gjk) += !holds;
        expect(holds, Tally::false_culls, wrong);
    }

private:
    const Trial& trial_;
    const A& a_;
    const B& b_;
};

/// Questions about two shapes that share a point.
template <class A, class B>
class Meeting {
public:
    using V = gjk::VectorOf<A>;
    using T = gjk::ScalarOf<A>;

    Meeting(const Trial& trial, const A& a, const B& b) : judge_(trial, a, b), a_(a), b_(b) {}

    /// direction: the caller's first, of any length; also a motion.
    void ask_all(const V& direction) const {
        ask_from({});
        ask_from(direction);
        ask_penetration();
        ask_cast(direction, 0);
    }
    /// Whether they share a point, and how far they are apart, from a first direction.
    void ask_from(const V& direction) const {
        auto found = gjk::intersect(a_, b_, {.direction = direction});
        ++judge_.at(Tally::cases);
        judge_.at(Tally::reached) += found.verdict == Verdict::intersecting;
        const Verdict warm = gjk::intersect(a_, b_, {.direction = direction, .warm = &found.simplex}).verdict;
        judge_.expect_together(found.verdict != Verdict::separated && warm != Verdict::separated &&
                                   gjk::may_intersect(a_, b_, {.direction = direction}),
                               "intersect: apart, yet they share a point");
        const auto distance = gjk::distance(a_, b_, {.direction = direction});
        judge_.expect_together(distance.verdict != Verdict::separated && distance.lower == 0 && distance.upper >= 0,
                               "distance: apart, yet they share a point");
    }
    void ask_penetration() const {
        judge_.expect_together(gjk::penetration(a_, b_).verdict != Verdict::separated,
                               "penetration: apart, yet they share a point");
    }
    /// They share a point when a has moved by `time` times the motion.
    void ask_cast(const V& motion, T time) const {
        judge_.expect_together(gjk::cast(a_, motion, b_).earliest <= time, "cast: later than the contact");
    }

private:
    const Judge<A, B> judge_;
    const A& a_;
    const B& b_;
};

/// How many pairs a trial tests: a tenth of a second, or less.
[[nodiscard]] inline int pairs_of(const Trial& trial) { return static_cast<int>(2 * trial.plan.objects); }

/// Runs ask.operator()<T, N>(trial) for floats and doubles, in space and in the plane.
template <const auto& ask>
void in_all(Trial& trial) {
    trial.at(Tally::trials) = 1;
    ask.template operator()<float, 3>(trial);
    ask.template operator()<double, 3>(trial);
    ask.template operator()<float, 2>(trial);
    ask.template operator()<double, 2>(trial);
}
template <const auto& ask>
void in_space(Trial& trial) {
    trial.at(Tally::trials) = 1;
    ask.template operator()<float>(trial);
    ask.template operator()<double>(trial);
}
template <void (*ask)(const Trial&)>
void in_doubles(Trial& trial) {
    trial.at(Tally::trials) = 1;
    ask(trial);
}

// Those of each file.
[[nodiscard]] std::span<const Family> touching_families();
[[nodiscard]] std::span<const Family> climbing_families();
[[nodiscard]] std::span<const Family> support_families();
[[nodiscard]] std::span<const Family> nearest_families();
[[nodiscard]] std::span<const Family> depth_families();
[[nodiscard]] std::span<const Family> signed_families();
[[nodiscard]] std::span<const Family> contact_families();
[[nodiscard]] std::span<const Family> turning_families();
[[nodiscard]] std::span<const Family> closed_families();

}  // namespace properties::gjk_subject
