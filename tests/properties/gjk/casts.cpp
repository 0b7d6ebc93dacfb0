#include <algorithm>
#include <utility>

#include "properties/gjk/claims.hpp"
#include "properties/gjk/subject.hpp"

/// Casts are never late, by certificates in 50 digits and by closed forms, and early by no more than the width of their
/// interval.
namespace properties::gjk_subject {
namespace {

template <class T, int N>
void cast_many(const Trial& trial) {
    using Any = specimens::Any<T, N>;
    using V = gjk::Vec<T, N>;
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    const gjk::CastOptions<V> options;
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const int kind = random.below(specimens::kinds<T, N>), other = random.below(specimens::kinds<T, N>);
        const V place = maker.vector(6);
        const Any a{maker(kind, {})}, b{maker(other, place)};
        // Mostly towards the other, sometimes anywhere.
        const V motion =
            random.chance(0.8) ? static_cast<T>(random.range(0.5, 3)) * (place + maker.vector(0.7)) : maker.vector(9);
        const gjk::Cast<V> found = gjk::cast(a, motion, b, options);
        const Claims claims(a, b);
        const Judge judge(trial, a, b);
        judge.expect_proof(found.verdict, claims.broken(found, motion));
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
}

}  // namespace

void run_casts(Trial& trial) {
    for_each_number([&]<class T, int N>() { cast_many<T, N>(trial); });
}

}  // namespace properties::gjk_subject
