#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "program/program.hpp"
#include "support/random.hpp"

/// lanecull explain: what it says about an object agrees with the counts of `lanecull cull`, and is true.

namespace {

using nlohmann::json;

/// The first number behind `label`, of any line.
double number_after(const std::string& text, const std::string& label) {
    const std::size_t at = text.find(label);
    if (at == std::string::npos) {
        ADD_FAILURE() << "no " << label << " in\n" << text;
        return NAN;
    }
    return std::strtod(text.c_str() + at + label.size(), nullptr);
}

/// "culled", "plane"
std::pair<std::string, std::string> verdict_in(const std::string& text) {
    for (const std::string verdict : {"visible", "culled"}) {
        const std::string start = "\n" + verdict + " (";
        const std::size_t at = text.find(start);
        if (at == std::string::npos) continue;
        const std::size_t word = at + start.size();
        return {verdict, text.substr(word, text.find(')', word) - word)};
    }
    ADD_FAILURE() << "no verdict in\n" << text;
    return {};
}

class Explain : public Program {
protected:
    /// From the origin along x, z up: |y|, |z| <= x, 1 <= x <= 9. The left is where y is positive.
    std::string camera() const {
        return write("camera.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 9,
                                        "cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}]})");
    }

    std::string explained(const std::vector<std::string>& arguments, std::size_t object) const {
        std::vector<std::string> all = {"explain"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        all.insert(all.end(), {"--object", std::to_string(object)});
        const Result result = run(all);
        EXPECT_EQ(result.status, 0) << result.errors;
        EXPECT_EQ(result.errors, "");
        return result.output;
    }

    /// One box, minx miny minz maxx maxy maxz, before that camera.
    std::string explained_box(const std::string& box, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments = {write("box.csv", box + "\n"), "--path", camera()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return explained(arguments, 0);
    }
};

void expect_words(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

TEST_F(Explain, NamesThePlaneAndHowFarBehindIt) {
    const struct {
        const char *box, *plane;
        double by;
    } cases[] = {{"5 20 0 6 22 1", "left", 14 / std::sqrt(2)},
                 {"5 -22 0 6 -20 1", "right", 14 / std::sqrt(2)},
                 {"5 0 -22 6 1 -20", "bottom", 14 / std::sqrt(2)},
                 {"5 0 20 6 1 22", "top", 14 / std::sqrt(2)},
                 {"-5 -1 -1 -4 1 1", "near", 5},
                 {"20 0 0 21 1 1", "far", 11}};
    for (const auto& expected : cases) {
        SCOPED_TRACE(expected.box);
        const std::string text = explained_box(expected.box);
        expect_words(text, {"\nculled (plane): ", "all of it is behind", "planes           culled: behind a plane"});
        const std::string by = std::string("plane            ") + expected.plane + ", by ";
        EXPECT_NEAR(number_after(text, by), expected.by, 1e-4);
    }
}

TEST_F(Explain, TellsHowCloseToThePlanesItIs) {
    const std::string text = explained_box("4 -1 -2 6 1 2");
    expect_words(text, {"\nvisible (inside): ", "centre           (5, 0, 0), 5 from the eye",
                        "size             2 x 2 x 4", "all of it is inside"});
    EXPECT_NEAR(number_after(text, "\n  near  "), 3, 1e-6);
    EXPECT_NEAR(number_after(text, "\n  far  "), 3, 1e-6);
    EXPECT_NEAR(number_after(text, "\n  top  "), 2 / std::sqrt(2), 1e-5);
    EXPECT_NEAR(number_after(text, "\n  left  "), 3 / std::sqrt(2), 1e-5);
    expect_words(explained_box("8.5 -1 -1 10.5 1 1"), {"visible (overlap): ", "crosses it"});
}

/// Round the far left edge: no plane has it behind, and the direction holds for all corners.
TEST_F(Explain, ProvesWhatGjkCulls) {
    const std::string box = "8.9 9.1 -1 40 30 1";
    const std::string text = explained_box(box);
    expect_words(text, {"\nculled (gjk): ", "\n  steps ", "volume           whole",
                        "\nother method\n  planes           visible: behind no plane"});
    EXPECT_EQ(text.find("all of it is behind"), std::string::npos) << text;
    double d[3] = {};
    const std::size_t at = text.find("direction        (");
    ASSERT_NE(at, std::string::npos) << text;
    ASSERT_EQ(std::sscanf(text.c_str() + at, "direction        (%lf, %lf, %lf)", &d[0], &d[1], &d[2]), 3);
    double object = -HUGE_VAL, volume = HUGE_VAL;
    for (const double y : {9.1, 30.0}) {
        for (const double x : {8.9, 40.0}) object = std::max(object, d[0] * x + d[1] * y + std::abs(d[2]));
    }
    for (const double x : {1.0, 9.0}) volume = std::min(volume, x * (d[0] - std::abs(d[1]) - std::abs(d[2])));
    const double gap = number_after(text, "gap              at least ");
    EXPECT_GT(gap, 0);
    EXPECT_LE(gap, volume - object + 1e-4);
}

/// A direction of its own may be found before a plane is tested: the plane that would do as well is named.
TEST_F(Explain, NamesThePlaneThatWouldDoAsWell) {
    const std::string text = explained_box("1.5 4.5 2 4 8 3");
    expect_words(text, {"\nculled (gjk): ", "all of it is behind"});
    EXPECT_NEAR(number_after(text, "plane            left, by "), 0.5 / std::sqrt(2), 1e-4);
    expect_words(text, {"as well"});
    // Round the edge no plane does.
    EXPECT_EQ(explained_box("8.9 9.1 -1 40 30 1").find("plane            left, by"), std::string::npos);
}

TEST_F(Explain, TellsWhereTheVolumeWasCut) {
    const std::string triangle = write("mesh.obj", "v 2 -6 -3\nv 7 1 -8\nv -3 -9 0\nf 1 2 3\n");
    const std::string text = explained({triangle, "--path", camera()}, 0);
    expect_words(text, {"method           automatic", "\nculled (gjk): ", "planes           culled: behind a plane"});
    EXPECT_NEAR(number_after(text, "cut at depth "), 7, 1e-3);
}

TEST_F(Explain, MeasuresToPlanesOfAnyDistance) {
    const std::string text = explained_box("4 -1 -2 6 1 2", {"--near", "1e-12", "--far", "1e15"});
    EXPECT_NEAR(number_after(text, "\n  near  "), 4, 1e-6);
    EXPECT_NEAR(number_after(text, "\n  far  "), 1e15, 1e9);
}

/// It touches the left plane: what rounds off in the sums is not told as a distance.
TEST_F(Explain, TellsTouchingObjectsAsTouching) {
    const std::string text = explained_box("1.5 4 2 4 8 3");
    expect_words(text, {"\nvisible (", "crosses it"});
    EXPECT_EQ(text.find("all of it is behind"), std::string::npos) << text;
}

/// Object by object the counts of the whole: what decided, named as in the report.
TEST_F(Explain, AgreesWithCull) {
    const std::size_t objects = test_scale() <= 0.1 ? 60 : 250;  // each of them a run of the program
    // A narrow view: some of every verdict.
    const std::string frame = "--objects " + std::to_string(objects) + " --frames 1 --fov 2 --far 400";
    json counts = report_of("cull --quiet " + frame).at("mean_per_frame");
    counts.erase("kept_by_planes_alone");
    std::map<std::string, double> found;
    for (std::size_t i = 0; i < objects; ++i) {
        const auto [verdict, why] = verdict_in(output_of("explain " + frame + " --object " + std::to_string(i)));
        ++found[verdict];
        ++found[verdict + "_" + why];
    }
    for (const auto& [key, count] : counts.items()) EXPECT_EQ(found[key], count.get<double>()) << key;
    EXPECT_GT(found["visible"], 0);
    EXPECT_GT(found["culled_gjk"], 0);
}

TEST_F(Explain, FindsTheObjectInItsBatch) {
    const std::string mesh = write("mesh.obj",
                                   "o first\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n"
                                   "o second\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n");
    expect_words(explained({mesh}, 1),
                 {"object 1 of 2: mesh.obj, meshes", "batch            0 (hull instances), object 1 of 2",
                  "of mesh second, 3 points", "centre           (5.5, 0.5, 0)", "size             1 x 1 x 0"});
    expect_words(explained({"--objects", "2000", "--frames", "7", "--frame", "6"}, 1999),
                 {"object 1999 of 2,000", "frame 6 of 7"});
}

}  // namespace
