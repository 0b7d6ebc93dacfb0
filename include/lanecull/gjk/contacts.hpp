#pragma once

#include <algorithm>
#include <utility>

#include <lanecull/gjk/shapes.hpp>
#include <lanecull/gjk/signed_distance.hpp>

/// The contacts of two polytopes, for contact solvers: up to four pairs of points whose area carries a resting box. Not
/// part of gjk.hpp.
///
/// ```cpp
/// #include <lanecull/gjk/contacts.hpp>
/// #include <cmath>
///
/// namespace gjk = lanecull::gjk;
///
/// int main() {
///     const gjk::Box<double> floor{{0, 0, -1}, {9, 9, 1}};
///     const gjk::Box<double> crate{{2, 3, 0.99}, {0.5, 0.5, 1}};  // a hundredth deep
///     const auto found = gjk::contacts(floor, crate);
///     if (found.count != 4) return 1;
///     for (const auto& contact : found) {
///         if (std::abs(contact.distance + 0.01) > 1e-14 || std::abs(contact.a.z) > 1e-14) return 1;
///         if (std::abs(std::abs(contact.b.x - 2) - 0.5) > 1e-14) return 1;  // a corner of the crate
///     }
///     return std::abs(found.direction.z - 1) < 1e-14 ? 0 : 1;
/// }
/// ```
///
/// The direction is signed_distance()'s. Each shape gives the face that its deepest corner and the direction suggest.
/// Seen along the direction, one face is clipped by the sides of the other (Sutherland and Hodgman, "Reentrant polygon
/// clipping", 1974).
namespace lanecull::gjk {

template <class V>
struct ContactOptions {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    /// Points that are apart by this still are contacts. A corner that is off a face's plane by this, along the
    /// direction, counts as one of the face's.
    Scalar tolerance = 0;
    SignedDistanceOptions<V> distance{};  ///< of its `limit` the tolerance is used instead
};

/// A point of each shape, the one beyond the other: b - a = distance * direction.
template <class V>
struct Contact {
    V a{}, b{};
    typename detail::VectorTraits<V>::Scalar distance = 0;  ///< at most the tolerance; negative where they overlap
};

template <class V>
struct Contacts {
    static constexpr int most = detail::VectorTraits<V>::dimension == 3 ? 4 : 2;
    SignedDistance<V> nearest;  ///< what signed_distance() found: `distance` is that of the deepest contact
    V direction{};              ///< of length 1, from a to b, for all contacts; zero if there is none
    /// The deepest one is the first; the others follow around the area that they span, which no other choice from all
    /// corners of the clipped face makes larger. Both points lie on the shapes' faces to the tolerance and to rounding.
    /// Points of shapes with margins are moved by these along the direction: where a face is not at right angles to it,
    /// the point is inside its shape by up to margin * (1 - cosine).
    Contact<V> contacts[most];
    int count = 0;  ///< 0 if they are apart by more than the tolerance, or if a number is not finite

    [[nodiscard]] constexpr const Contact<V>* begin() const noexcept { return contacts; }
    [[nodiscard]] constexpr const Contact<V>* end() const noexcept { return contacts + count; }
};

namespace detail {

template <class T>
[[nodiscard]] constexpr Vec3<T> in_space(const Vec3<T>& v) noexcept {
    return v;
}
template <class T>
[[nodiscard]] constexpr Vec3<T> in_space(const Vec2<T>& v) noexcept {
    return {v.x, v.y, 0};
}

/// Coordinates along a direction and across it, times a power of two that keeps squares from overflowing.
template <class T>
struct Frame {
    Vec3<T> along, u, v;
    T scale;

    Frame(const Vec3<T>& d, T by) noexcept : along(d), scale(by) {
        const Vec3<T> size = abs(d);
        const Vec3<T> axis = size.x <= size.y && size.x <= size.z ? Vec3<T>{1, 0, 0}
                             : size.y <= size.z                   ? Vec3<T>{0, 1, 0}
                                                                  : Vec3<T>{0, 0, 1};
        u = unit(cross(d, axis));
        v = cross(d, u);
    }
    [[nodiscard]] constexpr Vec2<T> across(const Vec3<T>& p) const noexcept { return {dot(p, u), dot(p, v)}; }
    [[nodiscard]] constexpr Vec3<T> point(const Vec2<T>& p, T height) const noexcept {
        return 1 / scale * (p.x * u + p.y * v + height * along);
    }
};

/// A convex polygon, seen along a direction.
template <class T>
struct Outline {
    static constexpr int most = 32;  ///< what is left of a face with more corners is 32 of them
    Vec2<T> corners[2 * most];
    int count = 0;

