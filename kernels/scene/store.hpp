#pragma once

#include <lanecull/types.h>

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "bounds/kernels.hpp"
#include "scene/columns.hpp"

namespace lanecull {

constexpr std::uint32_t block_slots = 128;
constexpr std::uint32_t fanout = 64;  // children of a node: one word of verdicts
constexpr std::uint32_t most_levels = 5;
constexpr std::uint32_t no_node = ~std::uint32_t{0};
/// With this limit, numbers of slots and nodes, rounded up, fit 32 bits.
constexpr std::uint64_t most_slots = std::uint64_t{0xffffffff} - block_slots * fanout;

/// Boxes of one level of a tree, and the two marks that forbid conclusions from them. The level is padded to whole
/// words with empty boxes (low > high).
struct Level {
    std::uint32_t count = 0;
    Array<float> low[3], high[3];
    Array<std::uint64_t> never_outside, never_inside;

    [[nodiscard]] bool make_room(std::uint32_t nodes) noexcept;
    /// Within that room.
    void resize(std::uint32_t nodes) noexcept;
    [[nodiscard]] std::uint32_t words() const { return (count + 63) / 64; }
    void set(std::uint32_t node, const ObjectBox& box) noexcept;
    [[nodiscard]] ObjectBox get(std::uint32_t node) const noexcept;
};

/// Extends a box and its marks by another's.
void include(ObjectBox& box, const ObjectBox& other) noexcept;
ObjectBox empty_box() noexcept;
/// The sum of the three sides; 0 for an empty box.
double size_of(const ObjectBox& box) noexcept;

/// What objects of a store have in common.
struct StoreKey {
    Layout layout{};
    std::uint32_t moving = 0;
    std::uint32_t large = 0;  ///< 1: much larger than a block of their neighbours
    double origin[3] = {};    ///< what their coordinates are relative to

    bool operator==(const StoreKey& other) const = default;
};

inline StoreKey key_of(Layout layout, bool moving, const double (&origin)[3]) {
    return {layout, moving ? 1u : 0u, 0, {origin[0] + 0.0, origin[1] + 0.0, origin[2] + 0.0}};  // -0 is 0
}

/// Objects of one layout in blocks of 128 slots. Block b owns slots 128 b to 128 b + 127; its objects are in the first
/// count[b] of them. Over the blocks there is a tree of boxes, 64 children a node.
///
/// A block's box always contains its objects: code that writes an object grows the box at once, and code that takes one
/// out leaves the box as it is. refit() brings the boxes above up to date, and makes loose boxes tight again.
struct Store : Allocated {
    StoreKey key;
    bool plain = false;  ///< the objects are Boxes without any attribute, so each is its own box
    Array<std::uint32_t> columns[most_columns];  ///< slots() * width numbers; empty: no object has the attribute
    Array<std::uint32_t> handles;                ///< the handle of each slot's object
    Array<std::uint32_t> count;                  ///< objects, block by block
    std::uint64_t objects = 0;

    Level levels[most_levels];  ///< [0]: of the blocks
    std::uint32_t level_count = 0;
    Array<std::uint64_t> grown;     ///< blocks whose box has changed since the boxes above were made
    Array<std::uint64_t> loose;     ///< blocks whose box may be larger than needed
    Array<std::uint64_t> wandered;  ///< blocks that objects may have left
    bool any_grown = false;
    bool any_loose = false;

    /// A block's home: the box where objects belong that are put into it, its box when it was sorted. Homes only choose
    /// blocks; no verdict depends on them.
    Level homes[most_levels];
    float spacing = 0;  ///< extent of a typical block; 0: not known
    std::uint32_t next_to_rebuild = 0;

    [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(count.size()); }
    [[nodiscard]] std::uint64_t slots() const { return std::uint64_t{block_slots} * count.size(); }
    [[nodiscard]] Columns view(const Hull* hulls, std::uint32_t hull_count) const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept;

    /// Makes room for that many blocks with columns for these attributes, besides those that there are. False: no
    /// memory, or more slots than a store can have; nothing but room has changed.
    [[nodiscard]] bool make_room(std::uint64_t blocks, AttributeMask attributes) noexcept;

    // Within the room that there is.

