#include "picture/solids.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <variant>

namespace lanecull::program {

namespace {

Solid box(const glm::dvec3& center, const glm::vec3& half) {
    const glm::mat3 axes({half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z});
    return {.form = Solid::Form::box, .center = center, .axes = axes};
}

Solid solid(const SphereArrays& spheres, std::size_t i) {
    return {.form = Solid::Form::round,
            .center = {spheres.x[i], spheres.y[i], spheres.z[i]},
            .axes = glm::mat3(0),
            .radius = spheres.radius[i]};
}

Solid solid(const BoxArrays& boxes, std::size_t i) {
    const glm::dvec3 lower(boxes.min_x[i], boxes.min_y[i], boxes.min_z[i]);
    const glm::dvec3 upper(boxes.max_x[i], boxes.max_y[i], boxes.max_z[i]);
    return box(0.5 * (lower + upper), 0.5 * (upper - lower));
}

Solid solid(const CenteredBoxArrays& boxes, std::size_t i) {
    return box({boxes.x[i], boxes.y[i], boxes.z[i]}, {boxes.half_x[i], boxes.half_y[i], boxes.half_z[i]});
}

Solid solid(const OrientedBoxArrays& boxes, std::size_t i) {
    const float* axes = &boxes.axes[9 * i];
    const float* half = &boxes.half_extents[3 * i];
    Solid result{.form = Solid::Form::box, .center = {boxes.x[i], boxes.y[i], boxes.z[i]}};
    for (int k = 0; k < 3; ++k) result.axes[k] = half[k] * glm::vec3(axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]);
    return result;
}

Solid solid(const CapsuleArrays& capsules, std::size_t i) {
    const glm::dvec3 a(capsules.a_x[i], capsules.a_y[i], capsules.a_z[i]);
    const glm::dvec3 b(capsules.b_x[i], capsules.b_y[i], capsules.b_z[i]);
    Solid result{.form = Solid::Form::round, .center = 0.5 * (a + b), .axes = glm::mat3(0)};
    result.axes[0] = 0.5 * (b - a);
    result.radius = capsules.radius[i];
    return result;
}

Solid solid(const HullInstanceArrays& instances, const std::vector<SolidHull>& hulls, std::size_t i) {
    const float* m = &instances.transforms[12 * i];
    const SolidHull& hull = hulls[instances.hull_index[i]];
    const glm::mat3 axes({m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]});
    const glm::dvec3 center = glm::dmat3(axes) * glm::dvec3(hull.origin) + glm::dvec3(m[3], m[7], m[11]);
    return {.form = Solid::Form::mesh, .center = center, .axes = axes, .mesh = &hull.mesh};
}

/// A unit vector at right angles to a unit vector.
glm::vec3 perpendicular(const glm::vec3& w) {
    return glm::normalize(glm::cross(w, std::abs(w.x) < 0.6F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0)));
}

/// A solid in view space.
struct Placed {
    glm::vec3 center;
    glm::mat3 axes;
};

/// A convex solid's face is in sight when the eye, at 0, is on its outer side.
bool in_sight(const glm::vec3& outward, const glm::vec3& point) { return glm::dot(outward, point) < 0; }

void draw_box(Canvas& canvas, const Placed& placed, Surface surface, Rows rows) {
    for (int k = 0; k < 3; ++k) {
        const glm::vec3 u = placed.axes[(k + 1) % 3], v = placed.axes[(k + 2) % 3];
        const glm::vec3 across = glm::cross(u, v);
        const glm::vec3 outward = glm::dot(across, placed.axes[k]) < 0 ? -across : across;
        for (const float side : {-1.0F, 1.0F}) {
            const glm::vec3 middle = placed.center + side * placed.axes[k];
            if (!in_sight(side * outward, middle)) continue;
            const std::array corners{middle - u - v, middle + u - v, middle + u + v, middle - u + v};
            canvas.fill(corners, outward, surface, rows);
        }
    }
}

void draw_mesh(Canvas& canvas, const Placed& placed, const SolidMesh& mesh, Surface surface, Rows rows) {
    const glm::vec3 inner = placed.center + placed.axes * mesh.inner;
    for (const auto& triangle : mesh.triangles) {
        std::array<glm::vec3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) corners[k] = placed.center + placed.axes * mesh.points[triangle[k]];
        glm::vec3 normal = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
        if (mesh.convex) {
            if (glm::dot(normal, corners[0] - inner) < 0) normal = -normal;
            if (!in_sight(normal, corners[0])) continue;
        }
        canvas.fill(corners, normal, surface, rows);
    }
}

/// Points of the unit circle, `4 * quarter` of them: sines and cosines are looked up, not computed.
constexpr int max_quarter = 16;

const std::vector<glm::vec2>& circle(int quarter) {
    static const auto circles = [] {
        std::array<std::vector<glm::vec2>, max_quarter + 1> all;
        for (int q = 1; q <= max_quarter; ++q) {
            for (int i = 0; i < 4 * q; ++i) {
                const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(4 * q);
                all[static_cast<std::size_t>(q)].emplace_back(std::cos(angle), std::sin(angle));
            }
        }
        return all;
    }();
    return circles[static_cast<std::size_t>(quarter)];
}

