#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include <lanecull/library.h>

#include "program/program.hpp"

/// What each command refuses: one line that names the option or file, the exit status, and no file that came or went.

namespace {

namespace fs = std::filesystem;

constexpr const char* triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

class Errors : public Program {
protected:
    Errors() {
        write("boxes.csv", "0 0 0 1 1 1\n3 0 0 4 1 1\n");
        write("flat.csv", "0 0 1 1\n");
        write("mesh.obj", triangle);
        write("camera.json", R"({"cameras": [{"eye": [-5, 0, 0], "target": [1, 0, 0]}]})");
    }
};

TEST_F(Errors, WrongCommandLines) {
    expect_errors({{"", wrong_usage, "command"},
                   {"dance", wrong_usage, "there is no command dance"},
                   {"cul boxes.csv --frames 2", wrong_usage, "there is no command cul"},
                   {"cull --no-such-option", wrong_usage, "--no-such-option"},
                   {"isa --no-such-option", wrong_usage, "--no-such-option"},
                   {"cull a.obj b.obj", wrong_usage, "b.obj"},
                   {"cull a.obj --objects 10", wrong_usage, "--objects"},
                   {"cull --objects many", wrong_usage, "--objects"},
                   {"cull --objects 0", wrong_usage, "--objects"},
                   {"cull --objects -1", wrong_usage, "--objects"},
                   {"cull --objects 4294967296", wrong_usage, "--objects"},
                   {"cull --frames 0", wrong_usage, "--frames: 1 to 1000000 is allowed, not 0"},
                   {"cull --threads -2", wrong_usage, "--threads"},
                   {"cull --isa avx3", wrong_usage, "--isa avx3"},
                   {"cull --window 0,0,1,1", wrong_usage, "--window"},
                   {"cull --picture-width 10", wrong_usage, "--picture-width"},
                   {"cull --fov 0", wrong_usage, "--fov: 0.01 to 179 is allowed, not 0"},
                   {"cull --fov nan", wrong_usage, "--fov"},
                   {"cull --aspect 0", wrong_usage, "--aspect"},
                   {"cull --near 3 --far 2", wrong_usage, "--near 3"},
                   {"cull --far 1e300", wrong_usage, "--far"},
                   {"cull boxes.csv --near 1e9", wrong_usage, "--near 1000000000: the far plane"},
                   {"cull boxes.csv --far 1e-9", wrong_usage, "--far 1e-09: the near plane"},
                   {"cull boxes.csv --path camera.json --near 1e9", wrong_usage, "--near"},
                   {"cull boxes.csv --path street", wrong_usage, "--path street"},
                   {"cull flat.csv --path street", wrong_usage, "--path street"},
                   {"cull boxes.csv --frames 3 --picture a.png --picture-frame 3", wrong_usage, "--picture-frame 3"},
                   {"cull --read lights", wrong_usage, "--read"},
                   {"cull mesh.obj --read lights", wrong_usage, "--read lights is of glTF; mesh.obj is none"},
                   {"cull mesh.gltf --read trees", wrong_usage, "--read"},
                   {"cull mesh.obj --deviations 2", wrong_usage, "--deviations: mesh.obj has no splats"},
                   {"cull mesh.obj --deviations 0", wrong_usage, "--deviations"},
                   {"cull --occluders 65", wrong_usage, "--occluders"},
                   {"cull --occluders -1", wrong_usage, "--occluders"},
                   {"cull --margin-pixels 1", wrong_usage, "--occluders"},
                   {"cull --solid cars", wrong_usage, "--occluders"},
                   {"cull --occluders 8 --margin-pixels -1", wrong_usage, "--margin-pixels"},
                   {"cull --occluders 8 --margin-pixels nan", wrong_usage, "--margin-pixels"},
                   {"explain", wrong_usage, "--object"},
                   {"explain --object -1", wrong_usage, "--object"},
                   {"explain --object many", wrong_usage, "the city's objects have numbers"},
                   {"explain --object 0 --frame -1", wrong_usage, "--frame"},
                   {"explain --objects 20 --frames 5 --object 0 --frame 5", wrong_usage, "--frame 5: the frames are"},
                   {"explain --objects 20 --object 20", wrong_usage, "--object 20: the scene has 20 objects, 0 to 19"},
                   {"explain boxes.csv --object 0 --path street", wrong_usage, "--path street"},
                   {"hull", wrong_usage, "IN"},
                   {"hull mesh.obj", wrong_usage, "OUT"},
                   {"hull mesh.obj out.obj --corners 3", wrong_usage, "--corners"},
                   {"shadow boxes.csv --path street", wrong_usage, "--path street"},
                   {"shadow --cascades 17", wrong_usage, "--cascades"},
                   {"shadow --lamps -1", wrong_usage, "--lamps"},
                   {"shadow --sun-height 91", wrong_usage, "--sun-height"},
                   {"shadow --sun-height up", wrong_usage, "--sun-height"},
                   {"shadow --sun-height nan", wrong_usage, "--sun-height"},
                   {"shadow --sun-bearing 1e9", wrong_usage, "--sun-bearing"},
                   {"shadow --lamp-range -1", wrong_usage, "--lamp-range"},
                   {"shadow --margin-pixels 1", wrong_usage, "--margin-pixels"},
                   {"shadow --picture-light 0", wrong_usage, "--picture"},
                   {"shadow boxes.csv --picture a.png --picture-light 300", wrong_usage, "--picture-light 300"},
                   {"shadow boxes.csv --frames 3 --picture a.png --picture-frame 3", wrong_usage, "--picture-frame 3"},
                   {"sweep --grid 0,4", wrong_usage, "--grid"},
                   {"sweep --grid 4", wrong_usage, "--grid"},
                   {"sweep --by pixels", wrong_usage, "--by"},
                   {"sweep --by unhidden", wrong_usage, "--by unhidden"},
                   {"sweep --by casters --no-casters", wrong_usage, "--by"},
                   {"sweep --bundle 0", wrong_usage, "--bundle"},
                   {"sweep --far -1", wrong_usage, "--far"}});
}

TEST_F(Errors, FilesThatCannotBeRead) {
    write("empty.csv", "");
    write("comments.csv", "# nothing\n\n");
    write("noise.obj", "this is no mesh\n");
    write("noise.gltf", "{\"asset\": [");
    write("noise.unknown", "?");
    write("nan.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n");
    write("huge.obj", "v 0 0 0\nv 1 0 0\nv 0 1e300 0\nf 1 2 3\n");
    expect_errors({{"query nosuch", failed, "No such file"},
                   {"query .", failed, "directory"},
                   {"cull nosuch.csv", failed, "no such file"},
                   {"cull boxes.csv --path nosuch.json", failed, "nosuch.json: No such file"},
                   {"cull missing.obj", failed, "missing.obj"},
                   {"cull .", failed, "."},
                   {"cull empty.csv", failed, "empty.csv"},
                   {"cull comments.csv", failed, "comments.csv"},
                   {"cull noise.obj", failed, "noise.obj"},
                   {"cull noise.gltf", failed, "noise.gltf"},
                   {"cull noise.unknown", failed, "noise.unknown"},
                   {"cull nan.obj", failed, "nan.obj"},
                   {"cull huge.obj", failed, "huge.obj"},
                   {"explain missing.obj --object 0", failed, "missing.obj"},
                   {"explain flat.csv --object 0", failed, "flat"},
                   {"shadow flat.csv", failed, "flat"},
                   {"hull missing.obj out.obj", failed, "missing.obj"},
                   {"hull nan.obj out.obj", failed, "nan.obj"},
                   {"hull boxes.csv out.obj", failed, "boxes.csv"},
                   {"shadow boxes.csv --occluders 4", failed, "--solid names what is"},
                   {"sweep boxes.csv --occluders 4", failed, "nothing in boxes.csv is solid"},
                   {"cull --objects 4294967295 --quiet", failed, "--objects 4294967295"}});
    expect_error({"cull", "boxes.csv"}, failed, "avx3", "LANECULL_ISA=avx3");
    expect_error({"explain", "boxes.csv", "--object", "0"}, failed, "avx3", "LANECULL_ISA=avx3");
    expect_error({"isa"}, failed, "avx3", "LANECULL_ISA=avx3");
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (!isa_runnable(isa)) expect_error({"cull", "--isa", isa_name(isa)}, failed, isa_name(isa));
    }
    if (geteuid() == 0) return;  // who may read everything
    fs::permissions(write("secret.csv", "0 0 0 1 1 1\n"), fs::perms::none);
    expect_error({"cull", "secret.csv"}, failed, "secret.csv");
}

