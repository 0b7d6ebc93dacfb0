#pragma once

#include <lanecull/gjk/detail/nearest.hpp>
#include <lanecull/gjk/detail/simplex.hpp>

/// Newton's method for the direction of the nearest point. The difference reaches h(n) = w(n) . n along n, |n| = 1, and
/// its nearest point is w(n) for that n along which it reaches least far. w is the gradient of h, and how w moves, the
/// shapes' bend, is the second derivative. The descent by simplices takes twenty to forty steps for ellipsoids, this
/// method five.
///
/// On edges of the difference, as of a cylinder's side, n lies where several such functions are equally high, one for
/// each of the simplex's corners that is on another part of the surface. Of these the highest is to be as low as
/// possible, which is sequential quadratic programming with at most three functions of two variables.
///
/// The method only chooses the direction that is tested next. Bounds come from the points that are found along it.
namespace lanecull::gjk {

namespace detail {

template <class A, class B>
inline constexpr bool has_newton = PairBent<A, B>&& dimension_of<A> == 3;

/// Two directions at right angles to n, |n| = 1, and to each other. After Duff and others, "Building an orthonormal
/// basis, revisited" (2017).
template <class T>
struct Tangents {
    Vec3<T> s, t;

    explicit constexpr Tangents(const Vec3<T>& n) noexcept {
        const T sign = signed_as(T(1), n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
        s = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
        t = {b, sign + n.y * n.y * a, -n.y};
    }
    [[nodiscard]] constexpr Vec2<T> operator()(const Vec3<T>& v) const noexcept { return {dot(s, v), dot(t, v)}; }
    [[nodiscard]] constexpr Vec3<T> from(const Vec2<T>& y) const noexcept { return y.x * s + y.y * t; }
};

/// x for which m x = right.
template <class T>
[[nodiscard]] constexpr Vec2<T> solve(const Matrix<T, 2>& m, const Vec2<T>& right) noexcept {
    const Vec2<T>&p = m.column[0], &q = m.column[1];
    return 1 / cross(p, q) * Vec2<T>{cross(right, q), cross(p, right)};
}

}  // namespace detail

/// Where to go from a simplex; false, and nothing, if that is too far away to be known. All that it calls is inlined,
/// because vectors that are passed through memory would take as long as the rest.
template <class A, class B>
requires PairBent<A, B>
[[nodiscard, gnu::flatten]] bool newton(const MinkowskiDifference<A, B>& pair, const Simplex<VectorOf<A>>& simplex,
                                        const NearestOnSimplex<VectorOf<A>>& nearest, VectorOf<A>& towards) noexcept {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    const int last = simplex.count - 1;
    const SupportPoint<V>& newest = simplex.points[last];
    const V n = unit(newest.direction);
    const detail::Tangents<T> tangents(n);
    const Matrix<T, 2> bend = pair.bend(n, tangents.s, tangents.t);

    // Corners of other parts of the surface than the newest point's. Near n + y, their heights are over the newest
    // point's by rest + steeper . y.
    struct Edge {
        V along;
        Matrix<T, 2> bend;
        Vec2<T> steeper;
        T rest;
    } edges[2];
    int count = 0;
    Matrix<T, 2> m = bend;
    for (int i = 0; i < last; ++i) {
        const SupportPoint<V>& corner = simplex.points[i];
        const V along = unit(corner.direction), between = corner.w - newest.w;
        const Vec2<T> aside = tangents(between), back = tangents(-along);
        if (max_norm(aside + bend * back) < T(0.5) * max_norm(aside)) continue;
        const Matrix<T, 2> own = pair.bend(along, tangents.s, tangents.t);
        const Vec2<T> moved = own * back;
        for (int k = 0; k < 2; ++k) m.column[k] += nearest.weight[i] * (own.column[k] - bend.column[k]);
        edges[count++] = {along, own, aside + moved, dot(between, n) + T(0.5) * dot(back, moved)};
    }
    Vec2<T> y;
    if (count == 2) {
        const Vec2<T>&p = edges[0].steeper, &q = edges[1].steeper;
        y = detail::solve(Matrix<T, 2>{{{p.x, q.x}, {p.y, q.y}}}, Vec2<T>{-edges[0].rest, -edges[1].rest});
    } else {
        const T apart = std::sqrt(nearest.square);
        m.column[0].x += apart;
        m.column[1].y += apart;
        y = -detail::solve(m, tangents(newest.w));
        if (count == 1) {
            // The other height's share is such that both are equal.
            const Vec2<T> turn = detail::solve(m, edges[0].steeper);
            const T share = (edges[0].rest + dot(edges[0].steeper, y)) / dot(edges[0].steeper, turn);
            y += -std::min(std::max(share, T(0)), T(1)) * turn;
        }
    }
    if (!(dot(y, y) < 1)) return false;
    towards = n + tangents.from(y);
    if (count == 0) return true;
    // Of the corners, the one that has moved most is found anew: a little back towards where it was found, it is the
    // highest.
    V way = n - towards;
    T farthest = max_norm(bend * y);
    for (int i = 0; i < count; ++i) {
        const T moved = max_norm(edges[i].bend * tangents(towards - edges[i].along));
        if (moved > farthest) farthest = moved, way = edges[i].along - towards;
    }
    towards += std::min(T(0.5), length(way) / 32) * way;
    return true;
}

}  // namespace lanecull::gjk
