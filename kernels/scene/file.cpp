/// Scenes in files.
///
/// A file is a header, a table of sections, and the sections. Each section is at a multiple of 64 bytes and holds an
/// Array's contents, byte for byte. So a mapped file's columns could be used where they lie; loading copies them. A
/// file may be wrong in any way, so everything that is read is checked before it is used. Boxes are not read but
/// computed.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "base/checksum.hpp"
#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/system_files.hpp"
#include "calls/check.hpp"
#include "scene/contents.hpp"
#include "scene/file_format.hpp"
#include "scene/source.hpp"

namespace lanecull {

using namespace scene_file;

namespace {

/// What lanecull_scene_save() writes, in order: the table's entries, and where each section's bytes are. Functions
/// return false where there is no memory.
struct Plan {
    Array<Section> sections;
    Array<std::span<const std::byte>> data;
    Array<StoreRecord> stores;

    [[nodiscard]] bool add(What what, std::uint32_t a, std::uint32_t b, const void* from, std::size_t bytes) {
        Section section{};
        section.what = static_cast<std::uint32_t>(what);
        section.a = a;
        section.b = b;
        section.bytes = bytes;
        return sections.push(section) && data.push({static_cast<const std::byte*>(from), bytes});
    }
    template <class T>
    [[nodiscard]] bool add(What what, std::uint32_t a, std::uint32_t b, const Array<T>& array) {
        return add(what, a, b, array.data(), array.size() * sizeof(T));
    }

    [[nodiscard]] bool describe(const lanecull_scene& contents) {
        if (!stores.resize(contents.stores.size())) return false;
        if (!add(What::places, 0, 0, contents.places) || !add(What::unused_handles, 0, 0, contents.unused))
            return false;
        for (std::uint32_t h = 0; h < contents.hulls.size(); ++h) {
            // One block of memory: x, y, z.
            const Hull& hull = contents.hulls.data()[h];
            if (!add(What::hull, hull.count, h, hull.x, std::size_t{hull.count} * 3 * sizeof(float))) return false;
        }
        for (std::uint32_t s = 0; s < contents.stores.size(); ++s) {
            if (!describe(contents.store(s), s)) return false;
        }
        std::uint64_t offset = sizeof(Header) + sections.size() * sizeof(Section);
        for (std::size_t i = 0; i < sections.size(); ++i) {
            sections[i].offset = offset;
            offset += padded(data[i].size());
        }
        return true;
    }

