#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lanecull/scene.h>

#include "scene/file_format.hpp"
#include "scene/shadowed.hpp"
#include "support/damaged_file.hpp"
#include "support/scale.hpp"
#include "support/scene_file.hpp"

/// Scenes that are saved and loaded; files that are damaged, forged, cut off or none.

namespace {

using lanecull::Handle;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;

/// What was loaded from a forged file: other objects than were saved, but a scene like any other.
void expect_usable(Scene& scene, const View& view) {
    std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
    std::vector<Handle> handles(scene.object_count());
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    SceneOutput of_scene{.handles = handles};
    lanecull::Output output{.visible = words, .scene = &of_scene};
    ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch).ok());
    static_cast<void>(scene.improve(1'000'000));
    std::uint64_t named = 0;
    for (Handle h = 0; h < 1000; ++h) {
        std::uint32_t slot = 0;
        named += scene.slot_of(h, slot).ok();
    }
    ASSERT_EQ(named, scene.object_count());
}

/// LANECULL_MUTATED_FILES runs more (tests/README.md).
TEST(SceneFiles, DamagedOnesAreRefusedWhole) {
    const char* wanted = std::getenv("LANECULL_MUTATED_FILES");
    const int count = wanted != nullptr ? std::atoi(wanted) : scaled(2000);
    constexpr std::uint64_t seed = 7;
    Shadowed shadowed(seed);
    for (int i = 0; i < 12; ++i) shadowed.add(40);
    shadowed.remove(30);
    shadowed.scene.refit();
    const std::vector<std::byte> good = SceneFile(shadowed.scene).bytes();
    PreparedCamera prepared = random_prepared_camera(shadowed.random(), Projection::perspective);
    int refused = 0, forged_loaded = 0, same = 0;
    for (int i = 0; i < count; ++i) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", file " << i);
        std::vector<std::byte> file = good;
        damage(shadowed.random(), file);
        const bool forges = i % 2 == 1;
        if (forges) forge(file);
        Scene scene;
        const lanecull::Status status = Scene::load(std::span<const std::byte>(file), scene);
        if (!status.ok()) {
            ++refused;
            ASSERT_EQ(scene.object_count(), 0u);
            ASSERT_GT(std::strlen(status.message()), 5u);
            continue;
        }
        if (file == good) {
            ++same;
            continue;
        }
        ASSERT_TRUE(forges) << "damage was not noticed";
        ++forged_loaded;
        expect_usable(scene, prepared.view);
        if (HasFatalFailure()) return;
    }
    std::printf("seed %llu: %d files of %zu bytes: %d refused, %d of %d forged ones loaded, %d unchanged\n",
                static_cast<unsigned long long>(seed), count, good.size(), refused, forged_loaded, count / 2, same);
    EXPECT_GT(refused, count / 2 - same);
    EXPECT_GT(forged_loaded, 0);
}

TEST(SceneFiles, KeepEverything) {
    Shadowed shadowed(8);
    for (int i = 0; i < 20; ++i) shadowed.add(200);
    shadowed.remove(777);
    shadowed.scene.refit();
    const std::vector<std::byte> first = SceneFile(shadowed.scene).bytes();
    shadowed.save_and_load();
    EXPECT_EQ(SceneFile(shadowed.scene).bytes(), first);
    for (int i = 0; i < 10; ++i) shadowed.compare();
}

/// A file may be mapped: each array in it lies where its numbers may be read in place, and load() takes it from there.
TEST(SceneFiles, AreLoadedFromMappedMemory) {
    namespace format = lanecull::scene_file;
    Shadowed shadowed(12);
    for (int i = 0; i < 8; ++i) shadowed.add(200);
    shadowed.scene.refit();
    const SceneFile file(shadowed.scene);
    const std::size_t size = file.bytes().size();
    const int descriptor = open(file.path(), O_RDONLY);
    ASSERT_GE(descriptor, 0);
    void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    ASSERT_NE(mapped, MAP_FAILED);
    const auto* first = static_cast<const std::byte*>(mapped);
    format::Header header;
    std::memcpy(&header, first, sizeof header);
    ASSERT_GT(header.sections, 10u);
    for (std::uint64_t i = 0; i < header.sections; ++i) {
        format::Section section;
        std::memcpy(&section, first + sizeof header + i * sizeof section, sizeof section);
        EXPECT_EQ(section.offset % 64, 0u) << "section " << i;
        EXPECT_LE(section.offset + section.bytes, size) << "section " << i;
    }
    const lanecull::Status status = Scene::load(std::span(first, size), shadowed.scene);
    munmap(mapped, size);
    ASSERT_TRUE(status.ok()) << status.message();
    shadowed.compare();
}

TEST(SceneFiles, SayWhatIsWrong) {
    Shadowed shadowed(9);
    shadowed.add(100);
    shadowed.scene.refit();
    const std::vector<std::byte> good = SceneFile(shadowed.scene).bytes();
    const auto message = [](std::vector<std::byte> file) {
        Scene scene;
        return std::string(Scene::load(std::span<const std::byte>(file), scene).message());
    };
    using lanecull::scene_file::Header;
    EXPECT_EQ(message(good), "");
    EXPECT_EQ(message({}), "scene file: is shorter than a header");
    std::vector<std::byte> cut(good.begin(), good.end() - 64);
    EXPECT_EQ(message(cut), "scene file: has been cut off, or something follows it");
    std::vector<std::byte> foreign = good;
    foreign[0] = std::byte{'P'};
    EXPECT_EQ(message(foreign), "scene file: is of another kind");
    std::vector<std::byte> later = good;
    later[offsetof(Header, version)] = std::byte{2};
    EXPECT_EQ(message(later), "scene file: is of version 2, this library reads 1");
    std::vector<std::byte> flipped = good;
    flipped[good.size() / 2] ^= std::byte{4};
    EXPECT_EQ(message(flipped), "scene file: its checksum is another");
    Scene scene;
    const auto code = [&scene](const std::vector<std::byte>& file) {
        return Scene::load(std::span<const std::byte>(file), scene).code;
    };
    using lanecull::StatusCode;
    EXPECT_EQ(code(flipped), StatusCode::bad_file);
    EXPECT_EQ(code(later), StatusCode::unsupported);
    EXPECT_EQ(Scene::load("/nonexistent/scene", scene).code, StatusCode::system_error);
    EXPECT_EQ(Scene::load(nullptr, scene).code, StatusCode::invalid_argument);
    const std::string reason = std::strerror(ENOENT);
    EXPECT_EQ(std::string(Scene::load("/nonexistent/scene", scene).message()), "path: cannot be opened: " + reason);
    EXPECT_STREQ(Scene::load("/tmp", scene).message(), "path: is not a file");
    EXPECT_EQ(std::string(shadowed.scene.save("/nonexistent/scene").message()), "path: cannot be written: " + reason);
}

}  // namespace
