#pragma once

#include <lanecull/scene.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "base/memory.hpp"
#include "scene/store.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// Where an object is.
struct Place {
    std::uint32_t store = no_node;  ///< no_node: the handle names no object
    std::uint32_t slot = 0;
};

/// Copies of hulls. Hulls with equal vertices are copied once.
class HullTable {
public:
    HullTable() noexcept = default;
    HullTable(HullTable&&) noexcept = default;
    HullTable& operator=(HullTable&&) noexcept = default;
    HullTable(const HullTable&) = delete;
    ~HullTable();

    /// The number of the hull with these vertices. Adds it if there is none yet. no_node: no memory.
    [[nodiscard]] std::uint32_t number_of(const Hull& hull) noexcept;
    /// Forgets the hulls from number `count` on.
    void shrink(std::uint32_t count) noexcept;
    [[nodiscard]] const Hull* data() const noexcept { return hulls_.data(); }
    [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(hulls_.size()); }
    [[nodiscard]] std::uint64_t bytes() const noexcept;
    void swap(HullTable& other) noexcept;

private:
    Array<Hull> hulls_;  // each owns the memory that its x is the start of
    Array<std::uint64_t> hashes_;
};

class Reservation;

constexpr std::uint32_t objects_worth_sorting = 4 * block_slots;

/// Objects of columns that get blocks of their own, in this order.
struct SortedObjects {
    Array<std::uint32_t> usual;
    Array<std::uint32_t> large;  ///< they go to a store of their own
    float spacing = 0;           ///< extent of a typical block; 0: not known

    [[nodiscard]] bool choose_all(std::uint32_t count) noexcept;
    /// Sorts those of `usual` along a space-filling curve, and moves the large ones. False: no memory.
    [[nodiscard]] bool sort(const Columns& from, std::uint32_t moving, const Runner& runner) noexcept;
};

}  // namespace lanecull

/// A scene: objects in stores, their handles and their hulls.
struct lanecull_scene : lanecull::Allocated {
    lanecull::Array<lanecull::Store*> stores;
    lanecull::Array<lanecull::Place> places;  // by handle
    lanecull::Array<lanecull::Handle> unused;
    lanecull::HullTable hulls;
    std::uint64_t objects = 0;

    lanecull_scene() noexcept = default;
    lanecull_scene(const lanecull_scene&) = delete;
    lanecull_scene& operator=(const lanecull_scene&) = delete;
    ~lanecull_scene();
    void swap(lanecull_scene& other) noexcept;

    [[nodiscard]] lanecull::Store& store(std::uint32_t s) noexcept { return *stores[s]; }
    [[nodiscard]] const lanecull::Store& store(std::uint32_t s) const noexcept { return *stores[s]; }
    /// The number of the store with that key. Adds one if there is none yet. no_node: no memory.
    [[nodiscard]] std::uint32_t store_of(const lanecull::StoreKey& key) noexcept;
    [[nodiscard]] std::uint32_t find_store(const lanecull::StoreKey& key) const noexcept;

    [[nodiscard]] bool names_object(lanecull::Handle handle) const noexcept {
        return handle < places.size() && places[handle].store != lanecull::no_node;
    }
    /// The slot of a handle's object among those of all stores.
    [[nodiscard]] std::uint32_t slot_of(lanecull::Handle handle) const noexcept;
    [[nodiscard]] std::uint64_t slots() const noexcept;
    [[nodiscard]] std::uint32_t blocks() const noexcept;
    /// Whether there are edits since the last refit().
    [[nodiscard]] bool is_stale() const noexcept;

    /// Room for n more handles, and for all of them to be unused one day.
    [[nodiscard]] bool reserve_names(std::uint64_t n) noexcept;
    /// The k-th handle of those that take_names() takes into use.
    [[nodiscard]] lanecull::Handle next_handle(std::uint64_t k) const noexcept;
    /// reserve_names() has made room.
    void take_names(std::uint64_t n) noexcept;

    /// The store where object i of the columns is to be, one for large objects if it is large beside the others there.
    /// no_node: no memory.
    [[nodiscard]] std::uint32_t store_for(const lanecull::Columns& from, std::size_t i,
                                          lanecull::StoreKey key) noexcept;
    /// Puts object i of the columns into the block where it belongs, under that handle. There is room.
    void insert(const lanecull::Columns& from, std::size_t i, std::uint32_t store, lanecull::AttributeMask attributes,
                lanecull::Handle handle) noexcept;
    /// Takes the object out of its store. Its handle stays in use.
    void take_out(lanecull::Handle handle) noexcept;

    /// Asks for the room that append() needs. False: no memory.
    [[nodiscard]] bool ask_for(lanecull::Reservation& room, const lanecull::Columns& from,
                               const lanecull::SortedObjects& sorted, lanecull::StoreKey key) noexcept;
    /// Appends objects as blocks of their own. There is room. handles[i]: that of object i.
    void append(const lanecull::Columns& from, const lanecull::SortedObjects& sorted, lanecull::StoreKey key,
                const lanecull::Handle* handles, const lanecull::Runner& runner) noexcept;
    /// Both. False, and nothing has changed: no memory.
    [[nodiscard]] bool add_sorted(const lanecull::Columns& from, const lanecull::SortedObjects& sorted,
                                  const lanecull::StoreKey& key, const lanecull::Handle* handles,
                                  const lanecull::Runner& runner) noexcept;
    /// Adds the objects of another scene's store, sorted anew. This scene already has their hulls. Objects of a store
    /// for large ones stay large.
    [[nodiscard]] bool add_again(const lanecull::Store& store, const lanecull::Runner& runner) noexcept;
    /// Sorts everything again. False, and nothing has changed: no memory.
    [[nodiscard]] bool rebuild(const lanecull::Runner& runner) noexcept;
    void refit(bool tight, const lanecull::Runner& runner) noexcept;
    /// Puts objects that left the block's home into better blocks. Returns how many.
    std::uint32_t rebuild_block(std::uint32_t store, std::uint32_t block) noexcept;

private:
    void append(const lanecull::Columns& from, const lanecull::Array<std::uint32_t>& order,
                const lanecull::StoreKey& key, const lanecull::Handle* handles,
                const lanecull::Runner& runner) noexcept;
};

namespace lanecull {

inline Status no_memory() { return failure(StatusCode::out_of_memory, "scene: there is not enough memory"); }

/// What every edit of named objects checks first.
inline Status check_edit(const lanecull_scene* scene, Span<const Handle> handles) noexcept {
    const Status status = check_made(scene, "scene");
    return status ? check_span(handles, "handles") : status;
}

/// Checks that every handle names an object and that none is there twice.
Status check_handles(const lanecull_scene& scene, std::span<const Handle> handles) noexcept;

/// Whether a batch has one object for each handle.
inline Status check_one_for_each(Span<const Handle> handles, const Batch& objects) noexcept {
    if (handles.size() == objects.count()) return {};
    return failure("objects: there must be one for each of %zu handles, not %u", handles.size(), objects.count());
}

/// Sorts `chosen`, indices of objects in the columns, along a space-filling curve. False: no memory.
[[nodiscard]] bool sort_by_place(const Columns& columns, Array<std::uint32_t>& chosen, const Runner& runner) noexcept;

/// The same volume for objects whose coordinates are relative to `origin` (kernels/scene/README.md has the errors).
PreparedView rebased(const PreparedView& view, const double (&origin)[3]) noexcept;

}  // namespace lanecull
