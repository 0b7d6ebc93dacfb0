#pragma once

#include <lanecull/gjk/detail/support.hpp>

namespace lanecull::gjk {

/// A point of the Minkowski difference { p - q : p of a, q of b }, and the two points that it comes from. The
/// difference contains the origin exactly if a and b share a point.
template <class V>
struct SupportPoint {
    V w;          ///< a - b, times the pair's scale, a power of two
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
///
/// Points of the difference, and every length that is computed from them, are scaled by a power of two so that the
/// pair's magnitude is in [1, 2): squares and products of three lengths then neither overflow nor underflow, and a pair
/// and the same pair at another scale take the same steps.
template <Shape A, Shape B>
requires Pair<A, B>
class MinkowskiDifference {
public:
    using Vector = VectorOf<A>;
    using Scalar = ScalarOf<A>;

    constexpr MinkowskiDifference(const A& a, const B& b) noexcept
        : MinkowskiDifference(a, b, gjk::magnitude(a) + gjk::magnitude(b)) {}

    [[nodiscard]] constexpr SupportPoint<Vector> support(const Vector& d) const noexcept {
        SupportPoint<Vector> point;
        support(d, point);
        return point;
    }
    /// The same, written number by number to where it will stay. A copy would read vectors that have just been stored
    /// in parts of another width, which the processor cannot forward; that took a third of a query's time.
    constexpr void support(const Vector& d, SupportPoint<Vector>& point) const noexcept {
        const Vector p = a_.support(d), q = b_.support(-d);
        put(p, q, d, point);
    }
    /// p of a and q of b, which lie farthest along d.
    constexpr void put(const Vector& p, const Vector& q, const Vector& d, SupportPoint<Vector>& point) const noexcept {
        detail::store(point.w, scale_ * (p - q));
        detail::store(point.a, p);
        detail::store(point.b, q);
        detail::store(point.direction, d);
    }

    [[nodiscard]] constexpr const A& a() const noexcept { return a_; }
    [[nodiscard]] constexpr const B& b() const noexcept { return b_; }

    /// Moves the point of a, which moves w.
    constexpr void move(SupportPoint<Vector>& point, const Vector& way) const noexcept {
        detail::store(point.a, point.a + way);
        detail::store(point.w, scale_ * (point.a - point.b));
    }

    /// How w moves as d does.
    [[nodiscard]] constexpr Matrix<Scalar, 2> bend(const Vector& d, const Vector& s,
                                                   const Vector& t) const noexcept requires PairBent<A, B> {
        return scale_ * (gjk::bend(a_, d, s, t) + gjk::bend(b_, -d, s, t));
    }

    /// A point within a - b, scaled as all points are.
    [[nodiscard]] constexpr Vector inside() const noexcept {
        return scale_ * (Vector(gjk::inside(a_)) - Vector(gjk::inside(b_)));
    }

    /// In [1, 2), unless the shapes are points at the origin, of denormal size, or not finite.
    [[nodiscard]] constexpr Scalar magnitude() const noexcept { return magnitude_; }
    /// A length of the shapes' coordinates as the algorithms see it. What underflows is less than any positive scaled
    /// length; what overflows is more than any.
    [[nodiscard]] constexpr Scalar scaled(Scalar length) const noexcept {
        return std::min(scale_ * length, std::numeric_limits<Scalar>::max());
    }
    [[nodiscard]] constexpr Vector scaled(const Vector& v) const noexcept { return scale_ * v; }
    /// A scaled length in the shapes' coordinates, rounded down, but not below 0; or up.
    [[nodiscard]] constexpr Scalar unscaled_down(Scalar length) const noexcept {
        const Scalar size = length * inverse_;
        return size < std::numeric_limits<Scalar>::min() ? std::max(Scalar(0), size - least) : size;
    }
    [[nodiscard]] constexpr Scalar unscaled_up(Scalar length) const noexcept {
        const Scalar size = length * inverse_;
        return size < std::numeric_limits<Scalar>::min() && length > 0 ? size + least : size;
    }
    [[nodiscard]] constexpr Scalar unscaled(Scalar length) const noexcept { return length * inverse_; }

    /// No point of the difference lies farther along d, |d|_max in [1, 2), than dot(support(d).w, d) as computed, plus
    /// this times |d|_1.
    ///
    /// Why: each shape's support point falls short by its own `roundings`; the subtraction is off by u |w|, and the
    /// product of three terms by 3 u |w|, with |w|_max <= magnitude; what underflows in the shapes' coordinates is
    /// below `underflow`; the rest pays for the rounding of the bound itself.
    [[nodiscard]] constexpr Scalar tolerance() const noexcept { return tolerance_; }

    /// value = dot(support(d).w, d) as computed, |d|_max in [1, 2). Does it prove that every point of a lies lower
    /// along d than every point of b? False for other d, and whenever a number is too large or is NaN. A climbing
    /// support point may fall short by more than its roundings: then `value` becomes that of the exhaustive one.
    [[nodiscard]] constexpr bool proves_apart(const Vector& d, Scalar& value) const noexcept {
        if (!(value < 0)) return false;
        // A finite sum has finite terms.
        const Scalar size = sum_norm(d), bound = tolerance_ * size;
        if (!(value < -bound && value > -most && size >= 1 && size <= 2 * dimension_of<A>)) return false;
        if (!gjk::climbs(a_) && !gjk::climbs(b_)) [[likely]]
            return true;
        const Vector p = gjk::exhaustive(a_).support(d), q = gjk::exhaustive(b_).support(-d);
        value = std::max(value, dot(scale_ * (p - q), d));
        return value < -bound;
    }

private:
    static constexpr Scalar factor =
        Scalar((roundings<A> > roundings<B> ? roundings<A> : roundings<B>)+8) * unit_roundoff<Scalar>;
    static constexpr Scalar least = 2 * std::numeric_limits<Scalar>::denorm_min();
    /// All products of a support point that underflow are off by less than this together.
    static constexpr Scalar underflow = 8 * std::numeric_limits<Scalar>::min();
    /// Larger shapes may overflow in their support mappings: they have no scale, which leaves no comparison true.
    static constexpr Scalar most = std::numeric_limits<Scalar>::max() / 64;

    constexpr MinkowskiDifference(const A& a, const B& b, Scalar magnitude) noexcept
        : a_(a),
          b_(b),
          scale_(magnitude >= 0 && magnitude < most ? scale_to_one(magnitude)
                                                    : std::numeric_limits<Scalar>::quiet_NaN()),
          inverse_(1 / scale_),
          magnitude_(scale_ * magnitude),
          tolerance_(factor * magnitude_ + scale_ * underflow) {}

    const A& a_;
    const B& b_;
    Scalar scale_, inverse_, magnitude_, tolerance_;
};

/// The answer of a query.
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
