#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../tools/lanecull/support/files.hpp"
#include "gltf/gltf_scene.hpp"
#include "scene/mesh_bounds.hpp"
#include "scene/reading.hpp"
#include "scene/scene_lights.hpp"
#include "support/error.hpp"

/// The reader of glTF, against three.js (tests/data/gltf), and against files that break glTF's rules.

namespace {

using nlohmann::json;
using namespace lanecull::program;
using Box = std::array<double, 6>;

/// A scene that the build has made, or a file of tests/data/gltf.
std::string path_to(const std::string& name) {
    const std::string made = LANECULL_MADE_SCENES "/" + name;
    return std::filesystem::exists(made) ? made : LANECULL_TEST_DATA "/gltf/" + name;
}

json recorded() {
    std::ifstream file(path_to("boxes.json"));
    return json::parse(file);
}

/// Around the points of each object.
std::vector<Box> boxes_of(const Scene& scene) {
    std::vector<Box> boxes;
    for (const Group& group : scene.groups) {
        const auto& instances = std::get<HullInstanceArrays>(group.arrays);
        for (std::size_t i = 0; i < instances.hull_index.size(); ++i) {
            const FloatBox box = box_around(instances.meshes[instances.hull_index[i]], transform_of(instances, i));
            boxes.push_back({box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z});
        }
    }
    return boxes;
}

double difference(const Box& a, const Box& b) {
    double largest = 0, size = 1;
    for (std::size_t k = 0; k < 6; ++k) {
        largest = std::max(largest, std::abs(a[k] - b[k]));
        size = std::max(size, std::abs(b[k]));
    }
    return largest / size;
}

/// Expects the same boxes, in any order.
void expect_boxes(std::vector<Box> found, const std::vector<Box>& right, double tolerance) {
    ASSERT_EQ(found.size(), right.size());
    for (const Box& box : right) {
        const auto nearest =
            std::ranges::min_element(found, {}, [&](const Box& other) { return difference(other, box); });
        EXPECT_LE(difference(*nearest, box), tolerance) << json(box) << "\n" << json(*nearest);
        found.erase(nearest);
    }
}

Scene parsed(const json& document) {
    const std::string text = document.dump();
    return parse_gltf(std::as_bytes(std::span(text)), "scene.gltf");
}

CameraPath path_of(const json& document) {
    const std::string text = document.dump();
    return parse_gltf_path(std::as_bytes(std::span(text)), "scene.gltf", {}, 5, {});
}

void expect_rejected(const json& document, const std::string& message) {
    const std::string text = document.dump();
    try {
        static_cast<void>(parse_gltf(std::as_bytes(std::span(text)), "scene.gltf"));
        ADD_FAILURE() << "read, but not expected to be: " << message;
    } catch (const Error& error) {
        EXPECT_EQ(error.what(), "scene.gltf: " + message);
    }
}

/// Numbers as a URI that has them in itself, for buffers of glTF.
template <class Number>
std::string data_uri(const std::vector<Number>& numbers) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> bytes(numbers.size() * sizeof(Number));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    std::string text = "data:application/octet-stream;base64,";
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    return text;
}

