#include "gltf/gltf_animation.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "support/printable.hpp"

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

GltfSampler::GltfSampler(const GltfObject& source, GltfAccessors& accessors, std::size_t components, bool turns)
    : values_(&accessors.get(source, "output", components)), components_(components), turns_(turns) {
    const std::string name = source.text("interpolation").value_or("LINEAR");
    if (name != "LINEAR" && name != "STEP" && name != "CUBICSPLINE") {
        source.reject("interpolation", "is {}", printable(name.substr(0, 40)));
    }
    between_ = name == "STEP" ? Between::step : name == "LINEAR" ? Between::linear : Between::cubic;
    const GltfAccessor& times = accessors.get(source, "input", 1);
    accessors.file().charge(times.count());
    for (std::size_t i = 0; i < times.count(); ++i) {
        const double time = times.at(i, 0);
        if (!std::isfinite(time) || (i > 0 && time <= times_.back())) source.reject("input", "does not ascend");
        times_.push_back(time);
    }
    const std::size_t needed = times_.size() * (between_ == Between::cubic ? 3 : 1);
    if (values_->count() < needed) source.reject("output", "has {} elements of {}", values_->count(), needed);
}

dvec4 GltfSampler::value(std::size_t key, std::size_t part) const {
    const std::size_t row = between_ == Between::cubic ? 3 * key + part : key;
    dvec4 result(0);
    for (std::size_t k = 0; k < components_; ++k) result[static_cast<int>(k)] = values_->at(row, k);
    return result;
}

dvec4 GltfSampler::cubic(std::size_t key, double share) const {
    const double length = times_[key + 1] - times_[key], s = share, s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * value(key) + length * (s3 - 2 * s2 + s) * value(key, 2) +
           (3 * s2 - 2 * s3) * value(key + 1) + length * (s3 - s2) * value(key + 1, 0);
}

dvec4 GltfSampler::at(double time) const {
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(times_, time) - times_.begin());
    dvec4 result;
    if (after == 0 || after == times_.size() || between_ == Between::step) {
        result = value(after == 0 ? 0 : after - 1);
    } else {
        const std::size_t key = after - 1;
        const double share = (time - times_[key]) / (times_[after] - times_[key]);
        if (between_ == Between::cubic) {
            result = cubic(key, share);
        } else if (turns_) {
            result = turned(normalized(value(key)), normalized(value(after)), share);
        } else {
            result = value(key) + share * (value(after) - value(key));
        }
    }
    return turns_ ? normalized(result) : result;
}

GltfAnimation::GltfAnimation(const GltfObject& source, GltfAccessors& accessors, const GltfNodes& nodes) {
    const GltfArray channels = source.array("channels"), samplers = source.array("samplers");
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const GltfObject channel = channels[i];
        const GltfObject target = channel.required("target", channel.object("target"));
        const std::optional<std::size_t> node = target.index("node", nodes.size());
        const std::string path = target.required("path", target.text("path"));
        const bool turns = path == "rotation";
        if (node && path == "weights") morphed_.insert(*node);
        if (!node || (!turns && path != "translation" && path != "scale")) continue;  // it moves no node
        if (nodes.has_matrix(*node)) target.reject("node", "is {}, which has a matrix", *node);
        const std::size_t sampler = channel.required("sampler", channel.index("sampler", samplers.size()));
        const auto entry = channels_[*node].try_emplace(path, samplers[sampler], accessors, turns ? 4 : 3, turns).first;
        duration_ = std::max(duration_, entry->second.last());
    }
}

glm::dmat4 GltfAnimation::parent_from(std::size_t node, const GltfNodes& nodes, double time) const {
    const auto found = channels_.find(node);
    if (found == channels_.end()) return nodes.parent_from(node);
    GltfPose pose = nodes.pose(node);
    for (const auto& [path, sampler] : found->second) {
        const dvec4 value = sampler.at(time);
        if (path == "rotation") pose.rotation = value;
        if (path == "translation") pose.translation = glm::dvec3(value);
        if (path == "scale") pose.scale = glm::dvec3(value);
    }
    return pose.matrix();
}

}  // namespace lanecull::program
