#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <lanecull/library.h>

#include "program/program.hpp"
#include "support/queries.hpp"
#include "support/random.hpp"

/// lanecull query gives one answer a line, whatever the line contains.

namespace {

using nlohmann::json;

std::vector<json> parsed(const std::string& text) {
    std::vector<json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
    return lines;
}

double between(const json& p, const json& q) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::pow(p[i].get<double>() - q[i].get<double>(), 2);
    return std::sqrt(sum);
}

/// A point, and the view |x|, |y| <= -z, 1 <= -z <= 9 around it.
constexpr const char* good_line =
    R"({"id": "q", "view": {"clip_from_world": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1.125, -1.125], [0, 0, -1, 0]],
"depth": "zero_to_one"}, "shape": {"kind": "point", "p": [0, 0, -5]}})";

std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

class Query : public Program {
protected:
    [[nodiscard]] std::vector<json> ask(const std::vector<json>& questions, int status = 0) const {
        std::string lines;
        for (const json& question : questions) lines += question.dump() + "\n";
        const Result result = run({"query", write("queries.jsonl", lines)});
        EXPECT_EQ(result.status, status) << result.errors;
        std::vector<json> answers = parsed(result.output);
        EXPECT_EQ(answers.size(), questions.size());
        answers.resize(questions.size());
        return answers;
    }

    /// The line gets an error that names `named`; those around it their answers.
    void expect_bad_line(const std::string& line, const std::string& named) const {
        SCOPED_TRACE(line.substr(0, 300));
        const std::string good = one_line(good_line);
        const Result result = run({"query", write("queries.jsonl", good + "\n" + line + "\n" + good)});
        EXPECT_EQ(result.status, failed);
        EXPECT_TRUE(result.errors.starts_with("lanecull: ")) << result.errors;
        EXPECT_NE(result.errors.find("1 of 3"), std::string::npos) << result.errors;
        EXPECT_EQ(std::ranges::count(result.errors, '\n'), 1) << result.errors;
        const std::vector<json> answers = parsed(result.output);
        ASSERT_EQ(answers.size(), 3u);
        for (const std::size_t i : {0u, 2u}) EXPECT_EQ(answers[i].value("verdict", ""), "visible");
        EXPECT_FALSE(answers[1].contains("verdict")) << answers[1];
        EXPECT_NE(answers[1].value("error", "").find(named), std::string::npos) << answers[1];
        EXPECT_LT(answers[1].dump().size(), 1000u);
    }

    /// Cases with exact labels get the right answers on every set, however it is named.
    void expect_labels(const std::string& file, std::size_t at_least) const {
        const std::vector<json> cases = parsed(read(file));
        ASSERT_GE(cases.size(), at_least);
        for (const lanecull::Isa isa : lanecull::all_isas) {
            if (!lanecull::isa_runnable(isa)) continue;
            for (const bool by_option : {true, false}) {
                const std::string name = isa_name(isa);
                SCOPED_TRACE(name);
                const Result result =
                    by_option ? run({"query", file, "--isa", name}) : run({"query", "-"}, "LANECULL_ISA=" + name, file);
                EXPECT_EQ(result.status, 0) << result.errors;
                const std::vector<json> answers = parsed(result.output);
                ASSERT_EQ(answers.size(), cases.size());
                for (std::size_t i = 0; i < cases.size(); ++i) {
                    EXPECT_EQ(answers[i].at("id"), cases[i].at("id"));
                    if (!cases[i].contains("view")) continue;
                    const std::string expected = cases[i].at("expect"), verdict = answers[i].at("verdict");
                    EXPECT_TRUE(expected == "either" || expected == verdict) << answers[i] << " for " << cases[i];
                }
            }
        }
    }
};

/// Every kind of shape and view, occluders, lights and pairs, at their edges; and what is wrong with a line. An
/// expected error is part of the answer's; pairs have the same distance and depth either way round.
TEST_F(Query, AnswersTheCases) {
    std::vector<json> cases = parsed(read(LANECULL_TEST_DATA "/query_cases.jsonl"));
    ASSERT_EQ(cases.size(), 303u);
    for (std::size_t i = cases.size(); i-- > 0;) {
        if (!cases[i].contains("a") || cases[i]["expect"].contains("error")) continue;
        cases.push_back(cases[i]);
        std::swap(cases.back()["a"], cases.back()["b"]);
    }
    const std::vector<json> answers = ask(cases, failed);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(cases[i].dump() + "\n" + answers[i].dump());
        const json& expected = cases[i]["expect"];
        EXPECT_EQ(answers[i].contains("verdict"), !expected.contains("error"));
        for (const auto& [name, value] : expected.items()) {
            const json found = answers[i].value(name, json());
            if (name == "error") {
                EXPECT_NE(answers[i].value("error", "").find(value.get<std::string>()), std::string::npos);
            } else if (name == "distance" || name == "depth") {
                EXPECT_NEAR(found.get<double>(), value, (name == "depth" ? 1e-9 : 1e-12) * (size_of(cases[i]) + 1));
            } else {
                EXPECT_EQ(found, value) << name;
            }
        }
        if (expected.value("distance", 0.0) == 0) continue;
        EXPECT_NEAR(between(answers[i]["closest"][0], answers[i]["closest"][1]), expected["distance"],
                    1e-12 * size_of(cases[i]));
        EXPECT_FALSE(answers[i].contains("depth"));
    }
}

