#include "scene/camera.hpp"

#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <span>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

std::span<const double, 16> numbers(const glm::dmat4& matrix) { return std::span<const double, 16>(&matrix[0][0], 16); }

/// That of Camera::clip_from_relative().
ClipSpace clip_space(const glm::dvec3& eye) {
    return {MatrixLayout::column_major, DepthRange::zero_to_one, {eye.x, eye.y, eye.z}};
}

}  // namespace

Camera::Basis Camera::basis() const {
    const glm::dvec3 backward = -glm::normalize(forward);
    const glm::dvec3 right = glm::normalize(glm::cross(up, backward));
    return {right, glm::cross(backward, right), backward};
}

glm::dmat4 Camera::clip_from_relative() const {
    const auto [right, above, backward] = basis();
    const double scale_y = 1 / std::tan(vertical_fov / 2);
    const double scale_x = scale_y / aspect;
    const double depth = far / (far - near);  // clip z = depth (w - near), with w the distance along the view
    const glm::dvec4 rows[] = {
        {scale_x * right, 0}, {scale_y * above, 0}, {-depth * backward, -depth * near}, {-backward, 0}};
    glm::dmat4 clip(0);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) clip[column][row] = rows[row][column];
    }
    return clip;
}

std::array<glm::dvec3, 8> Camera::corners() const {
    const auto [right, above, backward] = basis();
    const double slope_y = std::tan(vertical_fov / 2);
    const double slope_x = slope_y * aspect;
    const glm::dvec2 signs[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    std::array<glm::dvec3, 8> result;
    for (std::size_t i = 0; i < 4; ++i) {
        const glm::dvec3 ray = slope_x * signs[i].x * right + slope_y * signs[i].y * above - backward;
        result[i] = eye + near * ray;
        result[i + 4] = eye + far * ray;
    }
    return result;
}

double Camera::corner_distance() const {
    const double up_slope = std::tan(vertical_fov / 2), across = up_slope * aspect;
    return std::sqrt(1 + up_slope * up_slope + across * across) * (1 + 1e-12);
}

std::array<glm::dvec4, 6> Camera::planes() const {
    const glm::dmat4 rows = glm::transpose(clip_from_relative());
    const glm::dvec4 &x = rows[0], &y = rows[1], &w = rows[3];
    // w - z would cancel, with far / near beyond 1e16 to nothing at all.
    std::array planes = {w + x, w - x, w + y, w - y, w - glm::dvec4(0, 0, 0, near), glm::dvec4(0, 0, 0, far) - w};
    for (glm::dvec4& plane : planes) plane /= glm::length(glm::dvec3(plane));
    return planes;
}

View Camera::view() const {
    const glm::dmat4 clip = clip_from_relative();
    View result;
    require(prepare_view(numbers(clip), clip_space(eye), result));
    return result;
}

View Camera::view(const Sun& sun) const {
    const glm::dmat4 clip = clip_from_relative();
    View result;
    require(prepare_view(numbers(clip), clip_space(eye), result, {.sun = &sun}));
    return result;
}

Viewpoint Camera::viewpoint() const {
    const glm::dmat4 clip = clip_from_relative();
    Viewpoint result;
    require(prepare_viewpoint(numbers(clip), clip_space(eye), result));
    return result;
}

Rasterization Camera::rasterization(std::uint32_t width, std::uint32_t height) const {
    const double scale_y = 1 / std::tan(vertical_fov / 2);
    return {.width = width,
            .height = height,
            .scale_x = scale_y / aspect,
            .scale_y = scale_y,
            .near_depth = near,
            .far_depth = far,
            .is_camera_relative = true};
}

}  // namespace lanecull::program
