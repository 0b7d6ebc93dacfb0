#pragma once

#include <utility>

#include <lanecull/gjk/detail/simplex.hpp>

/// The textbook step of GJK: from a simplex whose newest point lies beyond the origin (as seen from the others) to the
/// feature of it that faces the origin, and to the direction from that feature to the origin. By signs alone, without
/// division.
namespace lanecull::gjk {

/// A simplex by its points w alone. Each point stays in a place of its own; only the places' numbers are reordered, the
/// newest last.
template <class V>
struct Corners {
    V points[Simplex<V>::most];
    int place[Simplex<V>::most];
    int count = 0;

    [[nodiscard]] constexpr const V& w(int i) const noexcept { return points[place[i]]; }
    constexpr void add(const V& point, int at) noexcept {
        detail::store(points[at], point);
        place[count++] = at;
    }
};

/// The next direction, if one is needed.
template <class V>
struct Facing {
    bool encloses = false;  ///< the simplex contains the origin, up to rounding
    V direction{};          ///< if not: the direction from the simplex to the origin, of any length
};

namespace detail {

/// Reduces the simplex to the points i, j, .. in this order.
template <class V, class... Index>
constexpr void keep(Corners<V>& simplex, Index... index) noexcept {
    const int kept[] = {simplex.place[index]...};
    simplex.count = 0;
    for (const int place : kept) simplex.place[simplex.count++] = place;
}

template <class T>
[[nodiscard]] constexpr Facing<Vec2<T>> facing_edge(Corners<Vec2<T>>& simplex, int i, int j) noexcept {
    keep(simplex, i, j);
    const Vec2<T> b = simplex.w(0), a = simplex.w(1), ab = b - a;
    const T side = cross(ab, -a);
    if (side == 0) return {true};
    return {false, side > 0 ? perpendicular(ab) : -perpendicular(ab)};
}

template <class T>
[[nodiscard]] constexpr Facing<Vec2<T>> facing_triangle(Corners<Vec2<T>>& simplex) noexcept {
    const Vec2<T> a = simplex.w(2), ab = simplex.w(1) - a, ac = simplex.w(0) - a;
    const T turn = signed_as(T(1), cross(ab, ac));
    if (turn * cross(ab, -a) < 0) return facing_edge(simplex, 1, 2);
    if (turn * cross(-a, ac) < 0) return facing_edge(simplex, 0, 2);
    return {true};
}

/// The edge of the points i and j, j being the newer. The origin is not beyond i.
template <class T>
[[nodiscard]] constexpr Facing<Vec3<T>> facing_edge(Corners<Vec3<T>>& simplex, int i, int j) noexcept {
    const Vec3<T> a = simplex.w(j), ab = simplex.w(i) - a;
    if (dot(ab, -a) <= 0) {
        keep(simplex, j);
        return {is_zero(a), -a};
    }
    keep(simplex, i, j);
    const Vec3<T> across = cross(cross(ab, -a), ab);
    return {is_zero(across), across};
}

/// The triangle of the points c, b and the newest a. Its normal is (b - a) x (c - a).
template <class T>
[[nodiscard]] constexpr Facing<Vec3<T>> facing_triangle(Corners<Vec3<T>>& simplex, int c, int b, int newest) noexcept {
    const Vec3<T> a = simplex.w(newest), ab = simplex.w(b) - a, ac = simplex.w(c) - a;
    const Vec3<T> normal = cross(ab, ac);
    if (dot(cross(normal, ac), -a) > 0 && dot(ac, -a) > 0) return facing_edge(simplex, c, newest);
    if (dot(cross(normal, ac), -a) > 0 || dot(cross(ab, normal), -a) > 0) return facing_edge(simplex, b, newest);
    const T height = dot(normal, -a);
    if (height == 0) return {true};
    // As seen from the origin the three turn left, so that with the next point the other faces' normals point outward.
    if (height > 0)
        keep(simplex, newest, b, c);
    else
        keep(simplex, newest, c, b);
    return {false, height > 0 ? normal : -normal};
}

/// The first three points turn left as seen from the fourth, the newest. The origin is on the newest point's side of
/// them. So it is inside, or beyond one, two or all of the faces that meet in the newest point.
template <class T>
[[nodiscard]] constexpr Facing<Vec3<T>> facing_tetrahedron(Corners<Vec3<T>>& simplex) noexcept {
    const Vec3<T> a = simplex.w(3);
    const Vec3<T> arm[] = {simplex.w(0) - a, simplex.w(1) - a, simplex.w(2) - a};
    const Vec3<T> normal[] = {cross(arm[0], arm[1]), cross(arm[1], arm[2]), cross(arm[2], arm[0])};
    const bool beyond[] = {dot(normal[0], a) < 0, dot(normal[1], a) < 0, dot(normal[2], a) < 0};
    if (!beyond[0] && !beyond[1] && !beyond[2]) return {true};
    int face = beyond[0] ? (beyond[2] && !beyond[1] ? 2 : 0) : (beyond[1] ? 1 : 2);
    // If the origin is beyond two faces, their common edge decides between them; if it is beyond three, the second
    // face's next edge decides once more.
    for (int turn = 0; turn < 2; ++turn) {
        const int next = (face + 1) % 3;
        if (!beyond[next] || !(dot(cross(normal[face], arm[next]), a) < 0)) break;
        face = next;
    }
    return facing_triangle(simplex, (face + 1) % 3, face, 3);
}

/// Whether the origin is on the inner side of all faces by more than rounding can cause. No component of a point
/// exceeds `magnitude`; triple products of differences are then off by some hundred u of its cube.
template <class T>
[[nodiscard]] constexpr bool encloses_clearly(const Corners<Vec3<T>>& simplex, T magnitude) noexcept {
    const Vec3<T>&p = simplex.w(0), &q = simplex.w(1), &r = simplex.w(2), &a = simplex.w(3);
    const Vec3<T> ap = p - a, aq = q - a, ar = r - a;
    const T least = 128 * unit_roundoff<T> * magnitude * magnitude * magnitude;
    return dot(cross(ap, aq), a) > least && dot(cross(aq, ar), a) > least && dot(cross(ar, ap), a) > least &&
           dot(cross(q - p, r - p), p) < -least;
}

template <class T>
[[nodiscard]] constexpr bool encloses_clearly(const Corners<Vec2<T>>& simplex, T magnitude) noexcept {
    const Vec2<T>&p = simplex.w(0), &q = simplex.w(1), &a = simplex.w(2);
    const T least = 64 * unit_roundoff<T> * magnitude * magnitude, turn = signed_as(T(1), cross(p - a, q - a));
    return turn * cross(a, p) > least && turn * cross(p, q) > least && turn * cross(q, a) > least;
}

}  // namespace detail

template <class V>
[[nodiscard]] constexpr Facing<V> face_origin(Corners<V>& simplex) noexcept {
    const V newest = simplex.w(simplex.count - 1);
    if (simplex.count == 1) return {is_zero(newest), -newest};
    if (simplex.count == 2) return detail::facing_edge(simplex, 0, 1);
    if constexpr (Simplex<V>::most == 3) {
        return detail::facing_triangle(simplex);
    } else {
        if (simplex.count == 3) return detail::facing_triangle(simplex, 0, 1, 2);
        return detail::facing_tetrahedron(simplex);
    }
}

}  // namespace lanecull::gjk
