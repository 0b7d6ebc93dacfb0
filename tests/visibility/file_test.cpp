#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/visibility.h>

#include "support/memory.hpp"
#include "visibility/file.hpp"

/// Compressed sets, and files of them: what is said of those that are refused, where memory comes from, and their use.

namespace {

using lanecull::CompressedSet;
using lanecull::ConvexCell;
using lanecull::Visibility;
using lanecull::VisibilityHeader;
using lanecull::VisibilityWriter;

/// Of 20 cells.
VisibilityHeader header_of(std::uint64_t objects) {
    VisibilityHeader header;
    header.objects = objects;
    header.grid = {{0, -8, 1}, {8, 8, 2}, {5, 4, 1}};
    return header;
}

/// Every third object and a half of the others.
WordSet some_of(std::uint64_t objects) {
    WordSet set((objects + 63) / 64);
    for (std::uint64_t i = 0; i < objects; ++i) {
        if (i % 3 == 0 || i % 200 < 100) set[i / 64] |= std::uint64_t{1} << i % 64;
    }
    return set;
}

TEST(CompressedSets, OfTooManyWordsAreRefused) {
    CompressedSet set;
    const std::uint64_t none = 0;
    EXPECT_EQ(std::string(set.compress({&none, (std::size_t{1} << 26) + 1}).message()),
              "words: 67108865 are more than 2^26");
    ASSERT_TRUE(set.compress(WordSet{0, 1}).ok());
    WordSet less(1);
    EXPECT_NE(std::string(lanecull::expand_set(set.bytes(), less).message()), "");
    EXPECT_NE(std::string(lanecull::expand_set({}, less).message()), "");
}

TEST(VisibilityFiles, SayWhatIsWrong) {
    const std::vector<std::byte> good = visibility_file(header_of(1000), std::vector(20, some_of(1000)));
    const auto message = [](std::vector<std::byte> file) {
        Visibility visibility;
        return std::string(Visibility::open(std::span<const std::byte>(file), visibility).message());
    };
    using lanecull::visibility_file::Head;
    EXPECT_EQ(message(good), "");
    EXPECT_EQ(message({}), "visibility file: is shorter than a head and a tail");
    EXPECT_EQ(message({good.begin(), good.end() - 8}), "visibility file: has been cut off, or something follows it");
    std::vector<std::byte> foreign = good, later = good, swapped = good, flipped = good;
    foreign[0] = std::byte{'P'};
    EXPECT_EQ(message(foreign), "visibility file: is of another kind");
    later[offsetof(Head, version)] = std::byte{2};
    EXPECT_EQ(message(later), "visibility file: is of version 2, this library reads 1");
    swapped[offsetof(Head, byte_order)] = std::byte{1};
    EXPECT_EQ(message(swapped), "visibility file: is of a machine with another order of bytes");
    // A set is checked where it is read.
    Visibility visibility;
    ASSERT_TRUE(Visibility::open(std::span<const std::byte>(good), visibility).ok());
    flipped[static_cast<std::size_t>(visibility.compressed(7).data() - good.data()) + 1] ^= std::byte{1};
    ASSERT_TRUE(Visibility::open(std::span<const std::byte>(flipped), visibility).ok());
    WordSet words(visibility.visibility_words());
    EXPECT_TRUE(visibility.read(6, words).ok());
    EXPECT_STREQ(visibility.read(7, words).message(), "visibility file: the set of cell 7 has been damaged");
    EXPECT_STREQ(visibility.verify().message(), "visibility file: the set of cell 7 has been damaged");
    EXPECT_EQ(visibility.verify().code, lanecull::StatusCode::bad_file);
    EXPECT_STREQ(visibility.read(20, words).message(), "cell: the file has 20 cells, and no number 20");
    EXPECT_EQ(visibility.visible_count(20), 0u);
    EXPECT_TRUE(visibility.compressed(20).empty());
    words.pop_back();
    EXPECT_STREQ(visibility.read(6, words).message(), "words: must be 16, not 15");
    EXPECT_STREQ(Visibility().read(0, words).message(), "visibility: no file is open");
    EXPECT_EQ(std::string(Visibility::open("/nonexistent/seen", visibility).message()),
              std::string("path: cannot be opened: ") + std::strerror(ENOENT));
    EXPECT_EQ(visibility.cell_count(), 20u) << "a file that is refused changes nothing";
}

TEST(VisibilityFiles, AreWrittenWholeOrNotAtAll) {
    const std::string folder = std::filesystem::temp_directory_path() / ("lanecull_seen." + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string path = folder + "/file";
    const auto files = [&] {
        return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
    };
    const WordSet words = some_of(100);
    const std::span<const std::uint64_t> set(words);
    {
        VisibilityWriter writer;
        EXPECT_STREQ(writer.add(set).message(), "writer: no file has been begun");
        EXPECT_STREQ(writer.commit().message(), "writer: no file has been begun");
        ASSERT_TRUE(writer.open(path.c_str(), header_of(100)).ok());
        EXPECT_FALSE(std::filesystem::exists(path));
        ASSERT_TRUE(writer.add(set).ok());
        EXPECT_STREQ(writer.commit().message(), "writer: 1 of 20 cells have a set");
        const WordSet beyond = {0, std::uint64_t{1} << 36}, more(3);
        EXPECT_STREQ(writer.add(std::span<const std::uint64_t>(beyond)).message(),
                     "words: a bit beyond the objects is set");
        EXPECT_STREQ(writer.add(std::span<const std::uint64_t>(more)).message(),
                     "words: 3 are not one for each 64 of 100 objects");
        CompressedSet compressed;
        ASSERT_TRUE(compressed.compress(beyond).ok());
        EXPECT_NE(std::string(writer.add(compressed.bytes()).message()).find("set: is none"), std::string::npos);
        EXPECT_EQ(writer.added(), 1u);
        EXPECT_EQ(files(), 1);
    }
    EXPECT_EQ(files(), 0) << "what is not committed disappears";
    VisibilityWriter writer;
    ASSERT_TRUE(writer.open(path.c_str(), header_of(100)).ok());
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(writer.add(set).ok());
    EXPECT_STREQ(writer.add(set).message(), "set: each of the 20 cells has one");
    ASSERT_TRUE(writer.commit().ok());
    EXPECT_EQ(files(), 1);
    EXPECT_TRUE(std::filesystem::exists(path));
    std::filesystem::remove_all(folder);

    VisibilityHeader header = header_of(100);
    EXPECT_EQ(std::string(writer.open("/nonexistent/seen", header).message()),
              std::string("path: cannot be written: ") + std::strerror(ENOENT));
    header.objects = std::uint64_t{1} << 32;
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "header.objects: more than 2^32 - 1");
    header = header_of(100);
    header.options.near_reach = -1;
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "options.near_reach: -1 is not a length from 0 to 1e30");
    header = {};
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "header: there are no cells");
    const ConvexCell none;
    header.cells = {&none, 1};
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "cell.corners: 1 to 8, not 0");
}

