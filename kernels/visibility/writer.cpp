/// Writes visibility files from beginning to end; what is kept of a set is its entry of the index.

#include <lanecull/visibility.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/checksum.hpp"
#include "base/float_modes.hpp"
#include "base/memory.hpp"
#include "base/system_files.hpp"
#include "visibility/cells.hpp"
#include "visibility/file_format.hpp"
#include "visibility/portable_set.hpp"

namespace lanecull {

using namespace visibility_file;

struct VisibilityWriter::Contents : Allocated {
    char path[most_path];
    NewFile file{path};
    Tail tail{};
    std::uint64_t written = 0;
    Array<Entry> index;
    CompressedSet compressed;

    [[nodiscard]] Status write(const void* data, std::size_t bytes) {
        written += bytes;
        return file.write(data, bytes);
    }
};

namespace {

Status check_header(const VisibilityHeader& header, bool is_list) {
    if (header.objects > max_objects) return Status::failure("header.objects: more than 2^32 - 1");
    if (is_list) {
        if (header.cells.empty()) return Status::failure("header: there are no cells");
        if (header.cells.size() > static_cast<std::uint64_t>(max_cells)) {
            return Status::failure("header.cells: more than 2^32 - 1");
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
    tail.distance = header.options.distance;
    tail.raster[0] = header.options.raster.per_distance;
    tail.raster[1] = header.options.raster.depth_per_square;
    tail.raster[2] = header.options.raster.depth_per_distance;
    return tail;
}

}  // namespace

VisibilityWriter::VisibilityWriter() noexcept = default;
VisibilityWriter::~VisibilityWriter() = default;

Status VisibilityWriter::open(const char* path, const VisibilityHeader& header) noexcept {
    const FloatModes modes;
    contents_ = nullptr;
    if (path == nullptr) return Status::failure("path: must not be null");
    if (std::strlen(path) >= most_path - 64) return Status::failure("path: is longer than %zu bytes", most_path - 65);
    const bool is_list = header.grid.cell_count() == 0;
    if (Status status = check_header(header, is_list); !status) return status;
    VisibilityWriter begun;
    begun.contents_ = new (std::nothrow) Contents;
    Contents* const contents = begun.contents_;
    if (contents == nullptr)
        return Status::failure(StatusCode::out_of_memory, "path: there is not enough memory to write it");
    std::snprintf(contents->path, sizeof contents->path, "%s", path);
    contents->tail = tail_of(header, is_list);
    if (!contents->index.reserve(contents->tail.cells)) {
        return Status::failure(StatusCode::out_of_memory, "header.cells: there is not enough memory for their index");
    }
    if (Status status = contents->file.create(); !status) return status;
    Head head{};
    std::memcpy(head.magic, magic, sizeof head.magic);
    head.version = version;
    head.byte_order = byte_order;
    Checksum checksum;
    checksum.add(&head, sizeof head);
    if (Status status = contents->write(&head, sizeof head); !status) return status;
    constexpr std::size_t at_once = 4;  // a multiple of 32 bytes, as checksums are added up
    static_assert(at_once * sizeof(ConvexCell) % 32 == 0);
    for (std::size_t i = 0; is_list && i < header.cells.size(); i += at_once) {
        ConvexCell cells[at_once];
        const std::size_t count = std::min(at_once, header.cells.size() - i);
        for (std::size_t k = 0; k < count; ++k) copy_plain(header.cells[i + k], cells[k]);
        checksum.add(cells, count * sizeof cells[0]);
        if (Status status = contents->write(cells, count * sizeof cells[0]); !status) return status;
    }
    contents->tail.head_checksum = checksum.value();
    contents_ = std::move(begun.contents_);
    return {};
}

std::uint64_t VisibilityWriter::added() const noexcept { return contents_ != nullptr ? contents_->index.size() : 0; }

Status VisibilityWriter::add(std::span<const std::uint64_t> words) noexcept {
    if (contents_ == nullptr) return Status::failure("writer: no file has been begun");
    const std::uint64_t objects = contents_->tail.objects;
    if (words.size() != (objects + 63) / 64) {
        return Status::failure("words: %zu are not one for each 64 of %llu objects", words.size(),
                               static_cast<unsigned long long>(objects));
    }
    if (objects % 64 != 0 && words.back() >> objects % 64 != 0) {
        return Status::failure("words: a bit beyond the objects is set");
    }
    if (Status status = contents_->compressed.compress(words); !status) return status;
    return add(contents_->compressed.bytes());
}

Status VisibilityWriter::add(std::span<const std::byte> compressed) noexcept {
    if (contents_ == nullptr) return Status::failure("writer: no file has been begun");
    if (contents_->index.size() == contents_->tail.cells) {
        return Status::failure("set: each of the %llu cells has one",
                               static_cast<unsigned long long>(contents_->tail.cells));
    }
    PortableSet set;
    if (!set.read(compressed, contents_->tail.objects)) {
        return Status::failure("set: is none in the portable format of Roaring bitmaps, or of more objects");
    }
    const std::size_t bytes = compressed.size(), whole = bytes / 8 * 8;
    unsigned char rest[8] = {};
    std::memcpy(rest, compressed.data() + whole, bytes - whole);
    const Entry entry = {contents_->written, static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(set.count()),
                         checksum_of(compressed.data(), bytes)};
    Status status = contents_->write(compressed.data(), whole);
    if (status && bytes > whole) status = contents_->write(rest, sizeof rest);
    if (status) {
        contents_->index.push_reserved(entry);  // open() has made room for all cells
    } else {
        contents_ = nullptr;
    }
    return status;
}

Status VisibilityWriter::commit() noexcept {
    if (contents_ == nullptr) return Status::failure("writer: no file has been begun");
    if (contents_->index.size() != contents_->tail.cells) {
        return Status::failure("writer: %zu of %llu cells have a set", contents_->index.size(),
                               static_cast<unsigned long long>(contents_->tail.cells));
    }
    const std::size_t index_bytes = contents_->index.size() * sizeof(Entry);
    Tail& tail = contents_->tail;
    tail.index_offset = contents_->written;
    tail.file_bytes = contents_->written + index_bytes + sizeof tail;
    tail.index_checksum = checksum_of(contents_->index.data(), index_bytes);
    tail.tail_checksum = checksum_of(&tail, offsetof(Tail, tail_checksum));
    Status status = contents_->write(contents_->index.data(), index_bytes);
    if (status) status = contents_->write(&tail, sizeof tail);
    if (status) status = contents_->file.commit();
    contents_ = nullptr;
    return status;
}

}  // namespace lanecull
