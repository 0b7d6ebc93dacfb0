/// Reads visibility files where they lie. A file may be wrong in any way, so each number is checked before it is used:
/// the tail, the cells and the index when the file is opened, a set when it is read.

#include <lanecull/visibility.h>

#include <algorithm>
#include <bit>
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
#include "visibility/file_format.hpp"
#include "visibility/portable_set.hpp"

namespace lanecull {

using namespace visibility_file;

struct OpenFile : Allocated {
    MappedFile mapped;
    std::span<const std::byte> file;
    Tail tail{};
    CellGrid grid;
    std::span<const ConvexCell> list;
    BakeOptions options;

    /// The index's entry of a cell.
    [[nodiscard]] Entry entry(std::uint64_t cell) const {
        Entry one;
        std::memcpy(&one, file.data() + tail.index_offset + cell * sizeof one, sizeof one);
        return one;
    }
    [[nodiscard]] std::span<const std::byte> bytes(const Entry& entry) const {
        return file.subspan(static_cast<std::size_t>(entry.offset), entry.bytes);
    }
};

}  // namespace lanecull

struct lanecull_visibility : lanecull::Allocated {
    std::unique_ptr<lanecull::OpenFile> file;
};

namespace lanecull {
namespace {

Status damaged(const char* why) { return failure(StatusCode::bad_file, "visibility file: %s", lasting(why)); }

/// Opens a file step by step.
class Opening {
public:
    explicit Opening(OpenFile& to) : to_(to), file_(to.file) {}

    Status run() {
        if (Status status = read_head(); !status) return status;
        if (Status status = read_tail(); !status) return status;
        if (Status status = read_cells(); !status) return status;
        return check_index();
    }

private:
    Status read_head() {
        if (reinterpret_cast<std::uintptr_t>(file_.data()) % 8 != 0) {
            return failure("file: is not aligned to 8 bytes");
        }
        if (file_.size() < sizeof(Head) + sizeof(Tail)) return damaged("is shorter than a head and a tail");
        Head head;
        std::memcpy(&head, file_.data(), sizeof head);
        if (std::memcmp(head.magic, magic, sizeof magic) != 0) return damaged("is of another kind");
        if (head.byte_order != byte_order) return damaged("is of a machine with another order of bytes");
        if (head.version != version) {
            return failure(StatusCode::unsupported, "visibility file: is of version %u, this library reads %u",
                           head.version, version);
        }
        return {};
    }

    Status read_tail() {
        Tail& tail = to_.tail;
        std::memcpy(&tail, file_.data() + file_.size() - sizeof tail, sizeof tail);
        if (tail.file_bytes != file_.size()) return damaged("has been cut off, or something follows it");
        if (checksum_of(&tail, offsetof(Tail, tail_checksum)) != tail.tail_checksum) {
            return damaged("its tail's checksum is another");
        }
        if (tail.objects > max_objects) return damaged("has more than 2^32 - 1 objects");
        if (tail.cells == 0 || tail.cells > static_cast<std::uint64_t>(max_cells)) {
            return damaged("has no cells, or more than 2^32 - 1");
        }
        const std::uint64_t end = file_.size() - sizeof tail;
        if (tail.cells > (end - sizeof(Head)) / sizeof(Entry) ||
            tail.index_offset != end - tail.cells * sizeof(Entry)) {
            return damaged("its index has another size than its cells ask for");
        }
        to_.options.near_reach = tail.near_reach;
        to_.options.distance = tail.distance;
        to_.options.raster = {tail.raster[0], tail.raster[1], tail.raster[2]};
        return check_lengths(to_.options);
    }

    Status read_cells() {
        const Tail& tail = to_.tail;
        CellGrid grid;
        std::memcpy(grid.lower, tail.grid_lower, sizeof grid.lower);
        std::memcpy(grid.size, tail.grid_size, sizeof grid.size);
        std::memcpy(grid.count, tail.grid_count, sizeof grid.count);
        sets_ = sizeof(Head);
        if (std::count(grid.count, grid.count + 3, 0u) == 0) {
            if (Status status = check_grid(grid); !status) return status;
            if (grid.cell_count() != tail.cells) return damaged("its grid has another number of cells");
            to_.grid = grid;
        } else {
            if (tail.cells > (tail.index_offset - sizeof(Head)) / sizeof(ConvexCell)) {
                return damaged("its list of cells does not fit into it");
            }
            const auto* first = reinterpret_cast<const ConvexCell*>(file_.data() + sizeof(Head));
            to_.list = {first, static_cast<std::size_t>(tail.cells)};
            sets_ += to_.list.size_bytes();
            for (const ConvexCell& cell : to_.list) {
                if (Status status = check_cell(cell); !status) return status;
            }
        }
        if (checksum_of(file_.data(), sets_) != tail.head_checksum) return damaged("its head's checksum is another");
        return {};
    }

