#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull shadow: its counts agree with the geometry, and its rows add up.

namespace {

using nlohmann::json;

constexpr unsigned seen = 0x1F6FB5, kept = 0xE8870E, rejected = 0xC48CB8;

class Shadow : public Program {
protected:
    Shadow() { write_files(document("answers.json").at("casters of shadows")); }
};

/// The sun is over a box on the ground in view, one 20 above it, one 20 above where nothing is visible, and one 20
/// below. A lamp stands half its range before the camera. Occluders drop casters that are wholly in another's shadow:
/// of a slab above a box and a box in view, and of the same two beside it.
TEST_F(Shadow, CountsWhatCastsShadowsIntoTheView) { expect_answers("casters of shadows"); }

TEST_F(Shadow, AddsUp) {
    std::istringstream table(output_of("shadow --objects 5000 --frames 7 --lamps 3 --occluders 4 --json shadow.json"));
    const json report = json::parse(read(path("shadow.json")));
    EXPECT_EQ(report.at("frames"), 7);
    ASSERT_EQ(report.at("lights").size(), 7u);
    json all = {{"in_frustum", 0.0}, {"casters", 0.0}, {"covered", 0.0}};
    for (std::size_t k = 0; k < 4; ++k) {
        const json& light = report.at("lights")[k];
        EXPECT_EQ(light.at("frames"), 7);
        EXPECT_LE(light.at("casters"), light.at("in_frustum"));
        EXPECT_LE(light.at("shaded"), light.at("casters"));
        for (auto& [key, sum] : all.items()) sum = sum.get<double>() + light.at(key).get<double>();
    }
    EXPECT_GT(all.at("casters"), 0);
    EXPECT_LT(all.at("casters"), 0.9 * all.at("in_frustum").get<double>());
    // The table has the same: frames, frustum, casters, what that saves, what no finer cascade covers.
    std::string line;
    while (std::getline(table, line) && !line.starts_with("all cascades")) {
    }
    std::erase(line, ',');
    const std::vector<std::string> cells = words(line);
    ASSERT_GE(cells.size(), 13u) << line;
    EXPECT_NEAR(std::stod(cells[3]), all.at("in_frustum"), 0.051);
    EXPECT_NEAR(std::stod(cells[4]), all.at("casters"), 0.051);
    EXPECT_NEAR(std::stod(cells[7]), all.at("casters").get<double>() - all.at("covered").get<double>(), 0.051);
}

TEST_F(Shadow, DrawsAPicture) {
    // Seen; the sun, 45 degrees high towards +y, behind it: casts onto it; in the map's box, but before what is seen,
    // its shadow falls away from it.
    write("boxes.csv", "4 -0.5 -1 5 0.5 -0.8\n4 7.5 7 5 8.5 8\n4 5.5 10 5 6.5 11\n");
    const std::string shadow =
        "shadow boxes.csv --path camera.json --sun-height 45 --sun-bearing 0 --cascades 1 --lamps 1 --lamp-range 4 "
        "--quiet --picture map.png";
    EXPECT_EQ(output_of(shadow), "");
    const Pixels sun(read(path("map.png")));
    ASSERT_EQ(sun.width, 1600);
    ASSERT_EQ(sun.height, 900);
    for (const unsigned color : {seen, kept, rejected}) {
        EXPECT_GT(sun.in_legend(color), 50) << std::hex << color;
        EXPECT_GT(sun.on_map(color), 50) << std::hex << color;
    }
    // The lamp reaches the first box alone, which is seen.
    EXPECT_EQ(output_of(shadow + " --picture-light 1"), "");
    const Pixels lamp(read(path("map.png")));
    ASSERT_EQ(lamp.width, 1600);
    EXPECT_GT(lamp.on_map(seen), 50);
    EXPECT_EQ(lamp.on_map(kept), 0);
    EXPECT_EQ(lamp.on_map(rejected), 0);
    EXPECT_GT(lamp.in_legend(rejected), 50);
}

/// Without a frame the picture is of the one that has most to show, which is lit.
TEST_F(Shadow, DrawsAFrameThatShowsSomething) {
    write("boxes.csv", "4 -0.5 -1 5 0.5 -0.8\n4.2 -0.2 20 4.8 0.2 21\n");
    // In the first frame alone there is something in view; the lamp stands before the camera that sees it.
    write("turning.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 9, "cameras": [
        {"eye": [0, 0, 0], "target": [1, 0, 0]}, {"eye": [0, 0, 0], "target": [-1, 0, 0]},
        {"eye": [0, 0, 0], "target": [-1, 0.1, 0]}]})");
    const std::string shadow =
        "shadow boxes.csv --path turning.json --sun-height 90 --cascades 1 --lamps 3 --lamp-range 4 --quiet --picture ";
    // The box in the sky is over the one that is seen: cut open, it would be see-through.
    EXPECT_EQ(output_of(shadow + "map.png --cutaway off"), "");
    const Pixels sun(read(path("map.png")));
    EXPECT_GT(sun.on_map(seen), 50);
    EXPECT_GT(sun.on_map(kept), 50);
    EXPECT_EQ(output_of(shadow + "map.png --picture-light 1"), "");
    EXPECT_GT(Pixels(read(path("map.png"))).on_map(seen), 50);
    // It lights nothing of what is seen in that frame, and the message names both options.
    expect_error(words(shadow + "map.png --picture-light 1 --picture-frame 1"), wrong_usage,
                 "--picture-light 1, --picture-frame 1");
}

TEST_F(Shadow, DropsWhatIsInAnothersShadow) {
    double casters = 0, shaded = 0;
    const json city = report_of("shadow --objects 20000 --path street --frames 3 --lamps 3 --occluders 16 --quiet");
    for (const json& light : city.at("lights")) {
        casters += light.at("casters").get<double>();
        shaded += light.at("shaded").get<double>();
    }
    EXPECT_GT(shaded, 0.05 * casters);
}

}  // namespace
