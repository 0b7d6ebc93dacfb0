#pragma once

/// A call that culls batches of solids or of 2D shapes: its scratch memory, its tasks, and the second pass over their
/// visibility words.
///
/// The call makes two passes over the ranges; each takes one range after the other, and all views of a range in a row.
/// The first pass writes visibility words and statistics. The second writes lists (calls/visible_lists.hpp).

#include <lanecull/cull.hpp>

#include <algorithm>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "calls/check_outputs.hpp"
#include "calls/kernel_table.hpp"
#include "calls/occluders.hpp"
#include "calls/ranges.hpp"
#include "calls/visible_lists.hpp"

namespace lanecull {

/// A range of one batch. It is the same for every view.
struct Range {
    std::uint32_t batch;
    std::uint32_t first;
    std::uint32_t count;
    std::uint64_t first_word;    // among all batches' words
    std::uint64_t first_object;  // among all batches' objects
};

/// What a call stores of a range. Every call writes all of these anew, and the other cores fetch them, at up to 0.2
/// microseconds a cache line. So they have few bytes.
struct RangeStart {
    std::uint32_t batch;
    std::uint32_t first;
};

/// Where a batch begins among all of them.
struct BatchStart {
    std::uint64_t word;
    std::uint64_t object;
    std::uint32_t range_objects;
};

/// The results of one range in one view. cull_task() writes `statistics` and `runs`, collect() the other two.
struct RangeResult {
    Statistics statistics;
    std::uint64_t visible_before;  // visible objects of the ranges before
    std::uint64_t runs;            // that start in the range
    std::uint64_t runs_before;
};

/// The amounts that a call's scratch memory depends on.
struct Sizes {
    std::size_t batches, ranges, words, views;
};

/// The arrays in scratch memory, in this order, from the first address that is a multiple of 8. A call writes each
/// element before it reads it and clears nothing. Clearing the words first would cost as much as writing them. Clearing
/// the results would, in each call, take their cache lines from the cores that write them.
struct Scratch {
    std::span<BatchStart> batches;
    std::span<RangeStart> ranges;
    std::span<RangeResult> results;     // [view][range]
    std::span<std::uint64_t> counting;  // [view]: bit k: occluder k counts
    std::span<std::uint64_t> kept;      // [view][word]: the visibility words, readable

    static std::size_t bytes(const Sizes& sizes) {
        return ScratchMemory::slack + sizes.batches * sizeof(BatchStart) + sizes.ranges * sizeof(RangeStart) +
               sizes.views * sizes.ranges * sizeof(RangeResult) +
               sizes.views * (1 + sizes.words) * sizeof(std::uint64_t);
    }

    Scratch(std::span<std::byte> bytes, const Sizes& sizes) {
        ScratchMemory memory(bytes);
        batches = memory.take<BatchStart>(sizes.batches);
        ranges = memory.take<RangeStart>(sizes.ranges);
        results = memory.take<RangeResult>(sizes.views * sizes.ranges);
        counting = memory.take<std::uint64_t>(sizes.views);
        kept = memory.take<std::uint64_t>(sizes.views * sizes.words);
    }
};

/// One call to cull(), as its tasks see it. Space is solids or 2D shapes: it names their Batch and View, has the
/// kernels that cull one range of a batch in a view, and tells which of a view's occluders count.
template <class Space>
struct Call {
    using Batch = typename Space::Batch;
    using View = typename Space::View;

    const Space& space;
    std::span<const Batch> batches;
    std::span<const View> views;
    std::span<ViewOutput> outputs;
    const CullOptions& options;
    const KernelTable& kernels;  // for the lists
    std::size_t words;
    Scratch scratch;

    void split() {
        std::size_t r = 0, word = 0, object = 0;
        for (std::size_t b = 0; b < batches.size(); ++b) {
            const std::uint32_t count = batches[b].count(), objects = range_objects(batches[b]);
            scratch.batches[b] = {word, object, objects};
            for (std::size_t first = 0; first < count; first += objects)
                scratch.ranges[r++] = {static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(first)};
            word += words_of(count);
            object += count;
        }
    }

    [[nodiscard]] Range range(std::size_t r) const {
        const auto [batch, first] = scratch.ranges[r];
        const BatchStart& start = scratch.batches[batch];
        return {batch, first, std::min(start.range_objects, batches[batch].count() - first), start.word + first / 64,
                start.object + first};
    }

    /// A task is one range in one view. All views of a range come one after the other, so that its objects stay in
    /// cache.
    struct Part {
        std::size_t view;
        Range range;
        RangeResult& result;
    };
    [[nodiscard]] Part part(std::size_t task) const {
        const std::size_t v = task % views.size(), r = task / views.size();
        return {v, range(r), scratch.results[v * scratch.ranges.size() + r]};
    }

    void cull_task(std::size_t i) const {
        const FloatModes modes;
        const auto& [v, range, result] = part(i);
        const Batch& batch = batches[range.batch];
        const ViewOutput& output = outputs[v];
        RangeTask task{};
        task.method = options.method;
        task.first = range.first;
        task.count = range.count;
        task.visible = output.visible.empty() ? nullptr : output.visible.data() + range.first_word;
        task.kept = wants_lists(output) || wants_masks() ? kept_words(v, range) : nullptr;
        task.inside = output.inside.empty() ? nullptr : output.inside.data() + range.first_word;
        task.candidates = output.candidates.empty() ? nullptr : output.candidates.data() + range.first_word;
        std::uint32_t hidden[max_occluders] = {};
        set_occluders(output.occluders, scratch.counting[v], {0, 0, 0}, task);
        task.hidden = output.hidden_counts.empty() ? nullptr : hidden;
        task.certificates = output.certificates.empty() ? nullptr : output.certificates.data() + range.first_object;
        task.statistics = &result.statistics;
        space.cull_range(batch, views[v], task);
        add_hidden(hidden, output.hidden_counts);
        result.runs = output.runs.empty() ? 0 : kernels.count_runs(kept_words(v, range), words_of(range.count));
    }

