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
TEST_F(Path, ShowsAFrameThatSeesSomething) {
    const std::string boxes = write("boxes.txt", list_of({{4, -1, -1, 6, 1, 1}, {4, 2, -1, 6, 3, 1}}));
    const std::string cameras = write("cameras.json", R"({"fov": 20, "aspect": 1, "near": 1, "far": 20, "cameras": [
        {"eye": [0, 0, 0], "target": [-1, 0, 0]}, {"eye": [0, 0, 0], "target": [5, -1, 0]},
        {"eye": [0, 0, 0], "target": [5, 1.5, 0]}, {"eye": [0, 0, 0], "target": [0, -1, 0]}]})");
    const std::string ids = path("ids.json");
    EXPECT_EQ(visible_of(frames(boxes, {"--path", cameras, "--ids", ids})), (std::vector<int>{0, 1, 2, 0}));
    EXPECT_EQ(json::parse(read(ids)).at("counts").at("visible"), 2);
}

/// However small, large or thin a scene is; and the camera is never in it.
TEST_F(Path, CirclesAroundAnyScene) {
    for (const char* box : {"5 5 5 5 5 5", "0 0 0 1e-30 1e-30 1e-30", "-9e14 -9e14 -9e14 9e14 9e14 9e14",
                            "0 0 0 9e14 0 0", "9e14 0 0 9e14 1 1", "0 0 0 0 0 7"}) {
        SCOPED_TRACE(box);
        EXPECT_EQ(visible_of(frames(write("box.txt", box), {"--frames", "10"})), std::vector<int>(10, 1));
    }
    for (const json& frame : frames(write("box.txt", "0 0 0 4 2 1"), {"--frames", "30"})) {
        const auto [x, y, z] = eye_of(frame);
        EXPECT_FALSE(x > 0 && y > 0 && z > 0 && x < 4 && y < 2 && z < 1) << frame;
        EXPECT_GT(z, 0.5) << frame;
    }
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

/// Looks along -z as glm::perspective() has it, with depth 0 to 1, made in floats.
Matrix float_projection(float near, float far) {
    const float depth = far / (near - far), offset = -(far * near) / (far - near);
    return {
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, static_cast<double>(depth), static_cast<double>(offset)}, {0, 0, -1, 0}}}};
}

json camera_of(const Matrix& matrix, const std::string& depth = "zero_to_one") {
    return {{"clip_from_world", matrix.rows}, {"depth", depth}};
}

std::string path_of(const json& camera) { return json({{"cameras", {camera}}}).dump(); }

/// A cube of 1 around each point.
std::string cubes(const std::vector<std::array<double, 3>>& points) {
    std::vector<Box> boxes;
    for (const auto& [x, y, z] : points) boxes.push_back({x - 0.5, y - 0.5, z - 0.5, x + 0.5, y + 0.5, z + 0.5});
    return list_of(boxes);
}

TEST_F(Path, HasNoFarPlaneWhereThereIsNone) {
    const std::string boxes = write("boxes.txt", cubes({{3, 0, 0}, {1e4, 0, 0}, {1e9, 0, 0}, {-5, 0, 0}}));
    json camera = {{"eye", {0, 0, 0}}, {"target", {1, 0, 0}}, {"near", 0.1}, {"far", "infinity"}};
    const std::string path = write("path.json", path_of(camera));
    EXPECT_EQ(visible_of(frames(boxes, {"--path", path})), std::vector<int>{3});
    EXPECT_EQ(visible_of(frames(boxes, {"--path", path, "--far", "2e4"})), std::vector<int>{2});
    camera["far"] = 50;
    const std::string with_end = write("end.json", path_of(camera));
    EXPECT_EQ(visible_of(frames(boxes, {"--path", with_end})), std::vector<int>{1});
    EXPECT_EQ(visible_of(frames(boxes, {"--path", with_end, "--far", "infinity"})), std::vector<int>{3});
    camera["far"] = "never";
    expect_error({"cull", boxes, "--path", write("bad.json", path_of(camera))}, failed,
                 "cameras[0].far is to be a number");
    expect_error({"cull", boxes, "--path", path, "--far", "nan"}, wrong_usage, "--far");
    // Between a camera with an end and one without there is none.
    json both = {{"cameras", {camera, camera}}};
    both["cameras"][0]["far"] = 50, both["cameras"][1]["far"] = "infinity";
    const std::string two = write("two.json", both.dump());
    EXPECT_EQ(visible_of(frames(boxes, {"--path", two, "--frames", "3"})), (std::vector<int>{3, 3, 3}));
    for (const char* command : {"explain --object 2", "shadow --quiet --lamps 2"}) {
        std::vector<std::string> words = {};
        std::istringstream text(command);
        for (std::string word; text >> word;) words.push_back(word);
        words.insert(words.begin() + 1, boxes);
        words.insert(words.end(), {"--path", path});
        EXPECT_EQ(run(words).status, 0) << command << run(words).errors;
    }
    EXPECT_EQ(run({"cull", boxes, "--path", path, "--quiet", "--picture", this->path("far.png")}).status, 0);
}

