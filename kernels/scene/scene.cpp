/// The interface of scenes: checks and edits; add.cpp, cull.cpp and file.cpp have the rest of it.

#include <lanecull/scene.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <new>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "calls/check.hpp"
#include "calls/kinds.hpp"
#include "scene/contents.hpp"
#include "scene/reservation.hpp"
#include "scene/source.hpp"

namespace lanecull {
namespace {

/// Moves an object: adds `by` to all of its numbers that are coordinates.
void shift(Store& store, std::uint32_t slot, const float (&by)[3]) {
    const auto add = [&](std::uint32_t column, std::size_t at, float amount) {
        std::uint32_t& bits = store.columns[column][at];
        float value;
        std::memcpy(&value, &bits, sizeof value);
        value += amount;
        std::memcpy(&bits, &value, sizeof value);
    };
    with_layout(store.key.layout, [&](auto layout) {
        for (const Point& point : layout.points) {
            for (std::uint32_t j = 0; j < 3; ++j) {
                const std::uint32_t column = point.column + j * point.column_step;
                const std::size_t first = std::size_t{slot} * width_of(store.key.layout, column);
                add(column, first + point.number + j * point.number_step, by[j]);
            }
        }
    });
}

/// Finds the bounding sphere of an object that has been moved.
void find_sphere(Store& store, std::uint32_t slot, const HullTable& hulls) {
    Columns view = store.view(hulls.data(), hulls.size());
    for (std::uint32_t c = 0; c < most_shape_columns; ++c) {
        if (view.has(c)) view.first[c] += slot * view.stride[c];
    }
    const Batch batch = batch_of(view, 1);
    with_layout(store.key.layout, [&](auto layout) {
        using OfKind = typename decltype(layout)::Shapes;
        if constexpr (has_bounds<decltype(layout)>) {
            float sphere[4];
            static_cast<void>(KindTraits<OfKind>::find_bounds(*batch.get_if<OfKind>(),
                                                              {&sphere[0], &sphere[1], &sphere[2], &sphere[3]}));
            std::uint32_t at = 0;
            for (const Column<OfKind>& c : layout.columns) {
                if (c.bound != c.not_a_bound) std::memcpy(&store.columns[at][slot], &sphere[c.bound], sizeof(float));
                ++at;
            }
        }
    });
}

/// The value of SceneBlock::cost.
double cost_of(const Store& store, std::uint32_t block) {
    const double now = size_of(store.levels[0].get(block)), then = size_of(store.homes[0].get(block));
    if (store.count[block] == 0 || now == then) return 1;
    return then > 0 ? now / then : std::numeric_limits<double>::infinity();
}

/// Moves objects that left their blocks into better ones, for so long.
PartialRebuild rebuild_within(lanecull_scene& scene, std::uint64_t nanoseconds) {
    PartialRebuild result;
    const FloatModes modes;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto is_over = [&] {
        const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
        return static_cast<std::uint64_t>(taken.count()) >= nanoseconds;
    };
    for (std::uint32_t s = 0; s < scene.stores.size(); ++s) {
        for (std::uint32_t block; (block = scene.store(s).take_wandered()) != no_node;) {
            ++result.blocks;
            result.objects += scene.rebuild_block(s, block);
            if (is_over()) return result;
        }
    }
    result.all_seen = 1;
    return result;
}

}  // namespace

Status check_handles(const lanecull_scene& scene, std::span<const Handle> handles) noexcept {
    Array<std::uint64_t> seen;  // a bit for each handle
    if (!seen.resize((scene.places.size() + 63) / 64)) return no_memory();
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const Handle h = handles[i];
        if (!scene.names_object(h)) return failure("handles[%zu]: %u names no object", i, h);
        const std::uint64_t bit = std::uint64_t{1} << h % 64;
        if ((seen[h / 64] & bit) != 0) return failure("handles[%zu]: %u is there twice", i, h);
        seen[h / 64] |= bit;
    }
    return {};
}

}  // namespace lanecull

using namespace lanecull;

lanecull_scene* lanecull_create_scene(void) noexcept { return new (std::nothrow) lanecull_scene; }

void lanecull_destroy_scene(lanecull_scene* scene) noexcept { delete scene; }

