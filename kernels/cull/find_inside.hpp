#pragma once

/// Finds objects wholly inside the view, for the second bit array: an object stays farther inside every plane than the
/// bound. Unlike other accepts this is a claim, so it needs a proof.
/// The second bit array: what lies wholly inside (containment.hpp).

#include <lanecull/prepared_view.hpp>

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "cull/packet.hpp"
#include "cull/refine.hpp"
#include "cull/select.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

template <class Shape>
LANE_INLINE MaskW wholly_inside(const PreparedView& view, const Shape& shape) {
    if (!view.inside_known) return mask_of(0);
    FloatW least(inside_limit);
    for (std::uint32_t k = 0; k < view.plane_count; ++k) {
        Vec3W n = broadcast3(view.view_normal[k]);
        least = min(least, dot_plus(n, shape.center, FloatW(view.inner_offset[k])) - shape.reach(-n));
    }
    const FloatW bound = FloatW(Shape::error_factor(view.frame) * view.view_normal_one_norm) * shape.magnitude;
    // The shape's margin includes the view's, which is added back here. The view leaves out planes farther than 1e30;
    // only objects below inside_limit, which are on the inner side of such planes, are claimed.
    return sound(shape) & (shape.magnitude < FloatW(inside_limit)) & (least + FloatW(view.margin) > bound);
}

/// The bits of the objects proved wholly inside, among those that stayed visible. A negative margin would make a shape
/// smaller: what is invalid by its attributes is never inside.
template <class Range>
[[gnu::noinline]] void find_inside(Range& range, const Chunk& chunk, UndecidedList& list, std::uint64_t* inside) {
    const FrameAxesW axes(range.view.frame);
    write_inside(chunk, list, inside, [&](const Packet& packet) LANE_LAMBDA {
        const GatheredObjects objects = packet.gathered(chunk.first);
        return bits(wholly_inside(range.view, range.load(axes, objects))) &
               ~invalid_attributes(range.attributes, objects);
    });
}

}  // namespace
}  // namespace lanecull
