/// Scenes in files.
///
/// A file is a header, a table of sections, and the sections. Each section is at a multiple of 64 bytes and holds an
/// Array's contents, byte for byte. So a mapped file's columns could be used where they lie; load() copies them. A file
/// may be wrong in any way, so everything that is read is checked before it is used. Boxes are not read but computed.

#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "base/float_modes.hpp"
#include "calls/compiled_kinds.hpp"
#include "files/checksum.hpp"
#include "files/system_files.hpp"
#include "scene/contents.hpp"
#include "scene/file_format.hpp"

namespace lanecull {

using namespace scene_file;

namespace {

/// What save() writes, in order: the table's entries, and where each section's bytes are.
struct Plan {
    Array<Section> sections;
    Array<std::span<const std::byte>> data;
    Array<StoreRecord> stores;
    bool ok = true;

    void add(What what, std::uint32_t a, std::uint32_t b, const void* from, std::size_t bytes) {
        Section section{};
        section.what = static_cast<std::uint32_t>(what);
        section.a = a;
        section.b = b;
        section.bytes = bytes;
        ok = ok && sections.push(section) && data.push({static_cast<const std::byte*>(from), bytes});
    }

    void describe(const Scene::Contents& contents) {
        ok = stores.resize(contents.stores.size());
        if (!ok) return;
        add(What::places, 0, 0, contents.places.data(), contents.places.size() * sizeof(Place));
        add(What::unused_names, 0, 0, contents.unused.data(), contents.unused.size() * sizeof(Handle));
        for (std::uint32_t h = 0; h < contents.hulls.size(); ++h) {
            // One block of memory: x, y, z.
            const Hull& hull = contents.hulls.data()[h];
            add(What::hull, hull.count, h, hull.x, std::size_t{hull.count} * 3 * sizeof(float));
        }
        for (std::uint32_t s = 0; s < contents.stores.size(); ++s) describe(contents.store(s), s);
        std::uint64_t offset = sizeof(Header) + sections.size() * sizeof(Section);
        for (std::size_t i = 0; i < sections.size(); ++i) {
            sections[i].offset = offset;
            offset += padded(data[i].size());
        }
    }

