#pragma once

#include <lanecull/gjk/detail/closed.hpp>
#include <lanecull/gjk/detail/nearest.hpp>
#include <lanecull/gjk/detail/newton.hpp>
#include <lanecull/gjk/detail/simplex.hpp>

/// The descent that finds distances. From a point v of the Minkowski difference it goes to the difference's point w
/// that is farthest towards the origin, then to the point nearest to the origin of the simplex with w added, and so on.
/// |v| is an upper bound of the distance. The plane through w at right angles to v gives a lower bound, as does any
/// other plane that touches the difference. Where surfaces are curved, Newton's method chooses these directions
/// (newton.hpp). Points, segments and boxes begin with the simplex that has the nearest point (closed.hpp).
namespace lanecull::gjk {

template <class V>
struct ApproachOptions {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    V direction{};        ///< where to begin, if not zero
    int max_steps = 0;    ///< how many points of the difference are tested, at most
    Scalar relative = 0;  ///< the bounds may differ by this fraction of what the distance exceeds `margin` by
    Scalar margin = 0;
    Scalar far_enough =
        std::numeric_limits<Scalar>::infinity();  ///< ends when the distance is proved to be more than this
    Scalar near_enough = -1;                      ///< ends when the distance is known to be at most this
    bool straight = false;                        ///< ends only when v's own direction proves such a bound, too
    const Simplex<V>* warm = nullptr;
};

template <class V>
struct Approach {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    NearestOnSimplex<V> nearest;  ///< v, and the weights in the order of the simplex
    Scalar lower = 0,
           upper = std::numeric_limits<Scalar>::infinity();  ///< of the distance, with rounding accounted for
    V direction{};  ///< proves `lower`: every point of a is at least so much lower along it than every point of b
    int steps = 0;
    bool encloses = false;   ///< the simplex contains the origin, up to rounding
    bool converged = false;  ///< the bounds are as close as was requested, or as rounding allows
    bool straight = false;   ///< v's own direction proves a bound as close
};

namespace detail {

/// Reduces the simplex to the corners that v is a mixture of.
template <class V>
constexpr void reduce(Simplex<V>& simplex, const NearestOnSimplex<V>& nearest) noexcept {
    for (int i = 0; i < nearest.count; ++i)
        if (nearest.corner[i] != i) simplex.points[i] = simplex.points[nearest.corner[i]];
    simplex.count = nearest.count;
}

}  // namespace detail

/// The simplex's points a (or b) mixed by the weights by which v is mixed of its points w.
template <class V>
[[nodiscard]] constexpr V mixture(const Simplex<V>& simplex, const NearestOnSimplex<V>& nearest,
                                  V SupportPoint<V>::*of) noexcept {
    V sum{};
    for (int i = 0; i < simplex.count; ++i) sum += nearest.weight[i] * simplex.points[i].*of;
    return sum;
}

/// simplex: empty, or points of the difference to go on from; receives the corners that v is a mixture of. (It is not
/// returned, because copying its half a kilobyte takes as long as a step.)
template <class A, class B, class Trace>
[[nodiscard]] Approach<VectorOf<A>> approach(const MinkowskiDifference<A, B>& pair,
                                             const ApproachOptions<VectorOf<A>>& options, Simplex<VectorOf<A>>& simplex,
                                             Trace&& trace) {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    constexpr T u = unit_roundoff<T>;
    const T rounding = 8 * u * pair.magnitude();  // of v: by the subtraction, the weights, the mixture

    Approach<V> result;
    // Takes the simplex's point that is nearest to the origin. False if it is no nearer than the last one.
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
    bool is_closed = false;
    // Whoever traces the steps gets them. A search that may end early does so sooner by itself.
    if constexpr (detail::has_closed<A, B> && std::is_same_v<std::remove_cvref_t<Trace>, NoTrace>) {
        is_closed = options.max_steps >= Simplex<V>::most && !(options.near_enough >= 0);
        if (is_closed) {
            detail::nearest_corners(pair, simplex);
            result.steps = simplex.count;
        }
    }
    const int kept = is_closed || options.warm == nullptr ? 0 : std::min(options.warm->count, options.max_steps);
    for (int i = 0; i < kept; ++i) {
        const SupportPoint<V> point = pair.support(options.warm->points[i].direction);
        ++result.steps;
        if (!simplex.contains(point.w)) simplex.add(point);
    }
    if (simplex.count > 0 && (!descend() || result.encloses)) {
        result.converged = result.encloses;
        return result;
    }
    V towards = simplex.count != 0           ? -result.nearest.v
                : is_zero(options.direction) ? -pair.inside()
                                             : options.direction;
    if (is_zero(towards)) towards = some_axis<V>();
    bool by_newton = false;  // who chose `towards`
    T last_gap = std::numeric_limits<T>::infinity();
    if constexpr (detail::has_newton<A, B>) {
        by_newton = simplex.count > 0 && newton(pair, simplex, result.nearest, towards);
    }
    while (result.steps < options.max_steps) {
        const V d = rescaled(towards);
        SupportPoint<V>& point = simplex.points[simplex.count];
        pair.support(d, point);
        ++result.steps;
        const T value = dot(point.w, d), inverse = 1 / length(d), height = -value * inverse;
        const T missing = pair.tolerance() * sum_norm(d) * inverse;
        const auto lower = [&](T highest) { return (-highest * inverse - missing) * (1 - 4 * u); };
        T highest = value;
        if (lower(value) > result.lower && pair.proves_apart(d, highest) && lower(highest) > result.lower) {
            result.lower = lower(highest);
            result.direction = d;
            if (result.lower > options.far_enough && simplex.count != 0) break;
        }
        // Ends if the bounds meet, or if rounding allows no more: a point came again, or is no nearer.
        const T distance = std::sqrt(result.nearest.square);
        const bool met =
            simplex.count != 0 && distance - height <= options.relative * (distance - options.margin) + rounding;
        result.straight = !by_newton && met;
        result.converged = (!by_newton && simplex.contains(point.w)) || result.straight || (met && !options.straight);
        if (result.converged) break;
        ++simplex.count;
        trace(simplex, d);
        if (!descend()) {
            --simplex.count;
            if (by_newton) {
                by_newton = false;
                towards = -result.nearest.v;
                continue;
            }
            result.converged = simplex.count != 0;
            break;
        }
        if (result.encloses) {
            result.converged = true;
            break;
        }
        if (result.upper <= options.near_enough || result.lower > options.far_enough) break;
        towards = -result.nearest.v;
        // Newton's method, once they are known to be apart, as long as each of its steps leaves less than half.
        if constexpr (detail::has_newton<A, B>) {
            const T gap = std::sqrt(result.nearest.square) - result.lower;
            by_newton = result.lower > 0 && !(met && options.straight) && (!by_newton || gap < T(0.5) * last_gap) &&
                        newton(pair, simplex, result.nearest, towards);
            last_gap = gap;
        }
    }
    return result;
}

}  // namespace lanecull::gjk
