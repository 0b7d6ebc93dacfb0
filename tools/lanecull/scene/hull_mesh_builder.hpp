#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <unordered_map>
#include <vector>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Gathers faces into hull meshes: equal points are one, and a mesh that would get more points than a hull may have is
/// closed.
class HullMeshBuilder {
public:
    static constexpr std::size_t max_points = 65535;

    /// Three corners are a triangle of the mesh. Of others only the points count.
    void add_face(std::span<const glm::vec3> corners);
    /// The triangles that a polygon of any number of corners consists of.
    void add_polygon(std::span<const glm::vec3> corners);
    /// A hole of a surface whose triangles were or will be added as if it had none: only its points count.
    void add_hole(std::span<const glm::vec3> corners);
    /// What was gathered.
    std::vector<HullMesh> take();

private:
    struct BitsHash {
        std::size_t operator()(const std::array<std::uint32_t, 3>& bits) const;
    };

    std::uint32_t index_of(const glm::vec3& p);
    void close();

    HullMesh mesh_;
    bool covers_holes_ = false;
    std::unordered_map<std::array<std::uint32_t, 3>, std::uint32_t, BitsHash> index_by_bits_;
    std::vector<HullMesh> finished_;
};

}  // namespace lanecull::program
