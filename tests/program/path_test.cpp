#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program/program.hpp"
#include "support/scale.hpp"

/// Where cameras go: through the free space of scenes, as the cameras of a file do, and turning in place.

namespace {

using nlohmann::json;

class Path : public Program {
protected:
    [[nodiscard]] json frames(const std::string& scene, const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = {"cull", scene, "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return report(arguments).at("frames");
    }

    static std::array<double, 3> eye_of(const json& frame) { return frame.at("eye").get<std::array<double, 3>>(); }

    static std::vector<int> visible_of(const json& frames) {
        std::vector<int> visible;
        for (const json& frame : frames) visible.push_back(frame.at("visible").get<int>());
        return visible;
    }
};

using Box = std::array<double, 6>;

std::string list_of(const std::vector<Box>& boxes) {
    std::ostringstream text;
    for (const Box& box : boxes) {
        for (const double number : box) text << number << ' ';
        text << '\n';
    }
    return text.str();
}

/// A room of 10 by 8 by 3 with thin walls, a wall with a door across it, and things that stand and hang around.
std::vector<Box> room() {
    std::vector<Box> boxes = {{-0.1, -0.1, -0.1, 10.1, 8.1, 0},
                              {-0.1, -0.1, 3, 10.1, 8.1, 3.1},
                              {-0.1, -0.1, 0, 0, 8.1, 3},
                              {10, -0.1, 0, 10.1, 8.1, 3},
                              {0, -0.1, 0, 10, 0, 3},
                              {0, 8, 0, 10, 8.1, 3},
                              {5, 0, 0, 5.1, 3, 3},
                              {5, 4.2, 0, 5.1, 8, 3},
                              {5, 3, 2.2, 5.1, 4.2, 3}};
    for (int i = 0; i < 60; ++i) {
        const double x = 0.3 + 0.157 * i, y = 0.3 + std::fmod(2.39 * i, 7.2), z = std::fmod(0.83 * i, 2.6);
        boxes.push_back({x, y, z, x + 0.2, y + 0.04, z + 0.1});
    }
    return boxes;
}

TEST_F(Path, StaysInTheRoomAndGoesThroughTheDoor) {
    const std::vector<Box> boxes = room();
    bool left = false, right = false;
    for (const json& frame : frames(write("room.txt", list_of(boxes)), {"--frames", "200"})) {
        const auto [x, y, z] = eye_of(frame);
        ASSERT_TRUE(x > 0 && x < 10 && y > 0 && y < 8 && z > 0 && z < 3) << frame;
        for (const Box& box : boxes) {
            ASSERT_FALSE(x > box[0] && y > box[1] && z > box[2] && x < box[3] && y < box[4] && z < box[5]) << frame;
        }
        EXPECT_GT(frame.at("visible"), 0) << frame;
        (x < 5 ? left : right) = true;
    }
    EXPECT_TRUE(left && right);
}

double height_of(double x, double z) { return 30 * std::sin(0.02 * x) * std::cos(0.015 * z); }

TEST_F(Path, StaysAboveTheGround) {
    std::ostringstream text;
    constexpr int side = 50;
    for (int i = 0; i < side * side; ++i) {
        const double x = 12 * (i % side), z = 12 * (i / side);
        text << "v " << x << ' ' << height_of(x, z) << ' ' << z << '\n';
    }
    for (int i = 0; i + side < side * side; ++i) {
        if (i % side + 1 == side) continue;
        text << "f " << i + 1 << ' ' << i + 2 << ' ' << i + side + 2 << ' ' << i + side + 1 << '\n';
    }
    for (const json& frame : frames(write("terrain.obj", text.str()), {"--frames", "100"})) {
        const auto [x, y, z] = eye_of(frame);
        EXPECT_GT(y, height_of(x, z)) << frame;
        EXPECT_EQ(frame.at("visible"), 1) << frame;
    }
}

TEST_F(Path, FliesAroundASingleModel) {
    const std::string cube = write("cube.obj",
                                   "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                   "f 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    for (const json& frame : frames(cube, {"--frames", "20"})) {
        EXPECT_EQ(frame.at("visible"), 1) << frame;
        const auto [x, y, z] = eye_of(frame);
        EXPECT_GT(std::hypot(x - 0.5, y - 0.5, z - 0.5), 0.87) << frame;
    }
}

/// However small, large or thin a scene is.
TEST_F(Path, SeesSomethingOfAnyBox) {
    int tried = 0;
    for (const char* box : {"5 5 5 5 5 5", "0 0 0 1e-30 1e-30 1e-30", "-9e14 -9e14 -9e14 9e14 9e14 9e14",
                            "0 0 0 9e14 0 0", "9e14 0 0 9e14 1 1", "0 0 0 0 0 7"}) {
        if (test_scale() <= 0.1 && ++tried > 2) break;  // a path takes sanitizers seconds
        SCOPED_TRACE(box);
        const std::vector<int> visible = visible_of(frames(write("box.txt", box), {"--frames", "10"}));
        EXPECT_EQ(visible, std::vector<int>(10, 1));
    }
}

/// A lens that was asked for stays, whatever it sees.
TEST_F(Path, KeepsTheFarPlaneThatWasGiven) {
    const std::string boxes = write("boxes.txt", list_of({{0, 0, 0, 1, 1, 1}, {999, 999, 0, 1000, 1000, 1}}));
    EXPECT_EQ(visible_of(frames(boxes, {"--frames", "5", "--far", "1"})), std::vector<int>(5, 0));
}

/// Boxes at the four sides of a camera that turns from one to the opposite one, about the up axis.
TEST_F(Path, TurnsInPlace) {
    const std::string boxes = write("boxes.txt", list_of({{9, -1, -1, 11, 1, 1},
                                                          {-11, -1, -1, -9, 1, 1},
                                                          {-1, 9, -1, 1, 11, 1},
                                                          {-1, -11, -1, 1, -9, 1},
                                                          {-1, -1, 9, 1, 1, 11},
                                                          {-1, -1, -11, 1, 1, -9}}));
    const std::string turn = write("turn.json", R"({"fov": 20, "aspect": 1, "near": 1, "far": 20, "cameras": [
        {"eye": [0, 0, 0], "target": [1, 0, 0]}, {"eye": [0, 0, 0], "target": [-1, 0, 0]}]})");
    EXPECT_EQ(visible_of(frames(boxes, {"--path", turn, "--frames", "5"})), (std::vector<int>{1, 0, 1, 0, 1}));
    const json middle =
        frames(boxes, {"--path", turn, "--frames", "5", "--ids", path("ids.json"), "--picture-frame", "2"});
    const json listed = json::parse(read(path("ids.json")));
    for (const json& object : listed.at("objects")) {
        if (object.at("verdict") != "visible") continue;
        EXPECT_TRUE(object.at("object") == 2 || object.at("object") == 3) << object;  // at a side, not above or below
    }
}

std::string base64(const std::vector<float>& numbers) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> bytes(numbers.size() * sizeof(float));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    return text;
}

