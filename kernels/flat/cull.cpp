/// The entry points for 2D shapes. calls/cull_call.hpp does the work.

#include <lanecull/flat/cull.hpp>

#include "calls/batches.hpp"
#include "flat/work.hpp"

namespace lanecull::flat {
namespace {

/// Batches of 2D shapes, culled by the kernels of one instruction set.
class Figures : public BatchSpace<Batch, View> {
public:
    Figures(std::span<const Batch> batches, const KernelTable& kernels) : BatchSpace(batches), kernels_(kernels) {}

    [[nodiscard]] Status check(const Output& output, const PreparedView*, std::size_t v) const {
        if (!output.occluders.empty()) return Status::failure("outputs[%zu].occluders: solids hide no figures", v);
        return check_lists(output, v);
    }
    static std::uint64_t begin(const View&, const Output&, std::size_t) { return 0; }

    void cull_range(const View& view, const Output& output, const Range& range, RangeTask& task, Result& result,
                    std::size_t) const {
        const Batch& batch = batches()[range.batch];
        place(range, output, task);
        kernels_.cull[batch.shapes.index()]({task, batch.shapes.address(), &view.contents()});
        result.visible = result.counts.visible();
        if (task.certificates != nullptr) certify(batch, view.contents(), task);
    }

private:
    const KernelTable& kernels_;
};

}  // namespace

std::size_t visibility_words(std::span<const Batch> batches) noexcept { return word_count(batches); }

std::size_t scratch_bytes(std::span<const Batch> batches, std::size_t view_count) noexcept {
    return Call<Figures>::bytes(Figures(batches, table_of<KernelTable>(Isa::automatic)), view_count);
}

Status cull(std::span<const Batch> batches, std::span<const View> views, std::span<Output> outputs,
            std::span<std::byte> scratch, const CullOptions& options) noexcept {
    const lanecull::KernelTable* kernels = nullptr;  // for the lists
    if (Status status = check_batches(batches); !status) return status;
    if (Status status = check_views(views); !status) return status;
    if (Status status = check_how(options); !status) return status;
    if (options.method == gjk_alone) return Status::failure("options.method: there is no gjk in the plane");
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    const Figures figures(batches, table_of<KernelTable>(kernels->facts->isa));
    if (Status status = figures.check_masks(options); !status) return status;
    return run_call(figures, *kernels, views, outputs, scratch, options);
}

}  // namespace lanecull::flat
