#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "program/program.hpp"

/// Objects by number and name: lists of them, explanations by name, and the line that explains the worst.

namespace {

using nlohmann::json;

/// The fields of a line of CSV (RFC 4180).
std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += line[i++];
        } else if (line[i] == '"') {
            quoted = !quoted;
        } else if (line[i] == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[i];
        }
    }
    EXPECT_FALSE(quoted) << line;
    return fields;
}

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) rows.push_back(fields_of(line));
    return rows;
}

/// Six planes keep some objects needlessly in its frame 5.
constexpr const char* city = " --objects 20000 --frames 30 ";

class Objects : public Program {
protected:
    /// What a shell prints that runs the line in the folder.
    [[nodiscard]] std::string output_of_shell(const std::string& line) const {
        EXPECT_EQ(std::system(("cd '" + path(".") + "' && " + line + " > shell.out").c_str()), 0) << line;
        return read(path("shell.out"));
    }

    [[nodiscard]] json list(const std::string& file) const { return json::parse(read(path(file))); }

    /// mesh.gltf: a triangle in a node of each name, one beside the other.
    void write_meshes(const std::vector<std::string>& names) const {
        json nodes, indices;
        for (std::size_t i = 0; i < names.size(); ++i) {
            nodes.push_back({{"mesh", 0}, {"name", names[i]}, {"translation", {2 * i, 0, 0}}});
            indices.push_back(i);
        }
        const std::string points = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";  // (0,0,0), (1,0,0), (0,1,0)
        const json accessor = {{"bufferView", 0}, {"componentType", 5126}, {"count", 3},
                               {"type", "VEC3"},  {"min", {0, 0, 0}},      {"max", {1, 1, 0}}};
        const json file = {
            {"asset", {{"version", "2.0"}}},
            {"scene", 0},
            {"scenes", {{{"nodes", indices}}}},
            {"nodes", nodes},
            {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}}}}}}},
            {"accessors", json::array({accessor})},
            {"bufferViews", {{{"buffer", 0}, {"byteLength", 36}}}},
            {"buffers", {{{"byteLength", 36}, {"uri", "data:application/octet-stream;base64," + points}}}}};
        write("mesh.gltf", file.dump());
    }
};

/// The last line of the output, without blanks before it.
std::string last_line(const std::string& text) {
    const std::string line = text.substr(text.rfind('\n', text.size() - 2) + 1);
    return line.substr(line.find_first_not_of(' '), line.find_last_not_of('\n') + 1 - line.find_first_not_of(' '));
}

TEST_F(Objects, AreListedAsTheReportCountsThem) {
    const json data = report_of(std::string("cull --quiet --ids ids.csv --picture-frame 5") + city);
    const json frame = data.at("frames").at(5);
    const auto rows = rows_of(read(path("ids.csv")));
    ASSERT_EQ(rows.size(), 20'001u);
    EXPECT_EQ(rows[0], (std::vector<std::string>{"object", "verdict", "group", "name"}));
    // Without --picture-frame it is the frame where six planes fail most; JSON says the same as CSV.
    EXPECT_EQ(output_of(std::string("cull --quiet --ids ids.json") + city), "");
    const json ids = list("ids.json");
    EXPECT_EQ(ids.at("frame"), 5);
    EXPECT_EQ(ids.at("frames"), 30);
    ASSERT_EQ(ids.at("objects").size(), 20'000u);
    std::map<std::string, std::uint64_t> counts, groups;
    for (std::size_t i = 0; i < 20'000; ++i) {
        const auto& row = rows[i + 1];
        ASSERT_EQ(row.size(), 4u);
        EXPECT_EQ(row[0], std::to_string(i));
        ++counts[row[1]];
        ++groups[row[2]];
        EXPECT_EQ(ids.at("objects")[i], (json{{"object", i}, {"verdict", row[1]}, {"group", row[2]}}));
    }
    EXPECT_EQ(counts["visible"], frame.at("visible"));
    EXPECT_EQ(counts["kept_by_planes"], frame.at("kept_by_planes_alone"));
    EXPECT_GT(counts["kept_by_planes"], 2u);
    EXPECT_EQ(counts["visible"] + counts["kept_by_planes"] + counts["culled"], 20'000u);
    for (const json& group : data.at("groups")) EXPECT_EQ(groups[group.at("name")], group.at("objects"));
    for (const auto& [verdict, count] : ids.at("counts").items()) EXPECT_EQ(count, counts[verdict]) << verdict;
}

TEST_F(Objects, AreHiddenByOccluders) {
    const std::string walk = "cull --objects 20000 --path street --far 600 --frames 4 --picture-frame 3 --quiet --ids ";
    const json open_frame = report_of(walk + "open.json").at("frames").at(3);
    const json frame = report_of(walk + "closed.json --occluders 16").at("frames").at(3);
    const json open = list("open.json").at("counts"), closed = list("closed.json").at("counts");
    EXPECT_EQ(open.at("hidden"), 0);
    EXPECT_EQ(open.at("visible"), open_frame.at("visible"));
    EXPECT_GT(closed.at("hidden"), 10);
    EXPECT_EQ(closed.at("visible"), frame.at("visible"));
    EXPECT_EQ(closed.at("visible").get<int>() + closed.at("hidden").get<int>(), open.at("visible"));
    EXPECT_EQ(closed.at("kept_by_planes"), open.at("kept_by_planes"));
}

TEST_F(Objects, OfWhichPlanesKeepNoneHaveNoWorst) {
    write("box.csv", "4 -1 -1 6 1 1\n");
    write("camera.json", R"({"cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}]})");
    const std::string frame = " box.csv --path camera.json --far 9";
    EXPECT_EQ(output_of("cull" + frame).find("explain"), std::string::npos) << "there is no worst object";
}

