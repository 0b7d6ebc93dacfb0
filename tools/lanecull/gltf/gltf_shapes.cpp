#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <tuple>

#include "gltf/gltf_nodes.hpp"
#include "gltf/gltf_scene.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

/// Gathers shapes of nodes, a group a kind.
class ShapeScene {
public:
    explicit ShapeScene(const GltfFile& file) : file_(file), nodes_(file.list("nodes")) {}

    template <class Kind, class... Numbers>
    void add(std::size_t node, const Numbers&... numbers) {
        Named<Kind>& kind = std::get<Named<Kind>>(kinds_);
        kind.arrays.add(numbers...);
        const std::string name = nodes_[node].text("name").value_or("");
        kind.names.push_back(name.empty() ? fmt::format("nodes[{}]", node) : printable(name));
    }

    /// Fails unless a node's shape that reaches so far from its centre has coordinates that floats hold.
    void check(std::size_t node, const dvec3& center, double reach) const {
        for (int k = 0; k < 3; ++k) {
            if (std::abs(center[k]) + reach < max_coordinate) continue;
            nodes_[node].reject_all("has coordinates that are not finite or beyond {:g}", max_coordinate);
        }
    }

    /// `rest`: what else is to be said of the `things`. Fails if there are none.
    Scene finish(const char* thing, const std::string& rest) {
        Scene scene;
        const auto add = [&](auto& kind) { scene.add(kind.group, std::move(kind.arrays), std::move(kind.names)); };
        std::apply([&](auto&... kinds) { (add(kinds), ...); }, kinds_);
        if (scene.groups.empty()) fail("{}: no {}s that can be culled{}", file_.name(), thing, rest);
        scene.name = std::filesystem::path(file_.name()).filename().string();
        scene.description = counted(scene.object_count(), thing) + rest;
        scene.up = {0, 1, 0};
        return scene;
    }

private:
    template <class Kind>
    struct Named {
        const char* group;
        Kind arrays = {};
        std::vector<std::string> names = {};
    };

    const GltfFile& file_;
    JsonArray nodes_;
    std::tuple<Named<SphereArrays>, Named<OrientedBoxArrays>, Named<CapsuleArrays>, Named<CylinderArrays>,
               Named<ConeArrays>, Named<RoundConeArrays>, Named<EllipsoidArrays>>
        kinds_{{"spheres"}, {"boxes"}, {"capsules"}, {"cylinders"}, {"cones"}, {"round cones"}, {"ellipsoids"}};
};

/// A length of a shape.
double length_of(const JsonObject& source, const char* name, double usual, bool may_be_zero) {
    const double length = source.number(name).value_or(usual);
    const bool is_more = length > 0 || (length == 0 && may_be_zero);
    if (!is_more || !(length < max_coordinate)) source.reject(name, "is {}", length);
    return length;
}

bool are_equal(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(a, b); }

/// What a node does with a shape: makes it larger along axes, and turns it.
struct Placement {
    dvec3 center, scale;
    glm::dmat3 axes;  ///< of length 1, or 0 where the scale is

    explicit Placement(const glm::dmat4& world_from_node) : center(world_from_node[3]), axes(world_from_node) {
        for (int k = 0; k < 3; ++k) {
            scale[k] = glm::length(axes[k]);
            if (scale[k] > 0) axes[k] /= scale[k];
        }
    }

    [[nodiscard]] double largest() const { return std::max({scale.x, scale.y, scale.z}); }
    [[nodiscard]] bool shears_or_flattens() const {
        const double cosines = std::abs(glm::dot(axes[0], axes[1])) + std::abs(glm::dot(axes[1], axes[2])) +
                               std::abs(glm::dot(axes[2], axes[0]));
        return !(cosines < 1e-5 && scale.x > 0 && scale.y > 0 && scale.z > 0);
    }
    [[nodiscard]] glm::vec4 quaternion() const {
        const double side = glm::dot(glm::cross(axes[0], axes[1]), axes[2]) < 0 ? -1 : 1;
        const glm::dquat q = glm::quat_cast(glm::dmat3(axes[0], axes[1], side * axes[2]));
        return {q.x, q.y, q.z, q.w};
    }
};

/// Reads the colliders of a file that are shapes.
class ColliderReader {
public:
    explicit ColliderReader(const GltfFile& file)
        : file_(file), nodes_(file), node_list_(file.list("nodes")), shapes_(shapes_of(file)), scene_(file) {}

    Scene scene() {
        for (const std::size_t node : nodes_.of_scene()) {
            const std::optional<JsonObject> body = node_list_[node].extension("KHR_physics_rigid_bodies");
            const std::optional<JsonObject> collider = body ? body->object("collider") : std::nullopt;
            if (!collider) continue;
            const JsonObject geometry = collider->required("geometry", collider->object("geometry"));
            if (geometry.has("node")) {
                ++meshes_;
            } else {
                add(node, shapes_[geometry.required("shape", geometry.index("shape", shapes_.size()))]);
            }
        }
        std::string rest;
        if (larger_ != 0) rest += fmt::format(", {} as larger ones", larger_);
        if (meshes_ != 0) rest += fmt::format(", {} of meshes left out", meshes_);
        return scene_.finish("collider", rest);
    }

private:
    static JsonArray shapes_of(const GltfFile& file) {
        const std::optional<JsonObject> extension = file.root().extension("KHR_implicit_shapes");
        return extension ? extension->array("shapes") : JsonArray(nullptr, file.name(), "");
    }

