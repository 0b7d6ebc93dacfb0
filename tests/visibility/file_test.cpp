#include <gtest/gtest.h>

#include <roaring/roaring.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <lanecull/library.h>
#include <lanecull/visibility.h>

#include "support/damaged_file.hpp"
#include "support/scale.hpp"
#include "visibility/file.hpp"

/// Compressed sets, and files of them: kept whole, or refused.

namespace {

using lanecull::CompressedSet;
using lanecull::ConvexCell;
using lanecull::Status;
using lanecull::Visibility;
using lanecull::VisibilityHeader;
using lanecull::VisibilityWriter;

constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t count_of(const WordSet& words) {
    std::size_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
    return count;
}

std::vector<std::uint32_t> numbers_of(const WordSet& words) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < 64 * words.size(); ++i) {
        if ((words[i / 64] >> i % 64 & 1) != 0) numbers.push_back(i);
    }
    return numbers;
}

/// What CRoaring reads. It believes its input, so only for sets that expand_set() takes.
std::vector<std::uint32_t> read_by_croaring(std::span<const std::byte> set) {
    roaring_bitmap_t* const bitmap =
        roaring_bitmap_portable_deserialize_safe(reinterpret_cast<const char*>(set.data()), set.size());
    if (bitmap == nullptr) return {};
    std::vector<std::uint32_t> numbers(roaring_bitmap_get_cardinality(bitmap));
    roaring_bitmap_to_uint32_array(bitmap, numbers.data());
    roaring_bitmap_free(bitmap);
    return numbers;
}

TEST(CompressedSets, KeepEveryNumber) {
    Random random(1);
    for (int n = scaled(400); n > 0; --n) {
        const WordSet words = random_set(random, static_cast<std::size_t>(random.below(n % 4 == 0 ? 9000 : 200)));
        CompressedSet set, again;
        ASSERT_TRUE(set.compress(words).ok());
        WordSet back(words.size(), random.bits());
        const Status status = lanecull::expand_set(set.bytes(), back);
        ASSERT_TRUE(status.ok()) << status.message();
        ASSERT_EQ(back, words);
        ASSERT_EQ(read_by_croaring(set.bytes()), numbers_of(words));
        ASSERT_TRUE(again.compress(words).ok());
        ASSERT_TRUE(std::ranges::equal(set.bytes(), again.bytes()));
    }
}

