#pragma once

/// The sides of the view that stage 1 tests: four edges. If the view has parallel sides, two slabs, which take half the
/// products.

#include <cstdint>

#include "flat/bound.hpp"
#include "flat/prepared_view.hpp"
#include "flat/shapes.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec2w.hpp"

namespace lanecull::flat {
namespace {

struct BeyondW {
    FloatW center;  // how far the centre is beyond its worst side; negative inside
    FloatW figure;  // the same for the shape's point that is farthest inside
};

struct EdgesW {
    Vec2W origin;
    Vec2W normal[PreparedView::stage_one_edges];
    FloatW offset[PreparedView::stage_one_edges];

    LANE_INLINE explicit EdgesW(const PreparedView& view) : origin(broadcast2(view.origin)) {
        for (std::uint32_t k = 0; k < PreparedView::stage_one_edges; ++k) {
            normal[k] = broadcast2(view.normal[k]);
            offset[k] = FloatW(view.offset[k]);
        }
    }

    /// reach(n): how far the shape reaches from its centre along n.
    template <class Reach>
    LANE_INLINE BeyondW beyond(const Vec2W& center, const Reach& reach) const {
        BeyondW worst = {FloatW(-__builtin_inff()), FloatW(-__builtin_inff())};
        for (std::uint32_t k = 0; k < PreparedView::stage_one_edges; ++k) {
            const FloatW at_center = -dot_plus(normal[k], center, offset[k]);
            worst.center = max(at_center, worst.center);
            worst.figure = max(at_center - reach(normal[k]), worst.figure);
        }
        return worst;
    }
};

struct SlabsW {
    Vec2W origin;
    Vec2W normal[2];
    FloatW middle[2], half[2];

    LANE_INLINE explicit SlabsW(const PreparedView& view) : origin(broadcast2(view.origin)) {
        for (std::uint32_t k = 0; k < 2; ++k) {
            normal[k] = broadcast2(view.normal[k]);
            middle[k] = FloatW(view.slab_middle[k]);
            half[k] = FloatW(view.slab_half[k]);
        }
    }

    template <class Reach>
    LANE_INLINE BeyondW beyond(const Vec2W& center, const Reach& reach) const {
        const FloatW first = abs(dot_plus(normal[0], center, middle[0])) - half[0];
        const FloatW second = abs(dot_plus(normal[1], center, middle[1])) - half[1];
        return {max(first, second), max(first - reach(normal[0]), second - reach(normal[1]))};
    }
};

}  // namespace
}  // namespace lanecull::flat
