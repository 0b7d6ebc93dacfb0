#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull lights: what it counts is what the geometry says; its table and its picture have the same.

namespace {

using nlohmann::json;

class LightsOfScenes : public Program {
protected:
    LightsOfScenes() { write_files(document("answers.json").at("lights of a file")); }
};

/// A lamp in view, which lights a triangle; a spotlight before the camera, which shines across the view; and a lamp far
/// behind it. As objects they are culled.
TEST_F(LightsOfScenes, OfAFileAreCountedAndCulled) { expect_answers("lights of a file"); }

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

TEST_F(LightsOfScenes, RefusesWhatIsWrong) { expect_refusals("lights"); }

}  // namespace
