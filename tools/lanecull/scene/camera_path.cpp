#include "scene/camera_path.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
constexpr double degree = 3.14159265358979323846 / 180;

void apply(const LensOptions& lens, Camera& camera) {
    if (lens.fov_degrees || lens.aspect || lens.near || lens.far) camera.given.reset();
    if (lens.fov_degrees && camera.is_orthographic()) {
        refuse("--fov {}: an orthographic camera has a height, and no angle", *lens.fov_degrees);
    }
    if (lens.fov_degrees) camera.vertical_fov = *lens.fov_degrees * degree;
    if (lens.aspect) camera.aspect = *lens.aspect;
    if (lens.near) camera.near = *lens.near;
    if (lens.far) camera.far = *lens.far;
    if (camera.near < camera.far) return;
    if (lens.near) refuse("--near {}: the far plane is at {:g}, which is to be more", *lens.near, camera.far);
    if (lens.far) refuse("--far {}: the near plane is at {:g}, which is to be less", *lens.far, camera.near);
}

/// The curve through b and c with the slopes that their neighbours give (Catmull-Rom), 0 <= t <= 1.
dvec3 spline(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d, double t) {
    const dvec3 slope_b = 0.5 * (c - a), slope_c = 0.5 * (d - b);
    const dvec3 bend = 3.0 * (c - b) - 2.0 * slope_b - slope_c;
    const dvec3 twist = 2.0 * (b - c) + slope_b + slope_c;
    return b + t * (slope_b + t * (bend + t * twist));
}

/// Between two directions, about the axis that is square to both; about `up` where they are opposite.
dvec3 turned(const dvec3& from, const dvec3& to, const dvec3& up, double t) {
    const dvec3 a = glm::normalize(from), b = glm::normalize(to);
    dvec3 axis = glm::cross(a, b);
    const double sine = glm::length(axis), angle = std::atan2(sine, glm::dot(a, b));
    axis = sine > 1e-9 ? axis / sine : glm::normalize(up - glm::dot(up, a) * a);
    return std::cos(t * angle) * a + std::sin(t * angle) * glm::cross(axis, a);
}

/// Between two depths, one or both of which may be infinite.
double mixed(double a, double b, double t) {
    if (std::isinf(a) || std::isinf(b)) return std::numeric_limits<double>::infinity();
    return glm::mix(a, b, t);
}

Camera camera_at(const CameraPath& keys, double position) {
    const std::size_t last = keys.size() - 1;
    const std::size_t i = std::min(static_cast<std::size_t>(position), last == 0 ? 0 : last - 1);
    const double t = position - static_cast<double>(i);
    const Camera& a = keys[i == 0 ? 0 : i - 1];
    const Camera& b = keys[i];
    const Camera& c = keys[std::min(i + 1, last)];
    const Camera& d = keys[std::min(i + 2, last)];
    const auto target = [](const Camera& camera) { return camera.eye + camera.forward; };
    Camera result = b;
    result.eye = spline(a.eye, b.eye, c.eye, d.eye, t);
    if (b.eye == c.eye) {  // it turns in place
        result.eye = b.eye;
        result.forward = turned(b.forward, c.forward, b.up, t);
    } else {
        result.forward = spline(target(a), target(b), target(c), target(d), t) - result.eye;
    }
    result.up = glm::mix(b.up, c.up, t);
    result.vertical_fov = glm::mix(b.vertical_fov, c.vertical_fov, t);
    result.height = glm::mix(b.height, c.height, t);
    result.aspect = glm::mix(b.aspect, c.aspect, t);
    result.shift = glm::mix(b.shift, c.shift, t);
    result.near = glm::mix(b.near, c.near, t);
    result.far = mixed(b.far, c.far, t);
    result.given.reset();
    return result;
}

/// `frames` cameras evenly along the curve through the keys, checked.
CameraPath sampled(const CameraPath& keys, std::size_t frames, const std::string& where) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].is_orthographic() == keys[0].is_orthographic()) continue;
        fail("{}, cameras {} and {}: one is orthographic and one is not, so --frames finds nothing between them", where,
             i - 1, i);
    }
    CameraPath path;
    for (std::size_t i = 0; i < frames; ++i) {
        const double fraction = frames == 1 ? 0 : static_cast<double>(i) / static_cast<double>(frames - 1);
        path.push_back(camera_at(keys, fraction * static_cast<double>(keys.size() - 1)));
        check_camera(path.back(), fmt::format("{}, frame {}", where, i));
    }
    return path;
}

/// The camera's own part of check_camera().
void check_lens(const Camera& camera, const std::string& where) {
    const auto check = [&](const char* name, double number, double low, double high) {
        if (!(number >= low && number <= high))
            fail("{}: {} is to be {} to {:g}, not {}", where, name, low, high, number);
    };
    const bool is_orthographic = camera.is_orthographic();
    if (!is_orthographic) check("fov in degrees", camera.vertical_fov / degree, 0.01, 179);
    check("height", camera.height, 0, 1e15);
    check("aspect", camera.aspect, 0.01, 100);
    if (!(std::abs(camera.shift.x) <= 100 && std::abs(camera.shift.y) <= 100)) {
        fail("{}: the principal point is more than 50 pictures away from the picture", where);
    }
    if (camera.near < camera.far && (is_orthographic ? std::isfinite(camera.far - camera.near) : camera.near > 0))
        return;
    fail(
        "{}: {}, not near = {}, far = {}", where,
        is_orthographic ? "near < far is to hold for an orthographic camera, both finite" : "0 < near < far is to hold",
        camera.near, camera.far);
}

