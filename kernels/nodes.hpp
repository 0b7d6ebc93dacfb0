#pragma once

/// Boxes around many objects: the nodes of an ordered scene, 64 at a time, one bit each.
///
/// Both verdicts are proofs with `clearance` times the bound of a box to spare. That is more than what the bounds of
/// the objects within it add up to (scene/README.md), so that every object is found outside, or inside, by itself as
/// well: asking nodes first changes no verdict.

namespace lanecull {
namespace {

constexpr float clearance = 16;

template <class Growth>
LANE_INLINE void test_nodes_as(const NodeWork& work, const Growth& growth, NodeVerdicts& verdicts) {
    const PreparedView& view = *work.view;
    const Boxes boxes{work.low[0], work.low[1], work.low[2], work.high[0], work.high[1], work.high[2], 64};
    const FrameAxesW axes(view.frame);
    verdicts = {};
    for (std::uint32_t at = 0; at < 64; at += lanes) {
        const PickedObjects pick = PickedObjects::in_a_row(0, at);
        auto shape = growth.grow(axes, BoxKind::load_shapes(axes, boxes, pick), pick);
        FloatW least(magnitude_limit);
        for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
            const Vec3W n = broadcast3(view.view_normal[k]);
            least = min(least, dot_plus(n, shape.center, FloatW(view.view_offset[k])) + shape.reach(n));
        });
        // Both tests are of one distance against a bound that is a multiple of the magnitude.
        shape.magnitude = shape.magnitude * FloatW(clearance);
        const FloatW bound =
            FloatW(decltype(shape)::error_share(view.frame) * view.view_normal_one_norm) * shape.magnitude;
        const MaskW outside = sound(shape) & (least < -bound);
        verdicts.outside |= static_cast<std::uint64_t>(bits(outside)) << at;
        verdicts.inside |= static_cast<std::uint64_t>(bits(wholly_inside(view, shape))) << at;
    }
}

void test_nodes(const NodeWork& work, NodeVerdicts& verdicts) {
    const Attributes none;
    if (work.view->margin > 0) {
        test_nodes_as(work, Grown(none, *work.view), verdicts);
    } else {
        test_nodes_as(work, AsTheyAre(none, *work.view), verdicts);
    }
}

}  // namespace
}  // namespace lanecull