/// A file of that place or kind cannot be written.
TEST_F(Errors, FilesThatCannotBeWritten) {
    fs::create_directory(path("folder.png"));
    expect_errors({{"cull boxes.csv --json no/such/report.json", failed, "no/such/report.json"},
                   {"cull boxes.csv --json .", failed, "."},
                   {"cull boxes.csv --html no/page.html", failed, "no/page.html"},
                   {"cull boxes.csv --ids no/list.csv", failed, "no/list.csv"},
                   {"shadow boxes.csv --picture no/map.png", failed, "no/map.png"},
                   {"shadow boxes.csv --picture folder.png", failed, "cannot write"},
                   {"hull mesh.obj no/such/out.obj", failed, "no/such/out.obj"},
                   {"cull boxes.csv --picture out.jpg", wrong_usage, ".png"},
                   {"cull boxes.csv --picture out", wrong_usage, ".png"},
                   {"cull flat.csv --picture out.svg", wrong_usage, ".png"},
                   {"cull boxes.csv --html page.htm", wrong_usage, ".html"},
                   {"cull boxes.csv --ids ids.txt", wrong_usage, ".csv or .json"},
                   {"shadow boxes.csv --picture out.svg", wrong_usage, ".png"},
                   {"hull mesh.obj out.stl", wrong_usage, ".obj"}});
    expect_error({"cull", "boxes.csv", "--picture", ""}, wrong_usage, "name");
    EXPECT_EQ(output_of("cull boxes.csv --frames 2 --quiet --picture out.PNG"), "");
}

