#pragma once

#include <algorithm>

#include <lanecull/gjk/distance.hpp>
#include <lanecull/gjk/penetration.hpp>

/// How far apart are two shapes, or how deep are they in each other? One number for both, which is continuous where
/// they touch, and convex in the shapes' places: what optimizers and contact solvers work with.
///
/// ```cpp
/// #include <lanecull/gjk.hpp>
/// #include <cmath>
///
/// namespace gjk = lanecull::gjk;
///
/// int main() {
///     const gjk::Box<double> floor{{0, 0, -1}, {9, 9, 1}};
///     for (double height = -0.25; height <= 0.25; height += 0.125) {
///         const gjk::Box<double> crate{{0, 0, height + 1}, {1, 1, 1}};
///         const auto found = gjk::signed_distance(floor, crate);
///         if (std::abs(found.distance - height) > 1e-14 || std::abs(found.direction.z - 1) > 1e-14) return 1;
///     }
///     return 0;
/// }
/// ```
namespace lanecull::gjk {

template <class V>
struct SignedDistanceOptions {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// How many points of the Minkowski difference are tested, at most, and as many again where the shapes intersect.
    int max_steps = 256;
    /// As in DistanceOptions, for shapes whose cores are apart.
    Scalar relative = DistanceOptions<V>{}.relative;
    /// As in PenetrationOptions, for shapes whose cores share a point.
    Scalar relative_depth = PenetrationOptions<V>{}.relative;
    /// For callers who only need distances up to this: the query ends as soon as `lower` is beyond it.
    Scalar limit = std::numeric_limits<Scalar>::infinity();
    /// The simplex that an earlier query for the same pair returned, if the shapes have moved little since.
    const Simplex<V>* warm = nullptr;
};

template <class V>
struct SignedDistance {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// separated: lower > 0, proved. intersecting: they share a point up to rounding. undecided: their margins touch up
    /// to rounding, the cap on steps was reached, or a number is not finite; then the bounds may be infinite, and with
    /// infinite bounds nothing else has a meaning.
    Verdict verdict = Verdict::undecided;
    int steps = 0;  ///< points of the Minkowski difference that were tested
    /// Apart: the distance. Together: minus the depth, the length of the shortest translation that separates them.
    Scalar distance = 0;
    /// The signed distance is between these two: above 0 as proved as distance()'s, below as near as penetration()'s.
    Scalar lower = -std::numeric_limits<Scalar>::infinity(), upper = std::numeric_limits<Scalar>::infinity();
    /// A unit vector from a to b: the gradient of the distance by a translation of b, and minus that by one of a. If
    /// the distance has none (several ways out are as short), one of the subgradients. Cores that are apart by little
    /// more than rounding have it to rounding / distance, unless two faces, or a face and a corner, are nearest.
    V direction{};
    /// The nearest or the deepest points, one of each shape: b - a = distance * direction, up to rounding.
    V a{}, b{};
    Simplex<V> simplex;  ///< of the cores; for SignedDistanceOptions::warm
};

namespace detail {

/// A direction at right angles to a simplex that spans a plane (in the plane: a line), of any length.
template <class T>
[[nodiscard]] constexpr Vec2<T> across(const Simplex<Vec2<T>>& simplex) noexcept {
    return perpendicular(simplex.points[1].w - simplex.points[0].w);
}
template <class T>
[[nodiscard]] constexpr Vec3<T> across(const Simplex<Vec3<T>>& simplex) noexcept {
    const Vec3<T> a = simplex.points[0].w;
    return cross(simplex.points[1].w - a, simplex.points[2].w - a);
}

/// The direction from the point v of the difference towards the origin. If v is short, most of it is rounding; if
/// it lies on a facet of the difference, the facet's own normal is as good as the facet is large. The better of the two
/// has more of the difference's height below the origin.
template <class A, class B, class V = VectorOf<A>, class T = ScalarOf<A>>
[[nodiscard]] V towards_origin(const MinkowskiDifference<A, B>& pair, const Simplex<V>& simplex, const V& v) {
    const V straight = unit(-v);
    const T short_of = std::sqrt(unit_roundoff<T>) * pair.magnitude();
    if (simplex.count < Simplex<V>::most - 1 || !(dot(v, v) < short_of * short_of)) return straight;
    const V normal = unit(across(simplex)), outward = dot(normal, v) > 0 ? -normal : normal;
    const auto height = [&](const V& d) { return dot(pair.support(d).w, d); };
    return height(outward) < height(straight) ? outward : straight;
}

/// For cores that are apart; the sum of the margins is off by `sums` u.
template <int sums, class A, class B, class V = VectorOf<A>, class T = ScalarOf<A>>
void between_cores(const MinkowskiDifference<A, B>& pair, const Approach<V>& cores, T margin_a, T margin_b,
                   SignedDistance<V>& result) {
    const T margin = margin_a + margin_b, apart = pair.unscaled(std::sqrt(cores.nearest.square));
    const T cores_lower = pair.unscaled_down(cores.lower), cores_upper = pair.unscaled_up(cores.upper);
    const T slack = margin == 0
                        ? T(0)
                        : unit_roundoff<T> * (sums * margin + 2 * cores_upper) + std::numeric_limits<T>::denorm_min();
    if (!(margin + cores_upper < std::numeric_limits<T>::infinity())) return;
    result.distance = apart - margin;
    result.lower = cores_lower - margin - slack;
    result.upper = cores_upper - margin + slack;
    if (margin >= 0 && result.lower > 0)
        result.verdict = Verdict::separated;
    else if (cores_upper < margin)
        result.verdict = Verdict::intersecting;
    result.direction = towards_origin(pair, result.simplex, cores.nearest.v);
    result.a = mixture(result.simplex, cores.nearest, &SupportPoint<V>::a) + margin_a * result.direction;
    result.b = mixture(result.simplex, cores.nearest, &SupportPoint<V>::b) - margin_b * result.direction;
}

/// signed_distance(), with a polytope of so many points in a difference, on the stack.
template <int most_points, class A, class B>
[[nodiscard]] SignedDistance<VectorOf<A>> signed_distance_within(const A& a, const B& b,
                                                                 const SignedDistanceOptions<VectorOf<A>>& options) {
    using V = VectorOf<A>;
    constexpr int sums = margin_roundings<A, B>;
    const auto& core_a = gjk::core(a);
    const auto& core_b = gjk::core(b);
    const auto margin_a = gjk::margin(a), margin_b = gjk::margin(b);
    const MinkowskiDifference pair(core_a, core_b);
    SignedDistance<V> result;
    const Approach<V> cores = approach(pair,
                                       {.max_steps = options.max_steps,
                                        .relative = options.relative,
                                        .far_enough = pair.scaled(options.limit + (margin_a + margin_b)),
                                        .straight = true,
                                        .warm = options.warm},
                                       result.simplex, NoTrace{});
    result.steps = cores.steps;
    if (result.simplex.count == 0) return result;
    if (!touches(pair, cores)) {
        between_cores<sums>(pair, cores, margin_a, margin_b, result);
        return result;
    }
    Penetration<V> deep;
    deep.simplex = result.simplex;
    leave_cores<sums, most_points>(pair, cores.encloses, margin_a, margin_b,
                                   {.max_steps = options.max_steps, .relative = options.relative_depth}, deep);
    if (!(deep.upper < std::numeric_limits<ScalarOf<A>>::infinity())) return result;
    result.verdict = deep.verdict;
    result.steps += deep.steps;
    result.distance = 0 - deep.depth;  // never -0
    result.lower = -deep.upper;
    result.upper = deep.lower > 0 ? -deep.lower : pair.unscaled_up(cores.upper);
    result.direction = deep.direction;
    result.a = deep.a;
    result.b = deep.b;
    return result;
}

}  // namespace detail

/// The distance, or minus the depth. Takes as many points of the difference as distance() for shapes whose cores are
/// apart (for balls and capsules always), and as penetration() for others.
template <Shape A, Shape B>
requires Pair<A, B>
[[nodiscard]] SignedDistance<VectorOf<A>> signed_distance(const A& a, const B& b,
                                                          const SignedDistanceOptions<VectorOf<A>>& options = {}) {
    return detail::signed_distance_within<detail::most_expansion_points>(a, b, options);
}

}  // namespace lanecull::gjk
