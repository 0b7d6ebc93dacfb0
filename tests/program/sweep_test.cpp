#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull sweep: its counts are those of single culls, and its files are the same bytes for any number of threads and
/// ranks.

namespace {

using nlohmann::json;

/// Writes all that a sweep writes, by names that begin with `name`; of 20 bundles.
std::string small_sweep(const std::string& name) {
    return "sweep --objects 20000 --grid 10,8 --directions 4 --bundle 16 --quiet --csv " + name + ".csv --json " +
           name + ".json --picture " + name + ".png";
}
constexpr TeamRuns runs{small_sweep, {".csv", ".json", ".png"}};

class Sweep : public TeamProgram {};

/// Two boxes before a camera, one behind it.
TEST_F(Sweep, CountsWhatViewsSee) {
    write("boxes.csv", "5 -1 -1 6 1 1\n7 -1 -1 8 1 1\n-6 -1 -1 -5 1 1\n");
    write("views.csv", "x y z dx dy dz\n0 0 0 1 0 0\n0,0,0,-1,0,0  # back\n0 0 0 0 1 0\n");
    EXPECT_EQ(output_of("sweep boxes.csv --views views.csv --near 1 --far 20 --sun-height 90 --csv out.csv "
                        "--json out.json --quiet --worst 2"),
              "");
    EXPECT_EQ(read(path("out.csv")),
              "view,x,y,z,dx,dy,dz,objects,draws,casters\n0,0,0,0,1,0,0,2,1,2\n1,0,0,0,-1,0,0,1,1,1\n"
              "2,0,0,0,0,1,0,0,0,0\n");
    const json summary = json::parse(read(path("out.json")));
    EXPECT_EQ(summary.at("objects").at("most"), 2);
    EXPECT_EQ(summary.at("worst").size(), 2u);
    EXPECT_EQ(summary.at("worst")[0].at("view"), 0);
}

/// A sweep of a path's cameras and a cull along that path see the same.
TEST_F(Sweep, AgreesWithCull) {
    write("cameras.json", R"({"far": 400, "near": 0.1, "cameras": [
        {"eye": [0, 0, 2], "target": [10, 3, 2]}, {"eye": [-90, 40, 30], "target": [0, 0, 0]},
        {"eye": [5, -200, 2], "target": [5, 0, 2]}]})");
    const json culled = report_of("cull --objects 20000 --path cameras.json --quiet");
    EXPECT_EQ(output_of("sweep --objects 20000 --views cameras.json --no-casters --csv out.csv --quiet"), "");
    std::istringstream lines(read(path("out.csv")));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line.substr(line.rfind("dz")), "dz,objects,draws") << "no casters";
    for (const json& frame : culled.at("frames")) {
        std::getline(lines, line);
        std::replace(line.begin(), line.end(), ',', ' ');
        EXPECT_EQ(std::stoul(words(line).at(7)), frame.at("visible").get<std::uint64_t>()) << line;
    }
}

/// A wall, a box behind it and one beside it: what the wall hides is in view, and neither unhidden nor drawn.
TEST_F(Sweep, CountsWhatNoWallHides) {
    write("boxes.csv", "5 -3 -3 6 3 3\n9 -1 -1 10 1 1\n9 6 -1 10 7 1\n");
    write("views.csv", "0 0 0 1 0 0\n20 0 0 -1 0 0\n");
    EXPECT_EQ(
        output_of("sweep boxes.csv --views views.csv --near 1 --far 50 --fov 90 --no-casters --quiet --occluders 4 "
                  "--solid boxes --csv out.csv --json out.json --by unhidden"),
        "");
    EXPECT_EQ(read(path("out.csv")),
              "view,x,y,z,dx,dy,dz,objects,unhidden,draws\n0,0,0,0,1,0,0,3,2,2\n1,20,0,0,-1,0,0,3,3,1\n");
    const json summary = json::parse(read(path("out.json")));
    EXPECT_EQ(summary.at("occluders").at("solids"), 3);
    EXPECT_EQ(summary.at("unhidden").at("least"), 2);
    EXPECT_EQ(summary.at("worst")[0].at("view"), 1);
}

/// The city's walls hide, and whoever counts finds the same.
TEST_F(Sweep, WritesTheSameForAnyNumberOfThreads) {
    expect_same_for_threads(runs, "");
    expect_same_for_threads(runs, " --occluders 16");
    const json summary = json::parse(read(path("one.json")));
    EXPECT_LT(summary.at("unhidden").at("mean").get<double>(), 0.5 * summary.at("objects").at("mean").get<double>());
    EXPECT_LE(summary.at("draws").at("mean").get<double>(), summary.at("unhidden").at("mean").get<double>());
    const Pixels map(read(path("one.png")));
    EXPECT_EQ(map.width, 1600);
    EXPECT_GT(map.in_legend(0x1D2B3A), 100) << "words";
}

TEST_F(Sweep, RunsOnRanksOrSaysWhyNot) { expect_same_on_ranks(runs); }

}  // namespace
