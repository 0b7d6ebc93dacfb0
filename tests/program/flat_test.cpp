#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program/program.hpp"

/// The program in 2D: flat lists of boxes, and queries about 2D shapes.

namespace {

using nlohmann::json;

class FlatProgram : public Program {
protected:
    /// A chessboard of 20 by 10 tiles, half a unit each.
    [[nodiscard]] std::string tiles() const {
        std::string text = "minx,miny,maxx,maxy\n";
        for (int i = 0; i < 200; ++i) {
            const int x = i % 20, y = i / 20;
            text += std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(x + 0.5) + "," +
                    std::to_string(y + 0.5) + " # tile\n";
        }
        return write("tiles.csv", text);
    }

    [[nodiscard]] json answer(const std::string& line, int status = 0) const {
        const Result result = run({"query", write("query.jsonl", line)});
        EXPECT_EQ(result.status, status) << result.errors;
        return json::parse(result.output);
    }
};

TEST_F(FlatProgram, CullsFlatLists) {
    const json middle = report({"cull", tiles(), "--quiet", "--threads", "1", "--window", "5.25,5.25,4,2"});
    EXPECT_EQ(middle.at("objects"), 200);
    const json& statistics = middle.at("statistics");
    EXPECT_EQ(statistics.at("visible_planes"), 15);  // columns 3 to 7, rows 4 to 6: edges touch
    EXPECT_EQ(statistics.at("culled_plane"), 185);
    const json turned = report({"cull", tiles(), "--quiet", "--window", "5.25,5.25,4,2,90"});
    EXPECT_EQ(turned.at("statistics").at("visible_planes"), 15);
    EXPECT_EQ(run({"cull", tiles(), "--quiet", "--picture", "map.png"}).status, 0);
    EXPECT_TRUE(read(path("map.png")).starts_with("\x89PNG"));
    const Result table = run({"cull", tiles(), "--threads", "1"});
    EXPECT_EQ(table.status, 0);
    EXPECT_NE(table.output.find("200 boxes of the plane"), std::string::npos) << table.output;
}

TEST_F(FlatProgram, AnswersAboutFigures) {
    const std::string screen = R"({"id": 1, "view": {"rectangle": {"min": [0, 0], "max": [320, 180]}}, "shape": )";
    const auto verdict = [&](const std::string& shape) { return answer(screen + shape + "}").value("verdict", ""); };
    EXPECT_EQ(verdict(R"({"kind": "sphere", "center": [324, 184], "radius": 5})"), "culled");
    EXPECT_EQ(verdict(R"({"kind": "sphere", "center": [323, 184], "radius": 5.0001})"), "visible");
    EXPECT_EQ(verdict(R"({"kind": "aabb", "min": [320, 180], "max": [321, 181]})"), "visible");
    EXPECT_EQ(verdict(R"({"kind": "aabb", "min": [320.0001, 180], "max": [321, 181]})"), "culled");
    const std::string box = R"({"kind": "obb", "center": [325, 185], "axis": [0.6, 0.8], "half_extents": )";
    EXPECT_EQ(verdict(box + "[6.9, 8]}"), "culled");  // the screen's corner is 7 along the axis
    EXPECT_EQ(verdict(box + "[7.1, 8]}"), "visible");
    EXPECT_EQ(verdict(R"({"kind": "capsule", "a": [318, 188], "b": [328, 178], "radius": 1})"), "culled");
    EXPECT_EQ(verdict(R"({"kind": "hull", "vertices": [[330, 170], [310, 190], [330, 190]]})"), "visible");
    EXPECT_EQ(verdict(R"({"kind": "point", "p": [160, 90]})"), "visible");
    const std::string wedge = R"({"id": 2, "view": {"polygon": [[0, 0], [4, 0], [0, 4]]}, "shape": )";
    EXPECT_EQ(answer(wedge + R"({"kind": "aabb", "min": [2.5, 2.5], "max": [3, 3]}})").value("verdict", ""), "culled");
    EXPECT_EQ(answer(wedge + R"({"kind": "aabb", "min": [1.5, 1.5], "max": [3, 3]}})").value("verdict", ""), "visible");
}

TEST_F(FlatProgram, SaysWhatIsWrongWithAQuestion) {
    const std::string screen = R"({"id": 1, "view": {"rectangle": {"min": [0, 0], "max": [320, 180]}}, "shape": )";
    const auto error = [&](const std::string& line) { return answer(line, failed).value("error", ""); };
    EXPECT_NE(error(screen + R"({"kind": "sphere", "center": [1, 2, 3], "radius": 1}})").find("center"),
              std::string::npos);
    EXPECT_NE(error(screen + R"({"kind": "cone"}})").find("cone"), std::string::npos);
    EXPECT_NE(error(screen + R"({"kind": "point", "p": [0, 0], "margin": 1}})").find("margin"), std::string::npos);
    EXPECT_NE(error(R"({"id": 1, "view": {"polygon": [[0, 0], [1, 1]]}, "shape": {"kind": "point", "p": [0, 0]}})")
                  .find("points"),
              std::string::npos);
}

}  // namespace
