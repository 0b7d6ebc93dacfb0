#pragma once

/// The plane's kernels of one instruction set, in the order of an object's way. As for solids (../kernel.hpp) a set's
/// file has put its lanes before this, everything is in unnamed namespaces, and no ordinary inline function may be
/// called from here.

#include "table.hpp"
//
#include "bound.hpp"
//
#include "../transpose.hpp"
#include "../vec3w.hpp"
//
#include "../pick.hpp"
//
#include "../open_list.hpp"
//
#include "vec2w.hpp"
//
#include "shapes.hpp"
//
#include "sides.hpp"
//
#include "kinds.hpp"
//
#include "kind_box.hpp"
#include "kind_circle.hpp"
#include "separate.hpp"
//
#include "range.hpp"

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
