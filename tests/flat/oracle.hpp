#pragma once

#include <vector>

#include "oracle/exact.hpp"

/// An oracle without rounding for the plane: how far are two convex figures apart? In rationals, and by nothing that
/// the library does: hulls, and the nearest of all pairs of a corner and an edge.
namespace flat_oracle {

using exact::Rational;

struct Point {
    Rational x, y;
};
using Points = std::vector<Point>;

/// Every point within `radius` of a convex polygon, a segment or a point.
struct Figure {
    Points corners;  ///< counter-clockwise, none on the way from its neighbour to the next
    Rational radius = 0;
};

/// Of points in any order.
[[nodiscard]] Figure hull(Points points, Rational radius = 0);

/// Square of the distance of the polygons themselves, radii apart; 0 where they share a point.
[[nodiscard]] Rational square_distance(const Figure& a, const Figure& b);

/// Do they come nearer than or as near as `grow`? With 0: do they share a point?
[[nodiscard]] bool within(const Figure& a, const Figure& b, const Rational& grow = 0);

/// Whether `outer`, whose radius is 0, contains all of `inner`.
[[nodiscard]] bool contains(const Figure& outer, const Figure& inner);

/// Whether every point of `low` lies lower along w than every point of `high`, whose radius is 0.
[[nodiscard]] bool separates(const Point& w, const Figure& low, const Figure& high);

}  // namespace flat_oracle
