#include "gltf/gltf_scene.hpp"

#include <fmt/format.h>

#include "gltf/gltf_nodes.hpp"
#include "scene/mesh_scene.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

class GltfSceneReader {
public:
    explicit GltfSceneReader(GltfFile& file)
        : file_(file),
          accessors_(file),
          nodes_(file),
          node_list_(file.list("nodes")),
          mesh_list_(file.list("meshes")),
          skin_list_(file.list("skins")),
          builder_(file.name()) {}

    Scene scene() {
        for (const std::size_t node : nodes_.of_scene()) {
            const JsonObject source = node_list_[node];
            if (const auto mesh = source.index("mesh", mesh_list_.size())) add(node, source, *mesh);
        }
        Scene scene = builder_.finish();
        scene.description += unread();
        return scene;
    }

private:
    void add(std::size_t node, const JsonObject& source, std::size_t mesh) {
        const std::optional<JsonObject> instancing = source.extension("EXT_mesh_gpu_instancing");
        if (const auto skin = source.index("skin", skin_list_.size())) {
            if (instancing) ++instanced_skins_;
            const std::vector<glm::dmat4> joints = joints_of(skin_list_[*skin]);
            const std::vector<std::uint32_t> meshes = hulls(mesh, weights_of(source, mesh), &joints);
            return place(node, source, mesh, meshes, glm::dmat4(1));
        }
        const std::vector<std::uint32_t>& meshes = hulls_at_rest(mesh, weights_of(source, mesh));
        const std::vector<glm::dmat4> instances = instancing ? instances_of(*instancing) : std::vector{glm::dmat4(1)};
        for (const glm::dmat4& instance : instances) {
            place(node, source, mesh, meshes, nodes_[node].world_from_node * instance);
        }
    }

    void place(std::size_t node, const JsonObject& source, std::size_t mesh, const std::vector<std::uint32_t>& meshes,
               const glm::dmat4& world_from_mesh) {
        std::string name = source.text("name").value_or("");
        if (name.empty()) name = mesh_list_[mesh].text("name").value_or("");
        if (name.empty()) name = fmt::format("nodes[{}]", node);
        for (const std::uint32_t hull : meshes) {
            builder_.add_object(hull, world_from_mesh, printable(name), source.place());
        }
    }

