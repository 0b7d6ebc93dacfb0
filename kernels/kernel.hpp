#pragma once

/// The kernels of one instruction set, in the order of an object's way. A set's file has put its lanes before this:
/// FloatW, MaskW, IndexW and what works on them. Everything is in unnamed namespaces; what is exported is the one
/// table.
///
/// No ordinary inline function, std:: ones included, may be called from here: the linker could merge its copies and run
/// one compiled for another set. tests/symbols checks.

#include "table.hpp"
//
#include "bound.hpp"
#include "transpose.hpp"
#include "vec3w.hpp"
//
#include "axes.hpp"
#include "pick.hpp"
#include "volume.hpp"
#include "zonotope.hpp"
//
#include "growth.hpp"
//
#include "classify.hpp"
#include "kinds_box.hpp"
#include "kinds_hull.hpp"
#include "kinds_round.hpp"
#include "refine.hpp"
//
#include "ball_distance.hpp"
#include "ball_sides.hpp"
#include "box_directions.hpp"
//
#include "edges.hpp"
//
#include "distance.hpp"
#include "inside.hpp"
#include "trace.hpp"
//
#include "separate.hpp"
//
#include "open_list.hpp"
//
#include "verdicts.hpp"
//
#include "select.hpp"
//
#include "measure.hpp"
#include "nearest_on_axis.hpp"
#include "parked.hpp"
#include "settle_edges.hpp"
#include "settle_nearest.hpp"
#include "stragglers.hpp"
//
#include "range.hpp"
//
#include "hull_runs.hpp"
#include "nodes.hpp"
#include "write_draws.hpp"
#include "write_indices.hpp"
#include "write_runs.hpp"
//
#include "pack_structs.hpp"
#include "vertex_bounds.hpp"

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
