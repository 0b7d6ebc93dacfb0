#pragma once

#include <lanecull/gjk/detail/nearest.hpp>
#include <lanecull/gjk/detail/simplex.hpp>

/// A polytope within the Minkowski difference, around the origin, that is expanded by one point at a time. Its facet
/// nearest to the origin gives a lower bound of how deep the shapes are in each other. Fixed storage, no allocation.
namespace lanecull::gjk {

/// A facet of the polytope. The half-plane or half-space that it bounds is normal . p <= distance.
template <class V>
struct Facet {
    using Scalar = typename detail::VectorTraits<V>::Scalar;
    V normal{};           ///< of length 1, outward; zero where the facet has no extent
    Scalar distance = 0;  ///< of its plane from the origin: the least that any of its corners gives
    int index = -1;       ///< -1: nothing is left to expand
};

template <class V, int most_points>
class Expansion;

/// In the plane: a polygon, anticlockwise.
template <class T, int most_points>
class Expansion<Vec2<T>, most_points> {
public:
    using Vector = Vec2<T>;

    explicit constexpr Expansion(const Simplex<Vector>& triangle, T) noexcept {
        const Vector ab = triangle.points[1].w - triangle.points[0].w, ac = triangle.points[2].w - triangle.points[0].w;
        const bool left = cross(ab, ac) > 0;
        for (const int i : {0, left ? 1 : 2, left ? 2 : 1}) points_[count_++] = triangle.points[i];
        for (int i = 0; i < count_; ++i) edges_[i] = edge_at(i);
    }

    [[nodiscard]] constexpr Facet<Vector> nearest() const noexcept {
        Facet<Vector> best{{}, std::numeric_limits<T>::infinity(), -1};
        for (int i = 0; i < count_; ++i)
            if (edges_[i].distance < best.distance && !is_zero(edges_[i].normal)) best = edges_[i], best.index = i;
        return best;
    }

    template <class Visit>
    constexpr void for_each_facet(Visit&& visit) const {
        for (int i = 0; i < count_; ++i) visit(Facet<Vector>{edges_[i].normal, edges_[i].distance, i});
    }

    [[nodiscard]] constexpr bool has(const Vector& w) const noexcept {
        for (int i = 0; i < count_; ++i)
            if (points_[i].w == w) return true;
        return false;
    }

    /// Adds a point beyond an edge. False if there is no room left.
    constexpr bool add(const SupportPoint<Vector>& point, int edge) noexcept {
        if (count_ == most_points) return false;
        for (int i = count_; i > edge + 1; --i) {
            points_[i] = points_[i - 1];
            edges_[i] = edges_[i - 1];
        }
        points_[edge + 1] = point;
        ++count_;
        edges_[edge] = edge_at(edge);
        edges_[edge + 1] = edge_at(edge + 1);
        return true;
    }

    [[nodiscard]] constexpr Simplex<Vector> corners(int edge) const noexcept {
        return {{points_[edge], points_[(edge + 1) % count_]}, 2};
    }

private:
    [[nodiscard]] Facet<Vector> edge_at(int i) const noexcept {
        const Vector p = points_[i].w, q = points_[(i + 1) % count_].w;
        const Vector normal = unit(-perpendicular(q - p));
        const T at_p = dot(normal, p), at_q = dot(normal, q);
        return {normal, at_p < at_q ? at_p : at_q, i};
    }

    SupportPoint<Vector> points_[most_points];
    Facet<Vector> edges_[most_points];  ///< edge i: from point i to the next
    int count_ = 0;
};

/// In space: triangles, anticlockwise seen from outside.
template <class T, int most_points>
class Expansion<Vec3<T>, most_points> {
public:
    using Vector = Vec3<T>;

    /// A point that lies beyond a face by no more than `thickness` counts as in its plane.
    explicit constexpr Expansion(const Simplex<Vector>& tetrahedron, T thickness) noexcept : thickness_(thickness) {
        for (; points_count_ < 4; ++points_count_) points_[points_count_] = tetrahedron.points[points_count_];
        const Vector a = points_[0].w;
        const T volume = dot(cross(points_[1].w - a, points_[2].w - a), points_[3].w - a);
        if (volume > 0) std::swap(points_[1], points_[2]);
        // Face i lies across from corner 3 - i: 0 1 2, 0 3 1, 0 2 3, 1 3 2.
        constexpr std::uint8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
        constexpr std::uint8_t across[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {1, 2, 0}};
        for (int f = 0; f < 4; ++f) {
            make_face(f, corner[f][0], corner[f][1], corner[f][2]);
            for (int k = 0; k < 3; ++k) faces_[f].across[k] = across[f][k];
        }
        faces_count_ = 4;
    }

