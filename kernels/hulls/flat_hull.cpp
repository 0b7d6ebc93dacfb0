#include <algorithm>
#include <cmath>

#include "hulls/mesh.hpp"

/// Hulls of points in a plane or on a line.
namespace lanecull::hulls {
namespace {

std::size_t farthest(std::span<const Double3> points, auto distance) {
    std::size_t best = 0;
    double most = distance(points[0]);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double here = distance(points[i]);
        if (here > most) most = here, best = i;
    }
    return best;
}

}  // namespace

FlatFit fit_plane(std::span<const Double3> points) {
    FlatFit fit;
    fit.origin = points[farthest(points, [&](Double3 p) { return length(p - points[0]); })];
    const Double3 along = points[farthest(points, [&](Double3 p) { return length(p - fit.origin); })] - fit.origin;
    fit.length = length(along);
    if (!(fit.length > 0)) return fit;
    fit.u = normalized(along);
    const auto off_line = [&](Double3 p) { return p - fit.origin - fit.u * dot(p - fit.origin, fit.u); };
    const Double3 side = off_line(points[farthest(points, [&](Double3 p) { return length(off_line(p)); })]);
    fit.width = length(side);
    if (!(fit.width > 0)) return fit;
    fit.v = normalized(side - fit.u * dot(side, fit.u));
    const Double3 normal = cross(fit.u, fit.v);
    for (const Double3& p : points) fit.thickness = std::max(fit.thickness, std::fabs(dot(p - fit.origin, normal)));
    return fit;
}

/// Andrew's monotone chain: along the lower side and back along the upper one, turning left.
std::vector<std::uint32_t> flat_hull(std::span<const Double3> points, const FlatFit& fit) {
    struct Point {
        double x, y;
        std::uint32_t index;
    };
    std::vector<Point> sorted;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const Double3 offset = points[i] - fit.origin;
        sorted.push_back({dot(offset, fit.u), dot(offset, fit.v), i});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Point& a, const Point& b) {
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
    });
    // A point that is off an edge by no more than rounding is no corner.
    const double slack = 0x1p-50 * fit.length * fit.width;
    std::vector<Point> chain;
    const auto extend = [&](const Point& p, std::size_t start) {
        const auto turns_left = [&](const Point& a, const Point& b) {
            return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > slack;
        };
        while (chain.size() >= start + 2 && !turns_left(chain[chain.size() - 2], chain.back())) chain.pop_back();
        chain.push_back(p);
    };
    for (const Point& p : sorted) extend(p, 0);
    const std::size_t upper = chain.size() - 1;
    for (auto p = sorted.rbegin() + 1; p != sorted.rend(); ++p) extend(*p, upper);
    std::vector<std::uint32_t> corners;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) corners.push_back(chain[i].index);
    return corners;
}

}  // namespace lanecull::hulls