/// Each change is refused, or makes another set that CRoaring reads alike.
TEST(CompressedSets, AreCheckedBeforeTheyAreRead) {
    Random random(2);
    int refused = 0, taken = 0;
    for (int n = scaled(20'000); n > 0; --n) {
        const std::size_t size = 1 + static_cast<std::size_t>(random.below(n % 50 == 0 ? 5000 : 40));
        CompressedSet set;
        ASSERT_TRUE(set.compress(random_set(random, size)).ok());
        std::vector<std::byte> bytes(set.bytes().begin(), set.bytes().end());
        // In the head mostly: its counts, keys and places.
        for (int changes = 1 + random.below(3); changes > 0 && !bytes.empty(); --changes) {
            const std::size_t within = random.chance(0.7) ? std::min<std::size_t>(bytes.size(), 40) : bytes.size();
            std::byte& at = bytes[random.bits() % within];
            at = random.chance(0.5) ? static_cast<std::byte>(random.bits())
                                    : at ^ static_cast<std::byte>(1 << random.below(8));
            if (random.chance(0.1)) bytes.resize(random.bits() % (bytes.size() + 8));
        }
        // Exactly as much memory as the set has, for the sanitizers.
        const std::unique_ptr<std::byte[]> memory(new std::byte[bytes.size()]);
        std::copy(bytes.begin(), bytes.end(), memory.get());
        const WordSet before(size, 0x5555);
        WordSet words = before;
        if (!lanecull::expand_set({memory.get(), bytes.size()}, words)) {
            ++refused;
            ASSERT_EQ(words, before);
            continue;
        }
        ++taken;
        ASSERT_EQ(read_by_croaring({memory.get(), bytes.size()}), numbers_of(words));
    }
    std::printf("[ figures  ] %d changed sets refused, %d others read\n", refused, taken);
    EXPECT_GT(refused, taken);
    EXPECT_GT(taken, 0);
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

constexpr lanecull::CellGrid grid = {{0, -8, 1}, {8, 8, 2}, {5, 4, 1}};

/// Cells with their sets, in a file.
struct Written {
    std::vector<ConvexCell> cells;
    std::vector<WordSet> sets;
    VisibilityHeader header;
    std::vector<std::byte> file;

    Written(Random& random, std::uint64_t objects, bool is_list) {
        header.objects = objects;
        header.fingerprint = random.bits();
        header.options.near_reach = 0.25;
        header.options.distance = random.chance(0.5) ? infinite : 500.0;
        header.options.raster = {1e-3, 2e-7, 3e-7};
        if (!is_list) header.grid = grid;
        for (std::uint64_t i = 0; i < grid.cell_count(); ++i) {
            if (is_list) {
                cells.emplace_back().corners = 1 + static_cast<std::uint32_t>(random.below(8));
                for (auto& corner : cells.back().corner) {
                    for (double& number : corner) number = random.range(-100, 100);
                }
            }
            sets.push_back(random_set(random, (objects + 63) / 64));
            if (objects % 64 != 0) sets.back().back() &= (std::uint64_t{1} << objects % 64) - 1;
        }
        header.cells = cells;
        file = visibility_file(header, sets);
    }
};

void expect_same(const Written& written, const Visibility& visibility) {
    const VisibilityHeader header = visibility.header();
    EXPECT_EQ(header.objects, written.header.objects);
    EXPECT_EQ(header.fingerprint, written.header.fingerprint);
    EXPECT_EQ(header.options.near_reach, written.header.options.near_reach);
    EXPECT_EQ(header.options.distance, written.header.options.distance);
    EXPECT_EQ(std::memcmp(&header.options.raster, &written.header.options.raster, sizeof header.options.raster), 0);
    EXPECT_EQ(header.grid.cell_count(), written.header.grid.cell_count());
    ASSERT_EQ(header.cells.size(), written.cells.size());
    for (std::size_t i = 0; i < written.cells.size(); ++i) {
        EXPECT_EQ(header.cells[i].corners, written.cells[i].corners);
        EXPECT_EQ(std::memcmp(header.cells[i].corner, written.cells[i].corner, sizeof header.cells[i].corner), 0);
    }
    ASSERT_EQ(visibility.cell_count(), written.sets.size());
    WordSet words(visibility.visibility_words()), all(words.size()), together(words.size());
    for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
        ASSERT_TRUE(visibility.read(cell, words).ok());
        ASSERT_EQ(words, written.sets[cell]);
        ASSERT_EQ(visibility.visible_count(cell), count_of(words));
        ASSERT_TRUE(visibility.add_to(cell, all).ok());
        for (std::size_t w = 0; w < words.size(); ++w) together[w] |= words[w];
        ASSERT_EQ(all, together);
        std::vector<std::uint32_t> numbers(count_of(words) + 1, 7);
        std::uint64_t count = 0;
        ASSERT_TRUE(visibility.read_indices(cell, numbers, count).ok());
        ASSERT_EQ(count, count_of(words));
        ASSERT_EQ(numbers.back(), 7u);
        numbers.pop_back();
        ASSERT_EQ(numbers, numbers_of(words));
        std::vector<std::uint32_t> first(numbers.size() / 2);
        ASSERT_TRUE(visibility.read_indices(cell, first, count).ok());
        ASSERT_TRUE(std::equal(first.begin(), first.end(), numbers.begin()));
        ASSERT_TRUE(lanecull::expand_set(visibility.compressed(cell), words).ok());
    }
    EXPECT_TRUE(visibility.verify().ok());
}

TEST(VisibilityFiles, KeepEverything) {
    Random random(3);
    for (const std::uint64_t objects : std::initializer_list<std::uint64_t>{0, 1, 64, 1000, 100'000, 131'072}) {
        for (const bool is_list : {false, true}) {
            const Written written(random, objects, is_list);
            Visibility visibility;
            const Status status = Visibility::open(written.file, visibility);
            ASSERT_TRUE(status.ok()) << status.message();
            expect_same(written, visibility);
            // The same by compressed sets, as other processes send them; and mapped.
            const TemporaryPath path;
            VisibilityWriter writer;
            ASSERT_TRUE(writer.open(path.get(), written.header).ok());
            for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
                ASSERT_TRUE(writer.add(visibility.compressed(cell)).ok());
            }
            EXPECT_EQ(writer.added(), visibility.cell_count());
            ASSERT_TRUE(writer.commit().ok());
            EXPECT_EQ(path.bytes(), written.file);
            Visibility mapped;
            ASSERT_TRUE(Visibility::open(path.get(), mapped).ok());
            expect_same(written, mapped);
        }
    }
}