    [[nodiscard]] constexpr Facet<Vector> nearest() const noexcept {
        T least = unexpandable;
        int best = -1;
        for (int f = 0; f < faces_count_; ++f)
            if (expandable_[f] < least) least = expandable_[f], best = f;
        return best < 0 ? Facet<Vector>{{}, least, -1} : facet(best);
    }

    template <class Visit>
    constexpr void for_each_facet(Visit&& visit) const {
        for (int f = 0; f < faces_count_; ++f)
            if (faces_[f].state == State::part) visit(facet(f));
    }

    [[nodiscard]] constexpr bool has(const Vector& w) const noexcept {
        for (int i = 0; i < points_count_; ++i)
            if (points_[i].w == w) return true;
        return false;
    }

    /// Adds a point beyond a face: the faces that are visible from the point are replaced by a cone to it. False if
    /// there is no room left, or if rounding has made the visible faces something else than a disk.
    constexpr bool add(const SupportPoint<Vector>& point, int face) noexcept {
        if (points_count_ == most_points) return false;
        see(point.w, face);
        if (!find_horizon()) return false;
        points_[points_count_] = point;
        for (int i = 0; i < seen_count_; ++i) {
            faces_[seen_[i]].state = State::free;
            expandable_[seen_[i]] = unexpandable;
            free_[free_count_++] = seen_[i];
        }
        for (int i = 0; i < horizon_count_; ++i) horizon_[i].made = take_face();
        for (int i = 0; i < horizon_count_; ++i) {
            const Edge& edge = horizon_[i];
            make_face(edge.made, edge.from, edge.to, points_count_);
            const int next = horizon_[starts_at_[edge.to]].made;
            int previous = edge.made;
            for (int j = 0; j < horizon_count_; ++j)
                if (horizon_[j].to == edge.from) previous = horizon_[j].made;
            faces_[edge.made].across[0] = edge.beyond;
            faces_[edge.made].across[1] = static_cast<Index>(next);
            faces_[edge.made].across[2] = static_cast<Index>(previous);
            Face& beyond = faces_[edge.beyond];
            beyond.across[beyond.place_of(edge.to)] = static_cast<Index>(edge.made);
        }
        ++points_count_;
        return true;
    }

    [[nodiscard]] constexpr Simplex<Vector> corners(int face) const noexcept {
        const Face& f = faces_[face];
        return {{points_[f.corner[0]], points_[f.corner[1]], points_[f.corner[2]]}, 3};
    }

private:
    using Index = std::int16_t;
    static constexpr int most_faces = 2 * most_points;  // Euler: 2 n - 4 of a closed surface
    enum class State : std::uint8_t { free, part, seen };
    static constexpr T unexpandable = std::numeric_limits<T>::infinity();

    // Nothing is initialized before it is used: that took longer than a box's search.
    struct Face {
        Vector normal;
        T distance;
        Index corner[3];
        Index across[3];  ///< beyond the edge from corner k to the next
        State state;

        [[nodiscard]] constexpr int place_of(int point) const noexcept {
            return corner[0] == point ? 0 : corner[1] == point ? 1 : 2;
        }
    };
    struct Edge {
        Index from, to, beyond;
        int made;  ///< the new face at this edge
    };

    [[nodiscard]] constexpr Facet<Vector> facet(int f) const noexcept {
        return {faces_[f].normal, faces_[f].distance, f};
    }

    constexpr void make_face(int f, int a, int b, int c) noexcept {
        Face& face = faces_[f];
        face.corner[0] = static_cast<Index>(a), face.corner[1] = static_cast<Index>(b);
        face.corner[2] = static_cast<Index>(c);
        face.state = State::part;
        const Vector p = points_[a].w, q = points_[b].w, r = points_[c].w;
        face.normal = normal_of(p, q, r);
        const T at_p = dot(face.normal, p), at_q = dot(face.normal, q), at_r = dot(face.normal, r);
        const T least = at_p < at_q ? at_p : at_q;
        face.distance = least < at_r ? least : at_r;
        expandable_[f] = is_zero(face.normal) ? unexpandable : face.distance;
    }