/// The line at the end of the report explains the object with the largest gap, as it is printed: in any shell, and with
/// the options of that scene and path.
TEST_F(Objects, TheWorstIsExplainedByTheLineOfTheReport) {
    const std::string explained =
        output_of_shell(last_line(output_of(std::string("cull --threads 1 --ordered --json report.json") + city)));
    for (const char* part : {"frame 5 of 30", "\nculled (gjk): ", "planes           visible", "at least "}) {
        EXPECT_NE(explained.find(part), std::string::npos) << part << explained;
    }
    const json worst = list("report.json").at("worst");
    EXPECT_EQ(worst.at("frame"), 5);
    EXPECT_TRUE(explained.starts_with("object " + worst.at("object").dump() + " of 20,000")) << explained;
    EXPECT_NEAR(worst.at("gap").get<double>(), std::stod(explained.substr(explained.find("at least ") + 9)), 1e-3);
}

TEST_F(Objects, TheLineOfTheReportSurvivesShells) {
    // Round the far left edge of the view: no plane has it behind.
    const std::string scene = "it's $HOME; `a` scene.csv", camera = "a camera's \"path\".json";
    write(scene, "0 0 0 1 1 1\n0 8.9 9.1 1 40 30\n");
    write(camera, R"({"fov": 90, "aspect": 1, "near": 1, "cameras": [{"eye": [0, 0, 0], "target": [0, 1, 0]},
                                                                     {"eye": [0, 0, 0], "target": [0, 1, 0.01]}]})");
    std::vector<std::string> cull = {"cull", scene, "--path", camera};
    for (const std::string& word : words("--far 9 --up x --occluders 1 --solid boxes --frames 2 --picture-frame 1")) {
        cull.push_back(word);
    }
    const std::string line = last_line(run(cull).output);
    for (const char* option :
         {"--far 9", "--up x", "--occluders 1", "--solid boxes", "--frames 2", "--frame 1", "--object 1"}) {
        EXPECT_NE(line.find(option), std::string::npos) << option << " is missing in " << line;
    }
    EXPECT_EQ(line.find("--picture"), std::string::npos) << line;
    const std::string explained = output_of_shell(line);
    EXPECT_TRUE(explained.starts_with("object 1 of 2: " + scene)) << explained;
    EXPECT_NE(explained.find("frame 1 of 2"), std::string::npos) << explained;
    EXPECT_NE(explained.find("\nculled (gjk): "), std::string::npos) << explained;
}

TEST_F(Objects, HaveNames) {
    write_meshes({"roof", "wall", "door left", "wall", "7", "99"});
    const auto explained = [&](const std::string& object) {
        return run({"explain", "mesh.gltf", "--object", object}).output;
    };
    EXPECT_EQ(explained("roof"), explained("0"));
    EXPECT_EQ(explained("door left"), explained("2"));
    EXPECT_EQ(explained("\"roof\""), explained("0"));
    EXPECT_EQ(explained("\"99\""), explained("5"));
    EXPECT_NE(explained("2").find("name             door left"), std::string::npos);
    EXPECT_TRUE(explained("4").starts_with("object 4 of "));
    expect_error(words("explain mesh.gltf --object wall"), wrong_usage, "2 objects have that name: 1, 3");
    expect_error(words("explain mesh.gltf --object floor"), wrong_usage, "--object floor");
    expect_error(words("explain mesh.gltf --object 99"), wrong_usage, "--object 99: the scene has");
}

/// Names are shown as they are, and do no harm where they are read.
TEST_F(Objects, MayHaveHostileNames) {
    const std::vector<std::string> names = {"a,\"b\"",
                                            "=cmd|' /C calc'!A0",
                                            "@SUM(1)",
                                            "</script><b>x",
                                            "\x1b[31mred",
                                            "it's #1; yes",
                                            "\xc2\x9b"
                                            "2J",
                                            "\"",
                                            "+1",
                                            "tab\there"};
    write_meshes(names);
    const std::string cull = "cull mesh.gltf --frames 1 --quiet --ids ";
    EXPECT_EQ(output_of(cull + "ids.csv") + output_of(cull + "ids.json"), "");
    const std::string csv = read(path("ids.csv"));
    EXPECT_EQ(csv.find('\x1b'), std::string::npos);
    const auto rows = rows_of(csv);
    const json objects = list("ids.json").at("objects");
    ASSERT_GE(objects.size(), names.size());
    ASSERT_EQ(rows.size(), objects.size() + 1);
    for (const std::size_t i : {0u, 1u, 2u, 3u, 5u, 7u, 8u}) {
        const bool is_formula = i == 1 || i == 2 || i == 8;
        ASSERT_EQ(rows[i + 1].size(), 4u);
        EXPECT_EQ(rows[i + 1].back(), (is_formula ? "'" : "") + names[i]);
        EXPECT_EQ(objects[i].at("name"), names[i]);
    }
    EXPECT_EQ(objects[4].at("name"), "?[31mred");
    EXPECT_EQ(objects[6].at("name"), "?2J") << "U+009B, which terminals obey like an escape";
    for (const char* object : {"4", "6", "9"}) {
        const std::string text = output_of(std::string("explain mesh.gltf --object ") + object);
        for (const char c : {'\x1b', '\t', '\r'}) EXPECT_EQ(text.find(c), std::string::npos);
    }
}

}  // namespace
