#pragma once

/// The kernels of pairs of one instruction set. As for views (../kernel.hpp) a set's file has put its lanes before
/// this, everything is in unnamed namespaces, and no ordinary inline function may be called from here.

#include "table.hpp"
//
#include "../table.hpp"
//
#include "../bound.hpp"
#include "../transpose.hpp"
#include "../vec3w.hpp"
//
#include "../axes.hpp"
#include "../pick.hpp"
#include "../records.hpp"
#include "../zonotope.hpp"
//
#include "../growth.hpp"
//
#include "../classify.hpp"
#include "../kinds_box.hpp"
#include "../kinds_hull.hpp"
#include "../kinds_round.hpp"
//
#include "bound.hpp"
//
#include "shapes.hpp"
//
#include "load.hpp"
//
#include "descent.hpp"
//
#include "cast.hpp"
#include "distance.hpp"
#include "separate.hpp"
//
#include "box_axes.hpp"
//
#include "range.hpp"

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
