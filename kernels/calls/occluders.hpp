#pragma once

/// A view's occluders in a call that culls: their rules, what kernels get of them, and whether the objects that draw
/// what covers them are drawn themselves.

#include <lanecull/batch.h>
#include <lanecull/cull.h>
#include <lanecull/occluder.h>
#include <lanecull/types.h>
#include "calls/kinds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/float_modes.hpp"
#include "calls/kernel_table.hpp"
#include "cull/kernel_work.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

inline constexpr std::size_t max_occluders = 64;

/// Checks a view's occluders, but for their owners.
[[nodiscard]] Status check_occluders(std::span<const Occluder> occluders) noexcept;
/// Checks the occluders of view `v`, but for their owners, and how many counts there are.
[[nodiscard]] Status check_occluders(std::span<const Occluder> occluders, std::size_t counts, std::size_t v) noexcept;
/// Bits of all occluders, there being at most 64.
[[nodiscard]] inline std::uint64_t bits_of(std::span<const Occluder> occluders) {
    return occluders.size() == max_occluders ? ~std::uint64_t{0} : (std::uint64_t{1} << occluders.size()) - 1;
}

/// Adds what one task counted to a view's counts, which other tasks add to as well.
inline void add_hidden(const std::uint32_t (&counted)[max_occluders], std::span<std::uint32_t> counts) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
        // The compiler's own: libc++ has no std::atomic_ref before its version 19.
        if (counted[k] != 0) __atomic_fetch_add(&counts[k], counted[k], __ATOMIC_RELAXED);
    }
}

/// Hands a view's occluders to a kernel. `origin`: what the batch's coordinates are relative to.
void set_occluders(std::span<const Occluder> occluders, std::uint64_t counting, const double (&origin)[3],
                   RangeTask& task);

/// Whether an object is drawn in a view, by the counts of a cull of it alone. Where the view is of
/// shadow casters, what is culled for any reason is not drawn into the light's map. In other views an object that lies
/// outside of the volume is not drawn either, but hides nothing in it.
[[nodiscard]] inline bool is_drawn(const Counts& of_one, const PreparedView& view) {
    if (view.of_casters != 0) return of_one.visible() == 1;
    return of_one[Reason::culled_distance] + of_one[Reason::culled_near] + of_one[Reason::culled_size] +
               of_one[Reason::culled_disabled] + of_one[Reason::culled_layer] ==
           0;
}

/// Calls `drawn(owner)` for each owner until one is not. Returns the bits of the occluders all of whose owners are.
template <class Drawn>
[[nodiscard]] std::uint64_t counting_of(std::span<const Occluder> occluders, const Drawn& drawn) {
    std::uint64_t counting = bits_of(occluders);
    for (std::size_t k = 0; k < occluders.size(); ++k) {
        for (const Owner& owner : occluders[k].owners) {
            if (drawn(owner)) continue;
            counting &= ~(std::uint64_t{1} << k);
            break;
        }
    }
    return counting;
}

/// The counts of a cull of one object of the batch; the others of its word count as no candidates.
inline Counts cull_one(const KernelTable& kernels, const Batch& batch, std::uint32_t object, const PreparedView& view) {
    const FloatModes modes;
    const std::uint64_t candidate = std::uint64_t{1} << object % 64;
    Counts counts;
    RangeTask task{};
    task.method = Method::automatic;
    task.first = object / 64 * 64;
    task.count = std::min(64u, batch.count() - task.first);
    task.candidates = &candidate;
    task.counts = &counts;
    kernels.cull[place_of(batch)]({task, &batch.shapes, &batch.attributes, &view, all_planes(view)});
    return counts;
}

/// Whether an object is drawn in a view, as is_drawn() has it. Most batches have nothing that could keep one from being
/// drawn by a camera, and then it need not be tested; a ball's view keeps out what is beyond its range.
inline bool object_is_drawn(const KernelTable& kernels, const Batch& batch, std::uint32_t object,
                            const PreparedView& view) {
    const Attributes& a = batch.attributes;
    const bool may_be_kept_out = a.flags != nullptr || a.layers != nullptr || a.max_distance != nullptr ||
                                 a.min_distance != nullptr || a.min_projected_size != nullptr;
    if (view.of_casters == 0 && !(view.light_range > 0) && !may_be_kept_out) return true;
    return is_drawn(cull_one(kernels, batch, object, view), view);
}

}  // namespace lanecull