/// Options of scenes in space, where the scene is flat: the one that was given is named.
TEST_F(Errors, OptionsOfOtherScenes) {
    write("long.csv", "0 0 1 1\n0 0 1\n");
    write("upside.csv", "0 0 1 1\n0 2 1 1\n");
    expect_errors({{"cull flat.csv --frames 3", wrong_usage, "lanecull: --frames"},
                   {"cull flat.csv --far 3", wrong_usage, "lanecull: --far"},
                   {"cull flat.csv --fov 3", wrong_usage, "lanecull: --fov"},
                   {"cull flat.csv --up y", wrong_usage, "lanecull: --up"},
                   {"cull flat.csv --ordered", wrong_usage, "--ordered"},
                   {"cull flat.csv --occluders 8", wrong_usage, "--occluders"},
                   {"cull flat.csv --html page.html", wrong_usage, "--html"},
                   {"cull flat.csv --ids a.csv", wrong_usage, "--ids"},
                   {"cull flat.csv --window 1,2,3", wrong_usage, "--window"},
                   {"cull flat.csv --window 1,2,0,3", wrong_usage, "--window"},
                   {"cull flat.csv --window 1,2,-3,4", wrong_usage, "--window"},
                   {"cull flat.csv --window nan,2,3,4", wrong_usage, "--window"},
                   {"cull boxes.csv --window 0,0,1,1", wrong_usage, "--window"},
                   {"cull long.csv", failed, "line 2"},
                   {"cull upside.csv", failed, "miny"}});
}

