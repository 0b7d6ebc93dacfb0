#pragma once

#include <glm/mat4x4.hpp>
#include <span>
#include <unordered_map>

#include "scene/scene.hpp"

/// What readers of meshes have in common.
namespace lanecull::program {

/// Triangles of a polygon that lies in a plane, or nearly so, given by its corners in order: its ears, cut off one
/// after the other. A polygon that crosses itself, or has more than 4,096 corners, gets triangles that all have a
/// corner in common. What they are for is pictures.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> triangles_of(std::span<const glm::dvec3> corners);

/// Gathers faces into hull meshes: equal points are one, and a mesh that would get more points than a hull may have is
/// closed.
class HullMeshBuilder {
public:
    static constexpr std::size_t max_points = 65535;

    /// Three corners are a triangle of the mesh. Of others only the points count.
    void add_face(std::span<const glm::vec3> corners);
    /// The triangles that a polygon of any number of corners consists of.
    void add_polygon(std::span<const glm::vec3> corners);
    /// Points of no face.
    void add_points(std::span<const glm::vec3> points);
    /// A hole of a surface whose triangles were or will be added as if it had none: only its points count.
    void add_hole(std::span<const glm::vec3> corners);
    /// What was gathered.
    std::vector<HullMesh> take();

private:
    using Bits = std::array<std::uint32_t, 3>;
    struct BitsHash {
        std::size_t operator()(const Bits& bits) const;
    };

    std::uint32_t index_of(const glm::vec3& p);
    void close();

    HullMesh mesh_;
    bool covers_holes_ = false;
    std::unordered_map<Bits, std::uint32_t, BitsHash> index_by_bits_;
    std::vector<HullMesh> finished_;
};

/// The scene of a file that places meshes.
class MeshSceneBuilder {
public:
    /// `file` outlives this.
    explicit MeshSceneBuilder(const std::string& file) : file_(file) {}

    /// The number of a mesh, for what follows.
    [[nodiscard]] std::uint32_t add_mesh(HullMesh mesh);
    /// Fails if the object's coordinates are not finite; `where` names it.
    void add_object(std::uint32_t mesh, const glm::dmat4& world_from_mesh, std::string name, const std::string& where);
    /// A mesh of a node has no points.
    void count_empty() { ++empty_; }

    /// Fails if there are no objects. The y axis points up.
    [[nodiscard]] Scene finish();

private:
    struct Object {
        std::uint32_t mesh;
        glm::mat4x3 transform;
        std::string name;
    };

    const std::string& file_;
    HullInstanceArrays instances_;
    std::vector<glm::dvec3> largest_;  ///< of each mesh, the largest magnitudes of coordinates
    std::vector<Object> objects_;
    std::size_t empty_ = 0;
};

}  // namespace lanecull::program
