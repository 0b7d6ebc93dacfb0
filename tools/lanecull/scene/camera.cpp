#include "scene/camera.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "scene/camera_matrix.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

glm::dmat4 matrix_of_rows(const std::array<glm::dvec4, 4>& rows) {
    return glm::transpose(glm::dmat4(rows[0], rows[1], rows[2], rows[3]));
}

}  // namespace

Camera::Basis Camera::basis() const {
    const glm::dvec3 backward = -glm::normalize(forward);
    const glm::dvec3 right = glm::normalize(glm::cross(up, backward));
    return {right, glm::cross(backward, right), backward};
}

double Camera::half_height() const { return is_orthographic() ? 0.5 * height : std::tan(vertical_fov / 2); }

glm::dmat4 Camera::clip_from_relative() const {
    const auto [right, above, backward] = basis();
    const double scale_y = 1 / half_height();
    const double scale_x = scale_y / aspect;
    if (is_orthographic()) {
        const double depth = 1 / (far - near);
        return matrix_of_rows({glm::dvec4(scale_x * right, -shift.x), glm::dvec4(scale_y * above, -shift.y),
                               glm::dvec4(-depth * backward, -depth * near), glm::dvec4(0, 0, 0, 1)});
    }
    // clip z = depth (w - near), with w the distance along the view
    const double depth = std::isinf(far) ? 1 : far / (far - near);
    return matrix_of_rows({glm::dvec4(scale_x * right + shift.x * backward, 0),
                           glm::dvec4(scale_y * above + shift.y * backward, 0),
                           glm::dvec4(-depth * backward, -depth * near), glm::dvec4(-backward, 0)});
}

ClipMatrix Camera::matrix() const {
    if (given) return *given;
    return {clip_from_relative(), {MatrixLayout::column_major, DepthRange::zero_to_one, {eye.x, eye.y, eye.z}}};
}

Camera Camera::bounded(double reach) const {
    Camera result = *this;
    if (std::isinf(far)) result.far = std::max(reach, 2 * near);
    return result;
}

std::array<glm::dvec3, 8> Camera::corners() const {
    const Basis axes = basis();
    const double up_side = half_height(), across = up_side * aspect;
    const glm::dvec2 signs[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    std::array<glm::dvec3, 8> result;
    for (std::size_t i = 0; i < 4; ++i) {
        const glm::dvec3 beside =
            across * (signs[i].x + shift.x) * axes.right + up_side * (signs[i].y + shift.y) * axes.up;
        const auto at = [&](double depth) {
            return is_orthographic() ? eye + beside - depth * axes.backward : eye + depth * (beside - axes.backward);
        };
        result[i] = at(near);
        result[i + 4] = at(far);
    }
    return result;
}

double Camera::corner_distance() const {
    const double up_slope = half_height(), across = up_slope * aspect;
    const glm::dvec2 farthest = glm::dvec2(across, up_slope) * (1.0 + glm::abs(shift));
    return std::sqrt(1 + glm::dot(farthest, farthest)) * (1 + 1e-12);
}

std::array<glm::dvec4, 6> Camera::planes() const {
    if (given) return planes_of(*given, eye);
    const glm::dmat4 rows = glm::transpose(clip_from_relative());
    const glm::dvec3 backward = basis().backward;
    const glm::dvec4 &x = rows[0], &y = rows[1], &w = rows[3];
    // w - z would cancel, with far / near beyond 1e16 to nothing at all.
    std::array planes = {w + x, w - x, w + y, w - y, glm::dvec4(-backward, -near), glm::dvec4(backward, far)};
    for (glm::dvec4& plane : planes) plane /= glm::length(glm::dvec3(plane));
    return planes;
}

View Camera::view() const {
    const ClipMatrix clip = matrix();
    View result;
    require(prepare_view(clip.numbers(), clip.space, result));
    return result;
}

View Camera::view(const DirectionalLight& sun) const {
    const ClipMatrix clip = matrix();
    View result;
    require(prepare_view(clip.numbers(), clip.space, result, {.directional_light = &sun}));
    return result;
}

Viewpoint Camera::viewpoint() const {
    const ClipMatrix clip = matrix();
    Viewpoint result;
    require(prepare_viewpoint(clip.numbers(), clip.space, result, {}, clip.sight));
    return result;
}

Rasterization Camera::rasterization(std::uint32_t columns, std::uint32_t rows) const {
    const double scale_y = 1 / half_height();
    return {.width = columns,
            .height = rows,
            .scale_x = scale_y / aspect,
            .scale_y = scale_y,
            .is_orthographic = is_orthographic(),
            .near_depth = near,
            .far_depth = far,
            .is_camera_relative = true};
}

}  // namespace lanecull::program