/// Cylinders, cones and ellipsoids at the view's sides, of numbers that no float holds: culled are those that are apart
/// from the view's hull, and all that are by more than rounding.
TEST_F(Query, CullsRoundShapesThatAreApart) {
    Random random(9);
    const auto point = [&](double size) {
        return json{random.range(-size, size), random.range(-size, size), random.range(-size, size)};
    };
    const auto shape = [&](int kind) -> json {
        const json a = {random.range(-15, 15), random.range(-15, 15), random.range(-13, 3)};
        json b = point(2);
        for (std::size_t k = 0; k < 3; ++k) b[k] = a[k].get<double>() + b[k].get<double>();
        const double radius = random.range(0, 8);
        if (kind == 0) return {{"kind", "cylinder"}, {"a", a}, {"b", b}, {"radius", radius}};
        const char* end = kind == 1 ? "flat" : "round";
        if (kind < 3) return {{"kind", "cone"}, {"apex", a}, {"base", b}, {"radius", radius}, {"end", end}};
        const double turn = random.range(-3, 3), lean = random.range(-3, 3);
        const double c = std::cos(turn), s = std::sin(turn), up = std::cos(lean), over = std::sin(lean);
        const json axes = {{c, s, 0}, {-s * up, c * up, over}, {s * over, -c * over, up}};
        const json half = {random.range(0, 2), random.range(0, 2), radius};
        return {{"kind", "ellipsoid"}, {"center", a}, {"half_extents", half}, {"axes", axes}};
    };
    json corners;
    for (const int z : {1, 9}) {
        for (const int x : {-z, z}) {
            for (const int y : {-z, z}) corners.push_back({x, y, -z});
        }
    }
    std::vector<json> questions;
    for (int i = 0; i < 1200; ++i) {
        json question = json::parse(good_line);
        question["shape"] = shape(i % 4);
        questions.push_back(question);
        questions.push_back({{"id", i}, {"a", question["shape"]}, {"b", {{"kind", "hull"}, {"vertices", corners}}}});
    }
    const std::vector<json> answers = ask(questions);
    int culled = 0;
    for (std::size_t i = 0; i < answers.size(); i += 2) {
        const double distance = answers[i + 1].at("distance");
        const bool is_culled = answers[i].at("verdict") == "culled";
        EXPECT_TRUE(is_culled ? distance > 0 : distance < 1e-4) << questions[i] << answers[i] << answers[i + 1];
        culled += is_culled;
    }
    EXPECT_GT(culled, 600);
    EXPECT_LT(culled, 1000);
}

TEST_F(Query, TellsWhatDecided) {
    const struct {
        const char *shape, *method, *why;
    } cases[] = {
        {R"({"kind": "sphere", "center": [0, 0, 5], "radius": 1})", "automatic", "plane"},
        {R"({"kind": "aabb", "min": [10, -1, -30], "max": [40, 1, -8]})", "automatic", "gjk"},
        {R"({"kind": "aabb", "min": [10, -1, -30], "max": [40, 1, -8]})", "planes", "planes"},
        {R"({"kind": "sphere", "center": [0, 0, -5], "radius": 1})", "automatic", "inside"},
        {R"({"kind": "sphere", "center": [8, 0, -5], "radius": 3})", "automatic", "overlap"},  // its centre is outside
        {R"({"kind": "sphere", "center": [0, 0, 5], "radius": -1})", "automatic", "invalid"},
    };
    for (const auto& [shape, method, why] : cases) {
        json question = json::parse(good_line);
        question["shape"] = json::parse(shape);
        const Result result = run({"query", write("q.jsonl", question.dump()), "--method", method});
        EXPECT_EQ(json::parse(result.output).value("why", ""), why) << shape;
    }
}

