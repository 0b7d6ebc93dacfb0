#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program/program.hpp"
#include "support/random.hpp"

/// Occluders in `lanecull cull` and `lanecull explain`.

namespace {

using nlohmann::json;

constexpr const char* walk = "cull --objects 20000 --frames 5 --quiet --path street ";

using Occluders = Program;

TEST_F(Occluders, HideWhatIsCountedAmongTheCulled) {
    const json without = report_of(walk), with = report_of(walk + std::string("--occluders 16"));
    EXPECT_FALSE(without.contains("occluders"));
    EXPECT_EQ(without.at("mean_per_frame").at("culled_occluded"), 0);
    const json &before = without.at("mean_per_frame"), &after = with.at("mean_per_frame");
    const auto number = [](const json& object, const char* name) { return object.at(name).get<double>(); };
    EXPECT_NEAR(number(after, "visible") + number(after, "culled"), 20'000, 1e-6);
    double reasons = 0;
    for (const auto& [key, value] : after.items()) {
        if (key.starts_with("culled_")) reasons += value.get<double>();
    }
    EXPECT_NEAR(reasons, number(after, "culled"), 1e-6);

    const json& occluders = with.at("occluders");
    EXPECT_EQ(occluders.at("most"), 16);
    EXPECT_GT(occluders.at("solids"), 2000);
    EXPECT_GT(number(occluders, "chosen"), 4);
    EXPECT_LE(number(occluders, "chosen"), 16);
    EXPECT_EQ(occluders.at("without").at("visible"), before.at("visible"));
    EXPECT_NEAR(number(occluders, "hidden"), number(before, "visible") - number(after, "visible"), 1e-6);
    EXPECT_GT(number(occluders, "hidden"), 0.3 * number(before, "visible"));
    EXPECT_GE(number(occluders, "hidden_by_all"), number(occluders, "hidden"));
    EXPECT_LT(number(occluders, "hidden_by_all"), number(before, "visible"));
    EXPECT_GE(number(after, "culled_occluded"), number(occluders, "hidden"));
    // Six planes have no occluders, and are compared with a cull that has none either.
    EXPECT_EQ(after.at("kept_by_planes_alone"), before.at("kept_by_planes_alone"));

    // More of them hide more, and a margin less; neither more than all.
    const json more = report_of(walk + std::string("--occluders 64")).at("occluders");
    EXPECT_GT(number(more, "hidden"), number(occluders, "hidden"));
    EXPECT_LE(number(more, "hidden"), number(more, "hidden_by_all"));
    EXPECT_EQ(more.at("hidden_by_all"), occluders.at("hidden_by_all"));
    const json margin = report_of(walk + std::string("--occluders 64 --margin-pixels 4")).at("occluders");
    EXPECT_LT(number(margin, "hidden_by_all"), number(more, "hidden_by_all"));
    EXPECT_GT(number(margin, "hidden_by_all"), 0.5 * number(more, "hidden_by_all"));
}

TEST_F(Occluders, AreTheSameForAnyThreads) {
    const json serial = report_of(walk + std::string("--occluders 8 --threads 1"));
    const json parallel = report_of(walk + std::string("--occluders 8 --threads 3"));
    EXPECT_EQ(parallel.at("mean_per_frame"), serial.at("mean_per_frame"));
    for (const char* name : {"chosen", "hidden", "hidden_by_all"}) {
        EXPECT_EQ(parallel.at("occluders").at(name), serial.at("occluders").at(name)) << name;
    }
}

/// An ordered scene of the same objects hides the same ones.
TEST_F(Occluders, HideInOrderedScenes) {
    const json both = report_of(walk + std::string("--occluders 16 --ordered"));
    EXPECT_EQ(both.at("mean_per_frame"), report_of(walk + std::string("--occluders 16")).at("mean_per_frame"));
    const json& ordered = both.at("ordered");
    EXPECT_EQ(ordered.at("differences"), 0);
    EXPECT_GT(ordered.at("hidden_blocks"), 0);
    EXPECT_LT(ordered.at("tested_objects"), 15'000);
}

/// A wall 8 wide and 10 high, 10 before the eye; two boxes behind it, and one beside it. Boxes of a list are solid if
/// the user says so, and so may one of its rows be that has a name.
TEST_F(Occluders, AreWhatTheUserNames) {
    expect_answers("a wall before boxes");
    expect_refusals("occluders");
}

/// What `cull` says of a frame, `explain` says of its objects.
TEST_F(Occluders, ExplainAsCullCounts) {
    write("path.json",
          R"({"cameras": [{"eye": [0, 0, 2], "target": [0, 10, 2]}, {"eye": [3, 0, 2], "target": [0, 10, 2]}]})");
    write("boxes.csv",
          "-10 10 0 0 11 10\n0 10 0 10 11 10\n-6 20 0 -5 24 4\n5 30 0 6 31 3\n-0.5 20 0 0.5 21 3\n12 15 0 13 16 3\n");
    const std::string scene = " boxes.csv --path path.json --far 100 --occluders 1 --solid boxes";
    const json frames = report_of("cull --quiet" + scene).at("frames");
    ASSERT_EQ(frames.size(), 2u);
    for (std::size_t frame = 0; frame < 2; ++frame) {
        int visible = 0;
        for (int object = 0; object < 6; ++object) {
            const std::string text = output_of("explain" + scene + " --object " + std::to_string(object) + " --frame " +
                                               std::to_string(frame));
            visible += text.find("\nvisible (") != std::string::npos ? 1 : 0;
        }
        EXPECT_EQ(frames[frame].at("visible"), visible) << frame;
    }
}

TEST_F(Occluders, AreDrawn) {
    if (test_scale() <= 0.1) return;  // a picture takes sanitizers a minute or two
    const auto drawn = [&](const char* occluders) {
        EXPECT_EQ(output_of(std::string("cull --objects 2000 --frames 5 --quiet --path street --picture-frame 2 "
                                        "--picture city.png --occluders ") +
                            occluders),
                  "");
        return read(path("city.png"));
    };
    const std::string occluded = drawn("8");
    EXPECT_TRUE(occluded.starts_with("\x89PNG\r\n\x1a\n"));
    EXPECT_NE(occluded, drawn("0"));
}

}  // namespace
