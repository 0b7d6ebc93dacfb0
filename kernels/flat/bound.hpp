#pragma once

/// The rounding-error bound of the plane, as sums of named terms. The derivation is in README.md beside this file,
/// under the same names; every term counts roundings, each worth at most u = 2^-24 of the magnitude G.

#include <cstdint>

#include "base/rounding_bound.hpp"

namespace lanecull::flat {
namespace {

namespace roundings {
constexpr int relative = 1;  // q = p - origin
constexpr int dot = 2;       // w . q
constexpr int axis = 2;      // turn and normal multiplied: two products, their sum
constexpr int reach = 2;     // times a half-extent, added to the other
constexpr int length = 2;    // |w| by a root: dot 2, halved; the root 1. Of a turn as well
constexpr int ball = 1;      // radius times length
constexpr int sum = 2;       // centre + reach, less the view's lowest
constexpr int vertex = 1;    // a corner of the view as floats
constexpr int slack = 2;     // G's own roundings, the bound's, products of two errors

constexpr int largest(int a, int b) { return a > b ? a : b; }

constexpr int center = relative + dot + sum;
constexpr int box = axis + reach + sum;
constexpr int disc = length + ball + sum;
/// A polygon's corner: the direction turned back, times the corner; or the mean turned, times the direction, and a ball
/// of a turned radius.
constexpr int corner = largest(axis + dot, length + ball) + sum + ball;
constexpr int view = vertex + dot + sum;

/// A box's corner past the bounding box's sides, weighted.
constexpr int past = relative + dot + slack;
/// A disc's centre along a rectangle's side: q.x + s q.y + m.
constexpr int side = relative + dot + 1 + slack;

constexpr int all = largest(largest(center, box), largest(largest(disc, corner), view)) + slack;
}  // namespace roundings

/// A lane's bound is this times G |w|_1, and underflow_guard.
constexpr float error_factor = error_per_magnitude(roundings::all);
constexpr float past_error_share = error_per_magnitude(roundings::past);
constexpr float side_error_share = error_per_magnitude(roundings::side);
/// Of a disc's distance, what both sides together lose (no more than sqrt 2 times one); and one rounding each of the
/// excess, its square and the sum of the squares, the radius squared and scaled. Of squares, hence twice.
constexpr double disc_share = 2 * (1.5 * roundings::side + 4) * 0x1p-24;

}  // namespace
}  // namespace lanecull::flat
