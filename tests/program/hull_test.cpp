#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "program/program.hpp"

/// lanecull hull: the files it writes, the reports it prints, the input it refuses.

namespace {

using HullCommand = Program;

struct Obj {
    std::vector<std::string> names;
    std::vector<std::array<double, 3>> points;
    std::vector<std::vector<std::size_t>> faces;  ///< from 0
};

Obj parse(const std::string& text) {
    Obj obj;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "o") obj.names.push_back(line.substr(2));
        if (kind == "v") {
            std::array<double, 3> p{};
            words >> p[0] >> p[1] >> p[2];
            obj.points.push_back(p);
        }
        if (kind == "f") {
            std::vector<std::size_t>& face = obj.faces.emplace_back();
            for (std::size_t i = 0; words >> i;) face.push_back(i - 1);
        }
    }
    return obj;
}

/// A cube of 2 x 2 x 2 with points inside, and a flat mesh, below which it lies.
std::string two_meshes() {
    std::string text = "o block\n";
    for (int i = 0; i < 8; ++i) {
        text += std::string("v ") + (i & 1 ? "1 " : "-1 ") + (i & 2 ? "1 " : "-1 ") + (i & 4 ? "1\n" : "-1\n");
    }
    text += "v 0.5 0 0.25\nf 1 2 3\nf 2 3 4\nf 5 6 7\nf 6 7 8\nf 1 2 9\n";
    text += "o roof\nv 0 0 3\nv 2 0 3\nv 2 2 3\nv 0 2 3\nv 1 1 3\nf 10 11 12\nf 10 12 13\nf 10 11 14\n";
    return text;
}

/// The hull's faces, of the corners that they name: no point is beyond one of them by more than that.
double farthest_beyond(const Obj& obj, const std::vector<std::array<double, 3>>& points) {
    double farthest = -1e300;
    for (const auto& face : obj.faces) {
        const auto &a = obj.points[face[0]], &b = obj.points[face[1]], &c = obj.points[face[2]];
        std::array<double, 3> normal{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
            normal[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
        }
        const double size = std::hypot(normal[0], normal[1], normal[2]);
        for (const auto& p : points) {
            double height = 0;
            for (std::size_t k = 0; k < 3; ++k) height += normal[k] / size * (p[k] - a[k]);
            farthest = std::max(farthest, height);
        }
    }
    return farthest;
}

TEST_F(HullCommand, WritesTheHullOfEachMesh) {
    const Result result = run({"hull", write("in.obj", two_meshes()), "out.obj"});
    ASSERT_EQ(result.status, 0) << result.errors;
    const Obj obj = parse(read(path("out.obj")));
    EXPECT_EQ(obj.names, (std::vector<std::string>{"block", "roof"}));
    EXPECT_EQ(obj.points.size(), 12u);
    ASSERT_EQ(obj.faces.size(), 13u) << "twelve triangles and a polygon of four";
    EXPECT_EQ(obj.faces.back().size(), 4u);
    const std::string& report = result.output;
    EXPECT_NE(report.find("block"), std::string::npos) << report;
    EXPECT_NE(report.find(" 8 "), std::string::npos) << report;
    EXPECT_NE(report.find("1.0000"), std::string::npos) << report;
    // What it wrote it can read, and finds nothing to take away.
    EXPECT_EQ(run({"hull", "out.obj", "again.obj"}).status, 0);
    EXPECT_EQ(parse(read(path("again.obj"))).points.size(), 12u);
}

TEST_F(HullCommand, ReducesCornersOutward) {
    std::string text = "o ball\n";
    std::vector<std::array<double, 3>> points;
    for (int i = 0; i < 300; ++i) {
        const double z = (i + 0.5) / 150 - 1, r = std::sqrt(1 - z * z), turn = 2.399963 * i;
        points.push_back({r * std::cos(turn), r * std::sin(turn), z});
        for (double& value : points.back()) value = std::round(value * 4096) / 4096;
        text += "v";
        for (const double value : points.back()) text.append(" ").append(std::to_string(value));
        text += '\n';
    }
    for (int i = 1; i <= 298; ++i) {
        text += "f";
        for (int k = 0; k < 3; ++k) text.append(" ").append(std::to_string(i + k));
        text += '\n';
    }
    const Result result = run({"hull", write("ball.obj", text), "out.obj", "--corners", "16"});
    ASSERT_EQ(result.status, 0) << result.errors;
    const Obj obj = parse(read(path("out.obj")));
    EXPECT_EQ(obj.points.size(), 16u);
    EXPECT_LT(farthest_beyond(obj, points), 1e-6);  // to_string() rounds
    EXPECT_GT(farthest_beyond(obj, points), -0.2) << "not larger than it must be";
}

/// Never more corners than the exact hull has, nor a solid for a flat mesh that has few enough.
TEST_F(HullCommand, WritesNoMoreCornersThanThereAre) {
    std::string text = "o square\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 1 0\nf 1 2 3\nf 1 3 4\nf 1 2 5\n";
    text += "o line\nv 0 0 5\nv 1 1 5\nv 2 2 5\nl 6 7\nl 7 8\n";
    text += "o thin\n";
    for (int i = 0; i < 12; ++i) {
        text +=
            "v " + std::to_string(i % 4) + " " + std::to_string(i / 4) + " " + (i % 5 == 0 ? "9.00001" : "9") + "\n";
    }
    for (int i = 9; i <= 18; ++i) {
        text += "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
    }
    const std::string in = write("in.obj", text);
    ASSERT_EQ(run({"hull", in, "exact.obj"}).status, 0);
    const Obj exact = parse(read(path("exact.obj")));
    for (const char* corners : {"8", "64", "65535"}) {
        SCOPED_TRACE(corners);
        const Result result = run({"hull", in, "out.obj", "--corners", corners});
        ASSERT_EQ(result.status, 0) << result.errors;
        const Obj obj = parse(read(path("out.obj")));
        EXPECT_LE(obj.points.size(), exact.points.size()) << result.output;
        ASSERT_FALSE(obj.faces.empty());
        EXPECT_EQ(obj.faces.front().size(), 4u) << "the square is one polygon";
        EXPECT_EQ(std::count_if(obj.points.begin(), obj.points.end(), [](const auto& p) { return p[2] < 2; }), 4);
    }
}

}  // namespace
