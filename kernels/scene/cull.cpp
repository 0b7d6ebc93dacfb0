/// Culls a scene: first the nodes from the top down, then the blocks, range by range. Objects are tested only in blocks
/// that are neither outside nor inside.
///
/// As in calls/cull_call.hpp there are two passes over the ranges. The second one writes lists.

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "calls/kernel_table.hpp"
#include "calls/occluders.hpp"
#include "calls/visible_lists.hpp"
#include "scene/check_outputs.hpp"
#include "scene/contents.hpp"
#include "scene/cull_blocks.hpp"
#include "scene/lod.hpp"
#include "scene/ranges.hpp"

namespace lanecull {
namespace {

void write_handles(const std::uint64_t* kept, std::size_t words, const Handle* names, Handle* to,
                   std::size_t capacity) {
    const Handle* end = to + capacity;
    for (std::size_t w = 0; w < words && to != end; ++w, names += 64) {
        std::uint64_t left = kept[w];
        if (left == ~std::uint64_t{0} && end - to >= 64) {
            std::memcpy(to, names, 64 * sizeof(Handle));
            to += 64;
            continue;
        }
        for (; left != 0 && to != end; left &= left - 1) *to++ = names[std::countr_zero(left)];
    }
}

/// The command of objects that were added without one: it draws nothing.
constexpr DrawCommand no_command{0, 0, 0, 0, 0};

/// The commands of a store's slots.
DrawTemplates commands_of(const Store& store) {
    const Array<std::uint32_t>& commands = store.columns[draw_column];
    if (commands.empty()) return {&no_command, DrawTemplates::Per::object, 0};
    return {reinterpret_cast<const DrawCommand*>(commands.data()), DrawTemplates::Per::object, sizeof(DrawCommand)};
}

/// One call to Scene::cull(), as its tasks see it.
struct SceneCall {
    const Scene::Contents& contents;
    std::span<const View> views;
    std::span<SceneOutput> outputs;
    const CullOptions& options;
    const KernelTable& kernels;
    const NodeTable& node_kernels;
    SceneSizes sizes;
    SceneScratch scratch;

    [[nodiscard]] bool asks_nodes() const { return options.method != Method::gjk; }

    /// The view's hints from the i-th on, or null where it has none.
    [[nodiscard]] std::uint8_t* hints_at(std::size_t v, std::size_t i) const {
        return outputs[v].hints.empty() ? nullptr : outputs[v].hints.data() + i;
    }

