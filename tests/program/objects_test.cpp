#include <gtest/gtest.h>

#include <cstdio>
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
        if (line[i] == '"') {
            if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
                fields.back() += line[i++];
            } else {
                quoted = !quoted;
            }
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

class Objects : public Program {
protected:
    /// Six planes keep some objects needlessly in its frame 5.
    const std::vector<std::string> city_ = {"--objects", "20000", "--frames", "30"};

    [[nodiscard]] std::vector<std::string> city(const std::string& command,
                                                const std::vector<std::string>& more) const {
        std::vector<std::string> all = {command};
        all.insert(all.end(), city_.begin(), city_.end());
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

    std::string output(const std::vector<std::string>& arguments) const {
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.errors;
        return result.output;
    }

    /// What a shell prints that runs the line in the folder.
    [[nodiscard]] std::string output_of_line(const std::string& line) const {
        const std::string command = "cd '" + path(".") + "' && " + line + " > shell.out";
        EXPECT_EQ(std::system(command.c_str()), 0) << line;
        return read(path("shell.out"));
    }

    /// A triangle in a node of each name, one beside the other.
    [[nodiscard]] std::string meshes(const std::vector<std::string>& names) const {
        json nodes, indices;
        for (std::size_t i = 0; i < names.size(); ++i) {
            nodes.push_back({{"mesh", 0}, {"name", names[i]}, {"translation", {2 * i, 0, 0}}});
            indices.push_back(i);
        }
        // (0, 0, 0), (1, 0, 0), (0, 1, 0)
        const std::string points = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
        const json file = {
            {"asset", {{"version", "2.0"}}},
            {"scene", 0},
            {"scenes", {{{"nodes", indices}}}},
            {"nodes", nodes},
            {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}}}}}}},
            {"accessors",
             {{{"bufferView", 0},
               {"componentType", 5126},
               {"count", 3},
               {"type", "VEC3"},
               {"min", {0, 0, 0}},
               {"max", {1, 1, 0}}}}},
            {"bufferViews", {{{"buffer", 0}, {"byteLength", 36}}}},
            {"buffers", {{{"byteLength", 36}, {"uri", "data:application/octet-stream;base64," + points}}}}};
        return write("mesh.gltf", file.dump());
    }
};

/// The last line of the output, without blanks before it.
std::string last_line(const std::string& text) {
    const std::size_t begin = text.rfind('\n', text.size() - 2) + 1;
    return text.substr(text.find_first_not_of(' ', begin), text.size() - 1 - text.find_first_not_of(' ', begin));
}

