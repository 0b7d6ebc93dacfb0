/// Finds boxes around many objects, the nodes of a scene, that one occluder hides: 64 at a time, one bit each.
///
/// As nodes.cpp does, it leaves so much clearance that a test of each object itself would find it hidden as well.

#include <cstdint>

#include <lanecull/batch.hpp>

#include "calls/kernel_table.hpp"
#include "kinds/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "scene/clearance.hpp"
#include "shapes/expansion.hpp"
#include "shapes/frames.hpp"
#include "stages/hide.hpp"

namespace lanecull {

template <>
std::uint64_t Kernels<this_isa>::hide_nodes(const HiddenNodeWork& work, std::uint8_t (&by)[64]) {
    const Boxes boxes{work.low[0], work.low[1], work.low[2], work.high[0], work.high[1], work.high[2], 64};
    const Attributes none;
    const Expanded expansion(none, work.margin);
    HidingSolids solids(work);
    const RelativeAxesW axes(solids.frame);
    std::uint64_t hidden = 0;
    for (std::uint32_t at = 0; at < 64; at += lanes) {
        const auto asked = static_cast<std::uint32_t>(work.asked >> at) & all_lanes;
        if (asked == 0) continue;
        const GatheredObjects gathered = GatheredObjects::in_a_row(0, at);
        const auto shape = expansion.expand(axes, BoxKind::load_shapes(axes, boxes, gathered), gathered);
        const auto note = [&](std::uint32_t o, std::uint32_t by_this) LANE_LAMBDA {
            for (; by_this != 0; by_this &= by_this - 1) {
                by[at + static_cast<std::uint32_t>(__builtin_ctz(by_this))] = static_cast<std::uint8_t>(o);
            }
        };
        hidden |= std::uint64_t{find_hidden(solids, shape, node_clearance, asked, note)} << at;
    }
    return hidden;
}

}  // namespace lanecull
