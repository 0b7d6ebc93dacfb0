#pragma once

#include "gltf/gltf_accessor.hpp"
#include "scene/scene_lights.hpp"

/// Where a file's nodes are, at rest and over time.
namespace lanecull::program {

/// Where a node is in its parent: p -> translation + rotation (scale p).
struct GltfPose {
    glm::dvec3 translation{0};
    glm::dvec4 rotation{0, 0, 0, 1};  ///< a quaternion x, y, z, w
    glm::dvec3 scale{1};

    [[nodiscard]] glm::dmat4 matrix() const;
};

struct GltfNode {
    std::optional<std::size_t> parent;
    std::vector<std::size_t> children;
    GltfPose pose;
    std::optional<glm::dmat4> matrix;  ///< instead of the pose
    glm::dmat4 world_from_node{1};

    [[nodiscard]] glm::dmat4 parent_from() const { return matrix ? *matrix : pose.matrix(); }
};

/// The tree of a file's nodes.
class GltfNodes {
public:
    /// Fails if a node has two parents, or is above itself.
    explicit GltfNodes(const GltfFile& file);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] const GltfNode& operator[](std::size_t node) const { return nodes_[node]; }
    /// Those of the scene that is read, each before its children: the file's default, or else its first. A file without
    /// scenes is read whole.
    [[nodiscard]] const std::vector<std::size_t>& of_scene() const { return of_scene_; }

private:
    void read(const JsonObject& source, std::size_t index);
    /// Each before its children.
    [[nodiscard]] std::vector<std::size_t> below(const std::vector<std::size_t>& roots) const;
    /// `all`: of the file.
    [[nodiscard]] std::vector<std::size_t> roots_of_scene(const GltfFile& file, std::vector<std::size_t> all) const;

    std::vector<GltfNode> nodes_;
    std::vector<std::size_t> of_scene_;
};

/// Numbers over time.
class GltfSampler {
public:
    /// Of so many numbers a key.
    GltfSampler(const JsonObject& source, GltfAccessors& accessors, std::size_t components, bool turns);

    [[nodiscard]] double last() const { return times_.back(); }
    [[nodiscard]] glm::dvec4 at(double time) const;

private:
    /// Of a cubic key: 0 its tangent before, 1 its value, 2 its tangent after.
    [[nodiscard]] glm::dvec4 value(std::size_t key, std::size_t part = 1) const;
    [[nodiscard]] glm::dvec4 between(std::size_t key, double share) const;

    std::vector<double> times_;  ///< ascending
    const GltfAccessor* values_;
    std::size_t components_;
    std::string interpolation_;
    bool turns_;  ///< values are quaternions
};

/// What an animation does with the places of nodes.
class GltfAnimation {
public:
    GltfAnimation(const JsonObject& source, GltfAccessors& accessors, const GltfNodes& nodes);

    [[nodiscard]] bool moves(std::size_t node) const { return channels_.contains(node); }
    /// A node's place in its parent.
    [[nodiscard]] glm::dmat4 parent_from(std::size_t node, const GltfNodes& nodes, double time) const;
    /// Of a frame of so many, which are evenly in time through the animation.
    [[nodiscard]] double time(std::size_t frame, std::size_t frames) const;

private:
    std::map<std::size_t, std::map<std::string, GltfSampler>> channels_;  ///< by node and path
    double duration_ = 0;
};

/// A camera of a file's scene that an animation moves, it or a node above it.
struct GltfFlight {
    std::size_t camera;  ///< its node
    GltfAnimation animation;
};

/// As parse_gltf_lights() says.
[[nodiscard]] std::vector<SceneLight> lights_of(const GltfFile& file, const GltfNodes& nodes);

/// Of the scene's first camera that is moved, by the first animation that moves it; none if none is.
[[nodiscard]] std::optional<GltfFlight> flight_of(GltfAccessors& accessors, const GltfNodes& nodes);

}  // namespace lanecull::program
