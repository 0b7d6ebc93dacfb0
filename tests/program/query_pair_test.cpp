#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "program/program.hpp"
#include "support/size_of.hpp"

/// lanecull query about two shapes.

namespace {

using nlohmann::json;

const json origin = {0, 0, 0};
const json ball = {{"kind", "sphere"}, {"center", origin}, {"radius", 1}};
const json turned = {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}};

json pair(const json& a, const json& b) { return {{"id", "q"}, {"a", a}, {"b", b}}; }

double between(const json& p, const json& q) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::pow(p[i].get<double>() - q[i].get<double>(), 2);
    return std::sqrt(sum);
}

/// How far right the picture's first polygon reaches.
double right_edge(const std::string& svg) {
    const std::string key = "<polygon points=\"";
    const std::size_t first = svg.find(key) + key.size();
    std::istringstream points(svg.substr(first, svg.find('"', first) - first));
    double edge = -1, x = 0, y = 0;
    for (char comma = 0; points >> x >> comma >> y;) edge = std::max(edge, x);
    return edge;
}

/// Where the last panel's broken line begins, from left to right.
double way_begins(const std::string& svg) {
    const std::size_t end = svg.rfind("stroke-dasharray", svg.rfind("</g>", svg.rfind("</g>") - 1));
    return std::stod(svg.substr(svg.rfind("x1=\"", end) + 4));
}

class QueryPair : public Program {
protected:
    [[nodiscard]] std::vector<json> ask(const std::vector<json>& queries, int status = 0) const {
        std::string lines;
        for (const json& query : queries) lines += query.dump() + "\n";
        const Result result = run({"query", write("queries.jsonl", lines)});
        EXPECT_EQ(result.status, status) << result.errors;
        std::vector<json> answers;
        std::istringstream stream(result.output);
        for (std::string line; std::getline(stream, line);) answers.push_back(json::parse(line));
        EXPECT_EQ(answers.size(), queries.size());
        answers.resize(queries.size());
        return answers;
    }

    /// 0: they intersect. Either way round.
    void expect_distance(const json& a, const json& b, double distance) const {
        SCOPED_TRACE(a.dump() + " " + b.dump());
        const double size = size_of(a) + size_of(b);
        const std::vector<json> answers = ask({pair(a, b), pair(b, a)});
        for (const json& answer : answers) {
            EXPECT_EQ(answer.value("verdict", ""), distance > 0 ? "separated" : "intersecting") << answer;
            EXPECT_NEAR(answer.value("distance", -1.0), distance, 1e-12 * size) << answer;
            if (distance == 0) continue;
            ASSERT_TRUE(answer.contains("closest")) << answer;
            EXPECT_NEAR(between(answer["closest"][0], answer["closest"][1]), distance, 1e-12 * size) << answer;
        }
    }

    void expect_bad(const json& a, const json& b, const std::string& named) const {
        const json answer = ask({pair(a, b)}, failed)[0];
        EXPECT_FALSE(answer.contains("verdict")) << answer;
        EXPECT_NE(answer.value("error", "").find(named), std::string::npos) << answer << " does not name " << named;
    }
};

