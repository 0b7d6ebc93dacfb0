#pragma once

#include <lanecull/gjk/nearest.hpp>
#include <lanecull/gjk/simplex.hpp>

/// The descent that distances come from: from a point v of the difference to the point w farthest towards the origin,
/// to the point nearest to the origin of the simplex with w, and so on. |v| is an upper bound of the distance, and the
/// plane through w across v a lower one.
namespace lanecull::gjk {

template <class V>
struct ApproachOptions {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    V direction{};        ///< where to begin, if not zero
    int max_steps = 0;    ///< points of the difference that are looked at, at most
    Scalar relative = 0;  ///< the bounds may differ by so much of the distance
    Scalar far_enough = std::numeric_limits<Scalar>::infinity();  ///< to know that it is more than this
    Scalar near_enough = -1;                                      ///< to know that it is at most this
    const Simplex<V>* warm = nullptr;
};

template <class V>
struct Approach {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    NearestOnSimplex<V> nearest;  ///< v, and the weights in the order of the simplex
    Scalar lower = 0, upper = std::numeric_limits<Scalar>::infinity();  ///< of the distance, rounding accounted for
    V direction{};  ///< that proves `lower`: every point of a is at least so much lower along it than those of b
    int steps = 0;
    bool encloses = false;   ///< the simplex contains the origin, up to rounding
    bool converged = false;  ///< the bounds are as close as was asked, or as rounding lets them be
};

namespace detail {

/// Leaves the corners that v is a mixture of.
template <class V>
constexpr void reduce(Simplex<V>& simplex, const NearestOnSimplex<V>& nearest) noexcept {
    for (int i = 0; i < nearest.count; ++i)
        if (nearest.corner[i] != i) simplex.points[i] = simplex.points[nearest.corner[i]];
    simplex.count = nearest.count;
}

}  // namespace detail

/// What the simplex's points a (or b) are when mixed as v is of its points w.
template <class V>
[[nodiscard]] constexpr V mixture(const Simplex<V>& simplex, const NearestOnSimplex<V>& nearest,
                                  V SupportPoint<V>::*of) noexcept {
    V sum{};
    for (int i = 0; i < simplex.count; ++i) sum += nearest.weight[i] * simplex.points[i].*of;
    return sum;
}

/// simplex: empty; then the corners that v is a mixture of. Copies of its half a kilobyte cost as much as a step.
template <class A, class B, class Trace>
[[nodiscard]] Approach<VectorOf<A>> approach(const MinkowskiDifference<A, B>& pair,
                                             const ApproachOptions<VectorOf<A>>& options, Simplex<VectorOf<A>>& simplex,
                                             Trace&& trace) {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    constexpr T u = unit_roundoff<T>;
    const T rounding = 8 * u * pair.magnitude();  // of v: the subtraction, the weights, the mixture

    Approach<V> result;
    // Takes the point nearest to the origin of the simplex. False when that is no nearer than the last.
    const auto descend = [&] {
        const T last = result.nearest.square;
        nearest_on(simplex, result.nearest);
        if (!(result.nearest.square < last)) return false;
        detail::reduce(simplex, result.nearest);
        const T distance = std::sqrt(result.nearest.square);
        result.upper = distance * (1 + 4 * u) + rounding;
        result.encloses = distance <= rounding;
        return true;
    };
    const int kept = options.warm == nullptr ? 0 : std::min(options.warm->count, options.max_steps);
    if (kept > 0) {
        for (int i = 0; i < kept; ++i) {
            const SupportPoint<V> point = pair.support(options.warm->points[i].direction);
            ++result.steps;
            if (!simplex.contains(point.w)) simplex.add(point);
        }
        if (!descend() || result.encloses) {
            result.converged = result.encloses;
            return result;
        }
    }
    V towards = simplex.count != 0           ? -result.nearest.v
                : is_zero(options.direction) ? -pair.inside()
                                             : options.direction;
    if (is_zero(towards)) towards = some_axis<V>();
    while (result.steps < options.max_steps) {
        const V d = rescaled(towards);
        SupportPoint<V>& point = simplex.points[simplex.count];
        pair.support(d, point);
        ++result.steps;
        const T value = dot(point.w, d), inverse = 1 / length(d), height = -value * inverse;
        const T lower = (height - pair.tolerance() * sum_norm(d) * inverse) * (1 - 4 * u);
        if (lower > result.lower && pair.proves_apart(d, value)) {
            result.lower = lower;
            result.direction = d;
            if (lower > options.far_enough && simplex.count != 0) break;
        }
        // Either the bounds meet, or rounding has the last word: a point once more, or one that leads nowhere.
        const T distance = std::sqrt(result.nearest.square);
        result.converged = simplex.contains(point.w) ||
                           (simplex.count != 0 && distance - height <= options.relative * distance + rounding);
        if (result.converged) break;
        ++simplex.count;
        trace(simplex, d);
        if (!descend()) {
            --simplex.count;
            result.converged = simplex.count != 0;
            break;
        }
        if (result.encloses) {
            result.converged = true;
            break;
        }
        if (result.upper <= options.near_enough || result.lower > options.far_enough) break;
        towards = -result.nearest.v;
    }
    return result;
}

}  // namespace lanecull::gjk
