/// The entry points for batches of solids and for scenes. calls/cull_call.hpp does the work.

#include <lanecull/cull.hpp>

#include <algorithm>

#include "calls/batches.hpp"
#include "scene/objects.hpp"
#include "scene/scene_space.hpp"

namespace lanecull {
namespace {

/// Batches of solids, culled by the kernels of one instruction set.
class Solids : public BatchSpace<Batch, View> {
public:
    Solids(std::span<const Batch> batches, const KernelTable& kernels) : BatchSpace(batches), kernels_(kernels) {}

    [[nodiscard]] Status check(const Output& output, const PreparedView*, std::size_t v) const {
        for (std::size_t k = 0; k < output.occluders.size(); ++k) {
            for (const Owner& owner : output.occluders[k].owners) {
                if (owner.batch < batches().size() && owner.object < batches()[owner.batch].count()) continue;
                return Status::failure("outputs[%zu].occluders[%zu].owners: there is no object %u of batch %u", v, k,
                                       owner.object, owner.batch);
            }
        }
        return check_lists(output, v);
    }

    /// Bit k: what covers occluder k is drawn in the view, as far as its owners tell.
    [[nodiscard]] std::uint64_t begin(const View& view, const Output& output, std::size_t) const {
        return counting_of(output.occluders, [&](const Owner& owner) {
            if (!output.candidates.empty()) {
                const std::size_t word = word_count(batches().first(owner.batch)) + owner.object / 64;
                if ((output.candidates[word] >> owner.object % 64 & 1) == 0) return false;
            }
            return object_is_drawn(kernels_, batches()[owner.batch], owner.object, view.contents());
        });
    }

    void cull_range(const View& view, const Output& output, const Range& range, RangeTask& task, Result& result,
                    std::size_t) const {
        const Batch& batch = batches()[range.batch];
        place(range, output, task);
        kernels_.cull[batch.shapes.index()](
            {task, batch.shapes.address(), &batch.attributes, &view.contents(), all_planes(view.contents())});
        result.visible = result.counts.visible();
        if (task.certificates == nullptr) return;
        batch.shapes.visit(
            [&]<class Shapes>(const Shapes& s) { KindTraits<Shapes>::certify(s, view.contents(), task); });
    }

private:
    const KernelTable& kernels_;
};

/// Calls visit(space) with what is culled as a space.
template <class Visit>
auto with_space(const Objects& objects, const KernelTable& kernels, const Visit& visit) {
    if (objects.scene == nullptr) return visit(Solids(objects.batches, kernels));
    return visit(SceneSpace(*objects.scene, *SceneAccess::contents(*objects.scene), kernels));
}

/// Kernels for questions that any set answers alike.
const KernelTable& any_kernels() { return table_of<KernelTable>(Isa::automatic); }

bool has_memory(const Objects& objects) {
    return objects.scene == nullptr || SceneAccess::contents(*objects.scene) != nullptr;
}

/// What a call may not ask of this space.
Status check_masks(const Objects& objects, const CullOptions& options) {
    if (objects.scene == nullptr) return Solids(objects.batches, any_kernels()).check_masks(options);
    return options.view_masks.empty() ? Status() : Status::failure("options.view_masks: a scene has none");
}

}  // namespace

Status check_objects(const Objects& objects) noexcept {
    if (objects.scene == nullptr) return check_batches(objects.batches);
    if (!has_memory(objects)) return Status::failure(StatusCode::out_of_memory, "scene: there is not enough memory");
    if (!objects.batches.empty()) return Status::failure("objects: must be batches or a scene, not both");
    if (!objects.scene->stale()) return {};
    return Status::failure(StatusCode::not_ready, "scene: has been edited since the last refit()");
}

Status check_outputs(const Objects& objects, std::span<const Output> outputs, const ViewOf& view_of) noexcept {
    return with_space(objects, any_kernels(),
                      [&](const auto& space) { return check_outputs(space, outputs, view_of); });
}

void write_nothing(const Objects& objects, Output& output) noexcept {
    std::fill(output.visible.begin(), output.visible.end(), 0);
    std::fill(output.inside.begin(), output.inside.end(), 0);
    std::fill(output.batch_ranges.begin(), output.batch_ranges.end(), BatchRange{});
    std::fill(output.hidden_counts.begin(), output.hidden_counts.end(), 0);
    output.visible_count = output.run_count = 0;
    set_draw_count(output);
    if (Explanation* const why = output.explanation; why != nullptr) {
        std::fill(why->certificates.begin(), why->certificates.end(), Certificate{Reason::culled_candidate});
        why->counts = {};
        why->counts[Reason::culled_candidate] = object_count(objects.batches);
    }
    if (SceneOutput* const to = output.scene; to != nullptr) {
        std::fill(to->block_outcomes.begin(), to->block_outcomes.end(), BlockOutcome::outside);
        to->outside_objects = objects.scene->object_count();
        to->outside_blocks = objects.scene->block_count();
        to->inside_objects = to->inside_blocks = to->mixed_blocks = 0;
        to->hidden_objects = to->hidden_blocks = 0;
    }
}

std::size_t visibility_words(const Objects& objects) noexcept {
    return objects.scene == nullptr ? word_count(objects.batches)
                                    : static_cast<std::size_t>(objects.scene->slot_count() / 64);
}

std::size_t scratch_bytes(const Objects& objects, std::size_t view_count) noexcept {
    if (!has_memory(objects)) return 0;
    return with_space(objects, any_kernels(),
                      [&]<class Space>(const Space& space) { return Call<Space>::bytes(space, view_count); });
}

std::size_t Scene::hint_bytes() const noexcept { return contents_ != nullptr ? SceneSizes(*contents_).hints : 0; }

Status cull(const Objects& objects, std::span<const View> views, std::span<Output> outputs,
            std::span<std::byte> scratch, const CullOptions& options) noexcept {
    const KernelTable* kernels = nullptr;
    if (Status status = check_objects(objects); !status) return status;
    if (Status status = check_views(views); !status) return status;
    if (Status status = check_how(options); !status) return status;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    if (Status status = check_masks(objects, options); !status) return status;
    if (objects.scene == nullptr) {
        return run_call(Solids(objects.batches, *kernels), *kernels, views, outputs, scratch, options);
    }
    const Scene::Contents& contents = *SceneAccess::contents(*objects.scene);
    return run_call(SceneSpace(*objects.scene, contents, *kernels), *kernels, views, outputs, scratch, options);
}

}  // namespace lanecull
