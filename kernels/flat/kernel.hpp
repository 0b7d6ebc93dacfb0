#pragma once

/// The plane's kernels of one instruction set, in the order of an object's way. As for solids (../kernel.hpp) a set's
/// file has put its lanes before this, everything is in unnamed namespaces, and no ordinary inline function may be
/// called from here.

#include "flat/table.hpp"
//
#include "flat/bound.hpp"
//
#include "lanes/transpose.hpp"
#include "lanes/vec3w.hpp"
//
#include "lanes/gather.hpp"
//
#include "stages/undecided_list.hpp"
//
#include "lanes/vec2w.hpp"
//
#include "flat/shapes.hpp"
//
#include "flat/sides.hpp"
//
#include "flat/kinds.hpp"
//
#include "flat/kind_box.hpp"
#include "flat/kind_circle.hpp"
#include "flat/separate.hpp"
//
#include "flat/range.hpp"

namespace lanecull::flat {
namespace {

constexpr FlatTable make_flat_table(Isa isa) {
    FlatTable table{};
    table.isa = isa;
    table.compiled_with = compiled_with;
    table.circles = cull_flat_range<CircleKind>;
    table.boxes = cull_flat_range<BoxKind>;
    table.oriented_boxes = cull_flat_range<OrientedBoxKind>;
    table.capsules = cull_flat_range<CapsuleKind>;
    table.polygons = cull_flat_range<PolygonKind>;
    return table;
}

}  // namespace
}  // namespace lanecull::flat
