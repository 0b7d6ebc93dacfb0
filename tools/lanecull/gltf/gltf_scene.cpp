#include "gltf/gltf_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <glm/mat4x4.hpp>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gltf/gltf_accessor.hpp"
#include "gltf/gltf_file.hpp"
#include "gltf/gltf_flight.hpp"
#include "gltf/gltf_mesh.hpp"
#include "gltf/gltf_motion.hpp"
#include "gltf/gltf_nodes.hpp"
#include "scene/mesh_scene.hpp"
#include "support/grouped.hpp"
#include "support/mapped_file.hpp"
#include "support/output_file.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

class GltfSceneReader {
public:
    GltfSceneReader(GltfFile& file, std::optional<std::size_t> frames)
        : file_(file),
          accessors_(file),
          nodes_(file),
          node_list_(file.list("nodes")),
          mesh_list_(file.list("meshes")),
          skin_list_(file.list("skins")),
          builder_(file.name()),
          moved_(animated_nodes()) {
        if (!frames) return;
        std::optional<GltfFlight> flight = flight_of(file_, accessors_, nodes_);
        if (flight) motion_.emplace(file_, nodes_, *std::move(flight), *frames);
    }

    Scene scene() {
        for (const std::size_t node : nodes_.of_scene(file_)) {
            const GltfObject source = node_list_[node];
            if (const auto mesh = source.index("mesh", mesh_list_.size())) add(node, source, *mesh);
        }
        Scene scene = builder_.finish();
        if (motion_ && motion_->object_count() > 0) {
            scene.motion = motion_->motion(builder_);
            scene.description += ", the camera's animation moves " + counted(motion_->object_count(), "object");
        }
        scene.description += unread();
        return scene;
    }

private:
    void add(std::size_t node, const GltfObject& source, std::size_t mesh) {
        moves_ = moved_[node];
        rests_ = !motion_ || !motion_->moves(node);
        const std::optional<GltfObject> instancing = source.extension("EXT_mesh_gpu_instancing");
        if (const auto skin = source.index("skin", skin_list_.size())) {
            if (instancing) ++instanced_skins_;
            const std::vector<glm::dmat4> joints = joints_of(skin_list_[*skin]);
            const std::vector<std::size_t> nodes = skin_list_[*skin].indices("joints", nodes_.size());
            moves_ = std::ranges::any_of(nodes, [&](std::size_t joint) { return moved_[joint]; });
            rests_ = true;
            return place(node, source, mesh, hulls(mesh, weights_of(source, mesh), &joints), glm::dmat4(1),
                         glm::dmat4(1));
        }
        const std::vector<std::uint32_t>& meshes = hulls_at_rest(mesh, weights_of(source, mesh));
        if (!instancing) return place(node, source, mesh, meshes, nodes_.world_from(node), glm::dmat4(1));
        for (const glm::dmat4& instance : instances_of(*instancing)) {
            place(node, source, mesh, meshes, nodes_.world_from(node), instance);
        }
    }

    void place(std::size_t node, const GltfObject& source, std::size_t mesh, const std::vector<std::uint32_t>& meshes,
               const glm::dmat4& world_from_node, const glm::dmat4& node_from_mesh) {
        std::string name = source.text("name").value_or("");
        if (name.empty()) name = mesh_list_[mesh].text("name").value_or("");
        if (name.empty()) name = fmt::format("nodes[{}]", node);
        if (moves_ && rests_) resting_objects_ += meshes.size();
        for (const std::uint32_t hull : meshes) {
            if (!rests_) motion_->add(builder_, node, hull, node_from_mesh);
            builder_.add_object(hull, world_from_node * node_from_mesh, printable(name), source.place());
        }
    }