TEST_F(Objects, AreListedAsTheReportCountsThem) {
    const json data = report(city("cull", {"--quiet", "--ids", path("ids.csv"), "--picture-frame", "5"}));
    const json frame = data.at("frames").at(5);
    const auto rows = rows_of(read(path("ids.csv")));
    ASSERT_EQ(rows.size(), 20'001u);
    EXPECT_EQ(rows[0], (std::vector<std::string>{"object", "verdict", "group", "name"}));
    std::map<std::string, std::uint64_t> counts, groups;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 4u);
        EXPECT_EQ(rows[i][0], std::to_string(i - 1));
        ++counts[rows[i][1]];
        ++groups[rows[i][2]];
    }
    EXPECT_EQ(counts["visible"], frame.at("visible"));
    EXPECT_EQ(counts["kept_by_planes"], frame.at("kept_by_planes_alone"));
    EXPECT_GT(counts["kept_by_planes"], 2u);
    EXPECT_EQ(counts["visible"] + counts["kept_by_planes"] + counts["culled"], 20'000u);
    for (const json& group : data.at("groups")) EXPECT_EQ(groups[group.at("name")], group.at("objects"));

    // Without --picture-frame it is the frame where six planes fail most; JSON says the same as CSV.
    output(city("cull", {"--quiet", "--ids", path("ids.json")}));
    const json ids = json::parse(read(path("ids.json")));
    EXPECT_EQ(ids.at("frame"), 5);
    EXPECT_EQ(ids.at("frames"), 30);
    ASSERT_EQ(ids.at("objects").size(), 20'000u);
    for (const auto& [verdict, count] : ids.at("counts").items()) EXPECT_EQ(count, counts[verdict]) << verdict;
    for (std::size_t i = 0; i < 20'000; ++i) {
        const json& object = ids.at("objects").at(i);
        EXPECT_EQ(object.at("object"), i);
        EXPECT_EQ(object.at("verdict"), rows[i + 1][1]);
        EXPECT_EQ(object.at("group"), rows[i + 1][2]);
    }
}

TEST_F(Objects, AreHiddenByOccluders) {
    const std::vector<std::string> walk = {"--path", "street", "--far", "600", "--frames", "4", "--picture-frame", "3"};
    const auto list = [&](const std::string& name, std::vector<std::string> more) {
        more.insert(more.begin(), walk.begin(), walk.end());
        more.insert(more.begin(), {"cull", "--objects", "20000", "--quiet", "--ids", path(name)});
        const json data = report(more);
        return std::pair{json::parse(read(path(name))), data.at("frames").at(3)};
    };
    const auto [open, open_frame] = list("open.json", {});
    const auto [closed, frame] = list("closed.json", {"--occluders", "16"});
    EXPECT_EQ(open.at("counts").at("hidden"), 0);
    EXPECT_GT(closed.at("counts").at("hidden"), 10);
    EXPECT_EQ(closed.at("counts").at("visible"), frame.at("visible"));
    EXPECT_EQ(closed.at("counts").at("visible").get<int>() + closed.at("counts").at("hidden").get<int>(),
              open.at("counts").at("visible"));
    EXPECT_EQ(closed.at("counts").at("kept_by_planes"), open.at("counts").at("kept_by_planes"));
}

/// The list of what six planes keep for nothing has those objects, the worst first, with the figures that `explain`
/// gives of each.
TEST_F(Objects, KeptByPlanesAreExplained) {
    output(city("cull", {"--quiet", "--ids", path("ids.json"), "--picture-frame", "5"}));
    std::set<std::string> expected;
    const json ids = json::parse(read(path("ids.json")));
    for (const json& object : ids.at("objects")) {
        if (object.at("verdict") == "kept_by_planes") expected.insert(std::to_string(object.at("object").get<int>()));
    }
    const std::string text = output(city("explain", {"--frame", "5", "--kept-by-planes"}));
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, std::to_string(expected.size()) +
                        " objects of city in frame 5 of 30: automatic culls them, six planes alone keep them");
    std::getline(lines, line);
    std::getline(lines, line);
    std::set<std::string> found;
    double last_gap = HUGE_VAL;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string object, group, why, gap;
        words >> object >> group >> why >> gap;
        if (why == "and") continue;  // a group of three words
        found.insert(object);
        EXPECT_EQ(why, "gjk");
        EXPECT_LE(std::stod(gap), last_gap);
        last_gap = std::stod(gap);
        const std::string explained = output(city("explain", {"--frame", "5", "--object", object}));
        EXPECT_NE(explained.find("gap              at least " + gap), std::string::npos) << explained;
        EXPECT_NE(explained.find("planes           visible"), std::string::npos) << explained;
        EXPECT_NE(explained.find(": city, " + group), std::string::npos) << explained;
        // It is behind none of the planes; those that it cuts are named.
        for (const std::string plane : {"left", "right", "bottom", "top", "near", "far"}) {
            const std::size_t row = explained.find("\n  " + plane + " ");
            const bool cut =
                explained.substr(row, explained.find('\n', row + 1) - row).find("crosses it") != std::string::npos;
            EXPECT_EQ(line.find(' ' + plane) != std::string::npos, cut) << line << explained;
        }
    }
    EXPECT_EQ(found, expected);
}