double diagonal_of(const Bounds& bounds) { return std::max(glm::length(bounds.size()), 1e-3); }

}  // namespace

void check_camera(const Camera& camera, const std::string& where) {
    for (const dvec3& v : {camera.eye, camera.forward, camera.up}) {
        if (!is_finite(v)) fail("{}: a number is not finite", where);
    }
    if (!(glm::length(camera.forward) > 0)) fail("{}: eye and target are the same point", where);
    const double sine = glm::length(glm::cross(camera.forward, camera.up));
    if (!(sine > 1e-9 * glm::length(camera.forward) * glm::length(camera.up))) {
        fail("{}: the camera looks along its up direction", where);
    }
    check_lens(camera, where);
}

Camera fitted_camera(const Bounds& bounds, const dvec3& up, const LensOptions& lens) {
    Camera camera;
    camera.up = up;
    camera.vertical_fov = 50 * degree;
    camera.far = 0.2 * diagonal_of(bounds);
    camera.near = 1e-4 * camera.far;
    apply(lens, camera);
    return camera;
}

CameraPath fitted_path(const Bounds& bounds, const glm::dvec3& up, std::size_t frames, const LensOptions& lens) {
    // In units of half the scene's size about its centre, heights from 0 (the lowest point) to 1 (the highest).
    static constexpr struct {
        dvec3 eye, target;
    } stations[] = {{{-0.95, -0.70, 0.90}, {-0.20, -0.10, 0.10}}, {{-0.60, -0.35, 0.40}, {0.00, 0.00, 0.10}},
                    {{-0.30, -0.12, 0.07}, {0.10, 0.00, 0.05}},   {{-0.05, 0.00, 0.02}, {0.40, 0.05, 0.03}},
                    {{0.20, 0.03, 0.02}, {0.50, 0.30, 0.04}},     {{0.35, 0.25, 0.10}, {0.20, 0.70, 0.05}},
                    {{0.15, 0.50, 0.30}, {-0.50, 0.30, 0.00}},    {{-0.30, 0.45, 0.80}, {-0.10, -0.60, 0.00}},
                    {{-0.40, 0.10, 1.30}, {0.50, -0.30, 0.00}}};

    const dvec3 across(up.y, up.z, up.x), along(up.z, up.x, up.y);  // up is a unit axis: its neighbours, right-handed
    const double diagonal = diagonal_of(bounds);
    const double height = std::max(glm::dot(up, bounds.size()), 0.02 * diagonal);
    const dvec3 ground = bounds.center() - 0.5 * glm::dot(up, bounds.size()) * up;
    const auto at = [&](const dvec3& station) {
        const double x = 0.5 * std::max(glm::dot(across, bounds.size()), 0.02 * diagonal) * station.x;
        const double y = 0.5 * std::max(glm::dot(along, bounds.size()), 0.02 * diagonal) * station.y;
        return ground + x * across + y * along + height * station.z * up;
    };

    CameraPath keys;
    for (const auto& station : stations) {
        Camera camera = fitted_camera(bounds, up, lens);
        camera.eye = at(station.eye);
        camera.forward = at(station.target) - camera.eye;
        keys.push_back(camera);
    }
    return sampled(keys, frames, "camera path");
}

CameraPath circling_path(const Bounds& bounds, const dvec3& up, std::size_t frames, const LensOptions& lens) {
    const dvec3 across(up.y, up.z, up.x), along(up.z, up.x, up.y);
    const double radius = 0.5 * diagonal_of(bounds);
    CameraPath path;
    for (std::size_t i = 0; i < frames; ++i) {
        const double angle = 360 * degree * static_cast<double>(i) / static_cast<double>(frames);
        Camera camera = fitted_camera(bounds, up, lens);
        camera.forward = -glm::normalize(std::cos(angle) * across + std::sin(angle) * along + 0.4 * up);
        camera.eye = bounds.center() - radius * camera.forward;
        if (!lens.far) camera.far = 2.2 * radius;
        if (!lens.far && !lens.near) camera.near = 1e-4 * camera.far;
        check_camera(camera, "camera path");
        path.push_back(camera);
    }
    return path;
}

CameraPath walking_path(std::span<const dvec3> walk, const Bounds& bounds, const dvec3& up, std::size_t frames,
                        const LensOptions& lens) {
    double length = 0;
    for (std::size_t i = 1; i < walk.size(); ++i) length += glm::distance(walk[i - 1], walk[i]);
    CameraPath path;
    std::size_t leg = 1;
    double before = 0;  // of the legs before this one
    for (std::size_t i = 0; i < frames; ++i) {
        const double way =
            frames == 1 ? 0.5 * length : length * static_cast<double>(i) / static_cast<double>(frames - 1);
        while (leg + 1 < walk.size() && way - before > glm::distance(walk[leg - 1], walk[leg])) {
            before += glm::distance(walk[leg - 1], walk[leg]);
            ++leg;
        }
        Camera camera = fitted_camera(bounds, up, lens);
        camera.forward = glm::normalize(walk[leg] - walk[leg - 1]);
        camera.eye = walk[leg - 1] + (way - before) * camera.forward;
        check_camera(camera, fmt::format("street, frame {}", i));
        path.push_back(camera);
    }
    return path;
}

CameraPath path_through(CameraPath keys, std::optional<std::size_t> frames, const LensOptions& lens,
                        const std::string& file) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        apply(lens, keys[i]);
        check_camera(keys[i], fmt::format("{}, camera {}", file, i));
    }
    return frames ? sampled(keys, *frames, file) : keys;
}

}  // namespace lanecull::program