    constexpr void insert(int at, const Vec2<T>& p) noexcept {
        if (count == 2 * most) return;
        for (int i = count++; i > at; --i) corners[i] = corners[i - 1];
        corners[at] = p;
    }
};

/// The part of a polytope's surface that faces along a direction: a face, an edge or a corner.
///
/// Seen along the direction, the plane through the top corner and the face has a slope. The slopes of all planes that
/// touch the polytope in this corner are a polygon around 0, whose sides are the corner's edges: for a corner that is e
/// aside and h below, slope . e >= -h. The polygon's nearest side is the flattest edge, and the nearer of this
/// side's ends the flatter of the edge's two faces.
template <class T>
class Feature {
public:
    Vec2<T> top{};    ///< where the top corner is seen
    T height = 0;     ///< of the top corner along the direction
    Vec2<T> slope{};  ///< of the face: it lies at height + slope . (p - top)
    Outline<T> outline;

    /// side: 1 along the frame's direction, -1 against it; heights are counted that way. Corners less than `rounding`
    /// apart are one; those less than `thickness` below the face are the face's.
    template <class S>
    Feature(const S& shape, const Frame<T>& frame, T side, T rounding, T thickness) {
        const auto each = [&](const auto& visit) {
            shape.for_each_corner([&](const VectorOf<S>& p) {
                const Vec3<T> point = frame.scale * in_space(p);
                visit(frame.across(point), side * dot(point, frame.along));
            });
        };
        height = -std::numeric_limits<T>::infinity();
        each([&](const Vec2<T>& p, T h) {
            if (h > height) height = h, top = p;
        });
        find_slope(each, rounding);
        find_outline(each, rounding, thickness);
    }

    /// The height of the face's plane, but not above the top.
    [[nodiscard]] constexpr T height_at(const Vec2<T>& p) const noexcept { return std::min(height, plane_at(p)); }

private:
    [[nodiscard]] constexpr T plane_at(const Vec2<T>& p) const noexcept { return height + dot(slope, p - top); }

    /// Faces that are steeper than this (76 degrees) are seen too much from the side: their edge is enough.
    static constexpr T steepest = 4;

    template <class Each>
    void find_slope(const Each& each, T rounding) {
        // Heights are off by rounding, which makes slopes of short edges unknown: those come last.
        T flattest = steepest;
        Vec2<T> edge{};
        each([&](const Vec2<T>& p, T h) {
            const Vec2<T> e = p - top;
            const T size = length(e);
            if (!(size > rounding) || !(height - h + rounding < flattest * size)) return;
            flattest = (height - h + rounding) / size;
            edge = 1 / size * e;
            slope = (h - height) / size * edge;
        });
        if (is_zero(edge)) return;
        const Vec2<T> side = perpendicular(edge), along_edge = slope;
        T least = steepest;
        each([&](const Vec2<T>& p, T h) {
            const T aside = dot(side, p - top), below = std::max(T(0), height + dot(along_edge, p - top) - h);
            if (!(std::abs(aside) > rounding) || !(below + rounding < least * std::abs(aside))) return;
            least = (below + rounding) / std::abs(aside);
            slope = along_edge - below / aside * side;
        });
    }

