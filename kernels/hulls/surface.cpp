#include "hulls/surface.hpp"

#include <algorithm>
#include <unordered_map>

namespace lanecull::hulls {

std::vector<Facet> facets_of(const Mesh& mesh) {
    std::vector<Facet> facets;
    std::unordered_map<std::uint64_t, std::uint32_t> by_edge;  // from << 32 | to -> facet
    const auto edge = [](std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; };
    for (const Triangle& t : mesh.triangles) {
        const auto index = static_cast<std::uint32_t>(facets.size());
        for (std::size_t k = 0; k < 3; ++k) {
            if (!by_edge.emplace(edge(t[k], t[(k + 1) % 3]), index).second) return {};
        }
        facets.push_back(make_facet(mesh.points, t));
    }
    for (Facet& facet : facets) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto other = by_edge.find(edge(facet.corners[(k + 1) % 3], facet.corners[k]));
            if (other == by_edge.end()) return {};
            facet.across[k] = other->second;
        }
    }
    return facets;
}

void add_plane(std::vector<WeightedPlane>& planes, const Plane& plane, double area, double tolerance) {
    if (!(area > 0)) return;
    for (WeightedPlane& other : planes) {
        const bool same_normal = largest_component(other.plane.normal - plane.normal) < 1e-9;
        if (same_normal && std::fabs(other.plane.offset - plane.offset) <= tolerance) {
            other.area += area;
            return;
        }
    }
    planes.push_back({plane, area});
}

namespace {

/// The point where three planes meet, with heights counted from `near_by`. None if they are nearly parallel to one
/// line.
std::optional<Double3> meeting_point(const Plane& a, const Plane& b, const Plane& c, const double (&heights)[3]) {
    const Double3 bc = cross(b.normal, c.normal), ca = cross(c.normal, a.normal), ab = cross(a.normal, b.normal);
    const double determinant = dot(a.normal, bc);
    if (!(std::fabs(determinant) > 1e-10)) return std::nullopt;
    return (bc * heights[0] + ca * heights[1] + ab * heights[2]) * (1 / determinant);
}

}  // namespace

std::optional<Double3> lowest_beyond(std::span<const WeightedPlane> planes, Double3 near_by) {
    if (planes.size() < 3 || planes.size() > most_planes) return std::nullopt;
    std::array<double, most_planes> height;  // of the planes above near_by
    Double3 downhill;
    double largest = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        height[i] = -planes[i].plane.height(near_by);
        largest = std::max(largest, std::fabs(height[i]));
        downhill = downhill + planes[i].plane.normal * planes[i].area;
    }
    std::optional<Double3> best;
    double lowest = 0;
    const auto consider = [&](Double3 p) {
        const double here = dot(downhill, p);
        if (best && !(here < lowest)) return;
        const double slack = 1e-12 * (largest + largest_component(p));
        for (std::size_t i = 0; i < planes.size(); ++i) {
            if (!(dot(planes[i].plane.normal, p) >= height[i] - slack)) return;
        }
        best = p, lowest = here;
    };
    for (std::size_t i = 0; i < planes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            for (std::size_t k = 0; k < j; ++k) {
                const auto p =
                    meeting_point(planes[i].plane, planes[j].plane, planes[k].plane, {height[i], height[j], height[k]});
                if (p) consider(*p);
            }
        }
    }
    if (best) *best = *best + near_by;
    return best;
}

}  // namespace lanecull::hulls
