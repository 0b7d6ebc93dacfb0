#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "workloads/camera.hpp"
#include "workloads/random.hpp"
#include "yardsticks/yardstick_lights.hpp"

namespace bench {

/// Cells of a camera: slices grow as powers from a depth of 5 on, and the first one is all before it, as Bevy has it.
inline ClusterGrid cells_of(const Camera& camera, std::uint32_t nx, std::uint32_t ny, std::uint32_t nz) {
    ClusterGrid grid{};
    for (int k = 0; k < 3; ++k) {
        grid.eye[k] = static_cast<float>(camera.eye[k]);
        grid.right[k] = static_cast<float>(camera.right()[k]);
        grid.up[k] = static_cast<float>(camera.up()[k]);
        grid.forward[k] = static_cast<float>(camera.forward()[k]);
    }
    grid.tan_x = static_cast<float>(camera.tan_x), grid.tan_y = static_cast<float>(camera.tan_y);
    grid.nx = nx, grid.ny = ny, grid.nz = nz;
    grid.depths = {static_cast<float>(camera.near_depth)};
    for (std::uint32_t k = 0; k < nz; ++k) {
        grid.depths.push_back(static_cast<float>(5 * std::pow(camera.far_depth / 5, k / double(nz - 1))));
    }
    return grid;
}

/// Lamps of a range of 4 to 12, and spotlights of 8 to 25 and a half-angle of 15 to 50 degrees, within 250 of the
/// camera: evenly over depths and the screen, some beside it.
inline ClusterLights lamps_of(const Camera& camera, std::uint32_t balls, std::uint32_t spots) {
    Random random(41);
    ClusterLights lights;
    lights.balls = balls;
    for (std::uint32_t i = 0; i < balls + spots; ++i) {
        const double depth = random.uniform(0, 250);
        const glm::dvec3 p =
            camera.eye + depth * (camera.forward() + random.uniform(-1.1, 1.1) * camera.tan_x * camera.right() +
                                  random.uniform(-1.1, 1.1) * camera.tan_y * camera.up());
        lights.x.push_back(static_cast<float>(p.x));
        lights.y.push_back(static_cast<float>(p.y));
        lights.z.push_back(static_cast<float>(p.z));
        lights.range.push_back(static_cast<float>(i < balls ? random.uniform(4, 12) : random.uniform(8, 25)));
        if (i < balls) continue;
        const glm::dvec3 axis = glm::normalize(
            glm::dvec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)) + glm::dvec3(0, -1e-3, 0));
        lights.axis_x.push_back(static_cast<float>(axis.x));
        lights.axis_y.push_back(static_cast<float>(axis.y));
        lights.axis_z.push_back(static_cast<float>(axis.z));
        lights.tangent.push_back(static_cast<float>(std::tan(random.uniform(15, 50) * 3.14159265358979 / 180)));
    }
    return lights;
}

}  // namespace bench
