#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull lights: what it counts is what the geometry says; its table and its picture have the same.

namespace {

using nlohmann::json;

class LightsOfScenes : public Program {
protected:
    LightsOfScenes() {
        // From the origin along x, z up: |y|, |z| <= x, 1 <= x <= 9.
        write("camera.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 9,
                                 "cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}]})");
        // Triangles in view, 6 before the camera, and far behind it, each with a light; a spotlight before the first.
        write("lamps.gltf", R"({"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_lights_punctual"],
            "extensions": {"KHR_lights_punctual": {"lights": [
                {"type": "point", "range": 0.5}, {"type": "spot", "range": 0.5, "spot": {"outerConeAngle": 0.4}}]}},
            "nodes": [{"mesh": 0, "translation": [6, 0, 0], "extensions": {"KHR_lights_punctual": {"light": 0}}},
                      {"mesh": 0, "translation": [-50, 0, 0], "extensions": {"KHR_lights_punctual": {"light": 0}}},
                      {"translation": [2, 0, 0], "extensions": {"KHR_lights_punctual": {"light": 1}}}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,)"
                            R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})");
    }
};

TEST_F(LightsOfScenes, CountsThoseOfAFile) {
    const json report = report_of("lights lamps.gltf --path camera.json --quiet --grid 2,2,2 --threads 1");
    EXPECT_EQ(report.at("frames"), 1);
    EXPECT_EQ(report.at("lights"), 3);
    EXPECT_EQ(report.at("spots"), 1);
    EXPECT_EQ(report.at("in_view"), 2);
    EXPECT_EQ(report.at("lit"), 1);
    EXPECT_EQ(report.at("placed"), 1);
    // It is around the view's middle, in the slice from 3 to 9.
    EXPECT_EQ(report.at("cells_with_lights"), 4);
    EXPECT_EQ(report.at("entries"), 4);
    EXPECT_EQ(report.at("most_lights"), 1);
}

/// The spotlight before the camera shines across the view, the lamp far behind it is culled.
TEST_F(LightsOfScenes, AreObjectsThatAreCulled) {
    const json report = report_of("cull lamps.gltf --read lights --path camera.json --quiet --ids ids.json");
    EXPECT_EQ(report.at("scene").at("description"), "3 lights");
    EXPECT_EQ(report.at("mean_per_frame").at("visible"), 2);
    const json list = json::parse(read(path("ids.json"))).at("objects");
    std::map<std::string, std::string> verdicts;
    for (const json& object : list) verdicts[object.at("name")] = object.at("verdict");
    EXPECT_EQ(verdicts, (std::map<std::string, std::string>{
                            {"nodes[0]", "visible"}, {"nodes[1]", "culled"}, {"nodes[2]", "visible"}}));
    EXPECT_EQ(report.at("groups").at(1).at("kind"), "round cones");
    EXPECT_NE(output_of("explain lamps.gltf --read lights --path camera.json --object nodes[2]").find("(round cones)"),
              std::string::npos);
}

TEST_F(LightsOfScenes, TellsTheSameInATable) {
    std::istringstream table(
        output_of("lights --objects 3000 --frames 4 --lights 300 --light-range 30 --json lights.json"));
    const json report = json::parse(read(path("lights.json")));
    EXPECT_EQ(report.at("lights"), 300);
    EXPECT_EQ(report.at("spots"), 150);
    EXPECT_GT(report.at("placed"), 10);
    EXPECT_LE(report.at("placed"), report.at("lit"));
    EXPECT_LE(report.at("lit"), report.at("in_view"));
    EXPECT_LT(report.at("in_view"), 300);
    EXPECT_GT(report.at("most_lights"), 1);
    int found = 0;
    for (std::string line; std::getline(table, line);) {
        for (const auto& [begin, key] :
             {std::pair{"that reach what is seen", "lit"}, {"cells with lights", "cells_with_lights"}}) {
            if (!line.starts_with(begin)) continue;
            std::erase(line, ',');
            EXPECT_NEAR(std::stod(line.substr(std::string(begin).size())), report.at(key).get<double>(), 0.051);
            ++found;
        }
    }
    EXPECT_EQ(found, 2);
    EXPECT_EQ(report_of("lights lamps.gltf --path camera.json --quiet --lights 7").at("lights"), 7);
}

TEST_F(LightsOfScenes, DrawsCells) {
    EXPECT_EQ(output_of("lights lamps.gltf --path camera.json --quiet --grid 2,2,2 --picture cells.png"), "");
    const Pixels picture(read(path("cells.png")));
    ASSERT_EQ(picture.width, 1600);
    ASSERT_EQ(picture.height, 900);
    constexpr unsigned none = 0x1B1F4B, most = 0xFFF3A1;
    EXPECT_GT(picture.on_map(most), 50'000);  // one panel of two
    EXPECT_NEAR(picture.on_map(none), picture.on_map(most), 0.02 * picture.on_map(most));
}

TEST_F(LightsOfScenes, RefusesWhatIsWrong) {
    expect_error(words("lights --grid 2,2"), wrong_usage, "--grid");
    expect_error(words("lights --grid 2,65,2"), wrong_usage, "--grid: 65");
    expect_error(words("lights --lights -1"), wrong_usage, "--lights");
    expect_error(words("lights --picture-frame 1"), wrong_usage, "--picture");
    expect_error(words("lights lamps.gltf --path camera.json --picture a.png --picture-frame 1"), wrong_usage,
                 "--picture-frame 1");
}

}  // namespace
