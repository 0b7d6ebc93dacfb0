#include <gtest/gtest.h>

#include <lanecull/visibility.h>
#include <cstdint>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull bake: sets leave out what walls hide from all of a cell, and the file is the same bytes for any number of
/// threads and ranks.

namespace {

/// Of 24 bundles.
std::string small_bake(const std::string& name) {
    return "bake --objects 5000 --box -96,-64,0.5,96,64,2.5 --cell 8,8,2 --bundle 16 --quiet --out " + name;
}
constexpr TeamRuns runs{small_bake, {""}};

class Bake : public TeamProgram {
protected:
    /// Objects of each cell of the file `set`.
    [[nodiscard]] std::vector<std::uint64_t> counts() const {
        lanecull::Visibility visibility;
        EXPECT_TRUE(lanecull::Visibility::open(path("set").c_str(), visibility));
        EXPECT_TRUE(visibility.verify());
        std::vector<std::uint64_t> result;
        for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
            result.push_back(visibility.visible_count(cell));
        }
        return result;
    }
};

/// A wall before one of two boxes, from cells in a row along it.
TEST_F(Bake, LeavesOutWhatAWallHides) {
    write("boxes.csv",
          "group,minx,miny,minz,maxx,maxy,maxz\n"
          "walls,10,-20,-20,11,20,20\n"
          "things,30,-1,-1,31,1,1\n"
          "things,-31,-1,-1,-30,1,1\n");
    const std::string bake = "bake boxes.csv --solid walls --box -2,-2,-2,2,2,2 --cell 4,2,4 --quiet --out set";
    EXPECT_EQ(output_of(bake + " --picture map.png"), "");
    EXPECT_EQ(counts(), (std::vector<std::uint64_t>{2, 2})) << "the wall and the box that it does not hide";
    EXPECT_EQ(Pixels(read(path("map.png"))).width, 1600);
    // Cameras whose near plane reaches to the wall look through it; and what is too far is left out.
    EXPECT_EQ(output_of(bake + " --near 9 --far 1000"), "");
    EXPECT_EQ(counts(), (std::vector<std::uint64_t>{3, 3}));
    EXPECT_EQ(output_of(bake + " --far 5"), "");
    EXPECT_EQ(counts(), (std::vector<std::uint64_t>{0, 0}));
}

/// Cells that begin at the ground see under walls that end there.
TEST_F(Bake, CellsBeginAboveTheGround) {
    const auto share = [&](const std::string& more) {
        EXPECT_EQ(output_of("bake --objects 1000 --cell 10,10,2 --height 2 --quiet --out set" + more), "");
        double sum = 0;
        const std::vector<std::uint64_t> all = counts();
        for (const std::uint64_t count : all) sum += static_cast<double>(count);
        return sum / static_cast<double>(all.size() * 1000);
    };
    EXPECT_LT(share(""), 0.7 * share(" --above 0"));
}

TEST_F(Bake, WritesTheSameForAnyNumberOfThreads) { expect_same_for_threads(runs, ""); }

TEST_F(Bake, RunsOnRanksOrSaysWhyNot) { expect_same_on_ranks(runs); }

TEST_F(Bake, RefusesWrongCommandLines) { expect_refusals("bake"); }

}  // namespace
