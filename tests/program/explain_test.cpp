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

using Explain = Program;

/// The plane and how far behind it a box is, or how close to the planes; which plane would do as well; where the volume
/// was cut; and which object it is. What rounds off is not told as a distance.
TEST_F(Explain, Boxes) { expect_answers("explanations of boxes"); }

/// Round the far left edge: no plane has it behind, and the direction holds for all corners.
TEST_F(Explain, ProvesWhatGjkCulls) {
    write_files(document("answers.json").at("explanations of boxes"));
    write("box.csv", "8.9 9.1 -1 40 30 1\n");
    const std::string text = output_of("explain box.csv --path camera.json --object 0");
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

}  // namespace
