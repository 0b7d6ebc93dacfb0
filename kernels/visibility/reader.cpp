/// Reads visibility files where they lie. A file may be wrong in any way, so each number is checked before it is used:
/// the tail, the cells and the index when the file is opened, a set when it is read.

#include <lanecull/visibility.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "base/checksum.hpp"
#include "base/float_modes.hpp"
#include "base/memory.hpp"
#include "base/system_files.hpp"
#include "visibility/cells.hpp"
#include "visibility/file_format.hpp"
#include "visibility/portable_set.hpp"

namespace lanecull {

using namespace visibility_file;

struct Visibility::Contents : Allocated {
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

namespace {

Status damaged(const char* why) { return Status::failure(StatusCode::bad_file, "visibility file: %s", why); }

/// Opens a file step by step.
class Opening {
public:
    explicit Opening(Visibility::Contents& to) : to_(to), file_(to.file) {}

    Status run() {
        if (Status status = read_head(); !status) return status;
        if (Status status = read_tail(); !status) return status;
        if (Status status = read_cells(); !status) return status;
        return check_index();
    }

private:
    Status read_head() {
        if (reinterpret_cast<std::uintptr_t>(file_.data()) % 8 != 0) {
            return Status::failure("file: is not aligned to 8 bytes");
        }
        if (file_.size() < sizeof(Head) + sizeof(Tail)) return damaged("is shorter than a head and a tail");
        Head head;
        std::memcpy(&head, file_.data(), sizeof head);
        if (std::memcmp(head.magic, magic, sizeof magic) != 0) return damaged("is of another kind");
        if (head.byte_order != byte_order) return damaged("is of a machine with another order of bytes");
        if (head.version != version) {
            return Status::failure(StatusCode::unsupported, "visibility file: is of version %u, this library reads %u",
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

    Visibility::Contents& to_;
    std::span<const std::byte> file_;
    std::size_t sets_ = 0;  ///< where they begin
};

Status find_set(const Visibility::Contents* contents, std::uint64_t cell, PortableSet& set) {
    if (contents == nullptr) return Status::failure(StatusCode::not_ready, "visibility: no file is open");
    if (cell >= contents->tail.cells) {
        return Status::failure("cell: the file has %llu cells, and no number %llu",
                               static_cast<unsigned long long>(contents->tail.cells),
                               static_cast<unsigned long long>(cell));
    }
    const Entry entry = contents->entry(cell);
    const std::span<const std::byte> bytes = contents->bytes(entry);
    const std::byte* const end = bytes.data() + bytes.size();
    if (checksum_of(bytes.data(), bytes.size()) != entry.checksum ||
        std::count(end, end + (padded(entry.bytes) - entry.bytes), std::byte{0}) !=
            static_cast<std::ptrdiff_t>(padded(entry.bytes) - entry.bytes)) {
        return Status::failure(StatusCode::bad_file, "visibility file: the set of cell %llu has been damaged",
                               static_cast<unsigned long long>(cell));
    }
    if (!set.read(bytes, contents->tail.objects) || set.count() != entry.visible) {
        return Status::failure(StatusCode::bad_file, "visibility file: the set of cell %llu contradicts itself",
                               static_cast<unsigned long long>(cell));
    }
    return {};
}

}  // namespace

Visibility::Visibility() noexcept = default;
Visibility::Visibility(Visibility&&) noexcept = default;
Visibility& Visibility::operator=(Visibility&&) noexcept = default;
Visibility::~Visibility() = default;

Status Visibility::open(const char* path, Visibility& visibility) noexcept {
    const FloatModes modes;
    if (path == nullptr) return Status::failure("path: must not be null");
    Visibility opened;
    opened.contents_ = new (std::nothrow) Contents;
    if (opened.contents_ == nullptr)
        return Status::failure(StatusCode::out_of_memory, "path: there is not enough memory to open it");
    if (Status status = opened.contents_->mapped.open(path); !status) return status;
    opened.contents_->file = opened.contents_->mapped.bytes();
    if (Status status = Opening(*opened.contents_).run(); !status) return status;
    visibility.contents_ = std::move(opened.contents_);
    return {};
}

Status Visibility::open(std::span<const std::byte> file, Visibility& visibility) noexcept {
    const FloatModes modes;
    Visibility opened;
    opened.contents_ = new (std::nothrow) Contents;
    if (opened.contents_ == nullptr)
        return Status::failure(StatusCode::out_of_memory, "file: there is not enough memory to open it");
    opened.contents_->file = file;
    if (Status status = Opening(*opened.contents_).run(); !status) return status;
    visibility.contents_ = std::move(opened.contents_);
    return {};
}

VisibilityHeader Visibility::header() const noexcept {
    if (contents_ == nullptr) return {};
    return {contents_->tail.objects, contents_->tail.fingerprint, contents_->grid, contents_->list, contents_->options};
}

CellGrid Visibility::grid() const noexcept { return contents_ != nullptr ? contents_->grid : CellGrid(); }

std::uint64_t Visibility::cell_count() const noexcept { return contents_ != nullptr ? contents_->tail.cells : 0; }

std::uint64_t Visibility::object_count() const noexcept { return contents_ != nullptr ? contents_->tail.objects : 0; }

std::size_t Visibility::visibility_words() const noexcept {
    return static_cast<std::size_t>((object_count() + 63) / 64);
}

std::uint64_t Visibility::visible_count(std::uint64_t cell) const noexcept {
    return cell < cell_count() ? contents_->entry(cell).visible : 0;
}

std::span<const std::byte> Visibility::compressed(std::uint64_t cell) const noexcept {
    return cell < cell_count() ? contents_->bytes(contents_->entry(cell)) : std::span<const std::byte>();
}

Status Visibility::read(std::uint64_t cell, std::span<std::uint64_t> words) const noexcept {
    return write_words(cell, words, true);
}

Status Visibility::add_to(std::uint64_t cell, std::span<std::uint64_t> words) const noexcept {
    return write_words(cell, words, false);
}

Status Visibility::write_words(std::uint64_t cell, std::span<std::uint64_t> words, bool clears) const noexcept {
    PortableSet set;
    if (Status status = find_set(contents_, cell, set); !status) return status;
    if (words.size() != visibility_words()) {
        return Status::failure("words: must be %zu, not %zu", visibility_words(), words.size());
    }
    if (clears) std::fill(words.begin(), words.end(), 0);
    set.set_bits(words.data());
    return {};
}

Status Visibility::read_indices(std::uint64_t cell, std::span<std::uint32_t> indices,
                                std::uint64_t& count) const noexcept {
    PortableSet set;
    if (Status status = find_set(contents_, cell, set); !status) return status;
    set.write_numbers(indices);
    count = set.count();
    return {};
}

Status Visibility::verify() const noexcept {
    if (contents_ == nullptr) return Status::failure(StatusCode::not_ready, "visibility: no file is open");
    for (std::uint64_t cell = 0; cell < contents_->tail.cells; ++cell) {
        PortableSet set;
        if (Status status = find_set(contents_, cell, set); !status) return status;
    }
    return {};
}

std::uint64_t slot_fingerprint(const Scene& scene) noexcept {
    Checksum checksum;
    std::uint32_t slots[1024];
    const auto handles = static_cast<std::uint64_t>(scene.handle_limit());
    for (std::uint64_t first = 0; first < handles; first += std::size(slots)) {
        const std::uint64_t count = std::min<std::uint64_t>(std::size(slots), handles - first);
        for (std::uint64_t i = 0; i < count; ++i) {
            slots[i] = ~std::uint32_t{0};  // of a name that no object has
            static_cast<void>(scene.slot_of(static_cast<Handle>(first + i), slots[i]).ok());
        }
        checksum.add(slots, static_cast<std::size_t>(count) * sizeof slots[0]);
    }
    return checksum.value();
}

}  // namespace lanecull