lanecull_status lanecull_scene_remove(lanecull_scene* scene, const lanecull_handle* handles,
                                      size_t handle_count) noexcept {
    const Span<const Handle> given(handles, handle_count);
    if (Status status = check_edit(scene, given); !status) return status;
    if (Status status = check_handles(*scene, given); !status) return status;
    for (const Handle handle : given) {
        scene->take_out(handle);
        scene->unused.push_reserved(handle);  // reserve_names() has made room
    }
    scene->objects -= given.size();
    return Status();
}

lanecull_status lanecull_scene_replace(lanecull_scene* scene, const lanecull_handle* handles, size_t handle_count,
                                       const lanecull_batch* objects) noexcept {
    const Span<const Handle> given(handles, handle_count);
    if (Status status = check_edit(scene, given); !status) return status;
    if (Status status = check_not_null(objects, "objects"); !status) return status;
    if (Status status = check_batches({objects, 1}); !status) return status;
    if (Status status = check_storable({objects, 1}); !status) return status;
    if (Status status = check_one_for_each(given, *objects); !status) return status;
    if (Status status = check_handles(*scene, given); !status) return status;
    if (given.empty()) return Status();
    const FloatModes modes;
    Reservation room(*scene);
    Source source(*objects, scene->hulls);
    if (Status status = source.prepare(); !status) return status;
    const Columns& from = source.columns();
    const AttributeMask attributes = from.attributes();
    Array<std::uint32_t> stores;  // where each object is to be
    if (!stores.resize_unset(given.size())) return no_memory();
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::uint32_t s = scene->places[given[i]].store;
        StoreKey key = scene->store(s).key;
        const bool stays = key.layout == from.layout;
        key.layout = from.layout;
        stores[i] = stays ? s : scene->store_for(from, i, key);
        if (stores[i] == no_node || !room.ask_for(stores[i], {0, stays ? 0u : 1u, attributes})) return no_memory();
    }
    if (!room.make()) return no_memory();
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Place place = scene->places[given[i]];
        if (place.store == stores[i]) {
            Store& store = scene->store(place.store);
            store.take_attributes(attributes);
            store.write(place.slot, from, i);
            store.grow_around(place.slot, scene->hulls.data(), scene->hulls.size());
        } else {
            scene->take_out(given[i]);
            scene->insert(from, i, stores[i], room.attributes(stores[i]), given[i]);
        }
    }
    return Status();
}

lanecull_status lanecull_scene_move(lanecull_scene* scene, const lanecull_handle* handles, size_t handle_count,
                                    const float* x, const float* y, const float* z) noexcept {
    const Span<const Handle> given(handles, handle_count);
    if (Status status = check_edit(scene, given); !status) return status;
    if (given.empty()) return Status();
    if (Status status = check_streams({{x, "x"}, {y, "y"}, {z, "z"}}); !status) return status;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!scene->names_object(given[i])) return failure("handles[%zu]: %u names no object", i, given[i]);
    }
    const FloatModes modes;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Place place = scene->places[given[i]];
        Store& store = scene->store(place.store);
        shift(store, place.slot, {x[i], y[i], z[i]});
        if (facts_of(store.key.layout).moves_spheres) find_sphere(store, place.slot, scene->hulls);
        store.grow_around(place.slot, scene->hulls.data(), scene->hulls.size());
    }
    return Status();
}

lanecull_status lanecull_scene_set_attributes(lanecull_scene* scene, const lanecull_handle* handles,
                                              size_t handle_count, const lanecull_attributes* attributes) noexcept {
    const Span<const Handle> given(handles, handle_count);
    if (Status status = check_edit(scene, given); !status) return status;
    if (Status status = check_not_null(attributes, "attributes"); !status) return status;
    if (Status status = check_cleared(*attributes, "attributes"); !status) return status;
    if (Status status = check_attributes(*attributes); !status) return status;
    if (Status status = check_handles(*scene, given); !status) return status;
    const FloatModes modes;
    const Columns from = columns_of(*attributes);
    Reservation room(*scene);
    for (const Handle handle : given) {
        if (!room.ask_for(scene->places[handle].store, {0, 0, from.attributes()})) return no_memory();
    }
    if (!room.make()) return no_memory();
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Place place = scene->places[given[i]];
        Store& store = scene->store(place.store);
        store.take_attributes(from.attributes());
        store.write_attributes(place.slot, from, i);
        store.grow_around(place.slot, scene->hulls.data(), scene->hulls.size());
    }
    return Status();
}

