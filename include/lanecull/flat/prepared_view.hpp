#pragma once

#include <cstdint>

namespace lanecull::flat {

/// What the kernels read of a view. Made by prepare_view(); how, and why each number errs outward, is told in
/// kernels/flat/README.md. Not part of the stable interface.
///
/// *Relative* coordinates are q = p - origin.
struct PreparedView {
    static constexpr std::uint32_t max_edges = 16;
    static constexpr std::uint32_t stage_one_edges = 4;  ///< the first so many are all that stage 1 looks at

    float origin[2] = {};

    /// At least stage_one_edges: where there are fewer, one comes twice.
    std::uint32_t edge_count = 0;
    /// Inside: normal . q + offset >= 0. Normals of length <= 1. The offset includes everything that does not depend on
    /// the object, so a lane only adds its own bound.
    float normal[max_edges][2] = {};
    float offset[max_edges] = {};
    /// The same edges by the corner of a box that lies farthest on their inner side: first those of (min x, min y),
    /// then (max x, min y), (min x, max y), (max x, max y); `corner_end[c]` is where corner c's end. The offset
    /// includes the whole bound of boxes cut to [box_low, box_high].
    std::uint32_t corner_end[4] = {};
    float corner_normal[max_edges][2] = {};
    float corner_offset[max_edges] = {};
    /// Of a view with parallel sides the edges are 0 and 2, 1 and 3, normals 0 and 1 those of the slabs between them:
    /// |normal . q + slab_middle| <= slab_half; for boxes as above slab_box_half.
    std::uint32_t has_slabs = 0;
    float slab_middle[2] = {}, slab_half[2] = {}, slab_box_half[2] = {};
    /// Whether the corners' order is certain, and then offsets that err inward.
    std::uint32_t inside_known = 0;
    float inner_offset[max_edges] = {};

    std::uint32_t vertex_count = 0;
    float vertex[max_edges][2] = {};  ///< relative
    float magnitude = 0;              ///< no relative point of the view, or of its bounding box, has a larger |x| + |y|
    float unit = 1;                   ///< a power of two that brings the magnitude near 1, so that squares are numbers

    /// The view's bounding box in world coordinates, rounded outward.
    float box_low[2] = {}, box_high[2] = {};
    /// Every float below `beyond_low` is below the view, every one above `beyond_high` above it; and no other float is.
    float beyond_low[2] = {}, beyond_high[2] = {};
    std::uint32_t aligned = 0;  ///< the view is its bounding box

    /// World coordinates, for certificates: the corners are within `exact_error` of these, component by component.
    double exact_vertex[max_edges][2] = {};
    double exact_error = 0;
};

}  // namespace lanecull::flat