/// A tetrahedron with indices, a skin, a morph target and instances: something of everything to break.
json document() {
    json file = json::parse(R"({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"mesh": 0, "children": [1], "name": "body"}, {"mesh": 1, "skin": 0},
                  {"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2}}}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "targets": [{"POSITION": 2}]}],
                    "weights": [0.5]},
                   {"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 1}]}],
        "skins": [{"joints": [0, 1]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
                      {"componentType": 5126, "count": 4, "type": "VEC3", "sparse": {"count": 1,
                        "indices": {"bufferView": 1, "byteOffset": 4, "componentType": 5123},
                        "values": {"bufferView": 0, "byteOffset": 12}}},
                      {"bufferView": 2, "componentType": 5121, "count": 4, "type": "VEC4"},
                      {"bufferView": 3, "componentType": 5126, "count": 4, "type": "VEC4"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 1, "byteLength": 24},
                        {"buffer": 2, "byteLength": 16}, {"buffer": 3, "byteLength": 64}],
        "buffers": [{"byteLength": 48}, {"byteLength": 24}, {"byteLength": 16}, {"byteLength": 64}]})");
    file["buffers"][0]["uri"] = data_uri<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    file["buffers"][1]["uri"] = data_uri<std::uint16_t>({0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3});
    file["buffers"][2]["uri"] = data_uri<std::uint8_t>({0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
    file["buffers"][3]["uri"] = data_uri<float>({1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
    return file;
}

std::vector<SceneLight> lights_of(const json& document) {
    const std::string text = document.dump();
    return parse_gltf_lights(std::as_bytes(std::span(text)), "scene.gltf");
}

TEST(Gltf, PlacesLights) {
    json file = document();
    file["extensions"]["KHR_lights_punctual"]["lights"] = json::parse(R"([{"type": "point", "range": 5},
        {"type": "spot", "spot": {"outerConeAngle": 0.5}}, {"type": "spot", "spot": {}}, {"type": "directional"}])");
    // The first node is turned, and its child with it, which is 10 above: its -z is the world's -x.
    file["nodes"][0]["translation"] = {1, 2, 3};
    file["nodes"][0]["rotation"] = {0, std::sqrt(0.5), 0, std::sqrt(0.5)};
    file["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = 0;
    file["nodes"][1]["translation"] = {0, 10, 0};
    file["nodes"][1]["extensions"]["KHR_lights_punctual"]["light"] = 1;
    file["nodes"][2]["extensions"]["KHR_lights_punctual"]["light"] = 2;
    const std::vector<SceneLight> lights = lights_of(file);
    ASSERT_EQ(lights.size(), 3U);
    EXPECT_EQ(lights[0].at, glm::dvec3(1, 2, 3));
    EXPECT_EQ(lights[0].range, 5);
    EXPECT_EQ(lights[0].tangent, 0);
    EXPECT_EQ(lights[1].range, 0);
    EXPECT_NEAR(lights[1].tangent, std::tan(0.5), 1e-12);
    EXPECT_NEAR(lights[2].tangent, 1, 1e-12);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(lights[1].at[k], glm::dvec3(1, 12, 3)[k], 1e-12);
        EXPECT_NEAR(lights[1].axis[k], glm::dvec3(-1, 0, 0)[k], 1e-12);
    }
    file["nodes"][2]["extensions"]["KHR_lights_punctual"]["light"] = 3;
    EXPECT_EQ(lights_of(file).size(), 2U);
    const auto expect_refused = [&](const char* light, const std::string& message) {
        json broken = file;
        broken["extensions"]["KHR_lights_punctual"]["lights"][0] = json::parse(light);
        try {
            static_cast<void>(lights_of(broken));
            ADD_FAILURE() << "read, but not expected to be: " << message;
        } catch (const Error& error) {
            EXPECT_EQ(error.what(), "scene.gltf: extensions.KHR_lights_punctual.lights[0]." + message);
        }
    };
    expect_refused(R"({"type": "moon"})", "type is none of directional, point and spot");
    expect_refused(R"({"type": "point", "range": -1})", "range is -1");
    expect_refused(R"({"type": "spot", "spot": {"outerConeAngle": 2}})", "spot has no cone up to 90 degrees");
}

using Parse = Scene (*)(std::span<const std::byte>, const std::string&);

Scene parsed_by(Parse parse, const json& document) {
    const std::string text = document.dump();
    return parse(std::as_bytes(std::span(text)), "scene.gltf");
}

std::string failure_of(Parse parse, const json& document) {
    try {
        return "read: " + parsed_by(parse, document).description;
    } catch (const Error& error) {
        return error.what();
    }
}

/// Each shape in a node of its own, which scales, turns and moves it.
json colliders() {
    json file = json::parse(R"({"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_physics_rigid_bodies"],
        "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
        "extensions": {"KHR_implicit_shapes": {"shapes": [
            {"type": "sphere", "sphere": {"radius": 1}},
            {"type": "box", "box": {"size": [2, 4, 6]}},
            {"type": "box"},
            {"type": "capsule", "capsule": {"height": 2, "radiusTop": 0.5, "radiusBottom": 0.5}},
            {"type": "capsule", "capsule": {"height": 2, "radiusTop": 0.25}},
            {"type": "cylinder", "cylinder": {"height": 4, "radiusTop": 1, "radiusBottom": 1}},
            {"type": "cylinder", "cylinder": {"height": 4, "radiusTop": 0, "radiusBottom": 1}},
            {"type": "cylinder", "cylinder": {"height": 4, "radiusTop": 0.5, "radiusBottom": 2}}]}}})");
    const auto add = [&](const char* name, int shape, const json& placed) {
        json node = placed;
        node["name"] = name;
        node["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"]["shape"] = shape;
        file["nodes"].push_back(node);
    };
    const double half = std::sqrt(0.5);
    const json about_z = {0, 0, half, half};  // x becomes y
    add("ball", 0, {{"translation", {1, 2, 3}}, {"scale", {2, 2, 2}}});
    add("egg", 0, {{"translation", {10, 0, 0}}, {"scale", {1, 2, 3}}, {"rotation", {0.5, 0.5, 0.5, 0.5}}});
    add("box", 1, {{"translation", {20, 0, 0}}, {"rotation", about_z}});
    add("sheared box", 2, {{"matrix", {1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 30, 0, 0, 1}}});
    add("pill", 3, {{"translation", {40, 0, 0}}, {"rotation", about_z}});
    add("drop", 4, {{"translation", {50, 0, 0}}, {"scale", {1, 2, 1}}});
    add("can", 5, {{"translation", {60, 0, 0}}, {"rotation", about_z}, {"scale", {2, 1, 2}}});
    add("cone", 6, {{"translation", {70, 0, 0}}});
    add("mirrored cone", 6, {{"translation", {80, 0, 0}}, {"scale", {1, -1, 1}}});
    add("cut cone", 7, {{"translation", {90, 0, 0}}, {"scale", {1, 1, 2}}});
    add("tilted egg", 0, {{"scale", {1, 2, 3}}, {"rotation", {0, 0, 0.5, std::sqrt(0.75)}}});
    add("off", 0, {{"scale", {0, 0, 0}}});
    file["nodes"].push_back(json::parse(R"({"extensions": {"KHR_physics_rigid_bodies": {"motion": {},
                                            "collider": {"geometry": {"node": 0, "convexHull": true}}}}})"));
    return file;
}

TEST(Gltf, PlacesColliders) {
    const Scene scene = parsed_by(parse_gltf_colliders, colliders());
    EXPECT_EQ(scene.description, "11 colliders, 2 as larger ones, 1 of meshes left out");
    std::map<std::string, std::pair<std::string, Box>> found;
    for (const Group& group : scene.groups) {
        for (std::size_t i = 0; i < group.names.size(); ++i) {
            const Bounds b = object_bounds(group.arrays, i);
            found[group.names[i]] = {group.name, {b.lower.x, b.lower.y, b.lower.z, b.upper.x, b.upper.y, b.upper.z}};
        }
    }
    const std::map<std::string, std::pair<std::string, Box>> right{
        {"ball", {"spheres", {-1, 0, 1, 3, 4, 5}}},
        {"egg", {"ellipsoids", {7, -1, -2, 13, 1, 2}}},
        {"tilted egg", {"ellipsoids", {-std::sqrt(3.25), -std::sqrt(1.75), -3, std::sqrt(3.25), std::sqrt(1.75), 3}}},
        {"box", {"boxes", {18, -1, -3, 22, 1, 3}}},
        {"sheared box", {"boxes", {28.5, -0.5, -0.5, 31.5, 0.5, 0.5}}},
        {"pill", {"capsules", {38.5, -0.5, -0.5, 41.5, 0.5, 0.5}}},
        {"drop", {"capsules", {49.5, -2.5, -0.5, 50.5, 2.5, 0.5}}},
        {"can", {"cylinders", {58, -2, -2, 62, 2, 2}}},
        {"cone", {"cones", {69, -2, -1, 71, 2, 1}}},
        {"mirrored cone", {"cones", {79, -2, -1, 81, 2, 1}}},
        {"cut cone", {"cylinders", {86, -2, -4, 94, 2, 4}}}};
    ASSERT_EQ(found.size(), right.size());
    for (const auto& [name, shape] : right) {
        EXPECT_EQ(found[name].first, shape.first) << name;
        EXPECT_LE(difference(found[name].second, shape.second), 1e-6) << name << json(found[name].second);
    }
    const auto cones = std::ranges::find(scene.groups, "cones", &Group::name);
    ASSERT_NE(cones, scene.groups.end());
    for (const std::size_t i : {0U, 1U}) EXPECT_EQ(std::get<ConeArrays>(cones->arrays).a(i).y, 2) << "its apex";
    // Each of them is solid, is culled, and comes back from its bytes.
    EXPECT_EQ(scene.batches().size(), 6U);
    EXPECT_EQ(bytes_of(scene_of(bytes_of(scene), "scene.gltf")), bytes_of(scene));
}

TEST(Gltf, RejectsWrongColliders) {
    const std::string shapes = "/extensions/KHR_implicit_shapes/shapes/", nodes = "/nodes/";
    const std::string geometry = "/extensions/KHR_physics_rigid_bodies/collider/geometry";
    const std::string in_shapes = "scene.gltf: extensions.KHR_implicit_shapes.shapes";
    const std::string in_node = "scene.gltf: nodes[4]";
    for (const auto& [pointer, value, message] : std::vector<std::tuple<std::string, json, std::string>>{
             {shapes + "0/type", "plane", in_shapes + "[0].type is none of box, sphere, capsule and cylinder"},
             {shapes + "0/type", 7, in_shapes + "[0].type is to be a string"},
             {shapes + "0/sphere", 7, in_shapes + "[0].sphere is to be an object"},
             {shapes + "0/sphere/radius", 0, in_shapes + "[0].sphere.radius is 0"},
             {shapes + "0/sphere/radius", 1e15, in_shapes + "[0].sphere.radius is 1000000000000000"},
             {shapes + "1/box/size", json{1, 0, 1}, in_shapes + "[1].box.size has a number that is not more than 0"},
             {shapes + "1/box/size", json{1, 1}, in_shapes + "[1].box.size is to have 3 numbers, not 2"},
             {shapes + "3/capsule/height", -1, in_shapes + "[3].capsule.height is -1"},
             {shapes + "3/capsule/radiusTop", "1", in_shapes + "[3].capsule.radiusTop is to be a number"},
             {shapes + "6/cylinder/radiusBottom", 0, in_shapes + "[6].cylinder.radiusTop and radiusBottom are 0"},
             {nodes + "4" + geometry, json::object(),
              in_node + ".extensions.KHR_physics_rigid_bodies.collider.geometry.shape is missing"},
             {nodes + "4" + geometry + "/shape", 8,
              in_node + ".extensions.KHR_physics_rigid_bodies.collider.geometry.shape names number 8 of 8"},
             {nodes + "4/translation", json{1e15, 0, 0},
              in_node + " has coordinates that are not finite or beyond 1e+15"},
             {nodes + "4/scale", json{1e300, 1, 1}, in_node + " has coordinates that are not finite or beyond 1e+15"},
             {nodes + "4/scale", json{1, 0, 1}, in_node + " shears or flattens its collider"}}) {
        json file = colliders();
        file[json::json_pointer(pointer)] = value;
        EXPECT_EQ(failure_of(parse_gltf_colliders, file), message);
    }
    json sheared = colliders();
    sheared["nodes"][3]["extensions"] = sheared["nodes"][4]["extensions"];
    EXPECT_EQ(failure_of(parse_gltf_colliders, sheared), "scene.gltf: nodes[3] shears or flattens its collider");
    json meshes = colliders();
    meshes["nodes"] = {meshes["nodes"][12]};
    EXPECT_EQ(failure_of(parse_gltf_colliders, meshes),
              "scene.gltf: no colliders that can be culled, 1 of meshes left out");
}

TEST(Gltf, PlacesWhatLightsReach) {
    json file = document();
    file["extensions"]["KHR_lights_punctual"]["lights"] = json::parse(R"([{"type": "point", "range": 5},
        {"type": "spot", "range": 5, "spot": {"outerConeAngle": 0.6435011087932844}},
        {"type": "spot", "range": 3, "spot": {"outerConeAngle": 1.5}}, {"type": "directional"}, {"type": "point"}])");
    for (std::size_t i = 0; i < 5; ++i) {
        file["nodes"][i]["name"] = "light " + std::to_string(i);
        file["nodes"][i]["translation"] = {10 * i, 0, 0};
        file["nodes"][i]["extensions"]["KHR_lights_punctual"]["light"] = i;
    }
    file["scenes"][0]["nodes"] = {0, 2, 3, 4};
    const Scene scene = parsed_by(parse_gltf_lit, file);
    EXPECT_EQ(scene.description, "3 lights, 1 without a range left out");
    ASSERT_EQ(scene.groups.size(), 2U);
    const auto& balls = std::get<SphereArrays>(scene.groups[0].arrays);
    EXPECT_EQ(scene.groups[0].names, (std::vector<std::string>{"light 0", "light 2"}));
    EXPECT_EQ(balls.radius, (std::vector<float>{5, 3}));
    EXPECT_EQ(balls.x, (std::vector<float>{0, 20}));
    const auto& cones = std::get<RoundConeArrays>(scene.groups[1].arrays);
    ASSERT_EQ(cones.radius.size(), 1U);
    EXPECT_EQ(cones.a(0), glm::dvec3(10, 0, 0));
    EXPECT_EQ(cones.b(0), glm::dvec3(10, 0, -4));
    EXPECT_FLOAT_EQ(cones.radius[0], 3);
    EXPECT_NEAR(object_bounds(scene.groups[1].arrays, 0).lower.z, -5, 1e-6) << "its range";
    EXPECT_EQ(scene.batches()[1].shapes.cones.end, lanecull::ConeEnd::round);
    file["nodes"][1]["translation"] = {9e14, 0, 0};
    file["extensions"]["KHR_lights_punctual"]["lights"][1]["range"] = 9e14;
    EXPECT_EQ(failure_of(parse_gltf_lit, file),
              "scene.gltf: nodes[1] has coordinates that are not finite or beyond 1e+15");
    EXPECT_EQ(failure_of(parse_gltf_lit, document()), "scene.gltf: no lights that can be culled");
}

