#pragma once

#include "picture/canvas.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

/// The part of a view volume worth showing, and the place to show it from.
namespace lanecull::program {

/// A bounded convex polyhedron, by its planes.
class Polyhedron {
public:
    /// The camera's view volume, which has an end.
    explicit Polyhedron(const Camera& camera) : Polyhedron(camera.corners()) {}
    /// Of six faces, its corners in the order of Camera::corners().
    explicit Polyhedron(const std::array<glm::dvec3, 8>& corners);

    /// Keeps what has normal . p + offset >= 0, for a normal of length 1.
    void cut(const glm::dvec3& normal, double offset);
    /// Keeps what is between a box's faces that are at right angles to an axis, if that is finite.
    void cut_to(const Bounds& bounds, int axis);

    struct Edge {
        glm::dvec3 a, b;
        bool cut;  ///< made by cut(): no edge of the view volume itself
    };
    [[nodiscard]] std::vector<Edge> edges() const;
    /// The ends of the edges; none of an empty polyhedron.
    [[nodiscard]] std::vector<glm::dvec3> corners() const;
    [[nodiscard]] bool empty() const { return edges().empty(); }
    /// The same in a projection's view space.
    [[nodiscard]] Beam seen_by(const Projection& projection) const;

private:
    std::vector<glm::dvec4> planes_;  // the six faces' first
    double size_ = 0;                 // of the uncut polyhedron
};

/// Where the scene is: from the ground, which is where all but 2 % of the objects are above, to the objects' bounds,
/// without the few that lie far off or enclose all others (sky domes).
[[nodiscard]] Bounds main_bounds(const Scene& scene);

/// The view volume where the scene is: above the ground, below the scene's top or the eye, within its bounds. The whole
/// volume when they have nothing in common.
[[nodiscard]] Polyhedron shown_volume(const Camera& camera, const Bounds& bounds, const glm::dvec3& up);

/// What the camera sees, on so many samples. An orthographic camera's is seen from so far behind its eye that the rays
/// are all but parallel.
[[nodiscard]] Projection seen_through(const Camera& camera, glm::ivec2 size);

/// Where the points may lie in the picture: margins as shares of its width and height.
struct Margins {
    double left, right, top, bottom;
};

/// A camera that looks along `forward` at all the points, as near as the margins allow.
[[nodiscard]] Projection framing(std::span<const glm::dvec3> points, const glm::dvec3& forward, const glm::dvec3& up,
                                 double vertical_fov, glm::ivec2 size, const Margins& margins);

}  // namespace lanecull::program
