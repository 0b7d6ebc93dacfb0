#pragma once

/// Culls one range of a scene in one view. Fills in the bits of blocks that are wholly outside or inside. The kernels
/// of the objects' kind cull the objects of the other blocks.

#include <lanecull/cull.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "calls/cull_call.hpp"
#include "scene/contents.hpp"
#include "scene/node_kernels.hpp"
#include "view/prepared_view.hpp"

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

/// The results of one range in one view.
struct SceneRangeResult : RangeResult {
    std::uint64_t inside_objects;
    std::uint64_t hidden_objects;
    std::uint64_t outside_blocks, hidden_blocks, inside_blocks, mixed_blocks;
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

    explicit SceneSizes(const lanecull_scene& contents) {
        for (const Store* store : contents.stores) {
            ranges += (groups_of(*store) + range_groups - 1) / range_groups;
            words += static_cast<std::size_t>(store->slots() / 64);
            node_words += lanecull::node_words(*store);
            hints += hints_of(*store);
        }
    }
};

/// Writes all of `ranges`.
inline void split(const lanecull_scene& contents, std::span<SceneRange> ranges) {
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

/// Bits 0 .. n - 1.
inline std::uint64_t first_bits(std::uint32_t n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

/// Sets the bits of those of a block's objects that are candidates. The block's words begin at `first` in the range's.
/// Returns how many are set.
inline std::uint32_t fill_block(const RangeTask& range, std::size_t first, std::uint32_t objects) {
    std::uint32_t set = 0;
    for (std::uint32_t w = 0; w < block_words; ++w) {
        std::uint64_t word = objects > 64 * w ? first_bits(objects - 64 * w) : 0;
        if (range.candidates != nullptr) word &= range.candidates[first + w];
        set += static_cast<std::uint32_t>(std::popcount(word));
        for (std::uint64_t* words : {range.visible, range.kept, range.inside}) {
            if (words != nullptr) words[first + w] = word;
        }
    }
    return set;
}
inline void clear_words(const RangeTask& range, std::size_t first, std::size_t count) {
    for (std::uint64_t* words : {range.visible, range.kept, range.inside}) {
        if (words != nullptr) std::memset(words + first, 0, count * sizeof(*words));
    }
}

/// Tests 64 nodes of a level against a view.
inline NodeVerdicts test_nodes(const NodeTable& kernels, const Level& level, std::uint32_t word,
                               const PreparedView& view, std::uint8_t* hints) {
    const std::size_t at = std::size_t{64} * word;
    NodeVerdicts verdicts;
    kernels.test({{level.low[0].data() + at, level.low[1].data() + at, level.low[2].data() + at},
                  {level.high[0].data() + at, level.high[1].data() + at, level.high[2].data() + at},
                  &view,
                  hints},
                 verdicts);
    verdicts.outside &= ~level.never_outside[word];
    verdicts.inside &= ~level.never_inside[word];
    // Objects of a never_outside node may lie outside its box.
    for (std::uint64_t& within : verdicts.within) within &= ~level.never_outside[word];
    if (view.layer_mask == 0) verdicts.inside = 0;  // such a view culls even objects on every layer
    return verdicts;
}

/// Finds which occluders hide the blocks `asked` of 64, or may hide objects in them.
inline void hide_blocks(const NodeTable& kernels, const Level& blocks, std::uint32_t word, float margin,
                        const RangeTask& hiding, std::uint64_t asked, HiddenNodes& nodes) {
    const std::size_t at = std::size_t{64} * word;
    kernels.hide({hiding,
                  {blocks.low[0].data() + at, blocks.low[1].data() + at, blocks.low[2].data() + at},
                  {blocks.high[0].data() + at, blocks.high[1].data() + at, blocks.high[2].data() + at},
                  margin,
                  asked & ~blocks.never_outside[word]},
                 nodes);
    // Objects of these may lie outside of their block's box.
    for (std::uint64_t rest = asked & blocks.never_outside[word]; rest != 0; rest &= rest - 1) {
        nodes.perhaps[std::countr_zero(rest)] = hiding.counting;
    }
}

inline void write_outcomes(BlockOutcome* to, std::uint32_t n, const NodeVerdicts& blocks, std::uint64_t hidden,
                           const std::uint32_t* counts) {
    for (std::uint32_t b = 0; b < n; ++b) {
        const auto has = [b](std::uint64_t word) { return (word >> b & 1) != 0; };
        to[b] = has(blocks.outside) || counts[b] == 0 ? BlockOutcome::outside
                : has(hidden)                         ? BlockOutcome::hidden
                : has(blocks.inside)                  ? BlockOutcome::inside
                                                      : BlockOutcome::mixed;
    }
}

/// The planes that objects of block `b` may straddle. Bit k set: plane k.
inline std::uint32_t straddled_planes(const NodeVerdicts& blocks, std::uint32_t b) {
    std::uint32_t planes = 0;
    for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
        planes |= static_cast<std::uint32_t>(~blocks.within[k] >> b & 1) << k;
    }
    return planes;
}

/// Culls a range group by group. Blocks whose objects must be tested are collected as long as their slots are
/// consecutive; flush() has the kernel cull them.
struct BlockCull {
    const KernelTable& kernels;
    const NodeTable& node_kernels;
    const Store& store;
    const PreparedView& view;  // relative to the store's origin
    SceneRangeResult& result;
    const RangeTask& range;  // its words begin with the range's first slot
    BlockOutcome* outcomes;  // of the range's blocks, or null
    const Batch batch;
    std::size_t range_slot;              // of the range's start, in the store
    std::uint64_t* occluders_of_word;    // of each collected word: that may hide its objects; room for a range's
    std::uint32_t first = 0, count = 0;  // collected slots, consecutive
    std::uint32_t planes = 0;            // that a collected block may straddle
    std::uint64_t occluders = 0;         // that may hide objects of a collected block

    void add(std::uint32_t block, std::uint32_t straddled, std::uint64_t may_hide) {
        const std::uint32_t slot = block * block_slots;
        if (count > 0 && first + count != slot) flush();
        if (count == 0) first = slot;
        std::fill_n(occluders_of_word + (slot - first) / 64, block_words, may_hide);
        count += store.count[block];
        planes |= straddled;
        occluders |= may_hide;
    }
    void flush() {
        if (count == 0) return;
        const std::size_t word = (first - range_slot) / 64;
        Counts counts;
        RangeWork work{range, &batch.shapes, &batch.attributes, &view, planes};
        work.first = first;
        work.count = count;
        for (std::uint64_t** words : {&work.visible, &work.kept, &work.inside}) {
            if (*words != nullptr) *words += word;
        }
        if (work.candidates != nullptr) work.candidates += word;
        work.counts = &counts;
        work.counting = occluders;
        work.counting_of_word = occluders_of_word;
        kernels.cull[facts_of(store.key.layout).kind](work);
        result.counts += counts;
        // Words of the last block that have no objects.
        const std::size_t written = (count + 63) / 64, blocks = (count + block_slots - 1) / block_slots;
        clear_words(range, word + written, blocks * block_words - written);
        count = planes = 0;
        occluders = 0;
    }

    /// Bits of the blocks without a candidate among the n blocks whose words begin at `word`.
    [[nodiscard]] std::uint64_t blocks_without_candidates(std::size_t word, std::uint32_t n) const {
        std::uint64_t blocks = 0;
        for (std::uint32_t b = 0; range.candidates != nullptr && b < n; ++b) {
            std::uint64_t any = 0;
            for (std::uint32_t w = 0; w < block_words; ++w)
                any |= range.candidates[word + std::size_t{b} * block_words + w];
            blocks |= std::uint64_t{any == 0} << b;
        }
        return blocks;
    }

    /// The verdicts of a group's blocks: the group's own verdict if it has one, else those of tests of each block.
    [[nodiscard]] NodeVerdicts block_verdicts(std::uint32_t g, const NodeVerdicts& whole, std::uint8_t* hints) const {
        NodeVerdicts blocks{};
        if (whole.outside != 0) {
            blocks.outside = ~std::uint64_t{0};
        } else if (whole.inside != 0) {
            blocks.inside = ~std::uint64_t{0};
        } else {
            blocks = test_nodes(node_kernels, store.levels[0], g, view, hints);
        }
        return blocks;
    }

    void cull_group(std::uint32_t g, const NodeVerdicts& whole, std::uint8_t* hints) {
        const std::uint32_t first_block = g * group_blocks, n = std::min(group_blocks, store.blocks() - first_block);
        const std::size_t word = (std::size_t{first_block} * block_slots - range_slot) / 64;
        const std::uint64_t without = blocks_without_candidates(word, n);
        NodeVerdicts blocks = without == first_bits(n) ? NodeVerdicts{} : block_verdicts(g, whole, hints);
        blocks.outside = (blocks.outside | without) & first_bits(n);
        blocks.inside &= first_bits(n) & ~without;
        HiddenNodes nodes;
        ask_occluders(g, first_bits(n) & ~blocks.outside, nodes);
        // Objects of blocks that are inside are tested one by one, if an occluder may hide some of them.
        const std::uint64_t within = blocks.inside & ~nodes.hidden;
        blocks.inside = 0;
        for (std::uint64_t rest = within; rest != 0; rest &= rest - 1) {
            if (nodes.perhaps[std::countr_zero(rest)] == 0) blocks.inside |= rest & (~rest + 1);
        }
        result.outside_blocks += static_cast<std::uint64_t>(std::popcount(blocks.outside));
        result.inside_blocks += static_cast<std::uint64_t>(std::popcount(blocks.inside));
        result.hidden_blocks += static_cast<std::uint64_t>(std::popcount(nodes.hidden));
        if (outcomes != nullptr) {
            write_outcomes(outcomes + word / block_words, n, blocks, nodes.hidden, store.count.data() + first_block);
        }
        if (blocks.outside == first_bits(n)) {
            clear_words(range, word, std::size_t{n} * block_words);
            return;
        }
        for (std::uint32_t b = 0; b < n; ++b) {
            const std::uint32_t objects = store.count[first_block + b];
            const auto has = [b](std::uint64_t blocks_of) { return (blocks_of >> b & 1) != 0; };
            const std::size_t block_word = word + std::size_t{b} * block_words;
            if (has(blocks.outside) || objects == 0) {
                clear_words(range, block_word, block_words);
            } else if (has(nodes.hidden)) {
                drop_block(block_word, objects, nodes.by[b]);
            } else if (has(blocks.inside)) {
                result.inside_objects += fill_block(range, block_word, objects);
            } else {
                ++result.mixed_blocks;
                add(first_block + b, has(within) ? 0 : straddled_planes(blocks, b) & all_planes(view),
                    nodes.perhaps[b]);
            }
        }
    }

    /// Which occluders hide a group's blocks, or may hide objects in them. Where blocks were not tested, each may.
    void ask_occluders(std::uint32_t g, std::uint64_t asked, HiddenNodes& nodes) const {
        if (range.counting != 0 && asked != 0) {
            return hide_blocks(node_kernels, store.levels[0], g, view.margin, range, asked, nodes);
        }
        nodes.hidden = 0;
        std::fill_n(nodes.perhaps, group_blocks, range.counting);
    }

    /// Culls the objects of a hidden block that are candidates.
    void drop_block(std::size_t word, std::uint32_t objects, std::uint32_t occluder) {
        clear_words(range, word, block_words);
        std::uint32_t dropped = 0;
        for (std::uint32_t w = 0; w < block_words; ++w) {
            std::uint64_t asked = objects > 64 * w ? first_bits(objects - 64 * w) : 0;
            if (range.candidates != nullptr) asked &= range.candidates[word + w];
            dropped += static_cast<std::uint32_t>(std::popcount(asked));
        }
        result.hidden_objects += dropped;
        if (range.hidden != nullptr) range.hidden[occluder] += dropped;
    }
};

}  // namespace lanecull
