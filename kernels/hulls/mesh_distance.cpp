#include <algorithm>
#include <cmath>

#include "hulls/mesh.hpp"

/// Distances of points from meshes, one triangle after the other.
namespace lanecull::hulls {

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
