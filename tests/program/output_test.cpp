#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "program/program.hpp"

/// What the program writes: nothing is lost, and what cannot be written is said.

namespace {

namespace fs = std::filesystem;

class Output : public Program {
protected:
    [[nodiscard]] std::string boxes() const { return write("boxes.csv", "0 0 0 1 1 1\n3 0 0 4 1 1\n"); }
    [[nodiscard]] std::string camera() const {
        return write("camera.json", R"({"cameras": [{"eye": [-5, 0, 0], "target": [1, 0, 0]}]})");
    }

    /// Expects a refusal that names both, after which `kept` has its contents still.
    void expect_refusal(const std::vector<std::string>& arguments, const std::string& option, const std::string& other,
                        const std::string& kept) const {
        const std::string before = read(kept);
        expect_error(arguments, wrong_usage, option + " ");
        expect_error(arguments, wrong_usage, "the file of " + other);
        EXPECT_EQ(read(kept), before);
    }
};

TEST_F(Output, NeverWritesTwoThingsToOneFile) {
    for (const char* command : {"cull", "shadow"}) {
        const std::string file = write("out.png", "precious");
        const std::vector<std::string> arguments = {command,  boxes(),     "--frames",  "2", "--quiet",
                                                    "--json", "./out.png", "--picture", file};
        expect_refusal(arguments, "--picture", "--json", file);
    }
    fs::create_symlink(write("target.png", "precious"), path("link.png"));
    expect_error({"cull", boxes(), "--json", path("target.png"), "--picture", path("link.png")}, wrong_usage,
                 "--json as well");
}

TEST_F(Output, NeverOverwritesAnInput) {
    const std::string scene = boxes(), path_file = camera();
    expect_refusal({"cull", scene, "--frames", "2", "--json", scene}, "--json", "SCENE", scene);
    expect_refusal({"cull", scene, "--path", path_file, "--json", path_file}, "--json", "--path", path_file);
    expect_refusal({"shadow", scene, "--path", path_file, "--json", path_file}, "--json", "--path", path_file);
    const std::string flat = write("flat.csv", "0 0 1 1\n");
    expect_refusal({"cull", flat, "--json", flat}, "--json", "SCENE", flat);
    fs::create_hard_link(scene, path("same.svg"));
    expect_refusal({"explain", scene, "--object", "0", "--picture", path("same.svg")}, "--picture", "SCENE", scene);
    const std::string obj = write("in.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_refusal({"hull", obj, "./in.obj"}, "OUT", "IN", obj);
    const std::string question =
        write("q.svg", R"({"id": 1, "a": {"kind": "point", "p": [0, 0, 0]}, "b": {"kind": "point", "p": [1, 0, 0]}})");
    expect_refusal({"query", question, "--picture", question}, "--picture", "FILE", question);
}

TEST_F(Output, IsNamedByWhatItIs) {
    const std::string scene = boxes();
    expect_error({"cull", scene, "--picture", path("out.jpg")}, wrong_usage, ".png");
    expect_error({"cull", scene, "--picture", path("out")}, wrong_usage, ".png");
    expect_error({"cull", scene, "--picture", ""}, wrong_usage, "name");
    expect_error({"cull", write("flat.csv", "0 0 1 1\n"), "--picture", path("out.svg")}, wrong_usage, ".png");
    expect_error({"shadow", scene, "--picture", path("out.svg")}, wrong_usage, ".png");
    expect_error({"explain", scene, "--object", "0", "--picture", path("out.png")}, wrong_usage, ".svg");
    expect_error({"hull", write("in.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), path("out.stl")}, wrong_usage,
                 ".obj");
    EXPECT_EQ(run({"cull", scene, "--frames", "2", "--quiet", "--picture", path("out.PNG")}).status, 0);
}

TEST_F(Output, SaysThatTheDiskIsFull) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    const std::string scene = boxes();
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                      {"--version"},
                                                      {"cull", "--help"},
                                                      {"isa"},
                                                      {"cull", scene, "--frames", "2"},
                                                      {"explain", scene, "--object", "0"}}) {
        const Result result = run(arguments, {}, "/dev/null", "/dev/full");
        EXPECT_EQ(result.status, failed) << arguments.front();
        EXPECT_NE(result.errors.find("cannot write to the standard output"), std::string::npos) << result.errors;
    }
}

TEST_F(Output, SaysWhyAnInputCannotBeRead) {
    const std::string reason = "No such file";
    expect_error({"query", path("nosuch")}, failed, reason);
    expect_error({"query", path(".")}, failed, "directory");
    expect_error({"cull", path("nosuch.csv")}, failed, "no such file");
    expect_error({"cull", boxes(), "--path", path("nosuch.json")}, failed, reason);
}

/// Every value of an option that is wrong, whatever shows it: the command line is.
TEST_F(Output, TellsWrongValuesFromFailures) {
    const std::string scene = boxes();
    const auto refused = [&](std::vector<std::string> arguments, const std::string& named) {
        expect_error(arguments, wrong_usage, named);
    };
    refused({"cull", scene, "--fov", "0"}, "--fov");
    refused({"cull", scene, "--aspect", "0"}, "--aspect");
    refused({"cull", scene, "--near", "3", "--far", "2"}, "--near 3");
    refused({"cull", scene, "--near", "1e9"}, "--near 1000000000: the far plane");
    refused({"cull", scene, "--far", "1e-9"}, "--far 1e-09: the near plane");
    refused({"cull", scene, "--path", camera(), "--near", "1e9"}, "--near");
    refused({"cull", scene, "--isa", "mmx"}, "--isa");
    refused({"cull", scene, "--frames", "3", "--picture", "a.png", "--picture-frame", "3"}, "--picture-frame 3");
    refused({"cull", scene, "--picture", "a.png", "--method", "planes"}, "--method planes");
    refused({"cull", scene, "--method", "gjk"}, "--method");
    refused({"cull", scene, "--window", "0,0,1,1"}, "--window");
    refused({"explain", scene, "--object", "2"}, "--object 2");
    refused({"explain", scene, "--object", "0", "--frame", "300"}, "--frame 300");
    refused({"shadow", scene, "--sun-height", "91"}, "--sun-height");
    refused({"shadow", scene, "--picture", "a.png", "--picture-light", "300"}, "--picture-light 300");
    refused({"shadow", scene, "--frames", "3", "--picture", "a.png", "--picture-frame", "3"}, "--picture-frame 3");
    const std::string flat = write("flat.csv", "0 0 1 1\n");
    refused({"cull", flat, "--window", "1,2,-3,4"}, "--window");
    refused({"cull", flat, "--window", "nan,2,3,4"}, "--window");
    // The option that was given is the one that is named.
    for (const auto& [option, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"--frames", "3"}, {"--far", "3"}, {"--fov", "3"}, {"--up", "y"}}) {
        refused({"cull", flat, option, value}, std::string("lanecull: ") + option);
    }
}

}  // namespace
