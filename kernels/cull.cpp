/// The entry: checks, the split into ranges, and what becomes of their words.
///
/// Two passes over the ranges, view after view in each. The first fills visibility words and statistics; the second,
/// once it is known how many indices each range has before it, writes those. Both run in any order on any threads.

#include <lanecull/cull.hpp>

#include <algorithm>
#include <memory>
#include <variant>

#include "check.hpp"
#include "check_call.hpp"
#include "float_modes.hpp"
#include "table.hpp"
#include "view_masks.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t range_objects = 8192;  // a multiple of 64: 128 to 480 KiB of objects, two chunks

/// A part of one batch, the same for every view.
struct Range {
    std::uint32_t batch;
    std::uint32_t first;
    std::uint32_t count;
    std::uint64_t first_word;    // among all batches' words
    std::uint64_t first_object;  // among all batches' objects
};

/// What became of a range in one view.
struct RangeResult {
    Statistics statistics;
    std::uint64_t indices_before;  // visible objects of the ranges before
    std::uint64_t runs;            // that start in it
    std::uint64_t runs_before;
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

/// Commands that the memory has room for.
std::size_t draw_capacity(const DrawOutput& draws) {
    if (draws.memory.size() < draws.offset_bytes + sizeof(DrawCommand)) return 0;
    return (draws.memory.size() - draws.offset_bytes - sizeof(DrawCommand)) / draws.stride_bytes + 1;
}

/// One call to cull(), as its tasks see it.
struct Call {
    std::span<const Batch> batches;
    std::span<const View> views;
    std::span<ViewOutput> outputs;
    const Options& options;
    const KernelTable& kernels;
    std::size_t words;
    Scratch scratch;

    void split() {
        std::size_t r = 0, word = 0, object = 0;
        for (std::size_t b = 0; b < batches.size(); ++b) {
            const std::uint32_t count = batches[b].count();
            for (std::size_t k = 0; k < ranges_of(count); ++k) {
                const auto first = static_cast<std::uint32_t>(k * range_objects);
                scratch.ranges[r++] = {static_cast<std::uint32_t>(b), first, std::min(range_objects, count - first),
                                       word + first / 64, object + first};
            }
            word += words_of(count);
            object += count;
        }
    }

    /// A task is one range in one view. All views of a range come one after the other, while its objects are in cache.
    struct Part {
        std::size_t view;
        const Range& range;
        RangeResult& result;
    };
    [[nodiscard]] Part part(std::size_t task) const {
        const std::size_t v = task % views.size(), r = task / views.size();
        return {v, scratch.ranges[r], scratch.results[v * scratch.ranges.size() + r]};
    }