    /// The normal, computed from the two shorter edges: from a sliver's longest it would be mostly rounding. Zero if
    /// the three points are on one line.
    [[nodiscard]] static Vector normal_of(const Vector& p, const Vector& q, const Vector& r) noexcept {
        const Vector e = q - p, f = r - q, g = p - r;
        const T ee = dot(e, e), ff = dot(f, f), gg = dot(g, g);
        Vector normal;
        T size;
        if (ee >= ff && ee >= gg)
            normal = cross(f, g), size = ff * gg;
        else if (ff >= gg)
            normal = cross(g, e), size = gg * ee;
        else
            normal = cross(e, f), size = ee * ff;
        constexpr T off = 4 * unit_roundoff<T>;
        return dot(normal, normal) > off * off * size ? unit(normal) : Vector{};
    }

    [[nodiscard]] constexpr int take_face() noexcept { return free_count_ > 0 ? free_[--free_count_] : faces_count_++; }

    /// Marks the faces that are visible from the point; they are connected. A face without extent is visible from
    /// everywhere.
    constexpr void see(const Vector& w, int face) noexcept {
        seen_count_ = 0;
        seen_[seen_count_++] = static_cast<Index>(face);
        faces_[face].state = State::seen;
        for (int i = 0; i < seen_count_; ++i) {
            for (const Index next : faces_[seen_[i]].across) {
                Face& other = faces_[next];
                if (other.state == State::seen) continue;
                const Vector& n = other.normal;
                if (is_zero(n) || dot(n, w - points_[other.corner[0]].w) > thickness_) {
                    other.state = State::seen;
                    seen_[seen_count_++] = next;
                }
            }
        }
    }

    /// Finds the edges between visible and other faces. If they are not a simple loop it returns false, and no face is
    /// marked any more.
    constexpr bool find_horizon() noexcept {
        horizon_count_ = 0;
        bool simple = true;
        for (int i = 0; i < points_count_; ++i) starts_at_[i] = -1;
        for (int i = 0; i < seen_count_; ++i) {
            const Face& face = faces_[seen_[i]];
            for (int k = 0; k < 3; ++k) {
                if (faces_[face.across[k]].state == State::seen) continue;
                const Edge edge{face.corner[k], face.corner[(k + 1) % 3], face.across[k], 0};
                simple = simple && starts_at_[edge.from] < 0 && horizon_count_ < most_points;
                if (!simple) break;
                starts_at_[edge.from] = static_cast<Index>(horizon_count_);
                horizon_[horizon_count_++] = edge;
            }
        }
        simple = simple && horizon_count_ >= 3;
        int at = simple ? horizon_[0].from : 0, length = 0;
        while (simple && length < horizon_count_ && (length == 0 || at != horizon_[0].from)) {
            simple = starts_at_[at] >= 0;
            if (simple) at = horizon_[starts_at_[at]].to;
            ++length;
        }
        simple = simple && length == horizon_count_ && at == horizon_[0].from;
        if (!simple) {
            for (int i = 0; i < seen_count_; ++i) faces_[seen_[i]].state = State::part;
        }
        return simple;
    }