    /// Sets follow one another without gaps.
    Status check_index() {
        const Tail& tail = to_.tail;
        if (checksum_of(file_.data() + tail.index_offset, tail.cells * sizeof(Entry)) != tail.index_checksum) {
            return damaged("its index's checksum is another");
        }
        std::uint64_t at = sets_;
        for (std::uint64_t cell = 0; cell < tail.cells; ++cell) {
            const Entry entry = to_.entry(cell);
            if (entry.offset != at || padded(entry.bytes) > tail.index_offset - at || entry.visible > tail.objects) {
                return damaged("its index contradicts itself");
            }
            at += padded(entry.bytes);
        }
        if (at != tail.index_offset) return damaged("its index contradicts itself");
        return {};
    }

    OpenFile& to_;
    std::span<const std::byte> file_;
    std::size_t sets_ = 0;  ///< where they begin
};

Status no_file() { return failure(StatusCode::not_ready, "visibility: no file is open"); }

/// file: null, if none is open.
Status find_set(const OpenFile* file, std::uint64_t cell, PortableSet& set) {
    if (file == nullptr) return no_file();
    if (cell >= file->tail.cells) {
        return failure("cell: the file has %llu cells, and no number %llu",
                       static_cast<unsigned long long>(file->tail.cells), static_cast<unsigned long long>(cell));
    }
    const Entry entry = file->entry(cell);
    const std::span<const std::byte> bytes = file->bytes(entry);
    const std::byte* const end = bytes.data() + bytes.size();
    if (checksum_of(bytes.data(), bytes.size()) != entry.checksum ||
        std::count(end, end + (padded(entry.bytes) - entry.bytes), std::byte{0}) !=
            static_cast<std::ptrdiff_t>(padded(entry.bytes) - entry.bytes)) {
        return failure(StatusCode::bad_file, "visibility file: the set of cell %llu has been damaged",
                       static_cast<unsigned long long>(cell));
    }
    if (!set.read(bytes, file->tail.objects) || set.count() != entry.visible) {
        return failure(StatusCode::bad_file, "visibility file: the set of cell %llu contradicts itself",
                       static_cast<unsigned long long>(cell));
    }
    return {};
}

/// Opens a file whose bytes are `to.file`, and keeps it in place of what was open before.
Status keep_opened(std::unique_ptr<OpenFile> to, std::unique_ptr<OpenFile>& file) {
    if (Status status = Opening(*to).run(); !status) return status;
    file = std::move(to);
    return {};
}

Status open_path(const char* path, std::unique_ptr<OpenFile>& file) {
    std::unique_ptr<OpenFile> opened(new (std::nothrow) OpenFile);
    if (opened == nullptr) return failure(StatusCode::out_of_memory, "path: there is not enough memory to open it");
    if (Status status = opened->mapped.open(path); !status) return status;
    opened->file = opened->mapped.bytes();
    return keep_opened(std::move(opened), file);
}

Status open_bytes(std::span<const std::byte> bytes, std::unique_ptr<OpenFile>& file) {
    std::unique_ptr<OpenFile> opened(new (std::nothrow) OpenFile);
    if (opened == nullptr) return failure(StatusCode::out_of_memory, "file: there is not enough memory to open it");
    opened->file = bytes;
    return keep_opened(std::move(opened), file);
}

/// The file that is open; null: none is.
const OpenFile* file_of(const lanecull_visibility* visibility) {
    return visibility != nullptr ? visibility->file.get() : nullptr;
}

Status write_words(const lanecull_visibility* visibility, std::uint64_t cell, Span<std::uint64_t> words, bool clears) {
    Status status = check_made(visibility, "visibility");
    if (status) status = check_span(words, "words");
    PortableSet set;
    if (status) status = find_set(file_of(visibility), cell, set);
    if (!status) return status;
    const std::size_t count = lanecull_visibility_set_words(visibility);
    if (words.size() != count) return failure("words: must be %zu, not %zu", count, words.size());
    if (clears) std::fill(words.begin(), words.end(), 0);
    set.set_bits(words.data());
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_visibility* lanecull_create_visibility() noexcept { return new (std::nothrow) lanecull_visibility; }

void lanecull_destroy_visibility(lanecull_visibility* visibility) noexcept { delete visibility; }

lanecull_status lanecull_visibility_open(lanecull_visibility* visibility, const char* path) noexcept {
    const FloatModes modes;
    Status status = check_made(visibility, "visibility");
    if (status) status = check_not_null(path, "path");
    return status ? open_path(path, visibility->file) : status;
}

lanecull_status lanecull_visibility_open_in_memory(lanecull_visibility* visibility, const void* file,
                                                   size_t bytes) noexcept {
    const FloatModes modes;
    const auto* const first = static_cast<const std::byte*>(file);
    Status status = check_made(visibility, "visibility");
    if (status) status = check_span(Span(first, bytes), "file");
    return status ? open_bytes({first, bytes}, visibility->file) : status;
}

void lanecull_visibility_get_header(const lanecull_visibility* visibility,
                                    lanecull_visibility_header* header) noexcept {
    if (header == nullptr) return;
    *header = {};
    const OpenFile* const file = file_of(visibility);
    if (file == nullptr) return;
    header->objects = file->tail.objects;
    header->fingerprint = file->tail.fingerprint;
    header->grid = file->grid;
    header->cells = file->list;
    header->options = file->options;
}

uint64_t lanecull_visibility_cell_count(const lanecull_visibility* visibility) noexcept {
    const OpenFile* const file = file_of(visibility);
    return file != nullptr ? file->tail.cells : 0;
}

size_t lanecull_visibility_set_words(const lanecull_visibility* visibility) noexcept {
    const OpenFile* const file = file_of(visibility);
    return file != nullptr ? static_cast<std::size_t>((file->tail.objects + 63) / 64) : 0;
}

uint64_t lanecull_visibility_visible_count(const lanecull_visibility* visibility, uint64_t cell) noexcept {
    return cell < lanecull_visibility_cell_count(visibility) ? visibility->file->entry(cell).visible : 0;
}

const void* lanecull_visibility_compressed(const lanecull_visibility* visibility, uint64_t cell) noexcept {
    if (cell >= lanecull_visibility_cell_count(visibility)) return nullptr;
    return visibility->file->bytes(visibility->file->entry(cell)).data();
}

size_t lanecull_visibility_compressed_byte_count(const lanecull_visibility* visibility, uint64_t cell) noexcept {
    return cell < lanecull_visibility_cell_count(visibility) ? visibility->file->entry(cell).bytes : 0;
}

lanecull_status lanecull_visibility_read(const lanecull_visibility* visibility, uint64_t cell, uint64_t* words,
                                         size_t word_count) noexcept {
    return write_words(visibility, cell, {words, word_count}, true);
}

lanecull_status lanecull_visibility_add_to(const lanecull_visibility* visibility, uint64_t cell, uint64_t* words,
                                           size_t word_count) noexcept {
    return write_words(visibility, cell, {words, word_count}, false);
}

lanecull_status lanecull_visibility_read_indices(const lanecull_visibility* visibility, uint64_t cell,
                                                 uint32_t* indices, size_t index_capacity, uint64_t* count) noexcept {
    const Span<std::uint32_t> to(indices, index_capacity);
    Status status = check_made(visibility, "visibility");
    if (status) status = check_span(to, "indices");
    if (status) status = check_not_null(count, "count");
    PortableSet set;
    if (status) status = find_set(file_of(visibility), cell, set);
    if (!status) return status;
    set.write_numbers(to);
    *count = set.count();
    return {};
}

lanecull_status lanecull_visibility_verify(const lanecull_visibility* visibility) noexcept {
    if (Status status = check_made(visibility, "visibility"); !status) return status;
    const OpenFile* const file = file_of(visibility);
    if (file == nullptr) return no_file();
    for (std::uint64_t cell = 0; cell < file->tail.cells; ++cell) {
        PortableSet set;
        if (Status status = find_set(file, cell, set); !status) return status;
    }
    return {};
}

uint64_t lanecull_visibility_fingerprint(const lanecull_scene* scene) noexcept {
    if (scene == nullptr) return 0;
    Checksum checksum;
    std::uint32_t slots[1024];
    const std::uint64_t handles = lanecull_scene_handle_limit(scene);
    for (std::uint64_t first = 0; first < handles; first += std::size(slots)) {
        const std::uint64_t count = std::min<std::uint64_t>(std::size(slots), handles - first);
        for (std::uint64_t i = 0; i < count; ++i) {
            slots[i] = ~std::uint32_t{0};  // of a name that no object has
            static_cast<void>(lanecull_scene_slot_of(scene, static_cast<Handle>(first + i), &slots[i]));
        }
        checksum.add(slots, static_cast<std::size_t>(count) * sizeof slots[0]);
    }
    return checksum.value();
}
