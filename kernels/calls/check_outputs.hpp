#pragma once

/// Preconditions of a call's outputs and options. Batch is a batch of solids or of 2D shapes.

#include "calls/check.hpp"
#include "calls/occluders.hpp"

namespace lanecull {

/// Checks where the commands of view `v` go.
inline Status check_draw_memory(const DrawOutput& draws, std::size_t v) {
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
    return {};
}

inline void add_draws(CallMemory& memory, const DrawOutput& draws, std::size_t v) {
    memory.add(draws.memory.data(), draws.memory.size(), v, "draws.memory");
    memory.add(draws.count, draws.count != nullptr ? sizeof(std::uint32_t) : 0, v, "draws.count");
}

template <class Batch>
Status check_draws(const DrawOutput& draws, std::size_t v, std::span<const Batch> batches) {
    if (Status status = check_draw_memory(draws, v); !status || draws.memory.empty()) return status;
    for (std::size_t b = 0; b < batches.size(); ++b) {
        if (batches[b].count() > 0 && batches[b].draws.first == nullptr) {
            return Status::failure("batches[%zu].draws.first: must not be null, outputs[%zu] asks for draws", b, v);
        }
    }
    return {};
}

template <class Batch>
std::size_t object_count(std::span<const Batch> batches) {
    std::size_t objects = 0;
    for (const Batch& batch : batches) objects += batch.count();
    return objects;
}

template <class Batch>
Status check_certificates(std::span<const Certificate> given, std::span<const Batch> batches, std::size_t v) {
    const std::size_t objects = object_count(batches);
    if (given.empty() || given.size() == objects) return {};
    return Status::failure("outputs[%zu].certificates: must be none or one for each of %zu objects, not %zu", v,
                           objects, given.size());
}

template <class Batch>
Status check_outputs(std::span<const ViewOutput> outputs, std::size_t view_count, std::span<const Batch> batches,
                     std::size_t words) {
    if (outputs.size() != view_count) {
        return Status::failure("outputs: there must be one for each of the %zu views, not %zu", view_count,
                               outputs.size());
    }
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        if (Status status = check_words(outputs[v].visible, words, v, "visible"); !status) return status;
        if (Status status = check_words(outputs[v].inside, words, v, "inside"); !status) return status;
        if (Status status = check_words(outputs[v].candidates, words, v, "candidates"); !status) return status;
        if (!outputs[v].batch_ranges.empty() && outputs[v].batch_ranges.size() != batches.size()) {
            return Status::failure("outputs[%zu].batch_ranges: must be none or one for each of %zu batches, not %zu", v,
                                   batches.size(), outputs[v].batch_ranges.size());
        }
        if (Status status = check_certificates(outputs[v].certificates, batches, v); !status) return status;
        if (Status status = check_draws(outputs[v].draws, v, batches); !status) return status;
        if (Status status = check_occluders(outputs[v], batches, v); !status) return status;
    }
    return {};
}

/// Adds the memory of view `v`.
inline void add_output(CallMemory& memory, const ViewOutput& output, std::size_t v) {
    memory.add(output.visible.data(), output.visible.size_bytes(), v, "visible");
    memory.add(output.inside.data(), output.inside.size_bytes(), v, "inside");
    memory.add(output.indices.data(), output.indices.size_bytes(), v, "indices");
    memory.add(output.runs.data(), output.runs.size_bytes(), v, "runs");
    memory.add(output.batch_ranges.data(), output.batch_ranges.size_bytes(), v, "batch_ranges");
    memory.add(output.certificates.data(), output.certificates.size_bytes(), v, "certificates");
    memory.add_read(output.candidates.data(), output.candidates.size_bytes(), v, "candidates");
    memory.add_read(output.occluders.data(), output.occluders.size_bytes(), v, "occluders");
    memory.add(output.hidden_counts.data(), output.hidden_counts.size_bytes(), v, "hidden_counts");
    add_draws(memory, output.draws, v);
}

inline Status check_overlaps(std::span<const ViewOutput> outputs, std::span<const std::byte> scratch,
                             std::span<const std::uint64_t> masks) {
    CallMemory memory;
    memory.add(scratch.data(), scratch.size(), CallMemory::own, "scratch");
    memory.add(masks.data(), masks.size_bytes(), CallMemory::own, "options.view_masks");
    for (std::size_t v = 0; v < outputs.size(); ++v) add_output(memory, outputs[v], v);
    return memory.check_overlaps();
}

template <class Batch>
Status check_options(const CullOptions& options, const Runner& runner, std::span<const Batch> batches) {
    const std::size_t masks = options.view_masks.size(), objects = object_count(batches);
    if (masks != 0 && masks != objects) {
        return Status::failure("options.view_masks: must be none or one for each of %zu objects, not %zu", objects,
                               masks);
    }
    return check_how(options, runner);
}

}  // namespace lanecull
