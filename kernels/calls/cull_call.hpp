#pragma once

/// A call that culls: its checks, its scratch memory, its tasks, and the second pass over their visibility words.
///
/// What is culled is a *space*: batches of solids or of 2D shapes (calls/batches.hpp), or a scene
/// (scene/scene_space.hpp). A space has
///   View, Range, Result             Range has first_word and words; Result is a RangeResult, or one with more
///   ranges(), words()               how many there are
///   bytes(views)                    of scratch memory of its own; take(memory, views) takes it
///   check(output, view, v)          what else holds for view v's output; view: its PreparedView, or null
///   split()                         into ranges
///   range(r)
///   begin(view, output, v)          is called before the tasks; gives the bits of the occluders that count
///   origin(range)                   what its objects' coordinates are relative to
///   cull_range(view, output, range, task, result, v)
///   has_depth                       whether its lists can be ordered by depth; then it has
///     note(kernels, view, order, range, kept, to)  writes the entries of a range (calls/order.hpp)
///     handles(range)                from the range's first object on; null if it has none
///   list(range)                     its place in lists
///   write(call, v, range, list)     writes lists of its own, in the second pass
///   finish(output, results)         sums up what it has in the results of one view
///
/// The call makes two passes over the ranges; each takes one range after the other, and all views of a range in a row.
/// The first pass writes visibility words and counts. The second writes lists, when it is known how many entries the
/// ranges before each range write. Between them, what ordered lists have is sorted.

#include <lanecull/cull.h>
#include <lanecull/scene.h>

#include <algorithm>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "calls/kernel_table.hpp"
#include "calls/occluders.hpp"
#include "calls/order.hpp"
#include "calls/ranges.hpp"
#include "calls/visible_lists.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// The results of one range in one view. Its task writes all but `visible_before` and `runs_before`.
struct RangeResult {
    Counts counts;  // of objects that were tested one by one
    std::uint64_t visible, visible_before;
    std::uint64_t runs, runs_before;  // that start in the range
};

/// A range's place in lists.
struct ListPlace {
    std::size_t words_to_end;  ///< from the range's first word to the end of its batch or store
    bool begins;               ///< whether the range is the first of its batch or store
    std::uint32_t first_index;
    DrawCommands draws;
    std::uint32_t first_draw;  ///< which object of `draws` is the range's first
};

inline bool wants_lod(const LodOutput& output) {
    return !output.distances.empty() || !output.levels.empty() || !output.latest.empty();
}
inline bool wants_lists(const Output& output) {
    return !output.indices.empty() || !output.runs.empty() || !output.draws.memory.empty() ||
           (output.scene != nullptr && (!output.scene->handles.empty() || wants_lod(output.scene->lod)));
}

/// Whether the view has lists that are to be sorted.
inline bool sorts(const Output& output) {
    return is_ordered(output) && (!output.indices.empty() || !output.draws.memory.empty() ||
                                  (output.scene != nullptr && !output.scene->handles.empty()));
}
inline std::size_t count_ordered(std::span<const Output> outputs) {
    return static_cast<std::size_t>(std::count_if(outputs.begin(), outputs.end(), is_ordered));
}

/// Entry `i` of the words, or null if there are none.
template <class Word>
Word* word_at(Span<Word> words, std::size_t i) {
    return words.empty() ? nullptr : words.data() + i;
}

/// One call to cull(), as its tasks see it.
template <class Space>
struct Call {
    using View = typename Space::View;
    using Range = typename Space::Range;
    using Result = typename Space::Result;

    Space& space;
    std::span<const View> views;
    std::span<Output> outputs;
    const CullOptions& options;
    const KernelTable& kernels;              // for the lists
    std::span<Result> results = {};          // [view][range]
    std::span<std::uint64_t> counting = {};  // [view]: bit k: occluder k counts
    std::span<std::uint64_t> kept = {};      // [view][word]: the visibility words, readable

    // Entries as they are noted, each range's at its places, and as they are sorted: [view among those with an
    // order][place].
    std::span<OrderEntry> noted = {}, sorted = {};
    std::span<NumberRange> numbers = {};  // [view among those with an order][range]: of its entries
    std::span<RangePlaces> places_of_ranges = {};
    std::span<std::uint32_t> range_of_word = {};

