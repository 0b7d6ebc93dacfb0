#pragma once

/// How a call splits a scene's stores into ranges, and the scratch memory that it needs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/cull.hpp>

#include "calls/ranges.hpp"
#include "scene/contents.hpp"
#include "scene/node_kernels.hpp"

namespace lanecull {

constexpr std::uint32_t group_blocks = fanout;
constexpr std::uint32_t group_slots = group_blocks * block_slots;
constexpr std::uint32_t group_words = group_slots / 64;
constexpr std::uint32_t block_words = block_slots / 64;
constexpr std::uint32_t range_groups = 4;

/// A range: some groups of one store. It is the same for every view.
struct SceneRange {
    std::uint32_t store;
    std::uint32_t first_group, groups;
    std::uint32_t first_slot;  // of the store, in the scene
    std::size_t first_word;    // of the range, in the scene
    std::size_t words;
    std::size_t nodes;  // where the store's words of verdicts begin
    std::size_t hints;  // where its hints begin

    [[nodiscard]] std::uint32_t slot_in_store() const { return first_group * group_slots; }
};

/// The results of one range in one view. Its task writes all but `visible_before` and `runs_before`, which collect()
/// writes.
struct SceneRangeResult {
    Statistics tested;
    std::uint64_t inside_objects;
    std::uint64_t hidden_objects;
    std::uint64_t outside_blocks, hidden_blocks, inside_blocks, mixed_blocks;
    std::uint64_t visible, visible_before;
    std::uint64_t runs, runs_before;
};

inline std::uint32_t groups_of(const Store& store) { return (store.blocks() + group_blocks - 1) / group_blocks; }

/// How many words of verdicts the levels above the blocks have.
inline std::size_t node_words(const Store& store) {
    std::size_t words = 0;
    for (std::uint32_t l = 1; l < store.level_count; ++l) words += store.levels[l].words();
    return words;
}

/// How many hints 64 nodes have, and how many a store. A store's hints begin with level 0.
constexpr std::size_t word_hints = 64 / hinted_nodes;
inline std::size_t hints_of(const Store& store) {
    return word_hints * (node_words(store) + (store.level_count > 0 ? store.levels[0].words() : 0));
}

/// The amounts that a call's scratch memory depends on.
struct SceneSizes {
    std::size_t ranges = 0, words = 0, node_words = 0, hints = 0;

    explicit SceneSizes(const Scene::Contents& contents) {
        for (const Store* store : contents.stores) {
            ranges += (groups_of(*store) + range_groups - 1) / range_groups;
            words += static_cast<std::size_t>(store->slots() / 64);
            node_words += lanecull::node_words(*store);
            hints += hints_of(*store);
        }
    }
    [[nodiscard]] std::size_t bytes(std::size_t views) const {
        return ScratchMemory::slack + ranges * sizeof(SceneRange) +
               views * (ranges * sizeof(SceneRangeResult) + node_words * sizeof(NodeVerdicts) +
                        (1 + words) * sizeof(std::uint64_t));
    }
};

struct SceneScratch {
    std::span<SceneRange> ranges;
    std::span<SceneRangeResult> results;  // [view][range]
    std::span<NodeVerdicts> verdicts;     // [view][store, level, word]
    std::span<std::uint64_t> counting;    // [view]: bit k: occluder k counts
    std::span<std::uint64_t> kept;        // [view][word]: the visibility words, readable

    SceneScratch(std::span<std::byte> bytes, const SceneSizes& sizes, std::size_t views) {
        ScratchMemory memory(bytes);
        ranges = memory.take<SceneRange>(sizes.ranges);
        results = memory.take<SceneRangeResult>(views * sizes.ranges);
        verdicts = memory.take<NodeVerdicts>(views * sizes.node_words);
        counting = memory.take<std::uint64_t>(views);
        kept = memory.take<std::uint64_t>(views * sizes.words);
    }
};

/// Writes all of `ranges`.
inline void split(const Scene::Contents& contents, std::span<SceneRange> ranges) {
    std::size_t r = 0, nodes = 0, hints = 0, word = 0;
    for (std::uint32_t s = 0; s < contents.stores.size(); ++s) {
        const Store& store = contents.store(s);
        const auto first_slot = static_cast<std::uint32_t>(word * 64);
        const auto store_words = static_cast<std::size_t>(store.slots() / 64);
        for (std::uint32_t group = 0; group < groups_of(store); group += range_groups) {
            const std::uint32_t groups = std::min(range_groups, groups_of(store) - group);
            const std::size_t before = std::size_t{group} * group_words;
            const std::size_t words = std::min(std::size_t{groups} * group_words, store_words - before);
            ranges[r++] = {s, group, groups, first_slot, word + before, words, nodes, hints};
        }
        word += store_words;
        nodes += node_words(store);
        hints += hints_of(store);
    }
}

}  // namespace lanecull
