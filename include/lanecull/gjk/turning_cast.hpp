#pragma once

#include <algorithm>
#include <array>

#include <lanecull/gjk/cast.hpp>

/// When does a shape that moves and turns first touch another? Not part of gjk.hpp.
///
/// ```cpp
/// #include <lanecull/gjk/turning_cast.hpp>
/// #include <cmath>
///
/// namespace gjk = lanecull::gjk;
///
/// int main() {
///     // A rod turns once about its middle. A post stands 0.8 beside that: the rod's end meets it.
///     const gjk::Capsule<double> rod{{-1, 0, 0}, {1, 0, 0}, 0.1};
///     const gjk::Box<double> post{{0, 0.8 + 0.1, 0}, {0.1, 0.1, 5}};
///     const double turn = 6.283185307179586;
///     const auto found = gjk::cast_turning(rod, {.turn = {0, 0, turn}}, post);
///     if (found.verdict != gjk::Verdict::intersecting || found.latest - found.earliest > 1e-7) return 1;
///     return found.earliest > 0.1 && found.latest < 0.25 ? 0 : 1;
/// }
/// ```
///
/// By conservative advancement (Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996). A plane
/// separates the two now; how soon can a point of the moving shape reach it? Let n be the plane's normal, w the turn,
/// r a point's arm from the centre, and rho an upper bound of all arms' lengths across the axis. The point's height
/// r . n changes at the rate (w x r) . n = r . (n x w), which is at most rho |n x w|, and its second derivative is at
/// most rho |w| |n x w|. So, by Taylor's formula, up to a time s later no point is higher than
///
///   the shape's support along n + s (n x w), plus s v . n, plus s^2 rho |w| |n x w| / 2.
///
/// The gap that this leaves is a concave function of s: where it is positive at the end of an interval, it is positive
/// throughout, and a chord lies below it. Two more bounds hold however fast the shape turns: the rate above, and the
/// solid of revolution that holds the shape in all its turns.
namespace lanecull::gjk {

/// The centre moves by time * velocity, and the shape turns about it by time * turn.
template <class V>
struct Motion;

template <class T>
struct Motion<Vec2<T>> {
    Vec2<T> velocity{};
    T turn = 0;        ///< radians per unit of time, anticlockwise
    Vec2<T> center{};  ///< at time 0
};

template <class T>
struct Motion<Vec3<T>> {
    Vec3<T> velocity{};
    Vec3<T> turn{};  ///< along the axis; its length is the angle in radians per unit of time, by the right hand's rule
    Vec3<T> center{};  ///< at time 0
};

namespace detail {

/// |v|, which neither overflows nor underflows on the way.
template <class T, int N>
[[nodiscard]] T safe_length(const Vec<T, N>& v) noexcept {
    const T scale = scale_to_one(max_norm(v));
    return length(scale * v) / scale;
}

// Turning, in the plane and in space.

template <class T>
[[nodiscard]] T speed(T turn) noexcept {
    return std::abs(turn);
}
template <class T>
[[nodiscard]] T speed(const Vec3<T>& turn) noexcept {
    return safe_length(turn);
}

/// n x w: its product with an arm is how fast the arm's end rises along n.
template <class T>
[[nodiscard]] constexpr Vec2<T> rise(const Vec2<T>& n, T turn) noexcept {
    return -turn * perpendicular(n);
}
template <class T>
[[nodiscard]] constexpr Vec3<T> rise(const Vec3<T>& n, const Vec3<T>& turn) noexcept {
    return cross(n, turn);
}

template <class T>
[[nodiscard]] Matrix<T, 2> rotation(T turn, T time) noexcept {
    const T c = std::cos(time * turn), s = std::sin(time * turn);
    return {{{c, s}, {-s, c}}};
}
/// Rodrigues' formula.
template <class T>
[[nodiscard]] Matrix<T, 3> rotation(const Vec3<T>& turn, T time) noexcept {
    const T angle = time * speed(turn), c = std::cos(angle), s = std::sin(angle), half = std::sin(angle / 2);
    const Vec3<T> axis = unit(turn), part = 2 * half * half * axis, sides = s * axis;
    return {{part.x * axis + Vec3<T>{c, sides.z, -sides.y}, part.y * axis + Vec3<T>{-sides.z, c, sides.x},
             part.z * axis + Vec3<T>{sides.y, -sides.x, c}}};
}

/// Directions that span the plane across the axis.
template <class T>
[[nodiscard]] constexpr std::array<Vec2<T>, 2> across_axis(T) noexcept {
    return {{{1, 0}, {0, 1}}};
}
template <class T>
[[nodiscard]] std::array<Vec3<T>, 2> across_axis(const Vec3<T>& turn) noexcept {
    const Vec3<T> axis = unit(turn), size = abs(axis);
    const Vec3<T> other = size.x <= size.y && size.x <= size.z ? Vec3<T>{1, 0, 0}
                          : size.y <= size.z                   ? Vec3<T>{0, 1, 0}
                                                               : Vec3<T>{0, 0, 1};
    const Vec3<T> first = unit(cross(axis, other));
    return {first, cross(axis, first)};
}

}  // namespace detail

/// The pose that the motion gives the shape: from its own coordinates to those at a time.
template <class T, int N>
[[nodiscard]] Pose<T, N> pose_at(const Motion<Vec<T, N>>& motion, std::type_identity_t<T> time) noexcept {
    const Matrix<T, N> rotation = detail::rotation(motion.turn, time);
    return {rotation, motion.center + time * motion.velocity - rotation * motion.center};
}

namespace detail {

/// How far a shape reaches around a centre, and along the axis of its turn: a cylinder, rounded up.
template <class T>
struct Surround {
    T radius = 0, low = 0, high = 0;