    static std::size_t bytes(const Space& space, std::size_t views) {
        return ScratchMemory::slack + space.bytes(views) + views * space.ranges() * sizeof(Result) +
               views * (1 + space.words()) * sizeof(std::uint64_t);
    }
    static std::size_t order_bytes(const Space& space, std::size_t ordered_views) {
        if (ordered_views == 0) return 0;
        return ordered_views * (space.words() * 64 * 2 * sizeof(OrderEntry) + space.ranges() * sizeof(NumberRange)) +
               space.ranges() * sizeof(RangePlaces) + (space.words() + 1) / 2 * sizeof(std::uint64_t);
    }

    /// A call writes each element of its scratch memory before it reads it and clears nothing. Clearing the words first
    /// would cost as much as writing them. Clearing the results would, in each call, take their cache lines from the
    /// cores that write them.
    void begin(std::span<std::byte> scratch) {
        ScratchMemory memory(scratch);
        space.take(memory, views.size());
        results = memory.take<Result>(views.size() * space.ranges());
        counting = memory.take<std::uint64_t>(views.size());
        kept = memory.take<std::uint64_t>(views.size() * space.words());
        space.split();
        if constexpr (Space::has_depth) {
            if (const std::size_t ordered = count_ordered(outputs); ordered > 0) begin_order(memory, ordered);
        }
        for (std::size_t v = 0; v < views.size(); ++v) {
            counting[v] = space.begin(views[v], outputs[v], v);
            std::fill(outputs[v].hidden_counts.begin(), outputs[v].hidden_counts.end(), 0);
        }
    }

    void begin_order(ScratchMemory& memory, std::size_t ordered) {
        noted = memory.take<OrderEntry>(ordered * space.words() * 64);
        sorted = memory.take<OrderEntry>(ordered * space.words() * 64);
        numbers = memory.take<NumberRange>(ordered * space.ranges());
        places_of_ranges = memory.take<RangePlaces>(space.ranges());
        const std::span<std::uint64_t> pairs = memory.take<std::uint64_t>((space.words() + 1) / 2);
        range_of_word = {reinterpret_cast<std::uint32_t*>(pairs.data()), space.words()};
        for (std::size_t r = 0; r < space.ranges(); ++r) {
            const Range range = space.range(r);
            const ListPlace list = space.list(range);
            places_of_ranges[r] = {64 * range.first_word, list.first_index, list.first_draw, list.draws,
                                   space.handles(range)};
            std::fill_n(range_of_word.data() + range.first_word, range.words, static_cast<std::uint32_t>(r));
        }
    }
    [[nodiscard]] Places places() const { return {places_of_ranges, range_of_word}; }
    /// An ordered view's part of `noted` or `sorted`.
    [[nodiscard]] OrderEntry* entries_of(std::size_t v, std::span<OrderEntry> all) const {
        return all.data() + count_ordered(outputs.first(v)) * space.words() * 64;
    }
    [[nodiscard]] NumberRange* numbers_of(std::size_t v) const {
        return numbers.data() + count_ordered(outputs.first(v)) * space.ranges();
    }

    /// A task is one range in one view. All views of a range come one after the other, so that its objects stay in
    /// cache.
    struct Part {
        std::size_t view;
        Range range;
        Result& result;
    };
    [[nodiscard]] Part part(std::size_t task) const {
        const std::size_t v = task % views.size(), r = task / views.size();
        return {v, space.range(r), results[v * space.ranges() + r]};
    }
    [[nodiscard]] std::uint64_t* kept_words(std::size_t view, const Range& range) const {
        return kept.data() + view * space.words() + range.first_word;
    }
    [[nodiscard]] bool wants_masks() const { return !options.view_masks.empty(); }