    /// Finds the verdicts of all levels above the blocks, from the top down. Children of a node that is outside or
    /// inside take its verdict untested.
    void test_upper_levels(std::size_t v) const {
        const FloatModes modes;
        NodeVerdicts* to = scratch.verdicts.data() + v * sizes.node_words;
        std::size_t hints = 0;
        for (const Store* store : contents.stores) {
            const PreparedView view = rebased(views[v].contents(), store->key.origin);
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
                        here[w] = test_nodes(node_kernels, store->levels[l], w, view,
                                             hints_at(v, first_hint + word_hints * w));
                    }
                }
                above = here;
            }
            to = end;
        }
    }

    /// Whether the object is drawn in view v: see is_drawn().
    [[nodiscard]] bool owner_is_drawn(std::size_t v, Handle handle) const {
        const Place& place = contents.places[handle];
        const Store& store = contents.store(place.store);
        if (!outputs[v].candidates.empty()) {
            std::size_t slot = place.slot;
            for (std::uint32_t s = 0; s < place.store; ++s) slot += static_cast<std::size_t>(contents.store(s).slots());
            if ((outputs[v].candidates[slot / 64] >> slot % 64 & 1) == 0) return false;
        }
        const auto slots = static_cast<std::uint32_t>(store.slots());
        const Batch batch = batch_of(store.view(contents.hulls.data(), contents.hulls.size()), slots);
        const PreparedView view = rebased(views[v].contents(), store.key.origin);
        return object_is_drawn(kernels, batch, place.slot, view);
    }

    /// A task is one range in one view.
    struct Part {
        std::size_t view;
        const SceneRange& range;
        SceneRangeResult& result;
    };
    [[nodiscard]] Part part(std::size_t task) const {
        const std::size_t v = task % views.size(), r = task / views.size();
        return {v, scratch.ranges[r], scratch.results[v * sizes.ranges + r]};
    }

    static bool wants_lists(const SceneOutput& output) {
        return !output.handles.empty() || !output.slots.empty() || !output.runs.empty() ||
               !output.draws.memory.empty() || wants_lod(output.lod);
    }
    [[nodiscard]] std::uint64_t* kept_words(std::size_t v, const SceneRange& range) const {
        return scratch.kept.data() + v * sizes.words + range.first_word;
    }

    void cull_task(std::size_t task) const {
        const FloatModes modes;
        const auto& [v, range, result] = part(task);
        const Store& store = contents.store(range.store);
        const SceneOutput& output = outputs[v];
        const PreparedView view = rebased(views[v].contents(), store.key.origin);
        const RangeWords words{output.visible.empty() ? nullptr : output.visible.data() + range.first_word,
                               wants_lists(output) ? kept_words(v, range) : nullptr,
                               output.inside.empty() ? nullptr : output.inside.data() + range.first_word};
        result = {};
        std::uint32_t hidden[max_occluders] = {};
        RangeTask hiding{};
        set_occluders(output.occluders, scratch.counting[v], store.key.origin, hiding);
        hiding.hidden = output.hidden_counts.empty() ? nullptr : hidden;
        BlockCull blocks{
            kernels,
            node_kernels,
            options.method,
            store,
            view,
            words,
            result,
            output.candidates.empty() ? nullptr : output.candidates.data() + range.first_word,
            output.block_outcomes.empty() ? nullptr : output.block_outcomes.data() + range.first_word / block_words,
            hiding,
            batch_of(store.view(contents.hulls.data(), contents.hulls.size()), 0),
            range.slot_in_store()};
        for (std::uint32_t g = range.first_group; g < range.first_group + range.groups; ++g) {
            blocks.cull_group(g, group_verdict(v, range, store, g), hints_at(v, range.hints + word_hints * g));
        }
        blocks.flush();
        add_hidden(hidden, output.hidden_counts);
        result.visible = result.tested.visible() + result.inside_objects;
        if (!output.runs.empty()) result.runs = kernels.count_runs(words.kept, range.words);
    }

    /// The verdict of a whole group, in bit 0 of each word. Level 1 is the first of a store's levels in `verdicts`.
    [[nodiscard]] NodeVerdicts group_verdict(std::size_t v, const SceneRange& range, const Store& store,
                                             std::uint32_t g) const {
        if (store.level_count == 1 || !asks_nodes()) return {};
        const NodeVerdicts& word = scratch.verdicts[v * sizes.node_words + range.nodes + g / 64];
        return {word.outside >> g % 64 & 1, word.inside >> g % 64 & 1, {}};
    }

    [[nodiscard]] ListedRange listed(std::size_t v, const SceneRange& range, const SceneRangeResult& result) const {
        const auto store_words = static_cast<std::size_t>(contents.store(range.store).slots() / 64);
        return {kept_words(v, range),
                range.words,
                store_words - range.slot_in_store() / 64,
                range.first_group == 0,
                range.first_slot + range.slot_in_store(),
                result.visible,
                result.visible_before,
                result.runs,
                result.runs_before};
    }

    /// Sums the ranges' results. Returns whether the second pass has anything to write.
    [[nodiscard]] bool collect() const {
        bool wants_any = false;
        for (std::size_t v = 0; v < views.size(); ++v) {
            SceneOutput& output = outputs[v];
            SceneRangeResult sum{};
            for (std::size_t r = 0; r < sizes.ranges; ++r) {
                SceneRangeResult& result = scratch.results[v * sizes.ranges + r];
                result.visible_before = sum.visible;
                result.runs_before = sum.runs;
                if (!output.runs.empty()) result.runs -= listed(v, scratch.ranges[r], result).continues_run();
                sum.visible += result.visible;
                sum.runs += result.runs;
                sum.tested += result.tested;
                sum.inside_objects += result.inside_objects;
                sum.hidden_objects += result.hidden_objects;
                sum.hidden_blocks += result.hidden_blocks;
                sum.outside_blocks += result.outside_blocks;
                sum.inside_blocks += result.inside_blocks;
                sum.mixed_blocks += result.mixed_blocks;
            }
            output.visible_count = sum.visible;
            output.run_count = sum.runs;
            set_draw_count(output);
            output.tested = sum.tested;
            output.outside_objects = contents.objects - sum.inside_objects - sum.hidden_objects - sum.tested.objects;
            output.inside_objects = sum.inside_objects;
            output.hidden_objects = sum.hidden_objects;
            output.hidden_blocks = sum.hidden_blocks;
            output.outside_blocks = sum.outside_blocks;
            output.inside_blocks = sum.inside_blocks;
            output.mixed_blocks = sum.mixed_blocks;
            wants_any = wants_any || wants_lists(output);
        }
        return wants_any;
    }

    void write_task(std::size_t task) const {
        const auto& [v, range, result] = part(task);
        const SceneOutput& output = outputs[v];
        if (!wants_lists(output)) return;
        const ListedRange list = listed(v, range, result);
        const std::size_t handles = room_for(list.visible, list.visible_before, output.handles.size());
        if (handles > 0) {
            write_handles(list.kept, list.words, contents.store(range.store).names.data() + range.slot_in_store(),
                          output.handles.data() + list.visible_before, handles);
        }
        write_visible_indices(kernels, list, output.slots);
        write_visible_draws(kernels, list, commands_of(contents.store(range.store)), range.slot_in_store(), output);
        if (wants_lod(output.lod)) write_lod_of(v, range, list);
        write_visible_runs(kernels, list, output.runs);
    }

    void write_lod_of(std::size_t v, const SceneRange& range, const ListedRange& list) const {
        const FloatModes modes;
        const Store& store = contents.store(range.store);
        const Columns objects = store.view(nullptr, 0);
        const PreparedView view = rebased(views[v].contents(), store.key.origin);
        write_lod({&outputs[v].lod, &view, &objects, store.names.data(), range.slot_in_store(), list.kept, list.words,
                   list.visible_before});
    }

    void run(const Runner& runner) {
        split(contents, scratch.ranges);
        for (std::size_t v = 0; v < views.size(); ++v) {
            scratch.counting[v] =
                counting_of(outputs[v].occluders, [&](const Owner& owner) { return owner_is_drawn(v, owner.object); });
            std::fill(outputs[v].hidden_counts.begin(), outputs[v].hidden_counts.end(), 0);
        }
        if (asks_nodes() && sizes.ranges > 0) {
            for (std::size_t v = 0; v < views.size(); ++v) test_upper_levels(v);
        }
        run_two_passes(*this, static_cast<std::uint32_t>(scratch.results.size()), runner);
    }
};

