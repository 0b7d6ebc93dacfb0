#pragma once

#include <cstdint>

#include <lanecull/runner.hpp>

#include "calls/kernel_table.hpp"
#include "scene/array.hpp"
#include "scene/columns.hpp"

namespace lanecull {

constexpr std::uint32_t block_slots = 128;
constexpr std::uint32_t fanout = 64;  // children of a node: one word of verdicts
constexpr std::uint32_t most_levels = 5;
constexpr std::uint32_t no_node = ~std::uint32_t{0};
/// So that slots and nodes, rounded up, stay 32-bit numbers.
constexpr std::uint64_t most_slots = std::uint64_t{0xffffffff} - block_slots * fanout;

/// Boxes of one level of a tree, and which of them a verdict may not be concluded from. Padded to whole words with
/// empty boxes (low > high).
struct Level {
    std::uint32_t count = 0;
    Array<float> low[3], high[3];
    Array<std::uint64_t> never_outside, never_inside;

    [[nodiscard]] bool resize(std::uint32_t nodes) noexcept;
    [[nodiscard]] std::uint32_t words() const { return (count + 63) / 64; }
    void set(std::uint32_t node, const ObjectBox& box) noexcept;
    [[nodiscard]] ObjectBox get(std::uint32_t node) const noexcept;
};

/// Box and restrictions of both.
void include(ObjectBox& box, const ObjectBox& other) noexcept;
ObjectBox empty_box() noexcept;
/// The sum of the three sides; 0 of what is empty.
double size_of(const ObjectBox& box) noexcept;

/// What objects of a store have in common.
struct StoreKey {
    Layout layout{};
    std::uint32_t moving = 0;
    std::uint32_t large = 0;  ///< larger than the blocks of their neighbours would be
    double origin[3] = {};    ///< what their coordinates are relative to

    bool operator==(const StoreKey& other) const = default;
};

/// Objects of one layout in blocks of 128 slots: block b owns slots 128 b and up, and its objects are in the first
/// count[b] of them. Over the blocks a tree of boxes, 64 children a node.
///
/// A block's box always contains its objects: whoever writes one lets it grow at once, and whoever takes one out leaves
/// it as it is. refit() does the same for what is above, and makes loose boxes tight again.
struct Store {
    StoreKey key;
    bool plain = false;  ///< Boxes without margin and sweep, or any other attribute: their boxes are they themselves
    Array<std::uint32_t> columns[most_columns];  ///< slots() * width numbers; empty: an attribute that none has
    Array<std::uint32_t> names;                  ///< the handle of each slot's object
    Array<std::uint32_t> count;                  ///< objects, block by block
    std::uint64_t objects = 0;

    Level levels[most_levels];  ///< [0]: of the blocks
    std::uint32_t level_count = 0;
    Array<std::uint64_t> grown;     ///< blocks whose box has changed, which those above do not know of
    Array<std::uint64_t> loose;     ///< blocks whose box may be larger than it need be
    Array<std::uint64_t> wandered;  ///< blocks that objects may have left
    bool any_grown = false;
    bool any_loose = false;

    /// Where objects belong that are put into a block: its box when it was sorted. Only choices depend on it.
    Level homes[most_levels];
    float spacing = 0;  ///< extent of a typical block; 0: not known
    std::uint32_t next_to_improve = 0;

    [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(count.size()); }
    [[nodiscard]] std::uint64_t slots() const { return std::uint64_t{block_slots} * count.size(); }
    [[nodiscard]] Columns view(const Hull* hulls, std::uint32_t hull_count) const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept;

    /// Room for that many blocks, new ones empty. False: no memory, and nothing has changed but room.
    [[nodiscard]] bool resize_blocks(std::uint32_t blocks) noexcept;
    /// Gives all objects the attributes that `from` has.
    [[nodiscard]] bool take_attributes_of(const Columns& from) noexcept;

    void write(std::uint32_t slot, const Columns& from, std::size_t i) noexcept;
    /// Lets the block's box grow around the object that has been written to a slot.
    void grow_around(std::uint32_t slot, const Hull* hulls, std::uint32_t hull_count) noexcept;

    /// A slot in the block whose home an object lies in or is nearest to, or in a new block; no_node: no memory.
    [[nodiscard]] std::uint32_t make_room(const ObjectBox& box) noexcept;
    /// Closes the gap with the block's last object; returns the slot that this one was moved from.
    std::uint32_t take_out(std::uint32_t slot) noexcept;

    /// Makes a block's box as small as its objects allow.
    void tighten(std::uint32_t block, const Hull* hulls, std::uint32_t hull_count) noexcept;
    /// Boxes of what is above the blocks; with `tight`, first all loose ones of blocks.
    void refit(bool tight, const Hull* hulls, std::uint32_t hull_count, const Runner& runner) noexcept;
    /// Takes blocks as new: their boxes are to be found, and nothing has left them.
    void open_blocks(std::uint32_t first) noexcept;
    /// Makes homes of the blocks from `first` on what their boxes now are.
    void settle_homes(std::uint32_t first) noexcept;
    /// What is above the blocks' homes.
    void settle_upper_homes() noexcept;
    /// By how much an object reaches beyond a block's home, the three sides added up.
    [[nodiscard]] double growth_of_home(std::uint32_t block, const ObjectBox& box) const noexcept;
    /// The next block from next_to_improve on, cyclically, that objects may have left, taken off the list; or no_node.
    [[nodiscard]] std::uint32_t take_wandered() noexcept;

private:
    void see_whether_plain() noexcept;
    [[nodiscard]] bool grow_around_plain(std::uint32_t slot) noexcept;
    void note_growth(std::uint32_t block) noexcept;
    ObjectBox fit_block(const Columns& from, const KernelTable& kernels, std::uint32_t block) const noexcept;
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
};

}  // namespace lanecull
