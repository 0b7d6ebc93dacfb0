#pragma once

#include <algorithm>
#include <bit>

#include <lanecull/gjk/detail/approach.hpp>
#include <lanecull/gjk/detail/closed.hpp>
#include <lanecull/gjk/detail/enclose.hpp>
#include <lanecull/gjk/detail/simplex.hpp>

/// Do two shapes share a point? After Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between
/// complex objects" (1988), by signs alone. To test again after a small motion, keep the last result's simplex:
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
    /// The first direction; zero: from a point inside one shape towards a point inside the other.
    V direction{};
    /// How many points of the Minkowski difference are tested, at most. Among a million random pairs of oriented boxes
    /// none took more than 11, of cylinders 22, of ellipsoids 45.
    int max_steps = 64;
    /// The simplex that an earlier query for the same pair returned, if the shapes have moved little since. The query
    /// takes its directions first. That decides most pairs at once that were separated. Pairs that
    /// intersected start with four points, which is no fewer than most take without.
    const Simplex<V>* warm = nullptr;
};

template <class V>
struct Intersection {
    Verdict verdict = Verdict::undecided;
    int steps = 0;  ///< points of the Minkowski difference that were tested
    /// For separated shapes: every point of a lies lower along it than every point of b. |direction|_max is in [1, 2).
    V direction{};
    /// For intersecting shapes it contains the origin, up to rounding. Keep it for IntersectOptions::warm.
    Simplex<V> simplex;
};

