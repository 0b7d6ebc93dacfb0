#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program/program.hpp"
#include "support/scale.hpp"

/// Occluders in `lanecull cull` and `lanecull explain`.

namespace {

using nlohmann::json;

class Occluders : public Program {
protected:
    [[nodiscard]] std::vector<std::string> walk(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = small_city({"--path", "street"});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    /// A wall 8 wide and 10 high, 10 before the eye; two boxes behind it, and one beside it.
    [[nodiscard]] std::string street() const {
        write("path.json", R"({"up": [0, 0, 1], "cameras": [{"eye": [0, 0, 2], "target": [0, 10, 2]}]})");
        return write("boxes.csv",
                     "-4 10 0 4 11 10\n"
                     "-2 20 0 2 24 4\n"
                     "3 30 0 4 31 3\n"
                     "8 15 0 9 16 3\n");
    }
};

TEST_F(Occluders, HideWhatIsCountedAmongTheCulled) {
    const json without = report(walk({})), with = report(walk({"--occluders", "16"}));
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
    const json more = report(walk({"--occluders", "64"})).at("occluders");
    EXPECT_GT(number(more, "hidden"), number(occluders, "hidden"));
    EXPECT_LE(number(more, "hidden"), number(more, "hidden_by_all"));
    EXPECT_EQ(more.at("hidden_by_all"), occluders.at("hidden_by_all"));
    const json margin = report(walk({"--occluders", "64", "--margin-pixels", "4"})).at("occluders");
    EXPECT_LT(number(margin, "hidden_by_all"), number(more, "hidden_by_all"));
    EXPECT_GT(number(margin, "hidden_by_all"), 0.5 * number(more, "hidden_by_all"));
}

TEST_F(Occluders, AreTheSameForAnyThreadsAndMethod) {
    const json serial = report(walk({"--occluders", "8", "--threads", "1"}));
    const json parallel = report(walk({"--occluders", "8", "--threads", "3"}));
    EXPECT_EQ(parallel.at("mean_per_frame"), serial.at("mean_per_frame"));
    for (const char* name : {"chosen", "hidden", "hidden_by_all"}) {
        EXPECT_EQ(parallel.at("occluders").at(name), serial.at("occluders").at(name)) << name;
    }
    const json planes = report(walk({"--occluders", "8", "--method", "planes"}));
    EXPECT_FALSE(planes.at("mean_per_frame").contains("kept_by_planes_alone"));
    EXPECT_GT(planes.at("mean_per_frame").at("culled_occluded"), 100);
}

/// An ordered scene of the same objects hides the same ones.
TEST_F(Occluders, HideInOrderedScenes) {
    const json flat = report(walk({"--occluders", "16"}));
    const json both = report(walk({"--occluders", "16", "--ordered"}));
    EXPECT_EQ(both.at("mean_per_frame"), flat.at("mean_per_frame"));
    const json& ordered = both.at("ordered");
    EXPECT_EQ(ordered.at("differences"), 0);
    EXPECT_GT(ordered.at("hidden_blocks"), 0);
    EXPECT_LT(ordered.at("tested_objects"), 15'000);
}

TEST_F(Occluders, PrintRows) {
    const Result table = run({"cull", "--objects", "5000", "--path", "street", "--frames", "4", "--occluders", "4"});
    EXPECT_EQ(table.status, 0) << table.errors;
    for (const char* words : {"behind an occluder", "of what is in view", "all solid boxes hide, each alone",
                              "choosing and preparing occluders", "without occluders", "of the time without"}) {
        EXPECT_NE(table.output.find(words), std::string::npos) << words << " is missing in\n" << table.output;
    }
}

/// Boxes of a list are solid if the user says so.
TEST_F(Occluders, AreWhatTheUserNames) {
    const std::string boxes = street();
    const std::vector<std::string> cull = {"cull", boxes, "--path", path("path.json"), "--far", "100"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), cull.begin(), cull.end());
        return more;
    };
    const json open = report(with({"--quiet"}));
    EXPECT_EQ(open.at("mean_per_frame").at("visible"), 4);
    const json closed = report(with({"--quiet", "--occluders", "2", "--solid", "boxes"}));
    EXPECT_EQ(closed.at("mean_per_frame").at("culled_occluded"), 2);
    EXPECT_EQ(closed.at("mean_per_frame").at("visible"), 2);
    EXPECT_EQ(closed.at("occluders").at("solids"), 4);
    EXPECT_EQ(closed.at("occluders").at("hidden_by_all"), 2);
    expect_error(with({"--occluders", "2"}), failed, "--solid names what is");
    expect_error(with({"--occluders", "2", "--solid", "walls"}), wrong_usage, "there are boxes");
    expect_error(small_city({"--occluders", "2", "--solid", "cars", "--solid", "lights"}), wrong_usage, "no boxes");
    EXPECT_GT(report(small_city({"--occluders", "2", "--solid", "cars", "--solid", "street furniture"}))
                  .at("occluders")
                  .at("solids"),
              8000);
    const std::string mesh = write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
    expect_error({"cull", mesh, "--bounds", "both", "--occluders", "2", "--solid", "boxes of meshes"}, wrong_usage,
                 "not drawn");
    expect_error({"cull", mesh, "--bounds", "box", "--occluders", "2", "--solid", "meshes"}, wrong_usage, "not closed");
}

/// Rows of a list have names, and one of them alone may be solid.
TEST_F(Occluders, AreRowsThatTheUserNames) {
    write("path.json", R"({"up": [0, 0, 1], "cameras": [{"eye": [0, 0, 2], "target": [0, 10, 2]}]})");
    const std::string list = write("list.csv",
                                   "name,minx,miny,minz,maxx,maxy,maxz\nhedge,-6,8,0,6,9,9\nwall,-4,10,0,4,11,10\n"
                                   "door,-2,20,0,2,24,4\nwall,3,30,0,4,31,3\n");
    const auto with = [&](const std::string& name) {
        return report({"cull", list, "--path", path("path.json"), "--far", "100", "--quiet", "--occluders", "2",
                       "--solid", name, "--solid", name});
    };
    EXPECT_EQ(with("hedge").at("occluders").at("solids"), 1);
    EXPECT_EQ(with("hedge").at("mean_per_frame").at("culled_occluded"), 3);
    EXPECT_EQ(with("wall").at("occluders").at("solids"), 2);
    EXPECT_EQ(with("wall").at("mean_per_frame").at("culled_occluded"), 2);
    EXPECT_FALSE(with("wall").at("occluders").contains("within_meshes"));
    expect_error({"cull", list, "--occluders", "2", "--solid", "all-closed"}, wrong_usage, "has no meshes");
    expect_error({"cull", list, "--occluders", "2", "--solid", ""}, wrong_usage, "no group, object or mesh");
}

TEST_F(Occluders, ExplainNamesTheWall) {
    const std::string boxes = street();
    const auto explain = [&](const std::string& object) {
        const Result result = run({"explain", boxes, "--path", path("path.json"), "--far", "100", "--object", object,
                                   "--occluders", "2", "--solid", "boxes"});
        EXPECT_EQ(result.status, 0) << result.errors;
        return result.output;
    };
    const std::string behind = explain("2");
    for (const char* words : {"culled (occluded)", "wall             object 0, boxes", "centre (0, 10.5, 5)",
                              "size 8 x 1 x 10", "occluders"}) {
        EXPECT_NE(behind.find(words), std::string::npos) << words << " is missing in\n" << behind;
    }
    for (const char* object : {"0", "3"}) EXPECT_NE(explain(object).find("visible ("), std::string::npos) << object;
}

/// What `cull` says of a frame, `explain` says of its objects.
TEST_F(Occluders, ExplainAsCullCounts) {
    write("path.json",
          R"({"cameras": [{"eye": [0, 0, 2], "target": [0, 10, 2]}, {"eye": [3, 0, 2], "target": [0, 10, 2]}]})");
    const std::string boxes = write("boxes.csv",
                                    "-10 10 0 0 11 10\n0 10 0 10 11 10\n-6 20 0 -5 24 4\n5 30 0 6 31 3\n"
                                    "-0.5 20 0 0.5 21 3\n12 15 0 13 16 3\n");
    const std::vector<std::string> scene = {boxes,         "--path", path("path.json"), "--far", "100",
                                            "--occluders", "1",      "--solid",         "boxes"};
    std::vector<std::string> cull = {"cull"};
    cull.insert(cull.end(), scene.begin(), scene.end());
    cull.insert(cull.end(), {"--quiet"});
    const json frames = report(cull).at("frames");
    ASSERT_EQ(frames.size(), 2u);
    for (std::size_t frame = 0; frame < 2; ++frame) {
        int visible = 0;
        for (int object = 0; object < 6; ++object) {
            std::vector<std::string> explain = {"explain"};
            explain.insert(explain.end(), scene.begin(), scene.end());
            explain.insert(explain.end(), {"--object", std::to_string(object), "--frame", std::to_string(frame)});
            visible += run(explain).output.find("\nvisible (") != std::string::npos ? 1 : 0;
        }
        EXPECT_EQ(frames[frame].at("visible"), visible) << frame;
    }
}

TEST_F(Occluders, RefuseWrongCommandLines) {
    expect_error(small_city({"--occluders", "65"}), wrong_usage, "--occluders");
    expect_error(small_city({"--occluders", "-1"}), wrong_usage, "--occluders");
    expect_error(small_city({"--margin-pixels", "1"}), wrong_usage, "--occluders");
    expect_error(small_city({"--solid", "cars"}), wrong_usage, "--occluders");
    expect_error(small_city({"--occluders", "8", "--margin-pixels", "-1"}), wrong_usage, "--margin-pixels");
    expect_error(small_city({"--occluders", "8", "--margin-pixels", "nan"}), wrong_usage, "--margin-pixels");
    expect_error({"cull", write("flat.csv", "0 0 1 1\n"), "--occluders", "8"}, wrong_usage, "--occluders");
}

TEST_F(Occluders, AreDrawn) {
    if (test_scale() <= 0.1) return;  // a picture takes sanitizers a minute or two
    const auto drawn = [&](const char* occluders) {
        const Result result = run({"cull", "--objects", "2000", "--frames", "5", "--quiet", "--path", "street",
                                   "--picture-frame", "2", "--occluders", occluders, "--picture", path("city.png")});
        EXPECT_EQ(result.status, 0) << result.errors;
        return read(path("city.png"));
    };
    const std::string occluded = drawn("8");
    EXPECT_TRUE(occluded.starts_with("\x89PNG\r\n\x1a\n"));
    EXPECT_NE(occluded, drawn("0"));
}

}  // namespace
