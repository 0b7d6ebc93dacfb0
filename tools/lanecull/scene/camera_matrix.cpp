#include "scene/camera_matrix.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <utility>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
using glm::dvec4;
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

Camera perspective(const Rows& rows) {
    const double length = glm::length(dvec3(rows.w));
    const dvec3 eye = rows.where_none(rows.w), forward = dvec3(rows.w) / length;
    const Side across(dvec3(rows.x) / length, forward), up(dvec3(rows.y) / length, forward);
    Camera camera;
    camera.eye = rows.origin + eye;
    camera.forward = forward;
    camera.up = up.half * up.axis;
    camera.vertical_fov = 2 * std::atan(up.half);
    camera.aspect = across.half / up.half;
    camera.shift = {across.shift, up.shift};
    camera.near = distance_to(rows.near, eye, forward);
    camera.far = distance_to(rows.far, eye, forward);
    return camera;
}

Camera orthographic(const Rows& rows) {
    const dvec3 eye = rows.where_none(rows.near), forward = glm::normalize(dvec3(rows.near));
    const Side across(dvec3(rows.x) / rows.w.w, forward), up(dvec3(rows.y) / rows.w.w, forward);
    Camera camera;
    camera.eye = rows.origin + eye;
    camera.forward = forward;
    camera.up = up.half * up.axis;
    camera.height = 2 * up.half;
    camera.aspect = across.half / up.half;
    camera.near = 0;
    camera.far = distance_to(rows.far, eye, forward);
    return camera;
}

}  // namespace

Camera camera_of(const ClipMatrix& matrix, const std::string& where) {
    const Rows rows(matrix);
    Camera camera = rows.is_orthographic() ? orthographic(rows) : perspective(rows);
    const auto finite = [](const dvec3& v) { return std::isfinite(glm::dot(v, v)); };
    if (!finite(camera.eye) || !finite(camera.forward) || !finite(camera.up) || !std::isfinite(camera.aspect)) {
        fail("{}: clip_from_world is neither a perspective nor an orthographic matrix", where);
    }
    camera.given = matrix;
    return camera;
}

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

double far_in_floats(double near, double far) {
    const auto n = static_cast<float>(near), f = static_cast<float>(far);
    if (std::isinf(f)) return infinity;
    const float scale = f / (f - n), offset = f * n / (f - n);  // z = scale w - offset, and w at the far plane
    const double beyond = static_cast<double>(scale) - 1;
    return beyond > 0 ? static_cast<double>(offset) / beyond : infinity;
}

}  // namespace lanecull::program