/// Two outputs, or an output and an input, that are one file by whatever names: it keeps what it has.
TEST_F(Errors, FilesThatWouldBeLost) {
    fs::create_symlink(write("target.png", "precious"), path("link.png"));
    fs::create_hard_link(path("boxes.csv"), path("same.json"));
    write("q.svg", R"({"id": 1, "a": {"kind": "point", "p": [0, 0, 0]}, "b": {"kind": "point", "p": [1, 0, 0]}})");
    std::vector<std::string> before;
    for (const std::string& file : files()) before.push_back(read(path(file)));
    expect_errors({{"cull boxes.csv --json ./target.png --picture target.png", wrong_usage, "--json as well"},
                   {"shadow boxes.csv --json ./target.png --picture target.png", wrong_usage, "--json as well"},
                   {"cull boxes.csv --json target.png --picture link.png", wrong_usage, "--json as well"},
                   {"cull boxes.csv --html a.html --json a.html", wrong_usage, "--json as well"},
                   {"cull boxes.csv --ids a.json --json a.json", wrong_usage, "--json as well"},
                   {"sweep --csv a.csv --json a.csv", wrong_usage, "--json"},
                   {"cull boxes.csv --json boxes.csv", wrong_usage, "--json boxes.csv: that is the file of SCENE"},
                   {"cull boxes.csv --json same.json", wrong_usage, "the file of SCENE"},
                   {"cull boxes.csv --ids boxes.csv", wrong_usage, "the file of SCENE"},
                   {"cull boxes.csv --path camera.json --json camera.json", wrong_usage, "the file of --path"},
                   {"shadow boxes.csv --path camera.json --json camera.json", wrong_usage, "the file of --path"},
                   {"cull flat.csv --json flat.csv", wrong_usage, "the file of SCENE"},
                   {"hull mesh.obj ./mesh.obj", wrong_usage, "the file of IN"},
                   {"query q.svg --picture q.svg", wrong_usage, "the file of FILE"},
                   {"cull missing.obj --json target.png", failed, "missing.obj"}});
    std::vector<std::string> after;
    for (const std::string& file : files()) after.push_back(read(path(file)));
    EXPECT_EQ(before, after);
}

TEST_F(Errors, LinesOfBoxes) {
    const std::string good = "0 0 0 1 1 1\n";
    for (const auto& [line, named] :
         std::initializer_list<std::pair<const char*, const char*>>{{"0 0 0 nan 1 1", "nan"},
                                                                    {"0 0 0 inf 1 1", "inf"},
                                                                    {"0 0 -inf 1 1 1", "-inf"},
                                                                    {"0 0 0 1e39 1 1", "1e39"},
                                                                    {"0 0 0 1 1", "6 numbers"},
                                                                    {"0 0 0 1 1 1 1", "6 numbers"},
                                                                    {"0 0 zero 1 1 1", "zero"},
                                                                    {"0,0,0,1,,1", "line 2"},
                                                                    {"0 5 0 1 1 1", "miny"},
                                                                    {"0;0;0;1;1", "6 numbers"},
                                                                    {"0,0,0,1,1,1,", "6 numbers, here are more"},
                                                                    {",", "6 numbers"},
                                                                    {"0,5;0;0;1;1;1", "6 numbers"}}) {
        write("boxes.csv", good + line + "\n" + good);
        expect_error({"cull", "boxes.csv", "--json", "report.json"}, failed, "line 2");
        expect_error({"cull", "boxes.csv"}, failed, named);
    }
    for (const char* first : {"0|0|0|1|1|1 1\n", "one 0 0 0 1 1 1\n", "0,0,0,1,1,1,\n", "0,0,1,1,\n"}) {
        write("boxes.csv", first + good);
        expect_error({"cull", "boxes.csv"}, failed, "line 1");
    }
    for (const char* list : {"1 2 3 4 5\n", "1 2 3 4 5 x\n1 2 3 4 5 6\n", "0 0 0 0 0 1\n", "0 0 0 0 0 0\n", "\n"}) {
        write("list.txt", list);
        expect_error({"sweep", "--objects", "100", "--views", "list.txt"}, failed, "list.txt");
    }
}

TEST_F(Errors, FullDisks) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    for (const char* line :
         {"--help", "--version", "cull --help", "isa", "cull boxes.csv --frames 2", "explain boxes.csv --object 0"}) {
        const Result result = run(words(line), {}, "/dev/null", "/dev/full");
        EXPECT_EQ(result.status, failed) << line;
        EXPECT_NE(result.errors.find("cannot write to the standard output"), std::string::npos) << result.errors;
    }
}

}  // namespace
