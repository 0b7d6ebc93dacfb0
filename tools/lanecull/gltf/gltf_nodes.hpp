#pragma once

#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <vector>

#include "gltf/gltf_file.hpp"

namespace lanecull::program {

/// Where a node is in its parent: p -> translation + rotation (scale p).
struct GltfPose {
    glm::dvec3 translation{0};
    glm::dvec4 rotation{0, 0, 0, 1};  ///< a quaternion x, y, z, w
    glm::dvec3 scale{1};

    [[nodiscard]] glm::dmat4 matrix() const;
};

/// The tree of a file's nodes.
class GltfNodes {
public:
    /// Fails if a node has two parents, or is above itself.
    explicit GltfNodes(const GltfFile& file);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::optional<std::size_t> parent(std::size_t node) const { return nodes_[node].parent; }
    [[nodiscard]] const GltfPose& pose(std::size_t node) const { return nodes_[node].pose; }
    /// It has a matrix instead of a pose.
    [[nodiscard]] bool has_matrix(std::size_t node) const { return nodes_[node].matrix.has_value(); }
    [[nodiscard]] glm::dmat4 parent_from(std::size_t node) const;
    [[nodiscard]] const glm::dmat4& world_from(std::size_t node) const { return nodes_[node].world_from_node; }

    /// Those of the scene that is read, each before its children: the file's default, or else its first. A file without
    /// scenes is read whole.
    [[nodiscard]] std::vector<std::size_t> of_scene(const GltfFile& file) const;

private:
    struct Node {
        std::optional<std::size_t> parent;
        std::vector<std::size_t> children;
        GltfPose pose;
        std::optional<glm::dmat4> matrix;
        glm::dmat4 world_from_node{1};
    };

    void read(const GltfObject& source, std::size_t index);
    /// Each before its children.
    [[nodiscard]] std::vector<std::size_t> below(const std::vector<std::size_t>& roots) const;
    [[nodiscard]] std::vector<std::size_t> roots() const;

    std::vector<Node> nodes_;
};

}  // namespace lanecull::program
