#include "picture/volume.hpp"

#include <cmath>
#include <functional>

namespace lanecull::program {

using glm::dvec3;

namespace {

constexpr std::size_t faces = 6;

/// The largest value but for a fraction, and for two. Reorders them.
double almost_largest(std::vector<double>& values, double fraction) {
    const std::size_t outliers =
        values.size() < 20 ? 0 : 2 + static_cast<std::size_t>(fraction * static_cast<double>(values.size()));
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(outliers);
    std::nth_element(values.begin(), place, values.end(), std::greater<>());
    return *place;
}

dvec3 unit_axis(int k) {
    dvec3 axis(0);
    axis[k] = 1;
    return axis;
}

}  // namespace

Polyhedron::Polyhedron(const std::array<dvec3, 8>& c) {
    constexpr std::array<std::array<std::size_t, 4>, faces> quads{
        {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 3, 7, 4}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 2, 6, 7}}};
    dvec3 center(0);
    for (const dvec3& corner : c) center += corner / 8.0;
    for (const dvec3& corner : c) size_ = std::max(size_, 2 * glm::distance(corner, center));
    for (const auto& q : quads) {
        dvec3 normal = glm::normalize(glm::cross(c[q[2]] - c[q[0]], c[q[3]] - c[q[1]]));
        if (glm::dot(normal, center - c[q[0]]) < 0) normal = -normal;
        planes_.emplace_back(normal, -glm::dot(normal, c[q[0]]));
    }
}

void Polyhedron::cut(const dvec3& normal, double offset) { planes_.emplace_back(normal, offset); }

void Polyhedron::cut_to(const Bounds& bounds, int axis) {
    if (std::isfinite(bounds.lower[axis])) cut(unit_axis(axis), -bounds.lower[axis]);
    if (std::isfinite(bounds.upper[axis])) cut(-unit_axis(axis), bounds.upper[axis]);
}

/// What all other planes leave of the line in which two meet.
std::vector<Polyhedron::Edge> Polyhedron::edges() const {
    std::vector<Edge> all;
    for (std::size_t i = 0; i < planes_.size(); ++i) {
        for (std::size_t j = i + 1; j < planes_.size(); ++j) {
            const dvec3 m(planes_[i]), n(planes_[j]), along = glm::cross(m, n);
            const double square = glm::dot(along, along);
            if (square < 1e-18) continue;
            const dvec3 start = glm::cross(planes_[j].w * m - planes_[i].w * n, along) / square;
            double first = -1e300, last = 1e300;  // start + t along
            for (std::size_t k = 0; k < planes_.size(); ++k) {
                if (k == i || k == j) continue;
                const double slope = glm::dot(dvec3(planes_[k]), along);
                const double height = glm::dot(dvec3(planes_[k]), start) + planes_[k].w;
                if (std::abs(slope) < 1e-12 * std::sqrt(square)) {
                    if (height < -1e-9 * size_) last = -1e300;
                } else if (slope > 0) {
                    first = std::max(first, -height / slope);
                } else {
                    last = std::min(last, -height / slope);
                }
            }
            if ((last - first) * std::sqrt(square) < 1e-9 * size_) continue;
            all.push_back({start + first * along, start + last * along, j >= faces});
        }
    }
    return all;
}

std::vector<dvec3> Polyhedron::corners() const {
    std::vector<dvec3> all;
    for (const Edge& edge : edges()) all.insert(all.end(), {edge.a, edge.b});
    return all;
}

Beam Polyhedron::seen_by(const Projection& projection) const {
    Beam beam;
    for (const glm::dvec4& plane : planes_) {
        const dvec3 normal(plane);
        beam.planes.emplace_back(glm::vec3(projection.view_from_world * normal),
                                 static_cast<float>(glm::dot(normal, projection.eye) + plane.w));
    }
    return beam;
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

Polyhedron shown_volume(const Camera& camera, const Bounds& bounds, const dvec3& up) {
    Bounds shown = bounds;
    shown.add(camera.eye);
    const double size = glm::length(shown.size());
    shown.add(camera.eye + std::min(camera.far, 0.2 * size) * glm::normalize(camera.forward));
    const Polyhedron whole(camera.bounded(2 * size));
    Polyhedron volume = whole;
    for (int k = 0; k < 3; ++k) {
        // Ends at the ground, but a little beyond the scene in all other directions.
        const double slack = 0.04 * (std::abs(up[k]) > 0.5 ? shown.size()[k] : size);
        volume.cut_to({shown.lower - (up[k] > 0.5 ? 0 : slack), shown.upper + (up[k] < -0.5 ? 0 : slack)}, k);
    }
    return volume.empty() ? whole : volume;
}

Projection seen_through(const Camera& camera, glm::ivec2 size) {
    if (camera.is_orthographic()) {
        const double wide = camera.height * std::max(1.0, camera.aspect);
        const double back = 100 * std::max({wide, std::abs(camera.near), std::abs(camera.far)});
        const auto [right, above, backward] = camera.basis();
        const dvec3 middle =
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
Projection framing(std::span<const dvec3> points, const dvec3& forward, const dvec3& up, double vertical_fov,
                   glm::ivec2 size, const Margins& margins) {
    Projection projection = Projection::looking(dvec3(0), forward, up, vertical_fov, size);
    const double half_height = std::tan(0.5 * vertical_fov), half_width = half_height * size.x / size.y;
    struct Pair {
        double low_slope, high_slope;  // the frame's, from the middle: -low_slope <= p.x / p.z <= high_slope
        double low = 1e300, high = -1e300;

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
    for (const dvec3& point : points) {
        const dvec3 p = projection.view_from_world * point;
        horizontal.add(p.x, p.z);
        vertical.add(p.y, p.z);
    }
    const double z = std::min(horizontal.depth(), vertical.depth());
    projection.eye = glm::transpose(projection.view_from_world) * dvec3(horizontal.across(z), vertical.across(z), z);
    return projection;
}

}  // namespace lanecull::program