    void cull_task(std::size_t i) const {
        const FloatModes modes;
        const auto& [v, range, result] = part(i);
        const Output& output = outputs[v];
        std::uint32_t hidden[max_occluders] = {};
        RangeTask task{};
        task.method = options.method;
        task.visible = word_at(output.visible, range.first_word);
        task.kept = wants_lists(output) || wants_masks() ? kept_words(v, range) : nullptr;
        task.inside = word_at(output.inside, range.first_word);
        task.candidates = word_at(output.candidates, range.first_word);
        set_occluders(output.occluders, counting[v], space.origin(range), task);
        task.hidden = output.hidden_counts.empty() ? nullptr : hidden;
        task.counts = &result.counts;
        space.cull_range(views[v], output, range, task, result, v);
        if constexpr (Space::has_depth) {
            if (sorts(output)) {
                const std::uint64_t first = 64 * range.first_word;
                numbers_of(v)[i / views.size()] =
                    space.note(kernels, views[v], output.order, range, {task.kept, range.words, 0, first},
                               {entries_of(v, noted) + first, static_cast<std::size_t>(result.visible)});
            }
        }
        add_hidden(hidden, output.hidden_counts);
        result.runs = output.runs.empty() ? 0 : kernels.count_runs(task.kept, range.words);
    }

    [[nodiscard]] ListedRange listed(std::size_t v, const Range& range, const RangeResult& result,
                                     const ListPlace& place) const {
        return {kept_words(v, range), range.words,           place.words_to_end, place.begins,      place.first_index,
                result.visible,       result.visible_before, result.runs,        result.runs_before};
    }

    /// Sums the ranges' results. Returns whether the second pass has anything to write.
    bool collect() {
        bool wants_any = wants_masks();
        for (std::size_t v = 0; v < views.size(); ++v) {
            Output& output = outputs[v];
            Counts counts;
            std::uint64_t visible = 0, runs = 0;
            const std::span<Result> of_view = results.subspan(v * space.ranges(), space.ranges());
            for (std::size_t r = 0; r < of_view.size(); ++r) {
                Result& result = of_view[r];
                result.visible_before = visible;
                result.runs_before = runs;
                if (!output.runs.empty()) {
                    const Range range = space.range(r);
                    result.runs -= listed(v, range, result, space.list(range)).continues_run();
                }
                visible += result.visible;
                runs += result.runs;
                counts += result.counts;
            }
            output.visible_count = visible;
            output.run_count = runs;
            set_draw_count(output);
            if (output.explanation != nullptr) output.explanation->counts = counts;
            space.finish(output, of_view);
            wants_any = wants_any || wants_lists(output);
        }
        return wants_any;
    }

    /// Sorts the entries of a view: all of them, or each batch's by themselves.
    void sort_task(std::size_t v) const {
        if (!sorts(outputs[v])) return;
        const bool by_batch = !outputs[v].batch_ranges.empty();
        for (std::size_t first = 0, end = 1; first < space.ranges(); first = end++) {
            while (end < space.ranges() && !(by_batch && space.list(space.range(end)).begins)) ++end;
            sort_ranges(v, first, end);
        }
    }
    /// Sorts what these ranges have. It goes to where the ascending entries of the same ranges would go.
    void sort_ranges(std::size_t v, std::size_t first, std::size_t end) const {
        const Result* const of_view = results.data() + v * space.ranges();
        const std::uint64_t before = of_view[first].visible_before;
        const std::uint64_t count = of_view[end - 1].visible_before + of_view[end - 1].visible - before;
        OrderEntry* const from = entries_of(v, noted);
        const std::span<OrderEntry> to(entries_of(v, sorted) + before, static_cast<std::size_t>(count));
        const auto each_range = [&](const auto& visit) {
            for (std::size_t r = first; r < end; ++r) {
                const auto visible = static_cast<std::size_t>(of_view[r].visible);
                visit(std::span<const OrderEntry>(from + places_of_ranges[r].first, visible));
            }
        };
        NumberRange depths;
        for (std::size_t r = first; r < end; ++r) {
            if (of_view[r].visible > 0) depths.add(numbers_of(v)[r].least), depths.add(numbers_of(v)[r].most);
        }
        RadixSort(each_range, depths, to, from + before).run();
        if (outputs[v].order != ListOrder::by_key) return;
        const NumberRange keys = take_keys(outputs[v], places(), to, from + before);
        const auto all = [&](const auto& visit) { visit(std::span<const OrderEntry>(from + before, to.size())); };
        RadixSort(all, keys, to, from + before).run();
    }