    void describe(const Store& store, std::uint32_t s) {
        StoreRecord& record = stores[s];
        record.layout = static_cast<std::uint32_t>(store.key.layout);
        record.moving = store.key.moving;
        record.large = store.key.large;
        record.blocks = store.blocks();
        for (int j = 0; j < 3; ++j) record.origin[j] = store.key.origin[j];
        record.spacing = store.spacing;
        add(What::store, s, 0, &record, sizeof record);
        for (std::uint32_t c = 0; c < most_columns; ++c) {
            if (store.columns[c].empty()) continue;
            add(What::column, s, c, store.columns[c].data(), store.columns[c].size() * sizeof(std::uint32_t));
        }
        add(What::names, s, 0, store.names.data(), store.names.size() * sizeof(Handle));
        add(What::count, s, 0, store.count.data(), store.count.size() * sizeof(std::uint32_t));
        for (std::uint32_t side = 0; side < 6; ++side) {
            const Array<float>& numbers = side < 3 ? store.homes[0].low[side] : store.homes[0].high[side - 3];
            add(What::home, s, side, numbers.data(), std::size_t{store.blocks()} * sizeof(float));
        }
    }
};

Status damaged(const char* how) { return Status::failure(StatusCode::bad_file, "scene file: %s", how); }

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
            return Status::failure(StatusCode::unsupported, "scene file: is of version %u, this library reads %u",
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

    /// Takes the bytes of the next section, which must be this one. False, with `data` unchanged, if it is not.
    [[nodiscard]] bool take(What what, std::uint32_t a, std::uint32_t b, std::span<const std::byte>& data) noexcept {
        if (!comes(what)) return false;
        const Section s = section(next_++);
        if (s.a != a || s.b != b || s.offset % alignment != 0) return false;
        if (s.offset > bytes_.size() || s.bytes > bytes_.size() - s.offset) return false;
        data = bytes_.subspan(static_cast<std::size_t>(s.offset), static_cast<std::size_t>(s.bytes));
        return true;
    }

    /// Takes the next section into an array of `count` entries, which may be more than a 32-bit size can tell.
    template <class T>
    [[nodiscard]] bool take_array(What what, std::uint32_t a, std::uint32_t b, std::uint64_t count,
                                  Array<T>& to) noexcept {
        std::span<const std::byte> data;
        if (!take(what, a, b, data) || data.size() != count * sizeof(T) || !to.resize_unset(count)) return false;
        if (count > 0) std::memcpy(static_cast<void*>(to.data()), data.data(), data.size());
        return true;
    }

private:
    [[nodiscard]] Section section(std::uint64_t i) const noexcept {
        Section s;
        std::memcpy(&s, bytes_.data() + sizeof(Header) + i * sizeof(Section), sizeof s);
        return s;
    }

    std::span<const std::byte> bytes_;
    Header header_{};
    std::uint64_t next_ = 0;
};

[[nodiscard]] bool read_hulls(Reading& reading, HullTable& hulls) {
    for (std::uint32_t h = 0; reading.comes(What::hull); ++h) {
        const std::uint32_t count = reading.peek().a;
        std::span<const std::byte> data;
        if (count == 0 || !reading.take(What::hull, count, h, data)) return false;
        if (data.size() != std::uint64_t{count} * 3 * sizeof(float)) return false;
        Array<float> numbers;
        if (!numbers.resize_unset(std::uint64_t{count} * 3)) return false;
        std::memcpy(numbers.data(), data.data(), data.size());
        Hull hull;
        const float* x = numbers.data();
        if (!prepare_hull(x, x + count, x + 2 * std::size_t{count}, count, hull).ok()) return false;
        if (hulls.number_of(hull) != h) return false;
    }
    return true;
}

[[nodiscard]] bool read_store(Reading& reading, std::uint32_t s, Store& store) {
    std::span<const std::byte> data;
    StoreRecord record;
    if (!reading.take(What::store, s, 0, data) || data.size() != sizeof record) return false;
    std::memcpy(&record, data.data(), sizeof record);
    if (record.layout >= layout_count || record.moving > 1 || record.large > 1) return false;
    if (record.blocks > most_slots / block_slots) return false;
    store.key = {static_cast<Layout>(record.layout), record.moving, record.large, {}};
    for (int j = 0; j < 3; ++j) {
        if (!(std::fabs(record.origin[j]) <= 1e12)) return false;
        store.key.origin[j] = record.origin[j] + 0.0;
    }
    if (!(record.spacing >= 0)) return false;
    store.spacing = record.spacing;
    const std::uint64_t slots = std::uint64_t{record.blocks} * block_slots;
    for (std::uint32_t c = 0; c < most_columns; ++c) {
        const std::uint32_t width = width_of(store.key.layout, c);
        if (slots == 0) continue;
        const bool needed = c < most_shape_columns && width > 0;
        const bool there = reading.comes(What::column) && reading.peek().b == c;
        if (needed && !there) return false;
        if (!there) continue;
        if (width == 0 || !reading.take_array(What::column, s, c, slots * width, store.columns[c])) return false;
    }
    Array<Handle> names;
    Array<std::uint32_t> count;
    if (!reading.take_array(What::names, s, 0, slots, names)) return false;
    if (!reading.take_array(What::count, s, 0, record.blocks, count)) return false;
    if (!store.resize_blocks(record.blocks)) return false;
    store.names.swap(names);
    store.count.swap(count);
    for (const std::uint32_t n : store.count) {
        if (n > block_slots) return false;
        store.objects += n;
    }
    for (std::uint32_t side = 0; side < 6; ++side) {
        Array<float> numbers;
        if (!reading.take_array(What::home, s, side, record.blocks, numbers)) return false;
        Array<float>& home = side < 3 ? store.homes[0].low[side] : store.homes[0].high[side - 3];
        for (std::uint32_t b = 0; b < record.blocks; ++b) home[b] = numbers[b];
    }
    return true;
}

/// Checks that every name is either that of the object that has it, or unused, and that only once.
[[nodiscard]] bool names_agree(const Scene::Contents& contents) {
    std::uint64_t named = 0;
    for (std::size_t h = 0; h < contents.places.size(); ++h) {
        const Place place = contents.places[h];
        if (place.store == no_node) continue;
        ++named;
        if (place.store >= contents.stores.size()) return false;
        const Store& store = contents.store(place.store);
        const std::uint32_t block = place.slot / block_slots;
        if (block >= store.blocks() || place.slot % block_slots >= store.count[block]) return false;
        if (store.names[place.slot] != h) return false;
    }
    std::uint64_t objects = 0;
    for (const Store* store : contents.stores) objects += store->objects;
    if (named != objects || contents.unused.size() != contents.places.size() - named) return false;
    Array<std::uint64_t> seen;
    if (!seen.resize(contents.places.size() / 64 + 1)) return false;
    for (const Handle h : contents.unused) {
        if (h >= contents.places.size() || contents.places[h].store != no_node) return false;
        const std::uint64_t bit = std::uint64_t{1} << h % 64;
        if ((seen[h / 64] & bit) != 0) return false;
        seen[h / 64] |= bit;
    }
    return true;
}

[[nodiscard]] bool read_contents(Reading& reading, Scene::Contents& contents) {
    if (!reading.comes(What::places)) return false;
    const std::uint64_t place_bytes = reading.peek().bytes;
    if (!reading.take_array(What::places, 0, 0, place_bytes / sizeof(Place), contents.places)) return false;
    if (!reading.comes(What::unused_names)) return false;
    const std::uint64_t unused_bytes = reading.peek().bytes;
    if (!reading.take_array(What::unused_names, 0, 0, unused_bytes / sizeof(Handle), contents.unused)) return false;
    if (!read_hulls(reading, contents.hulls)) return false;
    for (std::uint32_t s = 0; reading.comes(What::store); ++s) {
        Store* store = new (std::nothrow) Store;
        if (store == nullptr || !contents.stores.push(store)) {
            delete store;
            return false;
        }
        if (!read_store(reading, s, *store)) return false;
        if (contents.find_store(store->key) != s) return false;
        contents.objects += store->objects;
    }
    return reading.at_end() && names_agree(contents);
}

}  // namespace

Status Scene::save(const char* path) const noexcept {
    if (contents_ == nullptr) return Status::failure(StatusCode::out_of_memory, "scene: there is not enough memory");
    if (path == nullptr || std::strlen(path) > most_path - 64) {
        return Status::failure("path: must not be null nor longer than %zu bytes", most_path - 64);
    }
    Plan plan;
    plan.describe(*contents_);
    if (!plan.ok) return Status::failure(StatusCode::out_of_memory, "scene: there is not enough memory");
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

Status Scene::load(const char* path, Scene& scene, const Runner& runner) noexcept {
    if (path == nullptr) return Status::failure("path: must not be null");
    MappedFile file;
    if (Status status = file.open(path); !status) return status;
    return load(file.bytes(), scene, runner);
}

Status Scene::load(std::span<const std::byte> file, Scene& scene, const Runner& runner) noexcept {
    const FloatModes modes;
    if (runner.run == nullptr) return Status::failure("runner.run: must not be null");
    Reading reading(file);
    if (Status status = reading.check_file(); !status) return status;
    Scene loaded;
    if (loaded.contents_ == nullptr)
        return Status::failure(StatusCode::out_of_memory, "scene: there is not enough memory");
    if (!read_contents(reading, *loaded.contents_)) return damaged("its parts contradict one another");
    for (const Store* store : loaded.contents_->stores) {
        const char* kind = with_layout(store->key.layout, []<class L>(L) { return absent_kind<typename L::Shapes>; });
        if (kind != nullptr) {
            return Status::failure(StatusCode::unsupported,
                                   "scene file: has %s, which this build has no kernels for (LANECULL_KINDS)", kind);
        }
    }
    for (Store* store : loaded.contents_->stores) {
        store->open_blocks(0);
        store->refit(true, loaded.contents_->hulls.data(), loaded.contents_->hulls.size(), runner);
        store->settle_upper_homes();
    }
    std::swap(scene.contents_, loaded.contents_);
    return {};
}

}  // namespace lanecull
