/// The interface of scenes: checks and edits.

#include <lanecull/scene.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <tuple>
#include <utility>

#include "base/float_modes.hpp"
#include "base/transforms.hpp"
#include "calls/check.hpp"
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
        using Shapes = typename decltype(layout)::Shapes;
        if constexpr (has_bounds<decltype(layout)>) {
            float sphere[4];
            static_cast<void>(KindTraits<Shapes>::find_bounds(*batch.shapes.get_if<Shapes>(),
                                                              {&sphere[0], &sphere[1], &sphere[2], &sphere[3]}));
            std::uint32_t at = 0;
            for (const Column<Shapes>& c : layout.columns) {
                if (c.bound != c.not_a_bound) std::memcpy(&store.columns[at][slot], &sphere[c.bound], sizeof(float));
                ++at;
            }
        }
    });
}

/// The value of SceneBlock::spread.
double spread_of(const Store& store, std::uint32_t block) {
    const double now = size_of(store.levels[0].get(block)), then = size_of(store.homes[0].get(block));
    if (store.count[block] == 0 || now == then) return 1;
    return then > 0 ? now / then : std::numeric_limits<double>::infinity();
}

}  // namespace

Status check_handles(const Scene::Contents& contents, std::span<const Handle> handles) noexcept {
    Array<std::uint64_t> seen;  // a bit for each handle
    if (!seen.resize((contents.places.size() + 63) / 64)) return no_memory();
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const Handle h = handles[i];
        if (!contents.names_object(h)) return Status::failure("handles[%zu]: %u names no object", i, h);
        const std::uint64_t bit = std::uint64_t{1} << h % 64;
        if ((seen[h / 64] & bit) != 0) return Status::failure("handles[%zu]: %u is there twice", i, h);
        seen[h / 64] |= bit;
    }
    return {};
}

Scene::Scene() noexcept : contents_(new (std::nothrow) Contents) {}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

Status Scene::remove(std::span<const Handle> handles) noexcept {
    if (!has_contents(contents_)) return no_memory();
    if (Status status = check_handles(*contents_, handles); !status) return status;
    for (const Handle handle : handles) {
        contents_->take_out(handle);
        contents_->unused.push_reserved(handle);  // reserve_names() has made room
    }
    contents_->objects -= handles.size();
    return {};
}

Status Scene::replace(std::span<const Handle> handles, const Batch& objects) noexcept {
    if (!has_contents(contents_)) return no_memory();
    if (Status status = check_batches({&objects, 1}); !status) return status;
    if (Status status = check_storable({&objects, 1}); !status) return status;
    if (handles.size() != objects.count()) {
        return Status::failure("objects: there must be one for each of %zu handles, not %u", handles.size(),
                               objects.count());
    }
    if (Status status = check_handles(*contents_, handles); !status) return status;
    if (handles.empty()) return {};
    const FloatModes modes;
    Reservation room(*contents_);
    Source source(objects, contents_->hulls);
    if (Status status = source.prepare(); !status) return status;
    const Columns& from = source.columns();
    const AttributeMask attributes = from.attributes();
    Array<std::uint32_t> stores;  // where each object is to be
    if (!stores.resize_unset(handles.size())) return no_memory();
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const std::uint32_t s = contents_->places[handles[i]].store;
        StoreKey key = contents_->store(s).key;
        const bool stays = key.layout == from.layout;
        key.layout = from.layout;
        stores[i] = stays ? s : contents_->store_for(from, i, key);
        if (stores[i] == no_node || !room.ask_for(stores[i], {0, stays ? 0u : 1u, attributes})) return no_memory();
    }
    if (!room.make()) return no_memory();
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const Place place = contents_->places[handles[i]];
        if (place.store == stores[i]) {
            Store& store = contents_->store(place.store);
            store.take_attributes(attributes);
            store.write(place.slot, from, i);
            store.grow_around(place.slot, contents_->hulls.data(), contents_->hulls.size());
        } else {
            contents_->take_out(handles[i]);
            contents_->insert(from, i, stores[i], room.attributes(stores[i]), handles[i]);
        }
    }
    return {};
}

Status Scene::move(std::span<const Handle> handles, const float* x, const float* y, const float* z) noexcept {
    if (!has_contents(contents_)) return no_memory();
    if (handles.empty()) return {};
    if (x == nullptr || y == nullptr || z == nullptr) {
        return Status::failure("%s: must not be null", x == nullptr ? "x" : y == nullptr ? "y" : "z");
    }
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (!contents_->names_object(handles[i])) {
            return Status::failure("handles[%zu]: %u names no object", i, handles[i]);
        }
    }
    const FloatModes modes;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const Place place = contents_->places[handles[i]];
        Store& store = contents_->store(place.store);
        shift(store, place.slot, {x[i], y[i], z[i]});
        if (facts_of(store.key.layout).moves_spheres) find_sphere(store, place.slot, contents_->hulls);
        store.grow_around(place.slot, contents_->hulls.data(), contents_->hulls.size());
    }
    return {};
}

