#pragma once

/// Stage 2: decides what stage 1 leaves undecided. It tests the edges that stage 1 has not tested, and the directions
/// that the object proposes. Any direction may be proposed, for only the comparison proves anything.

#include <cstdint>

#include "flat/bound.hpp"
#include "flat/prepared_view.hpp"
#include "flat/shapes.hpp"
#include "flat/sides.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec2w.hpp"

namespace lanecull::flat {
namespace {

struct SeparatedW {
    MaskW outside;   // set: beyond an edge of the view, proved
    MaskW apart;     // set: apart along another direction, proved
    MaskW touching;  // set: apart along a direction as computed, by less than the bound
};

/// The least w . v over the view's corners v.
LANE_INLINE FloatW lowest(const PreparedView& view, const Vec2W& w) {
    FloatW least = dot(w, broadcast2(view.vertex[0]));
    for (std::uint32_t k = 1; k < view.vertex_count; ++k) least = min(least, dot(w, broadcast2(view.vertex[k])));
    return least;
}

/// Tests the view's edges from `first` on.
template <class Shape>
LANE_INLINE void try_edges(const PreparedView& view, const Shape& shape, std::uint32_t first, SeparatedW& found) {
    const FloatW bound = FloatW(error_factor) * shape.magnitude;
    for (std::uint32_t k = first; k < view.edge_count; ++k) {
        const FloatW farthest = shape.highest(broadcast2(view.normal[k])) + FloatW(view.offset[k]);
        found.outside = found.outside | (farthest < -bound);
        found.touching = found.touching | (farthest < FloatW(0.0f));
    }
}

/// Tests the directions that the shape proposes. They are scaled to a length near 1, so that nothing overflows; the
/// error of what underflows is within underflow_guard.
template <class Shape>
LANE_INLINE void try_proposals(const PreparedView& view, const Shape& shape, SeparatedW& found) {
    const FloatW bound = FloatW(error_factor) * (shape.magnitude + FloatW(view.magnitude));
    shape.propose(view, [&](const Vec2W& direction) LANE_LAMBDA {
        Vec2W w = direction * exponent_scale(one_norm(direction));
        const FloatW progress = shape.highest(w) - lowest(view, w);
        const FloatW margin = fma(bound, one_norm(w), progress + FloatW(underflow_guard));
        found.apart = found.apart | (margin < FloatW(0.0f));
        found.touching = found.touching | (progress < FloatW(0.0f));
    });
}

/// Set: the shape lies in the view, proved. It is in all of the view's half-planes by more than the bound.
template <class Shape>
LANE_INLINE MaskW wholly_inside(const PreparedView& view, const Shape& shape) {
    const FloatW bound = FloatW(error_factor) * shape.magnitude;
    MaskW inside = sound(shape.may_be_inside(), shape.magnitude);
    for (std::uint32_t k = 0; k < view.edge_count; ++k) {
        const FloatW depth = FloatW(view.inner_offset[k]) - shape.highest(-broadcast2(view.normal[k]));
        inside = inside & (depth > bound);
    }
    return inside;
}

}  // namespace
}  // namespace lanecull::flat
