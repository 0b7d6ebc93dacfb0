/// Culling a scene: nodes from the top down, then, part by part, blocks; and the objects of those that are neither
/// outside nor inside.
///
/// As in ../cull.cpp there are two passes over the parts, the second for lists, once it is known how much each part has
/// before it.

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <new>

#include "base/float_modes.hpp"
#include "calls/check_call.hpp"
#include "calls/kernel_table.hpp"
#include "scene/contents.hpp"
#include "scene/lod.hpp"
#include "scene/rebase.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t group_blocks = fanout;
constexpr std::uint32_t group_words = group_blocks * block_slots / 64;
constexpr std::uint32_t block_words = block_slots / 64;
constexpr std::uint32_t part_groups = 4;

/// Some groups of one store, the same for every view.
struct Part {
    std::uint32_t store;
    std::uint32_t first_group, groups;
    std::uint32_t first_slot;  // of the store, in the scene
    std::size_t first_word;    // of the part, in the scene
    std::size_t words;
    std::size_t nodes;  // where the store's words of verdicts begin
    std::size_t hints;  // where its hints begin
};

struct PartResult {
    Statistics tested;
    std::uint64_t inside_objects;
    std::uint64_t outside_blocks, inside_blocks, mixed_blocks;
    std::uint64_t visible, visible_before;
    std::uint64_t runs, runs_before;
};

std::uint32_t groups_of(const Store& store) { return (store.blocks() + group_blocks - 1) / group_blocks; }
std::uint32_t parts_of(const Store& store) { return (groups_of(store) + part_groups - 1) / part_groups; }

/// Words of verdicts above the blocks.
std::size_t node_words(const Store& store) {
    std::size_t words = 0;
    for (std::uint32_t l = 1; l < store.level_count; ++l) words += store.levels[l].words();
    return words;
}

/// Hints for 64 nodes, and for all of a store: level 0 first.
constexpr std::size_t word_hints = 64 / hinted_nodes;
std::size_t hints_of(const Store& store) {
    return word_hints * (node_words(store) + (store.level_count > 0 ? store.levels[0].words() : 0));
}

/// How much of everything a call needs.
struct Sizes {
    std::size_t parts = 0, words = 0, node_words = 0, hints = 0;

    explicit Sizes(const Scene::Contents& contents) {
        for (const Store* store : contents.stores) {
            parts += parts_of(*store);
            words += static_cast<std::size_t>(store->slots() / 64);
            node_words += lanecull::node_words(*store);
            hints += hints_of(*store);
        }
    }
    [[nodiscard]] std::size_t bytes(std::size_t views) const {
        return alignof(std::uint64_t) - 1 + parts * sizeof(Part) +
               views * (parts * sizeof(PartResult) + node_words * sizeof(NodeVerdicts) + words * sizeof(std::uint64_t));
    }
};

struct Scratch {
    std::span<Part> parts;
    std::span<PartResult> results;     // [view][part]
    std::span<NodeVerdicts> verdicts;  // [view][store, level, word]
    std::span<std::uint64_t> kept;     // [view][word]: the visibility words, readable

    Scratch(std::span<std::byte> memory, const Sizes& sizes, std::size_t views) {
        void* at = memory.data();
        std::size_t space = memory.size();
        at = std::align(alignof(std::uint64_t), 1, at, space);
        const auto take = [&]<class T>(std::size_t count, std::span<T>& part) {
            part = {static_cast<T*>(at), count};
            at = static_cast<T*>(at) + count;
        };
        take(sizes.parts, parts);
        take(views * sizes.parts, results);
        take(views * sizes.node_words, verdicts);
        take(views * sizes.words, kept);
        std::uninitialized_value_construct(parts.begin(), parts.end());
        std::uninitialized_value_construct(results.begin(), results.end());
    }
};

