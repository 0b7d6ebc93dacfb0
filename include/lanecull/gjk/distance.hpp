#pragma once

#include <algorithm>

#include <lanecull/gjk/detail/approach.hpp>

namespace lanecull::gjk {

template <class V>
struct DistanceOptions {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// The first direction; zero: from a point inside one shape towards a point inside the other.
    V direction{};
    /// How many points of the Minkowski difference are tested, at most.
    int max_steps = 128;
    /// The upper and the lower bound may differ by this fraction of the distance (between the cores, if the shapes have
    /// cores) plus what rounding leaves. Polytopes are exact anyway. The nearest points of curved shapes are accurate
    /// to the square root of this.
    Scalar relative = sizeof(Scalar) == 4 ? Scalar(1e-6) : Scalar(1e-12);
    /// For callers who only need distances up to this: the query ends as soon as `lower` is beyond it.
    Scalar limit = std::numeric_limits<Scalar>::infinity();
    /// The simplex that an earlier query for the same pair returned, if the shapes have moved little since.
    const Simplex<V>* warm = nullptr;
};

template <class V>
struct Distance {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// separated: lower > 0. intersecting: the distance is 0 up to rounding. undecided: they touch or nearly touch, or
    /// the cap on steps was reached, or a number is not finite.
    Verdict verdict = Verdict::undecided;
    int steps = 0;  ///< points of the Minkowski difference that were tested
    /// The distance between the points a and b below. 0 for intersecting shapes.
    Scalar distance = 0;
    /// The distance is between these two, with all rounding accounted for. With a limit, `upper` may be far above the
    /// distance.
    Scalar lower = 0, upper = std::numeric_limits<Scalar>::infinity();
    /// For separated shapes: every point of a lies at least lower * |direction| lower along it than every point of b.
    V direction{};
    /// The nearest points, one of each shape; for shapes that intersect, a common point, twice.
    V a{}, b{};
    Simplex<V> simplex;  ///< of the cores; for DistanceOptions::warm
};

namespace detail {

/// Fills in everything but the simplex, which is that of the cores, from what is known about the cores. The sum of the
/// margins is off by `sums` u.
template <int sums, class A, class B, class V = VectorOf<A>, class T = ScalarOf<A>>
void add_margins(const MinkowskiDifference<A, B>& pair, const Approach<V>& cores, T margin_a, T margin_b,
                 Distance<V>& result) noexcept {
    constexpr T u = unit_roundoff<T>;
    const T margin = margin_a + margin_b;
    result.steps = cores.steps;
    result.direction = cores.direction;
    const T apart = cores.encloses ? T(0) : pair.unscaled(std::sqrt(cores.nearest.square));
    const T cores_lower = pair.unscaled_down(cores.lower), cores_upper = pair.unscaled_up(cores.upper);
    const T slack = margin == 0 ? T(0) : u * (sums * margin + 2 * cores_upper) + std::numeric_limits<T>::denorm_min();
    result.lower = margin >= 0 ? std::max(T(0), cores_lower - margin - slack) : T(0);
    result.upper = std::max(cores_upper - margin, T(0)) + slack;
    if (!(result.upper >= 0)) result.upper = std::numeric_limits<T>::infinity();  // a NaN
    if (result.lower > 0) {
        result.verdict = Verdict::separated;
    } else if (cores.encloses || cores_upper < margin) {
        result.verdict = Verdict::intersecting;
    }
    result.distance = std::max(T(0), apart - margin);
    // From each core towards the other, by its margin; if the margins overlap, to the same point.
    const V way = unit(-cores.nearest.v);
    const T share = margin > apart ? apart / margin : T(1);
    result.a = mixture(result.simplex, cores.nearest, &SupportPoint<V>::a) + share * margin_a * way;
    result.b = mixture(result.simplex, cores.nearest, &SupportPoint<V>::b) - share * margin_b * way;
}

}  // namespace detail

/// How far apart the two are, and where they are nearest. Takes 4 to 10 points of the difference for polytopes, 4 to
/// 15 for curved shapes that have no core.
template <Shape A, Shape B, class Trace = NoTrace>
requires Pair<A, B>
[[nodiscard]] Distance<VectorOf<A>> distance(const A& a, const B& b, const DistanceOptions<VectorOf<A>>& options = {},
                                             Trace&& trace = {}) {
    const auto& core_a = gjk::core(a);
    const auto& core_b = gjk::core(b);
    const auto margin_a = gjk::margin(a), margin_b = gjk::margin(b);
    Distance<VectorOf<A>> result;
    const MinkowskiDifference pair(core_a, core_b);
    const Approach<VectorOf<A>> cores = approach(pair,
                                                 {.direction = options.direction,
                                                  .max_steps = options.max_steps,
                                                  .relative = options.relative,
                                                  .far_enough = pair.scaled(options.limit + (margin_a + margin_b)),
                                                  .warm = options.warm},
                                                 result.simplex, trace);
    detail::add_margins<margin_roundings<A, B>>(pair, cores, margin_a, margin_b, result);
    return result;
}

}  // namespace lanecull::gjk