/// A camera of 40 degrees, twice as wide as high, below a node that stands at (0, 3, 0) and is scaled; and another one.
json gltf() {
    return json::parse(R"({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
        "cameras": [{"type": "perspective",
                     "perspective": {"aspectRatio": 2, "yfov": 0.6981317007977318, "znear": 0.5, "zfar": 50}},
                    {"type": "perspective",
                     "perspective": {"aspectRatio": 1, "yfov": 0.6981317007977318, "znear": 0.5, "zfar": 50}}],
        "nodes": [{"name": "rig", "translation": [0, 3, 0], "scale": [2, 2, 2], "children": [1]},
                  {"name": "eye", "camera": 0, "translation": [1, 0, 0]},
                  {"name": "other", "camera": 1, "rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]}]})");
}

/// 11 by 11 by 11 boxes around the origin.
std::string grid() {
    std::vector<Box> boxes;
    for (int i = 0; i < 1331; ++i) {
        const double x = 4 * (i % 11) - 20, y = 4 * (i / 11 % 11) - 20, z = 4 * (i / 121) - 20;
        boxes.push_back({x, y, z, x + 0.5, y + 0.5, z + 0.5});
    }
    return list_of(boxes);
}

TEST_F(Path, TakesTheCamerasOfAScene) {
    const std::string boxes = write("grid.txt", grid());
    const json of_scene = frames(boxes, {"--path", write("cameras.gltf", gltf().dump()), "--up", "y"});
    const std::string same = write("cameras.json", R"({"fov": 40, "aspect": 2, "near": 0.5, "far": 50, "up": [0, 1, 0],
        "cameras": [{"eye": [2, 3, 0], "target": [2, 3, -1]}, {"eye": [0, 0, 0], "target": [-1, 0, 0], "aspect": 1}]})");
    const json written = frames(boxes, {"--path", same});
    EXPECT_EQ(visible_of(of_scene), visible_of(written));
    EXPECT_GT(visible_of(of_scene)[0], 20);
    EXPECT_EQ(eye_of(of_scene[0]), (std::array<double, 3>{2, 3, 0}));
    EXPECT_EQ(frames(boxes, {"--path", path("cameras.gltf"), "--frames", "7"}).size(), 7U);
}

/// The node above the camera moves from x = 0 to x = 10; the camera itself from there by twice its own place.
TEST_F(Path, FollowsAnAnimatedCamera) {
    json scene = gltf();
    const std::string data = base64({0, 1, 0, 3, 0, 10, 3, 0});
    scene["buffers"] = json::array({{{"byteLength", 32}, {"uri", "data:application/octet-stream;base64," + data}}});
    scene["bufferViews"] = json::parse(R"([{"buffer": 0, "byteLength": 8},
                                           {"buffer": 0, "byteOffset": 8, "byteLength": 24}])");
    scene["accessors"] = json::parse(R"([
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}])");
    scene["animations"] = json::parse(R"([{"samplers": [{"input": 0, "output": 1}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}])");
    const json moved =
        frames(write("grid.txt", grid()), {"--path", write("moving.gltf", scene.dump()), "--frames", "3"});
    ASSERT_EQ(moved.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(eye_of(moved[i])[0], 2 + 5.0 * static_cast<double>(i), 1e-4);
        EXPECT_NEAR(eye_of(moved[i])[1], 3, 1e-4);
    }
    EXPECT_EQ(frames(path("grid.txt"), {"--path", path("moving.gltf")}).size(), 300U);
}