    void write_task(std::size_t task) const {
        const auto& [v, range, result] = part(task);
        const Output& output = outputs[v];
        const ListPlace place = space.list(range);
        const ListedRange list = listed(v, range, result, place);
        if (sorts(output)) {
            const OrderEntry* const first = entries_of(v, sorted) + result.visible_before;
            write_ordered(output, places(), {first, static_cast<std::size_t>(result.visible)}, result.visible_before);
        } else if (wants_lists(output)) {
            write_visible_indices(kernels, list, output.indices);
            write_visible_draws(kernels, list, place.draws, place.first_draw, output);
        }
        if (!output.runs.empty()) write_visible_runs(kernels, list, output.runs);
        space.write(*this, v, range, list);
    }

    /// Runs one pass: task(i) for each of so many.
    template <void (Call::*task)(std::size_t) const>
    void run_pass(const char* name, std::size_t count) {
        const auto tasks = static_cast<std::uint32_t>(count);
        if (options.runner.run == nullptr) {
            for (std::uint32_t i = 0; i < tasks; ++i) (this->*task)(i);
        } else if (tasks > 0) {
            const Task run = {[](void* self, std::uint32_t i) { (static_cast<const Call*>(self)->*task)(i); }, this,
                              name};
            options.runner.run(options.runner.self, tasks, &run);
        }
    }
};

/// Checks the outputs of some views, by space.check() for what only the space knows; view_of(v) is view v's
/// PreparedView, or null for a view by which no object is visible.
template <class Space, class ViewOf>
Status check_outputs(const Space& space, std::span<const Output> outputs, const ViewOf& view_of) {
    const std::size_t words = space.words();
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        const Output& output = outputs[v];
        if (Status status = check_memory(output, v); !status) return status;
        if (Status status = check_words(output.visible, words, v, "visible"); !status) return status;
        if (Status status = check_words(output.inside, words, v, "inside"); !status) return status;
        if (Status status = check_words(output.candidates, words, v, "candidates"); !status) return status;
        if (Status status = check_draw_memory(output.draws, v); !status) return status;
        if (Status status = check_occluders(output.occluders, output.hidden_counts.size(), v); !status) return status;
        if (Status status = space.check(output, view_of(v), v); !status) return status;
    }
    return {};
}

/// Culls, after checking all arguments but those that the space has checked. `kernels` write the lists.
template <class Space>
Status run_call(Space& space, const KernelTable& kernels, std::span<const typename Space::View> views,
                std::span<Output> outputs, std::span<std::byte> scratch, const CullOptions& options) {
    if (outputs.size() != views.size()) {
        return failure("outputs: there must be one for each of the %zu views, not %zu", views.size(), outputs.size());
    }
    const auto view_of = [&](std::size_t v) { return &contents_of(views[v]); };
    if (Status status = check_outputs(space, outputs, view_of); !status) return status;
    const std::size_t ordered = count_ordered(outputs);
    const std::size_t needed = Call<Space>::bytes(space, views.size()) + Call<Space>::order_bytes(space, ordered);
    if (scratch.size() < needed) {
        return failure("scratch: %zu bytes are too few, scratch_bytes() %s for %zu", scratch.size(),
                       lasting(ordered > 0 ? "and order_bytes() together ask" : "asks"), needed);
    }
    if (Status status = check_overlaps(outputs, scratch.first(needed), options.view_masks); !status) return status;
    if (space.ranges() * views.size() > 0xffffffffu) {
        return failure("%s: has too many objects for so many views in one call", lasting(Space::name));
    }
    Call<Space> call{space, views, outputs, options, kernels};
    call.begin(scratch);
    const std::size_t tasks = call.results.size();
    call.template run_pass<&Call<Space>::cull_task>("cull", tasks);
    if (!call.collect()) return {};
    if constexpr (Space::has_depth) {
        if (ordered > 0) call.template run_pass<&Call<Space>::sort_task>("sort lists", views.size());
    }
    call.template run_pass<&Call<Space>::write_task>("write lists", tasks);
    return {};
}

}  // namespace lanecull
