#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "program/program.hpp"

/// Solid boxes within the closed meshes of files: `--solid NAME` and `--solid all-closed`.

namespace {

using nlohmann::json;

/// A cube's faces as OBJ has them, by its vertices' numbers; `back` has them the other way round.
std::string cube(const std::string& name, double x, double y, double z, double size, int first, bool back = false,
                 int faces = 6) {
    std::string text = "o " + name + "\n";
    for (int i = 0; i < 8; ++i) {
        const auto at = [&](double low, int bit) { return std::to_string(low + ((i >> bit & 1) != 0 ? size : 0)); };
        text += "v " + at(x, 0) + " " + at(y, 1) + " " + at(z, 2) + "\n";
    }
    constexpr int sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < faces; ++f) {
        text += "f";
        for (int k = 0; k < 4; ++k) text += " " + std::to_string(first + sides[f][back ? 3 - k : k]);
        text += "\n";
    }
    return text;
}

/// Meshes of files: a closed wall, an open one, one that is inside out, one of two that are nested, and one twice; and
/// an object behind each.
class MeshOccluders : public Program {
protected:
    MeshOccluders() {
        write("path.json", R"({"up": [0, 0, 1], "cameras": [{"eye": [0, -40, 0], "target": [0, 0, 0]}]})");
        std::string text;
        int first = 1;
        const auto add = [&](const std::string& name, double x, double size, bool back, int faces, double y = 0) {
            text += cube(name, x - size / 2, y - size / 2, -size / 2, size, first, back, faces);
            first += 8;
        };
        /// The lines of a cube from those that begin so on: its faces, or its vertices too.
        const auto add_part = [&](const char* from, const std::string& part) { text += part.substr(part.find(from)); };
        add("wall", -16, 4, false, 6);
        add("open", -8, 4, false, 5);
        add("inside_out", 0, 4, true, 6);
        add("twice", 8, 4, false, 6);
        add_part("f ", cube("", 0, 0, 0, 1, first - 8));
        add("nested", 16, 4, false, 6);
        add_part("v ", cube("", 15, -1, -1, 2, first));
        first += 8;
        for (const int x : {-16, -8, 0, 8, 16}) add("behind" + std::to_string(x), 1.5 * x, 1, false, 6, 20);
        write("meshes.obj", text);
    }

    const std::string scene_ = " meshes.obj --up z --path path.json --far 200 --occluders 8 ";
    const std::string cull_ = "cull" + scene_ + "--quiet --solid ";

    static int hidden(const json& report) { return report.at("mean_per_frame").at("culled_occluded"); }
};

TEST_F(MeshOccluders, AreAllThatAreClosed) {
    const json all = report_of(cull_ + "all-closed");
    const json& within = all.at("occluders").at("within_meshes");
    EXPECT_EQ(within.at("meshes"), 10);
    EXPECT_EQ(within.at("closed_meshes"), 9) << "but for the open one";
    EXPECT_EQ(within.at("boxes"), all.at("occluders").at("solids"));
    EXPECT_EQ(hidden(all), 4);
    const std::string table = output_of("cull" + scene_ + "--solid all-closed");
    EXPECT_NE(table.find(" in 9 closed of 10 meshes"), std::string::npos) << table;
    // An object that was named before is not counted twice.
    EXPECT_EQ(report_of(cull_ + "wall --solid all-closed").at("occluders").at("solids"),
              all.at("occluders").at("solids"));
}

TEST_F(MeshOccluders, AreWhatTheUserNames) {
    for (const std::string name : {"wall", "inside_out", "twice", "nested"}) {
        for (const std::string bounds : {"hull", "box"}) {
            SCOPED_TRACE(name + ", " + bounds);
            const json one = report_of(cull_ + name + " --bounds " + bounds);
            EXPECT_EQ(one.at("occluders").at("within_meshes").at("meshes"), 1);
            EXPECT_GE(one.at("occluders").at("solids"), 1);
            EXPECT_EQ(hidden(one), 1);
        }
    }
    EXPECT_EQ(report_of(cull_ + "wall --ordered").at("ordered").at("differences"), 0);
    for (const auto& [name, named] : {std::pair("open", "mesh open of meshes.obj: not closed: the edge between"),
                                      std::pair("meshes", "mesh open of meshes.obj: not closed"),
                                      std::pair("window", "no group, object or mesh of meshes.obj has that name")}) {
        expect_error(words(cull_ + name), wrong_usage, named);
    }
}