    void add(std::size_t node, const JsonObject& shape) {
        const Placement at(nodes_[node].world_from_node);
        if (at.scale == dvec3(0)) return;  // as glTF says, it is switched off
        const std::string type = shape.required("type", shape.text("type"));
        const JsonObject numbers = shape.object(type).value_or(JsonObject(nothing_, file_.name(), shape.place()));
        if (type == "box") return add_box(node, at, numbers);
        if (at.shears_or_flattens()) node_list_[node].reject_all("shears or flattens its collider");
        if (type == "sphere") return add_sphere(node, at, length_of(numbers, "radius", 0.5, false));
        if (type != "capsule" && type != "cylinder") {
            shape.reject("type", "is none of box, sphere, capsule and cylinder");
        }
        add_round(node, at, numbers, type == "capsule");
    }

    void add_box(std::size_t node, const Placement& at, const JsonObject& numbers) {
        dvec3 half(0.5);
        if (const auto size = numbers.numbers_of<3>("size")) half *= dvec3((*size)[0], (*size)[1], (*size)[2]);
        if (!(half.x > 0 && half.y > 0 && half.z > 0)) numbers.reject("size", "has a number that is not more than 0");
        half *= at.scale;
        scene_.check(node, at.center, half.x + half.y + half.z);
        scene_.add<OrientedBoxArrays>(node, at.center, glm::mat3(at.axes), half);
    }

    void add_sphere(std::size_t node, const Placement& at, double radius) {
        scene_.check(node, at.center, radius * at.largest());
        if (are_equal(at.scale.x, at.scale.y) && are_equal(at.scale.y, at.scale.z)) {
            scene_.add<SphereArrays>(node, at.center, static_cast<float>(radius * at.largest()));
        } else {
            scene_.add<EllipsoidArrays>(node, at.center, at.quaternion(), radius * at.scale);
        }
    }

    /// Around the y axis.
    void add_round(std::size_t node, const Placement& at, const JsonObject& numbers, bool is_capsule) {
        const double bottom = length_of(numbers, "radiusBottom", 0.25, true);
        const double top = length_of(numbers, "radiusTop", 0.25, true), larger = std::max(bottom, top);
        if (larger == 0) numbers.reject("radiusTop", "and radiusBottom are 0");
        const double up = nodes_[node].pose.scale.y < 0 ? -0.5 : 0.5;  // negative scales mirror no collider
        const dvec3 half = up * length_of(numbers, "height", 0.5, false) * at.scale.y * at.axes[1];
        const double across = std::max(at.scale.x, at.scale.z);
        const auto radius = static_cast<float>(larger * (is_capsule ? at.largest() : across));
        scene_.check(node, at.center, glm::length(half) + double{radius});
        const bool is_cone = !is_capsule && (bottom == 0 || top == 0);
        if ((bottom != top && !is_cone) || !are_equal(at.scale.x, at.scale.z) ||
            (is_capsule && !are_equal(at.scale.y, across))) {
            ++larger_;
        }
        const dvec3 to_apex = bottom == 0 ? -half : half;
        if (is_cone) {
            scene_.add<ConeArrays>(node, at.center + to_apex, at.center - to_apex, radius);
        } else if (is_capsule) {
            scene_.add<CapsuleArrays>(node, at.center - half, at.center + half, radius);
        } else {
            scene_.add<CylinderArrays>(node, at.center - half, at.center + half, radius);
        }
    }

    const Json nothing_ = Json::object();
    const GltfFile& file_;
    GltfNodes nodes_;
    JsonArray node_list_, shapes_;
    ShapeScene scene_;
    std::size_t larger_ = 0, meshes_ = 0;
};

}  // namespace

Scene parse_gltf_colliders(std::span<const std::byte> bytes, const std::string& file) {
    const GltfFile source(bytes, file);
    return ColliderReader(source).scene();
}

Scene parse_gltf_lit(std::span<const std::byte> bytes, const std::string& file) {
    constexpr double widest = 10;  // tangent; of wider ones the base is so near to the apex that rounding tilts it
    const GltfFile source(bytes, file);
    ShapeScene scene(source);
    std::size_t endless = 0;
    for (const SceneLight& light : lights_of(source, GltfNodes(source))) {
        scene.check(light.node, light.at, light.range);
        if (light.range == 0) {
            ++endless;
        } else if (light.tangent > 0 && light.tangent <= widest) {
            const double height = light.range / std::hypot(1, light.tangent);
            const auto radius = static_cast<float>(height * light.tangent);
            scene.add<RoundConeArrays>(light.node, light.at, light.at + height * light.axis, radius);
        } else {
            scene.add<SphereArrays>(light.node, light.at, static_cast<float>(light.range));
        }
    }
    return scene.finish("light", endless == 0 ? "" : fmt::format(", {} without a range left out", endless));
}

}  // namespace lanecull::program
