#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include <lanecull/library.h>

#include "program/program.hpp"

/// lanecull query gives one answer a line, whatever the line contains.

namespace {

using nlohmann::json;

/// |x|, |y| <= -z, 1 <= -z <= 9.
const json square_view = {{"clip_from_world", {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1.125, -1.125}, {0, 0, -1, 0}}},
                          {"depth", "zero_to_one"}};

json query(const json& shape, const json& view = square_view) {
    return {{"id", "q"}, {"view", view}, {"shape", shape}};
}

class Query : public Program {
protected:
    struct Answers {
        int status;
        std::string errors;
        std::vector<json> lines;
    };

    [[nodiscard]] Answers ask(const std::string& lines, const std::vector<std::string>& options = {},
                              const std::string& environment = {}) const {
        std::vector<std::string> arguments = {"query", write("queries.jsonl", lines)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return parsed(run(arguments, environment));
    }

    static Answers parsed(const Result& result) {
        Answers answers{result.status, result.errors, {}};
        std::istringstream stream(result.output);
        for (std::string line; std::getline(stream, line);) answers.lines.push_back(json::parse(line));
        return answers;
    }

    void expect_verdict(const json& shape, const char* verdict, const json& view = square_view) const {
        const Answers answers = ask(query(shape, view).dump() + "\n");
        EXPECT_EQ(answers.status, 0) << answers.errors;
        ASSERT_EQ(answers.lines.size(), 1u);
        EXPECT_EQ(answers.lines[0].value("id", ""), "q") << answers.lines[0];
        EXPECT_EQ(answers.lines[0].value("verdict", ""), verdict) << shape << " " << answers.lines[0];
    }

    /// The line gets an error that names `named`; those around it their answers.
    void expect_bad_line(const std::string& line, const std::string& named) const {
        SCOPED_TRACE(line.substr(0, 300));
        const std::string good = query({{"kind", "point"}, {"p", {0, 0, -5}}}).dump();
        const Answers answers = ask(good + "\n" + line + "\n" + good);
        EXPECT_EQ(answers.status, failed);
        EXPECT_TRUE(answers.errors.starts_with("lanecull: ")) << answers.errors;
        EXPECT_NE(answers.errors.find("1 of 3"), std::string::npos) << answers.errors;
        EXPECT_EQ(std::count(answers.errors.begin(), answers.errors.end(), '\n'), 1) << answers.errors;
        ASSERT_EQ(answers.lines.size(), 3u);
        for (const std::size_t i : {0u, 2u}) EXPECT_EQ(answers.lines[i].value("verdict", ""), "visible");
        EXPECT_FALSE(answers.lines[1].contains("verdict")) << answers.lines[1];
        EXPECT_NE(answers.lines[1].value("error", "").find(named), std::string::npos) << answers.lines[1];
        EXPECT_LT(answers.lines[1].dump().size(), 1000u);
    }
    void expect_bad(const json& query, const std::string& named) const { expect_bad_line(query.dump(), named); }
    void expect_bad_shape(const json& shape, const std::string& named) const { expect_bad(query(shape), named); }
    void expect_bad_view(const json& view, const std::string& named) const {
        expect_bad(query({{"kind", "point"}, {"p", {0, 0, -5}}}, view), named);
    }

    /// Cases with exact labels get the right answers on every set, however it is named.
    void expect_labels(const std::string& file, std::size_t at_least) const {
        std::vector<json> cases;
        std::istringstream stream(read(file));
        for (std::string line; std::getline(stream, line);) cases.push_back(json::parse(line));
        ASSERT_GE(cases.size(), at_least);
        for (const lanecull::Isa isa : lanecull::all_isas) {
            if (!lanecull::isa_runnable(isa)) continue;
            for (const bool by_option : {true, false}) {
                const std::string name = isa_name(isa);
                SCOPED_TRACE(name);
                const Answers answers = parsed(by_option ? run({"query", file, "--isa", name})
                                                         : run({"query", "-"}, "LANECULL_ISA=" + name, file));
                EXPECT_EQ(answers.status, 0) << answers.errors;
                ASSERT_EQ(answers.lines.size(), cases.size());
                for (std::size_t i = 0; i < cases.size(); ++i) {
                    EXPECT_EQ(answers.lines[i].at("id"), cases[i].at("id"));
                    if (!cases[i].contains("view")) continue;
                    const std::string expected = cases[i].at("expect"), verdict = answers.lines[i].at("verdict");
                    EXPECT_TRUE(expected == "either" || expected == verdict) << answers.lines[i] << " for " << cases[i];
                }
            }
        }
    }
};

TEST_F(Query, AnswersEveryKind) {
    expect_verdict({{"kind", "point"}, {"p", {0, 0, -5}}}, "visible");
    expect_verdict({{"kind", "point"}, {"p", {5.01, 0, -5}}}, "culled");
    expect_verdict({{"kind", "segment"}, {"a", {-20, 0, -5}}, {"b", {20, 0, -5}}}, "visible");
    expect_verdict({{"kind", "segment"}, {"a", {20, 0, -5}}, {"b", {5.01, 0, -5}}}, "culled");
    expect_verdict({{"kind", "sphere"}, {"center", {0, 0, 1}}, {"radius", 2.01}}, "visible");
    expect_verdict({{"kind", "sphere"}, {"center", {0, 0, 1}}, {"radius", 1.99}}, "culled");
    expect_verdict({{"kind", "capsule"}, {"a", {-9, 0, 1}}, {"b", {9, 0, 1}}, {"radius", 2.01}}, "visible");
    expect_verdict({{"kind", "capsule"}, {"a", {-9, 0, 1}}, {"b", {9, 0, 1}}, {"radius", 1.99}}, "culled");
    // Round the far right edge, behind no plane.
    expect_verdict({{"kind", "aabb"}, {"min", {8.99, -1, -30}}, {"max", {40, 1, -8.99}}}, "visible");
    expect_verdict({{"kind", "aabb"}, {"min", {9.01, -1, -30}}, {"max", {40, 1, -8.99}}}, "culled");
    expect_verdict({{"kind", "aabb"}, {"center", {20, 0, -20}}, {"half_extents", {11.01, 1, 11.01}}}, "visible");
    expect_verdict({{"kind", "aabb"}, {"center", {20, 0, -20}}, {"half_extents", {10.99, 1, 11.01}}}, "culled");
    // Axes are rows, of length 5: the box reaches 7 along x.
    const json axes = {{3, 4, 0}, {-4, 3, 0}, {0, 0, 1}};
    const auto turned = [&](double x) -> json {
        return {{"kind", "obb"}, {"center", {x, 1, -5}}, {"half_extents", {1, 1, 0}}, {"axes", axes}};
    };
    expect_verdict(turned(11.99), "visible");
    expect_verdict(turned(12.01), "culled");
    expect_verdict({{"kind", "hull"}, {"vertices", {{9, 0, -4}, {6, 0, -7}, {4.99, 0, -5}}}}, "visible");
    expect_verdict({{"kind", "hull"}, {"vertices", {{9, 0, -4}, {9, 1, -7}, {5.01, 0, -5}}}}, "culled");
    expect_verdict({{"kind", "hull"}, {"vertices", {{0, 0, -5}}}}, "visible");
}

TEST_F(Query, AnswersWhatSweepsAndHasAMargin) {
    // By 6 to the side; the view ends at 5 there, a face at 45 degrees.
    const json above = {{"kind", "point"}, {"p", {0, 11, -5}}};
    const auto with = [](json shape, const char* name, const json& value) {
        shape[name] = value;
        return shape;
    };
    expect_verdict(above, "culled");
    expect_verdict(with(above, "sweep", {0, -5.99, 0}), "culled");
    expect_verdict(with(above, "sweep", {0, -6.01, 0}), "visible");
    expect_verdict(with(above, "sweep", {0, -20, 0}), "visible");
    expect_verdict(with(above, "margin", 4.24), "culled");  // 6 / sqrt(2)
    expect_verdict(with(above, "margin", 4.25), "visible");
    expect_verdict(with(with(above, "margin", 1.4), "sweep", {0, -4, 0}), "culled");
    expect_verdict(with(with(above, "margin", 1.42), "sweep", {0, -4, 0}), "visible");
    const json axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const json shapes[] = {
        {{"kind", "segment"}, {"a", {0, 11, -5}}, {"b", {0, 12, -5}}},
        {{"kind", "sphere"}, {"center", {0, 11, -5}}, {"radius", 0}},
        {{"kind", "capsule"}, {"a", {0, 11, -5}}, {"b", {0, 12, -5}}, {"radius", 0}},
        {{"kind", "aabb"}, {"min", {0, 11, -5}}, {"max", {1, 12, -5}}},
        {{"kind", "aabb"}, {"center", {0, 12, -5}}, {"half_extents", {0, 1, 0}}},
        {{"kind", "obb"}, {"center", {0, 12, -5}}, {"half_extents", {0, 1, 0}}, {"axes", axes}},
        {{"kind", "hull"}, {"vertices", {{0, 11, -5}, {0, 12, -5}}}},
    };
    for (const json& shape : shapes) {
        expect_verdict(with(shape, "sweep", {0, -5.99, 0}), "culled");
        expect_verdict(with(shape, "sweep", {0, -6.01, 0}), "visible");
        expect_verdict(with(shape, "margin", 4.24), "culled");
        expect_verdict(with(shape, "margin", 4.25), "visible");
    }
    expect_verdict(with(above, "margin", -1), "visible");  // no shape
    expect_verdict(with(above, "margin", -1.00000000001e-60), "visible");
    const json negative = {{"kind", "sphere"}, {"center", {0, 11, -5}}, {"radius", -1.00000000001e-60}};
    expect_verdict(negative, "visible");
}

TEST_F(Query, AnswersViewsByCornersAndPlanes) {
    json corners = json::array();
    for (int i = 0; i < 8; ++i) {
        const int size = i < 4 ? 1 : 9;
        corners.push_back({(i & 1) != 0 ? size : -size, (i & 2) != 0 ? size : -size, -size});
    }
    const json planes = {{1, 0, -1, 0}, {-1, 0, -1, 0}, {0, 1, -1, 0}, {0, -1, -1, 0}, {0, 0, -1, -1}, {0, 0, 1, 9}};
    for (const json& view : {json{{"corners", corners}}, json{{"planes", planes}}}) {
        expect_verdict({{"kind", "point"}, {"p", {0, 0, -5}}}, "visible", view);
        expect_verdict({{"kind", "point"}, {"p", {5.01, 0, -5}}}, "culled", view);
        expect_verdict({{"kind", "point"}, {"p", {0, 0, -0.99}}}, "culled", view);
        expect_verdict({{"kind", "sphere"}, {"center", {0, 0, -10}}, {"radius", 1.01}}, "visible", view);
        expect_verdict({{"kind", "sphere"}, {"center", {0, 0, -10}}, {"radius", 0.99}}, "culled", view);
        expect_verdict({{"kind", "aabb"}, {"min", {8.99, -1, -30}}, {"max", {40, 1, -8.99}}}, "visible", view);
        expect_verdict({{"kind", "aabb"}, {"min", {9.01, -1, -30}}, {"max", {40, 1, -8.99}}}, "culled", view);
    }
    // Near corners may coincide, and half a space is a view.
    for (std::size_t i = 0; i < 4; ++i) corners[i] = {0, 0, 0};
    expect_verdict({{"kind", "point"}, {"p", {0, 0, -0.5}}}, "visible", {{"corners", corners}});
    expect_verdict({{"kind", "point"}, {"p", {0, 0, 0.5}}}, "culled", {{"corners", corners}});
    const json half = {{"planes", {{0, 0, 1, -1}}}};
    expect_verdict({{"kind", "point"}, {"p", {100, -100, 1.01}}}, "visible", half);
    expect_verdict({{"kind", "point"}, {"p", {100, -100, 0.99}}}, "culled", half);
}

TEST_F(Query, ReadsTheDepthRange) {
    json view = square_view;
    view["depth"] = "minus_one_to_one";  // w + z = -17/8 z - 9/8: near at 9/17
    expect_verdict({{"kind", "point"}, {"p", {0, 0, -0.6}}}, "visible", view);
    expect_verdict({{"kind", "point"}, {"p", {0, 0, -0.6}}}, "culled");
}

TEST_F(Query, TellsWhatDecided) {
    const auto why = [&](const json& shape, const char* method) {
        return ask(query(shape).dump(), {"--method", method}).lines.at(0).value("why", "");
    };
    const json behind = {{"kind", "sphere"}, {"center", {0, 0, 5}}, {"radius", 1}};
    const json round_the_edge = {{"kind", "aabb"}, {"min", {10, -1, -30}}, {"max", {40, 1, -8}}};
    const json around = {{"kind", "sphere"}, {"center", {0, 0, -5}}, {"radius", 1}};
    const json across = {{"kind", "sphere"}, {"center", {8, 0, -5}}, {"radius", 3}};  // its centre is outside
    const json impossible = {{"kind", "sphere"}, {"center", {0, 0, 5}}, {"radius", -1}};
    EXPECT_EQ(why(behind, "automatic"), "plane");
    EXPECT_EQ(why(round_the_edge, "automatic"), "gjk");
    EXPECT_EQ(why(round_the_edge, "planes"), "planes");
    EXPECT_EQ(why(around, "automatic"), "inside");
    EXPECT_EQ(why(across, "automatic"), "overlap");
    EXPECT_EQ(why(impossible, "automatic"), "invalid");
}

/// Nine digits mean a float. More may mean a double, which the shape is enlarged to contain.
TEST_F(Query, ReadsNumbersAsTheyAreMeant) {
    expect_verdict({{"kind", "hull"}, {"vertices", {{0.1, 0.123456789, -5.3}}}}, "visible");
    // At a million floats are 1/16 apart. The view ends 5/256 below one; what reaches down to 11/512 is in it.
    json view = square_view;
    view["clip_from_world"] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 999999 - 5 / 256.0}, {0, 0, -1, 1000000}};
    const double z = 999999 - 11 / 512.0;
    expect_verdict({{"kind", "point"}, {"p", {0, 0, 999999}}}, "culled", view);
    expect_verdict({{"kind", "point"}, {"p", {0, 0, z}}}, "visible", view);
    expect_verdict({{"kind", "segment"}, {"a", {0, 0, z}}, {"b", {1, 1, 1e6}}}, "visible", view);
    expect_verdict({{"kind", "sphere"}, {"center", {0, 0, z + 1}}, {"radius", 1}}, "visible", view);
    expect_verdict({{"kind", "sphere"}, {"center", {0, 0, 1000000}}, {"radius", 1 + 11 / 512.0}}, "visible", view);
    expect_verdict({{"kind", "capsule"}, {"a", {0, 0, z + 1}}, {"b", {1, 1, 1e6}}, {"radius", 1}}, "visible", view);
    expect_verdict({{"kind", "aabb"}, {"min", {0, 0, z}}, {"max", {1, 1, 1e6}}}, "visible", view);
    expect_verdict({{"kind", "aabb"}, {"center", {0, 0, z + 1}}, {"half_extents", {1, 1, 1}}}, "visible", view);

    expect_verdict({{"kind", "hull"}, {"vertices", {{0, 0, z}, {1, 1, 1e6}}}}, "visible", view);
    expect_verdict({{"kind", "point"}, {"p", {0, 0, z + 1}}, {"sweep", {0, 0, -1 - 1e-9}}}, "visible", view);

    const json axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto box = [&](double center, double half, const json& along) -> json {
        return {{"kind", "obb"}, {"center", {0, 0, center}}, {"half_extents", {1, 1, half}}, {"axes", along}};
    };
    expect_verdict(box(z + 1, 1, axes), "visible", view);
    // Half-extents and axes that floats have no number for, of a box half of which is in a view 4e-10 away.
    const json near_by = {{"planes", {{1, 0, 0, -4e-10}}}};
    const auto thin = [&](double half, double along) -> json {
        const json thin_axes = {{along, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        return {{"kind", "obb"}, {"center", {0, 0, 0}}, {"half_extents", {half, 0, 0}}, {"axes", thin_axes}};
    };
    expect_verdict(thin(0, 1e36), "culled", near_by);
    expect_verdict(thin(5.00000000001e-46, 1e36), "visible", near_by);
    expect_verdict(thin(1e36, 0), "culled", near_by);
    expect_verdict(thin(1e36, 5.00000000001e-46), "visible", near_by);
    // Larger by no more than that: what is apart still goes.
    expect_verdict({{"kind", "hull"}, {"vertices", {{5.0001 + 1e-12, 0, -5}}}}, "culled");
    expect_verdict(
        {{"kind", "obb"}, {"center", {6.0001, 0, -5}}, {"half_extents", {1 + 1e-12, 1, 1e-9}}, {"axes", axes}},
        "culled");
}

/// Is the shape's shadow in the view?
TEST_F(Query, AsksForShadows) {
    const auto expect_shadow = [&](const json& point, const json& light, const char* verdict) {
        json shadow = query({{"kind", "point"}, {"p", point}});
        shadow["light"] = light;
        const Answers answers = ask(shadow.dump());
        ASSERT_EQ(answers.lines.size(), 1u) << answers.errors;
        EXPECT_EQ(answers.lines[0].value("verdict", ""), verdict) << shadow << " " << answers.lines[0];
    };
    // |x|, |y| <= 5 at z = -5, so up to y = 9 there are 4 to fall.
    const json above = {0, 9, -5};
    expect_shadow(above, nullptr, "culled");
    expect_shadow(above, {{"toward", {0, 1, 0}}}, "visible");
    expect_shadow(above, {{"toward", {0, -1, 0}}}, "culled");
    expect_shadow(above, {{"toward", {0, 1, 0}}, {"reach", 4.01}}, "visible");
    expect_shadow(above, {{"toward", {0, 1, 0}}, {"reach", 3.99}}, "culled");
    expect_shadow(above, {{"toward", {0, 1, 0}}, {"reach", 0}}, "visible");
    expect_shadow(above, {{"at", {0, 10, -5}}}, "visible");
    expect_shadow(above, {{"at", {0, 8.9, -5}}}, "culled");
    expect_shadow(above, {{"at", {0, 10, -5}}, {"range", 6}}, "visible");
    expect_shadow(above, {{"at", {0, 10, -5}}, {"range", 2}}, "culled");
    expect_shadow(above, {{"at", {0, 10, -5}}, {"range", 0}}, "visible");
}

TEST_F(Query, NamesWhatIsWrongWithALine) {
    expect_bad_line("", "not JSON");
    expect_bad_line("{", "not JSON");
    expect_bad_line("[]", "no object");
    expect_bad_line("7", "no object");
    expect_bad_line("{\"id\": \"\xff\"}", "not JSON");
    expect_bad_line("{}", "id is missing");
    expect_bad({{"id", nullptr}}, "id");
    expect_bad({{"id", 7}}, "view is missing");
    expect_bad({{"id", 7}, {"view", square_view}}, "shape is missing");
    expect_bad({{"id", 7}, {"view", 5}, {"shape", 5}}, "view");
    expect_bad({{"id", 7}, {"a", 5}, {"b", 5}}, "a: a and b are to be objects");
    const auto expect_bad_light = [&](const json& light, const char* named) {
        json shadow = query({{"kind", "point"}, {"p", {0, 0, -5}}});
        shadow["light"] = light;
        expect_bad(shadow, named);
    };
    expect_bad_light(5, "light is to be an object");
    expect_bad_light(json::object(), "either toward or at");
    expect_bad_light({{"toward", {0, 1, 0}}, {"at", {0, 1, 0}}}, "either toward or at");
    expect_bad_light({{"toward", {0, 0, 0}}}, "options.directional_light.toward");
    expect_bad_light({{"toward", {0, 1, 0}}, {"reach", -1}}, "options.directional_light.reach");
    expect_bad_light({{"toward", {0, 1, 0}}, {"reach", "far"}}, "reach is to be a number");
    expect_bad_light({{"at", {0, 0}}}, "at is to be an array of 3 numbers");
    expect_bad_light({{"at", {0, 1e31, 0}}}, "options.point_light.at");
    expect_bad_light({{"at", {0, 1, 0}}, {"range", -1}}, "options.point_light.range");
    const std::string start = R"({"id": 1, "view": {"clip_from_world": [[NaN, 0, 0, 0]]}})";
    expect_bad_line(start, "not JSON");
    expect_bad_line(R"({"id": 1, "shape": {"kind": "point", "p": [1e999, 0, 0]}})", "not JSON");
    // The id is told where there is one.
    EXPECT_EQ(ask(R"({"id": 7})").lines.at(0).value("id", 0), 7);
}

TEST_F(Query, NamesWhatIsWrongWithAShape) {
    const json origin = {0, 0, 0}, one = {1, 1, 1};
    expect_bad_shape(5, "shape");
    expect_bad_shape(json::object(), "kind is missing");
    expect_bad_shape({{"kind", 5}}, "kind");
    expect_bad_shape({{"kind", "blob"}}, "blob");
    for (const char* kind : {"cylinder", "cone", "ellipsoid"}) expect_bad_shape({{"kind", kind}}, kind);
    expect_bad_shape({{"kind", "point"}, {"p", origin}, {"sweep", 1}}, "sweep is to be an array");
    expect_bad_shape({{"kind", "point"}, {"p", origin}, {"sweep", {0, 1e39, 0}}}, "sweep: 1e+39 is beyond");
    expect_bad_shape({{"kind", "point"}, {"p", origin}, {"margin", one}}, "margin is to be a number");
    expect_bad_shape({{"kind", "point"}, {"p", origin}, {"margin", 1e39}}, "margin: 1e+39 is beyond");
    expect_bad_shape({{"kind", "point"}}, "p is missing");
    expect_bad_shape({{"kind", "point"}, {"p", {0, 0}}}, "p is to be an array of 3 numbers");
    expect_bad_shape({{"kind", "point"}, {"p", {0, 0, "up"}}}, "p is to be a number");
    expect_bad_shape({{"kind", "point"}, {"p", {0, 1e39, 0}}}, "beyond what a float holds");
    expect_bad_shape({{"kind", "segment"}, {"a", origin}}, "b is missing");
    expect_bad_shape({{"kind", "sphere"}, {"center", origin}}, "radius is missing");
    expect_bad_shape({{"kind", "sphere"}, {"center", origin}, {"radius", 1e39}}, "radius: 1e+39 is beyond");
    expect_bad_shape({{"kind", "capsule"}, {"a", origin}, {"b", one}, {"radius", "1"}}, "radius");
    expect_bad_shape({{"kind", "aabb"}, {"min", origin}}, "max is missing");
    expect_bad_shape({{"kind", "aabb"}, {"center", origin}}, "half_extents is missing");
    expect_bad_shape({{"kind", "obb"}, {"center", origin}, {"half_extents", one}}, "axes is missing");
    expect_bad_shape({{"kind", "obb"}, {"center", origin}, {"half_extents", one}, {"axes", {one, one}}}, "axes");
    expect_bad_shape({{"kind", "hull"}}, "vertices is missing");
    expect_bad_shape({{"kind", "hull"}, {"vertices", json::array()}}, "1 to 65535");
    expect_bad_shape({{"kind", "hull"}, {"vertices", {origin, 5}}}, "vertices");
}

TEST_F(Query, NamesWhatIsWrongWithAView) {
    expect_bad_view(json::object(), "clip_from_world is missing");
    expect_bad_view({{"corners", json::array()}}, "corners is to be an array of 8 points");
    json corners = std::vector<json>(8, {1, 2, 3});
    corners[7] = {1, 2};
    expect_bad_view({{"corners", corners}}, "corners is to be an array of 3 numbers");
    corners[7] = {1, 2, 1e31};
    expect_bad_view({{"corners", corners}}, "corners: number 2 of corner 7");
    expect_bad_view({{"planes", 1}}, "planes is to be an array of planes");
    expect_bad_view({{"planes", json::array()}}, "planes: 1 to 16");
    expect_bad_view({{"planes", std::vector<json>(17, {1, 0, 0, 1})}}, "planes: 1 to 16 are allowed, not 17");
    expect_bad_view({{"planes", {{1, 0, 0}}}}, "planes is to have rows of 4 numbers");
    expect_bad_view({{"planes", {{0, 0, 0, 1}}}}, "planes");
    json both = square_view;
    both["planes"] = {{1, 0, 0, 1}};
    expect_bad_view(both, "one way");
    json view = square_view;
    view.erase("depth");
    expect_bad_view(view, "depth is missing");
    view["depth"] = "one_to_zero";
    expect_bad_view(view, "depth");
    view = square_view;
    view["clip_from_world"].erase(3);
    expect_bad_view(view, "4 rows");
    view = square_view;
    view["clip_from_world"][2] = {1, 2, 3};
    expect_bad_view(view, "rows of 4");
    view = square_view;
    view["clip_from_world"][2][3] = nullptr;
    expect_bad_view(view, "clip_from_world is to be a number");
    view = square_view;
    view["clip_from_world"][0] = {0, 0, 0, 0};
    expect_bad_view(view, "clip_from_world");
}

TEST_F(Query, SurvivesWhatIsTooLarge) {
    const std::string megabytes(9 << 20, ' ');
    expect_bad_line(megabytes, "longer than");
    expect_bad_line(R"({"id": ")" + std::string(8 << 20, 'x') + R"("})", "longer than");
    expect_bad_line(std::string(7 << 20, '['), "nested");
    expect_bad_line(R"({"id": 1, "view": )" + std::string(100, '[') + std::string(100, ']') + "}", "nested");
    expect_bad_line(std::string(1 << 20, 'x'), "not JSON");
    std::string vertices =
        R"({"id": 1, "view": )" + square_view.dump() + R"(, "shape": {"kind": "hull", "vertices": [)";
    for (int i = 0; i < 100'000; ++i) vertices += "[1,2,3],";
    expect_bad_line(vertices + "[4,5,6]]}}", "not 100001");
    const std::string strings = R"({"id": "brackets in strings do not nest", "note": "\")" + std::string(100, '[');
    expect_bad_line(strings + "\"}", "view is missing");
}

TEST_F(Query, ReadsTheStandardInput) {
    const std::string lines = query({{"kind", "point"}, {"p", {0, 0, -5}}}).dump() + "\r\n";
    const Answers answers = parsed(run({"query", "-"}, {}, write("input.jsonl", lines + lines)));
    EXPECT_EQ(answers.status, 0) << answers.errors;
    EXPECT_EQ(answers.lines.size(), 2u);
    EXPECT_EQ(parsed(run({"query", "-"})).status, 0) << "nothing asked, nothing wrong";
}

TEST_F(Query, RefusesWrongCommandLines) {
    expect_error({"query"}, wrong_usage, "FILE");
    expect_error({"query", "a", "b"}, wrong_usage, "b");
    expect_error({"query", "-", "--method", "magic"}, wrong_usage, "--method");
    expect_error({"query", path("missing.jsonl")}, failed, "missing.jsonl");
    expect_error({"query", path(".")}, failed, path("."));
    expect_error({"query", "-", "--isa", "avx3"}, wrong_usage, "avx3");
    expect_error({"query", "-"}, failed, "avx3", "LANECULL_ISA=avx3");
}

/// Made cases with exact labels: what is visible is kept, what must go goes.
TEST_F(Query, AnswersTheLabelledCasesOnEverySet) { expect_labels(LANECULL_TEST_DATA "/views.jsonl", 2000); }

/// The same of objects behind, beside and before solid boxes.
TEST_F(Query, AnswersTheLabelledCasesOfOccludersOnEverySet) {
    expect_labels(LANECULL_TEST_DATA "/occluded.jsonl", 300);
}

/// What others' users reported of their own libraries. (query_pair_test has the pairs among them.)
TEST_F(Query, AnswersTheCasesOfTheFieldOnEverySet) { expect_labels(LANECULL_TEST_DATA "/field.jsonl", 36); }

json behind(const std::vector<json>& occluders, const json& shape, const json& view = square_view) {
    json question = query(shape, view);
    question["occluders"] = occluders;
    return question;
}

json aabb(const json& min, const json& max) { return {{"kind", "aabb"}, {"min", min}, {"max", max}}; }

/// A wall 4 wide and high, from z = -3 to -4: at z = -8 it hides what is within 16/3 of the middle.
const json wall = aabb({-2, -2, -4}, {2, 2, -3});

class OccludedQuery : public Query {
protected:
    [[nodiscard]] json answer(const json& question) const {
        const Answers answers = ask(question.dump() + "\n");
        EXPECT_EQ(answers.status, 0) << answers.errors << answers.lines.at(0);
        return answers.lines.at(0);
    }
};

TEST_F(OccludedQuery, SaysWhichBoxHides) {
    const json small = aabb({-0.1, -0.1, -4}, {0.1, 0.1, -3});
    const json hidden =
        answer(behind({small, wall, wall}, {{"kind", "sphere"}, {"center", {0, 0, -7}}, {"radius", 1}}));
    EXPECT_EQ(hidden, json({{"id", "q"}, {"verdict", "culled"}, {"why", "occluded"}, {"occluder", 1}}));
    const json turned = {{"kind", "obb"},
                         {"center", {0, 0, -3.5}},
                         {"half_extents", {0.5, 0.5, 0.5}},
                         {"axes", {{3, 3, 0}, {-3, 3, 0}, {0, 0, 1}}}};  // a rhombus with corners 3 from the middle
    const auto at = [&](double x, double y, const json& box) {
        return answer(behind({box}, {{"kind", "point"}, {"p", {x, y, -8}}})).value("verdict", "");
    };
    EXPECT_EQ(at(5.32, 5.32, wall), "culled");
    EXPECT_EQ(at(5.34, 0, wall), "visible");
    EXPECT_EQ(at(5.9, 0, turned), "culled");  // |x| + |y| <= 3 at z = -3 is 8 at z = -8
    EXPECT_EQ(at(5.9, 5.9, turned), "visible");
    EXPECT_EQ(at(3.9, 3.9, turned), "culled");
    EXPECT_EQ(at(4.1, 4.1, turned), "visible");
    // Two that hide it together, neither alone; a box does not hide itself; what is before it is seen.
    const std::vector<json> halves = {aabb({-2, -2, -4}, {0.1, 2, -3}), aabb({-0.1, -2, -4}, {2, 2, -3})};
    const json wide = {{"kind", "segment"}, {"a", {-1, 0, -8}}, {"b", {1, 0, -8}}};
    EXPECT_EQ(answer(behind(halves, wide)).value("verdict", ""), "visible");
    EXPECT_EQ(answer(behind({wall}, wall)).value("verdict", ""), "visible");
    EXPECT_EQ(answer(behind({wall}, {{"kind", "point"}, {"p", {0, 0, -2}}})).value("verdict", ""), "visible");
    EXPECT_EQ(answer(behind({wall}, {{"kind", "point"}, {"p", {0, 0, 5}}})).value("why", ""), "plane");
    // All of a swept object has to be hidden, and all within its margin.
    const json point = {{"kind", "point"}, {"p", {0, 0, -8}}};
    EXPECT_EQ(answer(behind({wall}, {{"kind", "point"}, {"p", {0, 0, -8}}, {"sweep", {5, 0, 0}}})).value("why", ""),
              "occluded");
    EXPECT_EQ(answer(behind({wall}, {{"kind", "point"}, {"p", {0, 0, -8}}, {"sweep", {6, 0, 0}}})).value("verdict", ""),
              "visible");
    EXPECT_EQ(answer(behind({wall}, {{"kind", "point"}, {"p", {0, 0, -8}}, {"margin", 4.45}})).value("verdict", ""),
              "visible");
    EXPECT_EQ(answer(behind({wall}, {{"kind", "point"}, {"p", {0, 0, -8}}, {"margin", 4.42}})).value("why", ""),
              "occluded");
    EXPECT_EQ(answer(behind({}, point)).value("verdict", ""), "visible");
}

TEST_F(OccludedQuery, SaysWhichBoxesDoNotCount) {
    const json point = {{"kind", "point"}, {"p", {0, 0, -8}}};
    const auto refused = [&](const json& box) {
        const json reply = answer(behind({box}, point));
        EXPECT_EQ(reply.value("verdict", ""), "visible") << reply;
        EXPECT_EQ(reply.at("refused").size(), 1u);
        EXPECT_EQ(reply.at("refused").at(0).at("occluder"), 0);
        return reply.at("refused").at(0).value("why", "");
    };
    EXPECT_EQ(refused(aabb({-2, -2, -2}, {2, 2, 2})), "the eye may be inside");
    // The near plane's corners are sqrt(3) from the eye.
    EXPECT_EQ(refused(aabb({-2, -2, -2}, {2, 2, -1.7})), "the near plane may cut it");
    EXPECT_EQ(answer(behind({aabb({-2, -2, -2}, {2, 2, -1.75})}, point)).value("why", ""), "occluded");
    EXPECT_EQ(refused(aabb({2, 2, -3}, {-2, -2, -4})), "not a solid");
    EXPECT_EQ(refused(aabb({-2, -2, -3}, {2, 2, -3})), "not a solid");
    json turned = {{"kind", "obb"},
                   {"center", {0, 0, -3.5}},
                   {"half_extents", {2, 2, 0.5}},
                   {"axes", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    EXPECT_EQ(answer(behind({turned}, point)).value("why", ""), "occluded");
    turned["axes"][0] = {0.1000000000001, 0, 0};
    EXPECT_EQ(refused(turned), "a number that no float holds");
    turned["axes"][0] = {0, 1, 0};
    EXPECT_EQ(refused(turned), "not a solid");
    // The others count all the same, by their places in the question.
    const json reply = answer(behind({turned, wall}, point));
    EXPECT_EQ(reply.value("occluder", -1), 1);
    EXPECT_EQ(reply.at("refused").size(), 1u);
}

/// An octahedron, and a ball of more vertices than a solid has corners.
TEST_F(OccludedQuery, TakesHullsByTheirVertices) {
    const auto at = [&](double x, double y, const json& solid) {
        return answer(behind({solid}, {{"kind", "point"}, {"p", {x, y, -8}}})).value("verdict", "");
    };
    const json octahedron = {{"kind", "hull"},
                             {"vertices", {{2, 0, -4}, {-2, 0, -4}, {0, 2, -4}, {0, -2, -4}, {0, 0, -3}, {0, 0, -5}}}};
    EXPECT_EQ(at(3.9, 0, octahedron), "culled");  // |x| + |y| <= 2 at z = -4 is 4 at z = -8
    EXPECT_EQ(at(1.9, 2.0, octahedron), "culled");
    EXPECT_EQ(at(2.1, 2.0, octahedron), "visible");
    json ball = {{"kind", "hull"}, {"vertices", json::array()}};
    for (int k = 0; k < 200; ++k) {
        const double z = -1 + 2 * (k + 0.5) / 200, angle = 2.4 * k, radius = std::sqrt(1 - z * z);
        ball["vertices"].push_back(
            {float(2 * radius * std::cos(angle)), float(2 * radius * std::sin(angle)), float(2 * z - 5)});
    }
    EXPECT_EQ(at(1.5, 1.5, ball), "culled");
    EXPECT_EQ(at(2.6, 2.6, ball), "visible");
    json spoilt = octahedron;
    spoilt["vertices"][0] = {2.0000000000001, 0, -4};
    const json point = {{"kind", "point"}, {"p", {0, 0, -8}}};
    EXPECT_EQ(answer(behind({spoilt}, point)).at("refused").at(0).value("why", ""), "a number that no float holds");
    spoilt["vertices"] = {{2, 0, -4}, {-2, 0, -4}, {0, 2, -4}};
    EXPECT_EQ(answer(behind({spoilt}, point)).at("refused").at(0).value("why", ""), "not a solid");
}

/// What is no float becomes a box within: 2.6666666666666 of 8/3, seen at z = -8.
TEST_F(OccludedQuery, RoundsBoxesInwards) {
    const json third = {{"kind", "point"}, {"p", {5.333333333333, 0, -8}}};
    const json exact = {{"kind", "aabb"}, {"center", {0, 0, -3.5}}, {"half_extents", {2, 2, 0.5}}};
    EXPECT_EQ(answer(behind({exact}, third)).value("verdict", ""), "visible");
    EXPECT_EQ(answer(behind({exact}, {{"kind", "point"}, {"p", {5.33, 0, -8}}})).value("verdict", ""), "culled");
    // A float is some 1e-7 of 2 apart from the next: rounded outwards, either would be as thick as 1e-7.
    const json sliver = aabb({-2, -2, -3.0000000000002}, {2, 2, -3.0000000000001});
    EXPECT_EQ(answer(behind({sliver}, {{"kind", "point"}, {"p", {0, 0, -8}}})).at("refused").at(0).value("why", ""),
              "not a solid");
}

/// Which end the eye of an orthographic view is at, the view says.
TEST_F(OccludedQuery, AsksWhichWayOrthographicViewsLook) {
    json view = {{"clip_from_world", {{0.1, 0, 0, 0}, {0, 0.1, 0, 0}, {0, 0, -0.125, -0.125}, {0, 0, 0, 1}}},
                 {"depth", "zero_to_one"}};  // -1 >= z >= -9
    const json before = {{"kind", "point"}, {"p", {0, 0, -2}}}, beyond = {{"kind", "point"}, {"p", {1.9, 0, -8}}};
    expect_bad(behind({wall}, beyond, view), "sight");
    view["sight"] = "sideways";
    expect_bad(behind({wall}, beyond, view), "sight is to be");
    view["sight"] = "growing_depth";
    EXPECT_EQ(answer(behind({wall}, beyond, view)).value("why", ""), "occluded");
    EXPECT_EQ(answer(behind({wall}, before, view)).value("verdict", ""), "visible");
    view["sight"] = "shrinking_depth";
    EXPECT_EQ(answer(behind({wall}, beyond, view)).value("verdict", ""), "visible");
    EXPECT_EQ(answer(behind({wall}, before, view)).value("why", ""), "occluded");
}

TEST_F(OccludedQuery, NamesWhatIsWrong) {
    const json point = {{"kind", "point"}, {"p", {0, 0, -8}}};
    json no_array = behind({}, point);
    no_array["occluders"] = 5;
    expect_bad(no_array, "occluders is to be an array");
    expect_bad(behind({5}, point), "array of objects");
    expect_bad(behind({json::object()}, point), "kind is missing");
    expect_bad(behind({{{"kind", "sphere"}, {"center", {0, 0, 0}}, {"radius", 1}}}, point), "no occluder is called");
    expect_bad(behind({{{"kind", "aabb"}, {"min", {0, 0, 0}}}}, point), "max is missing");
    expect_bad(behind({{{"kind", "obb"}, {"center", {0, 0, 0}}}}, point), "half_extents is missing");
    expect_bad(behind({{{"kind", "hull"}}}, point), "vertices is missing");
    expect_bad(behind({{{"kind", "hull"}, {"vertices", json::array()}}}, point), "vertices is to be");
    for (const char* name : {"sweep", "margin"}) {
        json grown = wall;
        grown[name] = 1;
        expect_bad(behind({grown}, point), name);
    }
    expect_bad(behind(std::vector<json>(65, wall), point), "at most 64, not 65");
    json lit = behind({wall}, point);
    lit["light"] = {{"toward", {0, 1, 0}}};
    expect_bad(lit, "light");
    const json planes = {{"planes", {{0, 0, -1, 0}}}};
    expect_bad(behind({wall}, point, planes), "where its eye is");
    json corners = json::array();
    for (int i = 0; i < 8; ++i) {
        const int size = i < 4 ? 1 : 9;
        corners.push_back({(i & 1) != 0 ? size : -size, (i & 2) != 0 ? size : -size, -size});
    }
    expect_bad(behind({wall}, point, {{"corners", corners}}), "where its eye is");
    const json flat = {{"rectangle", {{"min", {0, 0}}, {"max", {1, 1}}}}};
    expect_bad(behind({wall}, {{"kind", "point"}, {"p", {0, 0}}}, flat), "in the plane");
}

}  // namespace
