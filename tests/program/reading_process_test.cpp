#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "../../tools/lanecull/support/files.hpp"
#include "scene/formats.hpp"
#include "scene/reading.hpp"
#include "support/error.hpp"
#include "support/random.hpp"
#include "support/reading_process.hpp"

/// Readers that do everything that a file could make them do, and what they hand back.

namespace {

using namespace lanecull::program;

constexpr ReadingLimits enough{std::size_t{1} << 33, 60};

std::string misbehave(std::string_view request) {
    if (request == "crash") std::raise(SIGSEGV);
    if (request == "abort") std::abort();
    if (request == "exit") std::exit(0);
    if (request == "throw") throw 1;
    if (request == "fail") fail("town.obj: line {} is none", 7);
    if (request == "usage") refuse("--far is none");
    if (request == "print") std::puts("to stdout"), std::fputs("to stderr\n", stderr);
    if (request == "endless") {
        for (std::atomic<unsigned> n = 0;;) ++n;
    }
    if (request == "greedy") {
        std::vector<std::string> all;
        for (;;) all.emplace_back(std::size_t{1} << 24, 'x');
    }
    if (request == "large") return std::string(std::size_t{1} << 26, 'y');
    return "answer to " + std::string(request);
}

std::string answer(const std::string& request, const ReadingLimits& limits = enough) {
    return std::string(read_apart("town.obj", limits, [&] { return misbehave(request); }).text());
}

template <class Failure = Error>
std::string failure(const std::string& request, const ReadingLimits& limits = enough) {
    try {
        return "no failure, but " + answer(request, limits).substr(0, 80);
    } catch (const Failure& error) {
        return error.what();
    }
}

void expect_words(const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(ReadApart, OutlivesItsReaders) {
    EXPECT_EQ(answer("a"), "answer to a");
    EXPECT_EQ(answer("large"), std::string(std::size_t{1} << 26, 'y'));
    EXPECT_EQ(answer("bc"), "answer to bc") << "nothing of the longer answer is left";
    expect_words(failure("exit"), "town.obj: the process that read it ended with status 0");
    EXPECT_EQ(failure("fail"), "town.obj: line 7 is none");
    EXPECT_EQ(failure<WrongUsage>("usage"), "--far is none");
    EXPECT_EQ(answer("print"), "answer to print");
    EXPECT_EQ(answer(""), "answer to ");
}

/// Each is one sentence that says of the file what became of its reader, and the next reader answers.
TEST(ReadApart, SaysHowAReaderEnded) {
    const auto expect_end = [](const char* request, const std::string& words, const ReadingLimits& limits) {
        SCOPED_TRACE(request);
        const std::string said = failure(request, limits);
        EXPECT_TRUE(said.starts_with("town.obj: ")) << said;
        expect_words(said, words);
        EXPECT_EQ(answer("next"), "answer to next");
    };
    expect_end("endless", "it takes more than 1 s to read", {enough.memory, 1});
#if !defined(LANECULL_SANITIZED)
    expect_end("greedy", "it takes more than 256 MiB of memory to read", {std::size_t{1} << 28, 60});
    expect_end("crash", "was ended by the signal 11, Segmentation fault", enough);
    expect_end("abort", "was ended by the signal 6, Aborted", enough);
    expect_end("throw", "was ended by the signal 6, Aborted", enough);
#endif
}

/// As the program reads camera paths when many threads have searched scenes: they hold locks when a reader is forked.
TEST(ReadApart, AnswersWhileThreadsRun) {
    std::atomic<bool> is_over = false;
    std::thread busy([&] {
        while (!is_over) std::string(1000, 'z').swap(*std::make_unique<std::string>());
    });
    for (int i = 0; i < 20; ++i) EXPECT_EQ(answer("a"), "answer to a");
    is_over = true;
    busy.join();
}

std::string pyramid() {
    return "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
           "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n2 0 0\n2 2 0\n0 2 0\n1 1 3\n4 0 1 2 3\n3 0 1 4\n";
}

/// Two objects of each kind.
Scene all_kinds() {
    Scene scene = parse_ply(pyramid(), "pyramid.ply");
    const auto add = [&](const char* name, auto kind, const auto&... numbers) {
        for (int i = 0; i < 2; ++i) kind.add(numbers...);
        scene.add(name, std::move(kind), {"one", "another"});
    };
    const glm::vec3 one(1), two(2, 3, 4);
    add("spheres", SphereArrays(), one, 2.0F);
    add("boxes", BoxArrays(), one, two);
    add("centred boxes", CenteredBoxArrays(), one, two);
    add("oriented boxes", OrientedBoxArrays(), one, glm::mat3(1), two);
    add("capsules", CapsuleArrays(), one, two, 1.0F);
    add("cylinders", CylinderArrays(), one, two, 1.0F);
    add("cones", ConeArrays(), one, two, 1.0F);
    add("round cones", RoundConeArrays(), one, two, 1.0F);
    add("ellipsoids", EllipsoidArrays(), one, glm::vec4(0, 0, 0, 1), two);
    return scene;
}

TEST(SceneBytes, AreTheScene) {
    const Scene scene = parse_ply(pyramid(), "pyramid.ply");
    const std::string bytes = bytes_of(scene);
    const Scene again = scene_of(bytes, "pyramid.ply");
    EXPECT_EQ(bytes_of(again), bytes);
    EXPECT_EQ(again.name, "pyramid.ply");
    EXPECT_EQ(again.object_count(), 1U);
    EXPECT_EQ(again.bounds().upper, glm::dvec3(2, 2, 3));
    const Scene kinds = all_kinds(), kinds_again = scene_of(bytes_of(kinds), "pyramid.ply");
    EXPECT_EQ(bytes_of(kinds_again), bytes_of(kinds));
    EXPECT_EQ(kinds_again.groups.size(), std::variant_size_v<Arrays>);
    EXPECT_EQ(kinds_again.bounds().lower, kinds.bounds().lower);
    EXPECT_EQ(kinds_again.bounds().upper, kinds.bounds().upper);
}

/// Whoever wrote them may have been damaged by the file that it read.
TEST(SceneBytes, OfAnyKindAreASceneOrAnError) {
    const std::string bytes = bytes_of(all_kinds());
    Random random(1);
    int errors = 0;
    for (int trial = 0; trial < 20'000; ++trial) {
        std::string changed = bytes;
        for (int n = 1 + random.below(3); n > 0; --n) {
            changed[random.bits() % changed.size()] = static_cast<char>(random.bits());
        }
        if (random.below(4) == 0) changed.resize(random.bits() % changed.size());
        try {
            const Scene scene = scene_of(changed, "pyramid.ply");
            for (const Group& group : scene.groups) {
                const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays);
                for (std::uint32_t i = 0; i < object_count(group.arrays); ++i) {
                    const glm::dvec3 size = object_bounds(group.arrays, i).size();
                    ASSERT_FALSE(std::isnan(size.x + size.y + size.z)) << kind_name(group.arrays);
                }
                if (instances == nullptr) continue;
                for (const std::uint32_t index : instances->hull_index) ASSERT_LT(index, instances->meshes.size());
                for (const HullMesh& mesh : instances->meshes) {
                    for (const auto& triangle : mesh.triangles) ASSERT_LT(std::ranges::max(triangle), mesh.x.size());
                }
            }
        } catch (const Error&) {
            ++errors;
        }
    }
    EXPECT_GT(errors, 5'000);
}

}  // namespace
