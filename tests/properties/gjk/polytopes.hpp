#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/exact.hpp"
#include "properties/gjk/specimens.hpp"

/// How far apart two polytopes are, and how deep in each other, from their points alone.
namespace polytopes {

namespace gjk = lanecull::gjk;
using specimens::Points;

template <class T, int N>
exact::Point exact_point(const gjk::Vec<T, N>& p) {
    if constexpr (N == 3)
        return exact::point(p.x, p.y, p.z);
    else
        return exact::point(p.x, p.y, 0);
}

/// The distance of two hulls by Wolfe's method in rationals (oracle/exact.hpp). Only the square root is
/// rounded.
template <class T, int N>
double exact_distance(const Points<T, N>& a, const Points<T, N>& b) {
    std::vector<exact::Point> of_a, of_b;
    for (const auto& p : a) of_a.push_back(exact_point(p));
    for (const auto& p : b) of_b.push_back(exact_point(p));
    exact::Nearest<exact::Rational> nearest({of_a, of_b, {}}, {});
    while (const auto better = nearest.better()) {
        if (!nearest.take(*better)) break;
    }
    return std::sqrt(exact::dot(nearest.point(), nearest.point()).template convert_to<double>());
}

/// Directions in which facets of the difference of two polytopes can face: across two edges of either (in the plane,
/// across one). Every pair of points counts as an edge: too many directions change nothing, the depth is the least
/// extent over all of them.
inline Points<double, 3> facet_directions(const Points<double, 3>& edges) {
    Points<double, 3> directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const auto& e : edges) {
        directions.push_back({0, e.z, -e.y});
        directions.push_back({-e.z, 0, e.x});
        for (const auto& f : edges) directions.push_back(gjk::cross(e, f));
    }
    return directions;
}
inline Points<double, 2> facet_directions(const Points<double, 2>& edges) {
    Points<double, 2> directions = {{1, 0}, {0, 1}};
    for (const auto& e : edges) directions.push_back(gjk::perpendicular(e));
    return directions;
}

/// How far a has to move against a direction to leave b.
template <int N>
double extent(const Points<double, N>& a, const Points<double, N>& b, const gjk::Vec<double, N>& d) {
    double high = -1e300, low = 1e300;
    for (const auto& p : a) high = std::max(high, dot(p, d));
    for (const auto& q : b) low = std::min(low, dot(q, d));
    return high - low;
}

/// The depth; negative when they are apart.
template <int N>
double exact_depth(const Points<double, N>& a, const Points<double, N>& b) {
    Points<double, N> edges;
    double size = 0, least = 1e300;
    for (const auto* points : {&a, &b}) {
        for (std::size_t i = 0; i < points->size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) edges.push_back((*points)[i] - (*points)[j]);
        }
    }
    for (const auto& e : edges) size = std::max(size, length(e));
    for (const auto& d : facet_directions(edges)) {
        const double l = length(d);
        if (!(l > 1e-9 * std::pow(size, N - 1)) || l == 0) continue;  // rounding's directions
        least = std::min({least, extent<N>(a, b, 1 / l * d), extent<N>(a, b, -1 / l * d)});
    }
    return least;
}

}  // namespace polytopes
