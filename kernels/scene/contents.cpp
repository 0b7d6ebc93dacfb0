/// A scene's stores, handles and hulls, and how objects get into blocks.
///
/// rebased(): moves a view's frames to another origin. Only the frames' origins and the errors change, for planes and
/// support mappings are relative to them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include "base/float_modes.hpp"
#include "base/interval.hpp"
#include "base/memory.hpp"
#include "scene/contents.hpp"
#include "scene/reservation.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t fill_of(std::uint32_t moving) { return moving != 0 ? block_slots * 3 / 4 : block_slots; }

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
/// objects' centres only, so that large objects do not change it. False: no memory.
[[nodiscard]] bool find_typical_extent(const Columns& from, const Array<std::uint32_t>& order, std::uint32_t fill,
                                       float& typical) {
    const std::size_t blocks = order.size() / fill;
    const std::size_t step = std::max<std::size_t>(1, blocks / most_sampled_blocks);
    typical = 0;
    if (blocks == 0) return true;
    Array<float> extents;
    if (!extents.reserve(blocks / step + 1)) return false;
    for (std::size_t b = 0; b < blocks; b += step) {
        ObjectBox centers = empty_box();
        for (std::size_t i = b * fill; i < (b + 1) * fill; ++i) {
            const ObjectBox box = box_of(from, order[i]);
            const float c[3] = {box.center(0), box.center(1), box.center(2)};
            if (!(c[0] + c[1] + c[2] < 1e37f)) continue;
            include(centers, {{c[0], c[1], c[2]}, {c[0], c[1], c[2]}, false, false});
        }
        extents.push_reserved(centers.extent());
    }
    float* middle = extents.data() + extents.size() / 2;
    std::nth_element(extents.begin(), middle, extents.end());
    typical = *middle;
    return true;
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

HullTable::~HullTable() { shrink(0); }

void HullTable::shrink(std::uint32_t count) noexcept {
    for (std::uint32_t h = count; h < size(); ++h) release(const_cast<float*>(hulls_[h].x));
    hulls_.resize_reserved(count);
    hashes_.resize_reserved(count);
}

std::uint32_t HullTable::number_of(const Hull& hull) noexcept {
    const std::uint64_t hash = hash_of(hull);
    for (std::uint32_t h = 0; h < size(); ++h) {
        if (hashes_[h] == hash && same_vertices(hulls_[h], hull)) return h;
    }
    if (!hulls_.make_room(hulls_.size() + 1) || !hashes_.make_room(hulls_.size() + 1)) return no_node;
    auto* memory = static_cast<float*>(allocate(3 * sizeof(float) * hull.count));
    if (memory == nullptr) return no_node;
    const float* const axes[3] = {hull.x, hull.y, hull.z};
    for (std::size_t j = 0; j < 3; ++j) std::memcpy(memory + j * hull.count, axes[j], hull.count * sizeof(float));
    Hull copy = hull;
    copy.x = memory;
    copy.y = memory + hull.count;
    copy.z = memory + 2 * std::size_t{hull.count};
    hashes_.push_reserved(hash);
    hulls_.push_reserved(copy);
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

bool SortedObjects::choose_all(std::uint32_t count) noexcept {
    if (!usual.resize_unset(count)) return false;
    for (std::uint32_t i = 0; i < count; ++i) usual[i] = i;
    return true;
}

bool SortedObjects::sort(const Columns& from, std::uint32_t moving, const Runner& runner) noexcept {
    const std::uint32_t fill = fill_of(moving);
    if (!sort_by_place(from, usual, runner) || !find_typical_extent(from, usual, fill, spacing)) return false;
    if (usual.size() >= objects_worth_sorting && spacing > 0) {
        std::size_t kept = 0;
        for (const std::uint32_t object : usual) {
            if (box_of(from, object).extent() > large_share * spacing) {
                if (!large.push(object)) return false;
            } else {
                usual[kept++] = object;
            }
        }
        usual.resize_reserved(kept);
    }
    // Objects of one block may be in any order. Instances of one hull that are next to each other share packets.
    if (!facts_of(from.layout).has_hulls) return true;
    for (Array<std::uint32_t>* part : {&usual, &large}) {
        for (std::size_t at = 0; at < part->size(); at += fill) {
            std::uint32_t* first = part->data() + at;
            sort_by_hull(from, first, part->data() + std::min<std::size_t>(part->size(), at + fill));
        }
    }
    return true;
}

namespace {

/// Moves the frame. Returns a bound of |.|_1 of the distance between its new place and the true one, plus the part that
/// lo has in the rounding of (p - hi) - lo.
double move(Frame& frame, const double (&origin)[3]) {
    double off = 0;
    for (std::size_t j = 0; j < 3; ++j) {
        const double hi = static_cast<double>(frame.origin_hi[j]) - origin[j];
        const double place = hi + static_cast<double>(frame.origin_lo[j]);
        frame.origin_hi[j] = static_cast<float>(place);
        const double rest = place - static_cast<double>(frame.origin_hi[j]);
        frame.origin_lo[j] = static_cast<float>(rest);
        // Two sums in doubles and the rounding of lo to a float; then u |lo|.
        off += 0x1p-52 * (std::fabs(hi) + std::fabs(place)) + 0x1p-24 * std::fabs(rest) + 1e-40;
        off += 0x1p-24 * std::fabs(static_cast<double>(frame.origin_lo[j]));
    }
    return off;
}

/// A float above value + by, by >= 0.
float raised(double value, double by) { return float_up(next_up(value + by)); }

}  // namespace

PreparedView rebased(const PreparedView& view, const double (&origin)[3]) noexcept {
    PreparedView result = view;
    if (origin[0] == 0 && origin[1] == 0 && origin[2] == 0) return result;
    // All |R_ij| <= 1, and normals are at most 1 long. So |.|_1 of the error bounds its effect on any coordinate; it is
    // doubled to be safe.
    const double off = 2 * move(result.frame, origin);
    const double view_off = off * std::max(1.0, static_cast<double>(view.view_normal_one_norm));
    // Relative coordinates leave lo to the offsets (planes.cpp), so n . lo is taken out of an offset and n . lo' put
    // in. Normals are off by u of themselves, and an offset's rounding counts up to 32 u of it.
    const auto moved = [&](float offset, const double(&n)[3]) {
        double shift = 0, magnitude = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const auto lo = static_cast<double>(view.frame.origin_lo[j]);
            const auto moved_lo = static_cast<double>(result.frame.origin_lo[j]);
            shift += n[j] * (lo - moved_lo);
            magnitude += std::fabs(lo) + std::fabs(moved_lo);
        }
        return raised(static_cast<double>(offset) + shift, off + 0x1p-18 * magnitude);
    };
    for (std::uint32_t k = 0; k < view.plane_count; ++k) {
        result.offset[k] = moved(view.offset[k], view.exact_normal[k]);
        result.view_offset[k] = raised(static_cast<double>(view.view_offset[k]), view_off);
        result.inner_offset[k] = -raised(-static_cast<double>(view.inner_offset[k]), view_off);
    }
    for_each_outline(result, [&](const double(&n)[3], float& offset) { offset = moved(offset, n); });
    sort_planes(result);
    // Side slabs have the apex' error, times sqrt(3), and 2^-17 |lo| in `fixed`, both scaled by at most 1 + 2^-8
    // (side_slabs.cpp). The old |lo| stays in it.
    double lo = 0;
    for (const float part : result.frame.origin_lo) lo += std::fabs(static_cast<double>(part));
    result.sides.fixed = raised(static_cast<double>(view.sides.fixed), 2 * off + 0x1p-16 * lo);
    result.apex_error = raised(static_cast<double>(view.apex_error), off);
    if (view.has_eye != 0) result.eye_error = raised(static_cast<double>(view.eye_error), 2 * move(result.eye, origin));
    if (view.light_range > 0)
        result.light_error = raised(static_cast<double>(view.light_error), 2 * move(result.light, origin));
    return result;
}

}  // namespace lanecull

