#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "picture/canvas.hpp"
#include "scene/scene.hpp"

/// Objects as solids to draw: each kind of the library comes down to one of four.
namespace lanecull::program {

/// Triangles around an origin.
struct SolidMesh {
    std::vector<glm::vec3> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    glm::vec3 half_size{0};  ///< |p| <= half_size, component by component
    bool convex = false;     ///< `inner` is on the inner side of each triangle: half of them need no drawing
    glm::vec3 inner{0};
};

/// What HullInstanceArrays's meshes look like; their `origin` in the mesh's own coordinates.
struct SolidHull {
    SolidMesh mesh;
    glm::vec3 origin{0};
};

/// The meshes' own triangles, or where there are none those of the convex hull of the points.
[[nodiscard]] std::vector<SolidHull> solid_hulls(const HullInstanceArrays& instances);

/// box: center +- axes[0] +- axes[1] +- axes[2]; round: all within `radius` of the segment center +- axes[0];
/// mesh: center + axes p. Axes are columns.
struct Solid {
    enum class Form : std::uint8_t { box, round, mesh };

    Form form = Form::box;
    glm::dvec3 center{0};
    glm::mat3 axes{0};
    float radius = 0;
    const SolidMesh* mesh = nullptr;

    /// No point is farther from the centre.
    [[nodiscard]] float bounding_radius() const;
    [[nodiscard]] bool finite() const;
    /// Three half-edges of a box around it.
    [[nodiscard]] glm::mat3 half_edges() const;
};

/// Object i. `hulls` is what solid_hulls() made of a group of hull instances.
[[nodiscard]] Solid solid_of(const Arrays& arrays, const std::vector<SolidHull>& hulls, std::size_t i);

/// A solid in view space. Of round ones the radius is theirs.
struct PlacedSolid {
    const Solid& solid;
    glm::vec3 center;
    glm::mat3 axes;
};

/// Fills the area in which the canvas's cutaway cuts a solid, if it is convex: one looks into others.
void draw_section(Canvas& canvas, const PlacedSolid& placed, Surface surface, Rows rows);

/// Draws a solid, with as many facets as its size on the canvas deserves. A solid smaller than a sample becomes one
/// sample with the probability of its area, decided by `chance` in [0, 1).
void draw_solid(Canvas& canvas, const Solid& solid, Surface surface, float chance, Rows rows);

}  // namespace lanecull::program
