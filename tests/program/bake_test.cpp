#include <gtest/gtest.h>
#include <signal.h>

#include <lanecull/visibility.h>
#include <chrono>
#include <cstdint>
#include <thread>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull bake: sets leave out what walls hide from all of a cell, and the file is the same bytes for any number of
/// threads and ranks, and after any interruption.

namespace {

using namespace std::chrono_literals;

class Bake : public Program {
protected:
    /// Of 24 bundles.
    [[nodiscard]] std::vector<std::string> small_bake(const std::string& name,
                                                      std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {"bake",   "--objects", "5000",     "--box", "-96,-64,0.5,96,64,2.5",
                                              "--cell", "8,8,2",     "--bundle", "16",    "--quiet",
                                              "--out",  path(name)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    void expect_same(const std::string& a, const std::string& b) const {
        const std::string one = read(path(a));
        EXPECT_GT(one.size(), 10000u);
        EXPECT_TRUE(one == read(path(b))) << a << " and " << b << " differ";
    }
};

/// A wall before one of two boxes, from cells in a row along it.
TEST_F(Bake, LeavesOutWhatAWallHides) {
    const std::string boxes = write("boxes.csv",
                                    "group,minx,miny,minz,maxx,maxy,maxz\n"
                                    "walls,10,-20,-20,11,20,20\n"
                                    "things,30,-1,-1,31,1,1\n"
                                    "things,-31,-1,-1,-30,1,1\n");
    const std::vector<std::string> common = {"bake",   boxes,   "--solid", "walls", "--box",    "-2,-2,-2,2,2,2",
                                             "--cell", "4,2,4", "--quiet", "--out", path("set")};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), common.begin(), common.end());
        return more;
    };
    const auto counts = [&] {
        lanecull::Visibility visibility;
        EXPECT_TRUE(lanecull::Visibility::open(path("set").c_str(), visibility));
        EXPECT_TRUE(visibility.verify());
        std::vector<std::uint64_t> result;
        for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell)
            result.push_back(visibility.visible_count(cell));
        return result;
    };
    const Result result = run(with({"--picture", path("map.png"), "--cell-picture", path("cell.png")}));
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(counts(), (std::vector<std::uint64_t>{2, 2})) << "the wall and the box that it does not hide";
    const Pixels cell(read(path("cell.png")));
    ASSERT_EQ(cell.width, 1600);
    EXPECT_GT(cell.on_map(0xF05A00), 50) << "the wall";
    EXPECT_GT(cell.on_map(0x1F7FC4), 50) << "what may be seen";
    EXPECT_EQ(Pixels(read(path("map.png"))).width, 1600);
    EXPECT_FALSE(std::filesystem::exists(path("set.journal")));
    // Cameras whose near plane reaches to the wall look through it; and what is too far is left out.
    ASSERT_EQ(run(with({"--near", "9", "--far", "1000"})).status, 0);
    EXPECT_EQ(counts(), (std::vector<std::uint64_t>{3, 3}));
    ASSERT_EQ(run(with({"--far", "5"})).status, 0);
    EXPECT_EQ(counts(), (std::vector<std::uint64_t>{0, 0}));

    expect_error({"bake", boxes, "--cell", "1,1,1", "--out", path("none")}, failed, "--solid names what is");
}

/// Cells that begin at the ground see under walls that end there.
TEST_F(Bake, CellsBeginAboveTheGround) {
    const std::vector<std::string> common = {"bake",     "--objects", "1000",    "--cell", "10,10,2",
                                             "--height", "2",         "--quiet", "--out",  path("set")};
    const auto share = [&](std::vector<std::string> more) {
        more.insert(more.begin(), common.begin(), common.end());
        EXPECT_EQ(run(more).status, 0);
        lanecull::Visibility visibility;
        EXPECT_TRUE(lanecull::Visibility::open(path("set").c_str(), visibility));
        double sum = 0;
        for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
            sum += static_cast<double>(visibility.visible_count(cell));
        }
        return sum / static_cast<double>(visibility.cell_count() * 1000);
    };
    EXPECT_LT(share({}), 0.7 * share({"--above", "0"}));
    std::vector<std::string> wrong = common;
    wrong.insert(wrong.end(), {"--above", "3"});
    expect_error(wrong, wrong_usage, "--above");
}

TEST_F(Bake, WritesTheSameForAnyNumberOfThreads) {
    ASSERT_EQ(run(small_bake("one", {"--threads", "1"})).status, 0);
    ASSERT_EQ(run(small_bake("three", {"--threads", "3"})).status, 0);
    expect_same("one", "three");
}

TEST_F(Bake, GoesOnWhereItWasKilled) {
    ASSERT_EQ(run(small_bake("whole")).status, 0);
    const auto length = [&] {
        std::error_code none;
        const std::uintmax_t bytes = std::filesystem::file_size(path("killed.journal"), none);
        return none ? 0 : bytes;
    };
    for (int kills = 0; kills < 3 && !std::filesystem::exists(path("killed")); ++kills) {
        const std::uintmax_t before = length();
        const pid_t child = launch(small_bake("killed"));
        int status = 0;
        while (length() <= before && waitpid(child, &status, WNOHANG) == 0) std::this_thread::sleep_for(1ms);
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    ASSERT_EQ(run(small_bake("killed")).status, 0);
    expect_same("whole", "killed");
}

TEST_F(Bake, RefusesWrongCommandLines) {
    expect_error({"bake", "--cell", "1,1,1"}, wrong_usage, "--out");
    expect_error({"bake", "--out", path("x")}, wrong_usage, "--cell");
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"--cell", "1,1"},
                                                                                       {"--cell", "1,0,1"},
                                                                                       {"--cell", "1,nan,1"},
                                                                                       {"--margin-pixels", "-1"},
                                                                                       {"--above", "-1"},
                                                                                       {"--box", "0,0,0"},
                                                                                       {"--picture-cell", "1"}}) {
        std::vector<std::string> arguments = {"bake", "--out", path("x")};
        if (wrong[0] != "--cell") arguments.insert(arguments.end(), {"--cell", "1,1,1"});
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        expect_error(arguments, wrong_usage, wrong[0]);
    }
    const std::string boxes = write("boxes.csv", "0 0 0 1 1 1\n");
    expect_error({"bake", boxes, "--cell", "1,1,1", "--out", boxes}, wrong_usage, "--out");
}

TEST_F(Bake, RunsOnRanksOrSaysWhyNot) {
#ifdef LANECULL_HAS_MPI
    ASSERT_EQ(run(small_bake("alone")).status, 0);
    for (const std::string ranks : {"2", "5"}) {
        std::string command =
            "cd " + path(".") + " && mpirun --oversubscribe --allow-run-as-root -n " + ranks + " " + LANECULL_PROGRAM;
        for (const std::string& argument : small_bake("ranks" + ranks)) command += " " + argument;
        ASSERT_EQ(std::system((command + " >log 2>&1").c_str()), 0) << read(path("log"));
        expect_same("alone", "ranks" + ranks);
    }
#else
    expect_error(small_bake("alone"), failed, "built without MPI", "OMPI_COMM_WORLD_SIZE=3");
#endif
}

}  // namespace
