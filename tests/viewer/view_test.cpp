#include <gtest/gtest.h>

#include "program/program.hpp"

/// lanecull view without a window: it draws on any Vulkan driver, for example lavapipe.

namespace {

class View : public Program {
protected:
    /// A view without a window, of small pictures and maps.
    [[nodiscard]] static std::vector<std::string> view(std::vector<std::string> more,
                                                       const std::string& sun_texels = "64") {
        more.insert(more.begin(), {"view", "--headless", "--quiet", "--size", "160x90", "--sun-texels", sun_texels,
                                   "--lamp-texels", "64"});
        return more;
    }
    /// A floor, a block on it, and one high up behind it whose shadow falls before the block and which is not in view.
    [[nodiscard]] std::vector<std::string> three_boxes(std::vector<std::string> more) const {
        const std::string boxes = write("boxes.txt", "-30 -30 -1 30 30 0\n-2 -2 0 2 2 3\n-1 18 20 1 20 22\n");
        const std::string path =
            write("path.json", R"({"near": 1, "far": 100, "cameras": [{"eye": [0, -20, 10], "target": [0, 0, 0]}]})");
        more.insert(more.end(), {boxes, "--path", path, "--parity", "--sun-height", "45", "--sun-bearing", "0"});
        return view(std::move(more), "256");
    }
    /// Runs it, and nothing is said against it.
    [[nodiscard]] std::string output_of(const std::vector<std::string>& arguments) const {
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0);
        EXPECT_EQ(result.errors, "");
        return result.output;
    }
};

/// Every way of culling, every instruction set of this machine: the same pixels, and silent validation layers.
TEST_F(View, CullingChangesNoPixel) {
    const std::string table =
        output_of({"view", "--headless", "--objects", "10000", "--frames", "8", "--size", "480x270", "--sun-height",
                   "10", "--sun-texels", "512", "--lamp-texels", "128", "--parity", "--validate", "--quiet"});
    EXPECT_NE(table.find("8 frames, 10256 objects"), std::string::npos) << table;
    // 480 * 270 * 8 pixels of each of the eight ways; of frustums all texels.
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = table.find("1036800", at)) != std::string::npos; ++at) ++rows;
    EXPECT_EQ(rows, 8U) << table;
    EXPECT_NE(table.find("9175040"), std::string::npos) << table;  // (4 * 512^2 + 6 * 128^2) * 8
}

/// The draws of a way of culling, with casters by volume, in the table of --parity.
double draws_of(const std::string& table, const char* culling) {
    const std::size_t row = table.find("\n" + std::string(culling) + " ");
    const std::size_t casters = row == std::string::npos ? row : table.find(" volume ", row);
    return casters == std::string::npos ? -1 : std::stod(table.substr(casters + 8));
}

/// Along streets, solid boxes leave most of what is in view undrawn, and no pixel of it is missing.
TEST_F(View, NoPixelShowsWhatStandsBehindWalls) {
    const std::string table = output_of({"view", "--headless", "--objects", "4000", "--path", "street", "--frames", "6",
                                         "--size", "320x180", "--sun-texels", "256", "--lamp-texels", "64", "--parity",
                                         "--validate", "--quiet", "--occluders", "24"});
    const double exact = draws_of(table, "exact"), hidden = draws_of(table, "occluders");
    EXPECT_GT(exact, 200) << table;
    EXPECT_GT(hidden, 20) << table;
    EXPECT_LT(hidden, 0.6 * exact) << table;
}

/// A wall, what stands behind it, and what stands beside it.
TEST_F(View, WhatIsSolidIsNamed) {
    const std::string boxes = write("boxes.csv", "-4 10 0 4 11 10\n-2 20 0 2 24 4\n3 30 0 4 31 3\n8 15 0 9 16 3\n");
    const std::string eye =
        write("path.json", R"({"up": [0, 0, 1], "cameras": [{"eye": [0, 0, 2], "target": [0, 10, 2]}]})");
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {boxes, "--up", "z", "--path", eye, "--far", "100"});
        return view(std::move(more));
    };
    const std::string parity = output_of(with({"--parity", "--solid", "boxes"}));
    EXPECT_EQ(draws_of(parity, "exact"), 4) << parity;
    EXPECT_EQ(draws_of(parity, "occluders"), 2) << parity;
    EXPECT_EQ(draws_of(run(with({"--parity"})).output, "occluders"), -1);
    EXPECT_EQ(draws_of(run(with({"--parity", "--solid", "boxes", "--occluders", "0"})).output, "occluders"), -1);

    const std::string frames = output_of(with({"--culling", "occluders", "--solid", "boxes", "--out", path("out")}));
    EXPECT_NE(frames.find("2.0 objects a frame behind"), std::string::npos) << frames;
    const auto timeline = nlohmann::json::parse(read(path("out/timeline.json")));
    EXPECT_EQ(timeline["frames"][0]["hidden"], 2);
    EXPECT_EQ(timeline["frames"][0]["draws"], 2);
    expect_error(with({"--culling", "occluders"}), failed, "nothing in boxes.csv is solid");
}

