#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

#include "hulls/mesh.hpp"
#include "hulls/surface.hpp"

namespace lanecull::hulls {

// Distances of points from meshes, one triangle after the other.

double distance_to_segment(Double3 p, Double3 a, Double3 b) {
    const Double3 ab = b - a;
    const double size = length_squared(ab);
    const double along = size > 0 ? std::clamp(dot(p - a, ab) / size, 0.0, 1.0) : 0;
    return length(p - (a + ab * along));
}

namespace {

double distance_to_triangle(Double3 p, Double3 a, Double3 b, Double3 c) {
    const Double3 normal = cross(b - a, c - a);
    const auto inside = [&](Double3 from, Double3 to) { return dot(cross(to - from, p - from), normal) >= 0; };
    if (length_squared(normal) > 0 && inside(a, b) && inside(b, c) && inside(c, a)) {
        return std::fabs(dot(p - a, normalized(normal)));
    }
    return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

}  // namespace

double distance_to(const Mesh& mesh, bool is_solid, Double3 p) {
    double nearest = 1e300;
    bool outside = !is_solid;
    for (const Triangle& t : mesh.triangles) {
        const Double3 a = mesh.points[t[0]];
        outside = outside || dot(area_vector(mesh, t), p - a) > 0;
        nearest = std::min(nearest, distance_to_triangle(p, a, mesh.points[t[1]], mesh.points[t[2]]));
    }
    return outside ? nearest : 0;
}

double outward_error(const Mesh& outer, const Mesh& inner) {
    double worst = 0;
    for (const Double3& p : outer.points) worst = std::max(worst, distance_to(inner, true, p));
    return worst;
}

}  // namespace lanecull::hulls

/// Makes a solid with fewer corners that contains the given one: edges are replaced by points beyond them.
///
/// Take an edge, and a point w beyond the planes of all facets at both of its ends. w sees all of these facets, so both
/// ends are inside the hull of the solid and w. That hull's surface is the part that w does not see, closed by a cone
/// from w. So every step takes a convex solid to a convex solid that contains it. A step's cost is known before: the
/// volume between w and the facets it sees, plus the cube of w's distance from the edge. Without the cube, flat solids,
/// which have no volume to lose, grow spikes of many times their length. Without the volume, round ones grow an eighth
/// larger than they need. Progressive hulls (Sander et al., 2000) require the same of w but keep all other facets, and
/// so lose convexity.
namespace lanecull::hulls {
namespace {

double cube(double a) { return a * a * a; }

class Simplifier {
public:
    explicit Simplifier(const Mesh& mesh) : points_(mesh.points), facets_(facets_of(mesh)) {
        std::vector<bool> named(points_.size());
        Double3 lower = points_[0], upper = points_[0];
        for (const Facet& facet : facets_) {
            for (const std::uint32_t corner : facet.corners) {
                const Double3 p = points_[corner];
                corners_ += named[corner] ? 0 : 1;
                named[corner] = true;
                lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
                upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
            }
        }
        tolerance_ = 1e-13 * largest_component(upper - lower);
        for (std::uint32_t f = 0; f < facets_.size(); ++f) {
            for (std::uint32_t k = 0; k < 3; ++k) offer(f, k);
        }
    }

    /// False if no edge is left that can be replaced.
    bool reduce_to(std::size_t most) {
        while (corners_ > most && !candidates_.empty()) {
            const Candidate candidate = candidates_.top();
            candidates_.pop();
            if (facets_[candidate.facet].gone) continue;
            const std::optional<Collapse> collapse = collapse_of(candidate.facet, candidate.edge);
            if (!collapse) continue;
            // The facets around may have changed. If the step now costs more, it goes back into the queue.
            if (collapse->cost > candidate.cost * (1 + 1e-6) + 1e-300) {
                candidates_.push({collapse->cost, candidate.facet, candidate.edge});
                continue;
            }
            apply(*collapse);
        }
        return corners_ <= most;
    }

    [[nodiscard]] Mesh mesh() const {
        Mesh result{points_, {}};
        for (const Facet& facet : facets_) {
            if (!facet.gone) result.triangles.push_back(facet.corners);
        }
        return compacted(result);
    }

private:
    struct Candidate {
        double cost;
        std::uint32_t facet, edge;
        bool operator<(const Candidate& other) const { return cost > other.cost; }  // the cheapest on top
    };
    struct HorizonEdge {
        std::uint32_t from, to, beyond;  ///< beyond: the facet that stays
    };
    struct Collapse {
        Double3 at;
        double cost = 0;
        std::vector<std::uint32_t> seen;   ///< facets that are removed
        std::vector<HorizonEdge> horizon;  ///< the boundary of `seen`, in order
        std::size_t corners_lost = 0;
    };

    void offer(std::uint32_t facet, std::uint32_t edge) {
        if (facets_[facet].gone || facets_[facet].across[edge] < facet) return;  // each edge once
        if (const std::optional<Collapse> collapse = collapse_of(facet, edge)) {
            candidates_.push({collapse->cost, facet, edge});
        }
    }

