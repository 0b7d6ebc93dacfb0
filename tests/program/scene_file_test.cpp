#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "program/program.hpp"

/// What the program reads scenes from: lists with named columns, the standard input, CityJSON, groups of OBJ files.

namespace {

using nlohmann::json;

class SceneFile : public Program {
protected:
    /// The objects as --ids lists them, and the report.
    struct Read {
        json objects, report;
    };

    [[nodiscard]] Read objects_of(const std::string& scene, const std::string& input = "/dev/null") const {
        const Result result =
            run({"cull", scene, "--frames", "1", "--quiet", "--ids", path("ids.json"), "--json", path("report.json")},
                {}, input);
        EXPECT_EQ(result.status, 0) << result.errors;
        if (result.status != 0) return {};
        return {json::parse(read(path("ids.json"))).at("objects"), json::parse(read(path("report.json")))};
    }

    [[nodiscard]] std::string explained(const std::string& scene, const std::string& object,
                                        const std::string& input = "/dev/null") const {
        const Result result = run({"explain", scene, "--object", object}, {}, input);
        EXPECT_EQ(result.status, 0) << result.errors;
        return result.output;
    }
};

void expect_words(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

/// In any order, under any of their names, with columns between them that are not of interest.
TEST_F(SceneFile, ListsMayNameTheirColumns) { expect_answers("names of columns"); }

TEST_F(SceneFile, NamesOfListsMayHaveAnythingInThem) {
    const std::vector<std::string> names = {"a,b", "say \"no\"", "#7", "", "<script>alert(1)</script>", "a;b  c"};
    std::string text = "name,minx,miny,minz,maxx,maxy,maxz\n";
    for (const std::string& name : names) {
        std::string quoted;
        for (const char c : name) quoted += std::string(c == '"' ? 2 : 1, c);
        text += '"' + quoted + "\", 0 , 0,0,1,1,1\n";
    }
    const json objects = objects_of(write("list.csv", text)).objects;
    ASSERT_EQ(objects.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(objects.at(i).at("name"), names[i]);
}

/// Rows of one group are a batch, which may be solid.
TEST_F(SceneFile, ListsMayHaveGroups) { expect_answers("groups of lists"); }

TEST_F(SceneFile, ListsSayWhatIsWrongWithTheirColumns) { expect_refusals("lists with named columns"); }

TEST_F(SceneFile, ListsComeFromTheStandardInputToo) { expect_answers("the standard input"); }

/// A group of an OBJ file is an object, with its name; of several materials, one each.
TEST_F(SceneFile, GroupsOfObjFilesAreObjects) { expect_answers("groups of OBJ files"); }

TEST_F(SceneFile, ObjectsOfGltfHaveTheirNodesNames) {
    const json named = objects_of(LANECULL_TEST_DATA "/gltf/percent_encoded_uri.gltf").objects;
    EXPECT_EQ(named.at(0).at("name"), "Kiste f\u00fcr \u00c4pfel \u7bb1");
}

/// A pyramid whose parts are two city objects, a road with a hole, and a tree of a template.
TEST_F(SceneFile, CityJsonHasBuildingsWithNames) {
    const json city = document("town.city.json");
    const std::string scene = write("town.city.json", city.dump());
    const Read read = objects_of(scene);
    std::map<std::string, std::string> group_of;
    for (const json& object : read.objects) group_of[object.at("name")] = object.at("group");
    EXPECT_EQ(group_of, (std::map<std::string, std::string>{
                            {"house <1>", "Building"}, {"street", "Road"}, {"tree", "SolitaryVegetationObject"}}));
    const std::string description = read.report.at("scene").at("description");
    expect_words(description, {"1 city object without points left out", "relative to 85000, 446000, 7"});
    // The most detailed geometry of the parts alone, as a whole: 4 m x 4 m x 6 m at half scale.
    expect_words(explained(scene, "house <1>"),
                 {"centre           (1, 1, 1.5)", "size             2 x 2 x 3", "5 points"});
    expect_words(description, {"CityJSON, 3 meshes of "});
    expect_words(explained(scene, "street"), {"centre           (15, 10, 0.5)", "size             10 x 20 x 1"});
    expect_words(explained(scene, "tree"), {"centre           (21, 21, 3)", "size             2 x 2 x 4"});
    // Without a transform coordinates are as they are, moved by whole numbers.
    json plain = city;
    plain.erase("transform");
    for (json& vertex : plain.at("vertices")) vertex[0] = vertex[0].get<double>() + 2677116.25;
    expect_words(explained(write("plain.cityjson", plain.dump()), "house <1>"),
                 {"centre           (2.25, 2, 3)", "size             4 x 4 x 6"});
    EXPECT_EQ(run({"cull", scene, "--frames", "2", "--quiet", "--picture", path("town.png")}).status, 0);
    EXPECT_EQ(run({"hull", scene, path("town.obj")}).status, 0);
    expect_words(this->read(path("town.obj")), {"o house <1>\n"});
}

TEST_F(SceneFile, CityJsonSaysWhatIsWrongWithIt) {
    expect_refusals("CityJSON");
    expect_error({"cull", write("deep.json", std::string(100'000, '['))}, failed, "not JSON");
}

/// Two meshes. The hull of one is to the left of the view, and the box around it reaches into it.
TEST_F(SceneFile, MeshesHaveTheBoundsThatAreAskedFor) {
    expect_answers("bounds of meshes");
    expect_refusals("meshes, and what has none");
}

}  // namespace
