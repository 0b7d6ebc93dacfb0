#pragma once

#include <string>

#include <lanecull/gjk.hpp>

#include "prove/gjk/numbers.hpp"
#include "prove/trial.hpp"

/// Questions about two shapes that share a point. No answer may claim a proof that they are apart.
namespace prove::gjk_subject {

using gjk::Verdict;

template <class A, class B>
class Meeting {
public:
    using V = gjk::VectorOf<A>;
    using T = gjk::ScalarOf<A>;

    Meeting(const Trial& trial, const A& a, const B& b) : trial_(trial), a_(a), b_(b) {}

    /// direction: the caller's first, of any length; also a motion.
    void ask_all(const V& direction) const {
        ask_intersect({});
        ask_intersect(direction);
        ask_distance(direction);
        expect("penetration", gjk::penetration(a_, b_).verdict != Verdict::separated);
        expect("cast", gjk::cast(a_, direction, b_).earliest == 0);
    }
    void ask_intersect(const V& direction) const {
        gjk::IntersectOptions<V> options;
        options.direction = direction;
        const auto found = gjk::intersect(a_, b_, options);
        expect("intersect", found.verdict != Verdict::separated);
        options.warm = &found.simplex;
        expect("intersect, warm", gjk::intersect(a_, b_, options).verdict != Verdict::separated);
    }
    void ask_distance(const V& direction) const {
        gjk::DistanceOptions<V> options;
        options.direction = direction;
        const auto found = gjk::distance(a_, b_, options);
        expect("distance", found.verdict != Verdict::separated && found.lower == 0 && found.upper >= 0);
    }
    /// They share a point when a has moved by `time` times the motion.
    void ask_cast(const V& motion, T time) const {
        expect("cast to the contact", gjk::cast(a_, motion, b_).earliest <= time);
    }

private:
    void expect(const char* question, bool holds) const {
        ++trial_.at(Tally::verdicts);
        if (holds) return;
        ++trial_.at(Tally::culled_gjk);
        trial_.fail(Tally::false_culls, std::string(question) + ": apart, yet they share a point",
                    [&] { return "a " + describe(a_) + "\n  b " + describe(b_); });
    }

    const Trial& trial_;
    const A& a_;
    const B& b_;
};

/// How many pairs a trial asks about: a tenth of a second, or less.
[[nodiscard]] inline int pairs_of(const Trial& trial) { return static_cast<int>(2 * trial.plan.objects); }

}  // namespace prove::gjk_subject