/// All memory but CRoaring's comes from the hooks, and goes back to them.
TEST(VisibilityFiles, TakeMemoryFromTheHooks) {
    HeldMemory held;
    double before = 0;
    const auto grows = [&] { return held.now() > std::exchange(before, held.now()); };
    {
        const TemporaryPath path;
        const WordSet words = {5};
        VisibilityWriter writer;
        EXPECT_TRUE(grows()) << "the writer";
        VisibilityHeader header{.objects = 64};
        ASSERT_TRUE(lanecull::cover_with_cells({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, header.grid));
        ASSERT_TRUE(writer.open(path.get(), header));
        EXPECT_TRUE(grows()) << "the file and its index";
        ASSERT_TRUE(writer.add(std::span<const std::uint64_t>(words)));
        ASSERT_TRUE(writer.commit());
        before = held.now();
        Visibility visibility;
        EXPECT_TRUE(grows()) << "the reader";
        ASSERT_TRUE(Visibility::open(path.get(), visibility));
        EXPECT_TRUE(grows()) << "its file";
    }
    EXPECT_EQ(held.now(), 0);
}

/// The fingerprint shows when slots have changed.
TEST(VisibilityFiles, AreForScenes) {
    const float zero[2] = {}, r[2] = {1, 1};
    const lanecull::Batch batch = lanecull::Spheres{zero, zero, zero, r, 2};
    lanecull::Scene scene;
    lanecull::Handle handles[2];
    ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
    scene.refit();
    const std::uint64_t before = lanecull::slot_fingerprint(scene);
    EXPECT_EQ(before, lanecull::slot_fingerprint(scene));
    ASSERT_TRUE(scene.remove({handles, 1}).ok());
    scene.refit();
    EXPECT_NE(before, lanecull::slot_fingerprint(scene));
}

}  // namespace
