/// c/visibility.h, of the library lanecull::visibility: reading. c/bake.cpp has the rest.

#include <lanecull/c/visibility.h>

#include <cstring>
#include <new>

#include <lanecull/visibility.hpp>

#include "base/memory.hpp"
#include "c/cells.hpp"
#include "c/scenes.hpp"

using namespace lanecull;

struct lanecull_visibility : Allocated {
    Visibility file;
};

namespace lanecull::c {
namespace {

/// A call that reads a file: call(file).
template <class Call>
lanecull_status read(const lanecull_visibility* visibility, lanecull_message* message, const Call& call) noexcept {
    return visibility != nullptr ? report(call(visibility->file), message) : refuse_null("visibility", message);
}

}  // namespace
}  // namespace lanecull::c

uint32_t lanecull_find_cell(const lanecull_cell_grid* grid, const double* point, uint64_t* cell) {
    if (grid == nullptr || point == nullptr || cell == nullptr) return 0;
    return find_cell(*c::same(grid), {point[0], point[1], point[2]}, *cell) ? 1 : 0;
}

lanecull_status lanecull_create_visibility(lanecull_visibility** visibility, lanecull_message* message) {
    if (visibility == nullptr) return c::refuse_null("visibility", message);
    auto* const made = new (std::nothrow) lanecull_visibility;
    if (made == nullptr) {
        return c::report(Status::failure(StatusCode::out_of_memory, "visibility: there is not enough memory"), message);
    }
    *visibility = made;
    return c::report({}, message);
}

void lanecull_destroy_visibility(lanecull_visibility* visibility) { delete visibility; }

lanecull_status lanecull_visibility_open(lanecull_visibility* visibility, const char* path, lanecull_message* message) {
    if (visibility == nullptr) return c::refuse_null("visibility", message);
    if (path == nullptr) return c::refuse_null("path", message);
    return c::report(Visibility::open(path, visibility->file), message);
}

lanecull_status lanecull_visibility_open_in_memory(lanecull_visibility* visibility, const void* file, size_t bytes,
                                                   lanecull_message* message) {
    if (visibility == nullptr) return c::refuse_null("visibility", message);
    std::span<const std::byte> all;
    Status status = c::take(static_cast<const std::byte*>(file), bytes, "file", all);
    if (status) status = Visibility::open(all, visibility->file);
    return c::report(status, message);
}

lanecull_status lanecull_visibility_get_info(const lanecull_visibility* visibility, lanecull_visibility_info* info,
                                             lanecull_message* message) {
    return c::read(visibility, message, [&](const Visibility& file) {
        Status status = c::check_struct(info, "info");
        if (!status) return status;
        const VisibilityHeader header = file.header();
        info->objects = header.objects;
        info->cell_count = file.cell_count();
        info->fingerprint = header.fingerprint;
        std::memcpy(&info->grid, &header.grid, sizeof info->grid);
        info->cells = reinterpret_cast<const lanecull_convex_cell*>(header.cells.data());
        info->near_reach = header.options.near_reach;
        info->distance = header.options.distance;
        info->per_distance = header.options.raster.per_distance;
        info->depth_per_square = header.options.raster.depth_per_square;
        info->depth_per_distance = header.options.raster.depth_per_distance;
        return status;
    });
}

size_t lanecull_visibility_set_words(const lanecull_visibility* visibility) {
    return visibility != nullptr ? visibility->file.visibility_words() : 0;
}

uint64_t lanecull_visibility_visible_count(const lanecull_visibility* visibility, uint64_t cell) {
    return visibility != nullptr ? visibility->file.visible_count(cell) : 0;
}

const void* lanecull_visibility_compressed(const lanecull_visibility* visibility, uint64_t cell) {
    return visibility != nullptr ? visibility->file.compressed(cell).data() : nullptr;
}

size_t lanecull_visibility_compressed_byte_count(const lanecull_visibility* visibility, uint64_t cell) {
    return visibility != nullptr ? visibility->file.compressed(cell).size() : 0;
}

lanecull_status lanecull_visibility_read(const lanecull_visibility* visibility, uint64_t cell, uint64_t* words,
                                         size_t word_count, lanecull_message* message) {
    return c::read(visibility, message, [&](const Visibility& file) {
        std::span<std::uint64_t> set;
        Status status = c::take(words, word_count, "words", set);
        return status ? file.read(cell, set) : status;
    });
}

lanecull_status lanecull_visibility_add_to(const lanecull_visibility* visibility, uint64_t cell, uint64_t* words,
                                           size_t word_count, lanecull_message* message) {
    return c::read(visibility, message, [&](const Visibility& file) {
        std::span<std::uint64_t> set;
        Status status = c::take(words, word_count, "words", set);
        return status ? file.add_to(cell, set) : status;
    });
}

lanecull_status lanecull_visibility_read_indices(const lanecull_visibility* visibility, uint64_t cell,
                                                 uint32_t* indices, size_t index_capacity, uint64_t* count,
                                                 lanecull_message* message) {
    if (count == nullptr) return c::refuse_null("count", message);
    return c::read(visibility, message, [&](const Visibility& file) {
        std::span<std::uint32_t> found;
        Status status = c::take(indices, index_capacity, "indices", found);
        return status ? file.read_indices(cell, found, *count) : status;
    });
}

lanecull_status lanecull_visibility_verify(const lanecull_visibility* visibility, lanecull_message* message) {
    return c::read(visibility, message, [](const Visibility& file) { return file.verify(); });
}

uint64_t lanecull_visibility_fingerprint(const lanecull_scene* scene) {
    return scene != nullptr ? slot_fingerprint(scene->scene) : 0;
}
