#pragma once

/// What a pass culls: batches, or a scene. Both have the same functions, by which the steps that cull are written once.

#include <algorithm>

#include <lanecull/cull_pass.hpp>

#include "calls/check.hpp"
#include "calls/check_outputs.hpp"
#include "calls/visible_lists.hpp"
#include "scene/check_outputs.hpp"
#include "shadow/pass_contents.hpp"

namespace lanecull {

struct FlatTarget {
    using Output = ViewOutput;
    static constexpr const char* name = "batches";

    std::span<const Batch> batches;

    static Array<Output>& outputs(CullPass::Contents& pass) { return pass.outputs; }
    [[nodiscard]] std::size_t words() const { return visibility_words(batches); }
    [[nodiscard]] std::size_t scratch(std::size_t views) const { return scratch_bytes(batches, views); }
    [[nodiscard]] Status check() const { return check_batches(batches); }

    template <class ViewOf>
    [[nodiscard]] Status check_outputs(std::span<const Output> outputs, const ViewOf&) const {
        return lanecull::check_outputs(outputs, outputs.size(), batches, words());
    }
    static void add(CallMemory& memory, const Output& output, std::size_t v) { add_output(memory, output, v); }

    [[nodiscard]] Status cull(std::span<const View> views, std::span<Output> outputs, std::span<std::byte> scratch,
                              const CullOptions& options, const Runner& runner) const {
        return lanecull::cull(batches, views, outputs, scratch, options, runner);
    }
    [[nodiscard]] Status bounds(std::span<const std::uint64_t> visible, const PassCamera& camera,
                                std::span<const double> depths, std::span<WorldBox> boxes,
                                const WorldBoundsOptions& options) const {
        return slice_bounds(batches, visible, camera.clip_from_world, camera.clip_space, depths, boxes, options);
    }

    /// What a cull writes that has no candidate.
    void write_nothing(Output& output) const {
        std::fill(output.visible.begin(), output.visible.end(), 0);
        std::fill(output.inside.begin(), output.inside.end(), 0);
        std::fill(output.batch_ranges.begin(), output.batch_ranges.end(), BatchRange{});
        std::fill(output.hidden_counts.begin(), output.hidden_counts.end(), 0);
        std::fill(output.certificates.begin(), output.certificates.end(), Certificate{Reason::culled_candidate});
        output.visible_count = output.run_count = 0;
        output.statistics = {};
        output.statistics.objects = output.statistics.culled_candidate = object_count(batches);
        set_draw_count(output);
    }
};

struct SceneTarget {
    using Output = SceneOutput;
    static constexpr const char* name = "scene";

    const Scene& scene;

    static Array<Output>& outputs(CullPass::Contents& pass) { return pass.scene_outputs; }
    [[nodiscard]] std::size_t words() const { return scene.visibility_words(); }
    [[nodiscard]] std::size_t scratch(std::size_t views) const { return scene.scratch_bytes(views); }
    [[nodiscard]] Status check() const {
        return scene.stale() ? Status::failure(StatusCode::not_ready, "scene: has been edited since the last refit()")
                             : Status();
    }

    /// view_of(v): output v's View.
    template <class ViewOf>
    [[nodiscard]] Status check_outputs(std::span<const Output> outputs, const ViewOf& view_of) const {
        for (std::size_t v = 0; v < outputs.size(); ++v) {
            const View& view = view_of(v);
            const PreparedView* contents = view.prepared() ? &view.contents() : nullptr;
            if (Status status = check_output(outputs[v], contents, v, scene); !status) return status;
        }
        return {};
    }
    static void add(CallMemory& memory, const Output& output, std::size_t v) { add_output(memory, output, v); }

    [[nodiscard]] Status cull(std::span<const View> views, std::span<Output> outputs, std::span<std::byte> scratch,
                              const CullOptions& options, const Runner& runner) const {
        return scene.cull(views, outputs, scratch, options, runner);
    }
    [[nodiscard]] Status bounds(std::span<const std::uint64_t> visible, const PassCamera& camera,
                                std::span<const double> depths, std::span<WorldBox> boxes,
                                const WorldBoundsOptions& options) const {
        return scene.slice_bounds(visible, camera.clip_from_world, camera.clip_space, depths, boxes, options);
    }

    void write_nothing(Output& output) const {
        std::fill(output.visible.begin(), output.visible.end(), 0);
        std::fill(output.inside.begin(), output.inside.end(), 0);
        std::fill(output.block_outcomes.begin(), output.block_outcomes.end(), BlockOutcome::outside);
        std::fill(output.hidden_counts.begin(), output.hidden_counts.end(), 0);
        output.visible_count = output.run_count = 0;
        output.tested = {};
        output.outside_objects = scene.object_count();
        output.outside_blocks = scene.block_count();
        output.inside_objects = output.inside_blocks = output.mixed_blocks = 0;
        output.hidden_objects = output.hidden_blocks = 0;
        set_draw_count(output);
    }
};

}  // namespace lanecull
