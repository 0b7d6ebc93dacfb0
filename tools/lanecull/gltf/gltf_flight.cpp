#include "gltf/gltf_flight.hpp"

#include <utility>
#include <vector>

namespace lanecull::program {

double GltfFlight::time(std::size_t frame, std::size_t frames) const {
    const double share = frames == 1 ? 0 : static_cast<double>(frame) / static_cast<double>(frames - 1);
    return share * animation.duration();
}

std::optional<GltfFlight> flight_of(const GltfFile& file, GltfAccessors& accessors, const GltfNodes& nodes) {
    const GltfArray node_list = file.list("nodes"), animation_list = file.list("animations");
    std::vector<GltfAnimation> animations;
    for (std::size_t k = 0; k < animation_list.size(); ++k)
        animations.emplace_back(animation_list[k], accessors, nodes);
    const auto moves = [&](const GltfAnimation& animation, std::size_t camera) {
        for (std::optional<std::size_t> node = camera; node; node = nodes.parent(*node)) {
            if (animation.moves(*node)) return true;
        }
        return false;
    };
    for (const std::size_t node : nodes.of_scene(file)) {
        if (!node_list[node].has("camera")) continue;
        for (GltfAnimation& animation : animations) {
            if (moves(animation, node)) return GltfFlight{node, std::move(animation)};
        }
    }
    return std::nullopt;
}

}  // namespace lanecull::program
