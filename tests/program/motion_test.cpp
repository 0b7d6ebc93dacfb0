#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "program/program.hpp"
#include "support/data_uri.hpp"

/// lanecull cull and explain: objects are where the animation of the path has them in each frame.

namespace {

using nlohmann::json;

/// Of five frames, a second each, seen from the origin along -z, at an angle of 90 degrees: "runner" comes in from the
/// right, ten away, and is in view in the last frame alone; "turner" is turned in front of the eye at the third frame
/// by the node above it; "rock" rests in view, twenty away, and "wall" beyond it.
json moving() {
    json file = json::parse(R"({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2, 4, 5]}],
        "cameras": [{"type": "perspective", "perspective": {"aspectRatio": 1, "yfov": 1.5707963267948966,
                                                            "znear": 0.5, "zfar": 100}}],
        "nodes": [{"name": "eye", "camera": 0}, {"name": "runner", "mesh": 0, "translation": [100, 0, -10]},
                  {"name": "table", "children": [3]},
                  {"name": "turner", "mesh": 0, "translation": [0, 0, 10]},
                  {"name": "rock", "mesh": 0, "translation": [0, 0, -20]},
                  {"name": "wall", "mesh": 0, "translation": [0, 0, -40], "scale": [8, 8, 1]}],
        "meshes": [{"name": "cube", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "animations": [{"samplers": [{"input": 2, "output": 3}, {"input": 2, "output": 4},
                                     {"input": 2, "output": 5, "interpolation": "STEP"}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}},
                         {"sampler": 1, "target": {"node": 1, "path": "translation"}},
                         {"sampler": 2, "target": {"node": 2, "path": "rotation"}}]}],
        "accessors": [], "bufferViews": [], "buffers": []})");
    std::vector<float> corners;
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) corners.push_back((i >> k & 1) != 0 ? 1.F : -1.F);
    }
    const auto add = [&](const char* type, int component, std::size_t count, std::size_t bytes, std::string uri) {
        const std::size_t index = file["buffers"].size();
        file["buffers"].push_back({{"byteLength", bytes}, {"uri", std::move(uri)}});
        file["bufferViews"].push_back({{"buffer", index}, {"byteLength", bytes}});
        file["accessors"].push_back(
            {{"bufferView", index}, {"componentType", component}, {"count", count}, {"type", type}});
    };
    const auto add_floats = [&](const char* type, std::size_t count, const std::vector<float>& numbers) {
        add(type, 5126, count, 4 * numbers.size(), data_uri(numbers));
    };
    add_floats("VEC3", 8, corners);
    add("SCALAR", 5121, 36, 36,
        data_uri(std::vector<std::uint8_t>{0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6}));
    add_floats("SCALAR", 3, {0, 2, 4});
    add_floats("VEC3", 3, {0, 0, 0, 0, 0, 0, 0, 0, 0});
    add_floats("VEC3", 3, {100, 0, -10, 50, 0, -10, 0, 0, -10});
    add_floats("VEC4", 3, {0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0});
    return file;
}

class Motion : public Program {
protected:
    const std::string file_ = write("moving.gltf", moving().dump());

    const std::string scene_ = " moving.gltf --path moving.gltf --frames 5 ";

    [[nodiscard]] json culled(const std::string& more) const { return report_of("cull" + scene_ + "--quiet " + more); }
    [[nodiscard]] static std::vector<int> visible(const json& report) {
        std::vector<int> counts;
        for (const json& frame : report.at("frames")) counts.push_back(frame.at("visible"));
        return counts;
    }
    void expect_explained(const std::string& more, const std::string& words) const {
        const std::string text = output_of("explain" + scene_ + more);
        EXPECT_NE(text.find(words), std::string::npos) << text;
    }
};

