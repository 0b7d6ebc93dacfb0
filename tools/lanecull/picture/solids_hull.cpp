#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <lanecull/hulls.hpp>
#include <vector>

#include "picture/solids.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

/// Triangles of convex hulls.
namespace lanecull::program {

namespace {

SolidHull solid_hull(const HullMesh& source) {
    SolidHull hull;
    SolidMesh& mesh = hull.mesh;
    mesh.triangles = source.triangles;
    ConvexHull convex;
    if (mesh.triangles.empty()) {
        const auto count = static_cast<std::uint32_t>(source.x.size());
        require(convex_hull({source.x.data(), source.y.data(), source.z.data(), count}, convex));
        mesh.triangles = convex.triangles;
        mesh.convex = convex.dimension == 3;
    } else {
        convex.x = source.x, convex.y = source.y, convex.z = source.z;
    }
    for (std::size_t i = 0; i < convex.x.size(); ++i) mesh.points.emplace_back(convex.x[i], convex.y[i], convex.z[i]);
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
