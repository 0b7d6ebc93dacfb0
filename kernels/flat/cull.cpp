/// The entry points for 2D shapes. calls/cull_call.hpp does the work.

#include <lanecull/flat.h>

#include "base/failure.hpp"
#include "calls/batches.hpp"
#include "flat/kind_list.hpp"
#include "flat/prepared_view.hpp"
#include "flat/work.hpp"

namespace lanecull::flat {
namespace {

/// Batches of 2D shapes, culled by the kernels of one instruction set.
class Figures : public BatchSpace<Batch, View> {
public:
    Figures(std::span<const Batch> batches, const FlatTable& kernels) : BatchSpace(batches), kernels_(kernels) {}

    static constexpr bool has_depth = false;

    [[nodiscard]] Status check(const Output& output, const PreparedView*, std::size_t v) const {
        if (is_ordered(output)) return failure("outputs[%zu].order: 2D shapes have no depth", v);
        if (!output.occluders.empty()) return failure("outputs[%zu].occluders: solids hide no figures", v);
        return check_lists(output, v);
    }
    static std::uint64_t begin(const View&, const Output&, std::size_t) { return 0; }

    void cull_range(const View& view, const Output& output, const Range& range, RangeTask& task, Result& result,
                    std::size_t) const {
        const Batch& batch = batches()[range.batch];
        place(range, output, task);
        kernels_.cull[place_of(batch)]({task, &batch.shapes, &contents_of(view)});
        result.visible = result.counts.visible();
        if (task.certificates != nullptr) certify(batch, contents_of(view), task);
    }

private:
    const FlatTable& kernels_;
};

}  // namespace

}  // namespace lanecull::flat

using namespace lanecull;

size_t lanecull_flat_visibility_words(const lanecull_flat_batch* batches, size_t batch_count) noexcept {
    return word_count(std::span(batches, batch_count));
}

size_t lanecull_flat_scratch_bytes(const lanecull_flat_batch* batches, size_t batch_count, size_t view_count) noexcept {
    const flat::Figures figures({batches, batch_count}, table_of<flat::FlatTable>(Isa::automatic));
    return Call<flat::Figures>::bytes(figures, view_count);
}

lanecull_status lanecull_flat_cull(const lanecull_flat_cull_call* call) noexcept {
    if (call == nullptr) return failure("call: must not be null");
    const auto& [batches, views, outputs, scratch, options] = *call;
    const KernelTable* kernels = nullptr;  // for the lists
    if (Status status = check_span(batches, "batches"); !status) return status;
    if (Status status = check_spans(views, outputs, scratch, options); !status) return status;
    if (Status status = flat::check_batches(batches); !status) return status;
    if (Status status = flat::check_views(views); !status) return status;
    if (Status status = check_how(options); !status) return status;
    if (options.method == gjk_alone) return failure("options.method: there is no gjk in the plane");
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    flat::Figures figures(batches, table_of<flat::FlatTable>(kernels->facts->isa));
    if (Status status = figures.check_masks(options); !status) return status;
    return run_call(figures, *kernels, views, outputs, scratch, options);
}
