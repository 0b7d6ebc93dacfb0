#include "workloads/camera.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <stdexcept>

namespace bench {

std::array<glm::dvec3, 8> Camera::corners() const {
    std::array<glm::dvec3, 8> result;
    for (unsigned i = 0; i < 8; ++i) {
        const double depth = i & 4 ? far_depth : near_depth;
        const double x = (i & 1 ? tan_x : -tan_x) * depth;
        const double y = (i & 2 ? tan_y : -tan_y) * depth;
        result[i] = eye + axes * glm::dvec3(x, y, depth);
    }
    return result;
}

Camera standard_camera() {
    const double tan_y = std::tan(30.0 / 180.0 * std::numbers::pi);
    const glm::dvec3 forward = glm::normalize(glm::dvec3(0.62, -0.31, -0.72));
    const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(0.23, 0.93, 0.28)));
    const glm::dvec3 up = glm::cross(right, forward);
    return {.eye = {37.25, -12.5, 81.75},
            .axes = {right, up, forward},
            .tan_x = tan_y * 16.0 / 9.0,
            .tan_y = tan_y,
            .near_depth = 0.1,
            .far_depth = 500.0};
}

Matrix matrix_of(const Camera& camera) {
    // clip = M (p - eye, 1), rows of M: x / tan_x, y / tan_y, a depth + b with 0 at near and w at far, w = depth.
    const double a = camera.far_depth / (camera.far_depth - camera.near_depth);
    const double b = -a * camera.near_depth;
    const glm::dvec3 x = camera.right() / camera.tan_x;
    const glm::dvec3 y = camera.up() / camera.tan_y;
    const glm::dvec3 z = camera.forward() * a;
    const glm::dvec3& w = camera.forward();
    return {{x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, b, w.x, w.y, w.z, 0},
            {.layout = lanecull::MatrixLayout::row_major,
             .depth = lanecull::DepthRange::zero_to_one,
             .origin = {camera.eye.x, camera.eye.y, camera.eye.z}}};
}

lanecull::View prepare(const Camera& camera, const lanecull::ViewOptions& options) {
    const Matrix matrix = matrix_of(camera);
    lanecull::View view;
    const lanecull::Status status = lanecull::prepare_view(matrix.clip_from_world, matrix.clip_space, view, options);
    if (!status) throw std::runtime_error(status.message());
    return view;
}

}  // namespace bench
