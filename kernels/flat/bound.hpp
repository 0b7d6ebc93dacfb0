#pragma once

/// The rounding-error bound for 2D shapes, as sums of named terms. README.md beside this file derives it under the same
/// names. Every term counts roundings; each of them is worth at most u = 2^-24 of the magnitude G.

#include <cstdint>

#include "base/rounding_bound.hpp"

namespace lanecull::flat {
namespace {

namespace roundings {
constexpr int relative = 1;  // q = p - origin
constexpr int dot = 2;       // w . q
constexpr int axis = 2;      // turn and normal multiplied as complex numbers: two products, their sum
constexpr int reach = 2;     // times a half-extent, added to the other
constexpr int length = 2;    // |w|: dot 2, halved by the root; the root's own 1. The same for a turn
constexpr int ball = 1;      // radius times length
constexpr int sum = 2;       // centre + reach; less the view's lowest
constexpr int vertex = 1;    // a corner of the view as floats
constexpr int slack = 2;     // G's own roundings, those of the bound, products of two errors

constexpr int largest(int a, int b) { return a > b ? a : b; }

constexpr int center = relative + dot + sum;
constexpr int box = axis + reach + sum;
constexpr int disc = length + ball + sum;
/// A polygon's corner is computed in two ways. Either the direction is turned back and multiplied with the corner; or
/// the mean is turned and multiplied with the direction, and a ball of a turned radius is added.
constexpr int corner = largest(axis + dot, length + ball) + sum + ball;
constexpr int view = vertex + dot + sum;

/// How far a box's corner lies past the bounding box's sides, times the weights.
constexpr int past = relative + dot + slack;
/// A disc's centre along a rectangle's side: q.x + s q.y + m.
constexpr int side = relative + dot + 1 + slack;

constexpr int all = largest(largest(center, box), largest(largest(disc, corner), view)) + slack;
}  // namespace roundings

/// A lane's bound is this times G |w|_1, plus underflow_guard.
constexpr float error_factor = error_per_magnitude(roundings::all);
constexpr float past_error_share = error_per_magnitude(roundings::past);
constexpr float side_error_share = error_per_magnitude(roundings::side);
/// The relative error of the squares that are compared for a disc. Both sides together lose no more than sqrt 2 times
/// what one loses (1.5 here). One rounding each: the excess, its square, the sum of the squares, the radius' square,
/// its product with the scale. The error of squares is twice that of what is squared.
constexpr double disc_share = 2 * (1.5 * roundings::side + 4) * 0x1p-24;

}  // namespace
}  // namespace lanecull::flat