using namespace lanecull;

lanecull_scene::~lanecull_scene() {
    for (Store* store : stores) delete store;
}

void lanecull_scene::swap(lanecull_scene& other) noexcept {
    stores.swap(other.stores);
    places.swap(other.places);
    unused.swap(other.unused);
    hulls.swap(other.hulls);
    std::swap(objects, other.objects);
}

std::uint32_t lanecull_scene::find_store(const StoreKey& key) const noexcept {
    for (std::uint32_t s = 0; s < stores.size(); ++s) {
        if (stores[s]->key == key) return s;
    }
    return no_node;
}

std::uint32_t lanecull_scene::store_of(const StoreKey& key) noexcept {
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

std::uint32_t lanecull_scene::slot_of(Handle handle) const noexcept {
    const Place place = places[handle];
    std::uint64_t before = 0;
    for (std::uint32_t s = 0; s < place.store; ++s) before += store(s).slots();
    return static_cast<std::uint32_t>(before + place.slot);
}

std::uint64_t lanecull_scene::slots() const noexcept {
    std::uint64_t sum = 0;
    for (const Store* store : stores) sum += store->slots();
    return sum;
}

std::uint32_t lanecull_scene::blocks() const noexcept { return static_cast<std::uint32_t>(slots() / block_slots); }

bool lanecull_scene::is_stale() const noexcept {
    return std::any_of(stores.begin(), stores.end(), [](const Store* store) { return store->any_grown; });
}

bool lanecull_scene::reserve_names(std::uint64_t n) noexcept {
    const std::uint64_t more = n > unused.size() ? n - unused.size() : 0;
    const std::uint64_t handles = places.size() + more;
    return handles < no_node && places.reserve(handles) && unused.reserve(handles);
}

Handle lanecull_scene::next_handle(std::uint64_t k) const noexcept {
    const std::uint64_t n = unused.size();
    return k < n ? unused[static_cast<std::size_t>(n - 1 - k)] : static_cast<Handle>(places.size() + (k - n));
}

void lanecull_scene::take_names(std::uint64_t n) noexcept {
    const std::uint64_t again = std::min<std::uint64_t>(n, unused.size());
    unused.resize_reserved(unused.size() - again);
    for (std::uint64_t k = again; k < n; ++k) places.push_reserved({});
}

std::uint32_t lanecull_scene::store_for(const Columns& from, std::size_t i, StoreKey key) noexcept {
    key.large = 0;
    const std::uint32_t usual = find_store(key);
    const float spacing = usual != no_node ? stores[usual]->spacing : 0;
    key.large = spacing > 0 && box_of(from, i).extent() > large_share * spacing ? 1 : 0;
    return store_of(key);
}

void lanecull_scene::insert(const Columns& from, std::size_t i, std::uint32_t store, AttributeMask attributes,
                            Handle handle) noexcept {
    Store& to = *stores[store];
    const std::uint32_t slot = to.free_slot(box_of(from, i), attributes);
    to.write(slot, from, i);
    to.handles[slot] = handle;
    ++to.count[slot / block_slots];
    ++to.objects;
    to.grow_around(slot, hulls.data(), hulls.size());
    places[handle] = {store, slot};
}

void lanecull_scene::take_out(Handle handle) noexcept {
    const Place place = places[handle];
    Store& from = *stores[place.store];
    const std::uint32_t moved = from.take_out(place.slot);
    if (moved != place.slot) places[from.handles[place.slot]].slot = place.slot;
    places[handle] = {};
}

bool lanecull_scene::ask_for(Reservation& room, const Columns& from, const SortedObjects& sorted,
                             StoreKey key) noexcept {
    const std::uint32_t fill = fill_of(key.moving);
    for (const Array<std::uint32_t>* order : {&sorted.usual, &sorted.large}) {
        key.large = order == &sorted.large ? 1 : 0;
        if (order->empty()) continue;
        const std::uint32_t s = store_of(key);
        if (s == no_node || !room.ask_for(s, {(order->size() + fill - 1) / fill, 0, from.attributes()})) return false;
    }
    return true;
}

void lanecull_scene::append(const Columns& from, const Array<std::uint32_t>& order, const StoreKey& key,
                            const Handle* handles, const Runner& runner) noexcept {
    if (order.empty()) return;
    const std::uint32_t s = find_store(key);
    Store& to = *stores[s];
    const std::uint32_t fill = fill_of(key.moving), before = to.blocks();
    const auto blocks = static_cast<std::uint32_t>((order.size() + fill - 1) / fill);
    to.resize_blocks(before + blocks);
    to.take_attributes(from.attributes());
    struct Work {
        lanecull_scene& self;
        Store& to;
        const Columns& from;
        const Array<std::uint32_t>& order;
        std::uint32_t store, before, fill;
        const Handle* handles;
    } work{*this, to, from, order, s, before, fill, handles};
    const auto part = [](void* context, std::uint32_t b) {
        const Work& w = *static_cast<Work*>(context);
        const std::size_t at = std::size_t{b} * w.fill;
        const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(w.fill, w.order.size() - at));
        const std::uint32_t block = w.before + b, slot = block * block_slots;
        for (std::uint32_t c = 0; c < most_columns; ++c) {
            if (w.to.columns[c].empty()) continue;
            const std::size_t width = width_of(w.to.key.layout, c);
            std::uint32_t* here = w.to.columns[c].data() + slot * width;
            for (std::uint32_t i = 0; i < n; ++i) w.from.read(c, w.order[at + i], here + i * width);
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            const Handle handle = w.handles[w.order[at + i]];
            w.to.handles[slot + i] = handle;
            w.self.places[handle] = {w.store, slot + i};
        }
        w.to.count[block] = n;
    };
    runner(blocks, {part, &work, "fill blocks"});
    to.objects += order.size();
    to.open_blocks(before);
    to.refit(true, hulls.data(), hulls.size(), runner);
    to.settle_homes(before);
}

