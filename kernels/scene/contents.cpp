/// A scene's stores, names and hulls, and how objects get into blocks.

#include "scene/contents.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "base/float_modes.hpp"
#include "base/memory.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t fill_of(const StoreKey& key) { return key.moving != 0 ? block_slots * 3 / 4 : block_slots; }

constexpr std::size_t objects_worth_sorting = 4 * block_slots;
constexpr std::size_t most_sampled_blocks = 4096;
/// Objects longer than this many times a typical block of their neighbours are kept in a store of their own: one of
/// them makes a block as large as itself.
constexpr float large_share = 2;

/// Objects have left their block if they reach beyond its home by more than this fraction of a typical block.
constexpr double stray_share = 0.25;

/// FNV-1a over a hull's vertices.
std::uint64_t hash_of(const Hull& hull) {
    std::uint64_t hash = 0xcbf29ce484222325u ^ hull.count;
    for (const float* axis : {hull.x, hull.y, hull.z}) {
        for (std::uint32_t i = 0; i < hull.count; ++i) {
            std::uint32_t bits;
            std::memcpy(&bits, axis + i, sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3u;
        }
    }
    return hash;
}

bool same_vertices(const Hull& a, const Hull& b) {
    const std::size_t bytes = std::size_t{a.count} * sizeof(float);
    return a.count == b.count && std::memcmp(a.x, b.x, bytes) == 0 && std::memcmp(a.y, b.y, bytes) == 0 &&
           std::memcmp(a.z, b.z, bytes) == 0;
}

/// The extent of a typical block, with objects in this order: the median over a sample of blocks. It counts the
/// objects' centres only, so that large objects do not change it.
float typical_extent(const Columns& from, const Array<std::uint32_t>& order, std::uint32_t fill) {
    const std::size_t blocks = order.size() / fill;
    const std::size_t step = std::max<std::size_t>(1, blocks / most_sampled_blocks);
    Array<float> extents;
    if (!extents.reserve(blocks / step + 1)) return 0;
    for (std::size_t b = 0; b < blocks; b += step) {
        ObjectBox centers = empty_box();
        for (std::size_t i = b * fill; i < (b + 1) * fill; ++i) {
            const ObjectBox box = box_of(from, order[i]);
            const float c[3] = {box.center(0), box.center(1), box.center(2)};
            if (!(c[0] + c[1] + c[2] < 1e37f)) continue;
            include(centers, {{c[0], c[1], c[2]}, {c[0], c[1], c[2]}, false, false});
        }
        if (!extents.push(centers.extent())) return 0;
    }
    if (extents.empty()) return 0;
    float* middle = extents.data() + extents.size() / 2;
    std::nth_element(extents.begin(), middle, extents.end());
    return *middle;
}

/// Sorts a block's objects by hull, those of one hull in the order that they have. By insertion: std::stable_sort()
/// takes memory of its own.
void sort_by_hull(const Columns& from, std::uint32_t* first, const std::uint32_t* last) noexcept {
    if (first == last) return;
    for (std::uint32_t* next = first + 1; next != last; ++next) {
        const std::uint32_t object = *next, hull = from.hull(object);
        std::uint32_t* to = next;
        for (; to != first && from.hull(to[-1]) > hull; --to) *to = to[-1];
        *to = object;
    }
}

}  // namespace

HullTable::~HullTable() {
    for (const Hull& hull : hulls_) release(const_cast<float*>(hull.x));
}

std::uint32_t HullTable::number_of(const Hull& hull) noexcept {
    const std::uint64_t hash = hash_of(hull);
    for (std::uint32_t h = 0; h < size(); ++h) {
        if (hashes_[h] == hash && same_vertices(hulls_[h], hull)) return h;
    }
    auto* memory = static_cast<float*>(allocate(3 * sizeof(float) * hull.count));
    if (memory == nullptr) return no_node;
    const float* const axes[3] = {hull.x, hull.y, hull.z};
    for (std::size_t j = 0; j < 3; ++j) std::memcpy(memory + j * hull.count, axes[j], hull.count * sizeof(float));
    Hull copy = hull;
    copy.x = memory;
    copy.y = memory + hull.count;
    copy.z = memory + 2 * std::size_t{hull.count};
    if (!hashes_.push(hash) || !hulls_.push(copy)) {
        release(memory);
        return no_node;
    }
    return size() - 1;
}

