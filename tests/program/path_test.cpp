#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program/program.hpp"

/// Where cameras go: around scenes, as the cameras of a file do, and turning in place.

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

/// Of three cameras one looks away from the only box, and one sees no more than its corner.
TEST_F(Path, ShowsAFrameThatSeesSomething) { expect_answers("a frame that sees something"); }

/// However small, large or thin a scene is; and the camera is never in it.
TEST_F(Path, CirclesAroundAnyScene) {
    expect_answers("circles around any scene");
    for (const json& frame : frames(write("box.txt", "0 0 0 4 2 1"), {"--frames", "30"})) {
        const auto [x, y, z] = eye_of(frame);
        EXPECT_FALSE(x > 0 && y > 0 && z > 0 && x < 4 && y < 2 && z < 1) << frame;
        EXPECT_GT(z, 0.5) << frame;
    }
}

/// Boxes at the four sides of a camera that turns from one to the opposite one, about the up axis.
TEST_F(Path, TurnsInPlace) { expect_answers("turning in place"); }

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

/// Clip matrices, written as a file's rows.
struct Matrix {
    std::array<std::array<double, 4>, 4> rows{};

    [[nodiscard]] Matrix operator*(const Matrix& other) const {
        Matrix product;
        for (std::size_t r = 0; r < 4; ++r) {
            for (std::size_t c = 0; c < 4; ++c) {
                for (std::size_t k = 0; k < 4; ++k) product.rows[r][c] += rows[r][k] * other.rows[k][c];
            }
        }
        return product;
    }
};

json camera_of(const Matrix& matrix, const std::string& depth = "zero_to_one") {
    return {{"clip_from_world", matrix.rows}, {"depth", depth}};
}

std::string path_of(const json& camera) { return json({{"cameras", {camera}}}).dump(); }

/// Between a camera with an end and one without there is none.
TEST_F(Path, HasNoFarPlaneWhereThereIsNone) { expect_answers("cameras without a far plane"); }

/// A view of 8 by 4: what is beside it is culled however near it is to the axis' direction.
TEST_F(Path, TakesOrthographicCameras) {
    expect_answers("orthographic cameras");
    expect_refusals("orthographic cameras");
}

TEST_F(Path, TakesPrincipalPoints) {
    std::vector<Box> dust;  // too small to lie across a line between two pictures
    for (int i = 0; i < 1000; ++i) {
        const double x = std::fmod(0.7548 * i, 1) * 40, y = std::fmod(0.5698 * i, 1) * 40, z = 0.04 * i;
        dust.push_back({x - 20, y - 20, z - 20, x - 20 + 1e-5, y - 20 + 1e-5, z - 20 + 1e-5});
    }
    const std::string boxes = write("dust.txt", list_of(dust));
    const json pose = {{"eye", {0.3, -0.2, 0.1}}, {"target", {5, 1, 2}}, {"near", 0.5}, {"far", 90}};
    const auto seen = [&](const json& lens) {
        json camera = pose;
        camera.update(lens);
        return visible_of(frames(boxes, {"--path", write("path.json", path_of(camera))})).at(0);
    };
    const auto intrinsics = [](double width, double height, double cx, double cy) {
        return json{
            {"intrinsics", {{"width", width}, {"height", height}, {"fx", 400}, {"fy", 400}, {"cx", cx}, {"cy", cy}}}};
    };
    // 600 by 400 pixels of a 400th each, the middle straight ahead.
    const int whole = seen(intrinsics(600, 400, 300, 200));
    EXPECT_EQ(whole, seen({{"fov", 2 * std::atan(0.5) * 180 / 3.14159265358979}, {"aspect", 1.5}}));
    EXPECT_GT(whole, 30);
    // Its halves: right and left of straight ahead, above and below.
    EXPECT_EQ(seen(intrinsics(300, 400, 300, 200)) + seen(intrinsics(300, 400, 0, 200)), whole);
    const int upper = seen(intrinsics(600, 200, 300, 200)), lower = seen(intrinsics(600, 200, 300, 0));
    EXPECT_EQ(upper + lower, whole);
    EXPECT_NE(upper, lower);
    json camera = pose;
    camera.update(intrinsics(600, 400, 300, 200));
    camera["fov"] = 50;
    expect_error({"cull", boxes, "--path", write("both.json", path_of(camera))}, failed, "intrinsics and fov exclude");
    camera.erase("fov");
    camera["intrinsics"].erase("cy");
    expect_error({"cull", boxes, "--path", write("less.json", path_of(camera))}, failed, "intrinsics.cy is missing");
}

