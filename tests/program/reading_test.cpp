#include <gtest/gtest.h>

#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "program/program.hpp"

/// Whatever a file is, reading it ends in a scene or in a sentence.

namespace {

class Reading : public Program {
protected:
    void expect_read(const std::string& name, const std::string& text) const {
        const Result result = run({"hull", write(name, text), path("hull.obj")});
        EXPECT_EQ(result.status, 0) << name;
        EXPECT_EQ(result.errors, "") << name;
    }

    const std::string cube_ = write("cube.obj",
                                    "o cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
};

/// assimp 5.2 reads beyond a vector, which ends its process.
TEST_F(Reading, WhatEndsItsReaderIsASentence) { expect_refusals("what ends its reader"); }

/// What assimp would read in part: what is cut off, of which it says nothing, and what its log alone calls an error.
/// And formats that are not read.
TEST_F(Reading, WhatIsReadInPartIsRefused) {
    expect_refusals("what is read in part");
    expect_read("whole.dxf", read(path("a.dxf")) + "0\nEOF\n");
    expect_read("whole.stl", read(path("a.stl")) + "endsolid a\n");
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
    const std::vector<std::string> commands = {
        "cull cube.obj --frames 5 --json out.json",  "shadow cube.obj --frames 5 --json out.json",
        "sweep cube.obj --grid 4,4 --json out.json", "bake --objects 1000 --cell 64,64,2 --height 2 --out out.json",
        "view cube.obj --headless --frames 2",       "cull nothing.obj",
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