lanecull_status lanecull_scene_refit(lanecull_scene* scene, lanecull_refit refit,
                                     const lanecull_runner* runner) noexcept {
    if (Status status = check_made(scene, "scene"); !status) return status;
    if (Status status = check_enum(refit, Refit::grown, "refit"); !status) return status;
    scene->refit(refit == Refit::tight, or_usual(runner));
    return Status();
}

lanecull_status lanecull_scene_rebuild_within(lanecull_scene* scene, uint64_t nanoseconds,
                                              lanecull_partial_rebuild* result) noexcept {
    if (Status status = check_made(scene, "scene"); !status) return status;
    const PartialRebuild done = rebuild_within(*scene, nanoseconds);
    if (result != nullptr) *result = done;
    return Status();
}

lanecull_status lanecull_scene_rebuild(lanecull_scene* scene, const lanecull_runner* runner) noexcept {
    if (Status status = check_made(scene, "scene"); !status) return status;
    const FloatModes modes;
    return scene->rebuild(or_usual(runner)) ? Status() : no_memory();
}

uint32_t lanecull_scene_is_stale(const lanecull_scene* scene) noexcept {
    return scene != nullptr && scene->is_stale() ? 1 : 0;
}

double lanecull_scene_cost(const lanecull_scene* scene) noexcept {
    if (scene == nullptr) return 1;
    const FloatModes modes;
    double now = 0, then = 0;
    for (const Store* store : scene->stores) {
        for (std::uint32_t b = 0; b < store->blocks(); ++b) {
            if (store->count[b] == 0) continue;
            now += size_of(store->levels[0].get(b));
            then += size_of(store->homes[0].get(b));
        }
    }
    return then > 0 ? now / then : 1;
}

uint64_t lanecull_scene_object_count(const lanecull_scene* scene) noexcept {
    return scene != nullptr ? scene->objects : 0;
}

uint64_t lanecull_scene_handle_limit(const lanecull_scene* scene) noexcept {
    return scene != nullptr ? scene->places.size() : 0;
}

uint64_t lanecull_scene_slot_count(const lanecull_scene* scene) noexcept {
    return scene != nullptr ? scene->slots() : 0;
}

uint64_t lanecull_scene_bytes(const lanecull_scene* scene) noexcept {
    if (scene == nullptr) return 0;
    std::uint64_t sum = scene->places.capacity_bytes() + scene->unused.capacity_bytes() + scene->hulls.bytes();
    for (const Store* store : scene->stores) sum += sizeof(Store) + store->bytes();
    return sum;
}

lanecull_status lanecull_scene_slot_of(const lanecull_scene* scene, lanecull_handle handle, uint32_t* slot) noexcept {
    if (Status status = check_not_null(slot, "slot"); !status) return status;
    if (scene == nullptr || !scene->names_object(handle)) return failure("handle: %u names no object", handle);
    *slot = scene->slot_of(handle);
    return Status();
}

uint32_t lanecull_scene_block_count(const lanecull_scene* scene) noexcept {
    return scene != nullptr ? scene->blocks() : 0;
}

lanecull_status lanecull_scene_block_of(const lanecull_scene* scene, uint32_t i, lanecull_scene_block* block) noexcept {
    if (Status status = check_not_null(block, "block"); !status) return status;
    const std::uint32_t blocks = lanecull_scene_block_count(scene);
    if (i >= blocks) return failure("i: %u is not below %u, the number of blocks", i, blocks);
    const FloatModes modes;
    std::size_t s = 0;
    std::uint32_t within = i;
    while (within >= scene->stores[s]->blocks()) within -= scene->stores[s++]->blocks();
    const Store& store = *scene->stores[s];
    const ObjectBox box = store.levels[0].get(within);
    block->first_slot = i * block_slots;
    block->objects = store.count[within];
    block->cost = cost_of(store, within);
    for (std::uint32_t j = 0; j < 3; ++j) {
        block->lower[j] = box.low[j];
        block->upper[j] = box.high[j];
        block->origin[j] = store.key.origin[j];
    }
    return Status();
}
