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
    /// The same edges for boxes, by the corner of a box that lies farthest on their inner side: first those of
    /// (min x, min y), then (max x, min y), (min x, max y), (max x, max y); `corner_end[c]` is where corner c's end.
    /// That corner is told by how far it lies past the bounding box's sides: max - beyond_low, beyond_high - min.
    /// Inside: corner_weight . past >= corner_least (never +0: differences with it have their sign set only below).
    /// Weights are the normal's components without their signs, the larger one 1.
    std::uint32_t corner_end[4] = {};
    float corner_weight[max_edges][2] = {};
    float corner_least[max_edges] = {};
    /// Of a view with parallel sides the edges are 0 and 2, 1 and 3, normals 0 and 1 those of the slabs between them:
    /// |normal . q + slab_middle| <= slab_half.
    std::uint32_t has_slabs = 0;
    float slab_middle[2] = {}, slab_half[2] = {};
    /// A rectangle, and squares of what is as large as the view are numbers: with s = disc_slope, from -1 to 1, and m =
    /// disc_middle, |q.x + s q.y + m[0]| <= disc_half[0] and |q.y - s q.x + m[1]| <= disc_half[1]. Both are longer than
    /// they are in the plane by the root of 1 + s^2; disc_scale is that, squared.
    std::uint32_t rectangular = 0;
    float disc_slope = 0, disc_middle[2] = {}, disc_half[2] = {}, disc_scale = 1;
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
    /// 0 is -0 in `beyond_low` and +0 in `beyond_high`: differences from a 0 of either sign are then +0.
    float beyond_low[2] = {}, beyond_high[2] = {};
    std::uint32_t aligned = 0;  ///< the view is its bounding box

    /// World coordinates, for certificates: the corners are within `exact_error` of these, component by component.
    double exact_vertex[max_edges][2] = {};
    double exact_error = 0;
};

}  // namespace lanecull::flat
