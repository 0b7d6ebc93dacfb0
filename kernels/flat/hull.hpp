#pragma once

/// The convex hull of a few points in 2D, by Andrew's monotone chain in interval arithmetic. It leaves a point out only
/// if the point certainly lies on or within the hull of others. A point that is kept needlessly costs time, no more.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/interval.hpp"

namespace lanecull::flat {

struct Corner {
    Interval x, y;
};

/// Positive if a -> b -> c turns left.
inline Interval left_turn(const Corner& a, const Corner& b, const Corner& c) {
    return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

/// Puts the hull's corners at the front of `points`, counter-clockwise, and returns their number. The points must be
/// exact numbers. Capacity must be at least twice the number of points.
template <std::size_t Capacity>
std::uint32_t hull_of(Corner (&points)[Capacity], std::uint32_t count) {
    const auto before = [](const Corner& a, const Corner& b) {
        return a.x.lo < b.x.lo || (a.x.lo == b.x.lo && a.y.lo < b.y.lo);
    };
    const auto same = [](const Corner& a, const Corner& b) { return a.x.lo == b.x.lo && a.y.lo == b.y.lo; };
    std::sort(points, points + count, before);
    count = static_cast<std::uint32_t>(std::unique(points, points + count, same) - points);
    if (count < 3) return count;
    Corner chain[Capacity];
    std::uint32_t size = 0;
    const auto add = [&](const Corner& corner, std::uint32_t start) {
        while (size >= start + 2 && left_turn(chain[size - 2], chain[size - 1], corner).hi <= 0) --size;
        chain[size++] = corner;
    };
    for (std::uint32_t i = 0; i < count; ++i) add(points[i], 0);
    const std::uint32_t upper = size - 1;  // the upper chain goes back from the rightmost point
    for (std::uint32_t i = count - 1; i-- > 0;) add(points[i], upper);
    // The leftmost point is on both chains, and so is any other that rounding leaves on either. Each is kept once, so
    // there are no more corners than points. No corner is lost: a view moves each edge out until all corners are on its
    // inner side, and a polygon's normals are only directions to try.
    const auto is_below = [&](const Corner& corner) {
        return std::any_of(chain, chain + upper + 1, [&](const Corner& other) { return same(corner, other); });
    };
    size = static_cast<std::uint32_t>(std::remove_if(chain + upper + 1, chain + size, is_below) - chain);
    std::copy(chain, chain + size, points);
    return size;
}

}  // namespace lanecull::flat
