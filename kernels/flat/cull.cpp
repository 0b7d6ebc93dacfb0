/// The entry points for 2D shapes. calls/cull_call.hpp does the work.

#include <lanecull/flat/cull.hpp>

#include "calls/cull_call.hpp"
#include "flat/work.hpp"

namespace lanecull::flat {
namespace {

/// Culls batches of 2D shapes by the kernels of one instruction set.
struct Figures {
    using Batch = flat::Batch;
    using View = flat::View;

    const KernelTable& kernels;

    void cull_range(const Batch& batch, const View& view, const RangeTask& task) const {
        kernels.cull[batch.shapes.index()]({task, batch.shapes.address(), &view.contents()});
        if (task.certificates != nullptr) certify(batch, view.contents(), task);
    }
    static std::uint64_t counting_occluders(std::span<const Batch>, const View&, const ViewOutput&) { return 0; }
};

}  // namespace

std::size_t visibility_words(std::span<const Batch> batches) noexcept { return word_count(batches); }

std::size_t scratch_bytes(std::span<const Batch> batches, std::size_t view_count) noexcept {
    return call_scratch_bytes(batches, view_count);
}

Status cull(std::span<const Batch> batches, std::span<const View> views, std::span<ViewOutput> outputs,
            std::span<std::byte> scratch, const CullOptions& options, const Runner& runner) noexcept {
    const lanecull::KernelTable* kernels = nullptr;  // for the lists
    if (Status status = check_batches(batches); !status) return status;
    if (Status status = check_views(views); !status) return status;
    if (options.method == Method::gjk) return Status::failure("options.method: there is no gjk in the plane");
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    return run_call(Figures{table_of<KernelTable>(kernels->facts->isa)}, *kernels, batches, views, outputs, scratch,
                    options, runner);
}

}  // namespace lanecull::flat
