#include <lanecull/visibility.h>

#include <vector>

#include "out_of_memory/fail_each.hpp"
#include "support/files.hpp"

/// Baked visibility. CRoaring's own memory is not counted: it has hooks of its own.

namespace {

using lanecull::BakeScene;
using lanecull::CompressedSet;
using lanecull::Visibility;
using lanecull::VisibilityWriter;
using Set = std::span<const std::uint64_t>;

const std::vector<std::uint64_t> sets[2] = {{0x5555555555555555, 0xffff}, {~std::uint64_t{0}, 1}};

lanecull::VisibilityHeader header() {
    lanecull::VisibilityHeader about;
    about.objects = 100;
    for (std::size_t k = 0; k < 3; ++k) about.grid.size[k] = 1, about.grid.count[k] = k == 0 ? 2 : 1;
    return about;
}

TEST(VisibilityOutOfMemory, WhereAWorldIsPrepared) {
    std::vector<float> numbers(300);
    for (std::size_t i = 0; i < 300; ++i) numbers[i] = static_cast<float>(i % 40);
    const float* const x = numbers.data();
    const lanecull::Batch balls = lanecull::Spheres{x, x + 7, x + 11, x + 1, 280};
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(280);
    ASSERT_TRUE(scene.add({&balls, 1}, handles));
    scene.refit();
    const std::vector<lanecull::SolidBox> boxes(200, {{0, 0, 0}, {1, 1, 1}}), drawn(210, {{-1, -1, -1}, {2, 2, 2}});
    const std::vector<lanecull::SolidOrientedBox> turned(10, {{3, 3, 3}, {1, 1, 1}});
    const lanecull::SolidSet solids{boxes, turned, drawn, {}};
    std::vector<std::uint64_t> visible(lanecull::visibility_words(scene));
    const lanecull::ConvexCell cell{.corners = 1};
    fail_write<BakeScene>(
        "BakeScene::prepare", [] { return std::make_unique<BakeScene>(); },
        [&](BakeScene& world) { return world.prepare(scene, solids); },
        [&](const BakeScene& world) {
            if (world.visibility_words() == 0) return Seen{};
            std::vector<std::byte> scratch(world.scratch_bytes());
            lanecull::BakedCell baked;
            EXPECT_TRUE(lanecull::bake_cell(world, cell, {}, scratch, visible, baked));
            return Seen{text_of(std::as_bytes(std::span(visible)))};
        });
}

TEST(VisibilityOutOfMemory, WhereSetsAreCompressed) {
    const std::vector<std::uint64_t> large = {0x123456789abcdef, 0xf00f00f00f00f00f, 0x5555555555555555};
    const auto small = [] {
        auto set = std::make_unique<CompressedSet>();
        EXPECT_TRUE(set->compress(std::vector<std::uint64_t>{1}));
        return set;
    };
    fail_write<CompressedSet>(
        "CompressedSet::compress", small, [&](CompressedSet& set) { return set.compress(large); },
        [](const CompressedSet& set) { return Seen{text_of(set.bytes())}; });
}

struct Writing {
    TemporaryPath path;
    VisibilityWriter writer;
};

Seen look(const Writing& writing) { return {std::to_string(writing.writer.added()), text_of(writing.path.bytes())}; }

TEST(VisibilityOutOfMemory, WhereFilesAreWritten) {
    CompressedSet compressed;
    ASSERT_TRUE(compressed.compress(sets[1]));
    /// A file that is open, with that many sets.
    const auto with = [&](int count) {
        return [&, count] {
            auto writing = std::make_unique<Writing>();
            EXPECT_TRUE(writing->writer.open(writing->path.get(), header()));
            EXPECT_TRUE(count < 1 || writing->writer.add(Set(sets[0])).ok());
            EXPECT_TRUE(count < 2 || writing->writer.add(compressed.bytes()).ok());
            return writing;
        };
    };
    const auto open = [](Writing& writing) {
        VisibilityWriter made;
        lanecull::Status status = made.open(writing.path.get(), header());
        if (status) writing.writer = std::move(made);
        return status;
    };
    fail_each(
        "VisibilityWriter(), open", [] { return std::make_unique<Writing>(); }, open, look);
    fail_each(
        "VisibilityWriter::add", with(0), [](Writing& to) { return to.writer.add(Set(sets[0])); }, look);
    fail_each(
        "VisibilityWriter::add, compressed", with(1), [&](Writing& to) { return to.writer.add(compressed.bytes()); },
        look);
    fail_each(
        "VisibilityWriter::commit", with(2), [](Writing& to) { return to.writer.commit(); }, look);
}

TEST(VisibilityOutOfMemory, WhereFilesAreRead) {
    const TemporaryPath path;
    {
        VisibilityWriter writer;
        ASSERT_TRUE(writer.open(path.get(), header()));
        for (const auto& set : sets) ASSERT_TRUE(writer.add(Set(set)));
        ASSERT_TRUE(writer.commit());
    }
    const auto look_at = [](const Visibility& file) { return Seen{std::to_string(file.cell_count())}; };
    const auto none = [] { return std::make_unique<Visibility>(); };
    fail_write<Visibility>(
        "Visibility::open", none, [&](Visibility& file) { return Visibility::open(path.get(), file); }, look_at);
    const std::vector<std::byte> bytes = path.bytes();
    std::vector<std::uint64_t> words(2);
    fail_write<Visibility>(
        "Visibility::open, of memory, read", none,
        [&](Visibility& file) {
            lanecull::Status status = Visibility::open(std::span<const std::byte>(bytes), file);
            return status ? file.read(1, words) : status;
        },
        look_at);
}

}  // namespace
