#include "view/silhouettes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding_bound.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

/// Corners are known well if their error is at most this, relative to their distance from the view's origin.
constexpr double most_blur = 0x1p-30;
/// Half-planes whose normals differ by less count as one, and the closer one is kept. At p it holds more than the other
/// by less than |p| times this.
constexpr double same_direction = 0x1p-26;

struct Double2 {
    double u = 0, v = 0;
};
Double2 operator-(Double2 a, Double2 b) { return {a.u - b.u, a.v - b.v}; }
double dot(Double2 a, Double2 b) { return a.u * b.u + a.v * b.v; }
double length(Double2 a) { return std::sqrt(dot(a, a)); }  // coordinates are at most 1e30

/// A generator as seen along an axis.
struct Seen {
    Double2 at;
    Interval u, v;  // the enclosures
    double blur = 0, distance = 0;
    bool is_ray = false;
};

/// In the volume: normal . (u, v) + offset >= 0, relative to hi. The normal's length is 1 but for rounding.
struct HalfPlane {
    Double2 normal;
    double offset = 0;
};

class Outline {
public:
    static constexpr std::size_t capacity = 8;

    explicit Outline(std::span<const Seen> seen) : seen_(seen) {
        for (const Seen& from : seen) {
            if (from.is_ray) continue;
            for (const Seen& to : seen) {
                if (&from != &to && (to.is_ray || &from < &to)) look_between(from, to);
            }
        }
    }
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] std::span<const HalfPlane> all() const { return {half_planes_, count_}; }

private:
    /// Looks at the line through two points, or through a point along a ray. It belongs to the silhouette if all other
    /// generators are on one side of it.
    void look_between(const Seen& from, const Seen& to) {
        const Double2 way = to.is_ray ? to.at : to.at - from.at;
        const double size = length(way), blur = 4 * (from.blur + to.blur) + 0x1p-46 * (from.distance + to.distance);
        if (!(size > 16 * blur)) return;  // one is behind the other
        const Double2 n = {-way.v / size, way.u / size};
        bool above = true, below = true;
        for (const Seen& other : seen_) {
            if (&other == &from || &other == &to) continue;
            const Double2 d = other.is_ray ? other.at : other.at - from.at;
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
            Double2 along_rays;
            for (const Seen& g : seen_) {
                const double least = dot_down({n.u, n.v, 0}, {g.u, g.v, 0});
                (g.is_ray ? rays : points) = std::min(g.is_ray ? rays : points, least);
                if (g.is_ray) along_rays = {along_rays.u + g.at.u, along_rays.v + g.at.v};
            }
            if (rays >= 0) return keep({n, -points});
            const double share = (0x1p-40 - 64 * rays) / std::max(length(along_rays), 1e-3);
            if (!(share < 0x1p-24)) break;
            n = {n.u + share * along_rays.u, n.v + share * along_rays.v};
        }
        complete_ = false;
    }

    void keep(const HalfPlane& half_plane) {
        for (HalfPlane& known : std::span(half_planes_, count_)) {
            const Double2 difference = half_plane.normal - known.normal;
            if (length(difference) > same_direction) continue;
            if (half_plane.offset < known.offset) known = half_plane;
            return;
        }
        if (count_ == capacity) {
            complete_ = false;
            return;
        }
        half_planes_[count_++] = half_plane;
    }

    std::span<const Seen> seen_;
    HalfPlane half_planes_[capacity];
    std::size_t count_ = 0;
    bool complete_ = true;
};

double width(Interval a) { return a.hi - a.lo; }

/// An offset that is raised, like those of planes, by all parts of the rounding bound that do not depend on the object.
float outer_offset(double offset) {
    return float_up(offset + static_cast<double>(error_per_magnitude(roundings::plane)) * std::fabs(offset) +
                    static_cast<double>(underflow_guard));
}

/// Fills in the box around the volume. It has no end where a ray leads.
void describe_bounds(std::span<const Generator> generators, const Interval (&lo)[3], PreparedView& view) {
    for (std::size_t k = 0; k < 3; ++k) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Generator& g : generators) {
            const Interval coordinates[3] = {g.p.x, g.p.y, g.p.z};
            const Interval& p = coordinates[k];
            if (g.is_ray()) {
                if (p.lo < 0) low = -std::numeric_limits<double>::infinity();
                if (p.hi > 0) high = std::numeric_limits<double>::infinity();
            } else {
                low = std::min(low, (p + lo[k]).lo);
                high = std::max(high, (p + lo[k]).hi);
            }
        }
        const auto limit = [](double offset) {
            return offset <= coordinate_limit ? outer_offset(offset) : std::numeric_limits<float>::max();
        };
        view.bounds[0][k] = limit(-low);
        view.bounds[1][k] = limit(high);
    }
}

/// A generator as seen along axis k, relative to hi. Rays get a length of about 1.
Seen seen_along(std::size_t k, const Generator& g, const Interval (&lo)[3]) {
    const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
    const Interval p[3] = {g.p.x, g.p.y, g.p.z};
    const double size = lanecull::length(middle(g.p)), scale = g.is_ray() ? 1 / std::max(size, 1e-300) : 1;
    Seen s;
    s.is_ray = g.is_ray();
    s.u = s.is_ray ? p[u] * scale : p[u] + lo[u];
    s.v = s.is_ray ? p[v] * scale : p[v] + lo[v];
    s.at = {s.u.mid(), s.v.mid()};
    s.blur = std::max({width(p[0]), width(p[1]), width(p[2])}) * scale;
    s.distance = s.is_ray ? 1 : size;
    return s;
}

bool known_well(const Seen& s) {
    return s.blur <= most_blur * s.distance && s.u.finite() && s.v.finite() && s.distance <= coordinate_limit;
}

}  // namespace

void describe_outlines(std::span<const Generator> generators, PreparedView& view) {
    if (generators.empty()) return;
    const Interval lo[3] = {view.frame.origin_lo[0], view.frame.origin_lo[1], view.frame.origin_lo[2]};
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        Seen seen[Generators::capacity];
        for (std::size_t i = 0; i < generators.size(); ++i) {
            seen[i] = seen_along(k, generators[i], lo);
            if (!known_well(seen[i])) return;
        }
        const Outline outline({seen, generators.size()});
        if (!outline.complete()) return;
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            for (const HalfPlane& half_plane : outline.all()) {
                const Double2 n = half_plane.normal;
                if (((n.u > 0 ? 1u : 0u) | (n.v > 0 ? 2u : 0u)) != corner) continue;
                constexpr double shorter = 1 - 0x1p-20;  // as planes' normals are
                view.exact_outline[count][0] = n.u * shorter, view.exact_outline[count][1] = n.v * shorter;
                view.outline[count][0] = static_cast<float>(std::fabs(n.u * shorter));
                view.outline[count][1] = static_cast<float>(std::fabs(n.v * shorter));
                view.outline[count++][2] = outer_offset(next_up(half_plane.offset * shorter));
            }
            view.outline_end[4 * k + corner] = count;
        }
    }
    describe_bounds(generators, lo, view);
    sort_planes(view);
    view.outlines_known = 1;
}

}  // namespace lanecull