TEST_F(Motion, IsSeenFrameByFrame) {
    const std::vector<int> seen = {2, 2, 3, 3, 4};
    const json hulls = culled("");
    EXPECT_EQ(visible(hulls), seen);
    EXPECT_EQ(visible(culled("--bounds box")), seen);
    EXPECT_EQ(visible(culled("--bounds both")), (std::vector<int>{4, 4, 6, 6, 8}));
    for (const std::string bounds : {"hull", "box", "both"}) {
        EXPECT_EQ(culled("--ordered --bounds " + bounds).at("ordered").at("differences"), 0) << bounds;
    }
    const std::string description = hulls.at("scene").at("description");
    EXPECT_NE(description.find("the camera's animation moves 2 objects"), std::string::npos) << description;
    EXPECT_EQ(description.find("not read"), std::string::npos) << description;
}

/// What is listed, drawn and reported of a frame is of that frame, whichever was culled last.
TEST_F(Motion, IsListedOfTheFrameThatIsShown) {
    const auto verdicts = [&](const char* frame) {
        const json report = culled(std::string("--ids ids.json --picture-frame ") + frame);
        std::vector<std::string> names;
        const json list = json::parse(read(path("ids.json")));
        for (const json& object : list.at("objects")) {
            if (object.at("verdict") == "visible") names.push_back(object.at("name"));
        }
        return std::pair(names, report.at("scene").at("upper").at(0).get<double>());
    };
    EXPECT_EQ(verdicts("1"), (std::pair(std::vector<std::string>{"rock", "wall"}, 76.0)));
    EXPECT_EQ(verdicts("2"), (std::pair(std::vector<std::string>{"turner", "rock", "wall"}, 51.0)));
    EXPECT_EQ(verdicts("4"), (std::pair(std::vector<std::string>{"runner", "turner", "rock", "wall"}, 8.0)));
    const auto picture = [&](const char* frame) {
        static_cast<void>(culled(std::string("--picture frame.png --picture-frame ") + frame));
        return read(path("frame.png"));
    };
    EXPECT_NE(picture("2"), picture("3"));
}

TEST_F(Motion, IsExplainedOfTheFrameThatIsNamed) {
    expect_explained("--object turner --frame 1", "culled (");
    expect_explained("--object turner --frame 2", "visible (");
    expect_explained("--object runner --frame 3", "culled (");
    expect_explained("--object runner --frame 3", "(25, 0, -10)");
}

/// The rock hides what passes behind it; what moves hides nothing.
TEST_F(Motion, HidesNothingButIsHidden) {
    json file = moving();
    file["nodes"][4]["translation"] = {0, 0, -4};
    file["nodes"][5]["scale"] = {0.1, 0.1, 0.1};
    static_cast<void>(write("moving.gltf", file.dump()));
    const json report = culled("--occluders 4 --solid all-closed");
    EXPECT_EQ(report.at("occluders").at("within_meshes").at("boxes"), 2);
    EXPECT_EQ(visible(report), (std::vector<int>{1, 1, 1, 1, 1}));
    EXPECT_EQ(visible(culled("")), (std::vector<int>{2, 2, 3, 3, 4}));
    expect_explained("--object runner --frame 4 --occluders 4 --solid all-closed", "culled (occluded)");
    expect_error(words("cull" + scene_ + "--occluders 4 --solid runner"), wrong_usage,
                 "--solid runner: the animation moves it");
}

/// Beside other cameras, and in other commands, objects rest, and the report says so.
TEST_F(Motion, IsOfTheSameFileAlone) {
    write("other.gltf", moving().dump());
    const json rests = report_of("cull moving.gltf --path other.gltf --frames 5 --quiet");
    EXPECT_EQ(visible(rests), (std::vector<int>{2, 2, 2, 2, 2}));
    const std::string description = rests.at("scene").at("description");
    EXPECT_NE(description.find("[not read: 1 animation]"), std::string::npos) << description;
    EXPECT_EQ(visible(report_of("cull moving.gltf --path ./moving.gltf --frames 5 --quiet")),
              (std::vector<int>{2, 2, 3, 3, 4}));
}

}  // namespace
