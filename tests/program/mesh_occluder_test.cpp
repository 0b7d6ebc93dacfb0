#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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
    [[nodiscard]] std::string meshes() const {
        write("path.json", R"({"up": [0, 0, 1], "cameras": [{"eye": [0, -40, 0], "target": [0, 0, 0]}]})");
        std::string text;
        int first = 1;
        const auto add = [&](const std::string& name, double x, double size, bool back, int faces, double y = 0) {
            text += cube(name, x - size / 2, y - size / 2, -size / 2, size, first, back, faces);
            first += 8;
        };
        add("wall", -16, 4, false, 6);
        add("open", -8, 4, false, 5);
        add("inside_out", 0, 4, true, 6);
        add("twice", 8, 4, false, 6);
        text += faces_of(first - 8);
        add("nested", 16, 4, false, 6);
        nest(text, 16, first);
        for (const double x : {-16.0, -8.0, 0.0, 8.0, 16.0}) {
            add("behind" + std::to_string(static_cast<int>(x)), 1.5 * x, 1, false, 6, 20);
        }
        return write("meshes.obj", text);
    }

    [[nodiscard]] std::vector<std::string> cull(const std::vector<std::string>& more) const {
        std::vector<std::string> all = {"cull",  meshes(), "--up",        "z", "--path", path("path.json"),
                                        "--far", "200",    "--occluders", "8", "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

private:
    /// Of the cube that has this as its first vertex.
    static std::string faces_of(int first) {
        const std::string text = cube("", 0, 0, 0, 1, first);
        return text.substr(text.find("f "));
    }
    /// A cube within the last, as part of the same mesh.
    static void nest(std::string& text, double x, int& first) {
        const std::string inner = cube("", x - 1, -1, -1, 2, first);
        text += inner.substr(inner.find("v "));
        first += 8;
    }
};

TEST_F(MeshOccluders, AreAllThatAreClosed) {
    const json all = report(cull({"--solid", "all-closed"}));
    const json& within = all.at("occluders").at("within_meshes");
    EXPECT_EQ(within.at("meshes"), 10);
    EXPECT_EQ(within.at("closed_meshes"), 9) << "but for the open one";
    EXPECT_EQ(within.at("boxes"), all.at("occluders").at("solids"));
    EXPECT_EQ(all.at("mean_per_frame").at("culled_occluded"), 4);
    const Result table = run([&] {
        std::vector<std::string> shown = cull({"--solid", "all-closed"});
        std::erase(shown, "--quiet");
        return shown;
    }());
    EXPECT_NE(table.output.find(" in 9 closed of 10 meshes"), std::string::npos) << table.output;
    // An object that was named before is not counted twice.
    EXPECT_EQ(report(cull({"--solid", "wall", "--solid", "all-closed"})).at("occluders").at("solids"),
              all.at("occluders").at("solids"));
}

TEST_F(MeshOccluders, AreWhatTheUserNames) {
    for (const char* name : {"wall", "inside_out", "twice", "nested"}) {
        for (const char* bounds : {"hull", "box", "both"}) {
            SCOPED_TRACE(std::string(name) + ", " + bounds);
            const json one = report(cull({"--solid", name, "--bounds", bounds}));
            EXPECT_EQ(one.at("occluders").at("within_meshes").at("meshes"), 1);
            EXPECT_GE(one.at("occluders").at("solids"), 1);
            // With both, the mesh behind and the box around it.
            EXPECT_EQ(one.at("mean_per_frame").at("culled_occluded"), std::string(bounds) == "both" ? 2 : 1);
        }
    }
    const json ordered = report(cull({"--solid", "wall", "--ordered"}));
    EXPECT_EQ(ordered.at("ordered").at("differences"), 0);
    expect_error(cull({"--solid", "open"}), wrong_usage, "mesh open of meshes.obj: not closed: the edge between");
    expect_error(cull({"--solid", "meshes"}), wrong_usage, "mesh open of meshes.obj: not closed");
    expect_error(cull({"--solid", "window"}), wrong_usage, "no group, object or mesh of meshes.obj has that name");
}

TEST_F(MeshOccluders, AreToldInOtherCommands) {
    const std::string scene = meshes();
    const std::vector<std::string> more = {"--up", "z",           "--path", path("path.json"), "--far",
                                           "200",  "--occluders", "8",      "--solid",         "all-closed"};
    const auto of = [&](std::vector<std::string> command) {
        command.insert(command.end(), more.begin(), more.end());
        return command;
    };
    const Result explained = run(of({"explain", scene, "--object", "behind-16"}));
    EXPECT_NE(explained.output.find("culled (occluded)"), std::string::npos) << explained.output << explained.errors;
    EXPECT_NE(explained.output.find("wall             object 0, meshes"), std::string::npos) << explained.output;
    const json shadow = report(of({"shadow", scene, "--quiet"}));
    EXPECT_EQ(shadow.at("within_meshes").at("closed_meshes"), 9);
    const Result table = run(of({"shadow", scene}));
    EXPECT_NE(table.output.find("solid boxes within meshes: "), std::string::npos) << table.output;
}

/// A roof has room for low boxes alone; its hull hides what stands behind its ridge as well.
TEST_F(MeshOccluders, AreHullsWhereBoxesFillLittle) {
    write("path.json", R"({"up": [0, 0, 1], "cameras": [{"eye": [0, -40, 0], "target": [0, 0, 0]}]})");
    std::string text = "o roof\n";
    for (const char* v : {"-6 -6 -6", "6 -6 -6", "6 6 -6", "-6 6 -6", "0 -6 6", "0 6 6"})
        text += "v " + std::string(v) + "\n";
    for (const char* f : {"1 4 3 2", "1 2 5", "3 4 6", "2 3 6 5", "4 1 5 6"}) text += "f " + std::string(f) + "\n";
    int first = 7, behind = 0;
    for (int z = -5; z <= 4; ++z, ++behind, first += 8) {
        text += cube("b" + std::to_string(z), 1.3 * (2 - z / 3.0), 20, 1.3 * z, 0.2, first);
    }
    const auto cull = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all = {
            "cull", write("roof.obj", text), "--up", "z",       "--path", path("path.json"), "--far",
            "200",  "--occluders",           "8",    "--solid", "roof",   "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const json with = report(cull({"--ordered"}));
    const json& occluders = with.at("occluders");
    EXPECT_EQ(occluders.at("within_meshes").at("hulls"), 1);
    EXPECT_EQ(occluders.at("solids"), occluders.at("within_meshes").at("boxes").get<int>() + 1);
    EXPECT_EQ(with.at("ordered").at("differences"), 0);
    EXPECT_EQ(with.at("mean_per_frame").at("culled_occluded"), behind);
    const Result table = run([&] {
        std::vector<std::string> shown = cull({});
        std::erase(shown, "--quiet");
        return shown;
    }());
    EXPECT_NE(table.output.find(" solid boxes and hulls"), std::string::npos) << table.output;
}

/// What the near plane cuts is hollow: a mesh hides nothing where it may reach the eye, even if its boxes do not.
TEST_F(MeshOccluders, HideNothingWhereTheirMeshReachesTheEye) {
    write("path.json", R"({"up": [0, 0, 1], "cameras": [{"eye": [0, -40, 0], "target": [0, 0, 0]}]})");
    const auto scene = [&](double foot) {
        std::string text = cube("wall", -4, 0, -4, 8, 1);
        const std::string part = cube("", -30, foot, -30, 0.5, 9);
        return write("scene.obj", text + part.substr(part.find("v ")) + cube("behind", -0.5, 20, -0.5, 1, 17));
    };
    const auto hidden = [&](const std::string& file) {
        return report({"cull", file, "--up", "z", "--path", path("path.json"), "--far", "200", "--quiet", "--solid",
                       "wall", "--occluders", "2"})
            .at("mean_per_frame")
            .at("culled_occluded")
            .get<int>();
    };
    EXPECT_EQ(hidden(scene(-38)), 1);
    EXPECT_EQ(hidden(scene(-42)), 0) << "the eye is in the box around the mesh";
}

TEST_F(MeshOccluders, AreNoneWhereNoMeshIsClosed) {
    const std::string flat = write("flat.obj", "o sheet\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n");
    const auto with = [&](const std::string& file, const char* name) {
        return std::vector<std::string>{"cull", file, "--occluders", "2", "--solid", name};
    };
    expect_error(with(flat, "all-closed"), wrong_usage, "none of the 1 mesh of flat.obj");
    expect_error(with(flat, "sheet"), wrong_usage, "is closed, but has no room for a box");
    // A cube whose lid has a hole: the triangles that are drawn cover it, the city's do not.
    const std::string city = write("city.json", R"({"type": "CityJSON", "version": "1.1",
        "transform": {"scale": [1, 1, 1], "translate": [0, 0, 0]}, "vertices": [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0],
        [0, 0, 9], [9, 0, 9], [9, 9, 9], [0, 9, 9], [3, 3, 9], [6, 3, 9], [6, 6, 9]], "CityObjects": {"shed": {
        "type": "Building", "geometry": [{"type": "Solid", "lod": "1", "boundaries": [[[[0, 3, 2, 1]],
        [[4, 5, 6, 7], [8, 10, 9]], [[0, 1, 5, 4]], [[1, 2, 6, 5]], [[2, 3, 7, 6]], [[3, 0, 4, 7]]]]}]},
        "house": {"type": "Building", "geometry": [{"type": "Solid", "lod": "1", "boundaries": [[[[0, 3, 2, 1]],
        [[4, 5, 6, 7]], [[0, 1, 5, 4]], [[1, 2, 6, 5]], [[2, 3, 7, 6]], [[3, 0, 4, 7]]]]}]}}})");
    expect_error(with(city, "shed"), wrong_usage, "holes");
    std::vector<std::string> house = with(city, "all-closed");
    house.emplace_back("--quiet");
    EXPECT_EQ(report(house).at("occluders").at("within_meshes").at("closed_meshes"), 1);
}

}  // namespace