    template <class S, class V = VectorOf<S>>
    Surround(const S& shape, const Motion<V>& motion) {
        const T slack = T(roundings<S> + 32) * unit_roundoff<T> * (gjk::magnitude(shape) + reach(motion.center));
        const auto height = [&](const V& d) {
            return dot(d, V(gjk::exhaustive(shape).support(d)) - motion.center) + 3 * slack;
        };
        const std::array<V, 2> side = across_axis(motion.turn);
        // An arm is at most 22.5 degrees from one of eight directions.
        constexpr T inverse_cosine = T(1.0823922003);
        for (const int i : {-1, 0, 1}) {
            for (const int j : {-1, 0, 1}) {
                if (i == 0 && j == 0) continue;
                const T here = height(unit(T(i) * side[0] + T(j) * side[1])) * inverse_cosine;
                if (!(here <= radius)) radius = here;  // NaN stays
            }
        }
        if constexpr (VectorTraits<V>::dimension == 3) {
            const V axis = unit(motion.turn);
            low = -height(-axis);
            high = height(axis);
        }
    }
    [[nodiscard]] constexpr T farthest() const noexcept { return radius + std::max(std::abs(low), std::abs(high)); }
};

/// As Caster, for a shape that turns. Rounding is counted in two parts. `error`: points of the computed place are off
/// their true places, by the rotation's roundings: entries are off by 38 u plus 8 u per radian, if sin and cos are off
/// by 4 u at most, and by those of the sum. `slack`: heights along a direction are off by support points' and products'
/// roundings, as MinkowskiDifference::tolerance() counts them.
template <Shape A, Shape B>
class TurningCaster : public Advancement<TurningCaster<A, B>, VectorOf<A>> {
public:
    using V = VectorOf<A>;
    using T = ScalarOf<A>;

    /// from: a time before which there is no contact.
    TurningCaster(const A& a, const Motion<V>& motion, const B& b, const CastOptions<V>& options, T from = 0)
        : Advancement<TurningCaster, V>(options),
          placed_{a, pose_at(motion, T(0))},
          motion_(motion),
          b_(b),
          around_(a, motion),
          speed_(speed(motion.turn) * (1 + 8 * u)),
          time_(from) {
        this->result_.earliest = from;
    }

    [[nodiscard]] T time() const { return time_; }

    [[nodiscard]] bool advance() {
        placed_.pose = pose_at(motion_, time_);
        const Distance<V> found = distance(placed_, b_);
        if (!this->take(found)) return false;
        const Plane plane = plane_of(found);
        if (!(plane.gap > 0)) {
            this->find_latest();
            return false;
        }
        this->result_.direction = found.direction;
        const T next = (time_ + std::max(step(plane), step_of_revolution(plane))) * (1 - 4 * u);
        time_ = std::max(time_, next);  // a NaN changes nothing
        this->result_.earliest = time_;
        return true;
    }

    /// After shorter steps a contact is looked for.
    [[nodiscard]] T least_step() const { return this->options_.width / 8; }

    [[nodiscard]] bool touches(T time) const {
        if (!(time * speed_ * u < most_lost)) return false;
        return intersect(Placed<A>{placed_.shape, pose_at(motion_, time)}, b_).verdict == Verdict::intersecting;
    }

private:
    static constexpr T u = unit_roundoff<T>;
    /// After an angle that rounding has made unknown by this many radians, nothing is said to touch.
    static constexpr T most_lost = T(1e-4);
    static constexpr T infinity = std::numeric_limits<T>::infinity();

    /// A plane that separates the two at the present time, by its normal n, and what turning does to heights along it.
    struct Plane {
        V n, m;     ///< m = n x w
        T gap;      ///< > 0, times |n|
        T length;   ///< of n, rounded up, as all bounds here are
        T turning;  ///< of m
        T closing;  ///< v . n
        T slack;    ///< of heights; times 1 + 4 s |w| a time s later
        T floor;    ///< of b along n, rounded down
    };

