#pragma once

/// Batches as a space that a call culls (calls/cull_call.hpp), of solids or of 2D shapes.

#include <lanecull/cull.h>

#include <algorithm>

#include "base/failure.hpp"
#include "calls/cull_call.hpp"

namespace lanecull {

template <class Batch>
std::size_t object_count(std::span<const Batch> batches) {
    std::size_t objects = 0;
    for (const Batch& batch : batches) objects += batch.count();
    return objects;
}

/// A range of one batch. It is the same for every view.
struct BatchPart {
    std::uint32_t batch;
    std::uint32_t first;
    std::uint32_t count;
    std::size_t words;
    std::size_t first_word;      // among all batches' words
    std::uint64_t first_object;  // among all batches' objects
};

/// What batches of solids and of 2D shapes have in common. What derives from it checks occluders and culls ranges.
template <class Batch, class View_>
class BatchSpace {
public:
    using View = View_;
    using Range = BatchPart;
    using Result = RangeResult;
    static constexpr const char* name = "batches";

    explicit BatchSpace(std::span<const Batch> batches)
        : batches_(batches), range_count_(range_count(batches)), words_(word_count(batches)) {}

    [[nodiscard]] std::size_t ranges() const { return range_count_; }
    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] std::size_t bytes(std::size_t) const {
        return batches_.size() * sizeof(BatchStart) + range_count_ * sizeof(RangeStart);
    }
    void take(ScratchMemory& memory, std::size_t) {
        starts_ = memory.take<BatchStart>(batches_.size());
        ranges_ = memory.take<RangeStart>(range_count_);
    }

    [[nodiscard]] Status check_lists(const Output& output, std::size_t v) const {
        if (output.scene != nullptr) return failure("outputs[%zu].scene: must be null for batches", v);
        if (!output.batch_ranges.empty() && output.batch_ranges.size() != batches_.size()) {
            return failure("outputs[%zu].batch_ranges: must be none or one for each of %zu batches, not %zu", v,
                           batches_.size(), output.batch_ranges.size());
        }
        for (std::size_t b = 0; b < batches_.size() && !output.draws.memory.empty(); ++b) {
            if (batches_[b].count() > 0 && batches_[b].draws.first == nullptr) {
                return failure("batches[%zu].draws.first: must not be null, outputs[%zu] asks for draws", b, v);
            }
        }
        if (output.explanation == nullptr) return {};
        const std::size_t objects = object_count(batches_), given = output.explanation->certificates.size();
        if (given == 0 || given == objects) return {};
        return failure("outputs[%zu].certificates: must be none or one for each of %zu objects, not %zu", v, objects,
                       given);
    }
    /// How many keys an ordered output needs: for each index.
    [[nodiscard]] std::uint64_t key_count() const {
        std::uint64_t most = 0;
        for (const Batch& batch : batches_) {
            if (batch.count() > 0) most = std::max(most, std::uint64_t{batch.first_index} + batch.count());
        }
        return most;
    }
    [[nodiscard]] Status check_masks(const CullOptions& options) const {
        const std::size_t masks = options.view_masks.size(), objects = object_count(batches_);
        if (masks == 0 || masks == objects) return {};
        return failure("options.view_masks: must be none or one for each of %zu objects, not %zu", objects, masks);
    }

    void split() {
        std::size_t r = 0, word = 0, object = 0;
        for (std::size_t b = 0; b < batches_.size(); ++b) {
            const std::uint32_t count = batches_[b].count(), objects = range_objects(batches_[b]);
            starts_[b] = {word, object, objects};
            for (std::size_t first = 0; first < count; first += objects)
                ranges_[r++] = {static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(first)};
            word += words_of(count);
            object += count;
        }
    }
    [[nodiscard]] Range range(std::size_t r) const {
        const auto [batch, first] = ranges_[r];
        const BatchStart& start = starts_[batch];
        const std::uint32_t count = std::min(start.range_objects, batches_[batch].count() - first);
        return {batch,
                first,
                count,
                words_of(count),
                static_cast<std::size_t>(start.word + first / 64),
                start.object + first};
    }
    [[nodiscard]] ListPlace list(const Range& range) const {
        const Batch& batch = batches_[range.batch];
        return {words_of(batch.count()) - range.first / 64, range.first == 0, batch.first_index + range.first,
                DrawCommands::of(batch.draws), range.first};
    }
    [[nodiscard]] static const double (&origin(const Range&))[3] {
        static constexpr double none[3] = {0, 0, 0};
        return none;
    }

    /// Writes masks of views, once for all views of a range.
    template <class Call>
    void write(const Call& call, std::size_t view, const Range& range, const ListedRange&) const {
        if (view != 0 || !call.wants_masks()) return;
        std::uint64_t* to = call.options.view_masks.data() + range.first_object;
        for (std::uint32_t first = 0; first < range.count; first += 64) {
            std::uint64_t kept[max_views], masks[64];
            for (std::size_t v = 0; v < call.views.size(); ++v) kept[v] = call.kept_words(v, range)[first / 64];
            masks_of({kept, call.views.size()}, masks);
            std::copy_n(masks, std::min(64u, range.count - first), to + first);
        }
    }

    /// Counts the visible objects of each batch.
    void finish(Output& output, std::span<const Result> results) const {
        if (output.batch_ranges.empty()) return;
        std::fill(output.batch_ranges.begin(), output.batch_ranges.end(), BatchRange{});
        for (std::size_t r = 0; r < results.size(); ++r)
            output.batch_ranges[ranges_[r].batch].count += results[r].visible;
        std::uint64_t first = 0;
        for (BatchRange& batch : output.batch_ranges) {
            batch.first = first;
            first += batch.count;
        }
    }

protected:
    [[nodiscard]] std::span<const Batch> batches() const { return batches_; }
    /// Completes a task: which objects of their batch the range has, and their certificates.
    static void place(const Range& range, const Output& output, RangeTask& task) {
        task.first = range.first;
        task.count = range.count;
        const Explanation* const why = output.explanation;
        task.certificates =
            why == nullptr ? nullptr : word_at(why->certificates, static_cast<std::size_t>(range.first_object));
    }

private:
    /// Where a batch begins among all of them.
    struct BatchStart {
        std::uint64_t word;
        std::uint64_t object;
        std::uint32_t range_objects;
    };
    /// What a call stores of a range. Every call writes all of these anew, and the other cores fetch them, at up to 0.2
    /// microseconds a cache line. So they have few bytes.
    struct RangeStart {
        std::uint32_t batch;
        std::uint32_t first;
    };

    std::span<const Batch> batches_;
    std::size_t range_count_, words_;
    std::span<BatchStart> starts_;
    std::span<RangeStart> ranges_;
};

}  // namespace lanecull
