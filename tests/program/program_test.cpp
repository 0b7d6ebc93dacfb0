#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <lanecull/library.h>

#include "program/program.hpp"
#include "support/random.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TEST_F(Program, HelpsEverywhere) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                      {"cull", "--help"},
                                                      {"explain", "--help"},
                                                      {"hull", "--help"},
                                                      {"isa", "--help"}}) {
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0);
        EXPECT_EQ(result.errors, "");
        EXPECT_NE(result.output.find("Examples:"), std::string::npos) << result.output;
    }
    EXPECT_TRUE(run({"--version"}).output.starts_with("lanecull "));
}

/// A first line with numbers is a box, whatever separates them; one without is a header.
TEST_F(Program, TakesNoBoxForAHeader) { expect_answers("first lines of lists"); }

/// Coordinates that no float holds are rounded outwards, so what is culled is so for the numbers as they are written.
/// Flat ones too: the window ends at 16777216, where the nearest float would touch it.
TEST_F(Program, RoundsBoxesOutwards) { expect_answers("coordinates that no float holds"); }

/// A chessboard of 20 by 10 tiles, half a unit each.
TEST_F(Program, CullsFlatLists) {
    std::string text = "minx,miny,maxx,maxy\n";
    for (int i = 0; i < 200; ++i) {
        const int x = i % 20, y = i / 20;
        text += std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(x + 0.5) + "," +
                std::to_string(y + 0.5) + " # tile\n";
    }
    const std::string tiles = write("tiles.csv", text);
    const json middle = report({"cull", tiles, "--quiet", "--threads", "1", "--window", "5.25,5.25,4,2"});
    EXPECT_EQ(middle.at("objects"), 200);
    const json& statistics = middle.at("statistics");
    EXPECT_EQ(statistics.at("visible_planes"), 15);  // columns 3 to 7, rows 4 to 6: edges touch
    EXPECT_EQ(statistics.at("culled_plane"), 185);
    const json turned = report({"cull", tiles, "--quiet", "--window", "5.25,5.25,4,2,90"});
    EXPECT_EQ(turned.at("statistics").at("visible_planes"), 15);
    EXPECT_EQ(run({"cull", tiles, "--quiet", "--picture", "map.png"}).status, 0);
    EXPECT_TRUE(read(path("map.png")).starts_with("\x89PNG"));
    const Result table = run({"cull", tiles, "--threads", "1"});
    EXPECT_EQ(table.status, 0);
    EXPECT_NE(table.output.find("200 boxes of the plane"), std::string::npos) << table.output;
}

TEST_F(Program, ListsTheRunnableSets) {
    std::string names;
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (lanecull::isa_runnable(isa)) names += std::string(isa_name(isa)) + "\n";
    }
    const Result list = run({"isa", "--list"});
    EXPECT_EQ(list.status, 0);
    EXPECT_EQ(list.output, names);
    const Result table = run({"isa"});
    EXPECT_EQ(table.status, 0);
    EXPECT_NE(table.output.find("scalar"), std::string::npos);
    EXPECT_NE(run({"isa"}, "LANECULL_ISA=scalar").output.find("LANECULL_ISA"), std::string::npos);
}

void expect_sums_up(const json& report) {
    const double objects = report.at("scene").at("objects");
    const json& mean = report.at("mean_per_frame");
    EXPECT_NEAR(mean.at("visible").get<double>() + mean.at("culled").get<double>(), objects, 1e-6 * objects);
    double reasons = 0;
    for (const auto& [key, value] : mean.items()) {
        if (key.starts_with("visible_") || key.starts_with("culled_plane") || key.starts_with("culled_gjk")) {
            reasons += value.is_number() ? value.get<double>() : 0;
        }
    }
    EXPECT_NEAR(reasons, objects, 1e-6 * objects) << mean.dump(1);
    double group_objects = 0, group_visible = 0, frame_visible = 0;
    for (const json& group : report.at("groups")) {
        group_objects += group.at("objects").get<double>();
        group_visible += group.at("visible").get<double>();
    }
    EXPECT_EQ(group_objects, objects);
    EXPECT_NEAR(group_visible, mean.at("visible").get<double>(), 1e-6 * objects);
    for (const json& frame : report.at("frames")) frame_visible += frame.at("visible").get<double>();
    frame_visible /= static_cast<double>(report.at("frames").size());
    EXPECT_NEAR(frame_visible, mean.at("visible").get<double>(), 1e-6 * objects);
}

