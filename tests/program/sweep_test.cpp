#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull sweep: its counts are those of single culls, and its files are the same bytes for any number of threads and
/// ranks, and after any interruption.

namespace {

using namespace std::chrono_literals;

class Sweep : public Program {
protected:
    /// Of some 20 bundles.
    const std::vector<std::string> small_sweep_ = {"sweep",        "--objects", "20000",    "--grid", "10,8",
                                                   "--directions", "4",         "--bundle", "16",     "--quiet"};

    /// The command line with all files that a sweep writes, their names beginning with `name`.
    [[nodiscard]] std::vector<std::string> writing(const std::string& name, std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = small_sweep_;
        for (const auto& [option, suffix] : outputs_) arguments.insert(arguments.end(), {option, path(name + suffix)});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    void expect_same_files(const std::string& a, const std::string& b) const {
        for (const auto& [option, suffix] : outputs_) {
            const std::string one = read(path(a + suffix));
            EXPECT_GT(one.size(), 100u) << a << suffix;
            EXPECT_TRUE(one == read(path(b + suffix))) << a << " and " << b << " differ in " << suffix;
        }
    }

    const std::vector<std::pair<std::string, std::string>> outputs_ = {
        {"--csv", ".csv"}, {"--json", ".json"}, {"--picture", ".png"}, {"--incidence", ".rows"}};
};

/// Two boxes before a camera, one behind it.
TEST_F(Sweep, CountsWhatViewsSee) {
    const std::string boxes = write("boxes.csv", "5 -1 -1 6 1 1\n7 -1 -1 8 1 1\n-6 -1 -1 -5 1 1\n");
    const std::string views = write("views.csv", "x y z dx dy dz\n0 0 0 1 0 0\n0,0,0,-1,0,0  # back\n0 0 0 0 1 0\n");
    const Result result =
        run({"sweep", boxes, "--views", views, "--near", "1", "--far", "20", "--sun-height", "90", "--csv",
             path("out.csv"), "--incidence", path("out.rows"), "--json", path("out.json"), "--quiet", "--worst", "2"});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.output, "");
    std::istringstream lines(read(path("out.csv")));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "view,x,y,z,dx,dy,dz,objects,draws,casters");
    std::getline(lines, line);
    EXPECT_EQ(line, "0,0,0,0,1,0,0,2,1,2");
    std::getline(lines, line);
    EXPECT_EQ(line, "1,0,0,0,-1,0,0,1,1,1");
    std::getline(lines, line);
    EXPECT_EQ(line, "2,0,0,0,0,1,0,0,0,0");
    // The rows: 16 bytes of kind, three sizes, offsets of 8 bytes, objects of 4.
    const std::string rows = read(path("out.rows"));
    ASSERT_EQ(rows.size(), 16u + 3 * 8 + 4 * 8 + 3 * 4);
    EXPECT_EQ(rows.substr(0, 16), "lanecull rows 1\n");
    std::uint64_t numbers[7];
    std::memcpy(numbers, &rows[16], sizeof numbers);
    EXPECT_EQ(std::vector(numbers, numbers + 7), (std::vector<std::uint64_t>{3, 3, 3, 0, 2, 3, 3}));
    std::uint32_t objects[3];
    std::memcpy(objects, &rows[16 + sizeof numbers], sizeof objects);
    EXPECT_EQ(std::vector(objects, objects + 3), (std::vector<std::uint32_t>{0, 1, 2}));
    const nlohmann::json summary = nlohmann::json::parse(read(path("out.json")));
    EXPECT_EQ(summary.at("objects").at("most"), 2);
    EXPECT_EQ(summary.at("worst").size(), 2u);
    EXPECT_EQ(summary.at("worst")[0].at("view"), 0);
    EXPECT_FALSE(std::filesystem::exists(path("out.rows.journal"))) << "it is done";
}

