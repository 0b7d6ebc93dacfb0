#pragma once

/// A call that culls, batches of solids or of figures alike: the split into ranges, and what becomes of their words.
///
/// Two passes over the ranges, view after view in each. The first fills visibility words and statistics; the second,
/// once it is known how many indices each range has before it, writes those. Both run in any order on any threads.

#include <lanecull/cull.hpp>

#include <algorithm>
#include <memory>
#include <variant>

#include "base/float_modes.hpp"
#include "calls/check_call.hpp"
#include "calls/check_outputs.hpp"
#include "calls/kernel_table.hpp"
#include "layouts/every_layout.hpp"
#include "outputs/view_masks.hpp"

namespace lanecull {

/// Kinds of solids that say so; none in 2D.
template <class Shapes>
constexpr bool are_expensive() {
    if constexpr (requires { KindTraits<Shapes>::are_expensive; }) return KindTraits<Shapes>::are_expensive;
    return false;
}

/// Objects of a range, a multiple of 64: one chunk of the kernels' at most, 171 to 393 KiB; of what may be dear three
/// full lists of open ones, so that many cores find something to do. Few ranges of what is not are split further, so
/// that two or four cores have as many of them each.
template <class Batch>
std::uint32_t range_objects(const Batch& batch) {
    const bool dear = std::visit([]<class Shapes>(const Shapes&) { return are_expensive<Shapes>(); }, batch.shapes);
    const auto up = [](std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); };
    const std::uint32_t most = dear ? 7680 : 16384;
    const std::uint32_t words = up(batch.count(), 64), ranges = up(words, most / 64);
    if (ranges <= 1) return most;
    return 64 * up(words, !dear && ranges > 2 && ranges <= 16 ? 4 * up(ranges, 4) : ranges);
}

/// A part of one batch, the same for every view.
struct Range {
    std::uint32_t batch;
    std::uint32_t first;
    std::uint32_t count;
    std::uint64_t first_word;    // among all batches' words
    std::uint64_t first_object;  // among all batches' objects
};

/// What a call keeps of it. Every call writes these anew, and the other cores fetch them, at up to 0.2 microseconds a
/// cache line: so they are few bytes.
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

/// What became of a range in one view. Its part writes the first and the third, collect() the others.
struct RangeResult {
    Statistics statistics;
    std::uint64_t indices_before;  // visible objects of the ranges before
    std::uint64_t runs;            // that start in it
    std::uint64_t runs_before;
};

inline std::size_t words_of(std::uint32_t count) { return (static_cast<std::size_t>(count) + 63) / 64; }
template <class Batch>
std::size_t ranges_of(const Batch& batch) {
    const std::size_t objects = range_objects(batch);
    return (static_cast<std::size_t>(batch.count()) + objects - 1) / objects;
}

/// The batch's Spheres, Circles, ... as its kernel expects.
template <class Batch>
const void* shapes_of(const Batch& batch) {
    return std::visit([](const auto& shapes) -> const void* { return &shapes; }, batch.shapes);
}

template <class Batch>
std::size_t range_count(std::span<const Batch> batches) {
    std::size_t ranges = 0;
    for (const Batch& batch : batches) ranges += ranges_of(batch);
    return ranges;
}

/// How much of everything a call has.
struct Sizes {
    std::size_t batches, ranges, words, views;
};

/// Scratch memory, in this order, from the first address that is a multiple of 8. All of it is written before it is
/// read: clearing the words first would cost as much again, and clearing the results takes them from the cores that
/// write them, each time.
struct Scratch {
    std::span<BatchStart> batches;
    std::span<RangeStart> ranges;
    std::span<RangeResult> results;  // [view][range]
    std::span<std::uint64_t> kept;   // [view][word]: the visibility words, readable

    static std::size_t bytes(const Sizes& sizes) {
        return alignof(std::uint64_t) - 1 + sizes.batches * sizeof(BatchStart) + sizes.ranges * sizeof(RangeStart) +
               sizes.views * sizes.ranges * sizeof(RangeResult) + sizes.views * sizes.words * sizeof(std::uint64_t);
    }

    Scratch(std::span<std::byte> memory, const Sizes& sizes) {
        void* at = memory.data();
        std::size_t space = memory.size();
        at = std::align(alignof(std::uint64_t), 1, at, space);
        const auto take = [&]<class T>(std::size_t count, std::span<T>& part) {
            part = {static_cast<T*>(at), count};
            at = static_cast<T*>(at) + count;
        };
        take(sizes.batches, batches);
        take(sizes.ranges, ranges);
        take(sizes.views * sizes.ranges, results);
        take(sizes.views * sizes.words, kept);
    }
};

/// Commands that the memory has room for.
inline std::size_t draw_capacity(const DrawOutput& draws) {
    if (draws.memory.size() < draws.offset_bytes + sizeof(DrawCommand)) return 0;
    return (draws.memory.size() - draws.offset_bytes - sizeof(DrawCommand)) / draws.stride_bytes + 1;
}

/// One call to cull(), as its tasks see it. Space: solids or figures; it names their Batch and View, and has the
/// kernels that cull one range of a batch in a view.
template <class Space>
struct Call {
    using Batch = typename Space::Batch;
    using View = typename Space::View;

    const Space& space;
    std::span<const Batch> batches;
    std::span<const View> views;
    std::span<ViewOutput> outputs;
    const Options& options;
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

    /// A task is one range in one view. All views of a range come one after the other, while its objects are in cache.
    struct Part {
        std::size_t view;
        Range range;
        RangeResult& result;
    };
    [[nodiscard]] Part part(std::size_t task) const {
        const std::size_t v = task % views.size(), r = task / views.size();
        return {v, range(r), scratch.results[v * scratch.ranges.size() + r]};
    }