TEST_F(Program, ReportsNumbersThatAddUp) {
    const json data = report(small_city({}));
    EXPECT_EQ(data.at("scene").at("objects"), 20000);
    EXPECT_EQ(data.at("method"), "automatic");
    EXPECT_EQ(data.at("frames").size(), 5u);
    EXPECT_GT(data.at("mean_per_frame").at("visible"), 10);
    EXPECT_GT(data.at("mean_per_frame").at("culled"), 10000);
    EXPECT_FALSE(data.contains("ordered"));
    expect_sums_up(data);
}

/// The same verdicts whoever runs them.
TEST_F(Program, VerdictsDoNotDependOnThreads) {
    const json serial = report(small_city({"--threads", "1"}));
    for (const char* threads : {"2", "3", "0"}) {
        const json other = report(small_city({"--threads", threads}));
        EXPECT_EQ(other.at("mean_per_frame"), serial.at("mean_per_frame"));
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_EQ(other.at("frames")[i].at("visible"), serial.at("frames")[i].at("visible"));
        }
    }
}

TEST_F(Program, RunsTheSetThatIsAskedFor) {
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        const json data = report(small_city({"--isa", isa_name(isa)}));
        EXPECT_EQ(data.at("isa"), isa_name(isa));
        EXPECT_EQ(data.at("lanes"), lanecull::isa_lanes(isa));
    }
}

/// `--path street`: from one side of the city to the other along two rows of streets and one between, through the
/// centre.
TEST_F(Program, WalksThroughTheCity) {
    const json walk =
        report({"cull", "--objects", "20000", "--path", "street", "--near", "0.001", "--far", "0.5", "--quiet"});
    const json& frames = walk.at("frames");
    ASSERT_EQ(frames.size(), 60u);
    const double radius = std::sqrt(20'000 / (3.141592653589793 * 0.0185));
    double nearest = 1e9;
    std::size_t turns = 0;
    const auto eye = [&](std::size_t i) {
        const json& e = frames[i].at("eye");
        return std::array<double, 3>{e[0], e[1], e[2]};
    };
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_NEAR(eye(i)[2], 1.8, 1e-12);
        nearest = std::min(nearest, std::hypot(eye(i)[0], eye(i)[1]));
        // One of a frame's coordinates is that of a street's middle.
        EXPECT_LT(std::min(std::abs(std::remainder(eye(i)[0], 100.0)), std::abs(std::remainder(eye(i)[1], 100.0))),
                  1e-9);
        if (i < 2) continue;
        const bool along_x = std::abs(eye(i)[1] - eye(i - 1)[1]) < 1e-9;
        const bool along_x_before = std::abs(eye(i - 1)[1] - eye(i - 2)[1]) < 1e-9;
        turns += along_x != along_x_before ? 1 : 0;
    }
    EXPECT_EQ(turns, 2u);
    EXPECT_LT(nearest, 15);
    for (const std::size_t end : {0u, 59u}) EXPECT_NEAR(std::hypot(eye(end)[0], eye(end)[1]), 0.8 * radius, 1e-6);
    // Half a metre ahead there is no wall.
    for (const json& group : walk.at("groups")) {
        const std::string name = group.at("name");
        if (name.find("buildings") != std::string::npos) {
            EXPECT_EQ(group.at("visible"), 0) << name;
        }
    }
    EXPECT_EQ(report(small_city({"--path", "street"})).at("frames").size(), 5u);
}

/// The word is reserved for the city; a file of that name has a path.
TEST_F(Program, WalksThroughTheCityAlone) {
    write("boxes.csv", "0 0 0 1 1 1\n");
    if (output_of("view --help").find("--path") != std::string::npos) {
        expect_error(words("view boxes.csv --headless --path street"), wrong_usage, "--path street");
    }
    write("street", R"({"cameras": [{"eye": [0, -9, 2], "target": [0, 0, 0]}]})");
    EXPECT_EQ(report_of("cull boxes.csv --path ./street --quiet").at("frames").size(), 1u);
    EXPECT_NE(output_of("explain --objects 2000 --object 7 --path street --frame 59"), "");
    EXPECT_NE(output_of("shadow --objects 2000 --path street --frames 2 --lamps 0"), "");
}

