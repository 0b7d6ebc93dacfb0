#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanecull/gjk/detail/simplex.hpp>
#include <lanecull/gjk/shapes.hpp>

/// Closed forms for points, segments and boxes, which balls and capsules have for cores: the corners of the difference
/// that its point nearest to the origin is a mixture of. The descent begins with that simplex, and ends at once. As
/// Newton's method does (newton.hpp), they only choose: bounds come from the points that are found. A wrong choice, by
/// rounding or because a box's axes have other lengths or angles, costs steps.
namespace lanecull::gjk::detail {

/// Points have one end, segments two.
template <class S>
inline constexpr int ends_of = 0;
template <class T, int N>
inline constexpr int ends_of<Point<T, N>> = 1;
template <class T, int N>
inline constexpr int ends_of<Segment<T, N>> = 2;
template <class S>
inline constexpr int ends_of<Placed<S>> = ends_of<S>;

/// Its ends are numbers of its own; others are rounded.
template <class S>
inline constexpr bool is_exact = false;
template <class T, int N>
inline constexpr bool is_exact<Point<T, N>> = true;
template <class T, int N>
inline constexpr bool is_exact<Segment<T, N>> = true;

template <class A, class B>
concept BothStraight = (ends_of<A> * ends_of<B> > 0);

template <class S>
inline constexpr bool is_box = false;
template <class T, int N>
inline constexpr bool is_box<Box<T, N>> = true;
template <class S>
inline constexpr bool is_turned_box = false;
template <class T, int N>
inline constexpr bool is_turned_box<OrientedBox<T, N>> = true;

/// Their difference is a box.
template <class A, class B>
concept BothBoxes = (is_box<A> && (is_box<B> || ends_of<B> == 1)) || (ends_of<A> == 1 && is_box<B>) ||
                    (is_turned_box<A> && ends_of<B> == 1) || (ends_of<A> == 1 && is_turned_box<B>);

/// Adds the corners of a parallelepiped that its point with these shares of the edges is a mixture of: from corner to
/// corner, along the edges in the order of their shares. add(along): the corner at the ends of those edges.
template <int edges, class T, class Add>
constexpr void add_corners(const T (&share)[edges], Add&& add) noexcept {
    bool along[edges];
    for (int k = 0; k < edges; ++k) along[k] = share[k] >= 1;
    for (;;) {
        add(along);
        int next = -1;
        for (int k = 0; k < edges; ++k) {
            if (!along[k] && share[k] > 0 && (next < 0 || share[k] > share[next])) next = k;
        }
        if (next < 0) return;
        along[next] = true;
    }
}

/// NaN becomes 0.
template <class T>
[[nodiscard]] constexpr T share_of(T s) noexcept {
    return s > 0 ? (s < 1 ? s : T(1)) : T(0);
}

/// The point w + s e - t f that is nearest to the origin, s and t in 0 to 1. After Ericson, "Real-time collision
/// detection" (2005).
template <class V, class T = typename VectorTraits<V>::Scalar>
constexpr void nearest_shares(const V& w, const V& e, const V& f, T (&share)[2]) noexcept {
    const T ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), we = dot(w, e), wf = dot(w, f);
    share[0] = share_of((ef * wf - ff * we) / (ee * ff - ef * ef));
    share[1] = share_of((share[0] * ef + wf) / ff);
    share[0] = share_of((share[1] * ef - we) / ee);
}

/// Two points or segments: their ends, and where they are nearest.
template <class V>
struct StraightPair {
    using T = typename VectorTraits<V>::Scalar;
    V a[2], b[2];  ///< a point is both of its ends
    V w, e, f;     ///< the difference is w + s e - t f
    T share[2];    ///< s and t of its point nearest to the origin
    V towards;     ///< from there to the origin

    template <class A, class B>
    constexpr StraightPair(const A& of_a, const B& of_b, T scale) noexcept {
        take_ends(of_a, a);
        take_ends(of_b, b);
        w = scale * (a[0] - b[0]), e = scale * (a[1] - a[0]), f = scale * (b[1] - b[0]);
        if constexpr (ends_of<A> * ends_of<B> == 1)
            share[0] = share[1] = 0;
        else
            nearest_shares(w, e, f, share);
        towards = share[1] * f - share[0] * e - w;
    }

    /// Whether a plane at right angles to `towards` proves that the two, whose ends are exact, are farther apart than
    /// `margin`, which is off by `sums` u. The gap is off by 8 u of its terms' magnitudes: w, e and f by u, each
    /// product of three terms by 3, their sum and the bound by 4. The length is off by 3 u. Both are counted twice.
    /// |towards| is far above what underflows, and what overflows makes the bound infinite.
    template <int sums>
    [[nodiscard]] bool is_beyond(T margin) const noexcept {
        const T square = dot(towards, towards), size = dot(abs(w) + abs(e) + abs(f), abs(towards));
        const T gap = -dot(w, towards) - std::max(dot(e, towards), T(0)) - std::max(-dot(f, towards), T(0));
        return margin >= 0 && square > least &&
               gap - 16 * u * size > margin * std::sqrt(square) * (1 + (2 * sums + 16) * u);
    }
    template <int sums>
    [[nodiscard]] Verdict verdict(T margin) const noexcept {
        const T most = margin * margin;
        const bool is_sound = most > least && most < std::numeric_limits<T>::infinity();
        if (is_sound && dot(towards, towards) <= most) return Verdict::intersecting;
        return is_beyond<sums>(margin) ? Verdict::separated : Verdict::undecided;
    }