    void cull_part(std::size_t i) const {
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
        task.certificates = output.certificates.empty() ? nullptr : output.certificates.data() + range.first_object;
        task.statistics = &result.statistics;
        space.cull_range(batch, views[v], task);
        result.runs = output.runs.empty() ? 0 : kernels.count_runs(kept_words(v, range), words_of(range.count));
    }

    [[nodiscard]] bool wants_masks() const { return !options.view_masks.empty(); }

    static bool wants_lists(const ViewOutput& output) {
        return !output.indices.empty() || !output.runs.empty() || !output.draws.memory.empty();
    }

    [[nodiscard]] std::uint64_t* kept_words(std::size_t view, const Range& range) const {
        return scratch.kept.data() + view * words + range.first_word;
    }

    /// Whether the range goes on where the one before it, of the same batch, ends with a visible object.
    [[nodiscard]] bool continues_run(std::size_t view, const Range& range) const {
        if (range.first == 0) return false;
        const std::uint64_t* here = kept_words(view, range);
        return (here[0] & here[-1] >> 63 & 1) != 0;
    }

    void write_part(std::size_t task) const {
        const auto& [v, range, result] = part(task);
        write_indices(v, range, result);
        write_draws(v, range, result);
        write_runs(v, range, result);
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

    /// A range's own share of a list, so that whole-register stores stay clear of the next range's.
    static std::size_t share(std::uint64_t wanted, std::uint64_t before, std::uint64_t capacity) {
        return before >= capacity ? 0 : static_cast<std::size_t>(std::min(wanted, capacity - before));
    }

    void write_indices(std::size_t v, const Range& range, const RangeResult& result) const {
        const std::span<std::uint32_t> indices = outputs[v].indices;
        const std::size_t capacity = share(result.statistics.visible(), result.indices_before, indices.size());
        if (capacity == 0) return;
        kernels.write_indices(kept_words(v, range), words_of(range.count),
                              batches[range.batch].first_index + range.first, indices.data() + result.indices_before,
                              capacity);
    }

    void write_draws(std::size_t v, const Range& range, const RangeResult& result) const {
        const DrawOutput& draws = outputs[v].draws;
        const std::size_t capacity = share(result.statistics.visible(), result.indices_before, draw_capacity(draws));
        if (capacity == 0) return;
        std::byte* to = draws.memory.data() + draws.offset_bytes + result.indices_before * draws.stride_bytes;
        kernels.write_draws(kept_words(v, range), words_of(range.count), batches[range.batch].draws, range.first, to,
                            draws.stride_bytes, capacity);
    }

    void write_runs(std::size_t v, const Range& range, const RangeResult& result) const {
        const std::span<VisibleRun> runs = outputs[v].runs;
        const std::size_t capacity = share(result.runs, result.runs_before, runs.size());
        if (capacity == 0) return;
        const Batch& batch = batches[range.batch];
        // The last run may go on to the batch's end.
        const std::size_t batch_words = words_of(batch.count()) - range.first / 64;
        kernels.write_runs(kept_words(v, range), batch_words, continues_run(v, range), batch.first_index + range.first,
                           runs.data() + result.runs_before, capacity);
    }

    /// Sums the ranges' results; returns whether anything is still to be written.
    bool collect() {
        bool wants_any = wants_masks();
        for (std::size_t v = 0; v < views.size(); ++v) {
            Statistics sum;
            std::uint64_t runs = 0;
            ViewOutput& output = outputs[v];
            for (std::size_t r = 0; r < scratch.ranges.size(); ++r) {
                RangeResult& result = scratch.results[v * scratch.ranges.size() + r];
                result.indices_before = sum.visible();
                sum += result.statistics;
                result.runs_before = runs;
                if (output.runs.empty()) continue;
                result.runs -= continues_run(v, range(r));
                runs += result.runs;
            }
            output.statistics = sum;
            output.visible_count = sum.visible();
            output.run_count = runs;
            output.draw_count = std::min<std::uint64_t>(sum.visible(), draw_capacity(output.draws));
            if (output.draws.count != nullptr) *output.draws.count = static_cast<std::uint32_t>(output.draw_count);
            wants_any = wants_any || wants_lists(output);
        }
        return wants_any;
    }

    void run(const Runner& runner) {
        split();
        const auto tasks = static_cast<std::uint32_t>(scratch.results.size());
        const auto cull_task = [](void* call, std::uint32_t i) { static_cast<const Call*>(call)->cull_part(i); };
        const auto write_task = [](void* call, std::uint32_t i) { static_cast<const Call*>(call)->write_part(i); };
        if (tasks > 0) runner.run(runner.self, tasks, {cull_task, this});
        if (collect() && tasks > 0) runner.run(runner.self, tasks, {write_task, this});
    }
};

/// Words of 64 objects that the batches take.
template <class Batch>
std::size_t word_count(std::span<const Batch> batches) {
    std::size_t words = 0;
    for (const Batch& batch : batches) words += words_of(batch.count());
    return words;
}

template <class Batch>
std::size_t call_scratch_bytes(std::span<const Batch> batches, std::size_t view_count) {
    return Scratch::bytes({batches.size(), range_count(batches), word_count(batches), view_count});
}

/// Checks everything but batches and views, which have been checked, and culls. `kernels` are for the lists.
template <class Space>
Status run_call(const Space& space, const KernelTable& kernels, std::span<const typename Space::Batch> batches,
                std::span<const typename Space::View> views, std::span<ViewOutput> outputs,
                std::span<std::byte> scratch, const Options& options, const Runner& runner) {
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