/// LANECULL_MUTATED_FILES runs more (tests/README.md).
TEST(VisibilityFiles, DamagedOnesAreRefused) {
    const char* wanted = std::getenv("LANECULL_MUTATED_FILES");
    const int count = wanted != nullptr ? std::atoi(wanted) : scaled(2000);
    Random random(4);
    int refused = 0, read = 0, forged = 0, same = 0;
    for (int i = 0; i < count; ++i) {
        static const Written given[] = {{random, 3000, false}, {random, 3000, true}, {random, 70'000, false}};
        SCOPED_TRACE(testing::Message() << "file " << i);
        const std::vector<std::byte>& good = given[i % 3].file;
        std::vector<std::byte> file = good;
        if (random.chance(0.5)) {
            damage(random, file);
        } else {  // in the tail and the index
            std::byte& at = file[file.size() - 1 - random.bits() % std::min<std::size_t>(file.size(), 800)];
            at = random.chance(0.5) ? static_cast<std::byte>(random.bits())
                                    : at ^ static_cast<std::byte>(1 << random.below(8));
        }
        const bool forges = i / 3 % 2 == 1;
        if (forges) forge_visibility(file);
        forged += forges;
        const std::unique_ptr<std::byte[]> memory(new std::byte[file.size()]);
        std::copy(file.begin(), file.end(), memory.get());
        Visibility visibility;
        const Status status = Visibility::open(std::span<const std::byte>(memory.get(), file.size()), visibility);
        if (!status.ok()) {
            ++refused;
            ASSERT_EQ(visibility.cell_count(), 0u);
            ASSERT_GT(std::strlen(status.message()), 5u);
            continue;
        }
        bool whole = true;
        for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
            WordSet words(visibility.visibility_words(), 1);
            if (visibility.read(cell, words)) continue;
            whole = false;
            ASSERT_EQ(words, WordSet(words.size(), 1));
        }
        ASSERT_EQ(visibility.verify().ok(), whole);
        if (!whole) {
            ++refused;
        } else if (file == good) {
            ++same;
        } else {
            ASSERT_TRUE(forges) << "damage was not noticed";
            ++read;
        }
    }
    std::printf("[ figures  ] %d files: %d refused, %d of %d forged ones read, %d unchanged\n", count, refused, read,
                forged, same);
    EXPECT_GT(refused, count / 3);
    EXPECT_GT(read, 0);
}

TEST(VisibilityFiles, SayWhatIsWrong) {
    Random random(5);
    const Written written(random, 1000, false);
    const std::vector<std::byte>& good = written.file;
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
    Random random(6);
    const Written written(random, 100, false);
    const std::string folder = std::filesystem::temp_directory_path() / ("lanecull_seen." + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string path = folder + "/file";
    const auto files = [&] {
        return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
    };
    const std::span<const std::uint64_t> set(written.sets[0]);
    {
        VisibilityWriter writer;
        EXPECT_STREQ(writer.add(set).message(), "writer: no file has been begun");
        EXPECT_STREQ(writer.commit().message(), "writer: no file has been begun");
        ASSERT_TRUE(writer.open(path.c_str(), written.header).ok());
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
    ASSERT_TRUE(writer.open(path.c_str(), written.header).ok());
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(writer.add(set).ok());
    EXPECT_STREQ(writer.add(set).message(), "set: each of the 20 cells has one");
    ASSERT_TRUE(writer.commit().ok());
    EXPECT_EQ(files(), 1);
    EXPECT_TRUE(std::filesystem::exists(path));
    std::filesystem::remove_all(folder);

    VisibilityHeader header = written.header;
    EXPECT_EQ(std::string(writer.open("/nonexistent/seen", header).message()),
              std::string("path: cannot be written: ") + std::strerror(ENOENT));
    header.objects = std::uint64_t{1} << 32;
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "header.objects: more than 2^32 - 1");
    header = written.header;
    header.options.near_reach = -1;
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "options.near_reach: -1 is not a length from 0 to 1e30");
    header = {};
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "header: there are no cells");
    const ConvexCell none;
    header.cells = {&none, 1};
    EXPECT_STREQ(writer.open(path.c_str(), header).message(), "cell.corners: 1 to 8, not 0");
}