void lanecull_scene::append(const Columns& from, const SortedObjects& sorted, StoreKey key, const Handle* handles,
                            const Runner& runner) noexcept {
    key.large = 0;
    append(from, sorted.usual, key, handles, runner);
    const std::uint32_t usual = find_store(key);
    if (usual != no_node && sorted.spacing > 0) stores[usual]->spacing = sorted.spacing;
    key.large = 1;
    append(from, sorted.large, key, handles, runner);
}

bool lanecull_scene::add_sorted(const Columns& from, const SortedObjects& sorted, const StoreKey& key,
                                const Handle* handles, const Runner& runner) noexcept {
    Reservation room(*this);
    if (!ask_for(room, from, sorted, key) || !room.make()) return false;
    append(from, sorted, key, handles, runner);
    return true;
}

bool lanecull_scene::add_again(const Store& store, const Runner& runner) noexcept {
    const Columns from = store.view(hulls.data(), hulls.size());
    SortedObjects sorted;
    Array<std::uint32_t>& chosen = sorted.usual;
    if (!chosen.reserve(store.objects)) return false;
    for (std::uint32_t b = 0; b < store.blocks(); ++b) {
        for (std::uint32_t i = 0; i < store.count[b]; ++i) chosen.push_reserved(b * block_slots + i);
    }
    if (store.key.large == 0) {
        if (!sorted.sort(from, store.key.moving, runner)) return false;
    } else {
        if (!sort_by_place(from, chosen, runner)) return false;
        chosen.swap(sorted.large);
    }
    return add_sorted(from, sorted, store.key, store.handles.data(), runner);
}

bool lanecull_scene::rebuild(const Runner& runner) noexcept {
    lanecull_scene to;
    if (!to.places.resize(places.size())) return false;
    std::fill(to.places.begin(), to.places.end(), Place{});
    // The hulls go to the new contents for the time of sorting, as stores look them up there.
    to.hulls.swap(hulls);
    const bool done =
        std::all_of(stores.begin(), stores.end(), [&](const Store* store) { return to.add_again(*store, runner); });
    to.hulls.swap(hulls);
    if (!done) return false;
    stores.swap(to.stores);
    places.swap(to.places);
    return true;
}

std::uint32_t lanecull_scene::rebuild_block(std::uint32_t s, std::uint32_t block) noexcept {
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
        const std::uint32_t better = store.free_slot(box, 0);
        if (better == no_node || better / block_slots == block) continue;
        if (store.growth_of_home(better / block_slots, box) > strayed / 2) continue;
        store.write(better, store.view(hulls.data(), hulls.size()), slot);
        const Handle handle = store.handles[slot];
        store.handles[better] = handle;
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

void lanecull_scene::refit(bool tight, const Runner& runner) noexcept {
    const FloatModes modes;
    for (Store* store : stores) store->refit(tight, hulls.data(), hulls.size(), runner);
}
