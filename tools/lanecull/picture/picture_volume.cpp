#include "picture/picture_volume.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <utility>

namespace lanecull::program {

namespace {

bool same_point(const glm::dvec3& a, const glm::dvec3& b, double tolerance) { return glm::distance(a, b) <= tolerance; }

/// Points of a convex polygon's rim, in order around it.
void order_around(std::vector<glm::dvec3>& points, const glm::dvec3& normal) {
    glm::dvec3 center(0);
    for (const glm::dvec3& p : points) center += p / static_cast<double>(points.size());
    const glm::dvec3 u = glm::normalize(points[0] - center);
    const glm::dvec3 v = glm::cross(normal, u);
    const auto angle = [&](const glm::dvec3& p) {
        return std::atan2(glm::dot(p - center, v), glm::dot(p - center, u));
    };
    std::sort(points.begin(), points.end(), [&](const auto& a, const auto& b) { return angle(a) < angle(b); });
}

/// The largest value but for a fraction, and for two. Reorders them.
double almost_largest(std::vector<double>& values, double fraction) {
    const std::size_t outliers =
        values.size() < 20 ? 0 : 2 + static_cast<std::size_t>(fraction * static_cast<double>(values.size()));
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(outliers);
    std::nth_element(values.begin(), place, values.end(), std::greater<>());
    return *place;
}

}  // namespace

Polyhedron::Polyhedron(const Camera& camera) : Polyhedron(camera.corners()) {}

Polyhedron::Polyhedron(const std::array<glm::dvec3, 8>& c) {
    constexpr std::array<std::array<std::size_t, 4>, 6> quads{
        {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 3, 7, 4}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 2, 6, 7}}};
    glm::dvec3 center(0);
    for (const glm::dvec3& corner : c) center += corner / 8.0;
    for (const auto& quad : quads) {
        faces_.push_back({{c[quad[0]], c[quad[1]], c[quad[2]], c[quad[3]]}, false});
        glm::dvec3 normal = glm::normalize(glm::cross(c[quad[2]] - c[quad[0]], c[quad[3]] - c[quad[1]]));
        if (glm::dot(normal, center - c[quad[0]]) < 0) normal = -normal;
        planes_.emplace_back(normal, -glm::dot(normal, c[quad[0]]));
    }
}

void Polyhedron::cut(const glm::dvec3& normal, double offset) {
    const std::vector<glm::dvec3> all = corners();
    double extent = 0;
    for (const glm::dvec3& corner : all) extent = std::max(extent, glm::distance(corner, all[0]));
    Face cap{{}, true};
    const auto add_to_cap = [&](const glm::dvec3& p) {
        const auto is_p = [&](const glm::dvec3& other) { return same_point(p, other, 1e-9 * extent); };
        if (std::none_of(cap.corners.begin(), cap.corners.end(), is_p)) cap.corners.push_back(p);
    };
    const auto height = [&](const glm::dvec3& p) { return glm::dot(normal, p) + offset; };
    std::vector<Face> kept;
    for (const Face& face : faces_) {
        Face rest{{}, face.cut};
        glm::dvec3 previous = face.corners.back();
        for (const glm::dvec3& corner : face.corners) {
            const double from = height(previous), to = height(corner);
            if ((from >= 0) != (to >= 0)) {
                rest.corners.push_back(previous + from / (from - to) * (corner - previous));
                add_to_cap(rest.corners.back());
            }
            if (to >= 0) rest.corners.push_back(corner);
            previous = corner;
        }
        if (rest.corners.size() >= 3) kept.push_back(std::move(rest));
    }
    if (cap.corners.size() >= 3) {
        order_around(cap.corners, normal);
        kept.push_back(std::move(cap));
    }
    faces_ = std::move(kept);
    planes_.emplace_back(normal, offset);
}

std::vector<glm::dvec3> Polyhedron::corners() const {
    std::vector<glm::dvec3> all;
    for (const Face& face : faces_) all.insert(all.end(), face.corners.begin(), face.corners.end());
    return all;
}

Beam Polyhedron::seen_by(const Projection& projection) const {
    Beam beam;
    for (const glm::dvec4& plane : planes_) {
        const glm::dvec3 normal(plane);
        beam.planes.emplace_back(glm::vec3(projection.view_from_world * normal),
                                 static_cast<float>(glm::dot(normal, projection.eye) + plane.w));
    }
    return beam;
}

bool Polyhedron::behind(const glm::dvec3& eye, const glm::dvec3& point) const {
    double enters = 1, leaves = std::numeric_limits<double>::infinity();  // eye + t (point - eye)
    for (const glm::dvec4& plane : planes_) {
        const double slope = glm::dot(glm::dvec3(plane), point - eye);
        const double at_eye = glm::dot(glm::dvec3(plane), eye) + plane.w;
        if (slope > 0)
            enters = std::max(enters, -at_eye / slope);
        else if (slope < 0)
            leaves = std::min(leaves, -at_eye / slope);
        else if (at_eye < 0)
            return false;
    }
    return enters < leaves;
}

std::vector<Polyhedron::Edge> Polyhedron::edges() const {
    std::vector<Edge> all;
    for (const Face& face : faces_) {
        for (std::size_t i = 0; i < face.corners.size(); ++i) {
            const Edge edge{face.corners[i], face.corners[(i + 1) % face.corners.size()], face.cut};
            const double tolerance = 1e-6 * glm::distance(edge.a, edge.b);
            const auto twin = std::find_if(all.begin(), all.end(), [&](const Edge& other) {
                return (same_point(edge.a, other.b, tolerance) && same_point(edge.b, other.a, tolerance)) ||
                       (same_point(edge.a, other.a, tolerance) && same_point(edge.b, other.b, tolerance));
            });
            if (twin == all.end())
                all.push_back(edge);
            else
                twin->cut = twin->cut || edge.cut;
        }
    }
    return all;
}