std::uint64_t HullTable::bytes() const noexcept {
    std::uint64_t sum = hulls_.capacity_bytes() + hashes_.capacity_bytes();
    for (const Hull& hull : hulls_) sum += 3 * sizeof(float) * std::uint64_t{hull.count};
    return sum;
}

void HullTable::swap(HullTable& other) noexcept {
    hulls_.swap(other.hulls_);
    hashes_.swap(other.hashes_);
}

Scene::Contents::~Contents() {
    for (Store* store : stores) delete store;
}

std::uint32_t Scene::Contents::find_store(const StoreKey& key) const noexcept {
    for (std::uint32_t s = 0; s < stores.size(); ++s) {
        if (stores[s]->key == key) return s;
    }
    return no_node;
}

std::uint32_t Scene::Contents::store_of(const StoreKey& key) noexcept {
    const std::uint32_t found = find_store(key);
    if (found != no_node) return found;
    Store* made = new (std::nothrow) Store;
    if (made == nullptr || !stores.push(made)) {
        delete made;
        return no_node;
    }
    made->key = key;
    return static_cast<std::uint32_t>(stores.size()) - 1;
}

bool Scene::Contents::reserve_names(std::uint64_t n) noexcept {
    const std::uint64_t more = n > unused.size() ? n - unused.size() : 0;
    const std::uint64_t names = places.size() + more;
    return names < no_node && places.reserve(names) && unused.reserve(names);
}

Handle Scene::Contents::name() noexcept {
    if (unused.empty()) {
        static_cast<void>(places.push({}));  // reserve_names() has made room
        return static_cast<Handle>(places.size() - 1);
    }
    const Handle handle = unused[unused.size() - 1];
    static_cast<void>(unused.resize(unused.size() - 1));
    return handle;
}

bool Scene::Contents::insert(const Columns& from, std::size_t i, StoreKey key, Handle handle) noexcept {
    const ObjectBox box = box_of(from, i);
    key.large = 0;
    const std::uint32_t usual = find_store(key);
    const float spacing = usual != no_node ? stores[usual]->spacing : 0;
    key.large = spacing > 0 && box.extent() > large_share * spacing ? 1 : 0;
    const std::uint32_t s = store_of(key);
    if (s == no_node) return false;
    Store& to = *stores[s];
    const std::uint32_t slot = to.make_room(box);
    if (slot == no_node || !to.take_attributes_of(from)) return false;
    to.write(slot, from, i);
    to.names[slot] = handle;
    ++to.count[slot / block_slots];
    ++to.objects;
    to.grow_around(slot, hulls.data(), hulls.size());
    places[handle] = {s, slot};
    return true;
}

void Scene::Contents::take_out(Handle handle) noexcept {
    const Place place = places[handle];
    Store& from = *stores[place.store];
    const std::uint32_t moved = from.take_out(place.slot);
    if (moved != place.slot) places[from.names[place.slot]].slot = place.slot;
    places[handle] = {};
}

bool Scene::Contents::append(const Columns& from, const Array<std::uint32_t>& order, std::size_t first,
                             std::size_t last, const StoreKey& key, const Handle* names,
                             const Runner& runner) noexcept {
    if (first == last) return true;
    const std::uint32_t s = store_of(key);
    if (s == no_node) return false;
    Store& to = *stores[s];
    const std::uint32_t fill = fill_of(key), before = to.blocks();
    const std::uint64_t needed = before + (last - first + fill - 1) / fill;
    if (needed > most_slots / block_slots || !to.resize_blocks(static_cast<std::uint32_t>(needed)) ||
        !to.take_attributes_of(from)) {
        return false;
    }
    struct Work {
        Contents& self;
        Store& to;
        const Columns& from;
        const Array<std::uint32_t>& order;
        std::size_t first, last;
        std::uint32_t store, before, fill;
        const Handle* names;
    } work{*this, to, from, order, first, last, s, before, fill, names};
    const auto part = [](void* context, std::uint32_t b) {
        const Work& w = *static_cast<Work*>(context);
        const std::size_t at = w.first + std::size_t{b} * w.fill;
        const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(w.fill, w.last - at));
        const std::uint32_t block = w.before + b, slot = block * block_slots;
        for (std::uint32_t c = 0; c < most_columns; ++c) {
            if (w.to.columns[c].empty()) continue;
            const std::size_t width = width_of(w.to.key.layout, c);
            std::uint32_t* here = w.to.columns[c].data() + slot * width;
            for (std::uint32_t i = 0; i < n; ++i) w.from.read(c, w.order[at + i], here + i * width);
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            const Handle handle = w.names[w.order[at + i]];
            w.to.names[slot + i] = handle;
            w.self.places[handle] = {w.store, slot + i};
        }
        w.to.count[block] = n;
    };
    runner.run(runner.self, static_cast<std::uint32_t>(needed) - before, {part, &work, "fill blocks"});
    to.objects += last - first;
    to.open_blocks(before);
    to.refit(true, hulls.data(), hulls.size(), runner);
    to.settle_homes(before);
    return true;
}

