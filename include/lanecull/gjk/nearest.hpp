#pragma once

#include <lanecull/gjk/simplex.hpp>

/// The point of a simplex nearest to the origin, and which of its corners it is a mixture of: signed volumes, after
/// Montanari, Petrinic, Barbieri, "Improving the GJK algorithm for faster and more reliable distance queries between
/// convex objects" (2017). A point is within the simplex when no barycentric coordinate is negative; else it is nearest
/// to a facet that lies across from a corner whose coordinate is. Where the simplex is flat, and no sign can be
/// trusted, every facet is looked at: the nearest of true points of the simplex is never wrong by more than a step
/// back, which the caller notices.
namespace lanecull::gjk {

template <class V>
struct NearestOnSimplex {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    V v{};
    Scalar square = std::numeric_limits<Scalar>::infinity();  ///< |v|^2
    int count = 0;                         ///< corners v is a mixture of; N + 1: the origin is inside
    int corner[Simplex<V>::most] = {};     ///< ascending
    Scalar weight[Simplex<V>::most] = {};  ///< of each, > 0; their sum is 1

    constexpr void take_if_nearer(const NearestOnSimplex& other) noexcept {
        if (other.square < square) *this = other;
    }
};

namespace detail {

template <class T, int N>
[[nodiscard]] constexpr NearestOnSimplex<Vec<T, N>> nearest_corner(const Simplex<Vec<T, N>>& simplex, int i) noexcept {
    const Vec<T, N>& p = simplex.points[i].w;
    return {p, dot(p, p), 1, {i}, {1}};
}

/// i < j; where the two coincide, j.
template <class T, int N>
[[nodiscard]] constexpr NearestOnSimplex<Vec<T, N>> nearest_on_edge(const Simplex<Vec<T, N>>& simplex, int i,
                                                                    int j) noexcept {
    const Vec<T, N>&p = simplex.points[i].w, &q = simplex.points[j].w;
    const Vec<T, N> e = q - p;
    const T size = dot(e, e), along = dot(q, e);
    if (!(along > 0)) return nearest_corner(simplex, j);
    if (!(along < size)) return nearest_corner(simplex, i);
    const T t = along / size;
    const Vec<T, N> v = q - t * e;
    return {v, dot(v, v), 2, {i, j}, {t, 1 - t}};
}

/// |n| of a triangle over the product of its edges' lengths, or a tetrahedron's volume over its edges': below, signs
/// are rounding.
template <class T>
inline constexpr T flat = 16 * unit_roundoff<T>;

/// i < j < k.
template <class T>
[[nodiscard]] constexpr NearestOnSimplex<Vec3<T>> nearest_on_triangle(const Simplex<Vec3<T>>& simplex, int i, int j,
                                                                      int k) noexcept {
    const Vec3<T>& r = simplex.points[k].w;
    const Vec3<T> p = simplex.points[i].w - r, q = simplex.points[j].w - r;
    const Vec3<T> n = cross(p, q);
    const T size = dot(n, n);
    const T of_i = dot(cross(q, r), n), of_j = dot(cross(r, p), n), of_k = size - of_i - of_j;
    const bool is_flat = !(size > flat<T> * flat<T> * dot(p, p) * dot(q, q));
    if (!is_flat && of_i > 0 && of_j > 0 && of_k > 0) {
        const T scale = 1 / size;
        const Vec3<T> v = (dot(n, r) * scale) * n;  // more nearly along n than the mixture of the corners
        return {v, dot(v, v), 3, {i, j, k}, {of_i * scale, of_j * scale, of_k * scale}};
    }
    NearestOnSimplex<Vec3<T>> best;
    if (is_flat || of_i <= 0) best.take_if_nearer(nearest_on_edge(simplex, j, k));
    if (is_flat || of_j <= 0) best.take_if_nearer(nearest_on_edge(simplex, i, k));
    if (is_flat || of_k <= 0) best.take_if_nearer(nearest_on_edge(simplex, i, j));
    return best;
}

template <class T>
[[nodiscard]] constexpr NearestOnSimplex<Vec2<T>> nearest_inside(const Simplex<Vec2<T>>& simplex) noexcept {
    const Vec2<T>& r = simplex.points[2].w;
    const Vec2<T> p = simplex.points[0].w - r, q = simplex.points[1].w - r;
    const T area = cross(p, q), sign = area < 0 ? T(-1) : T(1);
    const T of_0 = sign * cross(q, r), of_1 = sign * cross(r, p), of_2 = sign * area - of_0 - of_1;
    const bool is_flat = !(area * area > flat<T> * flat<T> * dot(p, p) * dot(q, q));
    if (!is_flat && of_0 >= 0 && of_1 >= 0 && of_2 >= 0) {
        const T scale = 1 / (sign * area);
        return {{}, 0, 3, {0, 1, 2}, {of_0 * scale, of_1 * scale, of_2 * scale}};
    }
    NearestOnSimplex<Vec2<T>> best;
    if (is_flat || of_0 < 0) best.take_if_nearer(nearest_on_edge(simplex, 1, 2));
    if (is_flat || of_1 < 0) best.take_if_nearer(nearest_on_edge(simplex, 0, 2));
    if (is_flat || of_2 < 0) best.take_if_nearer(nearest_on_edge(simplex, 0, 1));
    return best;
}

template <class T>
[[nodiscard]] constexpr NearestOnSimplex<Vec3<T>> nearest_inside(const Simplex<Vec3<T>>& simplex) noexcept {
    const Vec3<T>& s = simplex.points[3].w;
    const Vec3<T> p = simplex.points[0].w - s, q = simplex.points[1].w - s, r = simplex.points[2].w - s;
    const Vec3<T> qr = cross(q, r), rp = cross(r, p), pq = cross(p, q);
    const T volume = dot(p, qr), sign = volume < 0 ? T(-1) : T(1);
    const T of_0 = -sign * dot(s, qr), of_1 = -sign * dot(s, rp), of_2 = -sign * dot(s, pq);
    const T of_3 = sign * volume - of_0 - of_1 - of_2;
    const bool is_flat = !(volume * volume > flat<T> * flat<T> * dot(p, p) * dot(q, q) * dot(r, r));
    if (!is_flat && of_0 >= 0 && of_1 >= 0 && of_2 >= 0 && of_3 >= 0) {
        const T scale = 1 / (sign * volume);
        return {{}, 0, 4, {0, 1, 2, 3}, {of_0 * scale, of_1 * scale, of_2 * scale, of_3 * scale}};
    }
    NearestOnSimplex<Vec3<T>> best;
    if (is_flat || of_0 < 0) best.take_if_nearer(nearest_on_triangle(simplex, 1, 2, 3));
    if (is_flat || of_1 < 0) best.take_if_nearer(nearest_on_triangle(simplex, 0, 2, 3));
    if (is_flat || of_2 < 0) best.take_if_nearer(nearest_on_triangle(simplex, 0, 1, 3));
    if (is_flat || of_3 < 0) best.take_if_nearer(nearest_on_triangle(simplex, 0, 1, 2));
    return best;
}

}  // namespace detail

/// NaN in, infinity out.
template <class V>
[[nodiscard]] constexpr NearestOnSimplex<V> nearest_on(const Simplex<V>& simplex) noexcept {
    if (simplex.count == 1) return detail::nearest_corner(simplex, 0);
    if (simplex.count == 2) return detail::nearest_on_edge(simplex, 0, 1);
    if constexpr (Simplex<V>::most == 4) {
        if (simplex.count == 3) return detail::nearest_on_triangle(simplex, 0, 1, 2);
    }
    return detail::nearest_inside(simplex);
}

}  // namespace lanecull::gjk
