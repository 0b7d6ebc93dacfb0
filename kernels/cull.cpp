/// The entry: checks, the split into ranges, and what becomes of their words.
///
/// Two passes over the ranges. The first fills visibility words and statistics; the second, once it is known how many
/// indices each range has before it, writes those. Both run in any order on any threads.

#include <lanecull/cull.hpp>

#include <algorithm>
#include <memory>
#include <variant>

#include "check.hpp"
#include "float_modes.hpp"
#include "table.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t range_objects = 8192;  // a multiple of 64: 128 to 480 KiB of objects, two chunks
constexpr std::size_t max_views = 64;

/// A part of one batch, the same for every view.
struct Range {
    std::uint32_t batch;
    std::uint32_t first;
    std::uint32_t count;
    std::uint64_t first_word;  // among all batches' words
};

/// What became of a range in one view.
struct RangeResult {
    Statistics statistics;
    std::uint64_t indices_before;
};

std::size_t words_of(std::uint32_t count) { return (static_cast<std::size_t>(count) + 63) / 64; }
std::size_t ranges_of(std::uint32_t count) {
    return (static_cast<std::size_t>(count) + range_objects - 1) / range_objects;
}

std::size_t range_count(std::span<const Batch> batches) {
    std::size_t ranges = 0;
    for (const Batch& batch : batches) ranges += ranges_of(batch.count());
    return ranges;
}

/// Scratch memory, in this order, from the first address that is a multiple of 8.
struct Scratch {
    std::span<Range> ranges;
    std::span<RangeResult> results;  // [view][range]
    std::span<std::uint64_t> kept;   // [view][word]: the visibility words, readable

    static std::size_t bytes(std::size_t ranges, std::size_t words, std::size_t views) {
        return alignof(std::uint64_t) - 1 + ranges * sizeof(Range) + views * ranges * sizeof(RangeResult) +
               views * words * sizeof(std::uint64_t);
    }

    Scratch(std::span<std::byte> memory, std::size_t range_total, std::size_t words, std::size_t views) {
        void* at = memory.data();
        std::size_t space = memory.size();
        at = std::align(alignof(std::uint64_t), 1, at, space);
        const auto take = [&]<class T>(std::size_t count, std::span<T>& part) {
            part = {static_cast<T*>(at), count};
            std::uninitialized_value_construct(part.begin(), part.end());
            at = static_cast<T*>(at) + count;
        };
        take(range_total, ranges);
        take(views * range_total, results);
        // Words are written before they are read; clearing them first would cost as much again.
        kept = {static_cast<std::uint64_t*>(at), views * words};
    }
};

RangeKernel kernel_for(const KernelTable& table, const Batch& batch) {
    // In the order of Batch::Shapes.
    const RangeKernel kernels[] = {table.spheres,        table.boxes,    table.centered_boxes,
                                   table.oriented_boxes, table.capsules, table.hull_instances};
    static_assert(std::size(kernels) == std::variant_size_v<Batch::Shapes>);
    return kernels[batch.shapes.index()];
}

const void* shapes_of(const Batch& batch) {
    return std::visit([](const auto& shapes) -> const void* { return &shapes; }, batch.shapes);
}

/// One call to cull(), as its tasks see it.
struct Call {
    std::span<const Batch> batches;
    std::span<const View> views;
    std::span<ViewOutput> outputs;
    Method method;
    const KernelTable& kernels;
    std::size_t words;
    Scratch scratch;

    void split() {
        std::size_t r = 0, word = 0;
        for (std::size_t b = 0; b < batches.size(); ++b) {
            const std::uint32_t count = batches[b].count();
            for (std::size_t k = 0; k < ranges_of(count); ++k) {
                const auto first = static_cast<std::uint32_t>(k * range_objects);
                scratch.ranges[r++] = {static_cast<std::uint32_t>(b), first, std::min(range_objects, count - first),
                                       word + first / 64};
            }
            word += words_of(count);
        }
    }

    /// Task i is range i % ranges of view i / ranges.
    void cull_part(std::size_t i) const {
        const FloatModes modes;
        const std::size_t v = i / scratch.ranges.size();
        const Range& range = scratch.ranges[i % scratch.ranges.size()];
        const Batch& batch = batches[range.batch];
        const ViewOutput& output = outputs[v];
        RangeWork work{};
        work.shapes = shapes_of(batch);
        work.attributes = &batch.attributes;
        work.view = &views[v].contents();
        work.method = method;
        work.first = range.first;
        work.count = range.count;
        work.visible = output.visible.empty() ? nullptr : output.visible.data() + range.first_word;
        work.kept = output.indices.empty() ? nullptr : scratch.kept.data() + v * words + range.first_word;
        work.statistics = &scratch.results[i].statistics;
        kernel_for(kernels, batch)(work);
    }