namespace detail {

/// Given two cores and the sum of their margins, off by `sums` u: are the cores that far apart?
template <int sums, class A, class B, class Trace>
void intersect_cores(const MinkowskiDifference<A, B>& cores, ScalarOf<A> margin_in_world,
                     const IntersectOptions<VectorOf<A>>& options, Intersection<VectorOf<A>>& result, Trace&& trace) {
    using T = ScalarOf<A>;
    const T margin = cores.scaled(margin_in_world), slack = (sums + 2) * unit_roundoff<T> * margin;
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

/// The same without margins.
template <class A, class B, class Trace>
void descend(const MinkowskiDifference<A, B>& pair, const IntersectOptions<VectorOf<A>>& options,
             Intersection<VectorOf<A>>& result, Trace&& trace) {
    result.simplex.count = 0;
    intersect_cores<0>(pair, ScalarOf<A>(0), options, result, trace);
    if (result.verdict != Verdict::separated) return;
    // One point is the proof, and a better beginning for the next query.
    result.simplex.count = 0;
    result.simplex.add(pair.support(result.direction));
}

template <class V>
[[nodiscard]] constexpr int free_place(const Corners<V>& corners) noexcept {
    int taken = 0;
    for (int i = 0; i < corners.count; ++i) taken |= 1 << corners.place[i];
    return std::countr_one(static_cast<unsigned>(taken));
}

template <class V>
[[nodiscard]] Simplex<V> simplex_of(const Corners<V>& corners, const SupportPoint<V>* points) noexcept {
    Simplex<V> simplex;
    for (int i = 0; i < corners.count; ++i) simplex.add(points[corners.place[i]]);
    return simplex;
}

/// The first point of the difference does not tell that two shapes overlap.
struct NoGuess {
    template <class V>
    constexpr bool operator()(const SupportPoint<V>&) const noexcept {
        return false;
    }
};

/// For shapes without margins. Signs alone decide nearly all pairs. If they fail (slivers, faces that touch in part)
/// the descent by distance decides. If the first point does not separate the two, meet(point) may tell that they
/// overlap, which ends the search without a simplex around the origin.
template <class A, class B, class Trace, class Meet = NoGuess>
void intersect_difference(const MinkowskiDifference<A, B>& pair, const IntersectOptions<VectorOf<A>>& options,
                          Intersection<VectorOf<A>>& result, Trace&& trace, Meet&& meet = {}) {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    const int kept = options.warm == nullptr ? 0 : options.warm->count;
    // A simplex that enclosed the origin still does so, or nearly; the descent takes any simplex.
    if (kept > 1) return descend(pair, options, result, trace);
    // The direction that separated them is tried first.
    V towards = kept == 1                    ? options.warm->points[0].direction
                : is_zero(options.direction) ? -pair.inside()
                                             : options.direction;
    towards = rescaled(is_zero(towards) ? some_axis<V>() : towards);
    // A simplex with wrong signs may go in circles. One of a million pairs of ellipsoids took this long.
    constexpr int patience = 24;
    Corners<V> corners;
    SupportPoint<V>* const points = result.simplex.points;  // points keep their places; only corners' numbers move
    bool doubtful = false;
    while (result.steps < std::min(options.max_steps, patience)) {
        const int place = free_place(corners);
        pair.support(towards, points[place]);
        ++result.steps;
        const V w = points[place].w;
        const T value = dot(w, towards);
        T highest = value;
        if (pair.proves_apart(towards, highest)) {
            result.verdict = Verdict::separated;
            result.direction = towards;
            if (place != 0) points[0] = points[place];
            result.simplex.count = 1;
            return;
        }
        if (result.steps == 1 && meet(points[place])) {
            result.verdict = Verdict::intersecting;
            return;
        }
        // Short of the origin by less than rounding, twice: as far as signs can decide, they touch.
        const bool falls_short = !(value > 0);
        if (falls_short && doubtful) break;
        doubtful = falls_short;
        corners.add(w, place);
        if constexpr (!std::is_same_v<std::remove_cvref_t<Trace>, NoTrace>) {
            trace(simplex_of(corners, points), towards);
        }
        const Facing<V> next = face_origin(corners);
        if (next.encloses) {
            // The signs of a sliver may be caused by rounding; those of a sound simplex are clear. `points` then holds
            // all of the simplex's points, in some order.
            if (corners.count == Simplex<V>::most && encloses_clearly(corners, pair.magnitude())) {
                result.simplex.count = Simplex<V>::most;
                result.verdict = Verdict::intersecting;
                return;
            }
            result.simplex = simplex_of(corners, points);
            const T rounding = 8 * unit_roundoff<T> * pair.magnitude();
            if (nearest_on(result.simplex).square <= rounding * rounding) {
                result.verdict = Verdict::intersecting;
                return;
            }
            break;
        }
        towards = rescaled(next.direction);
    }
    if (result.verdict == Verdict::undecided && result.steps < options.max_steps) {
        descend(pair, {.direction = towards, .max_steps = options.max_steps - result.steps}, result, trace);
    }
}

}  // namespace detail

/// Do they share a point? Of random pairs of oriented boxes, 94 in 100 take no more than 5 points of the difference.
/// Balls, capsules and boxes along the axes have a closed form.
template <Shape A, Shape B, class Trace = NoTrace>
requires Pair<A, B>
[[nodiscard]] Intersection<VectorOf<A>> intersect(const A& a, const B& b,
                                                  const IntersectOptions<VectorOf<A>>& options = {},
                                                  Trace&& trace = {}) {
    Intersection<VectorOf<A>> result;
    // Whoever traces the steps gets them.
    if constexpr (detail::Decidable<A, B> && std::is_same_v<std::remove_cvref_t<Trace>, NoTrace>) {
        const auto decided = detail::decision(a, b);
        if (decided.verdict != Verdict::undecided && options.max_steps >= Simplex<VectorOf<A>>::most) {
            result.verdict = decided.verdict;
            result.direction = decided.direction;
            decided.put_corners(a, b, result.simplex);
            result.steps = result.simplex.count;
            return result;
        }
    }
    if constexpr (Round<A> || Round<B>) {
        const auto& core_a = gjk::core(a);
        const auto& core_b = gjk::core(b);
        const MinkowskiDifference cores(core_a, core_b);
        const auto margin = gjk::margin(a) + gjk::margin(b);
        if (margin == 0)
            detail::intersect_difference(cores, options, result, trace);
        else
            detail::intersect_cores<margin_roundings<A, B>>(cores, margin, options, result, trace);
    } else {
        detail::intersect_difference(MinkowskiDifference(a, b), options, result, trace);
    }
    return result;
}

namespace detail {

/// Whether they overlap on the way from the point inside a to that inside b.
template <class A, class B>
[[nodiscard]] bool meet_midway(const A& a, const B& b) noexcept {
    using T = ScalarOf<A>;
    const VectorOf<A> way = gjk::inside(b) - gjk::inside(a);
    const T scale = scale_to_one(max_norm(way));  // squares neither overflow nor underflow
    // a covers scale / of_a of the way, and b scale / of_b. Neither infinity nor NaN is less.
    const T of_a = a.gauge(scale * way), of_b = b.gauge(-scale * way);
    return of_a * of_b < scale * (of_a + of_b);
}

/// Whether the shape has the point inside.
template <class S>
[[nodiscard]] bool holds(const S& shape, const VectorOf<S>& point) noexcept {
    const VectorOf<S> v = point - gjk::inside(shape);
    const ScalarOf<S> scale = scale_to_one(max_norm(v));
    return shape.gauge(scale * v) < scale;
}

}  // namespace detail

/// False only if separation is proved. Sooner than intersect(): no simplex is made if a closed form decides, or if the
/// shapes' gauge() tells that they overlap.
template <Shape A, Shape B>
requires Pair<A, B>
[[nodiscard]] bool may_intersect(const A& a, const B& b, const IntersectOptions<VectorOf<A>>& options = {}) {
    if constexpr (detail::Decidable<A, B>) {
        const Verdict verdict = detail::decision(a, b).verdict;
        if (verdict != Verdict::undecided && options.max_steps >= Simplex<VectorOf<A>>::most) {
            return verdict != Verdict::separated;
        }
    } else if constexpr (Gauged<A> && Gauged<B>) {
        if (detail::meet_midway(a, b)) return true;
        if constexpr (!Round<A> && !Round<B>) {
            Intersection<VectorOf<A>> result;
            const auto meet = [&](const SupportPoint<VectorOf<A>>& p) {
                return detail::holds(b, p.a) || detail::holds(a, p.b);
            };
            detail::intersect_difference(MinkowskiDifference(a, b), options, result, NoTrace(), meet);
            return result.verdict != Verdict::separated;
        }
    }
    return intersect(a, b, options).verdict != Verdict::separated;
}

}  // namespace lanecull::gjk