/// A sweep of a path's cameras and a cull along that path see the same.
TEST_F(Sweep, AgreesWithCull) {
    const std::string cameras = write("cameras.json", R"({"far": 400, "near": 0.1, "cameras": [
        {"eye": [0, 0, 2], "target": [10, 3, 2]}, {"eye": [-90, 40, 30], "target": [0, 0, 0]},
        {"eye": [5, -200, 2], "target": [5, 0, 2]}]})");
    const nlohmann::json culled = report({"cull", "--objects", "20000", "--path", cameras, "--quiet"});
    ASSERT_EQ(
        run({"sweep", "--objects", "20000", "--views", cameras, "--no-casters", "--csv", path("out.csv"), "--quiet"})
            .status,
        0);
    std::istringstream lines(read(path("out.csv")));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line.substr(line.rfind("dz")), "dz,objects,draws") << "no casters";
    for (const nlohmann::json& frame : culled.at("frames")) {
        std::getline(lines, line);
        std::istringstream fields(line);
        std::string field;
        for (int k = 0; k < 8; ++k) std::getline(fields, field, ',');
        EXPECT_EQ(std::stoul(field), frame.at("visible").get<std::uint64_t>()) << line;
    }
}

/// A wall, a box behind it and one beside it: what the wall hides is in view, and neither unhidden, drawn nor listed.
TEST_F(Sweep, CountsWhatNoWallHides) {
    const std::string boxes = write("boxes.csv", "5 -3 -3 6 3 3\n9 -1 -1 10 1 1\n9 6 -1 10 7 1\n");
    const std::string views = write("views.csv", "0 0 0 1 0 0\n20 0 0 -1 0 0\n");
    const std::vector<std::string> sweep = {"sweep", boxes, "--views", views, "--near",       "1",
                                            "--far", "50",  "--fov",   "90",  "--no-casters", "--quiet"};
    std::vector<std::string> hiding = sweep;
    hiding.insert(hiding.end(), {"--occluders", "4", "--solid", "boxes", "--csv", path("out.csv"), "--json",
                                 path("out.json"), "--incidence", path("out.rows"), "--by", "unhidden"});
    ASSERT_EQ(run(hiding).status, 0);
    EXPECT_EQ(read(path("out.csv")),
              "view,x,y,z,dx,dy,dz,objects,unhidden,draws\n0,0,0,0,1,0,0,3,2,2\n1,20,0,0,-1,0,0,3,3,1\n");
    const nlohmann::json summary = nlohmann::json::parse(read(path("out.json")));
    EXPECT_EQ(summary.at("occluders").at("solids"), 3);
    EXPECT_EQ(summary.at("unhidden").at("least"), 2);
    EXPECT_EQ(summary.at("worst")[0].at("view"), 1);
    const std::string rows = read(path("out.rows"));
    ASSERT_EQ(rows.size(), 16u + 3 * 8 + 3 * 8 + 5 * 4);
    std::uint32_t objects[5];
    std::memcpy(objects, &rows[rows.size() - sizeof objects], sizeof objects);
    EXPECT_EQ(std::vector(objects, objects + 5), (std::vector<std::uint32_t>{0, 2, 0, 1, 2}));
    expect_error({"sweep", boxes, "--occluders", "4"}, failed, "nothing in boxes.csv is solid");
    expect_error({"sweep", "--by", "unhidden"}, wrong_usage, "--by unhidden");
}

/// The city's walls hide, and whoever counts finds the same.
TEST_F(Sweep, CountsTheSameUnhiddenForAnyNumberOfThreads) {
    const std::vector<std::string> hiding = {"--occluders", "16", "--eye-height", "1.8"};
    const auto threads = [&](const char* count) {
        std::vector<std::string> more = hiding;
        more.insert(more.end(), {"--threads", count});
        return more;
    };
    ASSERT_EQ(run(writing("one", threads("1"))).status, 0);
    ASSERT_EQ(run(writing("three", threads("3"))).status, 0);
    expect_same_files("one", "three");
    const nlohmann::json summary = nlohmann::json::parse(read(path("one.json")));
    EXPECT_LT(summary.at("unhidden").at("mean").get<double>(), 0.5 * summary.at("objects").at("mean").get<double>());
    EXPECT_LE(summary.at("draws").at("mean").get<double>(), summary.at("unhidden").at("mean").get<double>());
}

TEST_F(Sweep, WritesTheSameForAnyNumberOfThreads) {
    ASSERT_EQ(run(writing("one", {"--threads", "1"})).status, 0);
    ASSERT_EQ(run(writing("three", {"--threads", "3"})).status, 0);
    expect_same_files("one", "three");
    const Pixels map(read(path("one.png")));
    EXPECT_EQ(map.width, 1600);
    EXPECT_GT(map.in_legend(0x1D2B3A), 100) << "words";
}

TEST_F(Sweep, DrawsTheWorstView) {
    ASSERT_EQ(
        run({"sweep", "--objects", "2000", "--grid", "3,3", "--quiet", "--worst-picture", path("worst.png")}).status,
        0);
    EXPECT_EQ(Pixels(read(path("worst.png"))).width, 1600);
}

