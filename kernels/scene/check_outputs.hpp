#pragma once

/// Preconditions of a scene's outputs.

#include <lanecull/scene.hpp>

#include "calls/check.hpp"
#include "calls/check_outputs.hpp"
#include "calls/occluders.hpp"
#include "scene/lod.hpp"

namespace lanecull {

/// Checks the occluders of view `v`, whose owners are objects of the scene.
inline Status check_occluders(const SceneOutput& output, const Scene& scene, std::size_t v) {
    if (Status status = check_occluders(output.occluders, output.hidden_counts.size(), v); !status) return status;
    for (std::size_t k = 0; k < output.occluders.size(); ++k) {
        for (const Owner& owner : output.occluders[k].owners) {
            std::uint32_t slot = 0;
            if (owner.batch == 0 && scene.slot_of(owner.object, slot)) continue;
            return Status::failure("outputs[%zu].occluders[%zu].owners: handle %u of batch %u names no object", v, k,
                                   owner.object, owner.batch);
        }
    }
    return {};
}

/// Checks the output of view `v`. Without `view`, a view by which no object is visible, distances and levels are not
/// looked at.
inline Status check_output(const SceneOutput& output, const PreparedView* view, std::size_t v, const Scene& scene) {
    const std::size_t words = scene.visibility_words(), blocks = scene.block_count();
    if (Status status = check_words(output.visible, words, v, "visible"); !status) return status;
    if (Status status = check_words(output.inside, words, v, "inside"); !status) return status;
    if (Status status = check_words(output.candidates, words, v, "candidates"); !status) return status;
    if (Status status = check_occluders(output, scene, v); !status) return status;
    if (Status status = check_draw_memory(output.draws, v); !status) return status;
    if (view != nullptr) {
        if (Status status = check_lod(output.lod, *view, v, scene.handle_limit()); !status) return status;
    }
    if (!output.hints.empty() && output.hints.size() != scene.hint_bytes()) {
        return Status::failure("outputs[%zu].hints: must be none or %zu (hint_bytes()), not %zu", v, scene.hint_bytes(),
                               output.hints.size());
    }
    if (!output.block_outcomes.empty() && output.block_outcomes.size() != blocks) {
        return Status::failure("outputs[%zu].block_outcomes: must be none or %zu (block_count()), not %zu", v, blocks,
                               output.block_outcomes.size());
    }
    return {};
}

/// Adds the memory of view `v`.
inline void add_output(CallMemory& memory, const SceneOutput& output, std::size_t v) {
    memory.add(output.visible.data(), output.visible.size_bytes(), v, "visible");
    memory.add(output.inside.data(), output.inside.size_bytes(), v, "inside");
    memory.add(output.handles.data(), output.handles.size_bytes(), v, "handles");
    memory.add(output.slots.data(), output.slots.size_bytes(), v, "slots");
    memory.add(output.runs.data(), output.runs.size_bytes(), v, "runs");
    memory.add(output.lod.distances.data(), output.lod.distances.size_bytes(), v, "lod.distances");
    memory.add(output.lod.levels.data(), output.lod.levels.size_bytes(), v, "lod.levels");
    memory.add(output.lod.latest.data(), output.lod.latest.size_bytes(), v, "lod.latest");
    memory.add(output.hints.data(), output.hints.size_bytes(), v, "hints");
    memory.add_read(output.candidates.data(), output.candidates.size_bytes(), v, "candidates");
    memory.add_read(output.occluders.data(), output.occluders.size_bytes(), v, "occluders");
    memory.add(output.hidden_counts.data(), output.hidden_counts.size_bytes(), v, "hidden_counts");
    memory.add(output.block_outcomes.data(), output.block_outcomes.size_bytes(), v, "block_outcomes");
    add_draws(memory, output.draws, v);
}

}  // namespace lanecull