TEST_F(Program, PrintsATableUnlessQuiet) {
    const Result result = run(words("cull --objects 5000 --frames 3"));
    EXPECT_EQ(result.status, 0) << result.errors;
    for (const char* word : {"objects", "visible", "culled", "median", "share"}) {
        EXPECT_NE(result.output.find(word), std::string::npos) << word << " is missing in\n" << result.output;
    }
    EXPECT_EQ(result.output.find('\r'), std::string::npos) << "no progress bar where the output is no terminal";
    for (const char* line : {"cull --objects 5000 --frames 3 --quiet", "shadow --objects 500 --frames 2 --quiet",
                             "sweep --objects 500 --grid 2,2 --quiet"}) {
        const Result quiet = run(words(line));
        EXPECT_EQ(quiet.status, 0) << line;
        EXPECT_EQ(quiet.output + quiet.errors, "") << line;
    }
}

/// The first minute: three rows, of which each leaves less than the one before it in its row.
TEST_F(Program, Demonstrates) {
    std::istringstream lines(output_of("demo --objects 20000 --picture street.png"));
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line);) {
        std::erase(line, ',');
        const std::vector<std::string> cells = words(line);
        if (cells.size() < 5 || !std::isdigit(static_cast<unsigned char>(cells.back()[0])) || rows == 3) continue;
        const auto cell = [&](std::size_t from_right) { return std::stod(cells[cells.size() - from_right]); };
        if (line.find("objects drawn") != std::string::npos || line.starts_with("city")) continue;
        ++rows;
        EXPECT_EQ(cell(4), line.find("cascades") == std::string::npos ? 20'000 : 80'000) << line;
        EXPECT_GT(cell(4), cell(3)) << line;
        EXPECT_GE(cell(3), cell(2)) << line;
        EXPECT_GT(cell(2), 0) << line;
    }
    EXPECT_EQ(rows, 3u);
    EXPECT_TRUE(read(path("street.png")).starts_with("\x89PNG"));
}

TEST_F(Program, OrdersTheScene) {
    const Result result = run(words("cull --objects 20000 --frames 5 --ordered --json report.json"));
    ASSERT_EQ(result.status, 0) << result.errors;
    const json ordered = json::parse(read(path("report.json"))).at("ordered");
    EXPECT_EQ(ordered["differences"], 0);
    EXPECT_GT(ordered["build_seconds"], 0);
    EXPECT_GT(ordered["median_ms"], 0);
    EXPECT_GT(ordered["bytes"], 20'000 * 20);
    const double blocks = ordered["outside_blocks"].get<double>() + ordered["inside_blocks"].get<double>() +
                          ordered["mixed_blocks"].get<double>();
    EXPECT_GE(blocks, 20'000 / 128);
    EXPECT_LT(ordered["tested_objects"], 15'000);
    EXPECT_GT(ordered["tested_objects"], 0);
    EXPECT_NE(result.output.find("ordered scene"), std::string::npos) << result.output;
    EXPECT_NE(result.output.find("built in"), std::string::npos) << result.output;
}

/// With --ordered it shows blocks as well, by what became of them.
TEST_F(Program, DrawsThePictureOfBlocks) {
    const auto drawn = [&](const std::string& name, std::vector<std::string> more) {
        const std::vector<std::string> picture = {"--picture-frame", "2", "--picture", path(name)};
        more.insert(more.end(), picture.begin(), picture.end());
        const Result result = run(small_city(more));
        EXPECT_EQ(result.status, 0) << result.errors;
        return read(path(name));
    };
    const std::string blocks = drawn("blocks.png", {"--ordered"});
    EXPECT_TRUE(blocks.starts_with("\x89PNG\r\n\x1a\n"));
    if (test_scale() <= 0.1) return;
    const std::string plain = drawn("plain.png", {});
    EXPECT_NE(blocks, plain);
}

}  // namespace
