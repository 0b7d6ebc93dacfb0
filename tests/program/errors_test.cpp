#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include <lanecull/library.h>

#include "program/program.hpp"

/// What each command refuses: one line that names the option or file, the exit status, and no file that came or went.

namespace {

namespace fs = std::filesystem;

using Errors = Program;

TEST_F(Errors, WrongCommandLines) { expect_refusals("command lines"); }

TEST_F(Errors, OptionsOfOtherScenes) { expect_refusals("options of scenes in space, where the scene is flat"); }

TEST_F(Errors, FilesThatCannotBeRead) {
    expect_refusals("files that cannot be read");
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

TEST_F(Errors, FilesThatCannotBeWritten) {
    fs::create_directory(path("folder.png"));
    expect_refusals("files of a place or kind that cannot be written");
    EXPECT_EQ(output_of("cull boxes.csv --frames 2 --quiet --picture out.PNG"), "");
}

/// Two outputs, or an output and an input, that are one file by whatever names: it keeps what it has.
TEST_F(Errors, FilesThatWouldBeLost) {
    fs::create_symlink(path("target.png"), path("link.png"));
    fs::create_hard_link(write("boxes.csv", ""), path("same.json"));
    expect_refusals("files that would be lost");
}

TEST_F(Errors, LinesOfLists) { expect_refusals("lines of boxes"), expect_refusals("lists of views"); }

TEST_F(Errors, FullDisks) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    write("boxes.csv", "0 0 0 1 1 1\n");
    for (const char* line :
         {"--help", "--version", "cull --help", "isa", "cull boxes.csv --frames 2", "explain boxes.csv --object 0"}) {
        const Result result = run(words(line), {}, "/dev/null", "/dev/full");
        EXPECT_EQ(result.status, failed) << line;
        EXPECT_NE(result.errors.find("cannot write to the standard output"), std::string::npos) << result.errors;
    }
}

}  // namespace
