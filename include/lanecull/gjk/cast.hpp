#pragma once

#include <algorithm>

#include <lanecull/gjk/distance.hpp>
#include <lanecull/gjk/intersect.hpp>
#include <lanecull/gjk/shapes.hpp>

/// When does a moving shape first touch another? Both keep their orientation. If both move, pass the difference of
/// their motions.
///
/// ```cpp
/// #include <lanecull/gjk.hpp>
/// #include <cmath>
///
/// namespace gjk = lanecull::gjk;
///
/// int main() {
///     const gjk::Capsule<double> walker{{0, 0, 0}, {0, 0, 2}, 0.5};
///     const gjk::Box<double> wall{{6, 0, 0}, {1, 4, 4}};
///     const auto found = gjk::cast(walker, {10, 0, 0}, wall);  // ten metres this frame
///     if (found.verdict != gjk::Verdict::intersecting) return 1;
///     // It may go so far: 4.5 metres, and not a hair too many.
///     const bool bracketed = found.earliest <= 0.45 && 0.45 <= found.latest && found.latest - found.earliest < 1e-8;
///     return bracketed && found.direction.x > 0 && std::abs(found.b.x - 5) < 1e-7 ? 0 : 1;
/// }
/// ```
///
/// By conservative advancement (Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996): a plane that
/// separates the two now separates them until the moving one has gone that far along the plane's normal, whatever else
/// it does. If the nearest features stay the same, the first such step ends at the contact. Each step goes on from the
/// last one's simplex, and needs the distance to an eighth only.
namespace lanecull::gjk {

/// The shape moved by time * motion. The roundings of the product and the sum count as the shape's own.
template <Shape S>
struct Moved {
    using Vector = VectorOf<S>;
    using Scalar = ScalarOf<S>;
    S shape;
    Vector motion;
    Scalar time = 0;

    static constexpr int roundings = gjk::roundings<S> + 3;
    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        return Vector(shape.support(d)) + time * motion;
    }
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires Bent<S> {
        return shape.bend(d, s, t);
    }
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return gjk::magnitude(shape) + time * reach(motion); }
    [[nodiscard]] constexpr Vector inside() const noexcept { return Vector(gjk::inside(shape)) + time * motion; }
    [[nodiscard]] constexpr Moved<CoreOf<S>> core() const noexcept requires Round<S> {
        return {gjk::core(shape), motion, time};
    }
    [[nodiscard]] constexpr Scalar margin() const noexcept requires Round<S> { return gjk::margin(shape); }
    [[nodiscard]] constexpr bool climbs() const noexcept requires Climbing<S> { return gjk::climbs(shape); }
    [[nodiscard]] constexpr auto exhaustive() const noexcept requires Climbing<S> {
        return Moved<std::remove_cvref_t<decltype(gjk::exhaustive(shape))>>{gjk::exhaustive(shape), motion, time};
    }
};

template <class V>
struct CastOptions {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// The last time that is tested; times 0 to 1 are the motion once.
    Scalar until = 1;
    /// How far `latest` may be after `earliest`, as a fraction of the motion. Up to 64 times as far where shapes graze
    /// each other, or where rounding is more than that.
    Scalar width = sizeof(Scalar) == 4 ? Scalar(1e-4) : Scalar(1e-9);
    /// How many distances and later times are computed, at most. Random pairs of all kinds take 2 to 3 on average.
    int max_queries = 64;
};

template <class V>
struct Cast {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// separated: no contact until `until`, proved. intersecting: the first contact is between `earliest` and `latest`;
    /// shapes that miss each other by what rounding may add up to, some times over, may count as touching. undecided:
    /// the cap was reached, or a number is not finite, or a cast that turns barely touches or misses; there is no
    /// contact before `earliest`, and what comes after is not known.
    Verdict verdict = Verdict::undecided;
    /// There is no contact before this time: proved, with all rounding accounted for. Beyond `until` for separated
    /// shapes.
    Scalar earliest = 0;
    /// A time at which they intersect, up to rounding.
    Scalar latest = std::numeric_limits<Scalar>::infinity();
    /// The proof, of any length: at `earliest` no point of the moving shape lies higher along it than any point of the
    /// other; before that, as they approach, all points lie lower. Shapes that never meet do not approach along it any
    /// more. Zero if `earliest` is 0.
    V direction{};
    /// The nearest points, one of each shape, at the time that was tested last: at `earliest` if they intersect.
    V a{}, b{};
    int queries = 0;
};

namespace detail {

/// The earliest time at which the motion could close the gap of `height` along d; never later than the true one.
/// Infinite if the motion does not lead across the gap.
template <class V, class T>
[[nodiscard]] T soonest(T height, const V& d, const V& motion) noexcept {
    constexpr T u = unit_roundoff<T>;
    T sizes = 0;  // sizes of the product's terms, for its rounding
    sizes += std::abs(d.x * motion.x) + std::abs(d.y * motion.y);
    if constexpr (VectorTraits<V>::dimension == 3) sizes += std::abs(d.z * motion.z);
    const T closing = dot(d, motion) + 8 * u * sizes + std::numeric_limits<T>::min();
    if (closing <= 0) return std::numeric_limits<T>::infinity();
    // Products and quotients of denormal size may be rounded up by half the smallest number.
    constexpr T least = 2 * std::numeric_limits<T>::denorm_min();
    const T gap = height * length(d) * (1 - 8 * u) - least;
    return std::max(T(0), gap / closing - least);
}

/// The common part of casts. `Own` has the moving shape: time() is the present one; advance() moves it to a time before
/// which a plane between the two proves that there is no contact, false if there is no such plane; touches(time).
template <class Own, class V>
class Advancement {
public:
    using T = typename VectorTraits<V>::Scalar;

