#pragma once

#include <algorithm>

#include <lanecull/gjk/detail/simplex.hpp>

/// The point of a simplex nearest to the origin, and which of its corners it is a mixture of: signed volumes, after
/// Montanari, Petrinic, Barbieri, "Improving the GJK algorithm for faster and more reliable distance queries between
/// convex objects" (2017). A point is within the simplex if no barycentric coordinate is negative; otherwise it is
/// nearest to a facet opposite to a corner whose coordinate is negative. If the simplex is flat and no sign can be
/// trusted, every facet is tested. The result is always a true point of the simplex, so at worst it is no nearer
/// than the point of the step before, which the caller notices.
namespace lanecull::gjk {

template <class V>
struct NearestOnSimplex {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    V v{};
    Scalar square = std::numeric_limits<Scalar>::infinity();  ///< |v|^2
    int count = 0;                         ///< how many corners v is a mixture of; N + 1: the origin is inside
    int corner[Simplex<V>::most] = {};     ///< ascending
    Scalar weight[Simplex<V>::most] = {};  ///< of each, > 0, or 0 in a sliver that the origin is inside; their sum is 1

    /// Written number by number, because processors cannot forward a store to a load of another width.
    template <int corners>
    constexpr void take_if_nearer(const V& point, const int (&of)[corners], const Scalar (&weights)[corners]) noexcept {
        const Scalar distance = dot(point, point);
        if (!(distance < square)) return;
        detail::store(v, point);
        square = distance;
        count = corners;
        for (int i = 0; i < corners; ++i) corner[i] = of[i], weight[i] = weights[i];
    }
};

namespace detail {

template <class T, int N>
constexpr void nearest_corner(const Simplex<Vec<T, N>>& simplex, int i, NearestOnSimplex<Vec<T, N>>& best) noexcept {
    best.take_if_nearer(simplex.points[i].w, {i}, {1});
}

/// i < j. If the two points coincide, the result is j.
template <class T, int N>
constexpr void nearest_on_edge(const Simplex<Vec<T, N>>& simplex, int i, int j,
                               NearestOnSimplex<Vec<T, N>>& best) noexcept {
    const Vec<T, N>&p = simplex.points[i].w, &q = simplex.points[j].w;
    const Vec<T, N> e = q - p;
    const T size = dot(e, e), along = dot(q, e);
    if (!(along > 0)) return nearest_corner(simplex, j, best);
    if (!(along < size)) return nearest_corner(simplex, i, best);
    const T inverse = 1 / size, t = along * inverse;
    Vec<T, N> v = q - t * e;
    v = v - dot(v, e) * inverse * e;  // near the origin the difference is rounding, which is to point across at least
    best.take_if_nearer(v, {i, j}, {t, 1 - t});
}

/// How many u a product of rounded factors is off by, relative to the product of the factors' largest components.
template <class T>
inline constexpr T off = 8 * unit_roundoff<T>;

/// i < j < k. First along the longer edge e at k, then along the part of the other edge f that is at right angles to
/// it. Slivers have a long direction, in which the origin is located accurately, and a short one. Signed areas from one
/// cross product would be wrong by u / sin of the angle in both; needles in floats were then wrong by 10^-4 of their
/// length.
template <class T>
constexpr void nearest_on_triangle(const Simplex<Vec3<T>>& simplex, int i, int j, int k,
                                   NearestOnSimplex<Vec3<T>>& best) noexcept {
    const Vec3<T>& r = simplex.points[k].w;
    const Vec3<T> to_i = simplex.points[i].w - r, to_j = simplex.points[j].w - r;
    const T size_i = dot(to_i, to_i), size_j = dot(to_j, to_j);
    const bool i_first = size_i > size_j;
    const Vec3<T>&e = i_first ? to_i : to_j, &f = i_first ? to_j : to_i;
    const T size = i_first ? size_i : size_j, inverse = 1 / size;
    const T share = dot(e, f) * inverse, along = -dot(e, r) * inverse;
    const Vec3<T> f_across = f - share * e, r_across = r + along * e;
    const T width = dot(f_across, f_across);
    const bool is_flat = !(width > off<T> * off<T> * (i_first ? size_j : size_i));
    const T of_f = is_flat ? T(0) : -dot(f_across, r_across) / width, of_e = along - share * of_f;
    const T of_i = i_first ? of_e : of_f, of_j = i_first ? of_f : of_e, of_k = 1 - of_e - of_f;
    if (!is_flat && of_i > 0 && of_j > 0 && of_k > 0) {
        Vec3<T> v = r_across + of_f * f_across;
        // v's direction is off by u |e| / |v|, that across the edges by u |e| / |f_across|.
        if (dot(v, v) < width) {
            const Vec3<T> n = cross(e, f_across);
            v = (dot(n, v) / dot(n, n)) * n;
        }
        return best.take_if_nearer(v, {i, j, k}, {of_i, of_j, of_k});
    }
    if (is_flat || of_i <= 0) nearest_on_edge(simplex, j, k, best);
    if (is_flat || of_j <= 0) nearest_on_edge(simplex, i, k, best);
    if (is_flat || of_k <= 0) nearest_on_edge(simplex, i, j, best);
}

/// Nearest to the origin among the facets of a whole simplex.
template <class T>
constexpr void nearest_on_facets(const Simplex<Vec2<T>>& simplex, NearestOnSimplex<Vec2<T>>& best) noexcept {
    nearest_on_edge(simplex, 1, 2, best);
    nearest_on_edge(simplex, 0, 2, best);
    nearest_on_edge(simplex, 0, 1, best);
}
template <class T>
constexpr void nearest_on_facets(const Simplex<Vec3<T>>& simplex, NearestOnSimplex<Vec3<T>>& best) noexcept {
    nearest_on_triangle(simplex, 1, 2, 3, best);
    nearest_on_triangle(simplex, 0, 2, 3, best);
    nearest_on_triangle(simplex, 0, 1, 3, best);
    nearest_on_triangle(simplex, 0, 1, 2, best);
}

/// Takes the weights of the facets' point if it is nearer to the origin than the square root of `square`.
template <class T, int N, int corners>
[[gnu::noinline, gnu::cold]] constexpr void weigh_anew(const Simplex<Vec<T, N>>& simplex, T square,
                                                       T (&weights)[corners]) noexcept {
    NearestOnSimplex<Vec<T, N>> facet;
    nearest_on_facets(simplex, facet);
    if (!(facet.square < square)) return;
    for (T& weight : weights) weight = 0;
    for (int k = 0; k < facet.count; ++k) weights[facet.corner[k]] = facet.weight[k];
}

/// The origin is inside, and has these weights. A sliver magnifies what rounding does to them, though their signs are
/// certain: those of a facet's point may be nearer to the truth. The mixture was 10^-6 off in doubles.
template <class T, int N>
constexpr void take_inside(const Simplex<Vec<T, N>>& simplex, const T (&weights)[N + 1],
                           NearestOnSimplex<Vec<T, N>>& best) noexcept {
    Vec<T, N> miss{};
    T size = 0, of[N + 1];
    for (int i = 0; i <= N; ++i) {
        miss += weights[i] * simplex.points[i].w;
        size = std::max(size, max_norm(simplex.points[i].w));
        of[i] = weights[i];
    }
    if (max_norm(miss) > off<T> * size) [[unlikely]]
        weigh_anew(simplex, dot(miss, miss), of);
    if constexpr (N == 3)
        best.take_if_nearer({}, {0, 1, 2, 3}, of);
    else
        best.take_if_nearer({}, {0, 1, 2}, of);
}

/// The origin is inside only if no sign can be caused by rounding.
template <class T>
constexpr void nearest_inside(const Simplex<Vec2<T>>& simplex, NearestOnSimplex<Vec2<T>>& best) noexcept {
    const Vec2<T>& r = simplex.points[2].w;
    const Vec2<T> p = simplex.points[0].w - r, q = simplex.points[1].w - r;
    const T area = cross(p, q), sign = signed_as(T(1), area);
    const T of_0 = sign * cross(q, r), of_1 = sign * cross(r, p), of_2 = sign * area - of_0 - of_1;
    const T pp = max_norm(p), qq = max_norm(q), rr = max_norm(r);
    const bool within_0 = of_0 > off<T> * qq * rr, within_1 = of_1 > off<T> * pp * rr;
    const bool within_2 = of_2 > off<T> * (pp * qq + (pp + qq) * rr);
    if (within_0 && within_1 && within_2) {
        const T scale = 1 / (sign * area);
        return take_inside(simplex, {of_0 * scale, of_1 * scale, of_2 * scale}, best);
    }
    if (!within_0) nearest_on_edge(simplex, 1, 2, best);
    if (!within_1) nearest_on_edge(simplex, 0, 2, best);
    if (!within_2) nearest_on_edge(simplex, 0, 1, best);
}

/// Projected along the longest edge at the newest point, the other two edges and the origin are vectors of a plane,
/// without the rounding that the edge's length would bring in. Needles need that, as with the triangle.
template <class T>
constexpr void nearest_inside(const Simplex<Vec3<T>>& simplex, NearestOnSimplex<Vec3<T>>& best) noexcept {
    const Vec3<T>& s = simplex.points[3].w;
    const Vec3<T> arm[] = {simplex.points[0].w - s, simplex.points[1].w - s, simplex.points[2].w - s};
    const T size[] = {dot(arm[0], arm[0]), dot(arm[1], arm[1]), dot(arm[2], arm[2])};
    const int longest = size[0] > size[1] ? (size[0] > size[2] ? 0 : 2) : (size[1] > size[2] ? 1 : 2);
    const int first = longest == 0 ? 1 : 0, second = longest == 2 ? 1 : 2;
    const Vec3<T>& e = arm[longest];
    const T inverse = 1 / size[longest];
    const T share_p = dot(arm[first], e) * inverse, share_q = dot(arm[second], e) * inverse;
    const T along = -dot(s, e) * inverse;
    const Vec3<T> p = arm[first] - share_p * e, q = arm[second] - share_q * e, o = -s - along * e;

    const T turn = dot(e, cross(p, q)), sign = signed_as(T(1), turn), whole = sign * turn;
    const T of_p = sign * dot(e, cross(o, q)), of_q = sign * dot(e, cross(p, o));
    const T of_e = along * whole - share_p * of_p - share_q * of_q, of_s = whole - of_e - of_p - of_q;
    const T ee = max_norm(e), pp = max_norm(p), qq = max_norm(q), oo = max_norm(o);
    const T doubt_p = off<T> * ee * oo * qq, doubt_q = off<T> * ee * pp * oo;
    const T doubt_e = doubt_p + doubt_q + off<T> * (1 + abs(along)) * ee * pp * qq;
    const T of[] = {longest == 0 ? of_e : of_p, longest == 1 ? of_e : (longest == 0 ? of_p : of_q),
                    longest == 2 ? of_e : of_q, of_s};
    bool within[4] = {};
    within[longest] = of_e > doubt_e;
    within[first] = of_p > doubt_p;
    within[second] = of_q > doubt_q;
    within[3] = of_s > doubt_e;
    if (within[0] && within[1] && within[2] && within[3]) {
        const T scale = 1 / whole;
        return take_inside(simplex, {of[0] * scale, of[1] * scale, of[2] * scale, of[3] * scale}, best);
    }
    if (!within[0]) nearest_on_triangle(simplex, 1, 2, 3, best);
    if (!within[1]) nearest_on_triangle(simplex, 0, 2, 3, best);
    if (!within[2]) nearest_on_triangle(simplex, 0, 1, 3, best);
    if (!within[3]) nearest_on_triangle(simplex, 0, 1, 2, best);
}

}  // namespace detail

/// Changes `best` if the simplex has a nearer point. A NaN is not nearer.
template <class V>
constexpr void nearest_on(const Simplex<V>& simplex, NearestOnSimplex<V>& best) noexcept {
    if (simplex.count == 1) return detail::nearest_corner(simplex, 0, best);
    if (simplex.count == 2) return detail::nearest_on_edge(simplex, 0, 1, best);
    if constexpr (Simplex<V>::most == 4) {
        if (simplex.count == 3) return detail::nearest_on_triangle(simplex, 0, 1, 2, best);
    }
    detail::nearest_inside(simplex, best);
}

/// The nearest point. If a number is NaN, `square` is infinite.
template <class V>
[[nodiscard]] constexpr NearestOnSimplex<V> nearest_on(const Simplex<V>& simplex) noexcept {
    NearestOnSimplex<V> best;
    nearest_on(simplex, best);
    return best;
}

}  // namespace lanecull::gjk
