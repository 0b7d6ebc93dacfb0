#pragma once

/// A view's occluders in a call that culls: their rules, and what kernels get of them.

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/prepared_view.hpp>
#include <lanecull/status.hpp>

#include "cull/kernel_work.hpp"

namespace lanecull {

inline constexpr std::size_t max_occluders = 64;

/// Checks the occluders of view `v`, but for their owners, and how many counts there are.
[[nodiscard]] Status check_occluders(std::span<const Occluder> occluders, std::size_t counts, std::size_t v) noexcept;
/// The same with their owners, which are objects of the batches.
[[nodiscard]] Status check_occluders(const ViewOutput& output, std::span<const Batch> batches, std::size_t v) noexcept;

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

/// Whether an object is drawn in a view, by the statistics of a cull that asked about it alone. Where the view is of
/// shadow casters, what is culled for any reason is not drawn into the light's map. In other views an object that lies
/// outside of the volume is not drawn either, but hides nothing in it.
[[nodiscard]] inline bool is_drawn(const Statistics& of_one, const PreparedView& view) {
    if (view.of_casters != 0) return of_one.visible() == 1;
    return of_one.culled_distance + of_one.culled_near + of_one.culled_size + of_one.culled_disabled +
               of_one.culled_layer ==
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

}  // namespace lanecull
