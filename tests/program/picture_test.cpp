#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// Pictures of scenes that hide what they are about.

namespace {

/// Orange, in the sun, in shadow or glowing; no other colour of the program has so much more red than green and blue.
bool is_orange(unsigned color) {
    const unsigned red = color >> 16, green = color >> 8 & 255U, blue = color & 255U;
    return red > 100 && 2 * blue < green && 3 * green < 2 * red;
}

class Pictures : public Program {
protected:
    /// A camera in a room of 10 by 10 by 4, at its wall, that looks along x.
    [[nodiscard]] std::string camera() const {
        return write("camera.json", R"({"fov": 40, "aspect": 1, "near": 0.5, "far": 6,
                                        "cameras": [{"eye": [1, 5, 2], "target": [2, 5, 2]}]})");
    }
    /// The room's walls, floor and ceiling, and in it a box that planes alone keep: it begins before the far plane's
    /// edge, beside it, and reaches so far beyond that it crosses the plane at the left.
    [[nodiscard]] std::string room(const std::string& ceiling) const {
        return write("room.csv",
                     "0 0 -0.1 10 10 0\n"
                     "-0.1 0 0 0 10 4\n10 0 0 10.1 10 4\n0 -0.1 0 10 0 4\n0 10 0 10 10.1 4\n"
                     "6.9 7.6 0.5 9.5 8.5 3\n" +
                         ceiling);
    }
    [[nodiscard]] Pixels draw(const std::string& scene, std::vector<std::string> more) const {
        more.insert(more.begin(), {"cull", scene, "--path", camera(), "--quiet", "--picture-width", "640", "--picture",
                                   path("room.png")});
        const Result result = run(more);
        EXPECT_EQ(result.status, 0) << result.errors;
        return Pixels(read(path("room.png")));
    }
};

TEST_F(Pictures, CutRoomsOpen) {
    const std::string closed = room("0 0 4 10 10 4.1\n");
    EXPECT_EQ(report({"cull", closed, "--path", camera(), "--quiet"}).at("mean_per_frame").at("kept_by_planes_alone"),
              1);
    // The ceiling hides the orange box but for the mark over it.
    const int hidden = draw(closed, {"--cutaway", "off"}).on_map(is_orange);
    const int automatic = draw(closed, {}).on_map(is_orange);
    const std::string opened = read(path("room.png"));
    EXPECT_GT(automatic, 4 * hidden + 200);
    (void)draw(closed, {"--cutaway", "on"});
    EXPECT_EQ(read(path("room.png")), opened) << "auto finds it closed";

    // Without a ceiling there is nothing to cut.
    const std::string open = room("");
    const int as_it_is = draw(open, {}).on_map(is_orange);
    const std::string seen = read(path("room.png"));
    EXPECT_GT(as_it_is, 200);
    (void)draw(open, {"--cutaway", "off"});
    EXPECT_EQ(read(path("room.png")), seen) << "auto finds it open";

    expect_error({"cull", closed, "--picture", path("x.png"), "--cutaway", "maybe"}, wrong_usage, "--cutaway");
    expect_error({"cull", closed, "--cutaway", "on"}, wrong_usage, "--cutaway");
    EXPECT_EQ(run({"shadow", closed, "--cutaway", "on"}).status, wrong_usage) << "of no picture";
}

struct Box {
    int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};

/// Around all blocks of 25 by 3 pixels that are of one colour throughout.
Box blocks_of(unsigned color, const Pixels& pixels) {
    Box box;
    for (int y = 0; y + 3 <= pixels.height; ++y) {
        for (int x = 0; x + 25 <= pixels.width; ++x) {
            bool whole = true;
            for (int k = 0; whole && k < 75; ++k) whole = pixels.at(x + k % 25, y + k / 25) == color;
            if (!whole) continue;
            box.left = std::min(box.left, x), box.right = std::max(box.right, x + 25);
            box.top = std::min(box.top, y), box.bottom = std::max(box.bottom, y + 3);
        }
    }
    return box;
}

/// A camera over a plain that looks down ahead: its eye would be at the upper left, where the legend is.
TEST_F(Pictures, KeepTheCameraClearOfTheLegend) {
    std::string boxes;
    for (int k = 0; k < 100; ++k) {
        const int x = k % 10 * 8 - 40, y = k / 10 * 8 - 40;
        boxes += std::to_string(x) + " " + std::to_string(y) + " 0 " + std::to_string(x + 2) + " " +
                 std::to_string(y + 2) + " 3\n";
    }
    const std::string down = write("down.json", R"({"fov": 50, "near": 1, "far": 200,
                                                    "cameras": [{"eye": [0, 0, 60], "target": [30, 0, 0]}]})");
    const Result result = run({"cull", write("plain.csv", boxes), "--path", down, "--quiet", "--picture-width", "640",
                               "--picture", path("plain.png")});
    ASSERT_EQ(result.status, 0) << result.errors;
    const Pixels picture(read(path("plain.png")));
    ASSERT_EQ(picture.width, 640);
    ASSERT_EQ(picture.height, 360);
    constexpr unsigned ink = 0x1D2B3A;
    const Box label = blocks_of(ink, picture);
    ASSERT_LT(label.left, label.right) << "no label is to be seen";
    EXPECT_LT(label.right - label.left, 50) << "more than the label";
    // The card of four rows at the upper left: to (548, 262) of 1600 by 900.
    EXPECT_TRUE(label.left > 548 * 640 / 1600 || label.top > 262 * 640 / 1600) << label.left << ", " << label.top;
}

/// A floor that is seen, below a roof that is not.
TEST_F(Pictures, CutMapsOfShadowsOpen) {
    const std::string boxes = write("hall.csv", "1 -6 -1 9 6 -0.8\n0 -7 12 10 7 12.2\n");
    const std::string ahead = write("ahead.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 9,
                                                      "cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}]})");
    const auto blue = [&](const char* cutaway) {
        const Result result = run({"shadow", boxes, "--path", ahead, "--lamps", "0", "--sun-height", "80", "--cascades",
                                   "1", "--quiet", "--picture", path("map.png"), "--cutaway", cutaway});
        EXPECT_EQ(result.status, 0) << result.errors;
        return Pixels(read(path("map.png"))).on_map([](unsigned color) { return (color & 255U) > (color >> 16) + 40; });
    };
    const int hidden = blue("off"), automatic = blue("auto"), on = blue("on");
    EXPECT_GT(automatic, 10 * hidden + 10000);
    EXPECT_EQ(automatic, on);
}

/// As high as it is to be for its map, not larger than it needs.
TEST_F(Pictures, OfFlatMapsHaveTheirShape) {
    const auto size = [&](const std::string& boxes) {
        const Result result = run({"cull", write("flat.csv", boxes), "--quiet", "--picture", path("flat.png")});
        EXPECT_EQ(result.status, 0) << result.errors;
        return Pixels(read(path("flat.png")));
    };
    const Pixels tall = size("0 0 1 1\n9 90 10 100\n"), wide = size("0 0 1 1\n90 9 100 10\n");
    EXPECT_EQ(tall.height, 1600);
    EXPECT_LT(tall.width, 800);
    EXPECT_EQ(wide.width, 1600);
    EXPECT_LT(wide.height, 500);
}

}  // namespace