TEST(Gltf, PlacesObjectsAsThreeJsDoes) {
    const json files = recorded().at("boxes");
    EXPECT_EQ(files.size(), 16U);
    for (const auto& [file, boxes] : files.items()) {
        SCOPED_TRACE(file);
        if (boxes.empty()) {  // cameras alone
            EXPECT_THROW(static_cast<void>(read_scene(path_to(file))), Error);
        } else {
            expect_boxes(boxes_of(read_scene(path_to(file))), boxes.get<std::vector<Box>>(), 1e-5);
        }
    }
}

TEST(Gltf, FliesCamerasAsThreeJsDoes) {
    const json files = recorded().at("cameras");
    EXPECT_EQ(files.size(), 3U);
    for (const auto& [file, frames] : files.items()) {
        SCOPED_TRACE(file);
        const CameraPath path = path_of_gltf(path_to(file), frames.size(), 300, {});
        ASSERT_EQ(path.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const auto right = frames.at(i).get<std::array<double, 9>>();
            const Camera& camera = path[i];
            const std::array vectors = {camera.eye, camera.forward, camera.up};
            for (std::size_t k = 0; k < 9; ++k) {
                EXPECT_NEAR(vectors[k / 3][static_cast<int>(k % 3)], right[k], 1e-5 * (1 + std::abs(right[k])))
                    << "frame " << i << ", number " << k;
            }
        }
    }
}