    /// New blocks are empty.
    void resize_blocks(std::uint32_t blocks) noexcept;
    /// Adds columns for those attributes that the store lacks, with their absent values. A store without blocks has no
    /// columns.
    void take_attributes(AttributeMask attributes) noexcept;

    void write(std::uint32_t slot, const Columns& from, std::size_t i) noexcept;
    /// Writes those attributes of object i that the columns have. take_attributes() comes first.
    void write_attributes(std::uint32_t slot, const Columns& from, std::size_t i) noexcept;
    /// Writes object chosen[k] of the columns to slots[k], the numbers of its shape alone. Column by column, so that
    /// processors have many cache lines under way. The blocks' boxes are the caller's affair.
    void write_shapes(std::span<const std::uint32_t> chosen, const std::uint32_t* slots, const Columns& from) noexcept;

    // For threads that own a word of 64 blocks each. see_whether_edited() comes after them.

    /// `placed[b]` objects of block first_block + b have been written. Marks the blocks, and makes the boxes of those
    /// anew of which at least one in `few` objects has been written. `from`: this store's own view().
    void fit_where_many(std::uint32_t first_block, const std::uint32_t (&placed)[64], std::uint32_t few,
                        const Columns& from) noexcept;
    /// Grows the block's box around the object in a slot.
    void grow_box(std::uint32_t slot, const Columns& from) noexcept;
    void see_whether_edited() noexcept;
    /// Grows the block's box around the object that has been written to a slot.
    void grow_around(std::uint32_t slot, const Hull* hulls, std::uint32_t hull_count) noexcept;

    /// A free slot in the block whose home the object lies in or is nearest to, or in a new block, with columns for
    /// these attributes. Where there is no memory for a new block, it is in one of those that there are. no_node: all
    /// are full, and there is no memory.
    [[nodiscard]] std::uint32_t free_slot(const ObjectBox& box, AttributeMask attributes) noexcept;
    /// Takes an object out and moves the block's last object to its slot. Returns the slot that this one was moved
    /// from.
    std::uint32_t take_out(std::uint32_t slot) noexcept;

    /// Makes a block's box as small as its objects allow.
    void tighten(std::uint32_t block, const Hull* hulls, std::uint32_t hull_count) noexcept;
    /// Brings the boxes above the blocks up to date. `tight`: first makes all loose boxes of blocks tight.
    void refit(bool tight, const Hull* hulls, std::uint32_t hull_count, const Runner& runner) noexcept;
    /// Marks the blocks from `first` on as loose, so that refit() finds their boxes.
    void open_blocks(std::uint32_t first) noexcept;
    /// Makes the present boxes of the blocks from `first` on their homes.
    void settle_homes(std::uint32_t first) noexcept;
    /// Finds the homes' boxes of the levels above the blocks.
    void settle_upper_homes() noexcept;
    /// How far an object reaches beyond a block's home, summed over the three axes.
    [[nodiscard]] double growth_of_home(std::uint32_t block, const ObjectBox& box) const noexcept;
    /// The next block, from next_to_rebuild on and cyclically, that objects may have left. It is taken off the list.
    /// no_node: none.
    [[nodiscard]] std::uint32_t take_wandered() noexcept;

private:
    void see_whether_plain() noexcept;
    void fill_new_level() noexcept;
    [[nodiscard]] bool grow_around_plain(std::uint32_t slot) noexcept;
    void note_growth(std::uint32_t block) noexcept;
    ObjectBox fit_block(const Columns& from, const BoundsTable& kernels, std::uint32_t block) const noexcept;
    [[nodiscard]] const float* stream(std::uint32_t column) const noexcept {
        return reinterpret_cast<const float*>(columns[column].data());
    }
    void fit_parent(Level (&tree)[most_levels], std::uint32_t level, std::uint32_t node) noexcept;
    struct Nearest {
        std::uint32_t block;
        double growth;
    };
    void search_nearest(std::uint32_t level, std::uint32_t first, const ObjectBox& box,
                        Nearest& nearest) const noexcept;
    [[nodiscard]] std::uint32_t nearest_block(const ObjectBox& box) const noexcept;
    [[nodiscard]] std::uint32_t choose_block(const ObjectBox& box, AttributeMask attributes) noexcept;
};

}  // namespace lanecull