/// Runs that are killed while they sweep, again and again, until one is done.
TEST_F(Sweep, GoesOnWhereItWasKilled) {
    ASSERT_EQ(run(writing("whole")).status, 0);
    const std::string journal = path("killed.rows.journal");
    const auto length = [&] {
        std::error_code none;
        const std::uintmax_t bytes = std::filesystem::file_size(journal, none);
        return none ? 0 : bytes;
    };
    int kills = 0;
    for (; kills < 4; ++kills) {
        const std::uintmax_t before = length();
        const pid_t child = launch(writing("killed"));
        int status = 0;
        while (length() <= before && waitpid(child, &status, WNOHANG) == 0) std::this_thread::sleep_for(1ms);
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        if (std::filesystem::exists(path("killed.json"))) break;  // it was done before
        EXPECT_GT(length(), before) << "a run before lost what it had noted";
    }
    if (kills > 0 && !std::filesystem::exists(path("killed.json"))) {
        // A record that is cut off, as a kill in the midst of it leaves one.
        std::ofstream(journal, std::ios::binary | std::ios::app) << "half a record";
    }
    ASSERT_EQ(run(writing("killed")).status, 0);
    expect_same_files("whole", "killed");
    EXPECT_FALSE(std::filesystem::exists(journal));
}

TEST_F(Sweep, RefusesTheJournalOfAnother) {
    const std::string journal = write("other.journal", "precious");
    std::vector<std::string> arguments = small_sweep_;
    arguments.insert(arguments.end(), {"--journal", journal});
    expect_error(arguments, failed, "is no journal");
    EXPECT_EQ(read(journal), "precious");
    std::string header = "lanecull journal, 1\n";
    header.resize(40, '\0');
    write("other.journal", header);
    expect_error(arguments, failed, "is the journal of another run");
    EXPECT_EQ(read(journal), header);
}

TEST_F(Sweep, RefusesWrongCommandLines) {
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"--grid", "0,4"},
                                                                                       {"--grid", "4"},
                                                                                       {"--pitch", "90"},
                                                                                       {"--sun-height", "nan"},
                                                                                       {"--by", "pixels"},
                                                                                       {"--bundle", "0"},
                                                                                       {"--far", "-1"}}) {
        std::vector<std::string> arguments = {"sweep"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        expect_error(arguments, wrong_usage, wrong[0]);
    }
    expect_error({"sweep", "--by", "casters", "--no-casters"}, wrong_usage, "--by");
    expect_error({"sweep", "--csv", path("a.csv"), "--json", path("a.csv")}, wrong_usage, "--json");
    for (const char* list : {"1 2 3 4 5\n", "1 2 3 4 5 x\n1 2 3 4 5 6\n", "0 0 0 0 0 1\n", "0 0 0 0 0 0\n", "\n"}) {
        expect_error({"sweep", "--objects", "100", "--views", write("list.txt", list)}, failed, "list.txt");
    }
}

/// Without MPI each of mpirun's processes would do all of the work.
TEST_F(Sweep, RunsOnRanksOrSaysWhyNot) {
#ifdef LANECULL_HAS_MPI
    ASSERT_EQ(run(writing("alone")).status, 0);
    for (const std::string ranks : {"2", "5"}) {
        std::string command =
            "cd " + path(".") + " && mpirun --oversubscribe --allow-run-as-root -n " + ranks + " " + LANECULL_PROGRAM;
        for (const std::string& argument : writing("ranks" + ranks)) command += " " + argument;
        ASSERT_EQ(std::system((command + " >log 2>&1").c_str()), 0) << read(path("log"));
        expect_same_files("alone", "ranks" + ranks);
        const std::string wrong = "cd " + path(".") + " && mpirun --oversubscribe --allow-run-as-root -n " + ranks +
                                  " " + LANECULL_PROGRAM + " sweep missing.csv >log 2>&1";
        EXPECT_NE(std::system(wrong.c_str()), 0);
        const std::string said = read(path("log"));
        EXPECT_NE(said.find("missing.csv"), std::string::npos) << said;
        EXPECT_EQ(said.find("lanecull: "), said.rfind("lanecull: ")) << "said once: " << said;
    }
#else
    expect_error(small_sweep_, failed, "built without MPI", "OMPI_COMM_WORLD_SIZE=3");
#endif
}

}  // namespace
