#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
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

    void expect_bad(const std::string& name, const std::string& text, const std::string& named) const {
        expect_error({"cull", write(name, text), "--json", path("report.json")}, failed, named);
    }
};

void expect_words(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

/// In any order, under any of their names, with columns between them that are not of interest.
TEST_F(SceneFile, ListsMayNameTheirColumns) {
    for (const std::string text : {"name,minx,miny,minz,maxx,maxy,maxz\ntree,1,2,3,4,6,8\n",
                                   "colour;Z_MAX;y max;xmax;zmin;ymin;xmin;ID\n\"a;b\";8;6;4;3;2;1;tree\n",
                                   "# boxes\nid minx maxx miny maxy minz maxz\n\ntree 1 4 2 6 3 8 # one\n",
                                   "maxx\tmaxy\tmaxz\tname\tminx\tminy\tminz\n4\t6\t8\ttree\t1\t2\t3\n",
                                   "\xEF\xBB\xBFminx,miny,minz,maxx,maxy,maxz,name,id\r\n1,2,3,4,6,8,tree,7\r\n"}) {
        const std::string list = write("list.csv", text);
        const json scene = objects_of(list).report.at("scene");
        EXPECT_EQ(scene.at("lower"), (json{1, 2, 3})) << text;
        EXPECT_EQ(scene.at("upper"), (json{4, 6, 8})) << text;
        expect_words(explained(list, "tree"), {"object 0 of 1: list.csv, boxes", "name             tree"});
    }
}

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
TEST_F(SceneFile, ListsMayHaveGroups) {
    const std::string list = write("list.csv",
                                   "group,name,minx,miny,minz,maxx,maxy,maxz\nwalls,w0,0,0,0,1,1,1\n"
                                   "trees,t0,2,0,0,3,1,1\nwalls,w1,4,0,0,5,1,1\n,x,6,0,0,7,1,1\n");
    const Read read = objects_of(list);
    std::map<std::string, int> groups;
    for (const json& group : read.report.at("groups")) groups[group.at("name")] = group.at("objects");
    EXPECT_EQ(groups, (std::map<std::string, int>{{"walls", 2}, {"trees", 1}, {"(no group)", 1}}));
    std::vector<std::string> names;
    for (const json& object : read.objects) names.push_back(object.at("name"));
    EXPECT_EQ(names, (std::vector<std::string>{"w0", "w1", "t0", "x"}));
    const Result solid = run({"cull", list, "--frames", "1", "--occluders", "1", "--solid", "walls"});
    EXPECT_EQ(solid.status, 0) << solid.errors;
    expect_words(solid.output, {" 2 solids"});
}

TEST_F(SceneFile, ListsSayWhatIsWrongWithTheirColumns) {
    const std::string header = "minx,miny,minz,maxx,maxy,maxz,name\n";
    for (const auto& [text, named] : std::vector<std::pair<std::string, const char*>>{
             {"minx,miny,minz,maxx,maxy,name\n1,2,3,4,6,tree\n", "line 1: the header has no column maxz"},
             // Centres and sizes are no corners.
             {"cx,cy,cz,sx,sy,sz\n10,0,1,2,2,2\n", "line 1: a header is to name the columns minx, miny"},
             {"a b c d\n1 2 3 4\n", "line 1: a header is to name the columns"},
             {"minx,miny,minz,maxx,maxy,maxz,x min\n1,2,3,4,6,8,1\n", "two columns are named xmin"},
             {"minx,minx,miny,minz,maxx,maxy,maxz\n1,1,2,3,4,6,8\n", "two columns are named minx"},
             {header + "1,2,3,4,6,8\n", "line 2: the header has 7 columns, here are 6"},
             {header + "1,2,3,4,6,8,tree,9\n", "line 2: the header has 7 columns, here are 8"},
             {header + "1,2,3,4,6,8,a\n\n# c\n1,2,3,x,6,8,b\n", "line 5: 'x' is not a number"},
             {header + "1,2,3,4,6,8,\"tree\n", "line 2: a quote is not closed"},
             {header + "1,2,3,4,1,8,tree\n", "line 2: miny = 2 is greater than maxy = 1"},
             {header, "no boxes in it"},
             {"0 0 0 1 1 1\n1 2 3\n", "line 2: a box takes 6 numbers (minx miny minz maxx maxy maxz), here are 3"}}) {
        expect_bad("list.csv", text, named);
    }
}

TEST_F(SceneFile, FlatListsMayNameTheirColumns) {
    const json flat = report({"cull", write("flat.csv", "id;maxx;maxy;minx;miny\na;1;1;0;0\nb;9;9;8;8\n"), "--quiet",
                              "--window", "0.5,0.5,1,1"});
    EXPECT_EQ(flat.at("objects"), 2);
    EXPECT_EQ(flat.at("statistics").at("culled_plane"), 1);
}

TEST_F(SceneFile, ListsComeFromTheStandardInputToo) {
    const std::string list = write("list.csv", "name minx miny minz maxx maxy maxz\na 0 0 0 1 1 1\nb 5 0 0 6 1 1\n");
    const Read read = objects_of("-", list);
    EXPECT_EQ(read.report.at("scene").at("name"), "standard input");
    EXPECT_EQ(read.objects, objects_of(list).objects);
    expect_words(explained("-", "b", list), {"object 1 of 2: standard input", "name             b"});
    const std::string flat = write("flat.csv", "0 0 1 1\n5 5 6 6\n");
    const Result result = run({"cull", "-", "--window", "0,0,1,1"}, {}, flat);
    EXPECT_EQ(result.status, 0) << result.errors;
    expect_words(result.output, {"standard input: 2 boxes of the plane"});
    EXPECT_EQ(run({"cull", "-"}).errors, "lanecull: standard input: no boxes in it\n");
}

/// A group of an OBJ file is an object, with its name; of several materials, one each.
TEST_F(SceneFile, GroupsOfObjFilesAreObjects) {
    const std::string scene = write("house.obj",
                                    "mtllib none.mtl\no house\ng walls\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"
                                    "g roof left\nv 3 0 0\nv 4 0 0\nv 3 1 0\nf 5 6 7\ng door\nusemtl wood\nf 1 2 4\n"
                                    "usemtl glass\nf 2 3 4\n");
    std::map<std::string, int> names;
    const json objects = objects_of(scene).objects;
    for (const json& object : objects) ++names[object.at("name")];
    EXPECT_EQ(names, (std::map<std::string, int>{{"walls", 1}, {"roof left", 1}, {"door", 2}}));
    expect_words(explained(scene, "roof left"), {"centre           (3.5, 0.5, 0)", "size             1 x 1 x 0"});
    expect_error({"explain", scene, "--object", "door"}, wrong_usage, "2 objects have that name");
}

TEST_F(SceneFile, ObjectsOfGltfHaveTheirNodesNames) {
    const json named = objects_of(LANECULL_TEST_DATA "/gltf/percent_encoded_uri.gltf").objects;
    EXPECT_EQ(named.at(0).at("name"), "Kiste f\u00fcr \u00c4pfel \u7bb1");
}

/// A pyramid whose parts are two city objects, a road with a hole, and a tree of a template.
json city() {
    json file = json::parse(R"({
      "type": "CityJSON", "version": "1.1", "transform": {"scale": [0.5, 0.5, 0.5], "translate": [85000, 446000, 7]},
      "CityObjects": {
        "house <1>": {"type": "Building", "children": ["house <1>-0", "house <1>-1"], "geometry": [
          {"type": "MultiSurface", "lod": "0", "boundaries": [[[0, 1, 2, 3]]]}]},
        "house <1>-0": {"type": "BuildingPart", "parents": ["house <1>"], "geometry": [
          {"type": "Solid", "lod": "1.2", "boundaries": [[[[8, 9, 10]]]]},
          {"type": "Solid", "lod": "2.2", "boundaries": [[[[0, 1, 2, 3]], [[0, 1, 4]], [[1, 2, 4]]]]}]},
        "house <1>-1": {"type": "BuildingPart", "parents": ["house <1>"], "geometry": [
          {"type": "MultiSolid", "lod": 2, "boundaries": [[[[[2, 3, 4]], [[3, 0, 4]]]]]}]},
        "street": {"type": "Road", "geometry": [
          {"type": "CompositeSurface", "lod": "1", "boundaries": [[[8, 9, 10, 11, 12], [5, 6, 7]]]},
          {"type": "MultiLineString", "lod": "1", "boundaries": [[8, 13]]}]},
        "tree": {"type": "SolitaryVegetationObject", "geometry": [
          {"type": "GeometryInstance", "template": 0, "boundaries": [13],
           "transformationMatrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1]}]},
        "sign": {"type": "CityFurniture"}
      },
      "geometry-templates": {
        "templates": [{"type": "MultiPoint", "lod": "1", "boundaries": [0, 1]}],
        "vertices-templates": [[0, 0, 0], [1, 1, 1]]
      },
      "vertices": [[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0], [2, 2, 6], [21, 1, 0], [22, 1, 0], [21, 2, 0],
                   [20, 0, 0], [30, 0, 0], [30, 10, 0], [24, 6, 0], [20, 10, 0], [40, 40, 2]]})");
    return file;
}

TEST_F(SceneFile, CityJsonHasBuildingsWithNames) {
    const std::string scene = write("town.city.json", city().dump());
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
    json plain = city();
    plain.erase("transform");
    for (json& vertex : plain.at("vertices")) vertex[0] = vertex[0].get<double>() + 2677116.25;
    expect_words(explained(write("plain.cityjson", plain.dump()), "house <1>"),
                 {"centre           (2.25, 2, 3)", "size             4 x 4 x 6"});
    EXPECT_EQ(run({"cull", scene, "--frames", "2", "--quiet", "--picture", path("town.png")}).status, 0);
    EXPECT_EQ(run({"hull", scene, path("town.obj")}).status, 0);
    expect_words(this->read(path("town.obj")), {"o house <1>\n"});
}

TEST_F(SceneFile, CityJsonSaysWhatIsWrongWithIt) {
    for (const auto& [text, named] : std::vector<std::pair<std::string, const char*>>{
             {"", "not JSON"},
             {"{\"type\": \"CityJSON\"", "not JSON"},
             {"[]", "the document is to be an object"},
             {R"({"type": "FeatureCollection"})", "not CityJSON but GeoJSON"},
             {R"({"asset": {"version": "1.1"}, "geometricError": 1, "root": {}})", "not CityJSON but 3D Tiles"},
             {R"({"type": "CityJSON"})", "CityObjects is missing"},
             {R"({"type": "CityJSON", "CityObjects": {}})", "vertices is to be an array of points"},
             {R"({"type": "CityJSON", "vertices": [], "CityObjects": {}})", "no city objects"},
             {std::string(100'000, '['), "not JSON"}}) {
        expect_bad("town.json", text, named);
    }
    const std::string street = "/CityObjects/street/", geometry = street + "geometry/0/";
    const std::string instance = "/CityObjects/tree/geometry/0/";
    for (const auto& [pointer, value, named] : std::vector<std::tuple<std::string, json, const char*>>{
             {"/vertices/3", json{0, 1}, "vertices is to have points of three numbers, not [0,1]"},
             {"/vertices/3/1", "far", "vertices is to have points of three numbers"},
             {"/transform/scale", 2, "transform.scale is to be an array"},
             {"/transform", 2, "transform is to be an object"},
             {"/vertices/0/0", 1e300, "house <1> has vertex 0, which is beyond what floats hold"},
             {"/CityObjects", 1, "CityObjects is to be an object"},
             {"/CityObjects/street", 1, "street is to be an object"},
             {street + "geometry", 1, "street.geometry is to be an array"},
             {street + "geometry/0", 1, "street.geometry[0] is to be an object"},
             {geometry + "type", "Sphere", "street.geometry[0].type is Sphere, of which there is none"},
             {geometry + "type", "Solid", "street.geometry[0].boundaries is to have rings of indices, not 8"},
             {geometry + "boundaries/0/0/1", 14, "street.geometry[0].boundaries has 14, which is no index below 14"},
             {geometry + "boundaries/0/0/1", -1, "boundaries has -1, which is no index"},
             {geometry + "boundaries/0/0/1", 1.5, "boundaries has 1.5, which is no index"},
             {geometry + "boundaries/0/0/1", json::array(), "boundaries has [], which is no index"},
             {geometry + "boundaries", 3, "street.geometry[0].boundaries is to be deeper arrays"},
             {street + "parents", json{"street"}, "street has parents of parents without end"},
             {street + "parents", json{"nobody"}, "street.parents names nobody, which is not there"},
             {street + "parents", json{1}, "street.parents is to have strings in it"},
             {street + "type", 1, "street.type is to be a string"},
             {instance + "template", 1, "tree.geometry[0].template names number 1 of 1"},
             {instance + "transformationMatrix", json{1}, "transformationMatrix is to have 16 numbers, not 1"},
             {instance + "boundaries", json{1, 2}, "tree.geometry[0].boundaries is to be one index"},
             {"/geometry-templates/templates/0/type", "GeometryInstance",
              "geometry-templates.templates[0].type is that of an instance itself"}}) {
        json file = city();
        file[json::json_pointer(pointer)] = value;
        expect_bad("town.json", file.dump(), named);
    }
}

/// Two meshes. The hull of one is to the left of the view, and the box around it reaches into it.
TEST_F(SceneFile, MeshesHaveTheBoundsThatAreAskedFor) {
    const std::string scene = write("mesh.obj",
                                    "o left\nv 8 12 0\nv 9.9 20 0\nv 2 9 0\nv 2 9 2\nf 1 2 3\nf 1 2 4\nf 1 3 4\n"
                                    "o far\nv 50 9 0\nv 90 9 0\nv 50 20 2\nf 5 6 7\n");
    write("camera.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 10, "up": [0, 0, 1],
                             "cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}]})");
    const auto culled = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"cull", scene, "--path", path("camera.json"), "--quiet"});
        return report(more);
    };
    const auto expect = [](const json& data, int objects, int visible, const std::string& description) {
        EXPECT_EQ(data.at("scene").at("objects"), objects);
        EXPECT_EQ(data.at("scene").at("meshes"), 2);
        EXPECT_EQ(data.at("mean_per_frame").at("visible"), visible);
        EXPECT_EQ(data.at("scene").at("description"), "2 meshes of 7 different points, " + description);
    };
    const json hull = culled({}), box = culled({"--bounds", "box"});
    expect(hull, 2, 0, "by their hulls");
    expect(culled({"--bounds", "hull"}), 2, 0, "by their hulls");
    expect(box, 2, 1, "by boxes around them");
    EXPECT_EQ(hull.at("groups").at(0).at("kind"), "hull instances");
    EXPECT_EQ(box.at("groups").at(0).at("kind"), "boxes");
    EXPECT_EQ(box.at("groups").at(0).at("name"), "meshes");
    const auto explained_by = [&](const std::string& bounds) {
        return run({"explain", scene, "--object", "far", "--bounds", bounds}).output;
    };
    EXPECT_TRUE(explained_by("hull").starts_with("object 1 of 2: mesh.obj, meshes\n"));
    EXPECT_TRUE(explained_by("box").starts_with("object 1 of 2: mesh.obj, meshes\n"));
    const Result table = run({"cull", scene, "--frames", "2"});
    expect_words(table.output, {"mesh.obj: 2 objects (2 meshes of 7 different points, by their hulls)\n"});
    EXPECT_EQ(run({"cull", scene, "--frames", "2", "--bounds", "box", "--quiet", "--picture", path("a.png")}).status,
              0);
    expect_error({"cull", scene, "--bounds", "sphere"}, wrong_usage, "--bounds");
    expect_error({"cull", write("list.csv", "0 0 0 1 1 1\n"), "--bounds", "box"}, wrong_usage, "has no meshes");
    expect_error({"explain", "--objects", "20", "--object", "0", "--bounds", "box"}, wrong_usage, "city has no meshes");
    expect_error({"cull", write("flat.csv", "0 0 1 1\n"), "--bounds", "box"}, wrong_usage, "--bounds");
}

}  // namespace