    /// Of morph targets; empty where all are 0.
    std::vector<double> weights_of(const GltfObject& node, std::size_t mesh) const {
        std::vector<double> weights =
            node.has("weights") ? node.numbers("weights") : mesh_list_[mesh].numbers("weights");
        if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) weights.clear();
        return weights;
    }

    /// Made once, shared by all nodes that show it so.
    const std::vector<std::uint32_t>& hulls_at_rest(std::size_t mesh, std::vector<double> weights) {
        const auto [entry, is_new] = meshes_.try_emplace({mesh, std::move(weights)});
        if (is_new) entry->second = hulls(mesh, entry->first.second, nullptr);
        return entry->second;
    }

    std::vector<std::uint32_t> hulls(std::size_t mesh, const std::vector<double>& weights,
                                     const std::vector<glm::dmat4>* joints) {
        const GltfObject source = mesh_list_[mesh];
        const GltfArray primitives = source.array("primitives");
        const std::string name = printable(source.text("name").value_or("").substr(0, 60));
        std::vector<std::uint32_t> result;
        for (std::size_t k = 0; k < primitives.size(); ++k) {
            std::vector<HullMesh> parts = hull_meshes(primitives[k], accessors_, weights, joints);
            if (parts.empty()) builder_.count_empty();
            for (HullMesh& part : parts) {
                part.name = name.empty() ? "(no name)" : name;
                if (!name.empty() && primitives.size() > 1) part.name += fmt::format("-{}", k);
                result.push_back(builder_.add_mesh(std::move(part)));
            }
        }
        return result;
    }

    /// What each joint of a skin does with vertices.
    std::vector<glm::dmat4> joints_of(const GltfObject& skin) {
        const std::vector<std::size_t> joints = skin.indices("joints", nodes_.size());
        if (joints.empty()) skin.reject("joints", "are missing");
        const GltfAccessor* inverse = accessors_.find(skin, "inverseBindMatrices", 16);
        if (inverse != nullptr && inverse->count() < joints.size()) {
            skin.reject("inverseBindMatrices", "are {} of {} joints", inverse->count(), joints.size());
        }
        file_.charge(joints.size());
        std::vector<glm::dmat4> result;
        for (std::size_t k = 0; k < joints.size(); ++k) {
            result.push_back(nodes_.world_from(joints[k]) * (inverse != nullptr ? inverse->matrix(k) : glm::dmat4(1)));
        }
        return result;
    }

    std::vector<glm::dmat4> instances_of(const GltfObject& instancing) {
        const GltfObject attributes = instancing.required("attributes", instancing.object("attributes"));
        const GltfAccessor* translations = accessors_.find(attributes, "TRANSLATION", 3);
        const GltfAccessor* rotations = accessors_.find(attributes, "ROTATION", 4);
        const GltfAccessor* scales = accessors_.find(attributes, "SCALE", 3);
        std::optional<std::size_t> count;
        for (const GltfAccessor* values : {translations, rotations, scales}) {
            if (values == nullptr) continue;
            if (count && *count != values->count()) attributes.reject_all("has {} and {}", *count, values->count());
            count = values->count();
        }
        // Without any, custom attributes alone say how many there are, all in one place.
        if (!count) return {glm::dmat4(1)};
        file_.charge(instance_steps * *count);
        std::vector<glm::dmat4> result;
        for (std::size_t i = 0; i < *count; ++i) {
            GltfPose pose;
            if (translations != nullptr) pose.translation = translations->vec3(i);
            if (rotations != nullptr) pose.rotation = rotations->vec4(i);
            if (scales != nullptr) pose.scale = scales->vec3(i);
            result.push_back(pose.matrix());
        }
        return result;
    }

    /// The nodes that animations move, by themselves or with one above them.
    std::vector<bool> animated_nodes() const {
        std::vector<bool> result(nodes_.size());
        const GltfArray animations = file_.list("animations");
        for (std::size_t k = 0; k < animations.size(); ++k) {
            const GltfArray channels = animations[k].array("channels");
            for (std::size_t c = 0; c < channels.size(); ++c) {
                const std::optional<GltfObject> target = channels[c].object("target");
                const auto node = target ? target->index("node", nodes_.size()) : std::nullopt;
                if (node && target->text("path") != "weights") result[*node] = true;
            }
        }
        for (const std::size_t node : nodes_.of_scene(file_)) {  // each before its children
            if (const auto parent = nodes_.parent(node); parent && result[*parent]) result[node] = true;
        }
        return result;
    }

    /// " [not read: ...]", or nothing.
    std::string unread() const {
        std::vector<std::string> parts;
        const auto count = [&](std::size_t number, const std::string& thing) {
            if (number != 0) parts.push_back(counted(number, thing));
        };
        const std::size_t scenes = file_.list("scenes").size();
        count(scenes - std::min<std::size_t>(scenes, 1), "other scene");
        const std::size_t animations = file_.list("animations").size();
        if (motion_) {
            count(animations - 1, "other animation");
            if (resting_objects_ > 0) parts.push_back("the motion of " + counted(resting_objects_, "object"));
        } else {
            count(animations, "animation");
            if (resting_objects_ > 0) parts.back() += " that would move " + counted(resting_objects_, "object");
        }
        const std::optional<GltfObject> lights = file_.root().extension("KHR_lights_punctual");
        if (lights) count(lights->array("lights").size(), "light");
        count(instanced_skins_, "instancing of a skinned mesh");
        for (const std::string& extension : file_.other_extensions()) parts.push_back("the extension " + extension);
        return parts.empty() ? "" : fmt::format(" [not read: {}]", fmt::join(parts, ", "));
    }

    static constexpr std::uint64_t instance_steps = 64;  ///< an instance takes some hundred bytes

    GltfFile& file_;
    GltfAccessors accessors_;
    GltfNodes nodes_;
    GltfArray node_list_, mesh_list_, skin_list_;
    MeshSceneBuilder builder_;
    std::map<std::pair<std::size_t, std::vector<double>>, std::vector<std::uint32_t>> meshes_;  ///< those at rest
    std::vector<bool> moved_;           ///< nodes, by whatever animation
    std::optional<GltfMotion> motion_;  ///< what moves in the scene; else all rests
    bool moves_ = false;                ///< an animation moves the objects that are being placed
    bool rests_ = true;                 ///< and they rest all the same
    std::size_t instanced_skins_ = 0, resting_objects_ = 0;
};

}  // namespace

bool is_gltf(const std::string& file) {
    return ends_in(file, ".gltf") || ends_in(file, ".glb") || ends_in(file, ".vrm");
}

Scene read_gltf(const std::string& file, std::optional<std::size_t> frames) {
    const MappedFile mapped(file);
    return parse_gltf(mapped.bytes(), file, frames);
}

Scene parse_gltf(std::span<const std::byte> bytes, const std::string& file, std::optional<std::size_t> frames) {
    GltfFile source(bytes, file);
    return GltfSceneReader(source, frames).scene();
}

}  // namespace lanecull::program
