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

/// Two boxes before a camera, one behind it; a wall, a box behind it and one beside it: what the wall hides is in view,
/// and neither unhidden nor drawn.
TEST_F(Sweep, CountsWhatViewsSee) { expect_answers("sweeps"); }

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