Bounds main_bounds(const Scene& scene) {
    constexpr std::uint64_t most_samples = 1U << 17;
    const std::uint64_t stride = scene.object_count() / most_samples + 1;
    std::array<std::vector<double>, 3> lower, upper;  // the lower ones negated
    for (const Group& group : scene.groups) {
        for (std::uint64_t i = 0; i < object_count(group.arrays); i += stride) {
            const Bounds bounds = object_bounds(group.arrays, i);
            for (int k = 0; k < 3; ++k) {
                if (!std::isfinite(bounds.lower[k]) || !std::isfinite(bounds.upper[k])) break;
                lower[static_cast<std::size_t>(k)].push_back(-bounds.lower[k]);
                upper[static_cast<std::size_t>(k)].push_back(bounds.upper[k]);
            }
        }
    }
    Bounds result;
    for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        if (lower[axis].empty()) return result;
        constexpr double stray = 5e-5, below_ground = 0.02;
        result.lower[k] = -almost_largest(lower[axis], scene.up[k] > 0.5 ? below_ground : stray);
        result.upper[k] = almost_largest(upper[axis], scene.up[k] < -0.5 ? below_ground : stray);
    }
    return result;
}

Polyhedron shown_volume(const Camera& camera, const Bounds& bounds, const glm::dvec3& up) {
    Bounds shown = bounds;
    shown.add(camera.eye);
    const double size = glm::length(shown.size());
    shown.add(camera.eye + std::min(camera.far, 0.2 * size) * glm::normalize(camera.forward));
    const Polyhedron whole(camera.bounded(2 * size));
    Polyhedron volume = whole;
    for (int k = 0; k < 3; ++k) {
        glm::dvec3 axis(0);
        axis[k] = 1;
        // Ends at the ground, but a little beyond the scene in all other directions.
        const double slack = 0.04 * (std::abs(up[k]) > 0.5 ? shown.size()[k] : size);
        volume.cut(axis, (up[k] > 0.5 ? 0 : slack) - shown.lower[k]);
        volume.cut(-axis, (up[k] < -0.5 ? 0 : slack) + shown.upper[k]);
    }
    return volume.empty() ? whole : volume;
}

Projection seen_through(const Camera& camera, glm::ivec2 size) {
    if (camera.is_orthographic()) {
        const double wide = camera.height * std::max(1.0, camera.aspect);
        const double back = 100 * std::max(wide, std::max(std::abs(camera.near), std::abs(camera.far)));
        const auto [right, above, backward] = camera.basis();
        const glm::dvec3 middle =
            camera.eye + 0.5 * camera.height * (camera.shift.x * camera.aspect * right + camera.shift.y * above);
        return Projection::looking(middle + back * backward, -backward, above,
                                   2 * std::atan(0.5 * camera.height / back), size);
    }
    Projection projection = Projection::looking(camera.eye, camera.forward, camera.up, camera.vertical_fov, size);
    projection.center += 0.5F * glm::vec2(size) * glm::vec2(-camera.shift.x, camera.shift.y);
    return projection;
}

// With the eye at (x, y, z) in view axes and a side plane of slope k, a point p is on the inner side of the right-hand
// plane when p.x - k p.z <= x - k z, of the left-hand one when p.x + k p.z >= x + k z. Both become equalities at the
// nearest eye: two equations a pair of sides; the farther of the two pairs decides z, and then each pair centres
// itself.
Projection framing(std::span<const glm::dvec3> points, const glm::dvec3& forward, const glm::dvec3& up,
                   double vertical_fov, glm::ivec2 size, const Margins& margins) {
    Projection projection = Projection::looking(glm::dvec3(0), forward, up, vertical_fov, size);
    const double half_height = std::tan(0.5 * vertical_fov);
    const double half_width = half_height * size.x / size.y;
    struct Pair {
        double low_slope, high_slope;  // the frame's, from the middle: -low_slope <= p.x / p.z <= high_slope
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();

        void add(double across, double depth) {
            low = std::min(low, across + low_slope * depth);
            high = std::max(high, across - high_slope * depth);
        }
        [[nodiscard]] double depth() const { return (low - high) / (low_slope + high_slope); }
        // The eye's position at a depth no greater than depth(): halfway between what the two sides allow.
        [[nodiscard]] double across(double z) const { return 0.5 * (low - low_slope * z + high + high_slope * z); }
    };
    Pair horizontal{half_width * (1 - 2 * margins.left), half_width * (1 - 2 * margins.right)};
    Pair vertical{half_height * (1 - 2 * margins.top), half_height * (1 - 2 * margins.bottom)};
    for (const glm::dvec3& point : points) {
        const glm::dvec3 p = projection.view_from_world * point;
        horizontal.add(p.x, p.z);
        vertical.add(p.y, p.z);
    }
    const double z = std::min(horizontal.depth(), vertical.depth());
    const glm::dvec3 eye(horizontal.across(z), vertical.across(z), z);
    projection.eye = glm::transpose(projection.view_from_world) * eye;
    return projection;
}

}  // namespace lanecull::program
