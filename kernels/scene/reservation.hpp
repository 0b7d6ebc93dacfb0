#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory.hpp"
#include "scene/contents.hpp"

namespace lanecull {

/// The memory of an edit that does all or nothing: first the edit says what it will need, then make() takes all of it,
/// and then nothing that the edit does can fail. Stores and hulls that have been added meanwhile go again with a
/// reservation that was not made.
class Reservation {
public:
    explicit Reservation(lanecull_scene& contents) noexcept
        : contents_(contents), stores_(contents.stores.size()), hulls_(contents.hulls.size()) {}
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation() {
        if (made_) return;
        for (std::size_t s = stores_; s < contents_.stores.size(); ++s) delete contents_.stores[s];
        contents_.stores.resize_reserved(stores_);
        contents_.hulls.shrink(hulls_);
    }

    /// What a store is to have besides what it has.
    struct Needs {
        std::uint64_t blocks;   ///< that are appended, before any object is inserted
        std::uint64_t objects;  ///< that are inserted one by one
        AttributeMask attributes;
    };
    [[nodiscard]] bool ask_for(std::uint32_t store, const Needs& more) noexcept {
        if (store >= needs_.size() && !needs_.resize(contents_.stores.size())) return false;
        Needs& needs = needs_[store];
        needs.blocks += more.blocks;
        needs.objects += more.objects;
        needs.attributes |= more.attributes;
        return true;
    }

    /// Objects that are inserted fit where all blocks together have as many slots: an object that cannot begin a block
    /// of its own goes to another (Store::free_slot()).
    [[nodiscard]] bool make() noexcept {
        for (std::uint32_t s = 0; s < needs_.size(); ++s) {
            const Needs& needs = needs_[s];
            Store& store = contents_.store(s);
            const std::uint64_t slots = std::max(store.slots(), store.objects + needs.objects);
            const std::uint64_t blocks = (slots + block_slots - 1) / block_slots + needs.blocks;
            if (!store.make_room(blocks, needs.attributes)) return false;
        }
        made_ = true;
        return true;
    }

    /// The attributes that there is room for in a store.
    [[nodiscard]] AttributeMask attributes(std::uint32_t store) const noexcept { return needs_[store].attributes; }

private:
    lanecull_scene& contents_;
    std::size_t stores_;
    std::uint32_t hulls_;
    Array<Needs> needs_;  // by store
    bool made_ = false;
};

}  // namespace lanecull
