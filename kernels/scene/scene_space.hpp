#pragma once

/// A scene as a space that a call culls (calls/cull_call.hpp): first the nodes from the top down, then the blocks,
/// range by range. Objects are tested only in blocks that are neither outside nor inside.

#include <lanecull/scene.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/failure.hpp"
#include "calls/cull_call.hpp"
#include "scene/contents.hpp"
#include "scene/cull_blocks.hpp"
#include "scene/lod.hpp"

namespace lanecull {

/// Writes the handles of the objects whose bits are set, at most `capacity`.
inline void write_handles(const std::uint64_t* kept, std::size_t words, const Handle* handles, Handle* to,
                          std::size_t capacity) {
    const Handle* end = to + capacity;
    for (std::size_t w = 0; w < words && to != end; ++w, handles += 64) {
        std::uint64_t left = kept[w];
        if (left == ~std::uint64_t{0} && end - to >= 64) {
            std::memcpy(to, handles, 64 * sizeof(Handle));
            to += 64;
            continue;
        }
        for (; left != 0 && to != end; left &= left - 1) *to++ = handles[std::countr_zero(left)];
    }
}

/// The command of objects that were added without one: it draws nothing.
inline constexpr DrawCommand no_command{0, 0, 0, 0, 0};

/// The commands of a store's slots.
inline DrawCommands commands_of(const Store& store) {
    const Array<std::uint32_t>& commands = store.columns[draw_column];
    if (commands.empty()) return {&no_command, false, 0};
    return {reinterpret_cast<const DrawCommand*>(commands.data()), false, sizeof(DrawCommand)};
}

class SceneSpace {
public:
    using View = lanecull::View;
    using Range = SceneRange;
    using Result = SceneRangeResult;
    static constexpr const char* name = "scene";
    static constexpr bool has_depth = true;

    SceneSpace(const lanecull_scene& contents, const KernelTable& kernels)
        : contents_(contents),
          kernels_(kernels),
          node_kernels_(table_of<NodeTable>(kernels.facts->isa)),
          sizes_(contents) {}

    [[nodiscard]] std::size_t ranges() const { return sizes_.ranges; }
    [[nodiscard]] std::size_t words() const { return sizes_.words; }
    [[nodiscard]] std::size_t bytes(std::size_t views) const {
        return sizes_.ranges * sizeof(SceneRange) + views * sizes_.node_words * sizeof(NodeVerdicts);
    }
    void take(ScratchMemory& memory, std::size_t views) {
        ranges_ = memory.take<SceneRange>(sizes_.ranges);
        verdicts_ = memory.take<NodeVerdicts>(views * sizes_.node_words);
    }

    /// Without `view`, a view by which no object is visible, distances and levels are not tested.
    [[nodiscard]] Status check(const Output& output, const PreparedView* view, std::size_t v) const {
        if (!output.batch_ranges.empty()) return failure("outputs[%zu].batch_ranges: a scene has none", v);
        if (output.explanation != nullptr && !output.explanation->certificates.empty()) {
            return failure("outputs[%zu].certificates: a scene has none", v);
        }
        if (Status status = check_owners(output.occluders, v); !status) return status;
        if (Status status = check_order(output, view, contents_.places.size(), words(), v); !status) return status;
        if (is_ordered(output) && output.scene != nullptr &&
            (!output.scene->lod.distances.empty() || !output.scene->lod.levels.empty())) {
            return failure("outputs[%zu].order: distances and levels ascend; lod.latest has levels by handle", v);
        }
        return output.scene != nullptr ? check_own(*output.scene, view, v) : Status();
    }

    void split() { lanecull::split(contents_, ranges_); }
    [[nodiscard]] const SceneRange& range(std::size_t r) const { return ranges_[r]; }
    [[nodiscard]] const double (&origin(const SceneRange& range) const)[3] {
        return contents_.store(range.store).key.origin;
    }

    [[nodiscard]] std::uint64_t begin(const View& view, const Output& output, std::size_t v) {
        if (sizes_.ranges > 0) test_upper_levels(contents_of(view), output, v);
        return counting_of(output.occluders,
                           [&](const Owner& owner) { return owner_is_drawn(view, output, owner.object); });
    }

