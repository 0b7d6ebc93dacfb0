#include <cmath>
#include <limits>

#include "gjk/specimens.hpp"
#include "prove/gjk/claims.hpp"
#include "prove/gjk/families.hpp"
#include "prove/gjk/meeting.hpp"

/// Ordinary pairs of any kinds. What an answer claims to prove is verified in 50 digits by the shapes' definitions.
namespace prove::gjk_subject {
namespace {

template <class T, int N>
class Certifier {
public:
    using Any = specimens::Any<T, N>;
    using V = gjk::Vec<T, N>;

    Certifier(const Trial& trial, const Any& a, const Any& b) : trial_(trial), a_(a), b_(b), claims_(a, b) {}

    void ask_all(const V& motion) const {
        const auto answer = gjk::intersect(a_, b_);
        expect(answer.verdict, claims_.broken(answer));
        const auto found = gjk::distance(a_, b_);
        expect(found.verdict, claims_.broken(found));
        count_kept(claims_.known(found), found.verdict == Verdict::separated);
        const auto contact = gjk::cast(a_, motion, b_);
        expect(contact.verdict, claims_.broken(contact, motion));
        const auto depth = gjk::penetration(a_, b_);
        expect(depth.verdict, claims_.broken(depth));
    }

private:
    std::uint64_t& at(Tally::Count count) const { return trial_.at(count); }

    void expect(Verdict verdict, const char* broken) const {
        ++at(Tally::verdicts);
        ++at(Tally::exact_checks);
        at(Tally::culled_gjk) += verdict == Verdict::separated;
        if (broken == nullptr) return;
        trial_.fail(Tally::unproved, broken, [&] { return "a " + describe(a_) + "\n  b " + describe(b_); });
    }

    void count_kept(const Real& known, bool told) const {
        const T size = a_.magnitude() + b_.magnitude();
        const auto count_level = [&](int exponent, Tally::Count apart, Tally::Count kept) {
            if (!(known > Real(std::ldexp(size, exponent)))) return;
            ++at(apart);
            at(kept) += !told;
        };
        count_level(-14, Tally::apart_14, Tally::kept_14);
        count_level(-18, Tally::apart_18, Tally::kept_18);
        count_level(-22, Tally::apart_22, Tally::kept_22);
    }

    const Trial& trial_;
    const Any &a_, &b_;
    const Claims<Any, Any> claims_;
};

template <class T, int N>
void certify(const Trial& trial) {
    specimens::Maker<T, N> maker(trial.random);
    const auto shape = [&](double far) {
        return specimens::Any<T, N>{maker(trial.random.below(specimens::kinds<T, N>), maker.vector(far))};
    };
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const auto a = shape(0), b = shape(trial.random.log_range(0.1, 10));
        Certifier<T, N>(trial, a, b).ask_all(maker.vector(8));
    }
}

/// Where nothing overflows or underflows, a pair 2^k times as large gets the same answers, 2^k times as large.
template <class T, int N>
void scale(const Trial& trial) {
    specimens::Maker<T, N> maker(trial.random);
    constexpr int most = sizeof(T) == 4 ? 40 : 300;
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        Changed<T, N> changed;
        const auto shape = [&](double far) {
            return specimens::Any<T, N>{maker(trial.random.below(specimens::kinds<T, N>), maker.vector(far))};
        };
        const auto a = shape(0), b = shape(trial.random.log_range(0.1, 10));
        const T s = std::ldexp(T(1), trial.random.below(2 * most) - most);
        const auto larger = [&](T number, Unit unit) { return unit == Unit::length ? s * number : number; };
        const auto scaled_a = changed(a, larger), scaled_b = changed(b, larger);
        const auto expect = [&](bool same, const char* what) {
            ++trial.at(Tally::verdicts);
            if (same) return;
            trial.fail(Tally::untold, what, [&] { return "a " + describe(a) + "\n  b " + describe(b); });
        };
        const auto found = gjk::distance(a, b), other = gjk::distance(scaled_a, scaled_b);
        expect(found.verdict == other.verdict && s * found.lower == other.lower && s * found.upper == other.upper,
               "distance: differs at another scale");
        trial.at(Tally::culled_gjk) += found.verdict == Verdict::separated;
        expect(gjk::intersect(a, b).verdict == gjk::intersect(scaled_a, scaled_b).verdict,
               "intersect: differs at another scale");
        const auto motion = maker.vector(8);
        expect(gjk::cast(a, motion, b).earliest == gjk::cast(scaled_a, s * motion, scaled_b).earliest,
               "cast: differs at another scale");
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
        const auto shape = [&] {
            return specimens::Any<T, N>{maker(trial.random.below(specimens::kinds<T, N>), maker.vector(4))};
        };
        const auto sound = shape(), other = shape();
        int numbers = 0;
        (void)changed(other, [&](T number, Unit) { return ++numbers, number; });
        int left = trial.random.below(numbers);
        const auto a =
            changed(other, [&](T number, Unit) { return left-- == 0 ? none[trial.random.below(4)] : number; });
        const auto expect = [&](bool holds) {
            ++trial.at(Tally::verdicts);
            if (holds) return;
            trial.fail(Tally::invalid_told, "a number is none, yet they are apart",
                       [&] { return "a " + describe(a) + "\n  b " + describe(sound); });
        };
        const auto motion = maker.vector(8);
        for (const auto& [p, q] : {std::pair(&a, &sound), std::pair(&sound, &a)}) {
            expect(gjk::intersect(*p, *q).verdict != Verdict::separated);
            const auto found = gjk::distance(*p, *q);
            expect(found.verdict != Verdict::separated && found.lower == 0);
            expect(gjk::cast(*p, motion, *q).earliest == 0);
            expect(gjk::penetration(*p, *q).verdict != Verdict::separated);
        }
    }
}

}  // namespace

void run_any(Trial& trial) {
    certify<float, 3>(trial);
    certify<double, 3>(trial);
    certify<float, 2>(trial);
    certify<double, 2>(trial);
}

void run_scaled(Trial& trial) {
    scale<float, 3>(trial);
    scale<double, 3>(trial);
    scale<float, 2>(trial);
    scale<double, 2>(trial);
}

void run_none(Trial& trial) {
    spoil<float, 3>(trial);
    spoil<double, 3>(trial);
    spoil<float, 2>(trial);
    spoil<double, 2>(trial);
}

}  // namespace prove::gjk_subject