TEST_F(MeshOccluders, AreToldInOtherCommands) {
    const std::string explained = output_of("explain" + scene_ + "--solid all-closed --object behind-16");
    EXPECT_NE(explained.find("culled (occluded)"), std::string::npos) << explained;
    EXPECT_NE(explained.find("wall             object 0, meshes"), std::string::npos) << explained;
    const json shadow = report_of("shadow" + scene_ + "--quiet --solid all-closed");
    EXPECT_EQ(shadow.at("within_meshes").at("closed_meshes"), 9);
}

/// A roof has room for low boxes alone; its hull hides what stands behind its ridge as well.
TEST_F(MeshOccluders, AreHullsWhereBoxesFillLittle) {
    std::string text = "o roof\n";
    for (const char* v : {"-6 -6 -6", "6 -6 -6", "6 6 -6", "-6 6 -6", "0 -6 6", "0 6 6"})
        text += "v " + std::string(v) + "\n";
    for (const char* f : {"1 4 3 2", "1 2 5", "3 4 6", "2 3 6 5", "4 1 5 6"}) text += "f " + std::string(f) + "\n";
    int first = 7, behind = 0;
    for (int z = -5; z <= 4; ++z, ++behind, first += 8) {
        text += cube("b" + std::to_string(z), 1.3 * (2 - z / 3.0), 20, 1.3 * z, 0.2, first);
    }
    write("meshes.obj", text);
    const json with = report_of(cull_ + "roof --ordered");
    const json& occluders = with.at("occluders");
    EXPECT_EQ(occluders.at("within_meshes").at("hulls"), 1);
    EXPECT_EQ(occluders.at("solids"), occluders.at("within_meshes").at("boxes").get<int>() + 1);
    EXPECT_EQ(with.at("ordered").at("differences"), 0);
    EXPECT_EQ(hidden(with), behind);
}

TEST_F(MeshOccluders, AreInscribedInCapsules) {
    const json with =
        report_of("cull --objects 3000 --frames 2 --path street --occluders 8 --solid posts --solid posts");
    std::uint64_t solids = 0;
    for (const json& group : with.at("groups")) {
        const std::string name = group.at("name");
        if (name.ends_with("buildings") || name == "posts") solids += group.at("objects").get<std::uint64_t>();
    }
    EXPECT_EQ(with.at("occluders").at("solids"), solids) << "each once";
}

TEST_F(MeshOccluders, AreInscribedInCylinders) { expect_answers("a pillar before a ball"); }

/// What the near plane cuts is hollow: a mesh hides nothing where it may reach the eye, even if its boxes do not.
TEST_F(MeshOccluders, HideNothingWhereTheirMeshReachesTheEye) {
    for (const auto& [foot, expected] : {std::pair(-38, 1), std::pair(-42, 0)}) {
        const std::string part = cube("", -30, foot, -30, 0.5, 9);
        write("meshes.obj",
              cube("wall", -4, 0, -4, 8, 1) + part.substr(part.find("v ")) + cube("behind", -0.5, 20, -0.5, 1, 17));
        EXPECT_EQ(hidden(report_of(cull_ + "wall")), expected) << "below -40 the eye is in the box around the mesh";
    }
}

/// A cube of a city whose lid has a hole is not closed: the triangles that are drawn cover it, the city's do not.
TEST_F(MeshOccluders, AreNoneWhereNoMeshIsClosed) {
    expect_refusals("meshes that are not closed");
    const json within = report_of("cull city.json --occluders 2 --quiet --solid all-closed").at("occluders");
    EXPECT_EQ(within.at("within_meshes").at("closed_meshes"), 1);
}

}  // namespace