/// What Draco decompresses is what was compressed, to its 20 bits.
TEST(Gltf, DecompressesDraco) {
    expect_boxes(boxes_of(read_scene(path_to("draco.glb"))), boxes_of(read_scene(path_to("draco_plain.glb"))), 1e-5);
}

TEST(Gltf, ReadsSomethingOfEverything) {
    const std::vector<Box> boxes = boxes_of(parsed(document()));
    EXPECT_EQ(boxes.size(), 1U + 1 + 4);
}

/// Each of these values makes one error, which names the place.
TEST(Gltf, RejectsWhatBreaksItsRules) {
    const struct {
        const char* pointer;
        json value;
        const char* message;
    } cases[] = {
        {"/asset", 7, "asset is to be an object"},
        {"/asset/version", "1.0", "asset.version is 1.0; glTF 2.0 is read"},
        {"/asset/minVersion", "2.1", "asset.minVersion is 2.1; glTF 2.0 is read"},
        {"/extensionsRequired", json{"KHR_mesh_quantization", "ACME_folds"},
         "it needs the extension ACME_folds, which is not read"},
        {"/scene", 1, "scene names number 1 of 1"},
        {"/scenes/0/nodes/1", 3, "scenes[0].nodes names number 3 of 3"},
        {"/scenes/0/nodes/1", 0, "scenes[0].nodes has node 0 twice"},
        {"/scenes/0/nodes/1", 1, "scenes[0].nodes has node 1, whose parent is 0"},
        {"/nodes/2/children", json{1}, "nodes[2].children has node 1, whose parent is 0"},
        {"/nodes/1/children", json{0}, "nodes[1] is above itself in the tree of nodes"},
        {"/nodes/0/children/0", 0, "nodes[0] is above itself in the tree of nodes"},
        {"/nodes/0/translation", json{1, 2}, "nodes[0].translation is to have 3 numbers, not 2"},
        {"/nodes/0/translation", json{1, 2, "x"}, "nodes[0].translation is to have numbers in it"},
        {"/nodes/0/matrix", json::array(), "nodes[0].matrix is to have 16 numbers, not 0"},
        {"/nodes/0/matrix", json(std::vector<int>(16, 1)), "nodes[0].matrix is not affine"},
        {"/nodes/0/scale", json{1e300, 1e300, 1e300}, "nodes[0] is placed at coordinates that are not finite"},
        {"/nodes/0/name", 7, "nodes[0].name is to be a string"},
        {"/nodes/0/mesh", 2, "nodes[0].mesh names number 2 of 2"},
        {"/nodes/0/mesh", -1, "nodes[0].mesh is to be a whole number, 0 or more"},
        {"/nodes/0/mesh", 0.5, "nodes[0].mesh is to be a whole number, 0 or more"},
        {"/nodes/0/mesh", 4294967296, "nodes[0].mesh names number 4294967296 of 2"},
        {"/nodes/0/weights", json{1, 2}, "meshes[0].primitives[0].targets are 1, and there are 2 weights"},
        {"/nodes/1/skin", 1, "nodes[1].skin names number 1 of 1"},
        {"/meshes/0", json::array(), "meshes[0] is to be an object"},
        {"/meshes/0/primitives/0/mode", 7, "meshes[0].primitives[0].mode is 7; glTF has 0 to 6"},
        {"/meshes/0/primitives/0/indices", 5, "meshes[0].primitives[0].indices names number 5 of 5"},
        {"/meshes/0/primitives/0/indices", 0, "meshes[0].primitives[0].indices is to have 1 numbers an element, not 3"},
        {"/accessors/1/componentType", 5122, "meshes[0].primitives[0].indices are to be unsigned integers"},
        {"/accessors/1/componentType", 5124, "accessors[1].componentType is 5124, which glTF 2.0 does not have"},
        {"/accessors/0/type", "VEC5", "accessors[0].type is VEC5, which glTF 2.0 does not have"},
        {"/accessors/0/count", 0, "accessors[0].count is 0; 1 to 4294967295 is allowed"},
        {"/accessors/0/count", 5,
         "accessors[0] is cut off: 5 elements of 12 bytes, 12 apart, from byte 0 on, and its buffer view has 48"},
        {"/accessors/0/byteOffset", 4,
         "accessors[0] is cut off: 4 elements of 12 bytes, 12 apart, from byte 4 on, and its buffer view has 48"},
        {"/accessors/0/byteOffset", -4, "accessors[0].byteOffset is to be a whole number, 0 or more"},
        {"/accessors/0/count", 3, "meshes[0].primitives[0].attributes.targets are 4 of 3 vertices"},
        {"/accessors/2/sparse/count", 5, "accessors[2].sparse.count is 5 of 4"},
        {"/accessors/2/sparse/indices/componentType", 5126,
         "accessors[2].sparse.indices.componentType is to be one of integers"},
        {"/accessors/2/sparse/count", 2, "accessors[2].sparse.indices does not ascend"},
        {"/accessors/2/sparse/values/byteOffset", 40,
         "accessors[2].sparse.values is cut off: 1 elements of 12 bytes, 12 apart, from byte 40 on, and its buffer "
         "view has 48"},
        {"/bufferViews/0/byteLength", 49, "bufferViews[0] ends at byte 49 of 48 of its buffer"},
        {"/bufferViews/0/byteOffset", 1e15, "bufferViews[0] ends at byte 1,000,000,000,000,048 of 48 of its buffer"},
        {"/bufferViews/0/byteStride", 8,
         "bufferViews[0].byteStride is 8, and each element of accessors[0] has 12 bytes"},
        {"/bufferViews/0/buffer", 4, "bufferViews[0].buffer names number 4 of 4"},
        {"/buffers/0/byteLength", 100, "buffers[0] is cut off: 48 bytes of 100 are there"},
        {"/buffers/0/uri", "data:,", "buffers[0] is cut off: 0 bytes of 48 are there"},
        {"/buffers/0/uri", "data:;base64,A#", "buffers[0].uri is no base64"},
        {"/buffers/0/uri", "https://example.org/a.bin",
         "buffers[0].uri begins with https:; data: URIs and files beside this one are read"},
        {"/buffers/0/uri", "file:///etc/passwd",
         "buffers[0].uri begins with file:; data: URIs and files beside this one are read"},
        {"/buffers/0/uri", "/etc/passwd", "buffers[0].uri names /etc/passwd, which is no file beside this one"},
        {"/buffers/0/uri", "%2Fetc%2Fpasswd", "buffers[0].uri names %2Fetc%2Fpasswd, which is no file beside this one"},
        {"/buffers/0/uri", "nowhere.bin", "buffers[0].uri names nowhere.bin, which is no file beside this one"},
        {"/skins/0/joints/0", 3, "skins[0].joints names number 3 of 3"},
        {"/skins/0/joints", json{0}, "meshes[1].primitives[0] names joint 1 of 1"},
        {"/skins/0/inverseBindMatrices", 0, "skins[0].inverseBindMatrices is to have 16 numbers an element, not 3"},
        {"/buffers/1/uri", data_uri(std::vector<std::uint16_t>(12, 4)),
         "accessors[2].sparse.indices names element 4 of 4"},
        {"/accessors/1/byteOffset", 2,
         "accessors[1] is cut off: 12 elements of 2 bytes, 2 apart, from byte 2 on, and its "
         "buffer view has 24"},
        {"/buffers/0/uri", data_uri(std::vector<float>(12, NAN)),
         "meshes[0].primitives[0] has vertex 0, which is not finite"},
    };
    for (const auto& [pointer, value, message] : cases) {
        SCOPED_TRACE(pointer);
        json file = document();
        file[json::json_pointer(pointer)] = value;
        expect_rejected(file, message);
    }
    for (const auto& [object, member, message] : {
             std::array{"/buffers/0", "uri", "buffers[0] has neither a uri nor a chunk of data"},
             std::array{"/buffers/0", "byteLength", "buffers[0].byteLength is missing"},
             std::array{"/accessors/0", "count", "accessors[0].count is missing"},
             std::array{"/meshes/0/primitives/0", "attributes", "meshes[0].primitives[0].attributes is missing"},
             std::array{"/skins/0", "joints", "skins[0].joints are missing"},
         }) {
        json file = document();
        file[json::json_pointer(object)].erase(member);
        expect_rejected(file, message);
    }
    json far = document();
    far["buffers"][1]["uri"] = data_uri<std::uint16_t>({0, 1, 2, 3, 4, 3, 0, 2, 3, 1, 2, 3});
    expect_rejected(far, "meshes[0].primitives[0] has a face that names vertex 4 of 4");
    json point = document();  // whatever its scale, it is where its node is
    point["buffers"][0]["uri"] = data_uri(std::vector<float>(12, 0));
    point["nodes"][0]["scale"] = {1e300, 1e300, 1e300};
    expect_rejected(point, "nodes[0] is placed at coordinates that are not finite");
}

