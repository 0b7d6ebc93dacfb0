/// Tests boxes around many objects, the nodes of a scene: 64 at a time, one bit each.
///
/// All verdicts are proofs with `node_clearance` times the bound of a box to spare. That is more than the bounds of the
/// objects within it add up to (scene/README.md). So a test of the object itself would find it outside, or inside, as
/// well: testing nodes first changes no verdict.
///
/// The second kernel finds nodes that one occluder hides, and which occluders hide nothing in them, with so much
/// clearance that a test of each object itself would say the same.

#include <lanecull/batch.h>

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/hide.hpp"
#include "cull/kind_box.hpp"
#include "cull/refine.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "scene/node_kernels.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// W nodes and their tests against planes. A node does not sweep, so its shape reaches equally far along n and -n.
template <class Shape>
struct NodesW {
    const PreparedView& view;
    Shape shape;
    FloatW bound;
    MaskW is_sound;
    MaskW is_near;  // set: sound, and planes that the view has left out are farther away

    LANE_INLINE NodesW(const PreparedView& view_, const Shape& shape_) : view(view_), shape(shape_) {
        // All tests compare distances with a bound that is a multiple of the magnitude.
        shape.magnitude = shape.magnitude * FloatW(node_clearance);
        bound = FloatW(Shape::error_factor(view.frame) * view.view_normal_one_norm) * shape.magnitude;
        is_sound = sound(shape);
        is_near = is_sound & (shape.magnitude < FloatW(inside_limit));
    }

    LANE_INLINE MaskW behind(FloatW distance) const { return is_sound & (distance < -bound); }
    LANE_INLINE FloatW outermost(std::uint32_t k) const {
        Vec3W n = broadcast3(view.view_normal[k]);
        return dot_plus(n, shape.center, FloatW(view.view_offset[k])) + shape.reach(n);
    }
    /// The shape's reach includes the view's margin, which is added back here.
    LANE_INLINE MaskW within(std::uint32_t k) const {
        Vec3W n = broadcast3(view.view_normal[k]);
        const FloatW innermost = dot_plus(n, shape.center, FloatW(view.inner_offset[k])) - shape.reach_back(n);
        return is_near & (innermost + FloatW(view.margin) > bound);
    }

    LANE_INLINE void test(std::uint32_t at, std::uint8_t* hint, NodeVerdicts& verdicts) const {
        const std::uint32_t hinted = hint != nullptr ? *hint % PreparedView::max_planes : 0;
        if (hint != nullptr && bits(behind(outermost(hinted))) == all_lanes) {
            verdicts.outside |= std::uint64_t{all_lanes} << at;
            return;
        }
        MaskW inside = is_near & mask_of(view.inside_known ? all_lanes : 0);
        FloatW least(magnitude_limit);
        for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
            const FloatW distance = outermost(k);
            least = min(least, distance);
            if (hint != nullptr && bits(behind(distance)) == all_lanes) *hint = static_cast<std::uint8_t>(k);
            if (k >= view.plane_count) return;
            const MaskW is_within = within(k);
            inside = inside & is_within;
            if (k >= PreparedView::stage_one_planes) return;
            verdicts.within[k] |= std::uint64_t{bits(is_within)} << at;
        });
        verdicts.outside |= std::uint64_t{bits(behind(least))} << at;
        verdicts.inside |= std::uint64_t{bits(inside)} << at;
    }
};

template <class Expansion>
LANE_INLINE void test_nodes_as(const NodeWork& work, const Expansion& expansion, NodeVerdicts& verdicts) {
    const PreparedView& view = *work.view;
    const Boxes boxes{work.low[0], work.low[1], work.low[2], work.high[0], work.high[1], work.high[2], 64};
    FrameAxesW axes(view.frame);
    verdicts = {};
    for (std::uint32_t at = 0; at < 64; at += lanes) {
        GatheredObjects gathered = GatheredObjects::in_a_row(0, at);
        NodesW nodes(view, load_expanded<BoxKind>(expansion, axes, boxes, gathered));
        nodes.test(at, work.hints != nullptr ? work.hints + at / hinted_nodes : nullptr, verdicts);
    }
}

}  // namespace

template <>
void NodeKernels<this_isa>::test(const NodeWork& work, NodeVerdicts& verdicts) {
    const Attributes none;
    if (work.view->margin > 0) {
        test_nodes_as(work, Expanded(none, *work.view), verdicts);
    } else {
        test_nodes_as(work, Unexpanded(none, *work.view), verdicts);
    }
}

namespace {

/// Which of the boxes in the lanes `asked` one occluder hides wholly, and which perhaps in part.
struct NodesBehindW {
    std::uint32_t hidden, perhaps;

    template <class Shape>
    LANE_INLINE NodesBehindW(const PreparedOccluder& occluder, const Shape& shape, FloatW bound, std::uint32_t asked)
        : hidden(asked), perhaps(asked) {
        for (std::uint32_t k = 0; perhaps != 0 && k < occluder.count; ++k) {
            const Vec3W n = broadcast3(occluder.normal[k]);
            const NormalW inward{n, {abs(n.x), abs(n.y), abs(n.z)}};
            const FloatW at_center = dot_plus(n, shape.center, FloatW(occluder.offset[k]));
            hidden &= bits(at_center - shape.reach_back(inward) > bound);
            perhaps &= ~bits(at_center + shape.reach(inward) < -bound);
        }
        hidden &= perhaps;
    }
};

/// Calls `what(lane)` for each set bit.
template <class Do>
LANE_INLINE void for_each_lane(std::uint32_t set, const Do& what) {
    for (; set != 0; set &= set - 1) what(static_cast<std::uint32_t>(__builtin_ctz(set)));
}

}  // namespace

template <>
void NodeKernels<this_isa>::hide(const HiddenNodeWork& work, HiddenNodes& nodes) {
    const Boxes boxes{work.low[0], work.low[1], work.low[2], work.high[0], work.high[1], work.high[2], 64};
    const Attributes none;
    const Expanded expansion(none, work.margin);
    const HidingSolids solids(work);
    const RelativeAxesW axes(solids.frame);
    nodes.hidden = 0;
    for (std::uint32_t at = 0; at < 64; at += lanes) {
        const auto asked = static_cast<std::uint32_t>(work.asked >> at) & all_lanes;
        if (asked == 0) continue;
        const GatheredObjects gathered = GatheredObjects::in_a_row(0, at);
        const auto shape = load_expanded<BoxKind>(expansion, axes, boxes, gathered);
        const FloatW bound = hiding_bound(shape, node_clearance, solids.error);
        const std::uint32_t told = asked & bits(may_be_told_hidden(shape));
        for_each_lane(asked, [&](std::uint32_t lane) LANE_LAMBDA {
            nodes.perhaps[at + lane] = (told >> lane & 1) != 0 ? 0 : solids.counting;
        });
        std::uint32_t open = told;
        for (std::uint64_t rest = solids.counting; rest != 0 && open != 0; rest &= rest - 1) {
            const auto o = static_cast<std::uint32_t>(__builtin_ctzll(rest));
            const NodesBehindW behind(solids.at(o), shape, bound, open);
            open &= ~behind.hidden;
            for_each_lane(behind.hidden,
                          [&](std::uint32_t lane) LANE_LAMBDA { nodes.by[at + lane] = static_cast<std::uint8_t>(o); });
            for_each_lane(behind.perhaps,
                          [&](std::uint32_t lane) LANE_LAMBDA { nodes.perhaps[at + lane] |= std::uint64_t{1} << o; });
        }
        nodes.hidden |= std::uint64_t{told & ~open} << at;
    }
}

}  // namespace lanecull
