#include "scene/free_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <numbers>
#include <optional>
#include <vector>

#include "scene/free_space.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

constexpr std::size_t stations = 9;  // of fitted_path(), evenly along it; 2 to 5 stand near the ground

bool is_low(std::size_t station) { return station >= 2 && station <= 5; }

struct Plan {
    const FreeSpace& space;
    const Bounds& bounds;  ///< of the scene, or of the room in it
    dvec3 up;
    std::size_t frames;
    const LensOptions& lens;

    [[nodiscard]] dvec3 across() const { return {up.y, up.z, up.x}; }  // up is a unit axis
    [[nodiscard]] dvec3 along() const { return {up.z, up.x, up.y}; }
    [[nodiscard]] double height() const { return glm::dot(up, bounds.size()); }
    /// The lesser along the ground.
    [[nodiscard]] double width() const {
        return std::min(glm::dot(across(), bounds.size()), glm::dot(along(), bounds.size()));
    }
    [[nodiscard]] double diagonal() const { return std::max(glm::length(bounds.size()), 1e-3); }
    /// How far below a low camera the ground may be.
    [[nodiscard]] double depth() const {
        return std::max({0.2 * height(), 0.02 * diagonal(), 1.5 * space.clearance()});
    }
};

/// Whether the fitted path can stay as it is.
bool has_room(const Plan& plan, const CameraPath& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (!plan.space.has_room(path[i].eye)) return false;
        const auto station = static_cast<std::size_t>(std::lround(
            static_cast<double>(i) * (stations - 1) / static_cast<double>(std::max<std::size_t>(path.size() - 1, 1))));
        if (is_low(station) && !plan.space.has_ground(path[i].eye, plan.depth())) return false;
    }
    return true;
}

/// The way from station to station, as far as there is one. Fewer than three corners: no way.
std::vector<dvec3> way_through(const Plan& plan) {
    const CameraPath fitted = fitted_path(plan.bounds, plan.up, stations, plan.lens);
    std::vector<dvec3> way;
    for (std::size_t k = 0; k < stations; ++k) {
        std::optional<double> depth;
        if (is_low(k)) depth = plan.depth();
        const std::optional<dvec3> place = plan.space.nearest_room(fitted[k].eye, depth);
        if (!place) continue;
        if (way.empty()) {
            way.push_back(*place);
            continue;
        }
        const std::vector<dvec3> leg = plan.space.way(way.back(), *place);
        if (leg.size() > 1) way.insert(way.end(), leg.begin() + 1, leg.end());
    }
    return way;
}

/// Cuts corners off, where there is room for it, so that the camera turns slowly.
std::vector<dvec3> rounded(const Plan& plan, std::vector<dvec3> way) {
    for (int pass = 0; pass < 3; ++pass) {
        std::vector<dvec3> next = {way.front()};
        for (std::size_t i = 1; i + 1 < way.size(); ++i) {
            const dvec3 before = glm::mix(way[i], way[i - 1], 0.25), after = glm::mix(way[i], way[i + 1], 0.25);
            if (plan.space.sees(before, after)) {
                next.push_back(before);
                next.push_back(after);
            } else {
                next.push_back(way[i]);
            }
        }
        next.push_back(way.back());
        way = std::move(next);
    }
    return way;
}

/// The place at `length` along the way; its end beyond that.
dvec3 along(const std::vector<dvec3>& way, double length) {
    for (std::size_t i = 1; i < way.size(); ++i) {
        const double leg = glm::distance(way[i - 1], way[i]);
        if (length <= leg && leg > 0) return glm::mix(way[i - 1], way[i], length / leg);
        length -= leg;
    }
    return way.back();
}

/// A level direction turned towards the middle, the more the nearer the eye is to the bounds' rim, where it never
/// points outwards.
dvec3 turned_in(const Plan& plan, const dvec3& level, const dvec3& eye) {
    dvec3 inwards = plan.bounds.center() - eye;
    inwards -= glm::dot(inwards, plan.up) * plan.up;
    const auto share_of = [&](const dvec3& axis) {
        return std::abs(glm::dot(inwards, axis)) / std::max(glm::dot(axis, plan.bounds.size()), 1e-9 * plan.diagonal());
    };
    const double off = std::max(share_of(plan.across()), share_of(plan.along()));  // at the rim a half
    const double share = std::clamp(4 * (off - 0.15), 0.0, 1.0);
    if (share == 0) return level;
    inwards = glm::normalize(inwards);
    return glm::normalize(level + 2 * share * inwards + 0.01 * glm::cross(plan.up, inwards));  // never of length 0
}

/// A direction turned about `up`, towards the middle if that will do, by the least angle after which no surface
/// ahead is nearer than thrice the clearance; unturned if that takes more than a right angle.
dvec3 turned_from_walls(const Plan& plan, const dvec3& forward, const dvec3& eye) {
    const double least = 3 * plan.space.clearance();
    const double inwards = glm::dot(glm::cross(plan.up, forward), plan.bounds.center() - eye) < 0 ? -1 : 1;
    for (const double degrees : {0.0, 30.0, 60.0, 90.0, -30.0, -60.0, -90.0}) {
        const double angle = inwards * degrees * std::numbers::pi / 180;
        const dvec3 rise = glm::dot(forward, plan.up) * plan.up, level = forward - rise;
        const dvec3 way = std::cos(angle) * level + std::sin(angle) * glm::cross(plan.up, level) + rise;
        if (!plan.space.distance(eye, glm::normalize(way), least)) return way;
    }
    return forward;
}