/// A matrix culls as it is: the same objects as the camera that it is of, in every convention.
TEST_F(Path, TakesClipMatrices) {
    const std::string boxes = write("grid.txt", grid());
    const auto seen = [&](const json& camera) {
        return visible_of(frames(boxes, {"--path", write("path.json", path_of(camera)), "--up", "y"})).at(0);
    };
    const double near = 0.5, far = 15, depth = far / (far - near);
    const Matrix view = {{{{0.8, 0, -0.6, 0.1}, {0, 1, 0, -1}, {0.6, 0, 0.8, 0.3}, {0, 0, 0, 1}}}};
    const json eye = {{"eye", {-0.26, 1, -0.18}}, {"target", {-0.86, 1, -0.98}}, {"fov", 90}, {"near", near}};
    const auto camera = [&](double end) {
        json result = eye;
        result["aspect"] = 2, result["far"] = end;
        return result;
    };
    const Matrix vulkan = {{{{0.5, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -depth, -depth * near}, {0, 0, -1, 0}}}};
    const Matrix opengl = {{{{0.5, 0, 0, 0},
                             {0, 1, 0, 0},
                             {0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)},
                             {0, 0, -1, 0}}}};
    const Matrix reversed = {{{{0.5, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, near}, {0, 0, -1, 0}}}};
    EXPECT_EQ(seen(camera_of(vulkan * view)), seen(camera(far)));
    EXPECT_EQ(seen(camera_of(opengl * view, "minus_one_to_one")), seen(camera(far)));
    json endless = camera(1);
    endless["far"] = "infinity";
    EXPECT_EQ(seen(camera_of(reversed * view)), seen(endless));
    EXPECT_GT(seen(endless), seen(camera(far)));
    EXPECT_GT(seen(camera(far)), 30);
    json relative = camera_of(vulkan * Matrix{{{{0.8, 0, -0.6, 0}, {0, 1, 0, 0}, {0.6, 0, 0.8, 0}, {0, 0, 0, 1}}}});
    relative["origin"] = eye.at("eye");
    EXPECT_EQ(seen(relative), seen(camera(far)));
    // What is read off it: explain prints it, an option of the lens replaces it.
    const std::string path = write("path.json", path_of(camera_of(vulkan * view)));
    const std::string text = run({"explain", boxes, "--up", "y", "--path", path, "--object", "5"}).output;
    EXPECT_NE(text.find("eye              (-0.26, 1, -0.18), looking along (-0.6, 0, -0.8)"), std::string::npos)
        << text;
    EXPECT_NE(text.find("90 degrees high, aspect 2, depths 0.5 to 15"), std::string::npos) << text;
    EXPECT_EQ(visible_of(frames(boxes, {"--up", "y", "--path", path, "--far", "infinity"})).at(0), seen(endless));
    const Matrix flat = {{{{0.1, 0, 0, 0}, {0, 0.2, 0, 0}, {0, 0, -0.02, 0.1}, {0, 0, 0, 1}}}};
    const json box = {{"eye", {0, 0, 5}}, {"target", {0, 0, 0}}, {"height", 10},
                      {"aspect", 2},      {"near", 0},           {"far", 50}};
    EXPECT_EQ(seen(camera_of(flat)), seen(box));
    EXPECT_GT(seen(box), 3);
    const std::string drawn = write("flat.json", path_of(camera_of(flat)));
    EXPECT_EQ(run({"cull", boxes, "--path", drawn, "--quiet", "--picture", this->path("flat.png")}).status, 0);
}

TEST_F(Path, RefusesCamerasThatAreNone) {
    for (const char* of : {"cameras by their matrices", "cameras by eye and target", "cameras of glTF"}) {
        expect_refusals(of);
    }
}

/// A projection of floats ends before 4,000, and culls what is between there and 4,000; explain prints it.
TEST_F(Path, HasTheFarPlaneOfAFloatMatrix) { expect_answers("the far plane of a float matrix"); }

TEST_F(Path, TakesOrthographicAndEndlessCamerasOfGltf) {
    const std::string boxes = write("grid.txt", grid());
    json scene = gltf();
    scene["cameras"][0] =
        json::parse(R"({"type": "orthographic", "orthographic": {"xmag": 9, "ymag": 4, "znear": 0, "zfar": 50}})");
    scene["cameras"][1]["perspective"].erase("zfar");
    const json of_scene = frames(boxes, {"--path", write("cameras.gltf", scene.dump()), "--up", "y"});
    const std::string same = write("cameras.json", R"({"up": [0, 1, 0], "cameras": [
        {"eye": [2, 3, 0], "target": [2, 3, -1], "height": 8, "aspect": 2.25, "near": 0, "far": 50},
        {"eye": [0, 0, 0], "target": [-1, 0, 0], "fov": 40, "aspect": 1, "near": 0.5, "far": "infinity"}]})");
    EXPECT_EQ(visible_of(of_scene), visible_of(frames(boxes, {"--path", same})));
    EXPECT_GT(visible_of(of_scene)[0], 20);
    EXPECT_GT(visible_of(of_scene)[1], 20);
    for (const char* name : {"xmag", "ymag"}) {
        json flat = scene;
        flat["cameras"][0]["orthographic"][name] = 0;
        expect_error({"cull", boxes, "--path", write("flat.gltf", flat.dump())}, failed, name);
    }
}

TEST_F(Path, WarnsWhereAnotherAxisIsLikelyUp) { expect_answers("warnings of the axis that is up"); }

}  // namespace
