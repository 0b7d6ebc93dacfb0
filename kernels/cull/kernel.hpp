#pragma once

/// The kernels of one instruction set, in the order of an object's way. A set's file has put its lanes before this:
/// FloatW, MaskW, IndexW and what works on them. Everything is in unnamed namespaces; what is exported is the one
/// table.
///
/// No ordinary inline function, std:: ones included, may be called from here: the linker could merge its copies and run
/// one compiled for another set. tests/symbols checks.

#include "calls/kernel_table.hpp"
//
#include "base/rounding_bound.hpp"
#include "lanes/transpose.hpp"
#include "lanes/vec3w.hpp"
//
#include "shapes/frames.hpp"
#include "lanes/gather.hpp"
#include "volumes/support.hpp"
#include "shapes/zonotope.hpp"
//
#include "shapes/expansion.hpp"
//
#include "stages/planes_first.hpp"
#include "shapes/box.hpp"
#include "shapes/hull.hpp"
#include "shapes/round.hpp"
#include "stages/refine.hpp"
//
#include "volumes/distance.hpp"
#include "stages/sphere_slabs.hpp"
#include "stages/box_axes.hpp"
//
#include "stages/edge_planes.hpp"
//
#include "stages/eye_limits.hpp"
#include "stages/containment.hpp"
#include "stages/gjk_trace.hpp"
//
#include "stages/gjk.hpp"
//
#include "stages/undecided_list.hpp"
//
#include "stages/reasons.hpp"
//
#include "stages/select.hpp"
//
#include "stages/closed_form.hpp"
#include "stages/capsule_nearest.hpp"
#include "stages/staged.hpp"
#include "stages/decide_at_edges.hpp"
#include "stages/decide_by_nearest.hpp"
#include "stages/gjk_compaction.hpp"
//
#include "cull/range.hpp"
//
#include "stages/gjk_hulls.hpp"
#include "scene/nodes.hpp"
#include "outputs/write_draws.hpp"
#include "outputs/write_indices.hpp"
#include "outputs/write_runs.hpp"
//
#include "bounds/unpack.hpp"
#include "bounds/vertex_extremes.hpp"

namespace lanecull {
namespace {

constexpr KernelTable make_table(Isa isa) {
    KernelTable table{};
    table.isa = isa;
    table.lanes = lanes;
    table.compiled_with = compiled_with;
    table.spheres = cull_range<SphereKind>;
    table.boxes = cull_range<BoxKind>;
    table.centered_boxes = cull_range<CenteredBoxKind>;
    table.oriented_boxes = cull_range<OrientedBoxKind>;
    table.capsules = cull_range<CapsuleKind>;
    table.hull_instances = cull_range<HullKind>;
    table.test_nodes = test_nodes;
    table.write_indices = write_indices;
    table.write_draws = write_draws;
    table.count_runs = count_runs;
    table.write_runs = write_runs;
    table.unpack = unpack;
    table.extent = extent;
    table.farthest = farthest;
    table.extremes = extremes;
    return table;
}

}  // namespace
}  // namespace lanecull