    /// A polygon within the face is expanded by the corner that is farthest beyond one of its sides, until there is
    /// none.
    template <class Each>
    void find_outline(const Each& each, T rounding, T thickness) {
        const auto farthest = [&](const auto& measure) {
            Vec2<T> best = top;
            T most = rounding;
            each([&](const Vec2<T>& p, T h) {
                // By the plane: height_at() is lower, and corners by it make the polygon too wide beside the top.
                if (!(plane_at(p) - h <= thickness)) return;
                const T here = measure(p);
                if (here > most) most = here, best = p;
            });
            return std::pair{best, most > rounding};
        };
        const Vec2<T> first = farthest([&](const Vec2<T>& p) { return length(p - top); }).first;
        outline.insert(0, first);
        const auto [second, is_other] = farthest([&](const Vec2<T>& p) { return length(p - first); });
        if (!is_other) return;
        outline.insert(1, second);
        for (int i = 0; i < outline.count && outline.count < Outline<T>::most;) {
            const Vec2<T> from = outline.corners[i], way = outline.corners[(i + 1) % outline.count] - from;
            const Vec2<T> outward = 1 / length(way) * -perpendicular(way);
            const auto [beyond, is_beyond] = farthest([&](const Vec2<T>& p) { return dot(outward, p - from); });
            if (is_beyond)
                outline.insert(i + 1, beyond);
            else
                ++i;
        }
    }
};

/// The part of the polygon where normal . p <= most; corners beyond by `slack` stay where they are. An edge is a
/// polygon of two sides.
template <class T>
void clip(Outline<T>& polygon, const Vec2<T>& normal, T most, T slack) noexcept {
    const Outline<T> whole = polygon;
    polygon.count = 0;
    for (int i = 0; i < whole.count; ++i) {
        const Vec2<T> p = whole.corners[i], q = whole.corners[(i + 1) % whole.count];
        const T at_p = dot(normal, p) - most, at_q = dot(normal, q) - most;
        if (at_p <= slack) polygon.insert(polygon.count, p);
        if (std::min(at_p, at_q) < 0 && std::max(at_p, at_q) > slack) {
            polygon.insert(polygon.count, p + at_p / (at_p - at_q) * (q - p));
        }
    }
}

/// The part of the polygon within another that has as many corners or more. Edges that cross leave nothing.
template <class T>
void clip(Outline<T>& polygon, const Outline<T>& by, T slack) noexcept {
    for (int i = 0; i < by.count && by.count > 1; ++i) {
        const Vec2<T> p = by.corners[i], way = by.corners[(i + 1) % by.count] - p;
        const Vec2<T> along = 1 / length(way) * way, outward = -perpendicular(along);
        clip(polygon, outward, dot(outward, p), slack);
        if (by.count == 2) clip(polygon, along, dot(along, p + way), slack);
    }
}

/// Corners of a clipped face, in order, and how far the shapes are apart there.
template <class T>
struct Candidates {
    static constexpr int most = 2 * Outline<T>::most + 1;
    Vec2<T> at[most];
    T distance[most];
    int count = 0;