/// Bits 0 .. n - 1.
std::uint64_t first_bits(std::uint32_t n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

/// What is written of one part in one view: words of the caller's, and of scratch. Each is null where nobody wants it.
struct Words {
    std::uint64_t* visible;
    std::uint64_t* kept;
    std::uint64_t* inside;

    /// Words `first` .. of a block with that many objects, all with the same bit.
    void fill_block(std::size_t first, std::uint32_t objects, bool value) const {
        for (std::uint32_t w = 0; w < block_words; ++w) {
            const std::uint64_t word = value && objects > 64 * w ? first_bits(objects - 64 * w) : 0;
            if (visible != nullptr) visible[first + w] = word;
            if (kept != nullptr) kept[first + w] = word;
            if (inside != nullptr) inside[first + w] = word;
        }
    }
    void clear(std::size_t first, std::size_t count) const {
        for (std::uint64_t* words : {visible, kept, inside}) {
            if (words != nullptr) std::memset(words + first, 0, count * sizeof(*words));
        }
    }
};

/// One call to cull(), as its tasks see it.
struct Call {
    const Scene::Contents& contents;
    std::span<const View> views;
    std::span<SceneOutput> outputs;
    const Options& options;
    const KernelTable& kernels;
    Sizes sizes;
    Scratch scratch;

    void split() {
        std::size_t p = 0, nodes = 0, hints = 0, word = 0;
        for (std::uint32_t s = 0; s < contents.stores.size(); ++s) {
            const Store& store = contents.store(s);
            const auto first_slot = static_cast<std::uint32_t>(word * 64);
            for (std::uint32_t group = 0; group < groups_of(store); group += part_groups) {
                const std::uint32_t groups = std::min(part_groups, groups_of(store) - group);
                const std::size_t before = std::size_t{group} * group_words;
                const auto words =
                    std::min<std::size_t>(std::size_t{groups} * group_words, store.slots() / 64 - before);
                scratch.parts[p++] = {s, group, groups, first_slot, word + before, words, nodes, hints};
            }
            word += static_cast<std::size_t>(store.slots() / 64);
            nodes += node_words(store);
            hints += hints_of(store);
        }
    }

    [[nodiscard]] bool asks_nodes() const { return options.method != Method::gjk; }

    /// 64 nodes of a level.
    NodeVerdicts test(const Level& level, std::uint32_t word, const PreparedView& view, std::uint8_t* hints) const {
        const std::size_t at = std::size_t{64} * word;
        NodeVerdicts verdicts;
        kernels.test_nodes({{level.low[0].data() + at, level.low[1].data() + at, level.low[2].data() + at},
                            {level.high[0].data() + at, level.high[1].data() + at, level.high[2].data() + at},
                            &view,
                            hints},
                           verdicts);
        verdicts.outside &= ~level.never_outside[word];
        verdicts.inside &= ~level.never_inside[word];
        // Objects may lie beyond such a box.
        for (std::uint64_t& within : verdicts.within) within &= ~level.never_outside[word];
        if (view.layer_mask == 0) verdicts.inside = 0;  // which culls even objects on every layer
        return verdicts;
    }

    /// The view's hints from the i-th on, or null where it has none.
    [[nodiscard]] std::uint8_t* hints_at(std::size_t v, std::size_t i) const {
        return outputs[v].hints.empty() ? nullptr : outputs[v].hints.data() + i;
    }

    /// The verdicts of all levels above the blocks, from the top down: what lies below a settled node is as it is.
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
                        here[w] = test(store->levels[l], w, view, hints_at(v, first_hint + word_hints * w));
                    }
                }
                above = here;
            }
            to = end;
        }
    }

    struct Task {
        std::size_t view;
        const Part& part;
        PartResult& result;
    };
    [[nodiscard]] Task task(std::size_t i) const {
        const std::size_t v = i % views.size(), p = i / views.size();
        return {v, scratch.parts[p], scratch.results[v * sizes.parts + p]};
    }

    static bool wants_lists(const SceneOutput& output) {
        return !output.handles.empty() || !output.slots.empty() || !output.runs.empty() || wants_lod(output.lod);
    }
    [[nodiscard]] std::uint64_t* kept_words(std::size_t v, const Part& part) const {
        return scratch.kept.data() + v * sizes.words + part.first_word;
    }

    /// The objects of a part that are tested one by one.
    struct Testing {
        const Call& call;
        const Store& store;
        const PreparedView& view;
        const Words& words;
        PartResult& result;
        BlockOutcome* outcomes;  // of the part's blocks, or null
        const Batch batch;
        std::size_t part_slot;
        std::uint32_t first = 0, count = 0;  // slots that wait, in a row
        std::uint32_t planes = 0;            // that one of them may straddle

        void add(std::uint32_t block, std::uint32_t straddled) {
            const std::uint32_t slot = block * block_slots;
            if (count > 0 && first + count != slot) flush();
            if (count == 0) first = slot;
            count += store.count[block];
            planes |= straddled;
        }
        void flush() {
            if (count == 0) return;
            const std::size_t word = (first - part_slot) / 64;
            Statistics statistics;
            RangeWork work{};
            work.shapes = std::visit([](const auto& shapes) -> const void* { return &shapes; }, batch.shapes);
            work.attributes = &batch.attributes;
            work.view = &view;
            work.planes = planes;
            work.method = call.options.method;
            work.first = first;
            work.count = count;
            work.visible = words.visible != nullptr ? words.visible + word : nullptr;
            work.kept = words.kept != nullptr ? words.kept + word : nullptr;
            work.inside = words.inside != nullptr ? words.inside + word : nullptr;
            work.statistics = &statistics;
            call.kernels.cull[facts_of(store.key.layout).kind](work);
            result.tested += statistics;
            // The last block's vacant words.
            const std::size_t written = (count + 63) / 64, blocks = (count + block_slots - 1) / block_slots;
            words.clear(word + written, blocks * block_words - written);
            count = planes = 0;
        }
    };

    void cull_part(std::size_t i) const {
        const FloatModes modes;
        const auto& [v, part, result] = task(i);
        const Store& store = contents.store(part.store);
        const SceneOutput& output = outputs[v];
        const PreparedView view = rebased(views[v].contents(), store.key.origin);
        const Words words{output.visible.empty() ? nullptr : output.visible.data() + part.first_word,
                          wants_lists(output) ? kept_words(v, part) : nullptr,
                          output.inside.empty() ? nullptr : output.inside.data() + part.first_word};
        result = {};
        Testing testing{
            *this,
            store,
            view,
            words,
            result,
            output.block_outcomes.empty() ? nullptr : output.block_outcomes.data() + part.first_word / block_words,
            batch_of(store.view(contents.hulls.data(), contents.hulls.size()), 0),
            std::size_t{part.first_group} * group_blocks * block_slots};
        for (std::uint32_t g = part.first_group; g < part.first_group + part.groups; ++g) {
            cull_group(g, group_verdict(v, part, store, g), hints_at(v, part.hints + word_hints * g), testing);
        }
        testing.flush();
        result.visible = result.tested.visible() + result.inside_objects;
        if (!output.runs.empty()) result.runs = kernels.count_runs(words.kept, part.words);
    }

    /// One bit each, of a group as a whole. Level 1 comes first of a store's levels.
    [[nodiscard]] NodeVerdicts group_verdict(std::size_t v, const Part& part, const Store& store,
                                             std::uint32_t g) const {
        if (store.level_count == 1 || !asks_nodes()) return {};
        const NodeVerdicts& word = scratch.verdicts[v * sizes.node_words + part.nodes + g / 64];
        return {word.outside >> g % 64 & 1, word.inside >> g % 64 & 1, {}};
    }
    static void write_outcomes(BlockOutcome* to, std::uint32_t n, const NodeVerdicts& blocks,
                               const std::uint32_t* counts) {
        for (std::uint32_t b = 0; b < n; ++b) {
            const bool outside = (blocks.outside >> b & 1) != 0 || counts[b] == 0;
            const bool inside = (blocks.inside >> b & 1) != 0;
            to[b] = outside ? BlockOutcome::outside : inside ? BlockOutcome::inside : BlockOutcome::mixed;
        }
    }
    /// Bit k: of plane k.
    static std::uint32_t straddled_planes(const NodeVerdicts& blocks, std::uint32_t b) {
        std::uint32_t planes = 0;
        for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
            planes |= static_cast<std::uint32_t>(~blocks.within[k] >> b & 1) << k;
        }
        return planes;
    }
    void cull_group(std::uint32_t g, const NodeVerdicts& whole, std::uint8_t* hints, Testing& testing) const {
        const Store& store = testing.store;
        const std::uint32_t first = g * group_blocks, n = std::min(group_blocks, store.blocks() - first);
        const std::size_t word = (std::size_t{first} * block_slots - testing.part_slot) / 64;
        NodeVerdicts blocks{};
        if (whole.outside != 0) {
            blocks.outside = ~std::uint64_t{0};
        } else if (whole.inside != 0) {
            blocks.inside = ~std::uint64_t{0};
        } else if (asks_nodes()) {
            blocks = test(store.levels[0], g, testing.view, hints);
        }
        PartResult& result = testing.result;
        blocks.outside &= first_bits(n);
        blocks.inside &= first_bits(n);
        result.outside_blocks += static_cast<std::uint64_t>(std::popcount(blocks.outside));
        result.inside_blocks += static_cast<std::uint64_t>(std::popcount(blocks.inside));
        if (testing.outcomes != nullptr) {
            write_outcomes(testing.outcomes + word / block_words, n, blocks, store.count.data() + first);
        }
        if (blocks.outside == first_bits(n)) {
            testing.words.clear(word, std::size_t{n} * block_words);
            return;
        }
        for (std::uint32_t b = 0; b < n; ++b) {
            const std::uint32_t objects = store.count[first + b];
            const bool outside = (blocks.outside >> b & 1) != 0, inside = (blocks.inside >> b & 1) != 0;
            if (outside || inside || objects == 0) {
                testing.words.fill_block(word + std::size_t{b} * block_words, objects, inside);
                if (inside) result.inside_objects += objects;
                continue;
            }
            ++result.mixed_blocks;
            testing.add(first + b, straddled_planes(blocks, b) & all_planes(testing.view));
        }
    }

    /// Whether the part goes on where the one before it, of the same store, ends with a visible object.
    [[nodiscard]] bool continues_run(std::size_t v, const Part& part) const {
        if (part.first_group == 0) return false;
        const std::uint64_t* here = kept_words(v, part);
        return (here[0] & here[-1] >> 63 & 1) != 0;
    }

    /// Sums the parts' results; returns whether anything is still to be written.
    [[nodiscard]] bool collect() const {
        bool wants_any = false;
        for (std::size_t v = 0; v < views.size(); ++v) {
            SceneOutput& output = outputs[v];
            PartResult sum{};
            for (std::size_t p = 0; p < sizes.parts; ++p) {
                PartResult& result = scratch.results[v * sizes.parts + p];
                result.visible_before = sum.visible;
                result.runs_before = sum.runs;
                if (!output.runs.empty()) result.runs -= continues_run(v, scratch.parts[p]);
                sum.visible += result.visible;
                sum.runs += result.runs;
                sum.tested += result.tested;
                sum.inside_objects += result.inside_objects;
                sum.outside_blocks += result.outside_blocks;
                sum.inside_blocks += result.inside_blocks;
                sum.mixed_blocks += result.mixed_blocks;
            }
            output.visible_count = sum.visible;
            output.run_count = sum.runs;
            output.tested = sum.tested;
            output.outside_objects = contents.objects - sum.inside_objects - sum.tested.objects;
            output.inside_objects = sum.inside_objects;
            output.outside_blocks = sum.outside_blocks;
            output.inside_blocks = sum.inside_blocks;
            output.mixed_blocks = sum.mixed_blocks;
            wants_any = wants_any || wants_lists(output);
        }
        return wants_any;
    }

    /// A part's own share of a list.
    static std::size_t share(std::uint64_t wanted, std::uint64_t before, std::uint64_t capacity) {
        return before >= capacity ? 0 : static_cast<std::size_t>(std::min(wanted, capacity - before));
    }

    void write_part(std::size_t i) const {
        const auto& [v, part, result] = task(i);
        const SceneOutput& output = outputs[v];
        if (!wants_lists(output)) return;
        const std::uint64_t* kept = kept_words(v, part);
        const std::uint32_t first_slot = part.first_group * group_blocks * block_slots;
        const std::size_t handles = share(result.visible, result.visible_before, output.handles.size());
        if (handles > 0) {
            write_handles(kept, part.words, contents.store(part.store).names.data() + first_slot,
                          output.handles.data() + result.visible_before, handles);
        }
        const std::size_t slots = share(result.visible, result.visible_before, output.slots.size());
        if (slots > 0) {
            kernels.write_indices(kept, part.words, part.first_slot + first_slot,
                                  output.slots.data() + result.visible_before, slots);
        }
        if (wants_lod(output.lod)) write_lod_of(v, part, result);
        const std::size_t runs = share(result.runs, result.runs_before, output.runs.size());
        if (runs > 0) {
            // The last run may go on to the store's end.
            const auto words = static_cast<std::size_t>(contents.store(part.store).slots() / 64) - first_slot / 64;
            kernels.write_runs(kept, words, continues_run(v, part), part.first_slot + first_slot,
                               output.runs.data() + result.runs_before, runs);
        }
    }

    void write_lod_of(std::size_t v, const Part& part, const PartResult& result) const {
        const FloatModes modes;
        const Store& store = contents.store(part.store);
        const Columns objects = store.view(nullptr, 0);
        const PreparedView view = rebased(views[v].contents(), store.key.origin);
        write_lod({&outputs[v].lod, &view, &objects, store.names.data(), part.first_group * group_blocks * block_slots,
                   kept_words(v, part), part.words, result.visible_before});
    }

    static void write_handles(const std::uint64_t* kept, std::size_t words, const Handle* names, Handle* to,
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

    void run(const Runner& runner) {
        split();
        if (sizes.parts == 0) {
            static_cast<void>(collect());
            return;
        }
        if (asks_nodes()) {
            for (std::size_t v = 0; v < views.size(); ++v) test_upper_levels(v);
        }
        const auto tasks = static_cast<std::uint32_t>(scratch.results.size());
        const auto cull_task = [](void* call, std::uint32_t i) { static_cast<const Call*>(call)->cull_part(i); };
        const auto write_task = [](void* call, std::uint32_t i) { static_cast<const Call*>(call)->write_part(i); };
        runner.run(runner.self, tasks, {cull_task, this});
        if (collect()) runner.run(runner.self, tasks, {write_task, this});
    }
};