/// A set is a cull's candidates, and the fingerprint tells when slots have changed.
/// All memory but CRoaring's comes from the hooks, and goes back to them.
TEST(VisibilityFiles, TakeMemoryFromTheHooks) {
    struct Counts {
        int taken = 0, released = 0;
    } counts;
    const lanecull::MemoryHooks before = lanecull::memory_hooks();
    const lanecull::MemoryHooks counting = {&counts,
                                            [](void* self, std::size_t bytes) {
                                                ++static_cast<Counts*>(self)->taken;
                                                return std::malloc(bytes);
                                            },
                                            [](void* self, void* memory, std::size_t bytes) {
                                                static_cast<Counts*>(self)->taken += memory == nullptr ? 1 : 0;
                                                return std::realloc(memory, bytes);
                                            },
                                            [](void* self, void* memory) {
                                                ++static_cast<Counts*>(self)->released;
                                                std::free(memory);
                                            }};
    ASSERT_TRUE(lanecull::set_memory_hooks(counting));
    {
        const TemporaryPath path;
        const WordSet words = {5};
        VisibilityWriter writer;
        EXPECT_EQ(counts.taken, 1) << "the writer";
        VisibilityHeader header{.objects = 64};
        ASSERT_TRUE(lanecull::cover_with_cells({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, header.grid));
        ASSERT_TRUE(writer.open(path.get(), header));
        EXPECT_EQ(counts.taken, 3) << "the file and its index";
        ASSERT_TRUE(writer.add(std::span<const std::uint64_t>(words)));
        EXPECT_EQ(counts.taken, 4) << "the compressed set";
        ASSERT_TRUE(writer.commit());
        Visibility visibility;
        EXPECT_EQ(counts.taken, 5) << "the reader";
        ASSERT_TRUE(Visibility::open(path.get(), visibility));
        EXPECT_EQ(counts.taken, 6) << "its file";
    }
    EXPECT_EQ(counts.released, counts.taken);
    ASSERT_TRUE(lanecull::set_memory_hooks(before));
}

TEST(VisibilityFiles, AreForScenes) {
    constexpr std::uint32_t count = 1000;
    std::vector<float> x(count), zero(count), r(count, 1);
    for (std::uint32_t i = 0; i < count; ++i) x[i] = static_cast<float>(i);
    const lanecull::Batch batch = lanecull::Spheres{x.data(), zero.data(), zero.data(), r.data(), count};
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(count);
    ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
    scene.refit();
    Random random(7);
    const WordSet set = random_set(random, lanecull::visibility_words(scene));
    const lanecull::CellGrid one = {{0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
    const std::vector<std::byte> file = visibility_file(
        {.objects = scene.slot_count(), .fingerprint = lanecull::slot_fingerprint(scene), .grid = one}, {set});
    Visibility visibility;
    ASSERT_TRUE(Visibility::open(file, visibility).ok());
    WordSet candidates(visibility.visibility_words());
    ASSERT_TRUE(visibility.read(0, candidates).ok());
    EXPECT_EQ(visibility.header().fingerprint, lanecull::slot_fingerprint(scene));
    lanecull::View view;
    const double center[3] = {500, 0, 0};
    ASSERT_TRUE(lanecull::prepare_view_from_ball(center, 1e6, view).ok());
    WordSet visible(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output{.visible = visible, .candidates = candidates};
    ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch).ok());
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t slot = 0;
        ASSERT_TRUE(scene.slot_of(handles[i], slot).ok());
        ASSERT_EQ(visible[slot / 64] >> slot % 64 & 1, set[slot / 64] >> slot % 64 & 1);
    }
    ASSERT_TRUE(scene.remove({handles.data(), 1}).ok());
    scene.refit();
    EXPECT_NE(visibility.header().fingerprint, lanecull::slot_fingerprint(scene));
}

}  // namespace
