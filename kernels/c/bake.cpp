/// c/visibility.h, of the library lanecull::visibility: cells, baking and writing. c/visibility.cpp reads.

#include <algorithm>
#include <new>

#include <lanecull/c/visibility.h>
#include <lanecull/visibility.hpp>

#include "base/memory.hpp"
#include "c/cells.hpp"
#include "c/options.hpp"
#include "c/scenes.hpp"
#include "c/solid_set.hpp"

using namespace lanecull;

struct lanecull_bake_scene : Allocated {
    BakeScene scene;
};
struct lanecull_compressed_set : Allocated {
    CompressedSet set;
};
struct lanecull_visibility_writer : Allocated {
    VisibilityWriter writer;
};

namespace lanecull::c {
namespace {

template <class Made>
lanecull_status create_one(Made** to, const char* name, lanecull_message* message) noexcept {
    if (to == nullptr) return refuse_null(name, message);
    auto* const made = new (std::nothrow) Made;
    if (made == nullptr) {
        return report(Status::failure(StatusCode::out_of_memory, "%s: there is not enough memory", name), message);
    }
    *to = made;
    return report({}, message);
}

Status take_bake_options(const lanecull_bake_options* given, BakeOptions& to) noexcept {
    if (given == nullptr) return {};
    if (Status status = check_struct(given, "options"); !status) return status;
    to.near_reach = given->near_reach;
    to.distance = or_default(given->distance, to.distance);
    to.raster = {given->per_distance, given->depth_per_square, given->depth_per_distance};
    to.max_occluders = given->is_unoccluded != 0 ? 0 : or_default(given->max_occluders, to.max_occluders);
    to.max_parts = or_default(given->max_parts, to.max_parts);
    return take_isa(given->isa, "options.isa", to.isa);
}

Status take_header(const lanecull_visibility_header* given, VisibilityHeader& to) noexcept {
    if (Status status = check_struct(given, "header"); !status) return status;
    to.objects = given->objects;
    to.fingerprint = given->fingerprint;
    to.grid = *same(&given->grid);
    if (Status status = take_bake_options(given->options, to.options); !status) return status;
    return take(same(given->cells), static_cast<std::size_t>(given->cell_count), "header.cells", to.cells);
}

void give_baked(const BakedCell& from, lanecull_baked_cell& to) noexcept {
    to.visible = from.visible;
    to.hidden = from.hidden;
    to.distant = from.distant;
    to.occluder_count = from.occluder_count;
    to.rounds = from.rounds;
    std::copy_n(from.parts, 3, to.parts);
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_cover_with_cells(const double* lower, const double* upper, const double* size,
                                          lanecull_cell_grid* grid, lanecull_message* message) {
    if (lower == nullptr) return c::refuse_null("lower", message);
    if (upper == nullptr) return c::refuse_null("upper", message);
    if (size == nullptr) return c::refuse_null("size", message);
    if (grid == nullptr) return c::refuse_null("grid", message);
    return c::report(cover_with_cells({lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]},
                                      {size[0], size[1], size[2]}, *c::same(grid)),
                     message);
}

lanecull_status lanecull_cell_of(const lanecull_cell_grid* grid, uint64_t cell, lanecull_convex_cell* corners,
                                 lanecull_message* message) {
    if (grid == nullptr) return c::refuse_null("grid", message);
    if (corners == nullptr) return c::refuse_null("corners", message);
    return c::report(cell_of(*c::same(grid), cell, *c::same(corners)), message);
}

lanecull_status lanecull_part_of(const lanecull_convex_cell* box, const uint32_t* parts, uint64_t part,
                                 lanecull_convex_cell* corners, lanecull_message* message) {
    if (box == nullptr) return c::refuse_null("box", message);
    if (parts == nullptr) return c::refuse_null("parts", message);
    if (corners == nullptr) return c::refuse_null("corners", message);
    return c::report(part_of(*c::same(box), {parts[0], parts[1], parts[2]}, part, *c::same(corners)), message);
}

lanecull_status lanecull_create_bake_scene(lanecull_bake_scene** world, lanecull_message* message) {
    return c::create_one(world, "world", message);
}

void lanecull_destroy_bake_scene(lanecull_bake_scene* world) { delete world; }

lanecull_status lanecull_bake_scene_prepare(lanecull_bake_scene* world, const lanecull_scene* scene,
                                            const lanecull_solid_set* solids, const lanecull_runner* runner,
                                            lanecull_message* message) {
    if (world == nullptr) return c::refuse_null("world", message);
    if (scene == nullptr) return c::refuse_null("scene", message);
    SolidSet set;
    Runner who;
    Status status = c::take_solids(solids, set);
    if (status) status = c::take_runner(runner, who);
    if (status) status = world->scene.prepare(scene->scene, set, who);
    return c::report(status, message);
}

size_t lanecull_bake_scene_visibility_words(const lanecull_bake_scene* world) {
    return world != nullptr ? world->scene.visibility_words() : 0;
}

size_t lanecull_bake_scene_scratch_bytes(const lanecull_bake_scene* world) {
    return world != nullptr ? world->scene.scratch_bytes() : 0;
}

lanecull_status lanecull_bake_cell(const lanecull_bake_scene* world, const lanecull_convex_cell* cell,
                                   const lanecull_bake_options* options, void* scratch, size_t scratch_bytes,
                                   uint64_t* visible, size_t visible_words, lanecull_baked_cell* baked,
                                   lanecull_message* message) {
    if (world == nullptr) return c::refuse_null("world", message);
    if (cell == nullptr) return c::refuse_null("cell", message);
    BakeOptions how;
    BakedCell found;
    std::span<std::byte> memory;
    std::span<std::uint64_t> words;
    Status status = c::take_bake_options(options, how);
    if (status) status = c::take(static_cast<std::byte*>(scratch), scratch_bytes, "scratch", memory);
    if (status) status = c::take(visible, visible_words, "visible", words);
    if (status) status = c::check_optional(baked, "baked");
    if (status && baked != nullptr) {
        status = c::take(baked->occluders, baked->occluder_capacity, "baked.occluders", found.occluders);
    }
    if (status) status = bake_cell(world->scene, *c::same(cell), how, memory, words, found);
    if (status && baked != nullptr) c::give_baked(found, *baked);
    return c::report(status, message);
}

lanecull_status lanecull_create_compressed_set(lanecull_compressed_set** set, lanecull_message* message) {
    return c::create_one(set, "set", message);
}

void lanecull_destroy_compressed_set(lanecull_compressed_set* set) { delete set; }

lanecull_status lanecull_compress_set(lanecull_compressed_set* set, const uint64_t* words, size_t word_count,
                                      lanecull_message* message) {
    if (set == nullptr) return c::refuse_null("set", message);
    std::span<const std::uint64_t> all;
    Status status = c::take(words, word_count, "words", all);
    if (status) status = set->set.compress(all);
    return c::report(status, message);
}

const void* lanecull_compressed_set_bytes(const lanecull_compressed_set* set) {
    return set != nullptr ? set->set.bytes().data() : nullptr;
}

size_t lanecull_compressed_set_byte_count(const lanecull_compressed_set* set) {
    return set != nullptr ? set->set.bytes().size() : 0;
}

lanecull_status lanecull_expand_set(const void* set, size_t bytes, uint64_t* words, size_t word_count,
                                    lanecull_message* message) {
    std::span<const std::byte> all;
    std::span<std::uint64_t> to;
    Status status = c::take(static_cast<const std::byte*>(set), bytes, "set", all);
    if (status) status = c::take(words, word_count, "words", to);
    if (status) status = expand_set(all, to);
    return c::report(status, message);
}

lanecull_status lanecull_create_visibility_writer(lanecull_visibility_writer** writer, lanecull_message* message) {
    return c::create_one(writer, "writer", message);
}

void lanecull_destroy_visibility_writer(lanecull_visibility_writer* writer) { delete writer; }

lanecull_status lanecull_visibility_writer_open(lanecull_visibility_writer* writer, const char* path,
                                                const lanecull_visibility_header* header, lanecull_message* message) {
    if (writer == nullptr) return c::refuse_null("writer", message);
    VisibilityHeader about;
    Status status = c::take_header(header, about);
    if (status) status = writer->writer.open(path, about);
    return c::report(status, message);
}

lanecull_status lanecull_visibility_writer_add(lanecull_visibility_writer* writer, const uint64_t* words,
                                               size_t word_count, lanecull_message* message) {
    if (writer == nullptr) return c::refuse_null("writer", message);
    std::span<const std::uint64_t> all;
    Status status = c::take(words, word_count, "words", all);
    if (status) status = writer->writer.add(all);
    return c::report(status, message);
}

lanecull_status lanecull_visibility_writer_add_compressed(lanecull_visibility_writer* writer, const void* set,
                                                          size_t bytes, lanecull_message* message) {
    if (writer == nullptr) return c::refuse_null("writer", message);
    std::span<const std::byte> all;
    Status status = c::take(static_cast<const std::byte*>(set), bytes, "set", all);
    if (status) status = writer->writer.add(all);
    return c::report(status, message);
}

uint64_t lanecull_visibility_writer_added(const lanecull_visibility_writer* writer) {
    return writer != nullptr ? writer->writer.added() : 0;
}

lanecull_status lanecull_visibility_writer_commit(lanecull_visibility_writer* writer, lanecull_message* message) {
    if (writer == nullptr) return c::refuse_null("writer", message);
    return c::report(writer->writer.commit(), message);
}