    constexpr void add(const Vec2<T>& p, T apart) noexcept {
        at[count] = p;
        distance[count++] = apart;
    }
    [[nodiscard]] constexpr int deepest() const noexcept {
        return static_cast<int>(std::min_element(distance, distance + count) - distance);
    }
};

/// The deepest of those, and three more that span the largest area with it (where all are on a line, the farthest).
/// Across from the deepest is some other one; the second and the fourth can be chosen each alone, on their sides.
template <class T>
[[nodiscard]] int choose(const Candidates<T>& all, int (&chosen)[4]) noexcept {
    chosen[0] = all.deepest();
    const auto index = [&](int i) { return (chosen[0] + i) % all.count; };
    const auto arm = [&](int i) { return all.at[index(i)] - all.at[chosen[0]]; };
    int count = 1;
    T largest = -1, farthest = -1;
    for (int k = 1; k < all.count; ++k) {
        const Vec2<T> across = arm(k);
        T area = 0;
        const auto widest = [&](int from, int to) {
            int best = 0;
            T most = 0;
            for (int i = from; i < to; ++i) {
                const T size = std::abs(cross(arm(i), across));
                if (size > most) most = size, best = i;
            }
            area += most;
            return best;
        };
        const int second = widest(1, k), fourth = widest(k + 1, all.count);
        if (!(area > largest || (area == largest && dot(across, across) > farthest))) continue;
        largest = area;
        farthest = dot(across, across);
        count = 1;
        if (second != 0) chosen[count++] = index(second);
        chosen[count++] = index(k);
        if (fourth != 0) chosen[count++] = index(fourth);
    }
    return count;
}

/// The places where two faces that face each other along the frame's direction are no more than `reach` apart.
template <class T>
[[nodiscard]] Candidates<T> between(const Feature<T>& a, const Feature<T>& b, T reach, T rounding) noexcept {
    const bool is_a = a.outline.count < b.outline.count;
    Outline<T> common = is_a ? a.outline : b.outline;
    clip(common, is_a ? b.outline : a.outline, rounding);
    Candidates<T> found;
    for (int i = 0; i < common.count; ++i) {
        const Vec2<T> p = common.corners[i];
        const auto is_new = [&](const Vec2<T>& q) { return length(p - q) > 4 * rounding; };
        const T apart = -b.height_at(p) - a.height_at(p);
        const bool once = found.count == 0 || (is_new(found.at[found.count - 1]) && is_new(found.at[0]));
        if (once && apart <= reach) found.add(p, apart);
    }
    return found;
}

template <class V, class T>
void to_vector(const Vec3<T>& from, V& to) noexcept {
    to.x = from.x;
    to.y = from.y;
    if constexpr (VectorTraits<V>::dimension == 3) to.z = from.z;
}

/// contacts() of two whose signed distance is known, up to the tolerance.
template <class A, class B>
[[nodiscard]] Contacts<VectorOf<A>> contacts_along(const A& a, const B& b, const SignedDistance<VectorOf<A>>& nearest,
                                                   ScalarOf<A> most_apart) {
    using T = ScalarOf<A>;
    Contacts<VectorOf<A>> result;
    result.nearest = nearest;
    const auto& core_a = gjk::core(a);
    const auto& core_b = gjk::core(b);
    const T size = gjk::magnitude(core_a) + gjk::magnitude(core_b), scale = scale_to_one(size);
    const T margin_a = gjk::margin(a), margin_b = gjk::margin(b), margin = scale * (margin_a + margin_b);
    const T rounding = 64 * unit_roundoff<T> * (scale * size + margin), tolerance = scale * most_apart;
    if (!(nearest.upper < std::numeric_limits<T>::infinity() && scale * nearest.distance <= tolerance + rounding)) {
        return result;
    }
    result.direction = nearest.direction;
    const Frame<T> frame(in_space(nearest.direction), scale);
    const T thickness = std::max(tolerance, rounding);
    const Feature<T> of_a(core_a, frame, 1, rounding, thickness), of_b(core_b, frame, -1, rounding, thickness);
    Candidates<T> found = between(of_a, of_b, tolerance + margin + rounding, rounding);
    const T deepest = scale * nearest.distance + margin, known = scale * (nearest.upper - nearest.lower) + rounding;
    const bool has_deepest = found.count > 0 && found.distance[found.deepest()] <= deepest + known;
    const int own = has_deepest ? -1 : found.count;  // the pair of points that signed_distance() found
    if (!has_deepest) found.add(frame.across(scale * in_space(nearest.a)), deepest);
    int chosen[4] = {};
    const int count = choose(found, chosen);
    for (; result.count < std::min(count, Contacts<VectorOf<A>>::most); ++result.count) {
        const int i = chosen[result.count];
        Contact<VectorOf<A>>& contact = result.contacts[result.count];
        if (i == own) {
            contact = {nearest.a, nearest.b, nearest.distance};
            continue;
        }
        const T height = of_a.height_at(found.at[i]);
        contact.distance = (found.distance[i] - margin) / scale;
        to_vector(frame.point(found.at[i], height + scale * margin_a), contact.a);
        to_vector(frame.point(found.at[i], height + found.distance[i] - scale * margin_b), contact.b);
    }
    return result;
}

}  // namespace detail

/// The points at which two touch, overlap, or are apart by no more than the tolerance: up to four of each in space, two
/// in the plane. Both are polytopes (support.hpp says which shapes are), or rounded ones: a capsule is a rounded
/// segment. Takes 1.7 times signed_distance()'s time for oriented boxes: every corner is read some 10 times.
template <Shape A, Shape B>
requires Pair<A, B> && Polytope<CoreOf<A>> && Polytope<CoreOf<B>>
[[nodiscard]] Contacts<VectorOf<A>> contacts(const A& a, const B& b, const ContactOptions<VectorOf<A>>& options = {}) {
    SignedDistanceOptions<VectorOf<A>> distance_options = options.distance;
    distance_options.limit = options.tolerance;
    return detail::contacts_along(a, b, signed_distance(a, b, distance_options), options.tolerance);
}

}  // namespace lanecull::gjk
