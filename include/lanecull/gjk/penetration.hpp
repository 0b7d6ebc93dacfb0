#pragma once

#include <algorithm>

#include <lanecull/gjk/detail/approach.hpp>
#include <lanecull/gjk/detail/expand.hpp>

namespace lanecull::gjk {

template <class V>
struct PenetrationOptions {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// How many points of the Minkowski difference are tested, at most: for finding out that the shapes intersect,
    /// and as many again for how deep.
    int max_steps = 256;
    /// The upper and the lower bound may differ by this fraction of the depth plus what rounding leaves. Polytopes are
    /// exact anyway.
    Scalar relative = sizeof(Scalar) == 4 ? Scalar(1e-5) : Scalar(1e-6);
    /// The simplex that an earlier query for the same pair returned, if the shapes have moved little since.
    const Simplex<V>* warm = nullptr;
};

template <class V>
struct Penetration {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// separated: proved. Then `lower` and `upper` are 0, a lies lower along `direction` than b, and only these and
    /// `steps` have a meaning. intersecting: they share a point up to rounding. undecided: the margins touch up to
    /// rounding, the cap was reached before anything was known, or a number is not finite.
    Verdict verdict = Verdict::undecided;
    int steps = 0;  ///< points of the Minkowski difference that were tested
    /// The length of the shortest translation that separates them.
    Scalar depth = 0;
    /// That length is between these two; rounding is accounted for up to a few units in the last place of the shapes'
    /// size. The two agree to PenetrationOptions::relative, unless the cap was reached.
    Scalar lower = 0, upper = std::numeric_limits<Scalar>::infinity();
    /// The translation's direction, of length 1: a moved by -depth * direction touches b, and b moved by depth *
    /// direction touches a.
    V direction{};
    /// The points that touch then, at their present places: a - b = depth * direction, up to upper - lower.
    V a{}, b{};
    Simplex<V> simplex;  ///< of the cores; for PenetrationOptions::warm
};

namespace detail {

/// How many points the expanding polytope may have. Its storage is on the stack: some 60 KB in double, 35 KB in float.
/// The slowest ten of 4,500 random pairs of ellipsoids, cylinders, cones and boxes took more than 120 points for a
/// millionth of the depth; with at most 128, eight of these ended 10^-4 short of it.
inline constexpr int most_expansion_points = 256;

template <class V>
struct CoreDepth {
    using Scalar = typename VectorTraits<V>::Scalar;
    Scalar lower = 0, upper = std::numeric_limits<Scalar>::infinity();
    V direction{};  ///< along which `upper` was found
    V a{}, b{};
    int steps = 0;