Status check_outputs(std::span<const SceneOutput> outputs, std::span<const View> views, const Scene& scene,
                     std::span<const std::byte> scratch) {
    if (outputs.size() != views.size()) {
        return Status::failure("outputs: there must be one for each of the %zu views, not %zu", views.size(),
                               outputs.size());
    }
    const std::size_t words = scene.visibility_words(), blocks = scene.blocks();
    WrittenMemory written;
    written.add(scratch.data(), scratch.size(), max_views, "scratch");
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        const SceneOutput& output = outputs[v];
        if (Status status = check_words(output.visible, words, v, "visible"); !status) return status;
        if (Status status = check_words(output.inside, words, v, "inside"); !status) return status;
        if (Status status = check_lod(output.lod, views[v].contents(), v, scene.handle_limit()); !status) {
            return status;
        }
        if (!output.hints.empty() && output.hints.size() != scene.hint_bytes()) {
            return Status::failure("outputs[%zu].hints: must be none or %zu (hint_bytes()), not %zu", v,
                                   scene.hint_bytes(), output.hints.size());
        }
        if (!output.block_outcomes.empty() && output.block_outcomes.size() != blocks) {
            return Status::failure("outputs[%zu].block_outcomes: must be none or %zu (blocks()), not %zu", v, blocks,
                                   output.block_outcomes.size());
        }
        written.add(output.visible.data(), output.visible.size_bytes(), v, "visible");
        written.add(output.inside.data(), output.inside.size_bytes(), v, "inside");
        written.add(output.handles.data(), output.handles.size_bytes(), v, "handles");
        written.add(output.slots.data(), output.slots.size_bytes(), v, "slots");
        written.add(output.runs.data(), output.runs.size_bytes(), v, "runs");
        written.add(output.lod.distances.data(), output.lod.distances.size_bytes(), v, "lod.distances");
        written.add(output.lod.levels.data(), output.lod.levels.size_bytes(), v, "lod.levels");
        written.add(output.lod.latest.data(), output.lod.latest.size_bytes(), v, "lod.latest");
        written.add(output.hints.data(), output.hints.size_bytes(), v, "hints");
        written.add(output.block_outcomes.data(), output.block_outcomes.size_bytes(), v, "block_outcomes");
    }
    return written.check_overlaps();
}

}  // namespace

