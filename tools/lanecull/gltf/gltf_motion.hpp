#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <vector>

#include "gltf/gltf_file.hpp"
#include "gltf/gltf_flight.hpp"
#include "gltf/gltf_nodes.hpp"
#include "scene/mesh_scene.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// Collects the objects of a scene that move with its camera, and finds where they are in so many frames.
class GltfMotion {
public:
    /// `file` and `nodes` outlive this.
    GltfMotion(const GltfFile& file, const GltfNodes& nodes, GltfFlight flight, std::size_t frames);

    /// Whether the flight's animation moves what is in the node, by the node or by one above it, and leaves it its
    /// shape.
    [[nodiscard]] bool moves(std::size_t node) const { return moved_[node] && !flight_.animation.morphs(node); }
    /// The next object that the scene's builder gets is the mesh, placed so in the node.
    void add(const MeshSceneBuilder& builder, std::size_t node, std::uint32_t mesh, const glm::dmat4& node_from_mesh);
    [[nodiscard]] std::size_t object_count() const { return objects_.size(); }

    /// Of the scene that the builder has finished.
    [[nodiscard]] Motion motion(const MeshSceneBuilder& builder);

private:
    struct Object {
        std::size_t added;  ///< how many the builder had before it
        std::size_t node;
        std::uint32_t mesh;
        glm::dmat4 node_from_mesh;
    };

    void check_size() const;
    /// Moves the nodes to where they are in a frame.
    void move(std::vector<glm::dmat4>& world_from_node, std::size_t frame) const;
    void append(std::vector<float>& transforms, const Object& object, const glm::dmat4& world_from_mesh,
                const MeshSceneBuilder& builder) const;

    const GltfFile& file_;
    const GltfNodes& nodes_;
    GltfFlight flight_;
    std::size_t frames_;
    std::vector<std::size_t> order_;  ///< the scene's nodes, each before its children
    std::vector<bool> moved_;         ///< of the file's nodes
    std::vector<Object> objects_;
};

}  // namespace lanecull::program
