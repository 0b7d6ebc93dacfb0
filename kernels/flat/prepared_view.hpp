#pragma once

#include <lanecull/flat.h>

#include <cstdint>

#include "base/opaque.hpp"

namespace lanecull::flat {

/// What the library reads of a view. prepare_view() makes it. Each number is rounded outward: the set that it describes
/// contains the view.
///
/// *Relative* coordinates are q = p - origin.
struct PreparedView {
    static constexpr std::uint32_t max_edges = 16;
    static constexpr std::uint32_t stage_one_edges = 4;  ///< stage 1 tests the first so many edges only

    float origin[2] = {};

    /// At least stage_one_edges: if there are fewer edges, one is there twice.
    std::uint32_t edge_count = 0;
    /// Inside: normal . q + offset >= 0. Normals have length <= 1. The offset includes every part of the rounding bound
    /// that does not depend on the object.
    float normal[max_edges][2] = {};
    float offset[max_edges] = {};
    /// The same edges for boxes, sorted by the corner of a box that lies farthest on their inner side: first those of
    /// (min x, min y), then (max x, min y), (min x, max y), (max x, max y). `corner_end[c]` is where corner c's edges
    /// end. The corner enters by `past`, how far it lies past the bounding box's sides: max - beyond_low,
    /// beyond_high - min. Inside: corner_weight . past >= corner_least. corner_least is never +0, so that a difference
    /// with it has its sign bit set only if it is below. Weights are the normal's components without their signs,
    /// scaled so that the larger one is 1.
    std::uint32_t corner_end[4] = {};
    float corner_weight[max_edges][2] = {};
    float corner_least[max_edges] = {};
    /// A view with parallel sides: edges 0 and 2 are opposite, and edges 1 and 3. Normals 0 and 1 are those of the
    /// slabs between them: |normal . q + slab_middle| <= slab_half.
    std::uint32_t has_slabs = 0;
    float slab_middle[2] = {}, slab_half[2] = {};
    /// Set: the view is a rectangle, of a size whose square neither overflows nor underflows. With s = disc_slope, from
    /// -1 to 1, and m = disc_middle: |q.x + s q.y + m[0]| <= disc_half[0] and |q.y - s q.x + m[1]| <= disc_half[1].
    /// Both are longer than in the plane by the square root of 1 + s^2; disc_scale is 1 + s^2, rounded up.
    std::uint32_t rectangular = 0;
    float disc_slope = 0, disc_middle[2] = {}, disc_half[2] = {}, disc_scale = 1;
    /// Set: the corners' order is certain. Then inner_offset has the offsets rounded inward.
    std::uint32_t inside_known = 0;
    float inner_offset[max_edges] = {};

    std::uint32_t vertex_count = 0;
    float vertex[max_edges][2] = {};  ///< relative
    float magnitude = 0;              ///< no relative point of the view, or of its bounding box, has a larger |x| + |y|
    float unit = 1;  ///< a power of two that brings the magnitude near 1, so that squares do not overflow

    /// The view's bounding box in world coordinates, rounded outward.
    float box_low[2] = {}, box_high[2] = {};
    /// A float is below the view exactly if it is below `beyond_low`, and above the view exactly if it is above
    /// `beyond_high`. 0 is stored as -0 in `beyond_low` and as +0 in `beyond_high`: differences from a 0 of either sign
    /// are then +0.
    float beyond_low[2] = {}, beyond_high[2] = {};
    std::uint32_t aligned = 0;  ///< the view is its bounding box

    /// World coordinates, for certificates: the corners are within `exact_error` of these, component by component.
    double exact_vertex[max_edges][2] = {};
    double exact_error = 0;
};

/// What prepare_view() left in a view, which must be ready.
[[nodiscard]] inline bool is_prepared(const View& view) noexcept { return Opaque<PreparedView>::is_ready(view); }
[[nodiscard]] inline const PreparedView& contents_of(const View& view) noexcept {
    return Opaque<PreparedView>::of(view);
}
inline void set_prepared(View& view, const PreparedView& contents) noexcept {
    Opaque<PreparedView>::set(view, contents);
}

}  // namespace lanecull::flat