Status check_outputs(std::span<const SceneOutput> outputs, std::span<const View> views, const Scene& scene,
                     std::span<const std::byte> scratch) {
    if (outputs.size() != views.size()) {
        return Status::failure("outputs: there must be one for each of the %zu views, not %zu", views.size(),
                               outputs.size());
    }
    CallMemory memory;
    memory.add(scratch.data(), scratch.size(), CallMemory::own, "scratch");
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        if (Status status = check_output(outputs[v], &views[v].contents(), v, scene); !status) return status;
        add_output(memory, outputs[v], v);
    }
    return memory.check_overlaps();
}

}  // namespace

std::size_t Scene::scratch_bytes(std::size_t view_count) const noexcept {
    return contents_ != nullptr ? SceneSizes(*contents_).bytes(view_count) : 0;
}

std::size_t Scene::hint_bytes() const noexcept { return contents_ != nullptr ? SceneSizes(*contents_).hints : 0; }

Status Scene::cull(std::span<const View> views, std::span<SceneOutput> outputs, std::span<std::byte> scratch,
                   const CullOptions& options, const Runner& runner) const noexcept {
    if (contents_ == nullptr) return Status::failure(StatusCode::out_of_memory, "scene: there is not enough memory");
    if (Status status = check_views(views); !status) return status;
    if (Status status = check_how(options, runner); !status) return status;
    if (!options.view_masks.empty()) return Status::failure("options.view_masks: a scene has none");
    if (stale()) return Status::failure(StatusCode::not_ready, "scene: has been edited since the last refit()");
    const KernelTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    const NodeTable& node_kernels = table_of<NodeTable>(kernels->facts->isa);
    const SceneSizes sizes(*contents_);
    const std::size_t needed = sizes.bytes(views.size());
    if (scratch.size() < needed) {
        return Status::failure("scratch: %zu bytes are too few, scratch_bytes() asks for %zu", scratch.size(), needed);
    }
    if (Status status = check_outputs(outputs, views, *this, scratch.first(needed)); !status) {
        return status;
    }
    if (sizes.ranges * views.size() > 0xffffffffu || sizes.words > 0xffffffffu / 64) {
        return Status::failure("scene: has too many slots, or too many for so many views");
    }
    SceneCall call{*contents_, views,        outputs, options,
                   *kernels,   node_kernels, sizes,   SceneScratch(scratch, sizes, views.size())};
    call.run(runner);
    return {};
}

}  // namespace lanecull
