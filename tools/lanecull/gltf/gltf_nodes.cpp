#include "gltf/gltf_nodes.hpp"

#include <array>
#include <cmath>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

glm::dmat4 matrix_of(const std::array<double, 16>& columns) {
    glm::dmat4 matrix;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        matrix[static_cast<int>(k / 4)][static_cast<int>(k % 4)] = columns[k];
    }
    return matrix;
}

GltfPose pose_of(const GltfObject& source) {
    GltfPose pose;
    if (const auto t = source.numbers_of<3>("translation")) pose.translation = {(*t)[0], (*t)[1], (*t)[2]};
    if (const auto r = source.numbers_of<4>("rotation")) pose.rotation = {(*r)[0], (*r)[1], (*r)[2], (*r)[3]};
    if (const auto s = source.numbers_of<3>("scale")) pose.scale = {(*s)[0], (*s)[1], (*s)[2]};
    return pose;
}

}  // namespace

/// The rotation's matrix as renderers compute it, whose quaternions of small integers are not quite of length 1.
glm::dmat4 GltfPose::matrix() const {
    const auto [x, y, z, w] = std::array{rotation.x, rotation.y, rotation.z, rotation.w};
    const glm::dvec3 right(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    const glm::dvec3 up(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    const glm::dvec3 back(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    return {glm::dvec4(scale.x * right, 0), glm::dvec4(scale.y * up, 0), glm::dvec4(scale.z * back, 0),
            glm::dvec4(translation, 1)};
}

GltfNodes::GltfNodes(const GltfFile& file) {
    const GltfArray list = file.list("nodes");
    nodes_.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) read(list[i], i);
    const std::vector<std::size_t> order = below(roots());
    for (const std::size_t i : order) {
        Node& node = nodes_[i];
        node.world_from_node = node.parent ? nodes_[*node.parent].world_from_node * parent_from(i) : parent_from(i);
    }
    if (order.size() == nodes_.size()) return;
    std::vector<bool> reached(nodes_.size());
    for (const std::size_t i : order) reached[i] = true;
    // From a node that no root leads to, its parents lead into a circle.
    std::size_t looped = 0;
    while (reached[looped]) ++looped;
    for (std::size_t steps = 0; steps < nodes_.size(); ++steps) looped = *nodes_[looped].parent;
    list[looped].reject_all("is above itself in the tree of nodes");
}

void GltfNodes::read(const GltfObject& source, std::size_t index) {
    Node& node = nodes_[index];
    node.children = source.indices("children", nodes_.size());
    for (const std::size_t child : node.children) {
        if (nodes_[child].parent)
            source.reject("children", "has node {}, whose parent is {}", child, *nodes_[child].parent);
        nodes_[child].parent = index;
    }
    if (const auto columns = source.numbers_of<16>("matrix")) {
        node.matrix = matrix_of(*columns);
        const glm::dmat4& m = *node.matrix;
        if (m[0].w != 0 || m[1].w != 0 || m[2].w != 0 || m[3].w != 1) source.reject("matrix", "is not affine");
    }
    node.pose = pose_of(source);
}

glm::dmat4 GltfNodes::parent_from(std::size_t node) const {
    return nodes_[node].matrix ? *nodes_[node].matrix : nodes_[node].pose.matrix();
}

std::vector<std::size_t> GltfNodes::roots() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (!nodes_[i].parent) result.push_back(i);
    }
    return result;
}

std::vector<std::size_t> GltfNodes::below(const std::vector<std::size_t>& roots) const {
    std::vector<std::size_t> result, open(roots.rbegin(), roots.rend());
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        result.push_back(node);
        open.insert(open.end(), nodes_[node].children.rbegin(), nodes_[node].children.rend());
    }
    return result;
}

std::vector<std::size_t> GltfNodes::of_scene(const GltfFile& file) const {
    const GltfArray scenes = file.list("scenes");
    const std::optional<std::size_t> chosen = file.root().index("scene", scenes.size());
    if (scenes.size() == 0) return below(roots());
    const GltfObject scene = scenes[chosen.value_or(0)];
    const std::vector<std::size_t> top = scene.indices("nodes", nodes_.size());
    std::vector<bool> named(nodes_.size());
    for (const std::size_t node : top) {
        if (named[node]) scene.reject("nodes", "has node {} twice", node);
        if (nodes_[node].parent) scene.reject("nodes", "has node {}, whose parent is {}", node, *nodes_[node].parent);
        named[node] = true;
    }
    return below(top);
}

}  // namespace lanecull::program
