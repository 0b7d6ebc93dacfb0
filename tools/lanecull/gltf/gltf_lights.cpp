#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "gltf/gltf_nodes.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {
namespace {

/// Half the angle of a spotlight's outer cone.
double angle_of(const JsonObject& source) {
    const std::optional<JsonObject> cone = source.object("spot");
    const double angle = cone ? cone->number("outerConeAngle").value_or(0.25 * std::numbers::pi) : 0;
    if (!(angle > 0 && angle <= 0.5 * std::numbers::pi)) source.reject("spot", "has no cone up to 90 degrees");
    return angle;
}

/// Lights shine along -z of their nodes, whose scale changes nothing of their ranges. False: the light is a sun.
bool read_light(const JsonObject& source, const glm::dmat4& world_from_node, SceneLight& light) {
    const std::string type = source.required("type", source.text("type"));
    if (type == "directional") return false;
    if (type != "point" && type != "spot") source.reject("type", "is none of directional, point and spot");
    light.at = glm::dvec3(world_from_node[3]);
    light.range = source.number("range").value_or(0);
    if (!(light.range >= 0 && light.range < max_coordinate)) source.reject("range", "is {}", light.range);
    if (type == "spot") {
        light.tangent = std::min(std::tan(angle_of(source)), 1e9);
        light.axis = -glm::dvec3(world_from_node[2]);
        light.axis /= glm::length(light.axis);
    }
    if (!is_finite(light.at) || !is_finite(light.axis)) source.reject_all("is in a node whose place is not finite");
    return true;
}

}  // namespace

std::vector<SceneLight> parse_gltf_lights(std::span<const std::byte> bytes, const std::string& name) {
    const GltfFile file(bytes, name);
    return lights_of(file, GltfNodes(file));
}

std::vector<SceneLight> lights_of(const GltfFile& file, const GltfNodes& nodes) {
    const JsonArray list = file.list("nodes");
    const std::optional<JsonObject> extension = file.root().extension("KHR_lights_punctual");
    std::vector<SceneLight> lights;
    for (const std::size_t node : nodes.of_scene()) {
        const std::optional<JsonObject> source = list[node].extension("KHR_lights_punctual");
        if (!source || !extension) continue;
        const JsonArray sources = extension->array("lights");
        const std::size_t which = source->required("light", source->index("light", sources.size()));
        SceneLight light{.node = node};
        if (read_light(sources[which], nodes[node].world_from_node, light)) lights.push_back(light);
    }
    return lights;
}

}  // namespace lanecull::program