    /// Of morph targets; empty where all are 0.
    std::vector<double> weights_of(const JsonObject& node, std::size_t mesh) const {
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
        const JsonObject source = mesh_list_[mesh];
        const JsonArray primitives = source.array("primitives");
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
    std::vector<glm::dmat4> joints_of(const JsonObject& skin) {
        const std::vector<std::size_t> joints = skin.indices("joints", nodes_.size());
        if (joints.empty()) skin.reject("joints", "are missing");
        const GltfAccessor* inverse = accessors_.find(skin, "inverseBindMatrices", 16);
        if (inverse != nullptr && inverse->count() < joints.size()) {
            skin.reject("inverseBindMatrices", "are {} of {} joints", inverse->count(), joints.size());
        }
        file_.charge(joints.size());
        std::vector<glm::dmat4> result;
        for (std::size_t k = 0; k < joints.size(); ++k) {
            const glm::dmat4& world_from_joint = nodes_[joints[k]].world_from_node;
            result.push_back(inverse != nullptr ? world_from_joint * inverse->matrix(k) : world_from_joint);
        }
        return result;
    }

    std::vector<glm::dmat4> instances_of(const JsonObject& instancing) {
        constexpr std::uint64_t steps = 64;  // an instance takes some hundred bytes
        const JsonObject attributes = instancing.required("attributes", instancing.object("attributes"));
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
        file_.charge(steps * *count);
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

    /// " [not read: ...]", or nothing.
    std::string unread() const {
        std::vector<std::string> parts;
        const auto count = [&](std::size_t number, const std::string& thing) {
            if (number != 0) parts.push_back(counted(number, thing));
        };
        const std::size_t scenes = file_.list("scenes").size();
        const std::optional<JsonObject> lights = file_.root().extension("KHR_lights_punctual");
        std::size_t colliders = 0;
        for (const std::size_t node : nodes_.of_scene()) {
            const std::optional<JsonObject> body = node_list_[node].extension("KHR_physics_rigid_bodies");
            colliders += body && body->has("collider") ? 1 : 0;
        }
        count(scenes - std::min<std::size_t>(scenes, 1), "other scene");
        count(file_.list("animations").size(), "animation");
        count(lights ? lights->array("lights").size() : 0, "light");
        count(colliders, "collider");
        count(instanced_skins_, "instancing of a skinned mesh");
        for (const std::string& extension : file_.other_extensions()) parts.push_back("the extension " + extension);
        return parts.empty() ? "" : fmt::format(" [not read: {}]", fmt::join(parts, ", "));
    }

    GltfFile& file_;
    GltfAccessors accessors_;
    GltfNodes nodes_;
    JsonArray node_list_, mesh_list_, skin_list_;
    MeshSceneBuilder builder_;
    std::map<std::pair<std::size_t, std::vector<double>>, std::vector<std::uint32_t>> meshes_;
    std::size_t instanced_skins_ = 0;
};

Camera lens_of(const JsonObject& source) {
    const std::string type = source.required("type", source.text("type"));
    const bool is_orthographic = type == "orthographic";
    if (!is_orthographic && type != "perspective") source.reject("type", "is neither perspective nor orthographic");
    const JsonObject lens = source.required(type.c_str(), source.object(type.c_str()));
    const auto number = [&](const char* name) { return lens.required(name, lens.number(name)); };
    Camera camera;
    camera.near = number("znear");
    if (is_orthographic) {
        const double across = number("xmag"), up = number("ymag");
        if (!(across > 0)) lens.reject("xmag", "is not more than 0");
        if (!(up > 0)) lens.reject("ymag", "is not more than 0");
        camera.height = 2 * up;
        camera.aspect = across / up;
        camera.far = number("zfar");
        return camera;
    }
    camera.vertical_fov = number("yfov");
    camera.far = lens.number("zfar").value_or(HUGE_VAL);
    camera.aspect = lens.number("aspectRatio").value_or(camera.aspect);
    return camera;
}

Camera placed(Camera lens, const glm::dmat4& world_from_node) {
    lens.eye = glm::dvec3(world_from_node[3]);
    lens.forward = -glm::dvec3(world_from_node[2]);
    lens.up = glm::dvec3(world_from_node[1]);
    return lens;
}

}  // namespace

Scene parse_gltf(std::span<const std::byte> bytes, const std::string& file) {
    GltfFile source(bytes, file);
    return GltfSceneReader(source).scene();
}

CameraPath path_of_gltf(const std::string& file, std::optional<std::size_t> frames, std::size_t animated_frames,
                        const LensOptions& lens) {
    return parse_gltf_path(MappedFile(file).bytes(), file, frames, animated_frames, lens);
}

CameraPath parse_gltf_path(std::span<const std::byte> bytes, const std::string& name, std::optional<std::size_t> frames,
                           std::size_t animated_frames, const LensOptions& lens) {
    GltfFile file(bytes, name);
    GltfAccessors accessors(file);
    const GltfNodes nodes(file);
    const JsonArray list = file.list("nodes"), cameras = file.list("cameras");
    CameraPath path;
    std::map<std::size_t, Camera> lenses;  // by node
    for (const std::size_t node : nodes.of_scene()) {
        const auto camera = list[node].index("camera", cameras.size());
        if (!camera) continue;
        lenses[node] = lens_of(cameras[*camera]);
        path.push_back(placed(lenses[node], nodes[node].world_from_node));
    }
    if (path.empty()) fail("{}: no cameras", name);
    const std::optional<GltfFlight> flight = flight_of(accessors, nodes);
    if (!flight) return path_through(std::move(path), frames, lens, name);
    path.clear();
    const std::size_t count = frames.value_or(animated_frames);
    for (std::size_t i = 0; i < count; ++i) {
        glm::dmat4 world_from_node(1);
        for (std::optional<std::size_t> node = flight->camera; node; node = nodes[*node].parent) {
            world_from_node =
                flight->animation.parent_from(*node, nodes, flight->animation.time(i, count)) * world_from_node;
        }
        path.push_back(placed(lenses[flight->camera], world_from_node));
    }
    return path_through(std::move(path), {}, lens, name);
}

}  // namespace lanecull::program