/// Facets of a capsule (or ball): rings from pole to pole, those of the upper half shifted by +axes[0], those of the
/// lower half by -axes[0], and the tube between.
void draw_round(Canvas& canvas, const Placed& placed, float radius, int quarter, Surface surface, Rows rows) {
    const std::vector<glm::vec2>& unit = circle(quarter);
    const auto segments = static_cast<int>(unit.size());
    const glm::vec3 axis = placed.axes[0];
    const float length = glm::length(axis);
    const glm::vec3 w = length > 0 ? axis / length : glm::vec3(0, 1, 0);
    const glm::vec3 u = perpendicular(w);
    const glm::vec3 v = glm::cross(w, u);
    const auto point = [&](int latitude, int longitude, const glm::vec3& shift) {
        const glm::vec2 up = unit[static_cast<std::size_t>((latitude + segments) % segments)];
        const glm::vec2 around = unit[static_cast<std::size_t>(longitude % segments)];
        return placed.center + shift + radius * (up.x * (around.x * u + around.y * v) + up.y * w);
    };
    const auto band = [&](int low, int high, const glm::vec3& low_shift, const glm::vec3& high_shift) {
        for (int s = 0; s < segments; ++s) {
            const std::array corners{point(low, s, low_shift), point(low, s + 1, low_shift),
                                     point(high, s + 1, high_shift), point(high, s, high_shift)};
            // The diagonals' cross product does not vanish at a pole.
            const glm::vec3 across = glm::cross(corners[2] - corners[0], corners[3] - corners[1]);
            const glm::vec3 middle = 0.25F * (corners[0] + corners[1] + corners[2] + corners[3]);
            const glm::vec3 outward =
                glm::dot(across, middle - placed.center - 0.5F * (low_shift + high_shift)) < 0 ? -across : across;
            if (in_sight(outward, middle)) canvas.fill(corners, outward, surface, rows);
        }
    };
    for (int ring = 0; ring < quarter; ++ring) {
        band(ring, ring + 1, axis, axis);
        band(-ring - 1, -ring, -axis, -axis);
    }
    if (length > 0) band(0, 0, -axis, axis);
}

}  // namespace

float Solid::bounding_radius() const {
    if (form == Form::round) return glm::length(axes[0]) + radius;
    const glm::mat3 half = half_edges();
    float square = 0;
    for (const float s : {-1.0F, 1.0F}) {
        for (const float t : {-1.0F, 1.0F}) {
            const glm::vec3 corner = half[0] + s * half[1] + t * half[2];
            square = std::max(square, glm::dot(corner, corner));
        }
    }
    return std::sqrt(square);
}

bool Solid::finite() const {
    const glm::vec3 sum = glm::abs(axes[0]) + glm::abs(axes[1]) + glm::abs(axes[2]) + glm::abs(glm::vec3(center));
    return std::isfinite(sum.x + sum.y + sum.z + radius) && radius >= 0;
}

glm::mat3 Solid::half_edges() const {
    if (form == Form::round) {
        const float length = glm::length(axes[0]);
        const glm::vec3 w = length > 0 ? axes[0] / length : glm::vec3(0, 0, 1);
        const glm::vec3 u =
            glm::normalize(glm::cross(w, std::abs(w.x) < 0.6F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0)));
        return {(length + radius) * w, radius * u, radius * glm::cross(w, u)};
    }
    if (form == Form::box) return axes;
    return {mesh->half_size[0] * axes[0], mesh->half_size[1] * axes[1], mesh->half_size[2] * axes[2]};
}

Solid solid_of(const Arrays& arrays, const std::vector<SolidHull>& hulls, std::size_t i) {
    return std::visit(
        [&](const auto& kind) {
            if constexpr (requires { kind.meshes; })
                return solid(kind, hulls, i);
            else
                return solid(kind, i);
        },
        arrays);
}

void draw_solid(Canvas& canvas, const Solid& solid, Surface surface, float chance, Rows rows) {
    const Projection& projection = canvas.projection();
    const glm::mat3 rotation(projection.view_from_world);
    Placed placed{projection.view(solid.center), rotation * solid.axes};
    const float bound = solid.bounding_radius();
    const float samples_per_unit = projection.focal / std::max(placed.center.z, bound);
    if (bound * samples_per_unit < 0.75F) {
        const float area = 2 * bound * bound * samples_per_unit * samples_per_unit;
        if (chance < area) canvas.plot(placed.center, glm::vec3(0, -1, -1), surface, rows);
        return;
    }
    if (canvas.cutaway()) draw_section(canvas, {solid, placed.center, placed.axes}, surface, rows);
    const bool small = bound * samples_per_unit < 4;
    if (solid.form == Solid::Form::mesh && !small) return draw_mesh(canvas, placed, *solid.mesh, surface, rows);
    const float round_size = solid.radius * samples_per_unit;
    if (solid.form == Solid::Form::round && round_size >= 2) {
        const int quarter = std::clamp(static_cast<int>(1.3F * std::sqrt(round_size)), 2, max_quarter);
        return draw_round(canvas, placed, solid.radius, quarter, surface, rows);
    }
    placed.axes = rotation * solid.half_edges();
    draw_box(canvas, placed, surface, rows);
}

}  // namespace lanecull::program