    void cull_part(std::size_t task) const {
        const FloatModes modes;
        const auto& [v, range, result] = part(task);
        const Batch& batch = batches[range.batch];
        const ViewOutput& output = outputs[v];
        RangeWork work{};
        work.shapes = shapes_of(batch);
        work.attributes = &batch.attributes;
        work.view = &views[v].contents();
        work.method = options.method;
        work.first = range.first;
        work.count = range.count;
        work.visible = output.visible.empty() ? nullptr : output.visible.data() + range.first_word;
        work.kept = wants_lists(output) || wants_masks() ? kept_words(v, range) : nullptr;
        work.inside = output.inside.empty() ? nullptr : output.inside.data() + range.first_word;
        work.certificates = output.certificates.empty() ? nullptr : output.certificates.data() + range.first_object;
        work.statistics = &result.statistics;
        kernel_for(kernels, batch)(work);
        if (!output.runs.empty()) {
            result.runs = kernels.count_runs(kept_words(v, range), words_of(range.count));
        }
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
                if (output.runs.empty()) continue;
                result.runs -= continues_run(v, scratch.ranges[r]);
                result.runs_before = runs;
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

Status check_draws(const DrawOutput& draws, std::size_t v, std::span<const Batch> batches) {
    if (draws.memory.empty()) return {};
    const std::size_t stride = draws.stride_bytes;
    if (stride % 4 != 0 || stride < sizeof(DrawCommand)) {
        return Status::failure("outputs[%zu].draws.stride_bytes: %zu is not a multiple of 4 from 20 up", v, stride);
    }
    if (draws.offset_bytes > draws.memory.size()) {
        return Status::failure("outputs[%zu].draws.offset_bytes: %zu lies beyond the %zu bytes of memory", v,
                               draws.offset_bytes, draws.memory.size());
    }
    if (reinterpret_cast<std::uintptr_t>(draws.memory.data() + draws.offset_bytes) % 4 != 0) {
        return Status::failure("outputs[%zu].draws: the first command must be 4-byte aligned", v);
    }
    for (std::size_t b = 0; b < batches.size(); ++b) {
        if (batches[b].count() > 0 && batches[b].draws.first == nullptr) {
            return Status::failure("batches[%zu].draws.first: must not be null, outputs[%zu] asks for draws", b, v);
        }
    }
    return {};
}

std::size_t object_count(std::span<const Batch> batches) {
    std::size_t objects = 0;
    for (const Batch& batch : batches) objects += batch.count();
    return objects;
}

Status check_certificates(std::span<const Certificate> given, std::span<const Batch> batches, std::size_t v) {
    const std::size_t objects = object_count(batches);
    if (given.empty() || given.size() == objects) return {};
    return Status::failure("outputs[%zu].certificates: must be none or one for each of %zu objects, not %zu", v,
                           objects, given.size());
}

Status check_outputs(std::span<const ViewOutput> outputs, std::size_t view_count, std::span<const Batch> batches,
                     std::size_t words) {
    if (outputs.size() != view_count) {
        return Status::failure("outputs: there must be one for each of the %zu views, not %zu", view_count,
                               outputs.size());
    }
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        if (Status status = check_words(outputs[v].visible, words, v, "visible"); !status) return status;
        if (Status status = check_words(outputs[v].inside, words, v, "inside"); !status) return status;
        if (Status status = check_certificates(outputs[v].certificates, batches, v); !status) return status;
        if (Status status = check_draws(outputs[v].draws, v, batches); !status) return status;
    }
    return {};
}

Status check_overlaps(std::span<const ViewOutput> outputs, std::span<const std::byte> scratch,
                      std::span<const std::uint64_t> masks) {
    WrittenMemory written;
    written.add(scratch.data(), scratch.size(), max_views, "scratch");
    written.add(masks.data(), masks.size_bytes(), max_views, "options.view_masks");
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        const ViewOutput& output = outputs[v];
        written.add(output.visible.data(), output.visible.size_bytes(), v, "visible");
        written.add(output.inside.data(), output.inside.size_bytes(), v, "inside");
        written.add(output.indices.data(), output.indices.size_bytes(), v, "indices");
        written.add(output.runs.data(), output.runs.size_bytes(), v, "runs");
        written.add(output.certificates.data(), output.certificates.size_bytes(), v, "certificates");
        written.add(output.draws.memory.data(), output.draws.memory.size(), v, "draws.memory");
        written.add(output.draws.count, output.draws.count != nullptr ? sizeof(std::uint32_t) : 0, v, "draws.count");
    }
    return written.check_overlaps();
}

Status check_options(const Options& options, const Runner& runner, std::span<const Batch> batches) {
    const std::size_t masks = options.view_masks.size(), objects = object_count(batches);
    if (masks != 0 && masks != objects) {
        return Status::failure("options.view_masks: must be none or one for each of %zu objects, not %zu", objects,
                               masks);
    }
    return check_how(options, runner);
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
    if (Status status = check_outputs(outputs, views.size(), batches, words); !status) return status;
    if (Status status = check_options(options, runner, batches); !status) return status;
    if (Status status = resolve_isa(options.isa, isa); !status) return status;
    const std::size_t needed = Scratch::bytes(ranges, words, views.size());
    if (scratch.size() < needed) {
        return Status::failure("scratch: %zu bytes are too few, scratch_bytes() asks for %zu", scratch.size(), needed);
    }
    if (Status status = check_overlaps(outputs, scratch.first(needed), options.view_masks); !status) return status;
    if (ranges * views.size() > 0xffffffffu) {
        return Status::failure("batches: too many objects and views for one call");
    }
    Call call{
        batches, views, outputs, options, *kernel_table(isa), words, Scratch(scratch, ranges, words, views.size())};
    call.run(runner);
    return {};
}

}  // namespace lanecull
