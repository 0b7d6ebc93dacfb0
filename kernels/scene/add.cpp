/// lanecull_scene_add(): objects of batches, sorted into blocks of their own or put one by one into those that there
/// are.
///
/// lanecull_scene_place(): objects that move everywhere, sorted by block and written, both by many threads.

#include <lanecull/scene.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "calls/check.hpp"
#include "scene/by_word.hpp"
#include "scene/contents.hpp"
#include "scene/reservation.hpp"
#include "scene/source.hpp"

namespace lanecull {
namespace {

std::uint64_t count_of(std::span<const Batch> batches) {
    std::uint64_t n = 0;
    for (const Batch& batch : batches) n += batch.count();
    return n;
}

StoreKey key_of(const Source& source, const AddOptions& options) {
    return key_of(source.columns().layout, options.mobility == Mobility::moving, options.origin);
}

/// Sorts batch after batch into an empty scene. Where several are of one kind, each is first sorted by itself; then
/// rebuild() sorts them together. False, with the scene half filled: no memory.
bool fill(lanecull_scene& scene, std::span<const Batch> batches, const Handle* handles, const AddOptions& options,
          const Runner& runner) {
    bool repeated = false;
    for (const Batch& batch : batches) {
        if (batch.count() == 0) continue;
        Source source(batch, scene.hulls);
        SortedObjects sorted;
        if (!source.prepare() || !sorted.choose_all(batch.count())) return false;
        const StoreKey key = key_of(source, options);
        repeated = repeated || scene.find_store(key) != no_node;
        if (!sorted.sort(source.columns(), key.moving, runner)) return false;
        if (!scene.add_sorted(source.columns(), sorted, key, handles, runner)) return false;
        handles += batch.count();
    }
    return !repeated || scene.rebuild(runner);
}

/// Makes the stores apart from the scene, which then gets all of them at once.
bool add_to_empty(lanecull_scene& scene, std::span<const Batch> batches, std::span<Handle> handles,
                  const AddOptions& options, const Runner& runner) {
    const std::uint64_t n = handles.size(), again = std::min<std::uint64_t>(n, scene.unused.size());
    Array<Handle> own;
    lanecull_scene apart;
    if (!own.resize_unset(n) || !apart.places.resize(scene.places.size() + n - again)) return false;
    for (std::size_t k = 0; k < n; ++k) own[k] = scene.next_handle(k);
    std::fill(apart.places.begin(), apart.places.end(), Place{});
    const std::uint32_t hulls_before = scene.hulls.size();
    apart.hulls.swap(scene.hulls);
    const bool done = fill(apart, batches, own.data(), options, runner);
    apart.hulls.swap(scene.hulls);
    if (!done) {
        scene.hulls.shrink(hulls_before);
        return false;
    }
    scene.take_names(n);
    scene.stores.swap(apart.stores);
    scene.places.swap(apart.places);
    std::copy(own.begin(), own.end(), handles.begin());
    return true;
}

/// A batch on its way into a scene that has objects.
struct Incoming : Allocated {
    Incoming(const Batch& batch, HullTable& hulls) noexcept : source(batch, hulls) {}

    Source source;
    StoreKey key;
    std::uint32_t count = 0;
    bool is_sorted = false;
    SortedObjects sorted;         // if so
    Array<std::uint32_t> stores;  // if not, of each object
};

/// Batches on their way into a scene that has objects.
class Addition {
public:
    explicit Addition(lanecull_scene& scene) noexcept : scene_(scene), room_(scene) {}
    Addition(const Addition&) = delete;
    Addition& operator=(const Addition&) = delete;
    ~Addition() {
        for (const Incoming* batch : batches_) delete batch;
    }

    /// Does whatever needs memory. False, and the scene is as it was: there is none.
    [[nodiscard]] bool prepare(std::span<const Batch> batches, const AddOptions& options, const Runner& runner) {
        for (const Batch& batch : batches) {
            if (batch.count() == 0) continue;
            auto* const incoming = new (std::nothrow) Incoming(batch, scene_.hulls);
            if (incoming == nullptr || !batches_.push(incoming)) {
                delete incoming;
                return false;
            }
            incoming->count = batch.count();
            if (!prepare(*incoming, options, runner)) return false;
        }
        return room_.make();
    }

    /// Blocks first, as the room is for that order.
    void put(std::span<Handle> handles, const Runner& runner) {
        for (std::size_t k = 0; k < handles.size(); ++k) handles[k] = scene_.next_handle(k);
        scene_.take_names(handles.size());
        for (const bool sorted : {true, false}) {
            const Handle* next = handles.data();
            for (const Incoming* batch : batches_) {
                if (batch->is_sorted == sorted) put(*batch, next, runner);
                next += batch->count;
            }
        }
    }

private:
    [[nodiscard]] bool prepare(Incoming& batch, const AddOptions& options, const Runner& runner) {
        if (!batch.source.prepare()) return false;
        const Columns& from = batch.source.columns();
        batch.key = key_of(batch.source, options);
        const std::uint32_t usual = scene_.find_store(batch.key);
        const std::uint64_t there = usual != no_node ? scene_.store(usual).objects : 0;
        batch.is_sorted = batch.count >= objects_worth_sorting && batch.count >= there / 16;
        if (batch.is_sorted) {
            return batch.sorted.choose_all(batch.count) && batch.sorted.sort(from, batch.key.moving, runner) &&
                   scene_.ask_for(room_, from, batch.sorted, batch.key);
        }
        if (!batch.stores.resize_unset(batch.count)) return false;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            batch.stores[i] = scene_.store_for(from, i, batch.key);
            if (batch.stores[i] == no_node) return false;
            if (!room_.ask_for(batch.stores[i], {0, 1, from.attributes()})) return false;
        }
        return true;
    }

