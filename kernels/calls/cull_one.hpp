#pragma once

/// One object alone, in one view: whether it is drawn at all.

#include <algorithm>
#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/cull.hpp>

#include "base/float_modes.hpp"
#include "calls/kernel_table.hpp"
#include "calls/occluders.hpp"
#include "cull/kernel_work.hpp"

namespace lanecull {

/// The statistics of a cull that asks about one object of the batch; the others of its word count as no candidates.
inline Statistics cull_one(const KernelTable& kernels, const Batch& batch, std::uint32_t object,
                           const PreparedView& view) {
    const FloatModes modes;
    const std::uint64_t candidate = std::uint64_t{1} << object % 64;
    Statistics statistics;
    RangeTask task{};
    task.method = Method::automatic;
    task.first = object / 64 * 64;
    task.count = std::min(64u, batch.count() - task.first);
    task.candidates = &candidate;
    task.statistics = &statistics;
    kernels.cull[batch.shapes.index()]({task, batch.shapes.address(), &batch.attributes, &view, all_planes(view)});
    return statistics;
}

/// Whether an object is drawn in a view, as is_drawn() has it. Most batches have nothing that could keep one from being
/// drawn by a camera, and then it need not be asked about; a ball's view keeps out what is beyond its range.
inline bool object_is_drawn(const KernelTable& kernels, const Batch& batch, std::uint32_t object,
                            const PreparedView& view) {
    const Attributes& a = batch.attributes;
    const bool may_be_kept_out = a.flags != nullptr || a.layers != nullptr || a.max_distance != nullptr ||
                                 a.min_distance != nullptr || a.min_projected_size != nullptr;
    if (view.of_casters == 0 && !(view.light_range > 0) && !may_be_kept_out) return true;
    return is_drawn(cull_one(kernels, batch, object, view), view);
}

}  // namespace lanecull