bool Scene::Contents::add_sorted(const Columns& from, Array<std::uint32_t>& chosen, StoreKey key, const Handle* names,
                                 const Runner& runner) noexcept {
    if (!sort_by_place(from, chosen, runner)) return false;
    const std::uint32_t fill = fill_of(key);
    const float spacing = typical_extent(from, chosen, fill);
    Array<std::uint32_t> large;
    if (chosen.size() >= objects_worth_sorting && spacing > 0) {
        std::size_t kept = 0;
        for (const std::uint32_t object : chosen) {
            if (box_of(from, object).extent() > large_share * spacing) {
                if (!large.push(object)) return false;
            } else {
                chosen[kept++] = object;
            }
        }
        static_cast<void>(chosen.resize(kept));
    }
    // Objects of one block may be in any order. Instances of one hull that are next to each other share packets.
    if (facts_of(from.layout).has_hulls) {
        for (Array<std::uint32_t>* part : {&chosen, &large}) {
            for (std::size_t at = 0; at < part->size(); at += fill) {
                std::uint32_t* first = part->data() + at;
                sort_by_hull(from, first, part->data() + std::min(part->size(), at + fill));
            }
        }
    }
    key.large = 0;
    if (!append(from, chosen, 0, chosen.size(), key, names, runner)) return false;
    const std::uint32_t usual = find_store(key);
    if (usual != no_node && spacing > 0) stores[usual]->spacing = spacing;
    key.large = 1;
    return append(from, large, 0, large.size(), key, names, runner);
}

bool Scene::Contents::add_again(const Store& store, const Runner& runner) noexcept {
    const Columns from = store.view(hulls.data(), hulls.size());
    Array<std::uint32_t> chosen;
    if (!chosen.reserve(store.objects)) return false;
    for (std::uint32_t b = 0; b < store.blocks(); ++b) {
        for (std::uint32_t i = 0; i < store.count[b]; ++i) static_cast<void>(chosen.push(b * block_slots + i));
    }
    if (store.key.large == 0) return add_sorted(from, chosen, store.key, store.names.data(), runner);
    return sort_by_place(from, chosen, runner) &&
           append(from, chosen, 0, chosen.size(), store.key, store.names.data(), runner);
}

std::uint32_t Scene::Contents::improve(std::uint32_t s, std::uint32_t block) noexcept {
    Store& store = *stores[s];
    const double allowed = stray_share * static_cast<double>(store.spacing);
    store.tighten(block, hulls.data(), hulls.size());
    if (!(store.growth_of_home(block, store.levels[0].get(block)) > allowed)) return 0;
    std::uint32_t moved = 0;
    for (std::uint32_t i = store.count[block]; i-- > 0;) {
        const std::uint32_t slot = block * block_slots + i;
        const ObjectBox box = box_of(store.view(hulls.data(), hulls.size()), slot);
        const double strayed = store.growth_of_home(block, box);
        if (!(strayed > allowed)) continue;
        const std::uint32_t better = store.make_room(box);
        if (better == no_node || better / block_slots == block) continue;
        if (store.growth_of_home(better / block_slots, box) > strayed / 2) continue;
        store.write(better, store.view(hulls.data(), hulls.size()), slot);
        const Handle handle = store.names[slot];
        store.names[better] = handle;
        ++store.count[better / block_slots];
        ++store.objects;
        store.grow_around(better, hulls.data(), hulls.size());
        take_out(handle);
        places[handle] = {s, better};
        ++moved;
    }
    store.tighten(block, hulls.data(), hulls.size());
    return moved;
}

void Scene::Contents::refit(bool tight, const Runner& runner) noexcept {
    const FloatModes modes;
    for (Store* store : stores) store->refit(tight, hulls.data(), hulls.size(), runner);
}

}  // namespace lanecull