    void put(const Incoming& batch, const Handle* handles, const Runner& runner) {
        const Columns& from = batch.source.columns();
        if (batch.is_sorted) return scene_.append(from, batch.sorted, batch.key, handles, runner);
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            scene_.insert(from, i, batch.stores[i], room_.attributes(batch.stores[i]), handles[i]);
        }
    }

    lanecull_scene& scene_;
    Reservation room_;
    Array<Incoming*> batches_;
};

/// A block's box is made anew where at least one in so many of its objects has been placed. With 16 in place of
/// 4, 100,000 of 10^6 boxes by chance took 13.1 instead of 8.2 ms (bench/ANALYSIS.md, "A frame").
constexpr std::uint32_t few_placed = 4;

/// Writes the objects, one word of blocks a task.
class BlockWriter {
public:
    BlockWriter(lanecull_scene& scene, const ByWord& objects, const Columns& from)
        : scene_(scene), objects_(objects), from_(from) {}

    void run(const Runner& runner) {
        runner(objects_.words(),
               {[](void* self, std::uint32_t word) { static_cast<BlockWriter*>(self)->run_word(word); }, this,
                "place objects"});
    }

private:
    void run_word(std::uint32_t word) {
        const std::span<const std::uint32_t> chosen = objects_.of(word);
        if (chosen.empty()) return;
        const FloatModes modes;
        Store& store = scene_.store(objects_.place(chosen[0]).store);
        const std::uint32_t first_block = objects_.place(chosen[0]).slot / (64 * block_slots) * 64;
        std::uint32_t placed[64] = {};  // objects, block by block
        const std::span<const std::uint32_t> slots(objects_.slots_of(word), chosen.size());
        store.write_shapes(chosen, slots.data(), from_);
        for (const std::uint32_t slot : slots) ++placed[slot / block_slots - first_block];
        const Columns written = store.view(scene_.hulls.data(), scene_.hulls.size());
        store.fit_where_many(first_block, placed, few_placed, written);
        for (const std::uint32_t slot : slots) {
            const std::uint32_t block = slot / block_slots;
            if (few_placed * placed[block - first_block] < store.count[block]) store.grow_box(slot, written);
        }
    }

    lanecull_scene& scene_;
    const ByWord& objects_;
    const Columns& from_;
};

Status check_options(const AddOptions& options) {
    if (Status status = check_cleared(options, "options"); !status) return status;
    if (Status status = check_enum(options.mobility, Mobility::moving, "options.mobility"); !status) return status;
    return check_origin(options.origin, "options.origin");
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_scene_add(lanecull_scene* scene, const lanecull_batch* batches, size_t batch_count,
                                   const lanecull_add_options* options, const lanecull_runner* runner,
                                   lanecull_handle* handles, size_t handle_count) noexcept {
    const Span<const Batch> added(batches, batch_count);
    const Span<Handle> given(handles, handle_count);
    const AddOptions& how = or_usual(options);
    const Runner& who = or_usual(runner);
    const FloatModes modes;
    if (Status status = check_made(scene, "scene"); !status) return status;
    if (Status status = check_span(added, "batches"); !status) return status;
    if (Status status = check_span(given, "handles"); !status) return status;
    if (Status status = check_options(how); !status) return status;
    if (Status status = check_batches(added); !status) return status;
    if (Status status = check_storable(added); !status) return status;
    const std::uint64_t n = count_of(added);
    if (given.size() != n) {
        return failure("handles: there must be one for each of %zu objects, not %zu", static_cast<std::size_t>(n),
                       given.size());
    }
    if (!scene->reserve_names(n)) return no_memory();
    if (scene->objects == 0) {
        if (!add_to_empty(*scene, added, given, how, who)) return no_memory();
    } else {
        Addition addition(*scene);
        if (!addition.prepare(added, how, who)) return no_memory();
        addition.put(given, who);
    }
    scene->objects += n;
    return Status();
}

lanecull_status lanecull_scene_place(lanecull_scene* scene, const lanecull_handle* handles, size_t handle_count,
                                     const lanecull_batch* objects, const lanecull_runner* runner) noexcept {
    const Span<const Handle> given(handles, handle_count);
    const Runner& who = or_usual(runner);
    if (Status status = check_edit(scene, given); !status) return status;
    if (Status status = check_not_null(objects, "objects"); !status) return status;
    if (Status status = check_batches({objects, 1}); !status) return status;
    if (Status status = check_storable({objects, 1}); !status) return status;
    if (Status status = check_one_for_each(given, *objects); !status) return status;
    if (given.empty()) return Status();
    const FloatModes modes;
    const float* const no_bounds[4] = {};
    ByWord by_word;
    if (Status status = by_word.sort(*scene, given, columns_of(*objects, no_bounds).layout, who); !status) {
        return status;
    }
    Reservation room(*scene);
    Source source(*objects, scene->hulls);
    if (Status status = source.prepare(); !status) return status;
    if (!room.make()) return no_memory();
    BlockWriter(*scene, by_word, source.columns()).run(who);
    for (Store* store : scene->stores) store->see_whether_edited();
    return Status();
}