/// A file's closed mesh, turned and far from the origin, hides what is behind it, and no pixel differs.
TEST_F(View, BoxesWithinMeshesHide) {
    const std::string meshes = write("meshes.obj",
                                     "o wall\nv 41230 30009 0\nv 41239 30012 0\nv 41238 30015 0\nv 41229 30012 0\n"
                                     "v 41230 30009 9\nv 41239 30012 9\nv 41238 30015 9\nv 41229 30012 9\n"
                                     "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
                                     "o sheet\nv 41233 30030 2\nv 41235 30030 2\nv 41235 30032 4\nf 9 10 11\n");
    const std::string eye = write("path.json", R"({"up": [0, 0, 1], "cameras": [
        {"eye": [41234, 30000, 3], "target": [41234, 30030, 3]}, {"eye": [41235, 30000, 3], "target": [41234, 30030, 3]}]})");
    const Result parity =
        run(view({meshes, "--up", "z", "--path", eye, "--far", "100", "--parity", "--solid", "all-closed"}));
    EXPECT_EQ(parity.status, 0) << parity.errors;
    EXPECT_EQ(draws_of(parity.output, "exact"), 2) << parity.output;
    EXPECT_EQ(draws_of(parity.output, "occluders"), 1) << parity.output;
}

/// A cull that is wrong is found, its object named with its certificate, and both pictures left. Else nothing is
/// missing.
TEST_F(View, AWrongCullIsFound) {
    static_cast<void>(output_of(three_boxes({"--validate"})));
    for (const std::string object : {"1", "2"}) {
        const Result result = run(three_boxes({"--drop", object, "--out", path("wrong")}));
        EXPECT_EQ(result.status, failed);
        const std::string named = "object " + object + " (boxes " + object + "); certificate: visible_";
        EXPECT_NE(result.errors.find(named), std::string::npos) << result.errors;
        const std::string off = read(path("wrong/parity_off.png")), culled = read(path("wrong/parity_culled.png"));
        EXPECT_TRUE(off.starts_with("\x89PNG") && culled.starts_with("\x89PNG"));
        EXPECT_NE(off, culled);
    }
}

TEST_F(View, PicturesAndATimeline) {
    static_cast<void>(
        output_of(view({"--objects", "2000", "--frames", "3", "--out", path("out"), "--validate"}, "256")));
    for (const char* name : {"out/frame_0000.png", "out/frame_0001.png", "out/frame_0002.png"}) {
        EXPECT_TRUE(read(path(name)).starts_with("\x89PNG")) << name;
    }
    const auto timeline = nlohmann::json::parse(read(path("out/timeline.json")));
    ASSERT_EQ(timeline["frames"].size(), 3U);
    for (const auto& frame : timeline["frames"]) {
        EXPECT_GT(frame["draws"], 0);
        ASSERT_GE(frame["passes"].size(), 4U);
        for (const auto& pass : frame["passes"]) EXPECT_LE(pass["begin_ms"], pass["end_ms"]) << pass;
        EXPECT_EQ(frame["passes"][0]["name"], "cull");
        // A frame is culled before it is drawn.
        EXPECT_LE(frame["passes"][0]["end_ms"], frame["passes"][1]["end_ms"]);
    }
}

TEST_F(View, WhatTheMachineLacksIsSaid) {
    const std::vector<std::string> headless = {"view", "--headless", "--objects", "100", "--frames", "1"};
    expect_error(headless, failed, "there is none (Debian: mesa-vulkan-drivers", "VK_ICD_FILENAMES=/nonexistent");
    std::vector<std::string> more = headless;
    more.insert(more.end(), {"--require", "VK_KHR_of_nobody"});
    expect_error(more, failed, "lacks VK_KHR_of_nobody");
    expect_error({"view", "--objects", "100"}, failed, "no display", "DISPLAY=");
}

TEST_F(View, WrongOptions) {
    const auto expect = [&](std::vector<std::string> options, const char* named) {
        options.insert(options.begin(), {"view", "--headless"});
        expect_error(options, wrong_usage, named);
    };
    expect_error({"view", "--parity"}, wrong_usage, "--headless");
    expect({"--size", "10x10"}, "--size");
    expect({"--size", "640x360x2"}, "--size");
    expect({"--sun-height", "91"}, "--sun-height");
    expect({"--culling", "gjk"}, "--culling");
    expect({"--culling", "occluders", "--occluders", "0"}, "--occluders 0");
    expect({"--occluders", "4"}, "--occluders: culling exact has no occluders");
    expect({"--culling", "off", "--solid", "cars"}, "--solid: culling off has no");
    expect({"--parity", "--occluders", "65"}, "--occluders");
}

}  // namespace
