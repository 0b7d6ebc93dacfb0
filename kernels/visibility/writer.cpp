/// Writes visibility files from beginning to end; what is kept of a set is its entry of the index.

#include <lanecull/visibility.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "base/checksum.hpp"
#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/memory.hpp"
#include "base/system_files.hpp"
#include "visibility/cells.hpp"
#include "visibility/compress.hpp"
#include "visibility/file_format.hpp"
#include "visibility/portable_set.hpp"

namespace lanecull {

using namespace visibility_file;

struct BegunFile : Allocated {
    char path[most_path];
    NewFile file{path};
    Tail tail{};
    std::uint64_t written = 0;
    Array<Entry> index;
    Array<std::byte> compressed;

    [[nodiscard]] Status write(const void* data, std::size_t bytes) {
        written += bytes;
        return file.write(data, bytes);
    }
};

}  // namespace lanecull

struct lanecull_visibility_writer : lanecull::Allocated {
    std::unique_ptr<lanecull::BegunFile> file;
};

namespace lanecull {
namespace {

Status check_header(const VisibilityHeader& header, bool is_list) {
    if (Status status = check_cleared(header, "header"); !status) return status;
    if (Status status = check_cleared(header.options, "header.options"); !status) return status;
    if (Status status = check_span(header.cells, "header.cells"); !status) return status;
    if (header.objects > max_objects) return failure("header.objects: more than 2^32 - 1");
    if (is_list) {
        if (header.cells.empty()) return failure("header: there are no cells");
        if (header.cells.size() > static_cast<std::uint64_t>(max_cells)) {
            return failure("header.cells: more than 2^32 - 1");
        }
        for (const ConvexCell& cell : header.cells) {
            if (Status status = check_cell(cell); !status) return status;
        }
    } else if (Status status = check_grid(header.grid); !status) {
        return status;
    }
    return check_lengths(header.options);
}

/// A cell with zeros between its members.
void copy_plain(const ConvexCell& cell, ConvexCell& copy) {
    std::memset(static_cast<void*>(&copy), 0, sizeof copy);
    copy.corners = cell.corners;
    std::memcpy(copy.corner, cell.corner, sizeof copy.corner);
}

Tail tail_of(const VisibilityHeader& header, bool is_list) {
    Tail tail{};
    tail.cells = is_list ? header.cells.size() : header.grid.cell_count();
    tail.objects = header.objects;
    tail.fingerprint = header.fingerprint;
    if (!is_list) {
        std::memcpy(tail.grid_lower, header.grid.lower, sizeof tail.grid_lower);
        std::memcpy(tail.grid_size, header.grid.size, sizeof tail.grid_size);
        std::memcpy(tail.grid_count, header.grid.count, sizeof tail.grid_count);
    }
    tail.near_reach = header.options.near_reach;
    tail.distance = distance_of(header.options);
    tail.raster[0] = header.options.raster.per_distance;
    tail.raster[1] = header.options.raster.depth_per_square;
    tail.raster[2] = header.options.raster.depth_per_distance;
    return tail;
}

/// Begins a file.
Status begin(const char* path, const VisibilityHeader& header, std::unique_ptr<BegunFile>& file) {
    if (std::strlen(path) >= most_path - 64) return failure("path: is longer than %zu bytes", most_path - 65);
    const bool is_list = header.grid.cell_count() == 0;
    if (Status status = check_header(header, is_list); !status) return status;
    std::unique_ptr<BegunFile> begun(new (std::nothrow) BegunFile);
    if (begun == nullptr) return failure(StatusCode::out_of_memory, "path: there is not enough memory to write it");
    std::snprintf(begun->path, sizeof begun->path, "%s", path);
    begun->tail = tail_of(header, is_list);
    if (!begun->index.reserve(begun->tail.cells)) {
        return failure(StatusCode::out_of_memory, "header.cells: there is not enough memory for their index");
    }
    if (Status status = begun->file.create(); !status) return status;
    Head head{};
    std::memcpy(head.magic, magic, sizeof head.magic);
    head.version = version;
    head.byte_order = byte_order;
    Checksum checksum;
    checksum.add(&head, sizeof head);
    if (Status status = begun->write(&head, sizeof head); !status) return status;
    constexpr std::size_t at_once = 4;  // a multiple of 32 bytes, as checksums are added up
    static_assert(at_once * sizeof(ConvexCell) % 32 == 0);
    for (std::size_t i = 0; is_list && i < header.cells.size(); i += at_once) {
        ConvexCell cells[at_once];
        const std::size_t count = std::min(at_once, header.cells.size() - i);
        for (std::size_t k = 0; k < count; ++k) copy_plain(header.cells[i + k], cells[k]);
        checksum.add(cells, count * sizeof cells[0]);
        if (Status status = begun->write(cells, count * sizeof cells[0]); !status) return status;
    }
    begun->tail.head_checksum = checksum.value();
    file = std::move(begun);
    return {};
}

Status check_begun(const lanecull_visibility_writer* writer) {
    if (Status status = check_made(writer, "writer"); !status) return status;
    return writer->file != nullptr ? Status() : failure("writer: no file has been begun");
}

Status add_set(std::span<const std::byte> compressed, std::unique_ptr<BegunFile>& file) {
    if (file->index.size() == file->tail.cells) {
        return failure("set: each of the %llu cells has one", static_cast<unsigned long long>(file->tail.cells));
    }
    PortableSet set;
    if (!set.read(compressed, file->tail.objects)) {
        return failure("set: is none in the portable format of Roaring bitmaps, or of more objects");
    }
    const std::size_t bytes = compressed.size(), whole = bytes / 8 * 8;
    unsigned char rest[8] = {};
    std::memcpy(rest, compressed.data() + whole, bytes - whole);
    const Entry entry = {file->written, static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(set.count()),
                         checksum_of(compressed.data(), bytes)};
    Status status = file->write(compressed.data(), whole);
    if (status && bytes > whole) status = file->write(rest, sizeof rest);
    if (status) {
        file->index.push_reserved(entry);  // begin() has made room for all cells
    } else {
        file = nullptr;
    }
    return status;
}

Status add_words(std::span<const std::uint64_t> words, std::unique_ptr<BegunFile>& file) {
    const std::uint64_t objects = file->tail.objects;
    if (words.size() != (objects + 63) / 64) {
        return failure("words: %zu are not one for each 64 of %llu objects", words.size(),
                       static_cast<unsigned long long>(objects));
    }
    if (objects % 64 != 0 && words.back() >> objects % 64 != 0) {
        return failure("words: a bit beyond the objects is set");
    }
    if (Status status = compress(words, file->compressed); !status) return status;
    return add_set({file->compressed.data(), file->compressed.size()}, file);
}

Status finish(BegunFile& file) {
    const std::size_t index_bytes = file.index.size() * sizeof(Entry);
    Tail& tail = file.tail;
    tail.index_offset = file.written;
    tail.file_bytes = file.written + index_bytes + sizeof tail;
    tail.index_checksum = checksum_of(file.index.data(), index_bytes);
    tail.tail_checksum = checksum_of(&tail, offsetof(Tail, tail_checksum));
    Status status = file.write(file.index.data(), index_bytes);
    if (status) status = file.write(&tail, sizeof tail);
    return status ? file.file.commit() : status;
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_visibility_writer* lanecull_create_visibility_writer() noexcept {
    return new (std::nothrow) lanecull_visibility_writer;
}

void lanecull_destroy_visibility_writer(lanecull_visibility_writer* writer) noexcept { delete writer; }

lanecull_status lanecull_visibility_writer_open(lanecull_visibility_writer* writer, const char* path,
                                                const lanecull_visibility_header* header) noexcept {
    const FloatModes modes;
    Status status = check_made(writer, "writer");
    if (status) status = check_not_null(path, "path");
    if (status) status = check_not_null(header, "header");
    if (!status) return status;
    writer->file = nullptr;
    return begin(path, *header, writer->file);
}

lanecull_status lanecull_visibility_writer_add(lanecull_visibility_writer* writer, const uint64_t* words,
                                               size_t word_count) noexcept {
    Status status = check_begun(writer);
    if (status) status = check_span(Span(words, word_count), "words");
    return status ? add_words({words, word_count}, writer->file) : status;
}

lanecull_status lanecull_visibility_writer_add_compressed(lanecull_visibility_writer* writer, const void* set,
                                                          size_t bytes) noexcept {
    const auto* const first = static_cast<const std::byte*>(set);
    Status status = check_begun(writer);
    if (status) status = check_span(Span(first, bytes), "set");
    return status ? add_set({first, bytes}, writer->file) : status;
}

uint64_t lanecull_visibility_writer_added(const lanecull_visibility_writer* writer) noexcept {
    return writer != nullptr && writer->file != nullptr ? writer->file->index.size() : 0;
}

lanecull_status lanecull_visibility_writer_commit(lanecull_visibility_writer* writer) noexcept {
    if (Status status = check_begun(writer); !status) return status;
    const std::size_t added = writer->file->index.size();
    const std::uint64_t cells = writer->file->tail.cells;
    if (added != cells) {
        return failure("writer: %zu of %llu cells have a set", added, static_cast<unsigned long long>(cells));
    }
    Status status = finish(*writer->file);
    writer->file = nullptr;
    return status;
}