    [[nodiscard]] bool describe(const Store& store, std::uint32_t s) {
        StoreRecord& record = stores[s];
        record.layout = static_cast<std::uint32_t>(store.key.layout);
        record.moving = store.key.moving;
        record.large = store.key.large;
        record.blocks = store.blocks();
        for (int j = 0; j < 3; ++j) record.origin[j] = store.key.origin[j];
        record.spacing = store.spacing;
        if (!add(What::store, s, 0, &record, sizeof record)) return false;
        for (std::uint32_t c = 0; c < most_columns; ++c) {
            if (!store.columns[c].empty() && !add(What::column, s, c, store.columns[c])) return false;
        }
        if (!add(What::handles, s, 0, store.handles) || !add(What::count, s, 0, store.count)) return false;
        for (std::uint32_t side = 0; side < 6; ++side) {
            const Array<float>& numbers = side < 3 ? store.homes[0].low[side] : store.homes[0].high[side - 3];
            const std::size_t bytes = std::size_t{store.blocks()} * sizeof(float);
            if (!add(What::home, s, side, numbers.data(), bytes)) return false;
        }
        return true;
    }
};

Status damaged(const char* how) { return failure(StatusCode::bad_file, "scene file: %s", lasting(how)); }

/// What is wrong with entry i of a list.
Status damaged(const char* list, std::uint32_t i, const char* how) {
    return failure(StatusCode::bad_file, "scene file: %s[%u]: %s", lasting(list), i, lasting(how));
}

/// A rule that callers have to keep as well, in the words that they get. The file is at fault, except where it needs
/// more than this build or machine has.
Status broken(const char* list, std::uint32_t i, const Status& rule) {
    const bool is_fault = rule.code != StatusCode::unsupported && rule.code != StatusCode::out_of_memory;
    Status status = within(rule, "scene file: %s[%u]: ", lasting(list), i);
    if (is_fault) status.code = StatusCode::bad_file;
    return status;
}

/// Reads sections in the order in which they were written. Each must be the one that is expected next.
class Reading {
public:
    explicit Reading(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    [[nodiscard]] Status check_file() noexcept {
        if (bytes_.size() < sizeof header_) return damaged("is shorter than a header");
        std::memcpy(&header_, bytes_.data(), sizeof header_);
        if (std::memcmp(header_.magic, magic, sizeof magic) != 0) return damaged("is of another kind");
        if (header_.byte_order != byte_order) return damaged("was written by a machine of another byte order");
        if (header_.version != version) {
            return failure(StatusCode::unsupported, "scene file: is of version %u, this library reads %u",
                           header_.version, version);
        }
        if (header_.header_checksum != checksum_of(&header_, offsetof(Header, header_checksum))) {
            return damaged("its header is damaged");
        }
        if (header_.file_bytes != bytes_.size()) return damaged("has been cut off, or something follows it");
        if (header_.sections > (bytes_.size() - sizeof header_) / sizeof(Section)) {
            return damaged("its table does not fit");
        }
        const std::span<const std::byte> rest = bytes_.subspan(sizeof header_);
        if (header_.checksum != checksum_of(rest.data(), rest.size())) return damaged("its checksum is another");
        return {};
    }

    /// Whether the next section is a `what`.
    [[nodiscard]] bool comes(What what) const noexcept {
        return next_ < header_.sections && section(next_).what == static_cast<std::uint32_t>(what);
    }
    [[nodiscard]] Section peek() const noexcept { return section(next_); }
    [[nodiscard]] bool at_end() const noexcept { return next_ == header_.sections; }

    /// Takes the bytes of the next section, which must be this one and of that size.
    [[nodiscard]] Status take(What what, std::uint32_t a, std::uint32_t b, std::uint64_t bytes,
                              std::span<const std::byte>& data) noexcept {
        const Section s = comes(what) ? section(next_) : Section{};
        if (!comes(what) || s.a != a || s.b != b) return damaged_section("is another than the one that is due");
        if (s.bytes != bytes) return damaged_section("is of another size");
        if (s.offset % alignment != 0 || s.offset > bytes_.size() || s.bytes > bytes_.size() - s.offset) {
            return damaged_section("is not in the file");
        }
        data = bytes_.subspan(static_cast<std::size_t>(s.offset), static_cast<std::size_t>(s.bytes));
        ++next_;
        return {};
    }

    /// Takes the next section into an array of `count` entries, which may be more than a 32-bit size can hold.
    template <class T>
    [[nodiscard]] Status take_array(What what, std::uint32_t a, std::uint32_t b, std::uint64_t count,
                                    Array<T>& to) noexcept {
        std::span<const std::byte> data;
        if (Status status = take(what, a, b, count * sizeof(T), data); !status) return status;
        if (!to.resize_unset(count)) return no_memory();
        if (count > 0) std::memcpy(static_cast<void*>(to.data()), data.data(), data.size());
        return {};
    }

private:
    [[nodiscard]] Status damaged_section(const char* how) const noexcept {
        return damaged("sections", static_cast<std::uint32_t>(next_), how);
    }
    [[nodiscard]] Section section(std::uint64_t i) const noexcept {
        Section s;
        std::memcpy(&s, bytes_.data() + sizeof(Header) + i * sizeof(Section), sizeof s);
        return s;
    }

    std::span<const std::byte> bytes_;
    Header header_{};
    std::uint64_t next_ = 0;
};

Status read_hulls(Reading& reading, HullTable& hulls) {
    for (std::uint32_t h = 0; reading.comes(What::hull); ++h) {
        const std::uint32_t count = reading.peek().a;
        const std::uint64_t numbers = std::uint64_t{count} * 3;
        Array<float> x;
        if (Status status = reading.take_array(What::hull, count, h, numbers, x); !status) return status;
        Hull hull;
        if (Status status = prepare_hull(x.data(), x.data() + count, x.data() + 2 * std::size_t{count}, count, hull);
            !status) {
            return broken("hulls", h, status);
        }
        const std::uint32_t number = hulls.number_of(hull);
        if (number == no_node) return no_memory();
        if (number != h) return damaged("hulls", h, "is there twice");
    }
    return {};
}

/// What stores have in common with no batch: their record.
Status read_record(Reading& reading, std::uint32_t s, Store& store, std::uint32_t& blocks) {
    std::span<const std::byte> data;
    StoreRecord record;
    if (Status status = reading.take(What::store, s, 0, sizeof record, data); !status) return status;
    std::memcpy(&record, data.data(), sizeof record);
    if (record.layout >= layout_count) return damaged("stores", s, "its layout is none");
    if (record.moving > 1 || record.large > 1) return damaged("stores", s, "a mark is neither 0 nor 1");
    if (record.blocks > most_slots / block_slots) return damaged("stores", s, "has more blocks than a store can have");
    if (Status status = check_origin(record.origin, "origin"); !status) return broken("stores", s, status);
    if (!(record.spacing >= 0) || !std::isfinite(record.spacing)) {
        return damaged("stores", s, "the extent of its blocks is negative or not finite");
    }
    store.key = key_of(static_cast<Layout>(record.layout), record.moving != 0, record.origin);
    store.key.large = record.large;
    store.spacing = record.spacing;
    blocks = record.blocks;
    return {};
}

/// Columns are those of a batch, for which the rules of batches hold.
Status read_columns(Reading& reading, std::uint32_t s, std::uint32_t blocks, const HullTable& hulls, Store& store) {
    const std::uint64_t slots = std::uint64_t{blocks} * block_slots;
    for (std::uint32_t c = 0; c < most_columns && slots > 0; ++c) {
        const std::uint32_t width = width_of(store.key.layout, c);
        const bool is_there = reading.comes(What::column) && reading.peek().b == c;
        if (width == 0 || (!is_there && c >= most_shape_columns)) continue;
        if (Status status = reading.take_array(What::column, s, c, slots * width, store.columns[c]); !status) {
            return status;
        }
    }
    const Batch batch = batch_of(store.view(hulls.data(), hulls.size()), static_cast<std::uint32_t>(slots));
    const Status status = check_batch(batch);
    return status ? status : broken("stores", s, status);
}

/// Homes are boxes of objects: finite, or without any object empty.
bool is_home(const ObjectBox& box) {
    const ObjectBox empty = empty_box();
    bool is_empty = true, is_finite = true;
    for (std::uint32_t j = 0; j < 3; ++j) {
        is_empty = is_empty && box.low[j] == empty.low[j] && box.high[j] == empty.high[j];
        is_finite = is_finite && std::isfinite(box.low[j]) && std::isfinite(box.high[j]) && box.low[j] <= box.high[j];
    }
    return is_empty || is_finite;
}

Status read_homes(Reading& reading, std::uint32_t s, Store& store) {
    const std::uint32_t blocks = store.blocks();
    for (std::uint32_t side = 0; side < 6; ++side) {
        Array<float> numbers;
        if (Status status = reading.take_array(What::home, s, side, blocks, numbers); !status) return status;
        Array<float>& home = side < 3 ? store.homes[0].low[side] : store.homes[0].high[side - 3];
        std::copy(numbers.begin(), numbers.end(), home.begin());
    }
    for (std::uint32_t b = 0; b < blocks; ++b) {
        if (!is_home(store.homes[0].get(b))) return damaged("stores", s, "a home is no box");
    }
    return {};
}

Status read_store(Reading& reading, std::uint32_t s, const HullTable& hulls, Store& store) {
    std::uint32_t blocks = 0;
    if (Status status = read_record(reading, s, store, blocks); !status) return status;
    if (Status status = read_columns(reading, s, blocks, hulls, store); !status) return status;
    Array<Handle> handles;
    Array<std::uint32_t> count;
    const std::uint64_t slots = std::uint64_t{blocks} * block_slots;
    if (Status status = reading.take_array(What::handles, s, 0, slots, handles); !status) return status;
    if (Status status = reading.take_array(What::count, s, 0, blocks, count); !status) return status;
    if (!store.make_room(blocks, 0)) return no_memory();
    store.resize_blocks(blocks);
    std::copy(handles.begin(), handles.end(), store.handles.begin());
    std::copy(count.begin(), count.end(), store.count.begin());
    for (const std::uint32_t n : store.count) {
        if (n > block_slots) return damaged("stores", s, "a block has more objects than slots");
        store.objects += n;
    }
    return read_homes(reading, s, store);
}

/// Checks that every name is either that of the object that has it, or unused, and that only once.
Status check_names(const lanecull_scene& contents) {
    std::uint64_t named = 0;
    for (std::size_t h = 0; h < contents.places.size(); ++h) {
        const Place place = contents.places[h];
        if (place.store == no_node) continue;
        ++named;
        const std::uint32_t block = place.slot / block_slots;
        if (place.store >= contents.stores.size() || block >= contents.store(place.store).blocks() ||
            place.slot % block_slots >= contents.store(place.store).count[block] ||
            contents.store(place.store).handles[place.slot] != h) {
            return damaged("handles", static_cast<std::uint32_t>(h), "names an object that is not there");
        }
    }
    if (named != contents.objects) return damaged("objects have no handle");
    if (contents.unused.size() != contents.places.size() - named) return damaged("unused handles are not all there");
    Array<std::uint64_t> seen;
    if (!seen.resize(contents.places.size() / 64 + 1)) return no_memory();
    for (const Handle h : contents.unused) {
        if (h >= contents.places.size() || contents.names_object(h)) return damaged("unused", h, "is no unused handle");
        const std::uint64_t bit = std::uint64_t{1} << h % 64;
        if ((seen[h / 64] & bit) != 0) return damaged("unused", h, "is there twice");
        seen[h / 64] |= bit;
    }
    return {};
}

Status read_contents(Reading& reading, lanecull_scene& contents) {
    const std::uint64_t places = reading.comes(What::places) ? reading.peek().bytes / sizeof(Place) : 0;
    if (Status status = reading.take_array(What::places, 0, 0, places, contents.places); !status) return status;
    const std::uint64_t unused = reading.comes(What::unused_handles) ? reading.peek().bytes / sizeof(Handle) : 0;
    if (Status status = reading.take_array(What::unused_handles, 0, 0, unused, contents.unused); !status) return status;
    if (!contents.reserve_names(0)) return no_memory();
    if (Status status = read_hulls(reading, contents.hulls); !status) return status;
    for (std::uint32_t s = 0; reading.comes(What::store); ++s) {
        Store* store = new (std::nothrow) Store;
        if (store == nullptr || !contents.stores.push(store)) {
            delete store;
            return no_memory();
        }
        if (Status status = read_store(reading, s, contents.hulls, *store); !status) return status;
        if (contents.find_store(store->key) != s) return damaged("stores", s, "is there twice");
        contents.objects += store->objects;
    }
    if (!reading.at_end()) return damaged("has sections beyond its stores");
    return check_names(contents);
}

/// Replaces the scene's objects by those of a file in memory.
Status load(lanecull_scene& scene, std::span<const std::byte> file, const Runner& runner) {
    const FloatModes modes;
    Reading reading(file);
    if (Status status = reading.check_file(); !status) return status;
    lanecull_scene loaded;
    if (Status status = read_contents(reading, loaded); !status) return status;
    for (Store* store : loaded.stores) {
        store->open_blocks(0);
        store->refit(true, loaded.hulls.data(), loaded.hulls.size(), runner);
        store->settle_upper_homes();
    }
    scene.swap(loaded);
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_scene_save(const lanecull_scene* scene, const char* path) noexcept {
    if (Status status = check_made(scene, "scene"); !status) return status;
    if (path == nullptr || std::strlen(path) > most_path - 64) {
        return failure("path: must not be null nor longer than %zu bytes", most_path - 64);
    }
    Plan plan;
    if (!plan.describe(*scene)) return no_memory();
    const std::size_t table_bytes = plan.sections.size() * sizeof(Section);
    Header header{};
    std::memcpy(header.magic, magic, sizeof magic);
    header.version = version;
    header.byte_order = byte_order;
    header.sections = plan.sections.size();
    header.file_bytes = sizeof header + table_bytes;
    Checksum sum;
    sum.add(plan.sections.data(), table_bytes);
    for (const std::span<const std::byte> data : plan.data) {
        header.file_bytes += padded(data.size());
        sum.add_padded(data.data(), data.size(), padded(data.size()));
    }
    header.checksum = sum.value();
    header.header_checksum = checksum_of(&header, offsetof(Header, header_checksum));
    NewFile file(path);
    Status status = file.create();
    if (status) status = file.write(&header, sizeof header);
    if (status) status = file.write(plan.sections.data(), table_bytes);
    for (const std::span<const std::byte> data : plan.data) {
        static constexpr char zeros[alignment] = {};
        if (status) status = file.write(data.data(), data.size());
        if (status) status = file.write(zeros, padded(data.size()) - data.size());
    }
    return status ? file.commit() : status;
}

lanecull_status lanecull_scene_load(lanecull_scene* scene, const char* path, const lanecull_runner* runner) noexcept {
    if (Status status = check_made(scene, "scene"); !status) return status;
    if (Status status = check_not_null(path, "path"); !status) return status;
    MappedFile file;
    if (Status status = file.open(path); !status) return status;
    return load(*scene, file.bytes(), or_usual(runner));
}

lanecull_status lanecull_scene_load_from_memory(lanecull_scene* scene, const void* file, size_t bytes,
                                                const lanecull_runner* runner) noexcept {
    const Span<const std::byte> all(static_cast<const std::byte*>(file), bytes);
    if (Status status = check_made(scene, "scene"); !status) return status;
    if (Status status = check_span(all, "file"); !status) return status;
    return load(*scene, all, or_usual(runner));
}