/// A view of 8 by 4: what is beside it is culled however near it is to the axis' direction.
TEST_F(Path, TakesOrthographicCameras) {
    const std::string boxes =
        write("boxes.txt", cubes({{50, 3, 0}, {500, -4, 2}, {50, 5, 0}, {50, 0, 3}, {-4, 0, 0}, {-50, 0, 0}}));
    const json camera = {{"eye", {0, 0, 0}}, {"target", {1, 0, 0}}, {"height", 4},
                         {"aspect", 2},      {"near", -5},          {"far", 900}};
    const std::string path = write("path.json", path_of(camera));
    EXPECT_EQ(visible_of(frames(boxes, {"--path", path})), std::vector<int>{3});
    EXPECT_EQ(run({"cull", boxes, "--path", path, "--quiet", "--picture", this->path("flat.png")}).status, 0);
    EXPECT_NE(run({"explain", boxes, "--path", path, "--object", "2"}).output.find("orthographic, 4 high"),
              std::string::npos);
    expect_error({"shadow", boxes, "--path", path, "--quiet"}, failed, "camera 0 is orthographic");
    expect_error({"cull", boxes, "--path", path, "--fov", "50"}, wrong_usage, "--fov 50: an orthographic camera");
    json without_end = camera;
    without_end["far"] = "infinity";
    expect_error({"cull", boxes, "--path", write("end.json", path_of(without_end))}, failed, "near < far is to hold");
    json both = {{"cameras", {camera, camera}}};
    both["cameras"][1].erase("height");
    both["cameras"][1]["near"] = 1;
    const std::string two = write("two.json", both.dump());
    EXPECT_EQ(frames(boxes, {"--path", two}).size(), 2U);
    expect_error({"cull", boxes, "--path", two, "--frames", "5"}, failed, "one is orthographic and one is not");
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

/// A file is refused for each of these, which say what is in it, and what the error names.
TEST_F(Path, RefusesCamerasThatAreNone) {
    const std::string boxes = write("boxes.txt", "0 0 0 1 1 1\n");
    const json good = camera_of(float_projection(1, 100)), eye = {{"eye", {0, 0, 0}}, {"target", {1, 0, 0}}};
    EXPECT_EQ(frames(boxes, {"--path", write("good.json", path_of(good))}).size(), 1U);
    const struct {
        json camera;
        const char *pointer, *value, *named;
    } cases[] = {
        {good, "/clip_from_world/2", "[0, 0, 1]", "cameras[0].clip_from_world is to have 4 rows of 4 numbers"},
        {good, "/clip_from_world", "[[1, 0, 0, 0]]", "cameras[0].clip_from_world is to have 4 rows of 4 numbers"},
        {good, "/clip_from_world/0", "[0, 0, 0, 0]", "path.json"},
        {good, "/clip_from_world/1", "[0, 0, 0, 0]", "path.json"},
        {good, "/clip_from_world/2", "[0, 0, 0, 0]", "path.json"},
        {good, "/clip_from_world/3", "[0, 0, 0, 0]", "path.json"},
        {{{"clip_from_world", good["clip_from_world"]}}, "/origin", "[0, 0, 0]", "clip_from_world needs depth"},
        {good, "/depth", "\"reversed\"", "depth is to be \"zero_to_one\""},
        {good, "/eye", "[0, 0, 0]", "clip_from_world and eye exclude each other"},
        {eye, "/sight", "\"growing_depth\"", "sight is of clip_from_world"},
        {eye, "/eye", "[0, 0]", "cameras[0].eye is to have 3 numbers, not 2"},
        {eye, "/eye", "[0, 0, null]", "cameras[0].eye is to have numbers in it"},
        {eye, "/eye", "[1, 0, 0]", "eye and target are the same point"},
        {eye, "/up", "[-2, 0, 0]", "the camera looks along its up direction"},
        {eye, "/fov", "200", "fov in degrees is to be 0.01 to 179"},
        {eye, "/aspect", "0", "aspect is to be 0.01 to 100, not 0"},
        {eye, "/near", "0", "0 < near < far is to hold"},
        {eye, "/focus", "1", "cameras[0].focus is an unknown member"},
        {{{"eye", {0, 0, 0}}}, "/near", "1", "cameras[0] needs an eye and a target"},
    };
    for (const auto& [camera, pointer, value, named] : cases) {
        json changed = camera;
        changed[json::json_pointer(pointer)] = json::parse(value);
        expect_error({"cull", boxes, "--path", write("path.json", path_of(changed))}, failed, named);
    }
    expect_error({"cull", boxes, "--path", write("path.json", "{}")}, failed, "cameras is to be an array");
    expect_error({"cull", boxes, "--path", write("path.json", R"({"cameras": []})")}, failed, "at least one camera");
    expect_error({"cull", boxes, "--path", write("path.json", R"({"fov": 1e999})")}, failed, "path.json: not JSON");
    expect_error({"cull", boxes, "--path", write("path.json", "{")}, failed, "path.json: not JSON");
    expect_error({"cull", boxes, "--path", write("broken.gltf", "{\"asset\": 7")}, failed, "broken.gltf");
    expect_error({"cull", boxes, "--path", write("none.gltf", R"({"asset": {"version": "2.0"}})")}, failed,
                 "no cameras");
}

/// A projection of floats ends before 4,000, and culls what is between there and 4,000; explain prints it.
TEST_F(Path, HasTheFarPlaneOfAFloatMatrix) {
    const std::string boxes = write("boxes.txt", cubes({{0, 0, -3990}, {0, 0, -3997}}));
    const json asked = {{"eye", {0, 0, 0}}, {"target", {0, 0, -1}}, {"up", {0, 1, 0}}, {"fov", 90},
                        {"aspect", 1},      {"near", 0.05},         {"far", 4000}};
    const json made = camera_of(float_projection(0.05F, 4000));
    const auto explained = [&](const json& camera) {
        return run({"explain", boxes, "--path", write("path.json", path_of(camera)), "--object", "1"}).output;
    };
    EXPECT_EQ(visible_of(frames(boxes, {"--path", write("path.json", path_of(asked))})).at(0), 2);
    EXPECT_EQ(visible_of(frames(boxes, {"--path", write("path.json", path_of(made))})).at(0), 1);
    const std::string line = "a projection with z from 0 to 1 made for these depths ends at ";
    EXPECT_NE(explained(asked).find(line + "3994.6"), std::string::npos) << explained(asked);
    EXPECT_NE(explained(made).find("depths 0.05 to 3994.6"), std::string::npos) << explained(made);
    EXPECT_EQ(explained(made).find(line), std::string::npos) << explained(made);
    json far = asked;
    far["far"] = 699050;
    EXPECT_NE(explained(far).find(line + "419430"), std::string::npos) << explained(far);
    far["far"] = 50;
    EXPECT_EQ(explained(far).find(line), std::string::npos) << "less than a ten thousandth is nothing to tell";
}

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
