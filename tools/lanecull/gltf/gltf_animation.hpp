#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gltf/gltf_accessor.hpp"
#include "gltf/gltf_nodes.hpp"

namespace lanecull::program {

/// Numbers over time.
class GltfSampler {
public:
    /// Of so many numbers a key.
    GltfSampler(const GltfObject& source, GltfAccessors& accessors, std::size_t components, bool turns);

    [[nodiscard]] double last() const { return times_.back(); }
    [[nodiscard]] glm::dvec4 at(double time) const;

private:
    enum class Between : std::uint8_t { step, linear, cubic };

    /// Of a cubic key: 0 its tangent before, 1 its value, 2 its tangent after.
    [[nodiscard]] glm::dvec4 value(std::size_t key, std::size_t part = 1) const;
    [[nodiscard]] glm::dvec4 cubic(std::size_t key, double share) const;

    std::vector<double> times_;  ///< ascending
    const GltfAccessor* values_;
    std::size_t components_;
    Between between_ = Between::linear;
    bool turns_;  ///< values are quaternions
};

/// What an animation does with the places of nodes.
class GltfAnimation {
public:
    GltfAnimation(const GltfObject& source, GltfAccessors& accessors, const GltfNodes& nodes);

    [[nodiscard]] double duration() const { return duration_; }
    [[nodiscard]] bool moves(std::size_t node) const { return channels_.contains(node); }
    /// It changes the weights of the node's morph targets.
    [[nodiscard]] bool morphs(std::size_t node) const { return morphed_.contains(node); }
    /// A node's place in its parent.
    [[nodiscard]] glm::dmat4 parent_from(std::size_t node, const GltfNodes& nodes, double time) const;

private:
    std::map<std::size_t, std::map<std::string, GltfSampler>> channels_;  ///< by node and path
    std::set<std::size_t> morphed_;
    double duration_ = 0;
};

}  // namespace lanecull::program