TEST_F(Path, RefusesScenesWithoutCameras) {
    const std::string boxes = write("boxes.txt", "0 0 0 1 1 1\n");
    expect_error({"cull", boxes, "--path", write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")}, failed,
                 "no cameras");
    expect_error({"cull", boxes, "--path", write("broken.gltf", "{\"asset\": 7")}, failed, "broken.gltf");
    json flat = gltf();
    flat["cameras"][0] =
        json::parse(R"({"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1, "znear": 0.5, "zfar": 50}})");
    expect_error({"cull", boxes, "--path", write("flat.gltf", flat.dump())}, failed, "orthographic");
}

TEST_F(Path, WarnsWhereAnotherAxisIsLikelyUp) {
    std::vector<Box> field;
    for (int i = 0; i < 20; ++i) field.push_back({10.0 * i, 0, 7.0 * i, 10.0 * i + 3, 5, 7.0 * i + 3});
    const std::string file = write("field.txt", list_of(field));
    const std::string warning = "is --up y missing?";
    EXPECT_NE(run({"cull", file, "--frames", "1"}).errors.find(warning), std::string::npos);
    EXPECT_EQ(run({"cull", file, "--frames", "1", "--up", "y"}).errors.find(warning), std::string::npos);
    EXPECT_EQ(run({"cull", file, "--frames", "1", "--up", "z"}).errors.find(warning), std::string::npos);
}

}  // namespace
