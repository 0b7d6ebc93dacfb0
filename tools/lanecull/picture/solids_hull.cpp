#include <lanecull/hulls.h>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "picture/solids.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

/// Triangles of convex hulls.
namespace lanecull::program {

namespace {

std::vector<glm::vec3> points_of(Span<const float> x, Span<const float> y, Span<const float> z) {
    std::vector<glm::vec3> points(x.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = {x[i], y[i], z[i]};
    return points;
}

SolidHull solid_hull(const HullMesh& source) {
    SolidHull hull;
    SolidMesh& mesh = hull.mesh;
    mesh.triangles = source.triangles;
    if (mesh.triangles.empty()) {
        const auto count = static_cast<std::uint32_t>(source.x.size());
        ConvexHull convex;
        require(convex_hull({source.x.data(), source.y.data(), source.z.data(), count}, convex));
        const ConvexHullInfo found = convex.info();
        for (const HullTriangle& t : found.triangles) mesh.triangles.push_back({t[0], t[1], t[2]});
        mesh.convex = found.dimension == 3;
        mesh.points = points_of(found.x, found.y, found.z);
    } else {
        mesh.points = points_of(source.x, source.y, source.z);
    }
    glm::vec3 lower = mesh.points[0], upper = mesh.points[0];
    for (const glm::vec3& p : mesh.points) {
        lower = glm::min(lower, p);
        upper = glm::max(upper, p);
    }
    hull.origin = 0.5F * lower + 0.5F * upper;
    mesh.half_size = 0.5F * upper - 0.5F * lower;
    for (glm::vec3& p : mesh.points) {
        p -= hull.origin;
        mesh.inner += p / static_cast<float>(mesh.points.size());
    }
    return hull;
}

}  // namespace

std::vector<SolidHull> solid_hulls(const HullInstanceArrays& instances) {
    std::vector<SolidHull> hulls(instances.meshes.size());
    in_parallel(hulls.size(), [&](std::size_t i) { hulls[i] = solid_hull(instances.meshes[i]); });
    return hulls;
}

}  // namespace lanecull::program
