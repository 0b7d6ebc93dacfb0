#include "view/silhouettes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/rounding_bound.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

/// Corners are known well if their error is at most this, relative to their distance from the view's origin.
constexpr double most_corner_blur = 0x1p-30;
/// Half-planes whose normals differ by less count as one, and the closer one is kept. At p it holds more than the other
/// by less than |p| times this.
constexpr double same_direction = 0x1p-26;

struct Double2 {
    double u, v;
};
Double2 operator-(Double2 a, Double2 b) { return {a.u - b.u, a.v - b.v}; }
double dot(Double2 a, Double2 b) { return a.u * b.u + a.v * b.v; }
double length(Double2 a) { return std::sqrt(dot(a, a)); }  // coordinates are at most 1e30

/// A generator relative to hi. Rays get a length of about 1, so they are off by about as much as their directions are.
struct Placed {
    Interval3 p;
    double blur, distance;
    /// At least what n . (u, v) is off by, for any normal n: |n|_1 <= 1.5 times the error of p, and roundings.
    double slack;
    bool is_ray;

    /// As seen along an axis, u and v being the two after it.
    [[nodiscard]] Double2 seen(std::size_t axis) const {
        const double of[3] = {p.x, p.y, p.z};
        return {of[(axis + 1) % 3], of[(axis + 2) % 3]};
    }
};

/// In the volume: normal . (u, v) + offset >= 0, relative to hi. The normal's length is 1 but for rounding.
struct HalfPlane {
    Double2 normal;
    double offset;
};

class Outline {
public:
    static constexpr std::size_t capacity = 8;

    /// Without edges, every two generators may be joined by one.
    Outline(std::span<const Placed> placed, std::span<const FacetPair> edges, std::size_t axis)
        : placed_(placed), axis_(axis) {
        for (std::size_t i = 0; i < placed.size(); ++i) seen_[i] = placed[i].seen(axis);
        for (const FacetPair& edge : edges) look_at(edge);
        if (!edges.empty()) return;
        for (const Placed& from : placed) {
            if (from.is_ray) continue;
            for (const Placed& to : placed) {
                if (&from != &to && (to.is_ray || &from < &to)) look_between(from, to);
            }
        }
    }
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] std::span<const HalfPlane> all() const { return {half_planes_, count_}; }

private:
    /// An edge belongs to the silhouette if one of its facets is seen from inside and the other from outside. The sum
    /// of their normals that has no part along the axis belongs to a plane that holds what both of theirs hold.
    void look_at(const FacetPair& edge) {
        const double a[3] = {edge.a.x, edge.a.y, edge.a.z}, b[3] = {edge.b.x, edge.b.y, edge.b.z};
        if ((a[axis_] >= 0) == (b[axis_] >= 0)) return;
        const std::size_t u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
        const double of_a = std::fabs(b[axis_]), of_b = std::fabs(a[axis_]);
        const Double2 n = {of_a * a[u] + of_b * b[u], of_a * a[v] + of_b * b[v]};
        const double size = length(n);
        if (size > 1e-100) add({n.u / size, n.v / size});  // else the edge runs along the axis
    }

    /// Looks at the line through two points, or through a point along a ray. It belongs to the silhouette if all other
    /// generators are on one side of it.
    void look_between(const Placed& from, const Placed& to) {
        const Double2 start = from.seen(axis_), end = to.seen(axis_), way = to.is_ray ? end : end - start;
        const double size = length(way), blur = 4 * (from.blur + to.blur) + 0x1p-46 * (from.distance + to.distance);
        if (!(size > 16 * blur)) return;  // one is behind the other
        const Double2 n = {-way.v / size, way.u / size};
        bool above = true, below = true;
        for (const Placed& other : placed_) {
            if (&other == &from || &other == &to) continue;
            const Double2 at = other.seen(axis_), d = other.is_ray ? at : at - start;
            const double side = dot(n, d);
            const double unsure = 4 * other.blur + 0x1p-46 * other.distance + blur + length(d) * blur / size;
            above = above && side >= -unsure;
            below = below && side <= unsure;
        }
        if (above) add(n);
        if (below) add({-n.u, -n.v});
    }

    /// Adds the half-plane with normal n that just holds all generators. A ray along its edge is known only within
    /// intervals, so it may seem to lead out. Then the normal is turned towards the rays by that much.
    void add(Double2 n) {
        for (int turn = 0; turn < 2; ++turn) {
            double points = std::numeric_limits<double>::infinity(), rays = points;
            for (std::size_t i = 0; i < placed_.size(); ++i) {
                const double least = dot(n, seen_[i]) - placed_[i].slack;
                double& of_kind = placed_[i].is_ray ? rays : points;
                of_kind = least < of_kind ? least : of_kind;
            }
            // What underflows is off by 2^-1074: at coordinates of 1e38 by far less than underflow_guard.
            if (rays >= 0) return keep({n, -points + 0x1p-1000});
            const Double2 along_rays = sum_of_rays();
            const double share = (0x1p-40 - 64 * rays) / std::max(length(along_rays), 1e-3);
            if (!(share < 0x1p-24)) break;
            n = {n.u + share * along_rays.u, n.v + share * along_rays.v};
        }
        complete_ = false;
    }

    [[nodiscard]] Double2 sum_of_rays() const {
        Double2 sum = {0, 0};
        for (const Placed& g : placed_) {
            const Double2 at = g.seen(axis_);
            if (g.is_ray) sum = {sum.u + at.u, sum.v + at.v};
        }
        return sum;
    }

    void keep(const HalfPlane& half_plane) {
        for (HalfPlane& known : std::span(half_planes_, count_)) {
            const Double2 difference = half_plane.normal - known.normal;
            if (dot(difference, difference) > same_direction * same_direction) continue;
            if (half_plane.offset < known.offset) known = half_plane;
            return;
        }
        if (count_ == capacity) {
            complete_ = false;
            return;
        }
        half_planes_[count_++] = half_plane;
    }

    std::span<const Placed> placed_;
    std::size_t axis_;
    Double2 seen_[Generators::capacity];
    HalfPlane half_planes_[capacity];
    std::size_t count_ = 0;
    bool complete_ = true;
};

