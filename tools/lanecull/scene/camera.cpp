#include "scene/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3, glm::dvec4;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Its rows, of what the matrix maps: a world point less the origin. Inside is where all of w + x, w - x, w + y, w - y,
/// near and far are positive; the near plane is the one before the eye, and y points up in a picture whose x points to
/// the right.
struct Rows {
    dvec4 x, y, w, near, far;
    dvec3 origin;

    explicit Rows(const ClipMatrix& matrix) {
        const glm::dmat4 rows = glm::transpose(matrix.clip);
        x = rows[0], y = rows[1], w = rows[3];
        near = matrix.space.depth == DepthRange::zero_to_one ? rows[2] : w + rows[2];
        far = w - rows[2];
        const double* at = matrix.space.origin;
        origin = {at[0], at[1], at[2]};
        const bool is_reversed = is_orthographic() ? matrix.sight == SightDirection::shrinking_depth
                                                   : glm::dot(dvec3(near - far), dvec3(w)) < 0;
        if (is_reversed) std::swap(near, far);
        if (glm::dot(glm::cross(dvec3(x), dvec3(y)), ahead()) > 0) y = -y;
    }
    [[nodiscard]] bool is_orthographic() const { return dvec3(w) == dvec3(0); }
    [[nodiscard]] dvec3 ahead() const { return dvec3(is_orthographic() ? near : w); }
    /// The point where x, y and one more are 0.
    [[nodiscard]] dvec3 where_none(const dvec4& z) const {
        const glm::dmat3 normals = glm::transpose(glm::dmat3(dvec3(x), dvec3(y), dvec3(z)));
        return glm::inverse(normals) * -dvec3(x.w, y.w, z.w);
    }
};

/// How far along a ray a plane is; infinite if the ray goes away from it.
double distance_to(const dvec4& plane, const dvec3& from, const dvec3& direction) {
    const double slope = glm::dot(dvec3(plane), direction), at = glm::dot(dvec3(plane), from) + plane.w;
    const double distance = -at / slope;
    return distance > 0 && std::isfinite(distance) ? distance : infinity;
}

/// A side of the picture: across it, and half of it at depth 1.
struct Side {
    dvec3 axis;
    double half, shift;  ///< as Camera::shift

    Side(const dvec3& row, const dvec3& forward) : shift(-glm::dot(row, forward)) {
        axis = row + shift * forward;
        half = 1 / glm::length(axis);
    }
};

/// As Camera::planes(), of the matrix itself.
std::array<dvec4, 6> planes_of(const ClipMatrix& matrix, const dvec3& eye) {
    const Rows rows(matrix);
    std::array planes = {rows.w + rows.x, rows.w - rows.x, rows.w + rows.y, rows.w - rows.y, rows.near, rows.far};
    const dvec3 from = eye - rows.origin;
    for (dvec4& plane : planes) {
        const dvec3 normal(plane);
        const double length = glm::length(normal);
        const double size = std::abs(plane.w) + glm::dot(glm::abs(normal), glm::abs(from));
        // A far plane at infinity has no normal but for rounding.
        plane = length > 0 ? dvec4(normal, glm::dot(normal, from) + plane.w) / length : dvec4(normal, infinity);
        if (std::abs(plane.w) * length < 1e-15 * size) plane.w = 0;
    }
    return planes;
}

}  // namespace

Camera::Basis Camera::basis() const {
    const dvec3 backward = -glm::normalize(forward);
    const dvec3 right = glm::normalize(glm::cross(up, backward));
    return {right, glm::cross(backward, right), backward};
}

double Camera::half_height() const { return is_orthographic() ? 0.5 * height : std::tan(vertical_fov / 2); }

glm::dmat4 Camera::clip_from_relative() const {
    const auto [right, above, backward] = basis();
    const double scale_y = 1 / half_height();
    const double scale_x = scale_y / aspect;
    if (is_orthographic()) {
        const double depth = 1 / (far - near);
        return glm::transpose(glm::dmat4(dvec4(scale_x * right, -shift.x), dvec4(scale_y * above, -shift.y),
                                         dvec4(-depth * backward, -depth * near), dvec4(0, 0, 0, 1)));
    }
    // clip z = depth (w - near), with w the distance along the view
    const double depth = std::isinf(far) ? 1 : far / (far - near);
    return glm::transpose(glm::dmat4(dvec4(scale_x * right + shift.x * backward, 0),
                                     dvec4(scale_y * above + shift.y * backward, 0),
                                     dvec4(-depth * backward, -depth * near), dvec4(-backward, 0)));
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

std::array<dvec3, 8> Camera::corners() const {
    const Basis axes = basis();
    const double up_side = half_height(), across = up_side * aspect;
    const glm::dvec2 signs[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    std::array<dvec3, 8> result;
    for (std::size_t i = 0; i < 4; ++i) {
        const dvec3 beside = across * (signs[i].x + shift.x) * axes.right + up_side * (signs[i].y + shift.y) * axes.up;
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

std::array<dvec4, 6> Camera::planes() const {
    if (given) return planes_of(*given, eye);
    const glm::dmat4 rows = glm::transpose(clip_from_relative());
    const dvec3 backward = basis().backward;
    const dvec4 &x = rows[0], &y = rows[1], &w = rows[3];
    // w - z would cancel, with far / near beyond 1e16 to nothing at all.
    std::array planes = {w + x, w - x, w + y, w - y, dvec4(-backward, -near), dvec4(backward, far)};
    for (dvec4& plane : planes) plane /= glm::length(dvec3(plane));
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

Camera camera_of(const ClipMatrix& matrix, const std::string& where) {
    const Rows rows(matrix);
    const bool is_orthographic = rows.is_orthographic();
    const dvec4& depth = is_orthographic ? rows.near : rows.w;
    const dvec3 eye = rows.where_none(depth), forward = dvec3(depth) / glm::length(dvec3(depth));
    const double scale = is_orthographic ? rows.w.w : glm::length(dvec3(rows.w));
    const Side across(dvec3(rows.x) / scale, forward), up(dvec3(rows.y) / scale, forward);
    Camera camera;
    camera.eye = rows.origin + eye;
    camera.forward = forward;
    camera.up = up.half * up.axis;
    camera.aspect = across.half / up.half;
    camera.near = is_orthographic ? 0 : distance_to(rows.near, eye, forward);
    camera.far = distance_to(rows.far, eye, forward);
    if (is_orthographic) {
        camera.height = 2 * up.half;
    } else {
        camera.vertical_fov = 2 * std::atan(up.half);
        camera.shift = {across.shift, up.shift};
    }
    const auto finite = [](const dvec3& v) { return std::isfinite(glm::dot(v, v)); };
    if (!finite(camera.eye) || !finite(camera.forward) || !finite(camera.up) || !std::isfinite(camera.aspect)) {
        fail("{}: clip_from_world is neither a perspective nor an orthographic matrix", where);
    }
    camera.given = matrix;
    return camera;
}

double far_in_floats(double near, double far) {
    const auto n = static_cast<float>(near), f = static_cast<float>(far);
    if (std::isinf(f)) return infinity;
    const float scale = f / (f - n), offset = f * n / (f - n);  // z = scale w - offset, and w at the far plane
    const double beyond = static_cast<double>(scale) - 1;
    return beyond > 0 ? static_cast<double>(offset) / beyond : infinity;
}

}  // namespace lanecull::program
