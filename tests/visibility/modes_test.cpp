#include "api/modes.hpp"

#include <gtest/gtest.h>

#include <lanecull/visibility.h>

#include "view/prepared_view.hpp"
#include "visibility/file.hpp"

/// The caller's floating-point modes change no cell and no set, and no function changes these modes.

namespace {

using lanecull::BakeScene;
using lanecull::CellGrid;
using lanecull::ConvexCell;
using modes::Answer;

constexpr CellGrid grid = {{-3.1, -20.3, 0.7}, {1.3, 2.7, 1.9}, {5, 7, 3}};

void add_cell(Answer& answer, const ConvexCell& cell) {
    answer.add(cell.corners);
    for (const auto& corner : cell.corner) answer.add(std::span(corner));
}

void cover_with_cells(Answer& answer) {
    struct {
        double low[3] = {-3.1, 0.1, 5}, high[3] = {7.3, 9.1, 5.5}, size[3] = {0.7, 1.3, 2};
    } numbers;
    modes::with_odd(numbers, [&] {
        CellGrid covering;
        answer.add(lanecull::cover_with_cells(numbers.low, numbers.high, numbers.size, covering));
        answer.add(std::span(covering.lower)), answer.add(std::span(covering.size)),
            answer.add(std::span(covering.count));
    });
}

void cell_of(Answer& answer) {
    for (std::uint64_t cell = 0; cell <= grid.cell_count(); ++cell) {
        ConvexCell corners;
        answer.add(lanecull::cell_of(grid, cell, corners));
        add_cell(answer, corners);
    }
}

void part_of(Answer& answer) {
    ConvexCell box;
    if (!lanecull::cell_of(grid, 41, box)) return;
    modes::with_odd(std::span<double>(box.corner[7]), [&] {
        ConvexCell whole = box, part;
        for (std::size_t c = 0; c < 8; ++c) {
            for (std::size_t k = 0; k < 3; ++k) whole.corner[c][k] = box.corner[(c >> k & 1) != 0 ? 7 : 0][k];
        }
        for (std::uint64_t i = 0; i <= 12; ++i) {
            answer.add(lanecull::part_of(whole, {3, 2, 2}, i, part));
            add_cell(answer, part);
        }
    });
}

void find_cell(Answer& answer) {
    struct {
        double at[3] = {-1.2, -3.3, 2.2};
    } point;
    modes::with_odd(point, [&] {
        std::uint64_t cell = 0;
        answer.add(lanecull::find_cell(grid, point.at, cell));
        answer.add(cell);
    });
}

const modes::OddScene& objects() {
    static const modes::OddScene all;
    return all;
}

/// Objects with odd numbers, and a wall that hides many of them.
struct World {
    lanecull::Scene scene;
    std::vector<lanecull::SolidBox> boxes;
    BakeScene world;
    std::vector<std::byte> scratch;
    ConvexCell cell;

