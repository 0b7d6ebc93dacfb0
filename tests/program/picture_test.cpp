#include <gtest/gtest.h>

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
    EXPECT_EQ(run({"cull", closed, "--cutaway", "on"}).status, wrong_usage) << "of no picture";
}

}  // namespace