    explicit Advancement(const CastOptions<V>& options) : options_(options) {}

    [[nodiscard]] Cast<V> run() {
        if (!(options_.until >= 0 && options_.width > 0)) return result_;
        while (result_.queries < options_.max_queries) {
            const T last = own().time();
            if (!own().advance()) break;
            const T now = own().time();
            if (now > options_.until || now == std::numeric_limits<T>::infinity()) {
                result_.verdict = Verdict::separated;
                break;
            }
            // Near the contact distances are as small as their rounding, and steps make no progress.
            if (now - last > own().least_step()) continue;
            if (find_latest() || !(now > last)) break;
        }
        return result_;
    }

protected:
    /// Takes the nearest points at the present time. False if the two are not separated then: the cast ends.
    [[nodiscard]] bool take(const Distance<V>& found) {
        ++result_.queries;
        result_.a = found.a;
        result_.b = found.b;
        if (found.verdict == Verdict::separated) return true;
        if (found.verdict == Verdict::intersecting)
            meet(own().time());
        else
            static_cast<void>(find_latest());
        return false;
    }

    /// Searches for a time soon after `earliest` at which they intersect.
    bool find_latest() {
        for (const T share : {T(0.125), T(1), T(8), T(64)}) {
            ++result_.queries;
            const T time = std::min(result_.earliest + share * options_.width, options_.until);
            if (!own().touches(time)) continue;
            meet(time);
            return true;
        }
        return false;
    }

    void meet(T time) {
        result_.verdict = Verdict::intersecting;
        result_.latest = time;
    }

    const CastOptions<V>& options_;
    Cast<V> result_;

private:
    [[nodiscard]] Own& own() { return static_cast<Own&>(*this); }
};

template <Shape A, Shape B>
class Caster : public Advancement<Caster<A, B>, VectorOf<A>> {
public:
    using V = VectorOf<A>;
    using T = ScalarOf<A>;

    Caster(const A& a, const V& motion, const B& b, const CastOptions<V>& options)
        : Advancement<Caster, V>(options), moved_{a, motion, 0}, b_(b) {}

    [[nodiscard]] T time() const { return moved_.time; }

    [[nodiscard]] bool advance() {
        find_distance();
        if (!this->take(found_)) {
            if (found_.verdict == Verdict::intersecting) arrive();
            return false;
        }
        this->result_.direction = found_.direction;
        const T step = soonest(found_.lower, found_.direction, moved_.motion);
        const T next = (moved_.time + step) * (1 - 2 * unit_roundoff<T>), last = moved_.time;
        moved_.time = std::max(moved_.time, next);  // a NaN changes nothing
        this->result_.earliest = moved_.time;
        way_ = (moved_.time - last) * moved_.motion;
        if (!touches_ || moved_.time - last > least_step() || moved_.time > this->options_.until) return true;
        arrive();
        return false;
    }
    /// Shorter steps are rounding.
    [[nodiscard]] T least_step() const { return 64 * unit_roundoff<T> * moved_.time; }

    [[nodiscard]] bool touches(T time) const {
        return intersect(Moved<A>{moved_.shape, moved_.motion, time}, b_).verdict == Verdict::intersecting;
    }

private:
    /// The distance at the present time, as well as a step needs it. Shapes touch that are apart by what the roundings
    /// may add up to, some times over.
    void find_distance() {
        constexpr int sums = margin_roundings<Moved<A>, B>;
        const auto& core_a = gjk::core(moved_);
        const auto& core_b = gjk::core(b_);
        const T margin_a = gjk::margin(moved_), margin_b = gjk::margin(b_);
        const MinkowskiDifference pair(core_a, core_b);
        const T margin = pair.scaled(margin_a + margin_b);
        const T touching = 8 * pair.tolerance() + margin * (1 + 8 * sums * unit_roundoff<T>);
        for (int i = 0; i < found_.simplex.count; ++i) pair.move(found_.simplex.points[i], way_);
        const Approach<V> cores = approach(pair,
                                           {.max_steps = DistanceOptions<V>().max_steps,
                                            .relative = T(0.125),
                                            .margin = margin,
                                            .near_enough = touching},
                                           found_.simplex, NoTrace{});
        found_.verdict = Verdict::undecided;
        add_margins<sums>(pair, cores, margin_a, margin_b, found_);
        touches_ = moved_.time > 0 && cores.upper <= touching;
        if (found_.verdict == Verdict::undecided && touches_) found_.verdict = Verdict::intersecting;
    }

    /// They touch up to rounding: `latest` is when what they may be apart yet is closed. Where they graze each other
    /// they would part again until then.
    void arrive() {
        const T closing = dot(unit(this->result_.direction), moved_.motion), later = found_.upper / closing;
        const T latest = moved_.time + (later <= this->options_.width / 64 ? later : T(0));
        this->meet(moved_.time > 0 ? std::min(latest * (1 + 4 * unit_roundoff<T>), this->options_.until) : T(0));
    }

    Moved<A> moved_;
    const B& b_;
    Distance<V> found_;
    bool touches_ = false;  ///< up to rounding, at the time of found_
    V way_{};               ///< of the moving shape since then
};

}  // namespace detail

/// When `a`, moving by `motion`, first touches `b`. With a negative `until`, or with a number that is not finite, the
/// result is undecided at time 0.
template <Shape A, Shape B>
requires Pair<A, B>
[[nodiscard]] Cast<VectorOf<A>> cast(const A& a, const VectorOf<A>& motion, const B& b,
                                     const CastOptions<VectorOf<A>>& options = {}) {
    return detail::Caster<A, B>(a, motion, b, options).run();
}

}  // namespace lanecull::gjk