/// Cameras along the way, each looking at where it will be a while later, level or up to 30 degrees down, but neither
/// out of the scene nor at a wall before it.
CameraPath flight(const Plan& plan, const std::vector<dvec3>& way) {
    double length = 0;
    for (std::size_t i = 1; i < way.size(); ++i) length += glm::distance(way[i - 1], way[i]);
    const double ahead = std::max(0.04 * length, 1e-6 * plan.diagonal());
    CameraPath path = fitted_path(plan.bounds, plan.up, plan.frames, plan.lens);
    dvec3 level = plan.across();  // the last direction along the ground
    for (std::size_t i = 0; i < path.size(); ++i) {
        const double share = path.size() == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(path.size() - 1);
        const double at = share * (length - ahead);
        path[i].eye = along(way, at);
        const dvec3 forward = along(way, at + ahead) - path[i].eye;
        const double rise = glm::dot(forward, plan.up);
        const dvec3 flat = forward - rise * plan.up;
        if (glm::length(flat) > 1e-3 * glm::length(forward)) level = glm::normalize(flat);
        const double most = std::tan(std::numbers::pi / 6) * glm::length(flat);
        const dvec3 ahead_of_it = turned_in(plan, level, path[i].eye) * std::max(glm::length(flat), 1e-3 * ahead);
        path[i].forward = turned_from_walls(plan, ahead_of_it + std::clamp(rise, -most, 0.0) * plan.up, path[i].eye);
    }
    return path;
}

/// How far the nearest surface is that the camera may see, of five directions.
std::optional<double> nearest_seen(const Plan& plan, const Camera& camera) {
    const Camera::Basis basis = camera.basis();
    const double y = 0.6 * std::tan(0.5 * camera.vertical_fov), x = camera.aspect * y;
    std::optional<double> nearest;
    for (const auto& [right, above] :
         std::array<std::array<double, 2>, 5>{{{0, 0}, {x, y}, {-x, y}, {x, -y}, {-x, -y}}}) {
        const dvec3 direction = glm::normalize(right * basis.right + above * basis.up - basis.backward);
        const std::optional<double> found =
            plan.space.distance(camera.eye, direction, nearest.value_or(3 * plan.diagonal()));
        if (found) nearest = found;
    }
    return nearest;
}

/// What some 30 cameras of the path see.
struct Sight {
    double far = 0;  ///< what it takes for each that looks at anything to see some of it
    std::size_t cameras = 0, looking_at_something = 0;
};

Sight sight_along(const Plan& plan, const CameraPath& path) {
    Sight sight;
    const std::size_t step = std::max<std::size_t>(path.size() / 30, 1);
    for (std::size_t i = 0; i < path.size(); i += step) {
        ++sight.cameras;
        const std::optional<double> nearest = nearest_seen(plan, path[i]);
        if (!nearest) continue;
        ++sight.looking_at_something;
        sight.far = std::max(sight.far, 1.5 * *nearest);
    }
    return sight;
}

void move_far_plane_out(CameraPath& path, double far, const LensOptions& lens) {
    for (Camera& camera : path) {
        if (camera.far >= far) continue;
        if (!lens.near) camera.near *= far / camera.far;
        camera.far = far;
    }
}

/// Around the bounds in a circle, from somewhat above and so far away that all of them is in view.
CameraPath outside_path(const Bounds& bounds, const dvec3& up, std::size_t frames, const LensOptions& lens) {
    const dvec3 across(up.y, up.z, up.x), along(up.z, up.x, up.y);  // up is a unit axis
    const double radius = 0.5 * std::max(glm::length(bounds.size()), 1e-3);
    CameraPath path = fitted_path(bounds, up, frames, lens);
    for (std::size_t i = 0; i < path.size(); ++i) {
        Camera& camera = path[i];
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(path.size());
        const dvec3 away = glm::normalize(std::cos(angle) * across + std::sin(angle) * along + 0.4 * up);
        // A ball around the bounds touches the picture's nearer edges.
        const double half = std::atan(std::tan(0.5 * camera.vertical_fov) * std::min(1.0, camera.aspect));
        const double distance = radius / std::sin(half);
        camera.eye = bounds.center() + distance * away;
        camera.forward = -away;
        const double far = 1.1 * (distance + radius);
        if (!lens.far && !lens.near) camera.near *= far / camera.far;
        if (!lens.far) camera.far = far;
    }
    return path;
}

}  // namespace

CameraPath free_path(const Scene& scene, const Bounds& bounds, std::size_t frames, const LensOptions& lens) {
    const FreeSpace space(scene, bounds);
    const Plan plan{space, space.enclosed() ? space.room() : bounds, scene.up, frames, lens};
    CameraPath path = fitted_path(plan.bounds, scene.up, frames, lens);
    Sight sight = sight_along(plan, path);
    if (space.enclosed() || !has_room(plan, path) || 2 * sight.looking_at_something < sight.cameras) {
        const bool can_be_walked = space.enclosed() || plan.height() < 0.5 * plan.width();
        const std::vector<dvec3> way = can_be_walked ? way_through(plan) : std::vector<dvec3>();
        path = way.size() > 2 ? flight(plan, rounded(plan, way)) : outside_path(plan.bounds, plan.up, frames, lens);
        sight = sight_along(plan, path);
    }
    if (!lens.far) move_far_plane_out(path, sight.far, lens);
    return path;
}

}  // namespace lanecull::program
