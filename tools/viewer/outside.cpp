#include "outside.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "picture/volume.hpp"

namespace lanecull::program {

using glm::dvec3;

Camera outside_of(const Camera& camera, const Bounds& bounds, const dvec3& up) {
    const Camera::Basis basis = camera.basis();
    std::vector<dvec3> shown = shown_volume(camera, bounds, up).corners();
    shown.push_back(camera.eye);
    Camera outside = camera;
    outside.forward = -0.7 * basis.backward - 0.45 * basis.up - 0.25 * basis.right;
    const glm::ivec2 size(std::lround(1000 * camera.aspect), 1000);
    outside.eye = framing(shown, outside.forward, basis.up, camera.vertical_fov, size, {0.1, 0.1, 0.1, 0.1}).eye;
    double farthest = 0;
    for (const dvec3& point : shown) farthest = std::max(farthest, glm::distance(point, outside.eye));
    outside.far = farthest + glm::length(bounds.size());
    outside.near = 1e-3 * farthest;
    return outside;
}

}  // namespace lanecull::program