    void cull_range(const View& seen, const Output& output, const SceneRange& range, RangeTask& task,
                    SceneRangeResult& result, std::size_t v) const {
        const Store& store = contents_.store(range.store);
        const PreparedView view = rebased(contents_of(seen), store.key.origin);
        BlockOutcome* const outcomes =
            output.scene == nullptr ? nullptr : word_at(output.scene->block_outcomes, range.first_word / block_words);
        result = {};
        std::uint64_t occluders_of_word[range_groups * group_words];
        BlockCull blocks{kernels_,
                         node_kernels_,
                         store,
                         view,
                         result,
                         task,
                         outcomes,
                         batch_of(store.view(contents_.hulls.data(), contents_.hulls.size()), 0),
                         range.slot_in_store(),
                         occluders_of_word};
        for (std::uint32_t g = range.first_group; g < range.first_group + range.groups; ++g) {
            blocks.cull_group(g, group_verdict(v, range, store, g), hints_at(output, range.hints + word_hints * g));
        }
        blocks.flush();
        result.visible = result.counts.visible() + result.inside_objects;
    }

    NumberRange note(const KernelTable& kernels, const View& seen, ListOrder order, const SceneRange& range,
                     KeptRange kept, std::span<OrderEntry> to) const {
        const Store& store = contents_.store(range.store);
        Sight sight = contents_of(seen).sight;
        for (std::size_t k = 0; k < 3; ++k) sight.from[k] -= store.key.origin[k];
        kept.first = range.slot_in_store();
        const auto slots = static_cast<std::uint32_t>(store.slots());
        const Batch batch = batch_of(store.view(contents_.hulls.data(), contents_.hulls.size()), slots);
        return note_entries(kernels, batch, sight, order, kept, to);
    }
    [[nodiscard]] const Handle* handles(const SceneRange& range) const {
        return contents_.store(range.store).handles.data() + range.slot_in_store();
    }

    [[nodiscard]] ListPlace list(const SceneRange& range) const {
        const Store& store = contents_.store(range.store);
        return {static_cast<std::size_t>(store.slots() / 64) - range.slot_in_store() / 64, range.first_group == 0,
                range.first_slot + range.slot_in_store(), commands_of(store), range.slot_in_store()};
    }

    /// Writes handles, distances and levels.
    template <class Call>
    void write(const Call& call, std::size_t v, const SceneRange& range, const ListedRange& list) const {
        const SceneOutput* const to = call.outputs[v].scene;
        if (to == nullptr) return;
        const Handle* const handles = contents_.store(range.store).handles.data();
        const std::size_t capacity = is_ordered(call.outputs[v]) ? 0 : to->handles.size();
        const std::size_t room = room_for(list.visible, list.visible_before, capacity);
        if (room > 0) {
            write_handles(list.kept, list.words, handles + range.slot_in_store(),
                          to->handles.data() + list.visible_before, room);
        }
        if (!wants_lod(to->lod)) return;
        const FloatModes modes;
        const Store& store = contents_.store(range.store);
        const Columns objects = store.view(nullptr, 0);
        const PreparedView view = rebased(contents_of(call.views[v]), store.key.origin);
        write_lod(
            {&to->lod, &view, &objects, handles, range.slot_in_store(), list.kept, list.words, list.visible_before});
    }

    void finish(Output& output, std::span<const SceneRangeResult> results) const {
        if (output.scene == nullptr) return;
        SceneOutput& to = *output.scene;
        SceneRangeResult sum{};
        for (const SceneRangeResult& result : results) {
            sum.counts += result.counts;
            sum.inside_objects += result.inside_objects;
            sum.hidden_objects += result.hidden_objects;
            sum.outside_blocks += result.outside_blocks;
            sum.hidden_blocks += result.hidden_blocks;
            sum.inside_blocks += result.inside_blocks;
            sum.mixed_blocks += result.mixed_blocks;
        }
        to.outside_objects = contents_.objects - sum.inside_objects - sum.hidden_objects - sum.counts.objects();
        to.inside_objects = sum.inside_objects;
        to.hidden_objects = sum.hidden_objects;
        to.outside_blocks = sum.outside_blocks;
        to.hidden_blocks = sum.hidden_blocks;
        to.inside_blocks = sum.inside_blocks;
        to.mixed_blocks = sum.mixed_blocks;
    }

private:
    /// Checks the occluders' owners, which are objects of the scene.
    [[nodiscard]] Status check_owners(std::span<const Occluder> occluders, std::size_t v) const {
        for (std::size_t k = 0; k < occluders.size(); ++k) {
            for (const Owner& owner : occluders[k].owners) {
                if (owner.batch == 0 && contents_.names_object(owner.object)) continue;
                return failure("outputs[%zu].occluders[%zu].owners: handle %u of batch %u names no object", v, k,
                               owner.object, owner.batch);
            }
        }
        return {};
    }

