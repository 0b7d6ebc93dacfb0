#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "picture/convex_rim.hpp"
#include "picture/solids.hpp"

/// Where a plane cuts a convex solid.
namespace lanecull::program {

namespace {

/// The plane that is filled: a little below the one that cuts, so that it is not cut away itself.
glm::vec4 filled_plane(const glm::vec4& section) { return section + glm::vec4(0, 0, 0, 1e-4F * std::abs(section.w)); }

/// Collects where edges meet a plane.
class Crossings {
public:
    explicit Crossings(const glm::vec4& plane) : plane_(plane) {}

    void add_edge(const glm::vec3& a, const glm::vec3& b) {
        const float from = height(a), to = height(b);
        if ((from > 0) != (to > 0)) points_.push_back(a + from / (from - to) * (b - a));
    }
    void add_ball(const glm::vec3& center, float radius) {
        const float h = height(center);
        if (!(std::abs(h) < radius)) return;
        const float around = std::sqrt(radius * radius - h * h);
        constexpr int corners = 24;
        for (int i = 0; i < corners; ++i) {
            const float angle = glm::two_pi<float>() * static_cast<float>(i) / corners;
            points_.push_back(center - h * normal() + around * (std::cos(angle) * u() + std::sin(angle) * v()));
        }
    }
    /// The corners of the points' hull, in order around it.
    [[nodiscard]] std::vector<glm::vec3> rim() const {
        std::vector<glm::dvec2> flat;
        for (const glm::vec3& p : points_) flat.emplace_back(glm::dot(u(), p), glm::dot(v(), p));
        std::vector<glm::vec3> rim;
        for (const glm::dvec2& p : convex_rim(std::move(flat))) {
            rim.push_back(static_cast<float>(p.x) * u() + static_cast<float>(p.y) * v() - plane_.w * normal());
        }
        return rim;
    }
    [[nodiscard]] glm::vec3 normal() const { return glm::vec3(plane_); }

private:
    [[nodiscard]] float height(const glm::vec3& p) const { return glm::dot(normal(), p) + plane_.w; }
    [[nodiscard]] glm::vec3 u() const {
        return glm::normalize(
            glm::cross(normal(), std::abs(plane_.x) < 0.6F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0)));
    }
    [[nodiscard]] glm::vec3 v() const { return glm::cross(normal(), u()); }

    glm::vec4 plane_;
    std::vector<glm::vec3> points_;
};

void add_box(Crossings& crossings, const PlacedSolid& placed) {
    std::array<glm::vec3, 8> corners;
    for (std::size_t i = 0; i < 8; ++i) {
        corners[i] = placed.center;
        for (std::size_t k = 0; k < 3; ++k) {
            corners[i] += ((i >> k & 1) != 0 ? 1.0F : -1.0F) * placed.axes[static_cast<int>(k)];
        }
    }
    for (std::size_t i = 0; i < 8; ++i) {
        for (const std::size_t along : {1U, 2U, 4U}) {
            if ((i & along) == 0) crossings.add_edge(corners[i], corners[i | along]);
        }
    }
}

void add_round(Crossings& crossings, const PlacedSolid& placed) {
    constexpr int balls = 16;
    for (int i = 0; i <= balls; ++i) {
        const float along = 2.0F * static_cast<float>(i) / balls - 1;
        crossings.add_ball(placed.center + along * placed.axes[0], placed.solid.radius);
    }
}

void add_mesh(Crossings& crossings, const PlacedSolid& placed) {
    for (const auto& triangle : placed.solid.mesh->triangles) {
        std::array<glm::vec3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = placed.center + placed.axes * placed.solid.mesh->points[triangle[k]];
        }
        for (std::size_t k = 0; k < 3; ++k) crossings.add_edge(corners[k], corners[(k + 1) % 3]);
    }
}

}  // namespace

void draw_section(Canvas& canvas, const PlacedSolid& placed, Surface surface, Rows rows) {
    const Solid& solid = placed.solid;
    if (surface.material == Material::false_positive) return;
    if (solid.form == Solid::Form::mesh && !solid.mesh->convex) return;
    const glm::vec4 plane = filled_plane(canvas.cutaway()->section);
    if (std::abs(glm::dot(glm::vec3(plane), placed.center) + plane.w) > solid.bounding_radius()) return;
    Crossings crossings(plane);
    switch (solid.form) {
        case Solid::Form::box:
            add_box(crossings, placed);
            break;
        case Solid::Form::round:
            add_round(crossings, placed);
            break;
        case Solid::Form::mesh:
            add_mesh(crossings, placed);
            break;
    }
    surface.material = section_of(surface.material);
    const std::vector<glm::vec3> rim = crossings.rim();
    for (std::size_t k = 2; k < rim.size(); ++k) {
        canvas.fill(std::array{rim[0], rim[k - 1], rim[k]}, crossings.normal(), surface, rows);
    }
}

}  // namespace lanecull::program