    /// Adds the facets around a corner of a facet.
    void add_star(std::uint32_t facet, std::uint32_t corner, std::vector<std::uint32_t>& star) const {
        std::uint32_t at = facet;
        do {
            if (std::find(star.begin(), star.end(), at) == star.end()) star.push_back(at);
            at = facets_[at].across[place_of(facets_[at], corner)];
        } while (at != facet);
    }

    [[nodiscard]] std::optional<Collapse> collapse_of(std::uint32_t facet, std::uint32_t edge) const {
        const std::uint32_t from = facets_[facet].corners[edge], to = facets_[facet].corners[(edge + 1) % 3];
        Collapse collapse;
        add_star(facet, from, collapse.seen);
        add_star(facet, to, collapse.seen);
        std::vector<WeightedPlane> planes;
        for (const std::uint32_t f : collapse.seen) {
            add_plane(planes, facets_[f].plane, facets_[f].area, tolerance_);
            if (planes.size() > most_planes) return std::nullopt;
        }
        const std::optional<Double3> at = lowest_beyond(planes, (points_[from] + points_[to]) * 0.5);
        if (!at) return std::nullopt;
        collapse.at = *at;
        see_more(collapse);
        for (const std::uint32_t f : collapse.seen) {
            collapse.cost += std::max(0.0, facets_[f].plane.height(*at)) * facets_[f].area / 3;
        }
        collapse.cost += cube(distance_to_segment(*at, points_[from], points_[to]));
        if (!find_horizon(collapse)) return std::nullopt;
        return collapse;
    }

    /// Adds the other facets that the point sees. They are connected to those it is known to see.
    void see_more(Collapse& collapse) const {
        for (std::size_t i = 0; i < collapse.seen.size(); ++i) {
            for (const std::uint32_t next : facets_[collapse.seen[i]].across) {
                const bool known = std::find(collapse.seen.begin(), collapse.seen.end(), next) != collapse.seen.end();
                if (!known && facets_[next].plane.height(collapse.at) > tolerance_) collapse.seen.push_back(next);
            }
        }
    }

    /// False if the facets seen have, because of rounding, no simple boundary, or if the step removes nothing.
    bool find_horizon(Collapse& collapse) const {
        std::unordered_map<std::uint32_t, HorizonEdge> by_start;
        std::vector<std::uint32_t> corners;
        for (const std::uint32_t f : collapse.seen) {
            const Facet& facet = facets_[f];
            for (std::size_t k = 0; k < 3; ++k) {
                corners.push_back(facet.corners[k]);
                const std::uint32_t beyond = facet.across[k];
                if (std::find(collapse.seen.begin(), collapse.seen.end(), beyond) != collapse.seen.end()) continue;
                const HorizonEdge edge{facet.corners[k], facet.corners[(k + 1) % 3], beyond};
                if (!by_start.emplace(edge.from, edge).second) return false;
            }
        }
        if (by_start.size() < 3) return false;
        std::uint32_t at = by_start.begin()->first;
        for (std::size_t i = 0; i < by_start.size(); ++i) {
            const auto edge = by_start.find(at);
            if (edge == by_start.end()) return false;
            collapse.horizon.push_back(edge->second);
            at = edge->second.to;
            if (at == collapse.horizon[0].from && i + 1 < by_start.size()) return false;
        }
        std::sort(corners.begin(), corners.end());
        const auto different = std::unique(corners.begin(), corners.end()) - corners.begin();
        collapse.corners_lost = static_cast<std::size_t>(different) - collapse.horizon.size();
        return collapse.corners_lost >= 2;
    }

    void apply(const Collapse& collapse) {
        const auto apex = static_cast<std::uint32_t>(points_.size());
        points_.push_back(collapse.at);
        corners_ -= collapse.corners_lost - 1;
        for (const std::uint32_t f : collapse.seen) facets_[f].gone = true;
        const auto first = static_cast<std::uint32_t>(facets_.size());
        const auto count = static_cast<std::uint32_t>(collapse.horizon.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            const HorizonEdge& edge = collapse.horizon[i];
            Facet facet = make_facet(points_, {edge.from, edge.to, apex});
            facet.across = {edge.beyond, first + (i + 1) % count, first + (i + count - 1) % count};
            Facet& beyond = facets_[edge.beyond];
            beyond.across[place_of(beyond, edge.to)] = first + i;
            facets_.push_back(facet);
        }
        offer_around(first);
    }

