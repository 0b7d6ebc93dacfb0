#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/gjk/detail/support.hpp>

namespace lanecull::gjk {

/// Which vertices of a convex polytope share an edge: the neighbours of vertex i are neighbors[first[i] ..
/// first[i + 1]). Every edge is in the lists of both of its vertices. Vertices that are not corners of the hull may
/// have none.
struct Adjacency {
    std::span<const std::uint32_t> first;  ///< one entry more than there are vertices; ascending, starting with 0
    std::span<const std::uint32_t> neighbors;
};

/// The convex hull of points in the caller's memory; in 2D, a polygon. There must be at least one point; the order does
/// not matter, and inner, equal, collinear and coplanar points are fine. Making one reads every point once; a copy
/// costs nothing.
///
/// Up to `linear` points, or without adjacency, support() reads all points. Beyond that it climbs from vertex to
/// neighbour, starting where the last call ended; so keep the hull from query to query. In random directions climbing
/// takes three quarters of the time for 98 vertices, a quarter for 1,200, and a tenth for 7,000; if the direction has
/// hardly changed it takes the same little time for any size. If edges are short and nearly flat, climbing may
/// stop below the farthest vertex by an amount of the size of rounding. Therefore separation and lower bounds of
/// distances are proved with exhaustive().
///
/// Any number of threads may use one hull. Then it is a matter of chance where they start climbing, and which of
/// several farthest vertices they get.
template <class T, int N = 3>
class Hull {
public:
    using Vector = Vec<T, N>;

    /// Climbing pays from about here: distances of hulls of 34 vertices took 8 % longer by climbing, of 62 vertices 9 %
    /// less.
    static constexpr std::size_t linear = 48;
    static constexpr int roundings = 6;

    explicit constexpr Hull(std::span<const Vector> points) noexcept : points_(points) {
        for (const Vector& p : points) {
            const T size = reach(p);
            if (!(size <= magnitude_)) magnitude_ = size + (magnitude_ - magnitude_);  // a NaN stays
            inside_ += (T(1) / static_cast<T>(points.size())) * p;
        }
    }
    /// With the edges of the points' hull, for climbing.
    constexpr Hull(std::span<const Vector> points, Adjacency adjacency) noexcept : Hull(points) {
        if (points.size() > linear) adjacency_ = adjacency;
    }
    constexpr Hull(const Hull& other) noexcept
        : points_(other.points_),
          adjacency_(other.adjacency_),
          inside_(other.inside_),
          magnitude_(other.magnitude_),
          last_(other.last()) {}
    Hull& operator=(const Hull&) = delete;

    [[nodiscard]] constexpr Vector support(const Vector& d) const noexcept {
        return points_[climbs() ? climb(d) : scan(d)];
    }
    [[nodiscard]] constexpr T magnitude() const noexcept { return magnitude_; }
    [[nodiscard]] constexpr Vector inside() const noexcept { return inside_; }
    [[nodiscard]] constexpr bool climbs() const noexcept { return !adjacency_.first.empty(); }
    [[nodiscard]] constexpr Hull exhaustive() const noexcept {
        Hull copy(*this);
        copy.adjacency_ = {};
        return copy;
    }
    [[nodiscard]] constexpr std::span<const Vector> points() const noexcept { return points_; }
    template <class Visit>
    constexpr void for_each_corner(Visit&& visit) const {
        for (const Vector& p : points_) visit(p);
    }

private:
    // Inlined into a search of floats, the loop takes a twentieth longer.
    [[nodiscard, gnu::noinline]] constexpr std::size_t scan(const Vector& d) const noexcept {
        std::size_t best = 0;
        T farthest = dot(d, points_[0]);
        for (std::size_t i = 1; i < points_.size(); ++i) {
            const T value = dot(d, points_[i]);
            best = value > farthest ? i : best;
            farthest = value > farthest ? value : farthest;
        }
        return best;
    }

    /// It ends, because every step goes up and there are finitely many vertices.
    [[nodiscard]] constexpr std::size_t climb(const Vector& d) const noexcept {
        std::uint32_t at = last(), from = at;
        T height = dot(d, points_[at]);
        do {
            from = at;
            for (std::uint32_t i = adjacency_.first[from]; i < adjacency_.first[from + 1]; ++i) {
                const std::uint32_t next = adjacency_.neighbors[i];
                const T value = dot(d, points_[next]);
                if (value > height) height = value, at = next;
            }
        } while (at != from);
        remember(at);
        return at;
    }

    // Relaxed: any vertex is a valid start. libc++ has std::atomic_ref from its version 19 on; until then, by the
    // compiler's own functions.
    [[nodiscard]] constexpr std::uint32_t last() const noexcept {
        if (std::is_constant_evaluated()) return last_;
#if defined(__cpp_lib_atomic_ref)
        return std::atomic_ref(last_).load(std::memory_order_relaxed);
#else
        return __atomic_load_n(&last_, __ATOMIC_RELAXED);
#endif
    }
    constexpr void remember(std::uint32_t vertex) const noexcept {
#if defined(__cpp_lib_atomic_ref)
        std::atomic_ref(last_).store(vertex, std::memory_order_relaxed);
#else
        __atomic_store_n(&last_, vertex, __ATOMIC_RELAXED);
#endif
    }

    std::span<const Vector> points_;
    Adjacency adjacency_;
    Vector inside_{};
    T magnitude_ = 0;
    mutable std::uint32_t last_ = 0;
};

template <class T>
using Polygon = Hull<T, 2>;

}  // namespace lanecull::gjk