    constexpr void touch(const Simplex<V>& simplex, const NearestOnSimplex<V>& nearest) noexcept {
        a = b = {};
        for (int i = 0; i < nearest.count; ++i) {
            a += nearest.weight[i] * simplex.points[nearest.corner[i]].a;
            b += nearest.weight[i] * simplex.points[nearest.corner[i]].b;
        }
    }
};

/// The difference is flat, so leaving it across the flat takes a translation of length 0, up to rounding.
template <class A, class B, class V>
void leave_across(const MinkowskiDifference<A, B>& cores, const Simplex<V>& simplex, const V& across,
                  CoreDepth<V>& result) {
    for (const V& d : {across, -across}) {
        const ScalarOf<A> value = dot(cores.support(d).w, d);
        ++result.steps;
        if (value < result.upper) result.upper = value, result.direction = d;
    }
    result.touch(simplex, nearest_on(simplex));
}

/// Finds the point where the direction leaves the polytope, as a difference of points of a and b. Several facets may
/// share that plane.
template <class V, class T, int most_points>
void touch_along(const Expansion<V, most_points>& polytope, T rounding, CoreDepth<V>& result) {
    T way = std::numeric_limits<T>::infinity();
    polytope.for_each_facet([&](const Facet<V>& facet) {
        const T slope = dot(facet.normal, result.direction);
        if (slope > 0) way = std::min(way, facet.distance / slope);
    });
    const V at = way * result.direction;
    T nearest_square = std::numeric_limits<T>::infinity();
    polytope.for_each_facet([&](const Facet<V>& facet) {
        if (!(dot(facet.normal, at) >= facet.distance - rounding)) return;
        Simplex<V> corners = polytope.corners(facet.index);
        for (int i = 0; i < corners.count; ++i) corners.points[i].w = corners.points[i].w - at;
        const NearestOnSimplex<V> nearest = nearest_on(corners);
        if (nearest.square < nearest_square) {
            nearest_square = nearest.square;
            result.touch(corners, nearest);
        }
    });
}

/// For cores whose difference contains the origin up to rounding, and a simplex in the difference that does. After van
/// den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001): take the facet nearest
/// to the origin of a polytope within the difference. Either it is on the difference's boundary, or there is a point
/// beyond it to expand the polytope by. The facet's distance is a lower bound; how far the difference reaches along its
/// normal is an upper one.
template <int most_points = most_expansion_points, class A, class B>
[[nodiscard]] CoreDepth<VectorOf<A>> core_depth(const MinkowskiDifference<A, B>& cores, Simplex<VectorOf<A>> simplex,
                                                const PenetrationOptions<VectorOf<A>>& options) {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    const T rounding = 8 * unit_roundoff<T> * cores.magnitude();
    CoreDepth<V> result;
    V across{};
    if (!complete(simplex, cores, 2 * rounding, result.steps, across)) {
        leave_across(cores, simplex, across, result);
        return result;
    }
    Expansion<V, most_points> polytope(simplex, rounding / 2);
    while (result.steps < options.max_steps) {
        const Facet<V> facet = polytope.nearest();
        if (facet.index < 0) break;
        const SupportPoint<V> point = cores.support(facet.normal);
        ++result.steps;
        const T value = dot(point.w, facet.normal);
        result.lower = std::max(T(0), facet.distance);
        if (value < result.upper) result.upper = value, result.direction = facet.normal;
        const bool met = result.upper - facet.distance <= options.relative * result.upper + rounding;
        if (met || polytope.has(point.w) || !polytope.add(point, facet.index)) break;
    }
    touch_along(polytope, rounding, result);
    return result;
}

/// For cores that are apart, but by less than their margins, whose sum is off by `sums` u.
template <int sums, class A, class B, class V = VectorOf<A>, class T = ScalarOf<A>>
void with_margins(const MinkowskiDifference<A, B>& pair, const Approach<V>& cores, T margin_a, T margin_b,
                  Penetration<V>& result) {
    const T margin = margin_a + margin_b, apart = pair.unscaled(std::sqrt(cores.nearest.square));
    const T cores_lower = pair.unscaled_down(cores.lower), cores_upper = pair.unscaled_up(cores.upper);
    const T slack = (sums + 2) * unit_roundoff<T> * (margin + apart) + std::numeric_limits<T>::denorm_min();
    result.direction = unit(cores.straight || is_zero(cores.direction) ? -cores.nearest.v : cores.direction);
    result.depth = std::max(T(0), margin - apart);
    result.lower = std::max(T(0), margin - cores_upper - slack);
    result.upper = std::max(T(0), margin - cores_lower) + slack;
    const V a = mixture(result.simplex, cores.nearest, &SupportPoint<V>::a);
    const V b = mixture(result.simplex, cores.nearest, &SupportPoint<V>::b);
    const V aside = T(0.5) * ((a - b) + apart * result.direction);  // across the direction, if it is not v's own
    result.a = a - aside + margin_a * result.direction;
    result.b = b + aside - margin_b * result.direction;
    if (cores_lower > margin + slack) {
        result.verdict = Verdict::separated;
        result.upper = 0;
        result.direction = cores.direction;
    } else if (cores_upper < margin) {
        result.verdict = Verdict::intersecting;
    }
}

/// Whether the cores share a point, or touch as far as is known: the search ended within some rounding of the origin,
/// and did not prove them apart. Rounding may keep a simplex from enclosing the origin that is all but in it, however
/// deep the cores are in each other.
template <class A, class B, class V = VectorOf<A>>
[[nodiscard]] bool touches(const MinkowskiDifference<A, B>& pair, const Approach<V>& cores) noexcept {
    const ScalarOf<A> close = 1024 * unit_roundoff<ScalarOf<A>> * pair.magnitude();
    return cores.encloses || (cores.converged && !(cores.lower > 0) && cores.nearest.square <= close * close);
}

/// For cores that touch, and the simplex in `result`. Leaves `result` undecided if they may only touch, if nothing is
/// known within the cap, or if a number is not finite.
template <int sums, int most_points = most_expansion_points, class A, class B, class V = VectorOf<A>,
          class T = ScalarOf<A>>
void leave_cores(const MinkowskiDifference<A, B>& pair, bool encloses, T margin_a, T margin_b,
                 const PenetrationOptions<V>& options, Penetration<V>& result) {
    const T margin = margin_a + margin_b;
    const CoreDepth<V> cores = core_depth<most_points>(pair, result.simplex, options);
    const T rounding =
        pair.unscaled_up(8 * unit_roundoff<T> * pair.magnitude()) + (sums + 6) * unit_roundoff<T> * margin;
    const T lower = pair.unscaled_down(cores.lower), upper = pair.unscaled_up(std::max(T(0), cores.upper));
    if (!(upper + margin < std::numeric_limits<T>::infinity())) return;
    result.steps += cores.steps;
    result.direction = cores.direction;
    result.depth = upper + margin;
    result.lower = std::max(T(0), lower + margin - rounding);
    result.upper = upper + margin + rounding;
    result.a = cores.a + margin_a * cores.direction;
    result.b = cores.b - margin_b * cores.direction;
    if (encloses || result.lower > 0) result.verdict = Verdict::intersecting;
}

}  // namespace detail

/// How deep the two are in each other: the shortest translation that separates them, and where they touch after it.
/// If shapes have cores and margins, these are treated separately: two capsules are two segments. Takes some 10
/// points of the difference for boxes, 20 for hulls of 32 vertices, and 30 to 100 for curved shapes that have no core
/// (ellipsoids, cylinders, cones).
template <Shape A, Shape B>
requires Pair<A, B>
[[nodiscard]] Penetration<VectorOf<A>> penetration(const A& a, const B& b,
                                                   const PenetrationOptions<VectorOf<A>>& options = {}) {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    constexpr int sums = margin_roundings<A, B>;
    const auto& core_a = gjk::core(a);
    const auto& core_b = gjk::core(b);
    const T margin_a = gjk::margin(a), margin_b = gjk::margin(b), margin = margin_a + margin_b;
    const MinkowskiDifference pair(core_a, core_b);
    Penetration<V> result;
    const Approach<V> found = approach(pair,
                                       {.max_steps = options.max_steps,
                                        .relative = margin > 0 ? unit_roundoff<T> : T(0),
                                        .far_enough = pair.scaled(margin) * (1 + (sums + 4) * unit_roundoff<T>),
                                        .straight = true,
                                        .warm = options.warm},
                                       result.simplex, NoTrace{});
    result.steps = found.steps;
    if (result.simplex.count == 0) return result;
    if (!detail::touches(pair, found)) {
        detail::with_margins<sums>(pair, found, margin_a, margin_b, result);
        return result;
    }
    detail::leave_cores<sums>(pair, found.encloses, margin_a, margin_b, options, result);
    return result;
}

}  // namespace lanecull::gjk