    template <class Pair>
    constexpr void put_corners(const Pair& pair, Simplex<V>& simplex) const noexcept {
        add_corners(share, [&](const bool(&along)[2]) {
            pair.put(a[along[0]], b[along[1]], towards, simplex.points[simplex.count++]);
        });
    }

private:
    static constexpr T u = unit_roundoff<T>, least = std::numeric_limits<T>::min() / (u * u);

    template <class S>
    static constexpr void take_ends(const S& shape, V (&ends)[2]) noexcept {
        int count = 0;
        shape.for_each_corner([&](const V& end) { ends[count++] = end; });
        if constexpr (ends_of<S> == 1) ends[1] = ends[0];
    }
};

template <class A, class B>
requires BothStraight<A, B>
constexpr void nearest_corners(const MinkowskiDifference<A, B>& pair, Simplex<VectorOf<A>>& simplex) noexcept {
    const StraightPair<VectorOf<A>> straight(pair.a(), pair.b(), pair.scaled(ScalarOf<A>(1)));
    simplex.count = 0;
    if (!is_zero(straight.towards)) straight.put_corners(pair, simplex);
}

template <class S>
[[nodiscard]] constexpr VectorOf<S> half_of(const S& shape) noexcept {
    if constexpr (ends_of<S> == 1)
        return {};
    else
        return shape.half;
}

template <class A, class B>
requires BothBoxes<A, B>
constexpr void nearest_corners(const MinkowskiDifference<A, B>& pair, Simplex<VectorOf<A>>& simplex) noexcept {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    V center = pair.inside();
    if constexpr (is_turned_box<A>) center = transposed_times(pair.a().axes, center);
    if constexpr (is_turned_box<B>) center = transposed_times(pair.b().axes, center);
    const V out = divided(center, pair.scaled(half_of(pair.a()) + half_of(pair.b())));
    T share[dimension_of<A>] = {T(0.5) * (1 - out.x), T(0.5) * (1 - out.y)};
    if constexpr (dimension_of<A> == 3) share[2] = T(0.5) * (1 - out.z);
    simplex.count = 0;
    add_corners(share, [&](const bool(&along)[dimension_of<A>]) {
        V way{};
        way.x = along[0] ? T(1) : T(-1);
        way.y = along[1] ? T(1) : T(-1);
        if constexpr (dimension_of<A> == 3) way.z = along[2] ? T(1) : T(-1);
        if constexpr (is_turned_box<A>) way = pair.a().axes * way;
        if constexpr (is_turned_box<B>) way = pair.b().axes * way;
        pair.support(way, simplex.points[simplex.count++]);
    });
}

/// Two points are found as soon without.
template <class A, class B>
inline constexpr bool has_closed = ends_of<A>* ends_of<B> > 1 || BothBoxes<A, B>;

/// Two boxes along the axes are apart if they are along one of them. Differences and sums of their numbers are off by u
/// of themselves, or by what underflows. The bounds count that twice and more: rounding to nearest keeps the order of
/// the two, other modes need not.
template <class T, int N>
struct BoxDecision {
    Verdict verdict = Verdict::undecided;
    Vec<T, N> direction{};  ///< of separated ones: of the axes along which they are apart

    constexpr BoxDecision(const Box<T, N>& a, const Box<T, N>& b) noexcept {
        const Vec<T, N> way = b.center - a.center, half = a.half + b.half;
        const T size = sum_norm(a.center) + sum_norm(b.center) + sum_norm(half);
        if (!(size < std::numeric_limits<T>::max() / 64)) return;
        const bool meet_x = compare(way.x, half.x, direction.x), meet_y = compare(way.y, half.y, direction.y);
        bool meet = meet_x && meet_y;
        if constexpr (N == 3) meet = compare(way.z, half.z, direction.z) && meet;
        if (meet) verdict = Verdict::intersecting;
        if (!is_zero(direction)) verdict = Verdict::separated;
    }
    constexpr void put_corners(const Box<T, N>& a, const Box<T, N>& b, Simplex<Vec<T, N>>& simplex) const noexcept {
        const MinkowskiDifference pair(a, b);
        if (verdict == Verdict::separated)
            simplex.add(pair.support(direction));
        else
            nearest_corners(pair, simplex);
    }

private:
    /// Whether they meet along an axis.
    [[nodiscard]] static constexpr bool compare(T way, T half, T& direction) noexcept {
        constexpr T u = unit_roundoff<T>, least = 8 * std::numeric_limits<T>::min();
        direction = signed_as(abs(way) > half * (1 + 8 * u) + least ? T(1) : T(0), way);
        return abs(way) <= half;
    }
};

/// Points and segments with margins.
template <class A, class B>
struct StraightDecision {
    StraightPair<VectorOf<A>> straight;
    Verdict verdict;
    VectorOf<A> direction;

    StraightDecision(const A& a, const B& b) noexcept
        : straight(gjk::core(a), gjk::core(b), 1),
          verdict(straight.template verdict<margin_roundings<A, B>>(gjk::margin(a) + gjk::margin(b))),
          direction(rescaled(straight.towards)) {}
    void put_corners(const A& a, const B& b, Simplex<VectorOf<A>>& simplex) const noexcept {
        straight.put_corners(MinkowskiDifference(gjk::core(a), gjk::core(b)), simplex);
    }
};

template <class A, class B>
concept Decidable = (is_box<A> && is_box<B>) || ((Round<A> || Round<B>)&&is_exact<CoreOf<A>> && is_exact<CoreOf<B>>);

/// What a closed form says about the two: undecided where rounding does.
template <class A, class B>
requires Decidable<A, B>
[[nodiscard]] constexpr auto decision(const A& a, const B& b) noexcept {
    if constexpr (is_box<A>)
        return BoxDecision(a, b);
    else
        return StraightDecision(a, b);
}

}  // namespace lanecull::gjk::detail