    void write_part(std::size_t i) const {
        const std::size_t v = i / scratch.ranges.size();
        const Range& range = scratch.ranges[i % scratch.ranges.size()];
        const std::span<std::uint32_t> indices = outputs[v].indices;
        const std::uint64_t before = scratch.results[i].indices_before;
        if (before >= indices.size()) return;
        // A range's own share, so that whole-register stores stay clear of the next range's.
        const std::uint64_t visible = scratch.results[i].statistics.visible();
        const auto capacity = static_cast<std::size_t>(std::min<std::uint64_t>(visible, indices.size() - before));
        kernels.write_indices(scratch.kept.data() + v * words + range.first_word, words_of(range.count),
                              batches[range.batch].first_index + range.first, indices.data() + before, capacity);
    }

    /// Sums the ranges' results; returns whether any view wants indices.
    bool collect() {
        bool wants_indices = false;
        for (std::size_t v = 0; v < views.size(); ++v) {
            Statistics sum;
            for (std::size_t r = 0; r < scratch.ranges.size(); ++r) {
                RangeResult& result = scratch.results[v * scratch.ranges.size() + r];
                result.indices_before = sum.visible();
                sum += result.statistics;
            }
            outputs[v].statistics = sum;
            outputs[v].visible_count = sum.visible();
            wants_indices = wants_indices || !outputs[v].indices.empty();
        }
        return wants_indices;
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

Status check_views(std::span<const View> views) {
    if (views.empty() || views.size() > max_views) {
        return Status::failure("views: 1 to %zu are culled in one call, not %zu", max_views, views.size());
    }
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (!views[v].prepared()) return Status::failure("views[%zu]: was not prepared by prepare_view()", v);
    }
    return {};
}

Status check_outputs(std::span<const ViewOutput> outputs, std::size_t view_count, std::size_t words) {
    if (outputs.size() != view_count) {
        return Status::failure("outputs: there must be one for each of the %zu views, not %zu", view_count,
                               outputs.size());
    }
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        const std::size_t given = outputs[v].visible.size();
        if (given != 0 && given != words) {
            return Status::failure("outputs[%zu].visible: must have no words or %zu (visibility_words()), not %zu", v,
                                   words, given);
        }
    }
    return {};
}

Status check_options(const Options& options, const Runner& runner) {
    if (options.method > Method::gjk) {
        return Status::failure("options.method: %d is no method", static_cast<int>(options.method));
    }
    if (runner.run == nullptr) return Status::failure("runner.run: must not be null");
    return {};
}

}  // namespace

Statistics& Statistics::operator+=(const Statistics& other) noexcept {
    objects += other.objects;
    culled_plane += other.culled_plane;
    culled_gjk += other.culled_gjk;
    culled_distance += other.culled_distance;
    culled_size += other.culled_size;
    culled_disabled += other.culled_disabled;
    culled_layer += other.culled_layer;
    visible_always += other.visible_always;
    visible_inside += other.visible_inside;
    visible_vertex += other.visible_vertex;
    visible_overlap += other.visible_overlap;
    visible_touching += other.visible_touching;
    visible_cap += other.visible_cap;
    visible_planes += other.visible_planes;
    visible_invalid += other.visible_invalid;
    return *this;
}

std::size_t visibility_words(std::span<const Batch> batches) noexcept {
    std::size_t words = 0;
    for (const Batch& batch : batches) words += words_of(batch.count());
    return words;
}

std::size_t scratch_bytes(std::span<const Batch> batches, std::size_t view_count) noexcept {
    return Scratch::bytes(range_count(batches), visibility_words(batches), view_count);
}

Runner serial_runner() noexcept {
    return {nullptr, [](void*, std::uint32_t count, Task task) {
                for (std::uint32_t i = 0; i < count; ++i) task(i);
            }};
}

Status cull(std::span<const Batch> batches, std::span<const View> views, std::span<ViewOutput> outputs,
            std::span<std::byte> scratch, const Options& options, const Runner& runner) noexcept {
    const std::size_t words = visibility_words(batches), ranges = range_count(batches);
    Isa isa = Isa::automatic;
    if (Status status = check_batches(batches); !status) return status;
    if (Status status = check_views(views); !status) return status;
    if (Status status = check_outputs(outputs, views.size(), words); !status) return status;
    if (Status status = check_options(options, runner); !status) return status;
    if (Status status = resolve_isa(options.isa, isa); !status) return status;
    const std::size_t needed = Scratch::bytes(ranges, words, views.size());
    if (scratch.size() < needed) {
        return Status::failure("scratch: %zu bytes are too few, scratch_bytes() asks for %zu", scratch.size(), needed);
    }
    if (ranges * views.size() > 0xffffffffu) {
        return Status::failure("batches: too many objects and views for one call");
    }
    Call call{batches,
              views,
              outputs,
              options.method,
              *kernel_table(isa),
              words,
              Scratch(scratch, ranges, words, views.size())};
    call.run(runner);
    return {};
}

}  // namespace lanecull