    /// Offers the edges whose ends have new facets.
    void offer_around(std::uint32_t first_new) {
        std::vector<std::uint32_t> around;
        const auto end = static_cast<std::uint32_t>(facets_.size());
        for (std::uint32_t f = first_new; f < end; ++f) add_star(f, facets_[f].corners[0], around);
        std::vector<std::uint64_t> edges;  // facet * 3 + edge, with the edge's facet that was made first
        for (const std::uint32_t f : around) {
            for (std::uint32_t k = 0; k < 3; ++k) {
                const std::uint32_t other = facets_[f].across[k];
                const auto there =
                    static_cast<std::uint32_t>(place_of(facets_[other], facets_[f].corners[(k + 1) % 3]));
                edges.push_back(f < other ? std::uint64_t{f} * 3 + k : std::uint64_t{other} * 3 + there);
            }
        }
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        for (const std::uint64_t e : edges) offer(static_cast<std::uint32_t>(e / 3), static_cast<std::uint32_t>(e % 3));
    }

    std::vector<Double3> points_;
    std::vector<Facet> facets_;
    std::size_t corners_ = 0;
    double tolerance_ = 0;
    std::priority_queue<Candidate> candidates_;
};

/// Chooses `count` corners, each as far as possible from those chosen before. distance[i]: from point i to the nearest
/// of these.
std::vector<Double3> spread_out(const std::vector<Double3>& points, std::size_t count) {
    std::vector<double> distance(points.size(), 1e300);
    std::vector<Double3> chosen;
    const FlatFit fit = fit_plane(points);
    Double3 next = fit.origin;
    while (chosen.size() < std::min(count, points.size())) {
        chosen.push_back(next);
        std::size_t farthest = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            distance[i] = std::min(distance[i], length(points[i] - next));
            if (distance[i] > distance[farthest]) farthest = i;
        }
        next = points[farthest];
    }
    return chosen;
}

/// The hull of some of the corners, enlarged about its middle until it contains all corners. None if it is flat.
std::optional<Mesh> enlarged_hull_of_some(const Mesh& mesh, std::size_t count) {
    const std::vector<Double3> chosen = spread_out(mesh.points, count);
    std::optional<Mesh> hull = solid_hull(chosen);
    if (!hull) return std::nullopt;
    *hull = compacted(*hull);
    Double3 middle;
    for (const Double3& p : hull->points) middle = middle + p * (1 / static_cast<double>(hull->points.size()));
    double factor = 1;
    for (const Triangle& t : hull->triangles) {
        const Plane plane = make_facet(hull->points, t).plane;
        const double depth = -plane.height(middle);
        for (const Double3& p : mesh.points) {
            if (dot(plane.normal, p - middle) > factor * depth) factor = dot(plane.normal, p - middle) / depth;
        }
    }
    if (!(factor < 1e6)) return std::nullopt;
    for (Double3& p : hull->points) p = middle + (p - middle) * factor;
    return hull;
}

/// A tetrahedron around the box around the mesh. It always exists.
Mesh enclosing_tetrahedron(const Mesh& mesh) {
    Double3 lower = mesh.points[0], upper = mesh.points[0];
    for (const Double3& p : mesh.points) {
        lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
        upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
    }
    const Double3 size = (upper - lower) * 3;  // x/X + y/Y + z/Z <= 3 in a box X Y Z
    return {{lower, lower + Double3{size.x, 0, 0}, lower + Double3{0, size.y, 0}, lower + Double3{0, 0, size.z}},
            {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

}  // namespace

Mesh simplified_outward(const Mesh& mesh, std::uint32_t max_corners) {
    Simplifier simplifier(mesh);
    const Mesh whole = compacted(mesh);
    std::vector<Mesh> results = {enclosing_tetrahedron(mesh)};
    if (simplifier.reduce_to(max_corners)) results.push_back(simplifier.mesh());
    if (std::optional<Mesh> some = enlarged_hull_of_some(whole, max_corners)) results.push_back(*some);
    std::vector<double> costs;
    costs.reserve(results.size());
    for (const Mesh& result : results) costs.push_back(volume(result) + cube(outward_error(result, whole)));
    return results[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())];
}

Mesh moved_outward(const Mesh& mesh, double distance) {
    std::vector<std::vector<WeightedPlane>> planes(mesh.points.size());
    for (const Triangle& t : mesh.triangles) {
        Facet facet = make_facet(mesh.points, t);
        facet.plane.offset += distance;
        for (const std::uint32_t corner : t) add_plane(planes[corner], facet.plane, facet.area, 0.5 * distance);
    }
    Mesh result = mesh;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        if (planes[i].empty()) continue;
        // Moves the corner along the planes' mean normal until it reaches the last of them; or less far, to where the
        // planes meet.
        const Double3 at = mesh.points[i];
        Double3 sum;
        for (const WeightedPlane& plane : planes[i]) sum = sum + plane.plane.normal;
        const Double3 direction = normalized(sum);
        double least = 1;
        for (const WeightedPlane& plane : planes[i]) least = std::min(least, dot(plane.plane.normal, direction));
        result.points[i] = at + direction * (distance / std::max(least, 1e-3));
        const std::optional<Double3> beyond = lowest_beyond(planes[i], at);
        if (beyond && length(*beyond - at) < length(result.points[i] - at)) result.points[i] = *beyond;
    }
    return result;
}

}  // namespace lanecull::hulls
