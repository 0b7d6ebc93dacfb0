#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/cull.h>

#include "view/prepared_occluder.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// For tests and benchmarks, no method of the interface: GJK for every object.
inline constexpr auto gjk_alone = static_cast<Method>(255);

/// What a kernel is to do with a range of solids or of 2D shapes, and where it writes the results.
struct RangeTask {
    Method method;
    std::uint32_t first;              ///< multiple of 64
    std::uint32_t count;              ///< objects
    const std::uint64_t* candidates;  ///< caller's words for this range: set bits are tested; or null: all are
    /// The first of the view's occluders, `occluder_stride` bytes apart; or null.
    const PreparedOccluder* occluders;
    /// What the occluders' coordinates are relative to, in the batch's own: their origin less the batch's. It is off by
    /// at most `occluder_error`, summed over the axes.
    float occluder_origin[3];
    float occluder_error;
    std::size_t occluder_stride;
    std::uint64_t counting;     ///< bit k: occluder k may hide objects of the range
    std::uint32_t* hidden;      ///< [occluder]: receives how many more objects it hides; or null
    std::uint64_t* visible;     ///< caller's words for this range, written once; or null
    std::uint64_t* kept;        ///< scratch words for this range; or null
    std::uint64_t* inside;      ///< caller's words of what is wholly inside; or null
    Certificate* certificates;  ///< the range's own; or null
    Counts* counts;             ///< this range's own, overwritten
};

/// One range of one batch of solids against one view: all that a kernel works on. It touches nothing else.
struct RangeWork : RangeTask {
    const void* shapes;  ///< the batch's Spheres, Boxes, ... as the table's entry expects
    const Attributes* attributes;
    const PreparedView* view;
    /// Bit k set: stage 1 tests plane k, one of the first PreparedView::stage_one_planes. Clear: each object is known
    /// to lie on the inner side of plane k. Planes beyond the first have no bit (cull/planes_first.hpp).
    std::uint32_t planes;
    /// For each word of the range: of the bits of `counting` those of occluders that may hide any of its objects. Null:
    /// each may.
    const std::uint64_t* counting_of_word = nullptr;
};
/// The bits of those of the first stage_one_planes planes that the view has: RangeWork::planes where nothing is known.
constexpr std::uint32_t all_planes(const PreparedView& view) {
    return (1u << (view.plane_count < PreparedView::stage_one_planes ? view.plane_count
                                                                     : PreparedView::stage_one_planes)) -
           1;
}

using RangeKernel = void(const RangeWork&);

}  // namespace lanecull
