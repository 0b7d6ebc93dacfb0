/// Finds boxes around many objects, the nodes of a scene, that one occluder hides, and which occluders hide nothing in
/// them: 64 at a time, one bit each.
///
/// As nodes.cpp does, it leaves so much clearance that a test of each object itself would say the same.

#include <cstdint>

#include <lanecull/batch.hpp>

#include "cull/hide.hpp"
#include "cull/kind_box.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "scene/clearance.hpp"
#include "scene/node_kernels.hpp"

namespace lanecull {

namespace {

/// What the boxes in the lanes `asked` are to one occluder: wholly hidden, or perhaps in part.
struct NodesBehindW {
    std::uint32_t hidden, perhaps;

    template <class Shape>
    LANE_INLINE NodesBehindW(const PreparedOccluder& occluder, const Shape& shape, FloatW bound, std::uint32_t asked)
        : hidden(asked), perhaps(asked) {
        for (std::uint32_t k = 0; perhaps != 0 && k < occluder.count; ++k) {
            const Vec3W n = broadcast3(occluder.normal[k]);
            const NormalW inward{n, {abs(n.x), abs(n.y), abs(n.z)}};
            const NormalW outward{-n, inward.size};
            const FloatW at_center = dot_plus(n, shape.center, FloatW(occluder.offset[k]));
            hidden &= bits(at_center - shape.reach(outward) > bound);
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