/// An offset that is raised, like those of planes, by all parts of the rounding bound that do not depend on the object.
float outer_offset(double offset) {
    return float_up(offset + static_cast<double>(error_per_magnitude(roundings::plane)) * std::fabs(offset) +
                    static_cast<double>(underflow_guard));
}

/// Fills in the box around the volume. It has no end where a ray leads.
void describe_bounds(std::span<const Placed> placed, PreparedView& view) {
    for (std::size_t k = 0; k < 3; ++k) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Placed& g : placed) {
            const double at = k == 0 ? g.p.x : k == 1 ? g.p.y : g.p.z;
            if (g.is_ray) {
                if (at - g.p.off < 0) low = -std::numeric_limits<double>::infinity();
                if (at + g.p.off > 0) high = std::numeric_limits<double>::infinity();
            } else {
                low = std::min(low, at - g.p.off);
                high = std::max(high, at + g.p.off);
            }
        }
        const auto limit = [](double offset) {
            return offset <= coordinate_limit ? outer_offset(offset) : std::numeric_limits<float>::max();
        };
        view.bounds[0][k] = limit(-low);
        view.bounds[1][k] = limit(high);
    }
}

Placed place(const Generator& g, const Interval3& lo) {
    const Double3 at = middle(g.p);
    const double size = lanecull::length(at), scale = 1 / std::max(size, 1e-300);
    const Interval3 p = g.is_ray() ? g.p * scale : g.p + lo;
    const double slack = 1.5 * (p.off + p.largest() * SumOfProducts::error) * Near::raise;
    Placed placed = {p, 2 * g.p.off, size, slack, g.is_ray()};
    if (g.is_ray()) placed.blur *= scale, placed.distance = 1;
    return placed;
}

bool known_well(const Placed& g) {
    return g.blur <= most_corner_blur * g.distance && g.p.finite() && g.distance <= coordinate_limit;
}

}  // namespace

void describe_outlines(std::span<const Generator> generators, std::span<const FacetPair> edges, PreparedView& view) {
    if (generators.empty()) return;
    const float* lo = view.frame.origin_lo;
    Placed placed[Generators::capacity];
    for (std::size_t i = 0; i < generators.size(); ++i) {
        placed[i] = place(generators[i], {lo[0], lo[1], lo[2]});
        if (!known_well(placed[i])) return;
    }
    const std::span<const Placed> all(placed, generators.size());
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Outline outline(all, edges, k);
        if (!outline.complete()) return;
        std::uint32_t of_corner[4] = {};  // half-planes, a bit each
        std::uint32_t bit = 1;
        for (const HalfPlane& half_plane : outline.all()) {
            const Double2 n = half_plane.normal;
            of_corner[(n.u > 0 ? 1u : 0u) | (n.v > 0 ? 2u : 0u)] |= bit;
            bit <<= 1;
        }
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            for (std::uint32_t rest = of_corner[corner]; rest != 0; rest &= rest - 1) {
                const HalfPlane& half_plane = outline.all()[static_cast<std::size_t>(std::countr_zero(rest))];
                const Double2 n = half_plane.normal;
                constexpr double shorter = 1 - 0x1p-20;  // as planes' normals are
                view.exact_outline[count][0] = n.u * shorter, view.exact_outline[count][1] = n.v * shorter;
                view.outline[count][0] = static_cast<float>(std::fabs(n.u * shorter));
                view.outline[count][1] = static_cast<float>(std::fabs(n.v * shorter));
                view.outline[count++][2] = outer_offset(next_up(half_plane.offset * shorter));
            }
            view.outline_end[4 * k + corner] = count;
        }
    }
    describe_bounds(all, view);
    sort_planes(view);
    view.outlines_known = 1;
}

}  // namespace lanecull
