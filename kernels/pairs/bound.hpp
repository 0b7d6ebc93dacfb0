#pragma once

/// The rounding-error bound of pairs, as sums of named terms. kernels/pairs/README.md derives it under the same names.
/// Every term counts roundings; each of them is worth at most u = 2^-24 of the magnitude G.

#include "base/rounding_bound.hpp"

namespace lanecull::pairs {
namespace {

namespace roundings {
using lanecull::roundings::average;
using lanecull::roundings::choose_axis;
using lanecull::roundings::choose_vertex;
using lanecull::roundings::difference;
using lanecull::roundings::dot;
using lanecull::roundings::largest;
using lanecull::roundings::place_box;
using lanecull::roundings::place_vertex;
using lanecull::roundings::position;
using lanecull::roundings::position_weight;
using lanecull::roundings::relative;
using lanecull::roundings::scale;
using lanecull::roundings::slack;
using lanecull::roundings::sum_axes;
constexpr int move = 2;  // + time times motion, in casts
/// In casts that turn, of what turns: the arm from the centre 1, R's entries 4 and its product 3; slack.
constexpr int turn = 1 + 4 + 3 + slack;
constexpr int turn_per_radian = 16;  // more of R's entries
constexpr int turn_center = 2 + 1;   // relative, twice, as R moves it back; the sum
constexpr int length = 6;            // |v|: the dot product, halved by the root; its reciprocal root 3; times v . v
constexpr int radii = 2;             // one added to the other; times |v|
constexpr int sum = 1;               // v . w and the radii's part

constexpr int after_core = difference + dot + sum;
constexpr int center = relative + average + sum_axes + move + after_core;
constexpr int axis = scale + choose_axis + sum_axes + move + after_core;
constexpr int ball = length + radii + sum;
/// The error of a capsule's ends counts in its axis as well, which is its only one.
constexpr int capsule_axis = relative + average + choose_axis + 1 + move + after_core;
constexpr int hull_linear = choose_vertex + place_vertex + move + after_core;
constexpr int hull_offset = relative + place_vertex + move + after_core;

static_assert(capsule_axis <= largest(center, axis));
/// At least the count that the weight of quaternions is relative to.
constexpr int zonotope = largest(largest(largest(center, axis), ball) + slack, lanecull::roundings::zonotope);
constexpr int hull = largest(hull_linear, hull_offset) + slack;

/// The mover's place, in casts that turn.
static_assert(center + turn_center + slack <= zonotope && hull_offset + turn_center + slack <= hull);

/// Boxes along the axes, one axis at a time.
constexpr int aligned = relative + average + difference + 2 * sum + slack;

/// A weighted sum of up to four points of D. Each point is placed, subtracted, weighted and summed; the weights add up
/// to 1 within four roundings.
constexpr int weigh = 1 + sum_axes + 4;
constexpr int mixture =
    largest(largest(relative + average, scale) + sum_axes + move + difference + weigh + slack, zonotope);
/// Boxes under transforms, whose G has one count more.
static_assert(place_box + sum_axes + move + difference + weigh + slack <= mixture + average);
static_assert(place_box + sum_axes + move + after_core <= axis);
/// Heights of facets, which are ratios of triple products and lengths of cross products (README.md, Depths). A cross
/// product of two axes is off by tilt times their lengths. Triple products by it, their sums and the root: a height by
/// `height` of G, and for how near the axes are to one direction by tilt more for each of the triple product, the
/// height and the way there. If the height is measured along the normal as computed, only the way there counts.
constexpr int tilt = 3;
constexpr int height = dot + 6 + length + slack;

constexpr int hull_mixture = relative + place_vertex + move + difference + weigh + slack;
static_assert(position_weight * hull_mixture >= position - relative + hull_mixture);
}  // namespace roundings

}  // namespace
}  // namespace lanecull::pairs
