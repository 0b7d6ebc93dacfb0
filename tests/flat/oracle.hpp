#pragma once

#include <vector>

#include "oracle/exact.hpp"

/// An oracle without rounding for 2D shapes: how far are two convex shapes apart? It computes in rationals and shares
/// no method with the library: exact hulls, and the least distance over all pairs of a corner and an edge.
namespace flat_oracle {

using exact::Rational;

struct Point {
    Rational x, y;
};
using Points = std::vector<Point>;

/// Every point within `radius` of a convex polygon, a segment or a point.
struct Figure {
    Points corners;  ///< counter-clockwise, no three on a line
    Rational radius = 0;
};

/// The convex hull of points in any order.
[[nodiscard]] Figure hull(Points points, Rational radius = 0);

/// The squared distance of the polygons themselves, without their radii; 0 if they share a point.
[[nodiscard]] Rational square_distance(const Figure& a, const Figure& b);

/// Whether `outer`, whose radius is 0, contains all of `inner`.
[[nodiscard]] bool contains(const Figure& outer, const Figure& inner);

/// Whether every point of `low` lies lower along w than every point of `high`, whose radius is 0.
[[nodiscard]] bool separates(const Point& w, const Figure& low, const Figure& high);

}  // namespace flat_oracle
