/// The entry points for solids. calls/cull_call.hpp does the work.

#include <lanecull/cull.hpp>

#include "calls/check.hpp"
#include "calls/cull_call.hpp"
#include "calls/every_layout.hpp"
#include "calls/occluders.hpp"

namespace lanecull {
namespace {

/// Culls batches of solids by the kernels of one instruction set.
struct Solids {
    using Batch = lanecull::Batch;
    using View = lanecull::View;

    const KernelTable& kernels;

    /// Bit k: what covers occluder k is drawn in the view, as far as its owners tell.
    [[nodiscard]] std::uint64_t counting_occluders(std::span<const Batch> batches, const View& view,
                                                   const ViewOutput& output) const {
        return counting_of(output.occluders, [&](const Owner& owner) {
            if (!output.candidates.empty()) {
                const std::size_t word = word_count(batches.first(owner.batch)) + owner.object / 64;
                if ((output.candidates[word] >> owner.object % 64 & 1) == 0) return false;
            }
            return object_is_drawn(kernels, batches[owner.batch], owner.object, view.contents());
        });
    }

    void cull_range(const Batch& batch, const View& view, const RangeTask& task) const {
        kernels.cull[batch.shapes.index()](
            {task, batch.shapes.address(), &batch.attributes, &view.contents(), all_planes(view.contents())});
        if (task.certificates == nullptr) return;
        batch.shapes.visit(
            [&]<class Shapes>(const Shapes& s) { KindTraits<Shapes>::certify(s, view.contents(), task); });
    }
};

}  // namespace

Statistics& Statistics::operator+=(const Statistics& other) noexcept {
    objects += other.objects;
    culled_plane += other.culled_plane;
    culled_gjk += other.culled_gjk;
    culled_distance += other.culled_distance;
    culled_near += other.culled_near;
    culled_size += other.culled_size;
    culled_disabled += other.culled_disabled;
    culled_layer += other.culled_layer;
    culled_candidate += other.culled_candidate;
    culled_occluded += other.culled_occluded;
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

std::size_t visibility_words(std::span<const Batch> batches) noexcept { return word_count(batches); }

std::size_t scratch_bytes(std::span<const Batch> batches, std::size_t view_count) noexcept {
    return call_scratch_bytes(batches, view_count);
}

Runner serial_runner() noexcept {
    return {nullptr, [](void*, std::uint32_t count, Task task) {
                for (std::uint32_t i = 0; i < count; ++i) task(i);
            }};
}

Status cull(std::span<const Batch> batches, std::span<const View> views, std::span<ViewOutput> outputs,
            std::span<std::byte> scratch, const CullOptions& options, const Runner& runner) noexcept {
    const KernelTable* kernels = nullptr;
    if (Status status = check_batches(batches); !status) return status;
    if (Status status = check_views(views); !status) return status;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    return run_call(Solids{*kernels}, *kernels, batches, views, outputs, scratch, options, runner);
}

}  // namespace lanecull
