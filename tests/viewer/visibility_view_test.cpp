#include <gtest/gtest.h>

#include <lanecull/visibility.h>
#include <cstdint>
#include <cstdio>
#include <functional>

#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "program/program.hpp"

/// Frames that draw what may be seen from the eye's cell, by files of `lanecull bake`.

namespace {

using lanecull::Visibility;
using lanecull::VisibilityHeader;
using Words = std::vector<std::uint64_t>;

class VisibilityView : public Program {
protected:
    /// A thin wall, a tower that shows above it, and two boxes behind it.
    [[nodiscard]] std::string boxes() const {
        return write("boxes.csv", "-4 10 0 4 10.02 3.05\n-2 20 0 2 24 30\n3 30 0 4 31 3\n8 15 0 9 16 3\n");
    }
    /// Bakes one cell before the wall, which ends at y = 9.99.
    [[nodiscard]] std::string bake(const std::vector<std::string>& more = {}) const {
        const std::string file = path("boxes.visibility");
        std::vector<std::string> arguments = more;
        arguments.insert(arguments.begin(),
                         {"bake", boxes(), "--up", "z", "--solid", "boxes", "--cell", "1,1,1", "--box",
                          "0,8.99,2,1,9.99,3", "--out", file, "--quiet", "--margin-pixels", "0.2", "--near", "0.005"});
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.errors;
        return file;
    }
    /// The frame of a camera at that place, looking along y.
    [[nodiscard]] std::vector<std::string> look(const std::string& visibility, double y,
                                                const std::vector<std::string>& more,
                                                const std::string& size = "160x90") const {
        const std::string eye =
            write("path.json", R"({"up": [0, 0, 1], "near": 0.005, "far": 100, "cameras": [{"eye": [0.5, )" +
                                   std::to_string(y) + R"(, 2.95], "target": [0.5, 20, 2.95]}]})");
        std::vector<std::string> arguments = more;
        arguments.insert(arguments.begin(),
                         {"view", boxes(), "--up", "z", "--headless", "--quiet", "--path", eye, "--fov", "50",
                          "--sun-texels", "64", "--lamp-texels", "64", "--visibility", visibility, "--size", size});
        return arguments;
    }
    /// The same file with changes.
    [[nodiscard]] std::string changed(const std::string& file, const std::function<void(VisibilityHeader&)>& header,
                                      const std::function<void(Words&)>& set) const {
        Visibility sets;
        EXPECT_TRUE(Visibility::open(file.c_str(), sets).ok());
        VisibilityHeader written = sets.header();
        header(written);
        const std::string name = path("changed.visibility");
        lanecull::VisibilityWriter writer;
        EXPECT_TRUE(writer.open(name.c_str(), written).ok());
        for (std::uint64_t cell = 0; cell < sets.cell_count(); ++cell) {
            Words words(sets.visibility_words());
            EXPECT_TRUE(sets.read(cell, words).ok());
            set(words);
            EXPECT_TRUE(writer.add(std::span<const std::uint64_t>(words)).ok());
        }
        EXPECT_TRUE(writer.commit().ok());
        return name;
    }
};

void as_it_is(VisibilityHeader&) {}

/// A number of the table's row that begins with `culling`, after so many others.
double number_of(const std::string& table, const std::string& culling, std::size_t column) {
    const std::size_t row = table.find("\n" + culling + " ");
    if (row == std::string::npos) return -1;
    std::istringstream numbers(table.substr(row + 1 + culling.size()));
    double number = -1;
    for (std::size_t i = 0; i <= column; ++i) numbers >> number;
    return number;
}

/// Random eyes in the cells of a small city: every number seen is in its cell's set, and no pixel changes.
TEST_F(VisibilityView, WhatIsSeenIsInItsCellsSet) {
    const std::string file = path("city.visibility");
    const Result baked = run({"bake", "--objects", "2000", "--cell", "8,8,2", "--box", "-32,-32,0.5,32,32,2.5",
                              "--margin-pixels", "0.2", "--out", file, "--quiet"});
    EXPECT_EQ(baked.status, 0) << baked.errors;
    const Result result = run({"view", "--objects", "2000", "--headless", "--visibility", file, "--from-cells",
                               "--frames", "8", "--parity", "--numbers", "--size", "160x90", "--sun-texels", "16",
                               "--lamp-texels", "16", "--quiet", "--validate"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    EXPECT_NE(result.output.find("eyes in cells in 8 frames"), std::string::npos) << result.output;
    unsigned seen = 0, found = 0;
    const std::size_t counts = result.output.find("; of ");
    ASSERT_NE(counts, std::string::npos) << result.output;
    ASSERT_EQ(std::sscanf(&result.output[counts], "; of %u numbers seen from cells %u are in them", &seen, &found), 2)
        << result.output;
    EXPECT_GT(seen, 8u) << result.output;
    EXPECT_EQ(found, seen) << result.output;
    EXPECT_EQ(number_of(result.output, "visibility", 1), 8 * 160 * 90) << result.output;
    EXPECT_GT(number_of(result.output, "visibility", 0), 1) << result.output;
    EXPECT_LT(number_of(result.output, "visibility", 0), 0.8 * number_of(result.output, "exact", 0)) << result.output;
}

TEST_F(VisibilityView, NoPixelChanges) {
    const std::string file = bake();
    for (const double y : {9.5, 5.0}) {  // in the cell, and in none
        const Result parity = run(look(file, y, {"--parity", "--culling", "visibility"}));
        EXPECT_EQ(parity.status, 0) << parity.errors;
        EXPECT_EQ(number_of(parity.output, "visibility volume", 0), y > 8.99 ? 2 : 4) << parity.output;
    }
    const Result frames = run(look(file, 9.5, {"--culling", "visibility", "--out", path("out")}));
    EXPECT_NE(frames.output.find("2.0 objects a frame may be seen from the eye's cell"), std::string::npos)
        << frames.output << frames.errors;
}

/// A set that lacks an object is found where that is seen, and only there.
TEST_F(VisibilityView, AnObjectTakenOutOfASetIsFound) {
    const std::string file = bake();
    std::size_t found = 0;
    Visibility sets;
    ASSERT_TRUE(Visibility::open(file.c_str(), sets).ok());
    Words words(sets.visibility_words());
    ASSERT_TRUE(sets.read(0, words).ok());
    for (std::size_t w = 0; w < words.size(); ++w) {
        for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
            const std::string damaged = changed(file, as_it_is, [&](Words& set) { set[w] &= ~(rest & -rest); });
            const Result numbers = run(look(damaged, 9.5, {"--parity", "--numbers"}));
            EXPECT_EQ(numbers.status, failed) << numbers.output;
            EXPECT_NE(numbers.errors.find("and the set of cell 0 lacks it"), std::string::npos) << numbers.errors;
            const Result colors = run(look(damaged, 9.5, {"--parity", "--culling", "visibility"}));
            EXPECT_EQ(colors.status, failed) << colors.output;
            EXPECT_NE(colors.errors.find("certificate: culled_candidate"), std::string::npos) << colors.errors;
            ++found;
        }
    }
    EXPECT_EQ(found, 2u);
}

/// Sets do not hold for every camera. A file that says they do shows what a near plane that cuts a wall does.
TEST_F(VisibilityView, CamerasThatSetsDoNotHoldFor) {
    const std::string file = bake({"--far", "200"});
    const std::vector<std::string> parity = {"--parity", "--culling", "visibility"};
    EXPECT_EQ(run(look(file, 9.5, parity)).status, 0);
    std::vector<std::string> near = parity;
    near.insert(near.end(), {"--near", "0.05"});
    expect_error(look(file, 9.5, near), failed, "its sets hold for near planes up to 0.005");
    const std::string lie = changed(
        file, [](VisibilityHeader& header) { header.options.near_reach = 1; }, [](Words&) {});
    const Result cut = run(look(lie, 9.98, near));
    EXPECT_EQ(cut.status, failed) << cut.output;
    EXPECT_NE(cut.errors.find("culled_candidate"), std::string::npos) << cut.errors;

    std::vector<std::string> far = parity;
    far.insert(far.end(), {"--far", "300"});
    expect_error(look(file, 9.5, far), failed, "its sets hold for far planes up to 200");
    expect_error(look(file, 9.5, parity, "64x36"), failed, "bake with --margin-pixels 0.47");
}

TEST_F(VisibilityView, FilesAndOptionsThatDoNotFit) {
    const std::string file = bake();
    expect_error({"view", "--objects", "2000", "--headless", "--visibility", file, "--from-cells"}, failed,
                 "was baked for another scene than city");
    expect_error(look(path("none"), 9.5, {"--parity"}), failed, "none");
    expect_error({"view", "--headless", "--culling", "visibility"}, wrong_usage, "needs --visibility FILE");
    expect_error({"view", "--headless", "--from-cells"}, wrong_usage, "--visibility");
    expect_error({"view", "--headless", "--numbers"}, wrong_usage, "--parity");
    expect_error(look(file, 9.5, {}), wrong_usage, "--visibility: culling exact has no sets");
    expect_error(look(file, 9.5, {"--parity", "--from-cells"}), wrong_usage, "takes the place of --path");
}

}  // namespace