    [[nodiscard]] Plane plane_of(const Distance<V>& found) const {
        Plane plane;
        plane.n = found.direction;
        plane.m = rise(plane.n, motion_.turn);
        plane.length = length(plane.n) * (1 + 8 * u);
        plane.turning = safe_length(plane.m) * (1 + 8 * u) + 8 * u * plane.length * speed_;
        T sizes = 0;
        sizes += std::abs(plane.n.x * motion_.velocity.x) + std::abs(plane.n.y * motion_.velocity.y);
        if constexpr (VectorTraits<V>::dimension == 3) sizes += std::abs(plane.n.z * motion_.velocity.z);
        plane.closing = dot(plane.n, motion_.velocity) + 8 * u * sizes + std::numeric_limits<T>::min();
        const T moved = reach(motion_.center) + time_ * reach(motion_.velocity);
        const T error = u * ((128 + 24 * time_ * speed_) * around_.farthest() + 32 * moved);
        constexpr int most = std::max(roundings<Placed<A>>, roundings<B>) + 32;
        const T size = gjk::magnitude(placed_) + gjk::magnitude(b_) + moved;
        plane.slack = sum_norm(plane.n) * (error + most * u * size);
        plane.floor = dot(plane.n, V(gjk::exhaustive(b_).support(-plane.n))) - plane.slack;
        plane.gap = found.lower * length(plane.n) * (1 - 16 * u) - 2 * error * plane.length;
        return plane;
    }

    /// The gap that is left a time later, at least. Concave in the time.
    [[nodiscard]] T gap_after(const Plane& plane, T s) const {
        const V center = motion_.center + time_ * motion_.velocity, along = plane.n + s * plane.m;
        const V top = gjk::exhaustive(placed_).support(along);
        const T height = dot(plane.n, top) + s * dot(plane.m, top - center);
        return plane.floor - height - s * plane.closing - s * s * curvature(plane) / 2 -
               plane.slack * (1 + 4 * s * speed_);
    }
    [[nodiscard]] T curvature(const Plane& plane) const {
        return around_.radius * speed_ * plane.turning * (1 + 32 * u);
    }

    /// A time for which the gap stays open, as long as is found with two support points.
    [[nodiscard]] T step(const Plane& plane) const {
        const T rate = plane.closing + around_.radius * plane.turning * (1 + 8 * u);
        if (rate <= 0) return infinity;
        T known = plane.gap / rate * (1 - 4 * u);
        // The nearest point's own rate, and the curvature: where the gap would close if this point stayed the nearest.
        const V arm = this->result_.a - (motion_.center + time_ * motion_.velocity);
        const T own = plane.closing + dot(plane.m, arm), bend = curvature(plane);
        const T root = std::sqrt(own * own + 2 * bend * plane.gap);
        T later = own > 0 ? 2 * plane.gap / (own + root) : (root - own) / bend;
        later = std::min(later, 2 * (this->options_.until - time_) + this->options_.width);
        if (!(later > known)) return known;
        const T gap_later = gap_after(plane, later);
        if (gap_later >= 0) return later;
        // The time at which the chord from a time with a gap to `later` meets 0.
        const auto chord = [&](T from, T gap) {
            return (from + (later - from) * (gap / (gap - gap_later))) * (1 - 8 * u);
        };
        known = std::max(known, chord(0, plane.gap));
        const T gap_known = gap_after(plane, known);
        return gap_known > 0 ? std::max(known, chord(known, gap_known)) : known;
    }

    /// Until then not even the solid of revolution around the shape reaches the plane.
    [[nodiscard]] T step_of_revolution(const Plane& plane) const {
        if (!(speed_ > 0)) return 0;  // there is no axis to turn about
        const V center = motion_.center + time_ * motion_.velocity;
        T top = dot(plane.n, center) + around_.radius * plane.length;
        if constexpr (VectorTraits<V>::dimension == 3) {
            const T along = dot(plane.n, unit(motion_.turn));
            const T across = std::min(plane.length, plane.turning / speed_ * (1 + 32 * u));
            top = dot(plane.n, center) + std::max(along * around_.low, along * around_.high) + around_.radius * across +
                  32 * u * plane.length * around_.farthest();
        }
        const T gap = plane.floor - top - plane.slack;
        if (!(gap > 0)) return 0;
        return plane.closing <= 0 ? infinity : gap / plane.closing * (1 - 4 * u);
    }

    Placed<A> placed_;
    const Motion<V>& motion_;
    const B& b_;
    Surround<T> around_;
    T speed_, time_;
};

}  // namespace detail

/// When `a`, which moves and turns, first touches `b`, which does not. (If b moves, subtract its velocity.) As
/// cast()'s: there is no contact before `earliest`, and if they intersect, there is one between `earliest` and
/// `latest`. The direction is that of the last plane between the two, at the time that was tested last; earlier times
/// had others. sin() and cos() must be off by no more than 4 units of half of epsilon, as all usual libraries' are.
///
/// Random motions of up to ten turns take some 10 queries. A shape that turns often within reach takes several a
/// turn, for which max_queries has to make room.
template <Shape A, Shape B>
requires Pair<A, B>
[[nodiscard]] Cast<VectorOf<A>> cast_turning(const A& a, const Motion<VectorOf<A>>& motion, const B& b,
                                             const CastOptions<VectorOf<A>>& options = {.max_queries = 256}) {
    return detail::TurningCaster<A, B>(a, motion, b, options).run();
}

}  // namespace lanecull::gjk
