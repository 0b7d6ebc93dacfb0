#pragma once

#include <optional>
#include <span>
#include <vector>

#include "oracle/exact.hpp"

/// What a convex solid hides, without rounding, in two ways that know nothing of each other.
namespace exact {

/// Where a solid is seen from: from each of the eyes or, if there are none, along a direction.
struct Sight {
    std::vector<Point> eyes;
    Point direction;
};

/// The facets of min <= p <= max.
[[nodiscard]] HalfSpaces facets_of_box(const float min[3], const float max[3]);
/// The facets of centre + sum of s_k half[k] axes[k], |s_k| <= 1. axes: three vectors.
[[nodiscard]] HalfSpaces facets_of_oriented_box(const float centre[3], const float half[3], const float axes[9]);

/// The facets of the convex hull of points, each once; none if they lie in a plane. Each three points are tried.
[[nodiscard]] HalfSpaces facets_of_hull(std::span<const Point> points);

/// Whether the solid { all facets >= 0 } meets the way from p to each eye, or the endless way from p against the
/// direction. It clips the way by one facet after the other.
[[nodiscard]] bool is_hidden(const Point& p, const Sight& sight, const HalfSpaces& facets);

/// The half-spaces whose intersection is what the solid hides from all eyes: with facets h_i facing an eye e and h_j
/// not facing it, h_i >= 0 and h_j(e) h_i - h_i(e) h_j >= 0. None if an eye is inside the solid.
[[nodiscard]] std::optional<HalfSpaces> hidden_by(const HalfSpaces& facets, const Sight& sight);

/// Whether all half-spaces contain the solid, expanded by `grow` >= 0.
[[nodiscard]] bool contain(const HalfSpaces& half_spaces, const Solid& solid, const Rational& grow = 0);

}  // namespace exact
