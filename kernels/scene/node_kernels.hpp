#pragma once

/// What the kernels of a scene's boxes get and give, and their list.

#include <lanecull/library.h>

#include <cstdint>

#include "calls/kernel_table.hpp"
#include "cull/kernel_work.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// 64 boxes against one view; a box with low > high has no bits.
struct NodeWork {
    const float* low[3];
    const float* high[3];
    const PreparedView* view;
    /// One hint for every 16 boxes: the plane to test them against first. The kernel writes back the last plane that
    /// all of them were behind (or all of a packet of fewer). Hints change no verdict, so any numbers will do; good
    /// ones save testing the other planes. Null: no hints.
    std::uint8_t* hints;
};
constexpr std::uint32_t hinted_nodes = 16;
struct NodeVerdicts {
    std::uint64_t outside;                                 ///< wholly behind one plane, proved
    std::uint64_t inside;                                  ///< wholly in the volume, proved
    std::uint64_t within[PreparedView::stage_one_planes];  ///< wholly on the inner side of plane k, proved
};
using NodeKernel = void(const NodeWork&, NodeVerdicts&);

/// 64 boxes and a view's occluders, as RangeTask has them.
struct HiddenNodeWork : RangeTask {
    const float* low[3];
    const float* high[3];
    float margin;         ///< the view's
    std::uint64_t asked;  ///< bits of the boxes to test
};
/// Which of 64 boxes occluders hide.
struct HiddenNodes {
    std::uint64_t hidden;  ///< bits of the boxes that one occluder hides, with the clearance that nodes have
    std::uint8_t by[64];   ///< of hidden boxes: which occluder does, the first of them
    /// Of the other boxes tested: bits of the occluders that may hide what is in the box.
    std::uint64_t perhaps[64];
};
using HiddenNodeKernel = void(const HiddenNodeWork&, HiddenNodes&);

/// What the object files of one instruction set define, as Kernels has it.
template <Isa isa>
struct NodeKernels {
    static NodeKernel test;  ///< node_kernels.cpp
    static HiddenNodeKernel hide;
};

/// Those of one set, chosen at run time.
struct NodeTable {
    NodeKernel* test;
    HiddenNodeKernel* hide;

    template <Isa isa>
    static constexpr NodeTable of() {
        return {NodeKernels<isa>::test, NodeKernels<isa>::hide};
    }
};

namespace {

/// How many times a node's bound its verdicts have to spare. scene/README.md shows that this is more than the bounds of
/// the objects within it add up to.
constexpr float node_clearance = 16;

}  // namespace
}  // namespace lanecull