    [[nodiscard]] bool wants_masks() const { return !options.view_masks.empty(); }

    static bool wants_lists(const ViewOutput& output) {
        return !output.indices.empty() || !output.runs.empty() || !output.draws.memory.empty();
    }

    [[nodiscard]] std::uint64_t* kept_words(std::size_t view, const Range& range) const {
        return scratch.kept.data() + view * words + range.first_word;
    }

    [[nodiscard]] ListedRange listed(std::size_t v, const Range& range, const RangeResult& result) const {
        const Batch& batch = batches[range.batch];
        return {kept_words(v, range),
                words_of(range.count),
                words_of(batch.count()) - range.first / 64,
                range.first == 0,
                batch.first_index + range.first,
                result.statistics.visible(),
                result.visible_before,
                result.runs,
                result.runs_before};
    }

    void write_task(std::size_t task) const {
        const auto& [v, range, result] = part(task);
        if (wants_lists(outputs[v])) {
            const ListedRange list = listed(v, range, result);
            write_visible_indices(kernels, list, outputs[v].indices);
            write_visible_draws(kernels, list, batches[range.batch].draws, range.first, outputs[v]);
            write_visible_runs(kernels, list, outputs[v].runs);
        }
        if (v == 0 && wants_masks()) write_masks(range);
    }

    void write_masks(const Range& range) const {
        std::uint64_t* to = options.view_masks.data() + range.first_object;
        for (std::uint32_t first = 0; first < range.count; first += 64) {
            std::uint64_t kept[max_views], masks[64];
            for (std::size_t v = 0; v < views.size(); ++v) kept[v] = kept_words(v, range)[first / 64];
            masks_of({kept, views.size()}, masks);
            std::copy_n(masks, std::min(64u, range.count - first), to + first);
        }
    }

    /// Counts the visible objects of each batch in view v.
    void write_batch_ranges(std::size_t v) const {
        const std::span<BatchRange> to = outputs[v].batch_ranges;
        std::fill(to.begin(), to.end(), BatchRange{});
        for (std::size_t r = 0; r < scratch.ranges.size(); ++r) {
            to[scratch.ranges[r].batch].count += scratch.results[v * scratch.ranges.size() + r].statistics.visible();
        }
        std::uint64_t first = 0;
        for (BatchRange& batch : to) {
            batch.first = first;
            first += batch.count;
        }
    }

    /// Sums the ranges' results. Returns whether the second pass has anything to write.
    bool collect() {
        bool wants_any = wants_masks();
        for (std::size_t v = 0; v < views.size(); ++v) {
            Statistics sum;
            std::uint64_t runs = 0;
            ViewOutput& output = outputs[v];
            for (std::size_t r = 0; r < scratch.ranges.size(); ++r) {
                RangeResult& result = scratch.results[v * scratch.ranges.size() + r];
                result.visible_before = sum.visible();
                sum += result.statistics;
                result.runs_before = runs;
                if (output.runs.empty()) continue;
                result.runs -= listed(v, range(r), result).continues_run();
                runs += result.runs;
            }
            output.statistics = sum;
            output.visible_count = sum.visible();
            output.run_count = runs;
            set_draw_count(output);
            if (!output.batch_ranges.empty()) write_batch_ranges(v);
            wants_any = wants_any || wants_lists(output);
        }
        return wants_any;
    }

    void run(const Runner& runner) {
        split();
        for (std::size_t v = 0; v < views.size(); ++v) {
            scratch.counting[v] = space.counting_occluders(batches, views[v], outputs[v]);
            std::fill(outputs[v].hidden_counts.begin(), outputs[v].hidden_counts.end(), 0);
        }
        const auto tasks = static_cast<std::uint32_t>(scratch.results.size());
        run_two_passes(*this, tasks, runner);
    }
};

template <class Batch>
std::size_t call_scratch_bytes(std::span<const Batch> batches, std::size_t view_count) {
    return Scratch::bytes({batches.size(), range_count(batches), word_count(batches), view_count});
}

/// Culls, after checking all arguments except batches and views, which the caller has checked. `kernels` write the
/// lists.
template <class Space>
Status run_call(const Space& space, const KernelTable& kernels, std::span<const typename Space::Batch> batches,
                std::span<const typename Space::View> views, std::span<ViewOutput> outputs,
                std::span<std::byte> scratch, const CullOptions& options, const Runner& runner) {
    const Sizes sizes{batches.size(), range_count(batches), word_count(batches), views.size()};
    if (Status status = check_outputs(outputs, views.size(), batches, sizes.words); !status) return status;
    if (Status status = check_options(options, runner, batches); !status) return status;
    const std::size_t needed = Scratch::bytes(sizes);
    if (scratch.size() < needed) {
        return Status::failure("scratch: %zu bytes are too few, scratch_bytes() asks for %zu", scratch.size(), needed);
    }
    if (Status status = check_overlaps(outputs, scratch.first(needed), options.view_masks); !status) return status;
    if (sizes.ranges * sizes.views > 0xffffffffu) {
        return Status::failure("batches: too many objects and views for one call");
    }
    Call<Space> call{space, batches, views, outputs, options, kernels, sizes.words, Scratch(scratch, sizes)};
    call.run(runner);
    return {};
}

}  // namespace lanecull
