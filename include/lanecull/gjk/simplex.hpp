#pragma once

#include <lanecull/gjk/support.hpp>

namespace lanecull::gjk {

/// A point of the Minkowski difference { p - q : p of a, q of b }, and the two points that it comes from. The
/// difference contains the origin exactly if a and b share a point.
template <class V>
struct SupportPoint {
    V w;          ///< a - b
    V a, b;       ///< the point of each shape, in the pair's coordinates
    V direction;  ///< the direction along which w lies farthest
};

/// Up to N + 1 points of the difference, in N dimensions; the newest is the last.
template <class V>
struct Simplex {
    static constexpr int most = detail::VectorTraits<V>::dimension + 1;
    SupportPoint<V> points[most];
    int count = 0;

    [[nodiscard]] constexpr bool contains(const V& w) const noexcept {
        for (int i = 0; i < count; ++i)
            if (points[i].w == w) return true;
        return false;
    }
    constexpr void add(const SupportPoint<V>& point) noexcept { points[count++] = point; }
};

namespace detail {

template <class T, int N>
constexpr void store(Vec<T, N>& to, const Vec<T, N>& v) noexcept {
    to.x = v.x;
    to.y = v.y;
    if constexpr (N == 3) to.z = v.z;
}

}  // namespace detail

/// A pair of shapes as the algorithms see it. It holds references, so it must not outlive the shapes.
template <Shape A, Shape B>
requires Pair<A, B>
class MinkowskiDifference {
public:
    using Vector = VectorOf<A>;
    using Scalar = ScalarOf<A>;

    constexpr MinkowskiDifference(const A& a, const B& b) noexcept
        : a_(a), b_(b), magnitude_(gjk::magnitude(a) + gjk::magnitude(b)), tolerance_(factor * magnitude_) {}

    [[nodiscard]] constexpr SupportPoint<Vector> support(const Vector& d) const noexcept {
        SupportPoint<Vector> point;
        support(d, point);
        return point;
    }
    /// The same, written number by number to where it will stay. A copy would read vectors that have just been stored
    /// in parts of another width, which the processor cannot forward; that took a third of a query's time.
    constexpr void support(const Vector& d, SupportPoint<Vector>& point) const noexcept {
        const Vector p = a_.support(d), q = b_.support(-d);
        detail::store(point.w, p - q);
        detail::store(point.a, p);
        detail::store(point.b, q);
        detail::store(point.direction, d);
    }

    /// A point within a - b.
    [[nodiscard]] constexpr Vector inside() const noexcept { return Vector(gjk::inside(a_)) - Vector(gjk::inside(b_)); }

    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return magnitude_; }

    /// No point of the difference lies farther along d than dot(support(d).w, d) as computed, plus this times |d|_1.
    ///
    /// Why: each shape's support point falls short by its own `roundings`; the subtraction is off by u |w|, and the
    /// product of three terms by 3 u |w|, with |w|_max <= magnitude; the rest pays for the rounding of the bound
    /// itself.
    [[nodiscard]] constexpr Scalar tolerance() const noexcept { return tolerance_; }

    /// value = dot(support(d).w, d) as computed. Does it prove that every point of a lies lower along d than every
    /// point of b? False whenever a number is too large or is NaN.
    [[nodiscard]] constexpr bool proves_apart(const Vector& d, Scalar value) const noexcept {
        if (!(value < 0)) return false;
        // All products that underflow are off by less than `least` together. A finite sum has finite terms.
        constexpr Scalar least = 8 * std::numeric_limits<Scalar>::min();
        constexpr Scalar most = std::numeric_limits<Scalar>::max() / 64;
        const Scalar bound = tolerance_ * sum_norm(d) + least;
        if (!(value < -bound && value > -most && magnitude_ >= 0 && magnitude_ < most)) return false;
        if (!gjk::climbs(a_) && !gjk::climbs(b_)) [[likely]]
            return true;
        const Vector w = Vector(gjk::exhaustive(a_).support(d)) - Vector(gjk::exhaustive(b_).support(-d));
        return dot(w, d) < -bound;
    }

private:
    static constexpr Scalar factor =
        Scalar((roundings<A> > roundings<B> ? roundings<A> : roundings<B>)+8) * unit_roundoff<Scalar>;

    const A& a_;
    const B& b_;
    Scalar magnitude_, tolerance_;
};

/// What a query has found.
enum class Verdict : unsigned char {
    undecided,     ///< neither was shown: too close to call, not finite, or the cap on steps was reached
    intersecting,  ///< they share a point, up to rounding
    separated,     ///< proved, with all rounding accounted for
};

/// A trace that does nothing. A trace is called with every simplex before it is reduced, and with the direction along
/// which its newest point was found.
struct NoTrace {
    template <class V>
    constexpr void operator()(const Simplex<V>&, const V&) const noexcept {}
};

}  // namespace lanecull::gjk