std::size_t Scene::scratch_bytes(std::size_t view_count) const noexcept {
    return contents_ != nullptr ? Sizes(*contents_).bytes(view_count) : 0;
}

std::size_t Scene::hint_bytes() const noexcept { return contents_ != nullptr ? Sizes(*contents_).hints : 0; }

Status Scene::cull(std::span<const View> views, std::span<SceneOutput> outputs, std::span<std::byte> scratch,
                   const Options& options, const Runner& runner) const noexcept {
    if (contents_ == nullptr) return Status::failure("scene: there is not enough memory");
    if (Status status = check_views(views); !status) return status;
    if (Status status = check_how(options, runner); !status) return status;
    if (!options.view_masks.empty()) return Status::failure("options.view_masks: a scene has none");
    if (stale()) return Status::failure("scene: has been edited since the last refit()");
    const KernelTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    const Sizes sizes(*contents_);
    const std::size_t needed = sizes.bytes(views.size());
    if (scratch.size() < needed) {
        return Status::failure("scratch: %zu bytes are too few, scratch_bytes() asks for %zu", scratch.size(), needed);
    }
    if (Status status = check_outputs(outputs, views, *this, scratch.first(needed)); !status) {
        return status;
    }
    if (sizes.parts * views.size() > 0xffffffffu || sizes.words > 0xffffffffu / 64) {
        return Status::failure("scene: has too many slots, or too many for so many views");
    }
    Call call{*contents_, views, outputs, options, *kernels, sizes, Scratch(scratch, sizes, views.size())};
    call.run(runner);
    return {};
}

}  // namespace lanecull
