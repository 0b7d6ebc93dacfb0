#pragma once

#include <functional>

#include "picture/canvas.hpp"
#include "scene/scene.hpp"

/// Objects as solids to draw: meshes, of which boxes and balls are two.
namespace lanecull::program {

/// Facets of 3 or 4 corners around an origin; a triangle has its last corner twice.
struct SolidMesh {
    using Facet = std::array<std::uint32_t, 4>;
    std::vector<glm::vec3> points;
    std::vector<Facet> facets;
    glm::vec3 half_size{1};  ///< |p| <= half_size, component by component
    bool convex = true;      ///< `inner` is on the inner side of each facet: half of them need no drawing
    glm::vec3 inner{0};
};

/// A cube from -1 to 1.
[[nodiscard]] const SolidMesh& box_mesh();
/// Around the z axis from -1 to 1, of radius 1, or with its apex at the upper end.
[[nodiscard]] const SolidMesh& cylinder_mesh();
[[nodiscard]] const SolidMesh& cone_mesh();
/// With its apex at the origin, a rim of radius 1 around (0, 0, 1), and a cap that scaling along z makes that of a
/// round cone: for its half-angle's cosine, or up to 1.5 percent more, which makes the cap as much flatter.
[[nodiscard]] const SolidMesh& round_cone_mesh(double cosine);
/// A unit ball of 4 `quarter` meridians, cut at the equator: points before the middle one are its upper half (z >= 0).
[[nodiscard]] SolidMesh ball_mesh(std::uint32_t quarter);

/// What HullInstanceArrays's meshes look like; their `origin` in the mesh's own coordinates.
struct SolidHull {
    SolidMesh mesh;
    glm::vec3 origin{0};
};

/// The meshes' own triangles, or where there are none those of the convex hull of the points.
[[nodiscard]] std::vector<SolidHull> solid_hulls(const HullInstanceArrays& instances);

/// center + axes p, for p of its mesh. Without a mesh it is round, a unit ball whose halves are `shift` and -`shift`
/// away: a capsule along axes[2], or an ellipsoid.
struct Solid {
    glm::dvec3 center{0};
    glm::mat3 axes{0};
    const SolidMesh* mesh = nullptr;
    glm::vec3 shift{0};

    /// The longest of its axes.
    [[nodiscard]] float round_radius() const;
    /// No point is farther from the centre.
    [[nodiscard]] float bounding_radius() const;
    [[nodiscard]] bool finite() const;
    /// Three half-edges of a box around it.
    [[nodiscard]] glm::mat3 half_edges() const;
};

/// Object i. `hulls` is what solid_hulls() made of a group of hull instances.
[[nodiscard]] Solid solid_of(const Arrays& arrays, const std::vector<SolidHull>& hulls, std::size_t i);

/// A scene's objects as solids.
class SceneSolidShapes {
public:
    explicit SceneSolidShapes(const Scene& scene);
    [[nodiscard]] Solid at(std::size_t group, std::size_t index) const {
        return solid_of(scene_.groups[group].arrays, hulls_[group], index);
    }

    using SurfaceOf = std::function<Surface(std::size_t group, std::size_t index, const Solid&)>;
    /// Draws what has a surface, on all cores; the result does not depend on their number. Objects that are not finite
    /// are left out. One smaller than a sample becomes one sample with the probability of its area.
    void draw(Canvas& canvas, const SurfaceOf& surface_of) const;

private:
    const Scene& scene_;
    std::vector<std::vector<SolidHull>> hulls_;  // one list a group
};

/// The corners of the points' convex hull, anticlockwise.
[[nodiscard]] std::vector<glm::dvec2> convex_rim(std::vector<glm::dvec2> points);

}  // namespace lanecull::program
