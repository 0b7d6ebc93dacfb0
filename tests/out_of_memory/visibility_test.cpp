#include <lanecull/visibility.h>

#include "out_of_memory/fail_create.hpp"
#include "out_of_memory/scenes.hpp"
#include "support/temporary_path.hpp"

/// Baked visibility. CRoaring's own memory is not asked: it has hooks of its own.

namespace {

using lanecull::Status;
using Words = std::vector<std::uint64_t>;

const Words sets[2] = {{0x5555555555555555, 0xffff}, {~std::uint64_t{0}, 1}};

lanecull::VisibilityHeader header() {
    lanecull::VisibilityHeader about;
    about.objects = 100;
    for (std::size_t k = 0; k < 3; ++k) about.grid.size[k] = 1, about.grid.count[k] = k == 0 ? 2 : 1;
    return about;
}

std::string text_of_set(const lanecull::CompressedSet& set) { return text_of(set.bytes()); }

TEST(VisibilityOutOfMemory, WhereAWorldIsPrepared) {
    Around around(11);
    const lanecull::Batch batch = around.batch(Kind::box, 300);
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(300);
    ASSERT_TRUE(scene.add({&batch, 1}, handles));
    scene.refit();
    const std::vector<lanecull::SolidBox> boxes(200, {{0, 0, 0}, {1, 1, 1}}), drawn(210, {{-1, -1, -1}, {2, 2, 2}});
    const std::vector<lanecull::SolidOrientedBox> turned(10, {{3, 3, 3}, {1, 1, 1}});
    const lanecull::SolidSet solids{boxes, turned, drawn, {}};
    Words visible(lanecull::visibility_words(scene));
    lanecull::ConvexCell cell;
    cell.corners = 1;
    const auto look = [&](lanecull::BakeScene& world) {
        Seen seen{std::to_string(world.visibility_words())};
        if (world.visibility_words() == 0) return seen;
        std::vector<std::byte> scratch(world.scratch_bytes());
        lanecull::BakedCell baked;
        EXPECT_TRUE(lanecull::bake_cell(world, cell, {}, scratch, visible, baked));
        seen.meaning += text_of(std::as_bytes(std::span(visible)));
        return seen;
    };
    fail_each(
        "BakeScene::prepare", [] { return std::make_unique<lanecull::BakeScene>(); },
        [&](lanecull::BakeScene& world) { return world.prepare(scene, solids); }, look);
    std::vector<std::byte> scratch(1 << 20);
    fail_each(
        "bake_cell",
        [&] {
            auto world = std::make_unique<lanecull::BakeScene>();
            EXPECT_TRUE(world->prepare(scene, solids));
            return world;
        },
        [&](lanecull::BakeScene& world) {
            lanecull::BakedCell baked;
            return lanecull::bake_cell(world, cell, {}, scratch, visible, baked);
        },
        look);
}

TEST(VisibilityOutOfMemory, WhereSetsAreCompressed) {
    const Words small = {1}, large = {0x123456789abcdef, 0xf00f00f00f00f00f, 0x5555555555555555};
    fail_each(
        "CompressedSet::compress",
        [&] {
            auto set = std::make_unique<lanecull::CompressedSet>();
            EXPECT_TRUE(set->compress(small));
            return set;
        },
        [&](lanecull::CompressedSet& set) { return set.compress(large); },
        [](const lanecull::CompressedSet& set) { return Seen{text_of_set(set)}; });
}

struct Writing {
    TemporaryPath path;
    lanecull::VisibilityWriter writer;
};

TEST(VisibilityOutOfMemory, WhereFilesAreWritten) {
    const auto look = [](const Writing& writing) {
        return Seen{std::to_string(writing.writer.added()), text_of(writing.path.bytes())};
    };
    fail_each(
        "VisibilityWriter::open", [] { return std::make_unique<Writing>(); },
        [](Writing& writing) { return writing.writer.open(writing.path.get(), header()); }, look);
    const auto open = [] {
        auto writing = std::make_unique<Writing>();
        EXPECT_TRUE(writing->writer.open(writing->path.get(), header()));
        return writing;
    };
    lanecull::CompressedSet compressed;
    ASSERT_TRUE(compressed.compress(sets[1]));
    fail_each(
        "VisibilityWriter::add", open,
        [](Writing& writing) { return writing.writer.add(std::span<const std::uint64_t>(sets[0])); }, look);
    const auto one_added = [&] {
        auto writing = open();
        EXPECT_TRUE(writing->writer.add(std::span<const std::uint64_t>(sets[0])));
        return writing;
    };
    fail_each(
        "VisibilityWriter::add, compressed", one_added,
        [&](Writing& writing) { return writing.writer.add(compressed.bytes()); }, look);
    fail_each(
        "VisibilityWriter::commit",
        [&] {
            auto writing = one_added();
            EXPECT_TRUE(writing->writer.add(compressed.bytes()));
            return writing;
        },
        [](Writing& writing) { return writing.writer.commit(); }, look);
}

TEST(VisibilityOutOfMemory, WhereFilesAreRead) {
    const TemporaryPath path;
    {
        lanecull::VisibilityWriter writer;
        ASSERT_TRUE(writer.open(path.get(), header()));
        for (const Words& set : sets) ASSERT_TRUE(writer.add(std::span<const std::uint64_t>(set)));
        ASSERT_TRUE(writer.commit());
    }
    const auto look = [](const lanecull::Visibility& file) { return Seen{std::to_string(file.cell_count())}; };
    const auto none = [] { return std::make_unique<lanecull::Visibility>(); };
    fail_each(
        "Visibility::open", none,
        [&](lanecull::Visibility& file) { return lanecull::Visibility::open(path.get(), file); }, look);
    const std::vector<std::byte> bytes = path.bytes();
    Words words(2);
    fail_each(
        "Visibility::open, of memory, read", none,
        [&](lanecull::Visibility& file) {
            Status status = lanecull::Visibility::open(std::span<const std::byte>(bytes), file);
            return status ? file.read(1, words) : status;
        },
        look);
}

TEST(VisibilityOutOfMemory, WhereTheyAreMade) {
    fail_create<lanecull_visibility>("lanecull_create_visibility", lanecull_create_visibility,
                                     lanecull_destroy_visibility);
    fail_create<lanecull_bake_scene>("lanecull_create_bake_scene", lanecull_create_bake_scene,
                                     lanecull_destroy_bake_scene);
    fail_create<lanecull_compressed_set>("lanecull_create_compressed_set", lanecull_create_compressed_set,
                                         lanecull_destroy_compressed_set);
    fail_create<lanecull_visibility_writer>("lanecull_create_visibility_writer", lanecull_create_visibility_writer,
                                            lanecull_destroy_visibility_writer);
    const lanecull::Scene scene;
    fail_first<lanecull::BakeScene>("BakeScene(), prepare",
                                    [&](lanecull::BakeScene& world) { return world.prepare(scene, {}); });
    fail_first<lanecull::CompressedSet>("CompressedSet(), compress",
                                        [](lanecull::CompressedSet& set) { return set.compress(sets[0]); });
    struct OneWriting : Writing {
        bool is_open = false;
    };
    fail_each(
        "VisibilityWriter(), open", [] { return std::make_unique<OneWriting>(); },
        [](OneWriting& writing) {
            lanecull::VisibilityWriter made;
            const Status status = made.open(writing.path.get(), header());
            if (status) writing.writer = std::move(made), writing.is_open = true;
            return status;
        },
        [](const OneWriting& writing) { return Seen{writing.is_open ? "open" : "not"}; });
    const TemporaryPath path;
    lanecull::VisibilityWriter writer;
    ASSERT_TRUE(writer.open(path.get(), header()));
    for (const Words& set : sets) ASSERT_TRUE(writer.add(std::span<const std::uint64_t>(set)));
    ASSERT_TRUE(writer.commit());
    fail_first<lanecull::Visibility>(
        "Visibility(), open", [&](lanecull::Visibility& file) { return lanecull::Visibility::open(path.get(), file); });
}

}  // namespace