TEST_F(QueryPair, MeasuresEveryKind) {
    expect_distance(ball, {{"kind", "point"}, {"p", {3, 0, 0}}}, 2);
    expect_distance(ball, {{"kind", "point"}, {"p", {0.5, 0, 0}}}, 0);
    expect_distance(ball, {{"kind", "segment"}, {"a", {3, -4, 0}}, {"b", {3, 4, 0}}}, 2);
    expect_distance(ball, {{"kind", "sphere"}, {"center", {3, 4, 0}}, {"radius", 1.5}}, 2.5);
    expect_distance(ball, {{"kind", "capsule"}, {"a", {3, -4, 0}}, {"b", {3, 4, 0}}, {"radius", 0.5}}, 1.5);
    expect_distance(ball, {{"kind", "aabb"}, {"min", {2, 2, -1}}, {"max", {3, 3, 1}}}, std::sqrt(8) - 1);
    expect_distance(ball, {{"kind", "aabb"}, {"center", {3, 0, 0}}, {"half_extents", {1, 1, 1}}}, 1);
    // Axes are rows, of any length.
    expect_distance(ball,
                    {{"kind", "obb"},
                     {"center", {5, 0, 0}},
                     {"half_extents", {1, 1, 1}},
                     {"axes", {{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
                    2);
    expect_distance(ball, {{"kind", "obb"}, {"center", {5, 0, 0}}, {"half_extents", {1, 1, 1}}, {"axes", turned}},
                    std::sqrt(3.6 * 3.6 + 0.2 * 0.2) - 1);
    expect_distance(ball, {{"kind", "hull"}, {"vertices", {{3, 3, 3}, {4, 0, 0}, {3, -3, -3}}}}, std::sqrt(9) - 1);
    expect_distance(ball, {{"kind", "ellipsoid"}, {"center", {5, 0, 0}}, {"half_extents", {3, 1, 2}}}, 1);
    const json quarter = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    expect_distance(ball,
                    {{"kind", "ellipsoid"}, {"center", {5, 0, 0}}, {"half_extents", {1, 3, 2}}, {"axes", quarter}}, 1);
    expect_distance(ball, {{"kind", "cylinder"}, {"a", {3, 0, -1}}, {"b", {3, 0, 1}}, {"radius", 1}}, 1);
    expect_distance(ball, {{"kind", "cylinder"}, {"a", {0, 0, 3}}, {"b", {0, 0, 4}}, {"radius", 1}}, 2);
    expect_distance(ball, {{"kind", "cone"}, {"base", {0, 0, 4}}, {"apex", {0, 0, 2}}, {"radius", 1}}, 1);
    expect_distance(ball, {{"kind", "cone"}, {"base", {0, 0, 2}}, {"apex", {0, 0, 4}}, {"radius", 1}}, 1);
}

TEST_F(QueryPair, MeasuresInThePlane) {
    const json circle = {{"kind", "sphere"}, {"center", {0, 0}}, {"radius", 1}};
    expect_distance(circle, {{"kind", "point"}, {"p", {3, 4}}}, 4);
    expect_distance(circle, {{"kind", "segment"}, {"a", {3, -4}}, {"b", {3, 4}}}, 2);
    expect_distance(circle, {{"kind", "capsule"}, {"a", {3, -4}}, {"b", {3, 4}}, {"radius", 0.5}}, 1.5);
    expect_distance(circle, {{"kind", "aabb"}, {"min", {2, 2}}, {"max", {3, 3}}}, std::sqrt(8) - 1);
    expect_distance(circle, {{"kind", "hull"}, {"vertices", {{3, 3}, {4, 0}, {3, -3}}}}, 2);
    expect_distance(circle, {{"kind", "hull"}, {"vertices", {{3, 3}, {-4, 0}, {3, -3}}}}, 0);
    expect_distance(circle, {{"kind", "ellipsoid"}, {"center", {5, 0}}, {"half_extents", {3, 1}}}, 1);
    expect_distance(
        circle, {{"kind", "obb"}, {"center", {5, 0}}, {"half_extents", {1, 1}}, {"axes", {{0.6, 0.8}, {-0.8, 0.6}}}},
        std::sqrt(3.6 * 3.6 + 0.2 * 0.2) - 1);
}

TEST_F(QueryPair, SweepsAndRounds) {
    const auto with = [](json shape, const char* name, const json& value) {
        shape[name] = value;
        return shape;
    };
    const json point = {{"kind", "point"}, {"p", {3, 4, 0}}};
    expect_distance(ball, with(point, "sweep", {0, -8, 0}), 2);
    expect_distance(ball, with(point, "sweep", {0, 8, 0}), 4);
    expect_distance(ball, with(with(point, "sweep", {0, -8, 0}), "margin", 0.5), 1.5);
    expect_distance(with(ball, "margin", 0.25), point, 3.75);
    expect_distance(with(ball, "sweep", {10, 0, 0}), {{"kind", "point"}, {"p", {7, 0, 5}}}, 4);
}

TEST_F(QueryPair, TellsHowDeep) {
    const auto expect_depth = [&](const json& b, double depth) {
        for (const json& answer : ask({pair(ball, b), pair(b, ball)})) {
            EXPECT_EQ(answer.value("verdict", ""), "intersecting") << answer;
            EXPECT_NEAR(answer.value("depth", -1.0), depth, 1e-9) << answer;
        }
    };
    expect_depth({{"kind", "sphere"}, {"center", {1, 0, 0}}, {"radius", 0.5}}, 0.5);
    expect_depth({{"kind", "aabb"}, {"min", {0.5, -5, -5}}, {"max", {10, 5, 5}}}, 0.5);
    expect_depth({{"kind", "point"}, {"p", {0, 0.25, 0}}}, 0.75);
    expect_depth({{"kind", "cylinder"}, {"a", {0, 0, 0.5}}, {"b", {0, 0, 9}}, {"radius", 3}}, 0.5);
    const json apart = ask({pair(ball, {{"kind", "point"}, {"p", {0, 2, 0}}})})[0];
    EXPECT_FALSE(apart.contains("depth")) << apart;
}

TEST_F(QueryPair, DrawsTheSteps) {
    const json flat = pair({{"kind", "sphere"}, {"center", {0, 0}}, {"radius", 1}},
                           {{"kind", "hull"}, {"vertices", {{3, 3}, {4, 0}, {3, -3}}}});
    const json box = {{"kind", "aabb"}, {"min", {0.5, -1, -1}}, {"max", {3, 1, 1}}};
    const auto draw = [&](const json& query) {
        const std::string picture = path("steps.svg");
        const Result result = run({"query", write("query.jsonl", query.dump()), "--picture", picture});
        EXPECT_EQ(result.status, 0) << result.errors;
        EXPECT_FALSE(result.output.empty());
        return read(picture);
    };
    const auto count = [](const std::string& text, const std::string& word) {
        int found = 0;
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
        return found;
    };
    const std::string apart = draw(flat), together = draw(pair(box, box));
    for (const std::string& svg : {apart, together}) {
        EXPECT_TRUE(svg.starts_with("<svg "));
        EXPECT_TRUE(svg.ends_with("</svg>\n"));
        EXPECT_GE(count(svg, ">step "), 2);
        EXPECT_EQ(count(svg, "nan"), 0);
        EXPECT_EQ(count(svg, "inf"), 0);
    }
    EXPECT_EQ(count(apart, ": separated, distance 2<"), 1);
    EXPECT_EQ(count(together, ": intersecting, distance 0<"), 1);
    // In space, points of the front besides the outline.
    EXPECT_GT(count(together, "<circle"), 10 * count(apart, "<circle"));

    // The legend, and the figures of the answer.
    const json curved = pair({{"kind", "cylinder"}, {"a", {0, 0, 0}}, {"b", {1, 2, 3}}, {"radius", 0.7}},
                             {{"kind", "hull"}, {"vertices", {{5, 1, 0}, {6, 2, 1}, {7, -1, 2}, {5, 0, 4}}}});
    const std::string picture = draw(curved);
    const json answer = ask({curved})[0];
    EXPECT_EQ(count(picture, ": separated, distance " + answer.at("distance").dump() + "<"), 1) << answer;
    EXPECT_EQ(count(picture, ">closest points: "), 1);
    EXPECT_EQ(count(picture, "the origin, the cross<"), 1);
    // The way to the origin begins where the difference is nearest to it: at its right edge, -4 <= x <= -3.
    EXPECT_NEAR(way_begins(apart), right_edge(apart), 0.1) << apart;

    const json view = {{"id", 1}, {"view", json::object()}, {"shape", ball}};
    expect_error({"query", write("view.jsonl", view.dump()), "--picture", path("none.svg")}, failed, "--picture");
    expect_error({"query", write("flat.jsonl", flat.dump()), "--picture", path("no/folder.svg")}, failed, "folder.svg");
}

TEST_F(QueryPair, TellsWhenAMovingShapeTouches) {
    const auto moving = [](json query, const json& motion) {
        query["motion"] = motion;
        return query;
    };
    const json wall = {{"kind", "aabb"}, {"min", {5, -9, -9}}, {"max", {6, 9, 9}}};
    const json square = {{"kind", "aabb"}, {"min", {3, 3}}, {"max", {4, 4}}},
               disk = {{"kind", "sphere"}, {"center", {0, 0}}, {"radius", 0.5}};
    const std::vector<json> answers = ask({moving(pair(ball, wall), {8, 0, 0}), moving(pair(ball, wall), {3.9, 0, 0}),
                                           moving(pair(ball, ball), {1, 0, 0}), moving(pair(disk, square), {0, 8})});
    EXPECT_EQ(answers[0].value("verdict", ""), "intersecting");
    EXPECT_LE(answers[0]["time"][0], 0.5);
    EXPECT_GE(answers[0]["time"][1], 0.5);
    EXPECT_LE(answers[0]["time"][1].get<double>() - answers[0]["time"][0].get<double>(), 1e-9);
    EXPECT_LE(between(answers[0]["closest"][0], answers[0]["closest"][1]), 1e-9);
    EXPECT_NEAR(answers[0]["closest"][1][0], 5, 1e-9);
    EXPECT_EQ(answers[1], (json{{"id", "q"}, {"verdict", "separated"}}));
    EXPECT_EQ(answers[2]["time"], (json{0.0, 0.0}));
    EXPECT_EQ(answers[3].value("verdict", ""), "separated");
    const json bad = ask({moving(pair(ball, wall), {1, 2})}, failed)[0];
    EXPECT_EQ(bad.value("error", ""), "motion is to be an array of 3 numbers");
}

TEST_F(QueryPair, NamesWhatIsWrong) {
    expect_bad(5, ball, "a: a and b are to be objects");
    expect_bad(ball, json::object(), "b: kind is missing");
    expect_bad(ball, {{"kind", "blob"}}, "b: kind: no shape is called \"blob\"");
    expect_bad({{"kind", 5}}, ball, "a: kind is to be a string");
    expect_bad({{"kind", "sphere"}, {"center", origin}}, ball, "a: radius is missing");
    expect_bad({{"kind", "sphere"}, {"center", origin}, {"radius", -1}}, ball, "a: radius is not to be negative");
    expect_bad({{"kind", "sphere"}, {"center", {0, 0, 1e61}}, {"radius", 1}}, ball, "a: center: 1e+61 is beyond");
    expect_bad({{"kind", "sphere"}, {"center", {0, 0, 0, 0}}, {"radius", 1}}, ball, "a: center is to be an array of 3");
    expect_bad({{"kind", "sphere"}, {"center", {0, 0}}, {"radius", 1}}, ball, "b: has points of 3 numbers");
    expect_bad({{"kind", "aabb"}, {"min", {0, 2, 0}}, {"max", {1, 1, 1}}}, ball, "a: min is not to be above max");
    expect_bad({{"kind", "aabb"}, {"center", origin}, {"half_extents", {1, -1, 1}}}, ball, "half_extents");
    expect_bad({{"kind", "obb"}, {"center", origin}, {"half_extents", {1, 1, 1}}, {"axes", {origin}}}, ball, "axes");
    expect_bad({{"kind", "hull"}, {"vertices", json::array()}}, ball, "1 to 65535");
    expect_bad({{"kind", "hull"}, {"vertices", {origin, {1, 2}}}}, ball, "vertices is to be an array of 3");
    expect_bad({{"kind", "cone"}, {"base", {0, 0}}, {"apex", {1, 0}}, {"radius", 1}},
               {{"kind", "point"}, {"p", {0, 0}}}, "a: kind: in the plane");
    json rounded = ball;
    rounded["margin"] = -1;
    expect_bad(ball, rounded, "b: margin is not to be negative");
    const json answer = ask({{{"id", 1}, {"a", ball}}}, failed)[0];
    EXPECT_EQ(answer.value("error", ""), "b is missing");
}

/// Cases with labels, whose answers are judged as they come: where faces are parallel the nearest points are not
/// unique; they are to be as far apart as the label says, and on the shapes.
class LabelledPairs : public QueryPair {
protected:
    static constexpr double accuracy = 1e-6, depth_accuracy = 1e-4;
    int settled_ = 0, measured_ = 0, deep_ = 0;
    std::vector<json> on_shapes_;

    void expect_labels(const std::string& file, std::size_t count) {
        std::vector<json> cases;
        std::istringstream stream(read(file));
        for (std::string line; std::getline(stream, line);) cases.push_back(json::parse(line));
        ASSERT_EQ(cases.size(), count);
        const std::vector<json> answers = ask(cases);
        for (std::size_t i = 0; i < cases.size(); ++i) judge(cases[i], answers[i]);
        const std::vector<json> distances = ask(on_shapes_);
        for (std::size_t i = 0; i < on_shapes_.size(); ++i) {
            EXPECT_LE(distances[i].value("distance", 1e9), accuracy * size_of(on_shapes_[i]["b"])) << on_shapes_[i];
        }
    }

private:
    void judge(const json& query, const json& answer) {
        SCOPED_TRACE(query.dump());
        std::string verdict = answer.value("verdict", "none"), expected = query.at("expect");
        for (std::string* of : {&verdict, &expected}) {
            if (*of == "culled") *of = "separated";
            if (*of == "visible") *of = "intersecting";
        }
        if (expected != "touching") {
            EXPECT_EQ(verdict, expected) << answer;
            ++settled_;
        }
        if (!query.contains("a")) return;
        const double size = std::max(size_of(query["a"]), size_of(query["b"]));
        const double distance = query.value("distance", 0.0);
        EXPECT_NEAR(answer.value("distance", -1.0), distance, accuracy * size) << answer;
        ++measured_;
        if (query.contains("depth") && !query["depth"].is_null() && expected == "intersecting") {
            EXPECT_NEAR(answer.value("depth", -1.0), query["depth"].get<double>(), depth_accuracy * size) << answer;
            ++deep_;
        }
        if (expected != "separated") return;
        EXPECT_NEAR(between(answer["closest"][0], answer["closest"][1]), distance, accuracy * size) << answer;
        for (const int k : {0, 1}) {
            const json point = {{"kind", "point"}, {"p", answer["closest"][static_cast<std::size_t>(k)]}};
            on_shapes_.push_back(pair(point, query[k == 0 ? "a" : "b"]));
        }
    }
};

/// Numbers of the tests of seven other projects, labelled independently.
TEST_F(LabelledPairs, OfOtherSuites) {
    expect_labels(LANECULL_TEST_DATA "/suites.jsonl", 959);
    EXPECT_GT(settled_, 800);
    EXPECT_EQ(measured_, 507);
    EXPECT_GT(deep_, 100);
    EXPECT_GT(on_shapes_.size(), 400u);
}

/// What others' users reported of their own libraries.
TEST_F(LabelledPairs, OfTheField) {
    expect_labels(LANECULL_TEST_DATA "/field.jsonl", 36);
    EXPECT_EQ(settled_, 35);
    EXPECT_EQ(measured_, 11);
    EXPECT_EQ(deep_, 4);
}

}  // namespace