    [[nodiscard]] Status check_own(const SceneOutput& output, const PreparedView* view, std::size_t v) const {
        const std::size_t blocks = contents_.blocks();
        if (view != nullptr) {
            if (Status status = check_lod(output.lod, *view, v, contents_.places.size()); !status) return status;
        }
        if (!output.hints.empty() && output.hints.size() != sizes_.hints) {
            return failure("outputs[%zu].hints: must be none or %zu (hint_bytes()), not %zu", v, sizes_.hints,
                           output.hints.size());
        }
        if (!output.block_outcomes.empty() && output.block_outcomes.size() != blocks) {
            return failure("outputs[%zu].block_outcomes: must be none or %zu (block_count()), not %zu", v, blocks,
                           output.block_outcomes.size());
        }
        return {};
    }

    /// The view's hints from the i-th on, or null where it has none.
    [[nodiscard]] static std::uint8_t* hints_at(const Output& output, std::size_t i) {
        return output.scene == nullptr ? nullptr : word_at(output.scene->hints, i);
    }

    /// Finds the verdicts of all levels above the blocks, from the top down. Children of a node that is outside or
    /// inside take its verdict untested.
    void test_upper_levels(const PreparedView& seen, const Output& output, std::size_t v) {
        const FloatModes modes;
        NodeVerdicts* to = verdicts_.data() + v * sizes_.node_words;
        std::size_t hints = 0;
        for (const Store* store : contents_.stores) {
            const PreparedView view = rebased(seen, store->key.origin);
            NodeVerdicts* end = to + node_words(*store);
            const NodeVerdicts* above = nullptr;
            NodeVerdicts* here = end;
            hints += hints_of(*store);
            std::size_t first_hint = hints;
            for (std::uint32_t l = store->level_count; l-- > 1;) {
                here -= store->levels[l].words();
                first_hint -= word_hints * store->levels[l].words();
                for (std::uint32_t w = 0; w < store->levels[l].words(); ++w) {
                    const NodeVerdicts parent = above != nullptr ? above[w / 64] : NodeVerdicts{};
                    if ((parent.outside >> w % 64 & 1) != 0) {
                        here[w] = {~std::uint64_t{0}, 0, {}};
                    } else if ((parent.inside >> w % 64 & 1) != 0) {
                        here[w] = {0, ~std::uint64_t{0}, {}};
                    } else {
                        here[w] = test_nodes(node_kernels_, store->levels[l], w, view,
                                             hints_at(output, first_hint + word_hints * w));
                    }
                }
                above = here;
            }
            to = end;
        }
    }

    /// The verdict of a whole group, in bit 0 of each word. Level 1 is the first of a store's levels in `verdicts_`.
    [[nodiscard]] NodeVerdicts group_verdict(std::size_t v, const SceneRange& range, const Store& store,
                                             std::uint32_t g) const {
        if (store.level_count == 1) return {};
        const NodeVerdicts& word = verdicts_[v * sizes_.node_words + range.nodes + g / 64];
        return {word.outside >> g % 64 & 1, word.inside >> g % 64 & 1, {}};
    }

    /// Whether the object is drawn in the view: see is_drawn().
    [[nodiscard]] bool owner_is_drawn(const View& seen, const Output& output, Handle handle) const {
        const Place& place = contents_.places[handle];
        const Store& store = contents_.store(place.store);
        if (!output.candidates.empty()) {
            const std::uint32_t slot = contents_.slot_of(handle);
            if ((output.candidates[slot / 64] >> slot % 64 & 1) == 0) return false;
        }
        const auto slots = static_cast<std::uint32_t>(store.slots());
        const Batch batch = batch_of(store.view(contents_.hulls.data(), contents_.hulls.size()), slots);
        const PreparedView view = rebased(contents_of(seen), store.key.origin);
        return object_is_drawn(kernels_, batch, place.slot, view);
    }

    const lanecull_scene& contents_;
    const KernelTable& kernels_;
    const NodeTable& node_kernels_;
    SceneSizes sizes_;
    std::span<SceneRange> ranges_;
    std::span<NodeVerdicts> verdicts_;  // [view][store, level, word]
};

}  // namespace lanecull