Status Scene::set_attributes(std::span<const Handle> handles, const Attributes& attributes) noexcept {
    if (!has_contents(contents_)) return no_memory();
    if (Status status = check_attributes(attributes); !status) return status;
    if (Status status = check_handles(*contents_, handles); !status) return status;
    const FloatModes modes;
    const Columns from = columns_of(attributes);
    Reservation room(*contents_);
    for (const Handle handle : handles) {
        if (!room.ask_for(contents_->places[handle].store, {0, 0, from.attributes()})) return no_memory();
    }
    if (!room.make()) return no_memory();
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const Place place = contents_->places[handles[i]];
        Store& store = contents_->store(place.store);
        store.take_attributes(from.attributes());
        store.write_attributes(place.slot, from, i);
        store.grow_around(place.slot, contents_->hulls.data(), contents_->hulls.size());
    }
    return {};
}

void Scene::refit(Fit fit, const Runner& runner) noexcept {
    if (contents_ != nullptr) contents_->refit(fit == Fit::tight, runner);
}

Improvement Scene::improve(std::uint64_t nanoseconds) noexcept {
    Improvement result;
    result.all_seen = true;
    if (contents_ == nullptr) return result;
    const FloatModes modes;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto is_over = [&] {
        const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
        return static_cast<std::uint64_t>(taken.count()) >= nanoseconds;
    };
    for (std::uint32_t s = 0; s < contents_->stores.size(); ++s) {
        for (std::uint32_t block; (block = contents_->store(s).take_wandered()) != no_node;) {
            ++result.blocks;
            result.objects += contents_->improve(s, block);
            if (!is_over()) continue;
            result.all_seen = false;
            return result;
        }
    }
    return result;
}

Status Scene::rebuild(const Runner& runner) noexcept {
    const FloatModes modes;
    return has_contents(contents_) && contents_->rebuild(runner) ? Status() : no_memory();
}

bool Scene::stale() const noexcept {
    if (contents_ == nullptr) return false;
    return std::any_of(contents_->stores.begin(), contents_->stores.end(),
                       [](const Store* store) { return store->any_grown; });
}

double Scene::spread() const noexcept {
    if (contents_ == nullptr) return 1;
    const FloatModes modes;
    double now = 0, then = 0;
    for (const Store* store : contents_->stores) {
        for (std::uint32_t b = 0; b < store->blocks(); ++b) {
            if (store->count[b] == 0) continue;
            now += size_of(store->levels[0].get(b));
            then += size_of(store->homes[0].get(b));
        }
    }
    return then > 0 ? now / then : 1;
}

std::uint64_t Scene::handle_limit() const noexcept { return contents_ != nullptr ? contents_->places.size() : 0; }

std::uint64_t Scene::object_count() const noexcept { return contents_ != nullptr ? contents_->objects : 0; }

std::uint64_t Scene::slot_count() const noexcept {
    std::uint64_t slots = 0;
    if (contents_ == nullptr) return 0;
    for (const Store* store : contents_->stores) slots += store->slots();
    return slots;
}

std::uint64_t Scene::bytes() const noexcept {
    if (contents_ == nullptr) return 0;
    std::uint64_t sum =
        contents_->places.capacity_bytes() + contents_->unused.capacity_bytes() + contents_->hulls.bytes();
    for (const Store* store : contents_->stores) sum += sizeof(Store) + store->bytes();
    return sum;
}

Status Scene::slot_of(Handle handle, std::uint32_t& slot) const noexcept {
    if (contents_ == nullptr || !contents_->names_object(handle)) {
        return Status::failure("handle: %u names no object", handle);
    }
    const Place place = contents_->places[handle];
    std::uint64_t before = 0;
    for (std::uint32_t s = 0; s < place.store; ++s) before += contents_->store(s).slots();
    slot = static_cast<std::uint32_t>(before + place.slot);
    return {};
}

std::uint32_t Scene::block_count() const noexcept { return static_cast<std::uint32_t>(slot_count() / block_slots); }

SceneBlock Scene::block(std::uint32_t i) const noexcept {
    SceneBlock result;
    std::uint32_t first = 0;
    if (contents_ == nullptr) return result;
    const FloatModes modes;
    for (const Store* store : contents_->stores) {
        if (i - first < store->blocks()) {
            const ObjectBox box = store->levels[0].get(i - first);
            result.first_slot = i * block_slots;
            result.objects = store->count[i - first];
            result.spread = spread_of(*store, i - first);
            for (std::uint32_t j = 0; j < 3; ++j) {
                result.lower[j] = box.low[j];
                result.upper[j] = box.high[j];
                result.origin[j] = store->key.origin[j];
            }
            return result;
        }
        first += store->blocks();
    }
    return result;
}

}  // namespace lanecull
