#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
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

/// A file of tests/data/gltf. The usual one has a tetrahedron with indices, a skin, a morph target and instances:
/// something of everything to break.
json document(const std::string& name = "of_everything.gltf") { return json::parse(read_file(path_to(name))); }

/// What read(bytes, name) makes of a document.
template <class Read>
auto read_as(const Read& read, const json& document) {
    const std::string text = document.dump();
    return read(std::as_bytes(std::span(text)), std::string("scene.gltf"));
}

Scene parsed(const json& document) { return read_as(parse_gltf, document); }

CameraPath path_of(const json& document) {
    return read_as([](auto bytes, const auto& name) { return parse_gltf_path(bytes, name, {}, 5, {}); }, document);
}

template <class Read>
std::string failure_of(const Read& read, const json& document) {
    try {
        static_cast<void>(read_as(read, document));
        return "read";
    } catch (const Error& error) {
        return error.what();
    }
}

/// Each of the rows of refused.json changes a member of the document, or leaves it out (null), which makes one error.
template <class Read>
void expect_refusals(const char* rows, const json& document, const Read& read) {
    for (const json& row : ::document("refused.json").at(rows)) {
        const json::json_pointer at(row[0].get<std::string>());
        json changed = document;
        if (row[1].is_null()) {
            changed.at(at.parent_pointer()).erase(at.back());
        } else {
            changed[at] = row[1];
        }
        EXPECT_EQ(failure_of(read, changed), "scene.gltf: " + row[2].get<std::string>()) << row;
    }
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
    const std::vector<SceneLight> lights = read_as(parse_gltf_lights, file);
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
    EXPECT_EQ(read_as(parse_gltf_lights, file).size(), 2U);
    expect_refusals("lights", file, parse_gltf_lights);
}

/// Each shape in a node of its own, which scales, turns and moves it.
TEST(Gltf, PlacesColliders) {
    const Scene scene = read_as(parse_gltf_colliders, document("colliders.gltf"));
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
    expect_refusals("colliders.gltf", document("colliders.gltf"), parse_gltf_colliders);
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
    const Scene scene = read_as(parse_gltf_lit, file);
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
    const json files = document("boxes.json").at("boxes");
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
    const json files = document("boxes.json").at("cameras");
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

TEST(Gltf, RejectsWhatBreaksItsRules) {
    expect_refusals("of_everything.gltf", document(), parse_gltf);
    json point = document();                                              // whatever its scale, it is where its node is
    point["buffers"][0]["uri"] = "data:;base64," + std::string(64, 'A');  // zeros
    point["nodes"][0]["scale"] = {1e300, 1e300, 1e300};
    EXPECT_EQ(failure_of(parse_gltf, point), "scene.gltf: nodes[0] is placed at coordinates that are not finite");
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
