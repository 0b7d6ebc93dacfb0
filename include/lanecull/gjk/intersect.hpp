#pragma once

#include <algorithm>

#include <lanecull/gjk/approach.hpp>
#include <lanecull/gjk/enclose.hpp>
#include <lanecull/gjk/simplex.hpp>

/// Do two shapes share a point? After Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between
/// complex objects" (1988), by signs alone. Who asks again after a small motion keeps what was found:
///
/// ```cpp
/// #include <lanecull/gjk.hpp>
///
/// namespace gjk = lanecull::gjk;
///
/// int main() {
///     const gjk::Box<float> gate{{0, 0, 0}, {1, 1, 1}};
///     gjk::Intersection<gjk::Vec3<float>> last;
///     int frames = 0, steps = 0;
///     for (float x = -4; x <= 4; x += 0.0625f, ++frames) {
///         const gjk::Ellipsoid<float> ball{{x, 0.5f, 0}, gjk::identity<float, 3>(), {1, 2, 1}};
///         last = gjk::intersect(gate, ball, {.warm = &last.simplex});
///         steps += last.steps;
///         if (last.verdict != (x >= -2 && x <= 2 ? gjk::Verdict::intersecting : gjk::Verdict::separated)) {
///             if (x != -2 && x != 2) return 1;  // touching: anything but certain
///         }
///     }
///     return steps < 3 * frames ? 0 : 1;
/// }
/// ```
namespace lanecull::gjk {

template <class V>
struct IntersectOptions {
    /// Where to begin; zero: from a point inside one towards a point inside the other.
    V direction{};
    /// Points of the difference that are looked at, at most. Of random pairs, one in a million needs 20.
    int max_steps = 64;
    /// A simplex that an earlier query for the same pair returned, when the shapes have moved little since: points are
    /// looked for along its directions first, which settles most pairs at once.
    const Simplex<V>* warm = nullptr;
};

template <class V>
struct Intersection {
    Verdict verdict = Verdict::undecided;
    int steps = 0;  ///< points of the difference that were looked at
    /// Of what is separated: every point of a lies lower along it than every point of b. |direction|_max is in [1, 2).
    V direction{};
    /// Of what intersects: contains the origin, up to rounding. Keep it for IntersectOptions::warm.
    Simplex<V> simplex;
};

namespace detail {

/// Points along the directions of a kept simplex. True when one of them settles it.
template <class A, class B, class V>
[[nodiscard]] constexpr bool settled_by(const Simplex<V>& kept, const MinkowskiDifference<A, B>& pair,
                                        Intersection<V>& result) {
    for (int i = 0; i < kept.count; ++i) {
        const SupportPoint<V> point = pair.support(kept.points[i].direction);
        ++result.steps;
        result.simplex.add(point);
        if (pair.proves_apart(point.direction, dot(point.w, point.direction))) {
            result.verdict = Verdict::separated;
            result.direction = point.direction;
            result.simplex.count = 0;
            result.simplex.add(point);
            return true;
        }
    }
    if (kept.count == Simplex<V>::most && nearest_on(result.simplex).count == Simplex<V>::most) {
        result.verdict = Verdict::intersecting;
        return true;
    }
    result.simplex.count = 0;
    return false;
}

/// Of cores and the sum of their margins: are the cores that far apart?
template <class A, class B, class Trace>
void intersect_cores(const MinkowskiDifference<A, B>& cores, ScalarOf<A> margin,
                     const IntersectOptions<VectorOf<A>>& options, Intersection<VectorOf<A>>& result, Trace&& trace) {
    using T = ScalarOf<A>;
    const T slack = 4 * unit_roundoff<T> * margin;
    const Approach<VectorOf<A>> found = approach(cores,
                                                 {.direction = options.direction,
                                                  .max_steps = options.max_steps,
                                                  .relative = unit_roundoff<T>,
                                                  .far_enough = margin + slack,
                                                  .near_enough = margin,
                                                  .warm = options.warm},
                                                 result.simplex, trace);
    result.steps += found.steps;
    result.direction = found.direction;
    if (margin >= 0 && found.lower > margin + slack)
        result.verdict = Verdict::separated;
    else if (found.encloses || found.upper <= margin)
        result.verdict = Verdict::intersecting;
}

/// Of shapes without margins. Signs alone settle nearly all pairs; whom they lead astray (slivers, faces that touch in
/// part) the descent by distance sets right.
template <class A, class B, class Trace>
void intersect_difference(const MinkowskiDifference<A, B>& pair, const IntersectOptions<VectorOf<A>>& options,
                          Intersection<VectorOf<A>>& result, Trace&& trace) {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    if (options.warm != nullptr && settled_by(*options.warm, pair, result)) return;
    V towards = is_zero(options.direction) ? -pair.inside() : options.direction;
    if (is_zero(towards)) towards = some_axis<V>();
    // A simplex with wrong signs may go in circles; no sound pair among millions took this long.
    constexpr int patience = 24;
    const T rounding = 8 * unit_roundoff<T> * pair.magnitude(), negligible = rounding * rounding;
    bool doubtful = false;
    while (result.steps < std::min(options.max_steps, patience)) {
        const V d = rescaled(towards);
        const SupportPoint<V> point = pair.support(d);
        ++result.steps;
        const T value = dot(point.w, d);
        if (pair.proves_apart(d, value)) {
            result.verdict = Verdict::separated;
            result.direction = d;
            result.simplex.count = 0;
            result.simplex.add(point);
            break;
        }
        // Short of the origin by less than rounding, twice, or no new point: they touch as far as anybody can tell.
        const bool falls_short = !(value > 0);
        if ((falls_short && doubtful) || result.simplex.contains(point.w)) break;
        doubtful = falls_short;
        result.simplex.add(point);
        trace(result.simplex, d);
        const Facing<V> next = face_origin(result.simplex);
        if (next.encloses) {
            // Signs of a sliver may be rounding's; that of a sound tetrahedron is clear at once.
            if (nearest_on(result.simplex).square <= negligible) result.verdict = Verdict::intersecting;
            break;
        }
        towards = next.direction;
    }
    if (result.verdict == Verdict::undecided && result.steps < options.max_steps) {
        result.simplex.count = 0;
        intersect_cores(pair, T(0), {.direction = towards, .max_steps = options.max_steps - result.steps}, result,
                        trace);
    }
}

}  // namespace detail

/// Do they share a point? Some 3 to 6 points of the difference for most pairs.
template <Shape A, Shape B, class Trace = NoTrace>
requires Pair<A, B>
[[nodiscard]] Intersection<VectorOf<A>> intersect(const A& a, const B& b,
                                                  const IntersectOptions<VectorOf<A>>& options = {},
                                                  Trace&& trace = {}) {
    Intersection<VectorOf<A>> result;
    if constexpr (Round<A> || Round<B>) {
        const auto& core_a = gjk::core(a);
        const auto& core_b = gjk::core(b);
        const MinkowskiDifference cores(core_a, core_b);
        const auto margin = gjk::margin(a) + gjk::margin(b);
        if (margin == 0)
            detail::intersect_difference(cores, options, result, trace);
        else
            detail::intersect_cores(cores, margin, options, result, trace);
    } else {
        detail::intersect_difference(MinkowskiDifference(a, b), options, result, trace);
    }
    return result;
}

/// False only when separation is proved.
template <Shape A, Shape B>
requires Pair<A, B>
[[nodiscard]] bool may_intersect(const A& a, const B& b, const IntersectOptions<VectorOf<A>>& options = {}) {
    return intersect(a, b, options).verdict != Verdict::separated;
}

}  // namespace lanecull::gjk