TEST_F(Query, NamesWhatIsWrongWithALine) {
    const std::pair<std::string, const char*> lines[] = {
        {"", "not JSON"},
        {"{", "not JSON"},
        {"[]", "no object"},
        {"7", "no object"},
        {"{\"id\": \"\xff\"}", "not JSON"},
        {R"({"id": 1, "view": {"clip_from_world": [[NaN, 0, 0, 0]]}})", "not JSON"},
        {R"({"id": 1, "shape": {"kind": "point", "p": [1e999, 0, 0]}})", "not JSON"},
        {std::string(9 << 20, ' '), "longer than"},
        {R"({"id": ")" + std::string(8 << 20, 'x') + R"("})", "longer than"},
        {std::string(7 << 20, '['), "nested"},
        {R"({"id": 1, "view": )" + std::string(100, '[') + std::string(100, ']') + "}", "nested"},
        {std::string(1 << 20, 'x'), "not JSON"},
        {R"({"id": "brackets in strings do not nest", "note": "\")" + std::string(100, '[') + "\"}", "view is missing"},
    };
    for (const auto& [line, named] : lines) expect_bad_line(line, named);
    json hull = json::parse(good_line);
    hull["shape"] = {{"kind", "hull"}, {"vertices", std::vector<json>(100'001, {1, 2, 3})}};
    expect_bad_line(hull.dump(), "not 100001");
    EXPECT_EQ(ask({{{"id", 7}}}, failed)[0].value("id", 0), 7) << "the id is told where there is one";
}

TEST_F(Query, ReadsTheStandardInput) {
    const std::string line = one_line(good_line) + "\r\n";
    const Result result = run({"query", "-"}, {}, write("input.jsonl", line + line));
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(parsed(result.output).size(), 2u);
    EXPECT_EQ(run({"query", "-"}).status, 0) << "no question, nothing wrong";
}

TEST_F(Query, RefusesWrongCommandLines) {
    expect_refusals("query");
    expect_error({"query", "-"}, failed, "avx3", "LANECULL_ISA=avx3");
}

/// Made cases with exact labels: what is visible is kept, what must go goes.
TEST_F(Query, AnswersTheLabelledCasesOnEverySet) { expect_labels(LANECULL_TEST_DATA "/views.jsonl", 2000); }

/// The same of objects behind, beside and before solid boxes.
TEST_F(Query, AnswersTheLabelledCasesOfOccludersOnEverySet) {
    expect_labels(LANECULL_TEST_DATA "/occluded.jsonl", 300);
}

/// What others' users reported of their own libraries.
TEST_F(Query, AnswersTheCasesOfTheFieldOnEverySet) { expect_labels(LANECULL_TEST_DATA "/field.jsonl", 40); }

TEST_F(Query, TellsWhenAMovingShapeTouches) {
    const json ball = {{"kind", "sphere"}, {"center", {0, 0, 0}}, {"radius", 1}};
    const json wall = {{"kind", "aabb"}, {"min", {5, -9, -9}}, {"max", {6, 9, 9}}};
    const json square = {{"kind", "aabb"}, {"min", {3, 3}}, {"max", {4, 4}}},
               disk = {{"kind", "sphere"}, {"center", {0, 0}}, {"radius", 0.5}};
    const auto moving = [](const json& a, const json& b, const json& motion) {
        return json{{"id", "q"}, {"a", a}, {"b", b}, {"motion", motion}};
    };
    const std::vector<json> answers = ask({moving(ball, wall, {8, 0, 0}), moving(ball, wall, {3.9, 0, 0}),
                                           moving(ball, ball, {1, 0, 0}), moving(disk, square, {0, 8})});
    EXPECT_EQ(answers[0].value("verdict", ""), "intersecting");
    EXPECT_LE(answers[0]["time"][0], 0.5);
    EXPECT_GE(answers[0]["time"][1], 0.5);
    EXPECT_LE(answers[0]["time"][1].get<double>() - answers[0]["time"][0].get<double>(), 1e-9);
    EXPECT_LE(between(answers[0]["closest"][0], answers[0]["closest"][1]), 1e-9);
    EXPECT_NEAR(answers[0]["closest"][1][0], 5, 1e-9);
    EXPECT_EQ(answers[1], (json{{"id", "q"}, {"verdict", "separated"}}));
    EXPECT_EQ(answers[2]["time"], (json{0.0, 0.0}));
    EXPECT_EQ(answers[3].value("verdict", ""), "separated");
    EXPECT_EQ(ask({moving(ball, wall, {1, 2})}, failed)[0]["error"], "motion is to be an array of 3 numbers");
}

/// The numbers of the SVG's paths whose style has some words.
std::vector<std::vector<double>> paths_of(const std::string& svg, const std::string& style) {
    std::vector<std::vector<double>> paths;
    for (std::size_t at = 0; (at = svg.find(style, at)) != std::string::npos; ++at) {
        const std::size_t start = svg.find(" d=\"", at) + 4;
        std::string numbers = svg.substr(start, svg.find('"', start) - start);
        std::ranges::replace_if(
            numbers, [](char c) { return c >= 'A'; }, ' ');
        std::istringstream stream(numbers);
        paths.emplace_back(std::istream_iterator<double>(stream), std::istream_iterator<double>());
    }
    return paths;
}

/// A panel a step. The way to the origin begins where the difference is nearest to it: at its right edge.
TEST_F(Query, DrawsTheStepsOfAPair) {
    const json disk = {{"kind", "sphere"}, {"center", {0, 0}}, {"radius", 1}};
    const json flat = {{"id", 1}, {"a", disk}, {"b", {{"kind", "hull"}, {"vertices", {{3, 3}, {4, 0}, {3, -3}}}}}};
    const json box = {{"kind", "aabb"}, {"min", {0.5, -1, -1}}, {"max", {3, 1, 1}}};
    for (const json& question : {flat, json{{"id", 2}, {"a", box}, {"b", box}}}) {
        const std::string file = write("query.jsonl", question.dump());
        const Result result = run({"query", file, "--picture", path("steps.svg")});
        EXPECT_EQ(result.status, 0) << result.errors;
        const std::string svg = read(path("steps.svg"));
        EXPECT_TRUE(svg.starts_with("<?xml") && svg.ends_with("</svg>\n"));
        EXPECT_EQ(svg.find("nan"), std::string::npos);
        const auto outlines = paths_of(svg, "fill:rgb(86."), ways = paths_of(svg, "stroke-dasharray:4");
        ASSERT_GE(ways.size(), 2u);
        ASSERT_EQ(outlines.size(), ways.size());
        double edge = 0;
        for (std::size_t i = 0; i < outlines.back().size(); i += 2) edge = std::max(edge, outlines.back()[i]);
        if (question == flat) {
            EXPECT_NEAR(ways.back()[0], edge, 0.1);
        }
    }
    json view = json::parse(good_line);
    expect_error({"query", write("view.jsonl", view.dump()), "--picture", path("none.svg")}, failed, "--picture");
    expect_error({"query", write("flat.jsonl", flat.dump()), "--picture", path("no/folder.svg")}, failed, "folder.svg");
}

/// Cases with labels, whose answers are judged as they come: where faces are parallel the nearest points are not
/// unique; they are to be as far apart as the label says, and on the shapes.
class LabelledPairs : public Query {
protected:
    static constexpr double accuracy = 1e-6, depth_accuracy = 1e-4;
    int settled_ = 0, measured_ = 0, deep_ = 0;
    std::vector<json> on_shapes_;

    void expect_pairs(const std::string& file, std::size_t count) {
        const std::vector<json> cases = parsed(read(file));
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
        SCOPED_TRACE(query.dump() + "\n" + answer.dump());
        std::string verdict = answer.value("verdict", "none"), expected = query.at("expect");
        for (std::string* of : {&verdict, &expected}) {
            if (*of == "culled") *of = "separated";
            if (*of == "visible") *of = "intersecting";
        }
        if (expected != "touching") {
            EXPECT_EQ(verdict, expected);
            ++settled_;
        }
        if (!query.contains("a")) return;
        const double size = std::max(size_of(query["a"]), size_of(query["b"]));
        const double distance = query.value("distance", 0.0);
        EXPECT_NEAR(answer.value("distance", -1.0), distance, accuracy * size);
        ++measured_;
        if (query.contains("depth") && !query["depth"].is_null() && expected == "intersecting") {
            EXPECT_NEAR(answer.value("depth", -1.0), query["depth"].get<double>(), depth_accuracy * size);
            ++deep_;
        }
        if (expected != "separated") return;
        EXPECT_NEAR(between(answer["closest"][0], answer["closest"][1]), distance, accuracy * size);
        for (const std::size_t k : {0u, 1u}) {
            const json point = {{"kind", "point"}, {"p", answer["closest"][k]}};
            on_shapes_.push_back({{"id", "q"}, {"a", point}, {"b", query[k == 0 ? "a" : "b"]}});
        }
    }
};

/// Numbers of the tests of seven other projects, labelled independently.
TEST_F(LabelledPairs, OfOtherSuites) {
    expect_pairs(LANECULL_TEST_DATA "/suites.jsonl", 959);
    EXPECT_GT(settled_, 800);
    EXPECT_EQ(measured_, 507);
    EXPECT_GT(deep_, 100);
    EXPECT_GT(on_shapes_.size(), 400u);
}

/// What others' users reported of their own libraries.
TEST_F(LabelledPairs, OfTheField) {
    expect_pairs(LANECULL_TEST_DATA "/field.jsonl", 40);
    EXPECT_EQ(settled_, 39);
    EXPECT_EQ(measured_, 15);
    EXPECT_EQ(deep_, 8);
}

}  // namespace