    SupportPoint<Vector> points_[most_points];
    Face faces_[most_faces];
    T expandable_[most_faces];  ///< the distances of faces that can be expanded
    Edge horizon_[most_points];
    Index starts_at_[most_points];  ///< the horizon's edge that starts at a point
    Index seen_[most_faces], free_[most_faces];
    int points_count_ = 0, faces_count_ = 0, horizon_count_ = 0, seen_count_ = 0, free_count_ = 0;
    T thickness_;
};

namespace detail {

/// How far w is from the line or plane through the simplex's points.
template <class T, int N>
[[nodiscard]] T distance_off(const Simplex<Vec<T, N>>& simplex, const Vec<T, N>& w) noexcept {
    const Vec<T, N> from = w - simplex.points[0].w;
    if (simplex.count == 1) return length(from);
    const Vec<T, N> along = unit(simplex.points[1].w - simplex.points[0].w);
    if constexpr (N == 2) {
        return std::abs(cross(along, from));
    } else {
        if (simplex.count == 2) return length(from - dot(along, from) * along);
        const Vec3<T> normal = unit(cross(along, unit(simplex.points[2].w - simplex.points[0].w)));
        return std::abs(dot(normal, from));
    }
}

/// Directions at right angles to the line or plane through the simplex's points, of length 1: any point off it can be
/// found along one of them.
template <class V>
struct Across {
    V directions[3];
    int count = 0;
};

template <class T>
[[nodiscard]] Across<Vec2<T>> directions_across(const Simplex<Vec2<T>>& simplex) noexcept {
    if (simplex.count == 1) return {{{1, 0}, {0, 1}}, 2};
    return {{unit(perpendicular(simplex.points[1].w - simplex.points[0].w))}, 1};
}

template <class T>
[[nodiscard]] Across<Vec3<T>> directions_across(const Simplex<Vec3<T>>& simplex) noexcept {
    if (simplex.count == 1) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 3};
    const Vec3<T> along = unit(simplex.points[1].w - simplex.points[0].w);
    if (simplex.count == 2) {
        const Vec3<T> size = abs(along);
        const Vec3<T> axis = size.x <= size.y && size.x <= size.z ? Vec3<T>{1, 0, 0}
                             : size.y <= size.z                   ? Vec3<T>{0, 1, 0}
                                                                  : Vec3<T>{0, 0, 1};
        const Vec3<T> first = unit(cross(along, axis));
        return {{first, cross(along, first)}, 2};
    }
    return {{unit(cross(along, unit(simplex.points[2].w - simplex.points[0].w)))}, 1};
}

/// Reduces the points to a longest edge, then the point farthest off it, and so on, as long as a point is off by more
/// than `flat`. The rest spans as much as the whole did, and contains what it contained up to `flat`.
template <class T, int N>
constexpr void leave_independent(Simplex<Vec<T, N>>& simplex, T flat) noexcept {
    int first = 0, second = 0;
    T longest = 0;
    for (int i = 0; i < simplex.count; ++i) {
        for (int j = 0; j < i; ++j) {
            const T size = length(simplex.points[i].w - simplex.points[j].w);
            if (size > longest) longest = size, first = j, second = i;
        }
    }
    if (simplex.count < 2) return;
    if (!(longest > flat)) {
        simplex.count = 1;
        return;
    }
    std::swap(simplex.points[0], simplex.points[first]);
    std::swap(simplex.points[1], simplex.points[second]);
    const int all = simplex.count;
    simplex.count = 2;
    while (simplex.count < all) {
        int farthest = simplex.count;
        T most = 0;
        for (int i = simplex.count; i < all; ++i) {
            const T here = distance_off(simplex, simplex.points[i].w);
            if (here > most) most = here, farthest = i;
        }
        if (!(most > flat)) break;
        std::swap(simplex.points[simplex.count++], simplex.points[farthest]);
    }
}

}  // namespace detail

/// Adds points of the difference until the simplex has N + 1 that span the space. False if the difference itself is
/// thinner than `flat`; then `across` is a direction in which it has no extent.
template <class A, class B>
[[nodiscard]] bool complete(Simplex<VectorOf<A>>& simplex, const MinkowskiDifference<A, B>& pair, ScalarOf<A> flat,
                            int& steps, VectorOf<A>& across) noexcept {
    using V = VectorOf<A>;
    using T = ScalarOf<A>;
    detail::leave_independent(simplex, flat);
    while (simplex.count < Simplex<V>::most) {
        const detail::Across<V> candidates = detail::directions_across(simplex);
        SupportPoint<V> best;
        T most = -1;
        for (int i = 0; i < 2 * candidates.count; ++i) {
            const V d = candidates.directions[i / 2];
            const SupportPoint<V> point = pair.support(i % 2 == 0 ? d : -d);
            ++steps;
            const T off = detail::distance_off(simplex, point.w);
            if (off > most) most = off, best = point;
        }
        if (!(most > flat)) {
            across = candidates.directions[0];
            return false;
        }
        simplex.add(best);
    }
    return true;
}

}  // namespace lanecull::gjk