TEST_F(Objects, OfWhichPlanesKeepNoneAreAnEmptyList) {
    const std::string box = write("box.csv", "4 -1 -1 6 1 1\n");
    write("camera.json", R"({"cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}]})");
    const std::vector<std::string> frame = {box, "--path", path("camera.json"), "--far", "9"};
    std::vector<std::string> explain = {"explain", "--kept-by-planes"}, cull = {"cull"};
    explain.insert(explain.end(), frame.begin(), frame.end());
    cull.insert(cull.end(), frame.begin(), frame.end());
    EXPECT_TRUE(output(explain).starts_with("0 objects of box.csv in frame 0 of 1"));
    EXPECT_EQ(output(cull).find("explain"), std::string::npos) << "there is no worst object";
}

/// The line at the end of the report explains the object with the largest gap, as it is printed: in any shell, and with
/// the options of that scene and path.
TEST_F(Objects, TheWorstIsExplainedByTheLineOfTheReport) {
    const std::string line = last_line(output(city("cull", {"--threads", "1", "--ordered"})));
    const std::string explained = output_of_line(line);
    EXPECT_NE(explained.find("frame 5 of 30"), std::string::npos) << explained;
    EXPECT_NE(explained.find("\nculled (gjk): "), std::string::npos) << explained;
    EXPECT_NE(explained.find("planes           visible"), std::string::npos) << explained;
    std::istringstream list(output(city("explain", {"--frame", "5", "--kept-by-planes"})));
    std::string row, worst;
    for (int k = 0; k < 4; ++k) std::getline(list, row);
    std::istringstream(row) >> worst;
    EXPECT_TRUE(explained.starts_with("object " + worst + " of 20,000")) << explained << row;
    const json data = report(city("cull", {"--quiet"}));
    EXPECT_EQ(data.at("worst").at("object"), std::stoi(worst));
    EXPECT_EQ(data.at("worst").at("frame"), 5);
    EXPECT_NE(explained.find("at least "), std::string::npos);
    EXPECT_NEAR(data.at("worst").at("gap").get<double>(), std::stod(explained.substr(explained.find("at least ") + 9)),
                1e-3);
}

TEST_F(Objects, TheLineOfTheReportSurvivesShells) {
    // Round the far left edge of the view: no plane has it behind.
    const std::string scene = "it's $HOME; `a` scene.csv", camera = "a camera's \"path\".json";
    write(scene, "0 0 0 1 1 1\n0 8.9 9.1 1 40 30\n");
    write(camera, R"({"fov": 90, "aspect": 1, "near": 1, "cameras": [{"eye": [0, 0, 0], "target": [0, 1, 0]},
                                                                     {"eye": [0, 0, 0], "target": [0, 1, 0.01]}]})");
    const std::string text =
        output({"cull", scene, "--path", camera, "--far", "9", "--up", "x", "--method", "automatic", "--occluders", "1",
                "--solid", "boxes", "--frames", "2", "--picture-frame", "1"});
    const std::string line = last_line(text);
    for (const char* option : {"--far 9", "--up x", "--method automatic", "--occluders 1", "--solid boxes",
                               "--frames 2", "--frame 1", "--object 1"}) {
        EXPECT_NE(line.find(option), std::string::npos) << option << " is missing in " << line;
    }
    EXPECT_EQ(line.find("--picture"), std::string::npos) << line;
    const std::string explained = output_of_line(line);
    EXPECT_TRUE(explained.starts_with("object 1 of 2: " + scene)) << explained;
    EXPECT_NE(explained.find("frame 1 of 2"), std::string::npos) << explained;
    EXPECT_NE(explained.find("\nculled (gjk): "), std::string::npos) << explained;
}

