#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "oracle/exact.hpp"

/// Signs of polynomials in the numbers that a function was given and those that it returned: in doubles with a bound on
/// their error, and in rationals where that cannot decide.
namespace properties {

/// A number in doubles that is at most `error` away from the true one.
///
/// With u = 2^-53, an operation's result is rounded by at most u of itself, or by 2^-1075 where a product underflows.
/// It also inherits its operands' errors. A sum's is the sum of both. A product's is |x| dy + |y| dx + dx dy. These
/// errors are sums of at most four numbers >= 0, rounded at most six times each, which `and_roundings` makes up for.
/// Where a term of an error underflows, it loses less than 2^-1074: `smallest` stands for all of them.
struct Estimate {
    double value = 0, error = 0;

    static constexpr double unit = 0x1p-53, and_roundings = 1 + 0x1p-49, smallest = 0x1p-1070;

    friend Estimate operator+(const Estimate& x, const Estimate& y) {
        const double sum = x.value + y.value;
        return {sum, (x.error + y.error + unit * std::fabs(sum)) * and_roundings};
    }
    friend Estimate operator-(const Estimate& x) { return {-x.value, x.error}; }
    friend Estimate operator-(const Estimate& x, const Estimate& y) { return x + -y; }
    friend Estimate operator*(const Estimate& x, const Estimate& y) {
        const double product = x.value * y.value;
        const double inherited = std::fabs(x.value) * y.error + std::fabs(y.value) * x.error + x.error * y.error;
        return {product, (inherited + unit * std::fabs(product)) * and_roundings + smallest};
    }
    friend Estimate abs(const Estimate& x) { return {std::fabs(x.value), x.error}; }
};

/// A formula is a function of how numbers are to be taken: exactly(x) is x as one of these.
struct InDoubles {
    Estimate operator()(double x) const { return {x, 0}; }
    Estimate operator()(float x) const { return {static_cast<double>(x), 0}; }
};
struct InRationals {
    exact::Rational operator()(double x) const { return exact::rational(x); }
    exact::Rational operator()(float x) const { return exact::rational(static_cast<double>(x)); }
};
/// What a formula computes with.
template <class Exactly>
using NumberOf = std::invoke_result_t<Exactly, double>;

template <class Number>
[[nodiscard]] Number square(const Number& x) {
    return x * x;
}

/// Decides formulas, and counts the decisions that took rationals.
class Judge {
public:
    /// -1, 0 or 1. The numbers in the formula must be finite.
    template <class Formula>
    [[nodiscard]] int sign(const Formula& formula) {
        if (!by_rationals_alone_) {
            const Estimate estimate = formula(InDoubles{});
            if (estimate.value > estimate.error) return 1;
            if (estimate.value < -estimate.error) return -1;
        }
        ++exact_checks_;
        return formula(InRationals{}).sign();
    }

    /// From here on no formula is computed in doubles, or again all are.
    void by_rationals_alone(bool alone) { by_rationals_alone_ = alone; }
    [[nodiscard]] std::uint64_t exact_checks() const { return exact_checks_; }

private:
    bool by_rationals_alone_ = false;
    std::uint64_t exact_checks_ = 0;
};

}  // namespace properties
