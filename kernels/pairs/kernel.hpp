#pragma once

/// The kernels of pairs of one instruction set. As for views (../kernel.hpp) a set's file has put its lanes before
/// this, everything is in unnamed namespaces, and no ordinary inline function may be called from here.

#include "pairs/table.hpp"
//
#include "calls/kernel_table.hpp"
//
#include "base/rounding_bound.hpp"
#include "lanes/transpose.hpp"
#include "lanes/vec3w.hpp"
//
#include "shapes/frames.hpp"
#include "lanes/gather.hpp"
#include "base/records.hpp"
#include "shapes/zonotope.hpp"
//
#include "shapes/expansion.hpp"
//
#include "stages/planes_first.hpp"
#include "shapes/box.hpp"
#include "shapes/hull.hpp"
#include "shapes/round.hpp"
//
#include "pairs/bound.hpp"
//
#include "pairs/shapes.hpp"
//
#include "pairs/load.hpp"
//
#include "pairs/descent.hpp"
//
#include "pairs/cast.hpp"
#include "pairs/distance.hpp"
#include "pairs/separate.hpp"
//
#include "pairs/box_axes.hpp"
//
#include "pairs/range.hpp"

namespace lanecull::pairs {
namespace {

constexpr PairTable make_pair_table(Isa isa) {
    PairTable table{};
    table.isa = isa;
    table.compiled_with = compiled_with;
    table.separate = separate_range;
    table.measure = measure_range;
    table.cast = cast_range;
    return table;
}

}  // namespace
}  // namespace lanecull::pairs
