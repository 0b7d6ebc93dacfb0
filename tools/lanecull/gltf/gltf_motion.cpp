#include "gltf/gltf_motion.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "support/error.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {

GltfMotion::GltfMotion(const GltfFile& file, const GltfNodes& nodes, GltfFlight flight, std::size_t frames)
    : file_(file),
      nodes_(nodes),
      flight_(std::move(flight)),
      frames_(frames),
      order_(nodes.of_scene(file)),
      moved_(nodes.size()) {
    for (const std::size_t node : order_) {
        const std::optional<std::size_t> parent = nodes.parent(node);
        moved_[node] = flight_.animation.moves(node) || (parent && moved_[*parent]);
    }
}

void GltfMotion::add(const MeshSceneBuilder& builder, std::size_t node, std::uint32_t mesh,
                     const glm::dmat4& node_from_mesh) {
    objects_.push_back({builder.object_count(), node, mesh, node_from_mesh});
}

Motion GltfMotion::motion(const MeshSceneBuilder& builder) {
    check_size();
    const std::vector<std::uint32_t> numbers = builder.numbers();
    std::ranges::sort(objects_, {}, [&](const Object& object) { return numbers[object.added]; });
    Motion motion;
    for (const Object& object : objects_) motion.objects.push_back(numbers[object.added]);
    motion.transforms.reserve(12 * objects_.size() * frames_);
    std::vector<glm::dmat4> world_from_node(nodes_.size());
    for (const std::size_t node : order_) world_from_node[node] = nodes_.world_from(node);
    for (std::size_t frame = 0; frame < frames_; ++frame) {
        move(world_from_node, frame);
        for (const Object& object : objects_) {
            append(motion.transforms, object, world_from_node[object.node] * object.node_from_mesh, builder);
        }
    }
    return motion;
}

void GltfMotion::check_size() const {
    constexpr std::size_t most = (std::size_t{1} << 30) / (12 * sizeof(float));
    if (objects_.size() * frames_ <= most) return;
    fail("{}: the places of {} that move, in {}, take more than 1 GiB", file_.name(),
         counted(objects_.size(), "object"), counted(frames_, "frame"));
}

void GltfMotion::move(std::vector<glm::dmat4>& world_from_node, std::size_t frame) const {
    const double time = flight_.time(frame, frames_);
    for (const std::size_t node : order_) {
        if (!moved_[node]) continue;
        const glm::dmat4 parent_from_node = flight_.animation.parent_from(node, nodes_, time);
        const std::optional<std::size_t> parent = nodes_.parent(node);
        world_from_node[node] = parent ? world_from_node[*parent] * parent_from_node : parent_from_node;
    }
}

void GltfMotion::append(std::vector<float>& transforms, const Object& object, const glm::dmat4& world_from_mesh,
                        const MeshSceneBuilder& builder) const {
    if (!builder.is_within(max_coordinate, object.mesh, world_from_mesh)) {
        file_.list("nodes")[object.node].reject_all("is moved to coordinates of more than 1e15");
    }
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            transforms.push_back(static_cast<float>(world_from_mesh[column][row]));
        }
    }
}

}  // namespace lanecull::program
