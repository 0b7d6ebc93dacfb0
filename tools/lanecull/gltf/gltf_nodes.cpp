#include "gltf/gltf_nodes.hpp"

#include <cmath>
#include <glm/geometric.hpp>

#include "support/text.hpp"

namespace lanecull::program {
namespace {

using glm::dvec4;

/// Between two quaternions of length 1, the shorter way.
dvec4 turned(const dvec4& from, dvec4 to, double share) {
    double cosine = glm::dot(from, to);
    if (cosine < 0) {
        cosine = -cosine;
        to = -to;
    }
    const double angle = std::acos(std::min(cosine, 1.0)), sine = std::sin(angle);
    if (!(sine > 1e-9)) return from + share * (to - from);
    return (std::sin((1 - share) * angle) * from + std::sin(share * angle) * to) / sine;
}

dvec4 normalized(const dvec4& v) {
    const double length = glm::length(v);
    return length > 0 ? v / length : dvec4(0, 0, 0, 1);
}

}  // namespace

/// The rotation's matrix as renderers compute it, whose quaternions of small integers are not quite of length 1.
glm::dmat4 GltfPose::matrix() const {
    const auto [x, y, z, w] = std::array{rotation.x, rotation.y, rotation.z, rotation.w};
    const glm::dvec3 right(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    const glm::dvec3 up(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    const glm::dvec3 back(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    return {dvec4(scale.x * right, 0), dvec4(scale.y * up, 0), dvec4(scale.z * back, 0), dvec4(translation, 1)};
}

GltfNodes::GltfNodes(const GltfFile& file) {
    const JsonArray list = file.list("nodes");
    nodes_.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) read(list[i], i);
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (!nodes_[i].parent) roots.push_back(i);
    }
    std::vector<bool> reached(nodes_.size());
    for (const std::size_t i : below(roots)) {
        GltfNode& node = nodes_[i];
        node.world_from_node =
            node.parent ? nodes_[*node.parent].world_from_node * node.parent_from() : node.parent_from();
        reached[i] = true;
    }
    if (const auto lost = std::ranges::find(reached, false); lost != reached.end()) {
        // From a node that no root leads to, its parents lead into a circle.
        auto looped = static_cast<std::size_t>(lost - reached.begin());
        for (std::size_t steps = 0; steps < nodes_.size(); ++steps) looped = *nodes_[looped].parent;
        list[looped].reject_all("is above itself in the tree of nodes");
    }
    of_scene_ = below(roots_of_scene(file, roots));
}

void GltfNodes::read(const JsonObject& source, std::size_t index) {
    GltfNode& node = nodes_[index];
    node.children = source.indices("children", nodes_.size());
    for (const std::size_t child : node.children) {
        std::optional<std::size_t>& parent = nodes_[child].parent;
        if (parent) source.reject("children", "has node {}, whose parent is {}", child, *parent);
        parent = index;
    }
    if (const auto columns = source.numbers_of<16>("matrix")) {
        glm::dmat4& m = node.matrix.emplace();
        for (int k = 0; k < 16; ++k) m[k / 4][k % 4] = (*columns)[static_cast<std::size_t>(k)];
        if (m[0].w != 0 || m[1].w != 0 || m[2].w != 0 || m[3].w != 1) source.reject("matrix", "is not affine");
    }
    GltfPose& pose = node.pose;
    if (const auto t = source.numbers_of<3>("translation")) pose.translation = {(*t)[0], (*t)[1], (*t)[2]};
    if (const auto r = source.numbers_of<4>("rotation")) pose.rotation = {(*r)[0], (*r)[1], (*r)[2], (*r)[3]};
    if (const auto s = source.numbers_of<3>("scale")) pose.scale = {(*s)[0], (*s)[1], (*s)[2]};
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

std::vector<std::size_t> GltfNodes::roots_of_scene(const GltfFile& file, std::vector<std::size_t> all) const {
    const JsonArray scenes = file.list("scenes");
    const std::size_t chosen = file.root().index("scene", scenes.size()).value_or(0);
    if (scenes.size() == 0) return all;
    const JsonObject scene = scenes[chosen];
    std::vector<std::size_t> roots = scene.indices("nodes", nodes_.size());
    std::vector<bool> named(nodes_.size());
    for (const std::size_t node : roots) {
        const std::optional<std::size_t> parent = nodes_[node].parent;
        if (named[node]) scene.reject("nodes", "has node {} twice", node);
        if (parent) scene.reject("nodes", "has node {}, whose parent is {}", node, *parent);
        named[node] = true;
    }
    return roots;
}

GltfSampler::GltfSampler(const JsonObject& source, GltfAccessors& accessors, std::size_t components, bool turns)
    : values_(&accessors.get(source, "output", components)),
      components_(components),
      interpolation_(source.text("interpolation").value_or("LINEAR")),
      turns_(turns) {
    if (interpolation_ != "LINEAR" && interpolation_ != "STEP" && interpolation_ != "CUBICSPLINE") {
        source.reject("interpolation", "is {}", printable(interpolation_.substr(0, 40)));
    }
    const GltfAccessor& times = accessors.get(source, "input", 1);
    accessors.file().charge(times.count());
    for (std::size_t i = 0; i < times.count(); ++i) {
        const double time = times.at(i, 0);
        if (!std::isfinite(time) || (i > 0 && time <= times_.back())) source.reject("input", "does not ascend");
        times_.push_back(time);
    }
    const std::size_t needed = times_.size() * (interpolation_ == "CUBICSPLINE" ? 3 : 1);
    if (values_->count() < needed) source.reject("output", "has {} elements of {}", values_->count(), needed);
}

dvec4 GltfSampler::value(std::size_t key, std::size_t part) const {
    const std::size_t row = interpolation_ == "CUBICSPLINE" ? 3 * key + part : key;
    dvec4 result(0);
    for (std::size_t k = 0; k < components_; ++k) result[static_cast<int>(k)] = values_->at(row, k);
    return result;
}

dvec4 GltfSampler::between(std::size_t key, double s) const {
    if (interpolation_ == "CUBICSPLINE") {
        const double length = times_[key + 1] - times_[key], s2 = s * s, s3 = s2 * s;
        return (2 * s3 - 3 * s2 + 1) * value(key) + length * (s3 - 2 * s2 + s) * value(key, 2) +
               (3 * s2 - 2 * s3) * value(key + 1) + length * (s3 - s2) * value(key + 1, 0);
    }
    if (turns_) return turned(normalized(value(key)), normalized(value(key + 1)), s);
    return value(key) + s * (value(key + 1) - value(key));
}

dvec4 GltfSampler::at(double time) const {
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(times_, time) - times_.begin());
    const std::size_t key = after == 0 ? 0 : after - 1;
    const bool is_key = after == 0 || after == times_.size() || interpolation_ == "STEP";
    const dvec4 result = is_key ? value(key) : between(key, (time - times_[key]) / (times_[after] - times_[key]));
    return turns_ ? normalized(result) : result;
}

GltfAnimation::GltfAnimation(const JsonObject& source, GltfAccessors& accessors, const GltfNodes& nodes) {
    const JsonArray channels = source.array("channels"), samplers = source.array("samplers");
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const JsonObject channel = channels[i];
        const JsonObject target = channel.required("target", channel.object("target"));
        const std::optional<std::size_t> node = target.index("node", nodes.size());
        const std::string path = target.required("path", target.text("path"));
        const bool turns = path == "rotation";
        if (!node || (!turns && path != "translation" && path != "scale")) continue;  // it moves no node
        if (nodes[*node].matrix) target.reject("node", "is {}, which has a matrix", *node);
        const std::size_t sampler = channel.required("sampler", channel.index("sampler", samplers.size()));
        const auto entry = channels_[*node].try_emplace(path, samplers[sampler], accessors, turns ? 4 : 3, turns).first;
        duration_ = std::max(duration_, entry->second.last());
    }
}

glm::dmat4 GltfAnimation::parent_from(std::size_t node, const GltfNodes& nodes, double time) const {
    const auto found = channels_.find(node);
    if (found == channels_.end()) return nodes[node].parent_from();
    GltfPose pose = nodes[node].pose;
    for (const auto& [path, sampler] : found->second) {
        const dvec4 value = sampler.at(time);
        if (path == "rotation") pose.rotation = value;
        if (path == "translation") pose.translation = glm::dvec3(value);
        if (path == "scale") pose.scale = glm::dvec3(value);
    }
    return pose.matrix();
}

double GltfAnimation::time(std::size_t frame, std::size_t frames) const {
    const double share = frames == 1 ? 0 : static_cast<double>(frame) / static_cast<double>(frames - 1);
    return share * duration_;
}

std::optional<GltfFlight> flight_of(GltfAccessors& accessors, const GltfNodes& nodes) {
    const JsonArray node_list = accessors.file().list("nodes"), list = accessors.file().list("animations");
    std::vector<GltfAnimation> animations;
    for (std::size_t k = 0; k < list.size(); ++k) animations.emplace_back(list[k], accessors, nodes);
    for (const std::size_t camera : nodes.of_scene()) {
        if (!node_list[camera].has("camera")) continue;
        for (GltfAnimation& animation : animations) {
            for (std::optional<std::size_t> node = camera; node; node = nodes[*node].parent) {
                if (animation.moves(*node)) return GltfFlight{camera, std::move(animation)};
            }
        }
    }
    return std::nullopt;
}

}  // namespace lanecull::program
