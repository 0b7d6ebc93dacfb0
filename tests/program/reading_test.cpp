#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "program/program.hpp"

/// Whatever a file is, reading it ends in a scene or in a sentence.

namespace {

class Reading : public Program {
protected:
    [[nodiscard]] std::string cube() const {
        return write("cube.obj",
                     "o cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                     "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    }
    /// Without a camera path through the scene, which takes longer than reading.
    void expect_read(const std::string& name, const std::string& text) const {
        const Result result = run({"hull", write(name, text), path("hull.obj")});
        EXPECT_EQ(result.status, 0) << name;
        EXPECT_EQ(result.errors, "") << name;
    }
    void expect_refused(const std::string& name, const std::string& text, const std::string& words) const {
        expect_error({"cull", write(name, text)}, failed, words);
    }

    const std::string damaged_ = LANECULL_TEST_DATA "/damaged/";
};

TEST_F(Reading, DamagedFilesAreSentences) {
    // assimp 5.2 reads beyond a vector, which ends its process.
    expect_error({"cull", damaged_ + "cut_off.md5mesh"}, failed, "cut_off.md5mesh: the process that read it ");
    expect_error({"cull", damaged_ + "cube_cut_off.off"}, failed, "cube_cut_off.off: cut off: ");
    // 309 bytes that announce 353,535,235,358 points.
    expect_error({"cull", damaged_ + "many_points.off"}, failed, "many_points.off: cut off: ");
    expect_error({"cull", damaged_ + "center_size_header.csv"}, failed, "line 1: a header is to name the columns");
    expect_error({"cull", damaged_ + "verts_only.obj"}, failed, "no faces");
    for (const char* command : {"shadow", "sweep", "hull"}) {
        std::vector<std::string> arguments = {command, damaged_ + "cut_off.md5mesh"};
        if (arguments[0] == "hull") arguments.push_back(path("out.obj"));
        expect_error(arguments, failed, "cut_off.md5mesh: the process that read it ");
    }
    expect_error({"cull", cube(), "--path", damaged_ + "cut_off.md5mesh"}, failed, "cut_off.md5mesh: ");
}

/// assimp reads what is there.
TEST_F(Reading, WhatIsCutOffIsRefused) {
    const std::string dxf =
        "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\n0\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n12\n1\n22\n1\n32\n0\n"
        "13\n0\n23\n1\n33\n0\n0\nENDSEC\n0\nEOF\n";
    expect_read("whole.dxf", dxf);
    expect_refused("a.dxf", dxf.substr(0, dxf.find("0\nEOF")), "a.dxf: cut off: its last line is not 'EOF'");
    const std::string facet =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    const std::string stl = "solid a\n" + facet + facet;
    expect_read("whole.stl", stl + "endsolid a\n");
    expect_refused("a.stl", stl, "a.stl: cut off: its last line is not 'endsolid'");
    const std::string off = "OFF\n# a triangle\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    expect_read("whole.off", off);
    expect_read("colours.off", "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n\n3 0 1 2 255 0 0\n");
    expect_refused("a.off", off.substr(0, off.find("3 0 1 2")), "a.off: cut off: 3 lines of vertices and faces of 4");
    expect_refused("a.off", off.substr(0, off.size() - 3), "a.off: cut off within its last face");
    std::string md3 = "IDP3";
    md3.resize(108);
    md3[105] = 1;
    expect_refused("a.md3", md3, "a.md3: cut off: 108 bytes of 256 are there");
}

/// What assimp reads in part, it says in its log alone.
TEST_F(Reading, WhatAssimpCallsAnErrorIsOne) {
    expect_refused("a.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n0\n",
                   "a.off: assimp reads it only in part: OFF: ");
    expect_refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf\n", "assimp reads it only in part: Obj: ");
    // Materials are not read.
    expect_read("b.obj", "mtllib b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n");
}

TEST_F(Reading, HasLimitsThatTheEnvironmentSets) {
    std::string large = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i < 2000; ++i) large += "f 1 2 3\n";
    const std::vector<std::string> arguments = {"hull", write("large.obj", large), path("hull.obj")};
    EXPECT_EQ(run(arguments).status, 0);
#if !defined(LANECULL_SANITIZED)
    expect_error(arguments, failed, "large.obj: it takes more than 1 MiB of memory to read", "LANECULL_READ_MEMORY=1");
#endif
    for (const char* wrong : {"", "0", "-1", "x", "1.5", "99999999999999999999"}) {
        for (const std::string variable : {"LANECULL_READ_MEMORY", "LANECULL_READ_SECONDS"}) {
            expect_error(arguments, failed, variable + ": a whole number from 1 to ", variable + "=" + wrong);
        }
    }
}

TEST_F(Reading, FormatsThatAreNotReadAreNamed) {
    expect_refused("a.usda", "#usda 1.0\n", "it is USD, which is not read; what is read instead is glTF");
    expect_refused("robot.urdf", "<robot name=\"r\"/>\n", "it is URDF");
    expect_refused("a.geojson", "{}", "it is GeoJSON");
    expect_refused("a.json", R"({"type": "FeatureCollection", "features": []})", "not CityJSON but GeoJSON");
    expect_refused("tileset.json", R"({"asset": {"version": "1.1"}, "geometricError": 1, "root": {}})",
                   "not CityJSON but 3D Tiles");
    std::string entry("PK\1\2", 4);
    entry.resize(46);
    const std::string part = "3D/Objects/object_1.model";
    entry[28] = static_cast<char>(part.size());
    expect_refused("bambu.3mf", entry + part, "objects in other parts, such as 3D/Objects/object_1.model");
}

/// assimp names the instances of a type's shape alike; the product is what they are part of.
TEST_F(Reading, ObjectsOfIfcHaveTheirProductsNames) {
    const Result result =
        run({"cull", LANECULL_TEST_DATA "/mapped_item.ifc", "--frames", "1", "--quiet", "--ids", path("ids.json")});
    ASSERT_EQ(result.status, 0) << result.errors;
    const nlohmann::json objects = nlohmann::json::parse(read(path("ids.json"))).at("objects");
    ASSERT_EQ(objects.size(), 1U);
    EXPECT_NE(objects.at(0).at("name").get<std::string>().find("Chair"), std::string::npos) << objects;
}

/// Progress and warnings are lost; the work is not.
TEST_F(Reading, AStderrThatIsFullOrClosedEndsNothing) {
    const std::string scene = cube();
    const std::vector<std::string> commands = {
        "cull cube.obj --frames 5 --json out.json",
        "shadow cube.obj --frames 5 --json out.json",
        "sweep cube.obj --grid 4,4 --incidence out.json",
        "bake --objects 1000 --cell 64,64,2 --height 2 --out out.json",
        "view cube.obj --headless --frames 2",
        "cull nothing.obj",
    };
    const auto status_of = [&](const std::string& command, const std::string& redirection) {
        std::filesystem::remove(path("out.json"));
        const std::string line =
            "cd '" + path("") + "' && '" LANECULL_PROGRAM "' " + command + " >out.txt " + redirection;
        const int status = std::system(line.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    for (const std::string& command : commands) {
        const int status = status_of(command, "2>errors.txt");
        const bool writes = std::filesystem::exists(path("out.json"));
        EXPECT_LE(status, failed) << command;
        for (const char* redirection : {"2>/dev/full", "2>&-", "2>&- <&-"}) {
            EXPECT_EQ(status_of(command, redirection), status) << command << ' ' << redirection;
            EXPECT_EQ(std::filesystem::exists(path("out.json")), writes) << command << ' ' << redirection;
        }
    }
}

}  // namespace