TEST_F(Objects, AreAskedForByName) {
    const std::string scene = meshes({"roof", "wall", "door left", "wall", "7", "99"});
    const auto explained = [&](const std::string& object) { return output({"explain", scene, "--object", object}); };
    EXPECT_EQ(explained("roof"), explained("0"));
    EXPECT_EQ(explained("door left"), explained("2"));
    EXPECT_EQ(explained("\"roof\""), explained("0"));
    EXPECT_EQ(explained("\"99\""), explained("5"));
    EXPECT_NE(explained("2").find("name             door left"), std::string::npos);
    EXPECT_TRUE(explained("4").starts_with("object 4 of "));
    expect_error({"explain", scene, "--object", "wall"}, wrong_usage, "2 objects have that name: 1, 3");
    expect_error({"explain", scene, "--object", "floor"}, wrong_usage, "--object floor");
    expect_error({"explain", scene, "--object", "99"}, wrong_usage, "--object 99: the scene has");
    expect_error({"explain", "--object", "roof"}, wrong_usage, "the city's objects have numbers");
}

/// Names are told as they are, and do no harm where they are read.
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
    const std::string scene = meshes(names);
    output({"cull", scene, "--frames", "1", "--quiet", "--ids", path("ids.csv")});
    output({"cull", scene, "--frames", "1", "--quiet", "--ids", path("ids.json")});
    const std::string csv = read(path("ids.csv"));
    EXPECT_EQ(csv.find('\x1b'), std::string::npos);
    const auto rows = rows_of(csv);
    const json objects = json::parse(read(path("ids.json"))).at("objects");
    ASSERT_GE(objects.size(), names.size());
    ASSERT_EQ(rows.size(), objects.size() + 1);
    const auto row = [&](std::size_t i) {
        EXPECT_EQ(rows[i + 1].size(), 4u);
        return rows[i + 1].back();
    };
    for (const std::size_t i : {0u, 3u, 5u, 7u}) {
        EXPECT_EQ(row(i), names[i]);
        EXPECT_EQ(objects[i].at("name"), names[i]);
    }
    for (const std::size_t i : {1u, 2u, 8u}) {  // formulas
        EXPECT_EQ(row(i), "'" + names[i]);
        EXPECT_EQ(objects[i].at("name"), names[i]);
    }
    EXPECT_EQ(objects[4].at("name"), "?[31mred");
    EXPECT_EQ(objects[6].at("name"), "?2J") << "U+009B, which terminals obey like an escape";
    for (const std::string object : {"4", "6", "9"}) {
        const std::string text = output({"explain", scene, "--object", object});
        for (const char c : {'\x1b', '\t', '\r'}) EXPECT_EQ(text.find(c), std::string::npos);
    }
}

TEST_F(Objects, RefuseWrongCommandLines) {
    const std::string scene = meshes({"roof"});
    expect_error({"cull", scene, "--ids", path("ids.txt")}, wrong_usage, ".csv or .json");
    expect_error({"cull", scene, "--ids", path("no/folder.csv")}, failed, "no/folder.csv");
    expect_error({"cull", scene, "--ids", path("a.csv"), "--method", "planes"}, wrong_usage, "--ids");
    expect_error({"cull", scene, "--ids", path("a.json"), "--json", path("a.json")}, wrong_usage, "--json as well");
    expect_error({"cull", write("flat.csv", "0 0 1 1\n"), "--ids", path("a.csv")}, wrong_usage, "--ids");
    const std::string list = write("list.csv", "0 0 0 1 1 1\n");
    expect_error({"cull", list, "--ids", list}, wrong_usage, "SCENE");
    expect_error({"explain", scene}, wrong_usage, "--kept-by-planes");
    expect_error({"explain", scene, "--kept-by-planes", "--object", "0"}, wrong_usage, "--kept-by-planes");
    expect_error({"explain", scene, "--kept-by-planes", "--method", "planes"}, wrong_usage, "--kept-by-planes");
    expect_error({"explain", scene, "--kept-by-planes", "--picture", path("a.svg")}, wrong_usage, "--picture");
}

}  // namespace
