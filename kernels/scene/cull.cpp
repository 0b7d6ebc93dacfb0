/// The entry points for batches of solids and for scenes. calls/cull_call.hpp does the work.

#include <lanecull/cull.h>

#include <algorithm>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "calls/batches.hpp"
#include "calls/kinds.hpp"
#include "scene/objects.hpp"
#include "scene/scene_space.hpp"

namespace lanecull {
namespace {

/// Batches of solids, culled by the kernels of one instruction set.
class Solids : public BatchSpace<Batch, View> {
public:
    Solids(std::span<const Batch> batches, const KernelTable& kernels) : BatchSpace(batches), kernels_(kernels) {}

    static constexpr bool has_depth = true;

    [[nodiscard]] Status check(const Output& output, const PreparedView* view, std::size_t v) const {
        if (Status status = check_order(output, view, key_count(), words(), v); !status) return status;
        for (std::size_t k = 0; k < output.occluders.size(); ++k) {
            for (const Owner& owner : output.occluders[k].owners) {
                if (owner.batch < batches().size() && owner.object < batches()[owner.batch].count()) continue;
                return failure("outputs[%zu].occluders[%zu].owners: there is no object %u of batch %u", v, k,
                               owner.object, owner.batch);
            }
        }
        if (is_small && output.explanation != nullptr && !output.explanation->certificates.empty()) {
            return failure(StatusCode::unsupported, "outputs[%zu].certificates: this build has none", v);
        }
        return check_lists(output, v);
    }

    /// Bit k: what covers occluder k is drawn in the view, as far as its owners show.
    [[nodiscard]] std::uint64_t begin(const View& view, const Output& output, std::size_t) const {
        return counting_of(output.occluders, [&](const Owner& owner) {
            if (!output.candidates.empty()) {
                const std::size_t word = word_count(batches().first(owner.batch)) + owner.object / 64;
                if ((output.candidates[word] >> owner.object % 64 & 1) == 0) return false;
            }
            return object_is_drawn(kernels_, batches()[owner.batch], owner.object, contents_of(view));
        });
    }

    void cull_range(const View& view, const Output& output, const Range& range, RangeTask& task, Result& result,
                    std::size_t) const {
        const Batch& batch = batches()[range.batch];
        place(range, output, task);
        kernels_.cull[place_of(batch)](
            {task, &batch.shapes, &batch.attributes, &contents_of(view), all_planes(contents_of(view))});
        result.visible = result.counts.visible();
        if (is_small || task.certificates == nullptr) return;
        visit(batch, [&]<class Shapes>(const Shapes& s) { KindTraits<Shapes>::certify(s, contents_of(view), task); });
    }

    NumberRange note(const KernelTable& kernels, const View& view, ListOrder order, const Range& range, KeptRange kept,
                     std::span<OrderEntry> to) const {
        kept.first = range.first;
        return note_entries(kernels, batches()[range.batch], contents_of(view).sight, order, kept, to);
    }
    [[nodiscard]] static const Handle* handles(const Range&) { return nullptr; }

private:
    const KernelTable& kernels_;
};

/// The batches, or none where there is no memory for them.
std::span<const Batch> batches_of(const Objects& objects) {
    return is_backed(objects.batches) ? objects.batches : Span<const Batch>();
}

/// Calls visit(space) with what is culled as a space.
template <class Visit>
auto with_space(const Objects& objects, const KernelTable& kernels, const Visit& visit) {
    if (is_small || objects.scene == nullptr) return visit(Solids(batches_of(objects), kernels));
    return visit(SceneSpace(*objects.scene, kernels));
}

/// Kernels for questions that any set answers alike.
const KernelTable& any_kernels() { return table_of<KernelTable>(Isa::automatic); }

/// Refuses what this space does not offer.
Status check_masks(const Objects& objects, const CullOptions& options) {
    if (options.view_masks.empty()) return {};
    if (objects.scene != nullptr) return failure("options.view_masks: a scene has none");
    return Solids(objects.batches, any_kernels()).check_masks(options);
}

}  // namespace

Status check_objects(const Objects& objects) noexcept {
    if (Status status = check_span(objects.batches, "batches"); !status) return status;
    if (objects.scene == nullptr) return check_batches(objects.batches);
    if (is_small) return failure(StatusCode::unsupported, "scene: this build has none");
    if (!objects.batches.empty()) return failure("objects: must be batches or a scene, not both");
    if (!objects.scene->is_stale()) return {};
    return failure(StatusCode::not_ready, "scene: has been edited since the last refit()");
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
        why->counts[Reason::culled_candidate] = object_count(std::span<const Batch>(objects.batches));
    }
    if (SceneOutput* const to = output.scene; to != nullptr) {
        std::fill(to->block_outcomes.begin(), to->block_outcomes.end(), BlockOutcome::outside);
        to->outside_objects = objects.scene->objects;
        to->outside_blocks = objects.scene->blocks();
        to->inside_objects = to->inside_blocks = to->mixed_blocks = 0;
        to->hidden_objects = to->hidden_blocks = 0;
    }
}

}  // namespace lanecull

using namespace lanecull;

size_t lanecull_visibility_words(const lanecull_objects* objects) noexcept {
    if (objects == nullptr) return 0;
    return objects->scene == nullptr ? word_count(batches_of(*objects))
                                     : static_cast<std::size_t>(objects->scene->slots() / 64);
}

size_t lanecull_scratch_bytes(const lanecull_objects* objects, size_t view_count) noexcept {
    if (objects == nullptr) return 0;
    return with_space(*objects, any_kernels(),
                      [&]<class Space>(const Space& space) { return Call<Space>::bytes(space, view_count); });
}

size_t lanecull_order_bytes(const lanecull_objects* objects, size_t ordered_views) noexcept {
    if (objects == nullptr) return 0;
    return with_space(*objects, any_kernels(),
                      [&]<class Space>(const Space& space) { return Call<Space>::order_bytes(space, ordered_views); });
}

size_t lanecull_scene_hint_bytes(const lanecull_scene* scene) noexcept {
    return scene != nullptr ? SceneSizes(*scene).hints : 0;
}

lanecull_status lanecull_cull(const lanecull_cull_call* call) noexcept {
    if (Status status = check_not_null(call, "call"); !status) return status;
    const auto& [objects, views, outputs, scratch, options] = *call;
    const KernelTable* kernels = nullptr;
    if (Status status = check_objects(objects); !status) return status;
    if (Status status = check_spans(views, outputs, scratch, options); !status) return status;
    if (Status status = check_views(views); !status) return status;
    if (Status status = check_how(options); !status) return status;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    if (Status status = check_masks(objects, options); !status) return status;
    if (is_small || objects.scene == nullptr) {
        Solids solids(objects.batches, *kernels);
        return to_c(run_call(solids, *kernels, views, outputs, scratch, options));
    }
    SceneSpace scene(*objects.scene, *kernels);
    return to_c(run_call(scene, *kernels, views, outputs, scratch, options));
}
