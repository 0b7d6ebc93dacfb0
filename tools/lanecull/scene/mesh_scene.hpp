#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace lanecull::program {

/// The scene of a file that places meshes.
class MeshSceneBuilder {
public:
    /// `file` outlives this.
    explicit MeshSceneBuilder(const std::string& file) : file_(file) {}

    /// The number of a mesh, for what follows.
    [[nodiscard]] std::uint32_t add_mesh(HullMesh mesh);
    /// Fails if the object's coordinates are not finite; `where` names it.
    void add_object(std::uint32_t mesh, const glm::dmat4& world_from_mesh, std::string name, const std::string& where);
    /// Whether all coordinates of a mesh so placed are less than `limit`, and the matrix is one of floats.
    [[nodiscard]] bool is_within(double limit, std::uint32_t mesh, const glm::dmat4& world_from_mesh) const;
    /// A mesh of a node has no points.
    void count_empty() { ++empty_; }

    /// How many were added.
    [[nodiscard]] std::size_t object_count() const { return objects_.size(); }

    /// Fails if there are no objects. The y axis points up.
    [[nodiscard]] Scene finish();
    /// Which objects of the finished scene the added ones are, in the order in which they were added.
    [[nodiscard]] std::vector<std::uint32_t> numbers() const;

private:
    struct Object {
        std::uint32_t mesh;
        glm::mat4x3 transform;
        std::string name;
        std::size_t added;  ///< how many were added before it
    };

    const std::string& file_;
    HullInstanceArrays instances_;
    std::vector<glm::dvec3> largest_;  ///< of each mesh, the largest magnitudes of coordinates
    std::vector<Object> objects_;
    std::size_t empty_ = 0;
};

}  // namespace lanecull::program