    World() {
        std::size_t count = 0;
        for (const lanecull::Batch& batch : objects().batches) count += batch.count();
        std::vector<lanecull::Handle> handles(count);
        check(scene.add(objects().batches, handles));
        scene.refit();
        const lanecull::PreparedView& view = contents_of(objects().camera.view);
        cell.corners = 8;
        for (std::size_t c = 0; c < 8; ++c) {
            for (std::size_t k = 0; k < 3; ++k) {
                cell.corner[c][k] = static_cast<double>(view.frame.origin_hi[k]) + ((c >> k & 1) != 0 ? 0.1 : -0.1);
            }
        }
        for (int i = 0; i < 70; ++i) {
            lanecull::SolidBox box;
            for (std::size_t k = 0; k < 3; ++k) {
                box.min[k] = view.frame.origin_hi[k] +
                             (k == static_cast<std::size_t>(i % 3) ? 1.0F + 0.3F * static_cast<float>(i) : -3);
                box.max[k] = view.frame.origin_hi[k] +
                             (k == static_cast<std::size_t>(i % 3) ? 1.2F + 0.3F * static_cast<float>(i) : 3);
            }
            boxes.push_back(box);
        }
        check(world.prepare(scene, {.boxes = boxes}));
        scratch.resize(world.scratch_bytes());
    }
    static void check(const lanecull::Status& status) {
        if (!status) throw std::runtime_error(status.message());
    }
};

World& world() {
    static World one;
    return one;
}

void add_baked(Answer& answer, const BakeScene& prepared, const ConvexCell& cell,
               const lanecull::BakeOptions& options) {
    std::vector<std::uint64_t> words(prepared.visibility_words());
    lanecull::BakedCell baked;
    answer.add(lanecull::bake_cell(prepared, cell, options, world().scratch, words, baked));
    answer.add(words);
    answer.add(baked.visible), answer.add(baked.hidden), answer.add(baked.distant), answer.add(baked.occluder_count);
}

void prepare(Answer& answer) {
    std::vector<lanecull::SolidBox> boxes = world().boxes;
    modes::with_odd(std::span<float>(boxes[7].min), [&] {
        BakeScene prepared;
        answer.add(prepared.prepare(world().scene, {.boxes = boxes}, modes::foreign_runner()));
        add_baked(answer, prepared, world().cell, {});
    });
}

void bake_cell(Answer& answer) {
    struct {
        double near_reach = 0.01, distance = 100, per_distance = 1e-3, depth_per_square = 1e-6;
    } numbers;
    modes::with_odd(numbers, [&] {
        add_baked(answer, world().world, world().cell,
                  {.near_reach = numbers.near_reach,
                   .distance = numbers.distance,
                   .raster = {numbers.per_distance, numbers.depth_per_square, 0}});
    });
    ConvexCell cell = world().cell;
    modes::with_odd(std::span<double>(cell.corner[3]), [&] { add_baked(answer, world().world, cell, {}); });
}

/// A file with one set, of numbers and cells that may be odd.
struct FileNumbers {
    double low[3] = {-3.1, 0.1, 5}, size[3] = {0.7, 1.3, 2}, near_reach = 0.3, distance = 90;
};

lanecull::VisibilityHeader header_of(const FileNumbers& numbers) {
    lanecull::VisibilityHeader header;
    header.objects = 100;
    std::copy_n(numbers.low, 3, header.grid.lower), std::copy_n(numbers.size, 3, header.grid.size);
    std::fill_n(header.grid.count, 3, 1u);
    header.options.near_reach = numbers.near_reach, header.options.distance = numbers.distance;
    return header;
}

void open_writer(Answer& answer) {
    FileNumbers numbers;
    modes::with_odd(std::span<double>(numbers.low).first(1), [&] {
        const TemporaryPath path;
        lanecull::VisibilityWriter writer;
        const WordSet set = {0xff00ff, 7};
        const lanecull::Status opened = writer.open(path.get(), header_of(numbers));
        // A failure may name the file.
        answer.add(opened.ok());
        answer.add(opened.ok() && writer.add(std::span<const std::uint64_t>(set)).ok() && writer.commit().ok());
        answer.add(path.bytes());
    });
}

/// Files whose tails have odd numbers and the right checksums.
template <class Open>
void open_reader(Answer& answer, const Open& open) {
    static const std::vector<std::byte> good = visibility_file(header_of({}), {{0xff00ff, 7}});
    using lanecull::visibility_file::Tail;
    double low[3];
    std::vector<std::byte> file = good;
    std::memcpy(low, &file[file.size() - sizeof(Tail) + offsetof(Tail, grid_lower)], sizeof low);
    modes::with_odd(std::span<double>(low).first(1), [&] {
        std::memcpy(&file[file.size() - sizeof(Tail) + offsetof(Tail, grid_lower)], low, sizeof low);
        forge_visibility(file);
        lanecull::Visibility visibility;
        answer.add(open(file, visibility));
        answer.add(visibility.cell_count());
        answer.add(visibility.grid().lower[0]);
    });
}

void open_path(Answer& answer) {
    open_reader(answer, [](const std::vector<std::byte>& file, lanecull::Visibility& visibility) {
        const TemporaryPath path;
        std::ofstream(path.get(), std::ios::binary)
            .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
        return lanecull::Visibility::open(path.get(), visibility);
    });
}

void open_memory(Answer& answer) {
    open_reader(answer, [](const std::vector<std::byte>& file, lanecull::Visibility& visibility) {
        return lanecull::Visibility::open(std::span<const std::byte>(file), visibility);
    });
}

const modes::Registered calls[] = {{"lanecull_cover_with_cells", cover_with_cells},
                                   {"lanecull_cell_of", cell_of},
                                   {"lanecull_part_of", part_of},
                                   {"lanecull_find_cell", find_cell},
                                   {"lanecull_bake_scene_prepare", modes::takes_memory, prepare},
                                   {"lanecull_bake_cell", modes::by_sets, bake_cell},
                                   {"lanecull_visibility_writer_open", modes::takes_memory, open_writer},
                                   {"lanecull_visibility_open", modes::takes_memory, open_path},
                                   {"lanecull_visibility_open_in_memory", modes::takes_memory, open_memory}};

TEST(VisibilityFloatModesTable, HasEveryPublicFunction) {
    const std::string header[] = {"visibility.h"};
    const std::string without_numbers[] = {"lanecull_bake_scene_visibility_words",
                                           "lanecull_bake_scene_scratch_bytes",
                                           "lanecull_compress_set",
                                           "lanecull_compressed_set_bytes",
                                           "lanecull_compressed_set_byte_count",
                                           "lanecull_expand_set",
                                           "lanecull_visibility_fingerprint",
                                           "lanecull_visibility_writer_add",
                                           "lanecull_visibility_writer_add_compressed",
                                           "lanecull_visibility_writer_added",
                                           "lanecull_visibility_writer_commit",
                                           "lanecull_visibility_get_header",
                                           "lanecull_visibility_cell_count",
                                           "lanecull_visibility_set_words",
                                           "lanecull_visibility_visible_count",
                                           "lanecull_visibility_compressed",
                                           "lanecull_visibility_compressed_byte_count",
                                           "lanecull_visibility_read",
                                           "lanecull_visibility_add_to",
                                           "lanecull_visibility_read_indices",
                                           "lanecull_visibility_verify"};
    modes::expect_complete(header, without_numbers);
}

}  // namespace