/// A few bytes must not take minutes, or all memory.
TEST(Gltf, RejectsEndlessWork) {
    json file = document();
    file["accessors"][0] = {{"componentType", 5126}, {"count", 4294967295}, {"type", "VEC3"}};
    file["meshes"][0]["primitives"][0] = {{"attributes", {{"POSITION", 0}}}};
    file["meshes"][0].erase("weights");
    EXPECT_THROW(static_cast<void>(parsed(file)), Error);
    file["accessors"][0]["count"] = 1'000'000;
    file["meshes"][0]["primitives"] = json(std::vector<json>(100, file["meshes"][0]["primitives"][0]));
    EXPECT_THROW(static_cast<void>(parsed(file)), Error);
    const std::string text = document().dump();
    const std::string deep =
        R"({"extras": )" + std::string(500'000, '[') + std::string(500'000, ']') + ", " + text.substr(1);
    EXPECT_EQ(parse_gltf(std::as_bytes(std::span(deep)), "scene.gltf").object_count(), 6U);
}

TEST(Gltf, CountsWhatItDoesNotRead) {
    json file = document();
    file["scenes"].push_back({{"nodes", {1}}});
    file["animations"] = json::parse(R"([{"channels": [], "samplers": []}, {"channels": [], "samplers": []}])");
    file["extensions"]["KHR_lights_punctual"]["lights"] = json::parse(R"([{"type": "point"}])");
    file["extensionsUsed"] = {"KHR_lights_punctual", "KHR_materials_unlit", "ACME_fog", "KHR_physics_rigid_bodies"};
    file["nodes"][2]["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"]["shape"] = 0;
    EXPECT_TRUE(parsed(file).description.ends_with(
        " [not read: 1 other scene, 2 animations, 1 light, 1 collider, the extension ACME_fog]"))
        << parsed(file).description;
}

/// Of a binary file, at whatever byte it ends.
TEST(Gltf, RejectsBinaryFilesThatAreCutOff) {
    const std::string bytes = read_file(path_to("instanced.glb"));
    const auto read = [](std::string_view part) {
        return parse_gltf(std::as_bytes(std::span(part.data(), part.size())), "scene.glb");
    };
    EXPECT_EQ(read(bytes).object_count(), 42U);
    EXPECT_EQ(read(bytes + "more").object_count(), 42U);
    for (std::size_t size = 0; size < bytes.size(); size += size < 100 ? 1 : 97) {
        EXPECT_THROW(static_cast<void>(read(std::string_view(bytes).substr(0, size))), Error) << size;
    }
}

/// Without a far plane nothing is too far away.
TEST(Gltf, ReadsCamerasWithoutFarPlanes) {
    json file = document();
    file["nodes"][2] = {{"camera", 0}, {"translation", {0, 0, 1e6}}};
    file["cameras"] = json::parse(R"([{"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.05}}])");
    EXPECT_GT(path_of(file).at(0).far, 1e6);
    file["cameras"][0]["perspective"]["zfar"] = 7;
    EXPECT_EQ(path_of(file).at(0).far, 7);
}

}  // namespace
