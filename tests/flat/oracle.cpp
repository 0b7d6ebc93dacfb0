#include "flat/oracle.hpp"

#include <algorithm>

namespace flat_oracle {
namespace {

Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
Rational dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
Rational cross(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }
bool same(const Point& a, const Point& b) { return a.x == b.x && a.y == b.y; }

struct Segment {
    Point from, to;
};

/// Two of a segment, each way; one of a point.
std::vector<Segment> edges(const Points& corners) {
    std::vector<Segment> all;
    for (std::size_t k = 0; k < corners.size(); ++k) all.push_back({corners[k], corners[(k + 1) % corners.size()]});
    return all;
}

bool contains(const Points& corners, const Point& point) {
    if (corners.size() < 3) return false;
    return std::ranges::all_of(edges(corners),
                               [&](const Segment& edge) { return cross(edge.to - edge.from, point - edge.from) >= 0; });
}

bool cross_each_other(const Segment& a, const Segment& b) {
    const auto side = [](const Segment& of, const Point& point) -> int {
        return cross(of.to - of.from, point - of.from).sign();
    };
    return side(a, b.from) * side(a, b.to) < 0 && side(b, a.from) * side(b, a.to) < 0;
}

Rational square_distance(const Point& point, const Segment& segment) {
    const Point along = segment.to - segment.from, way = point - segment.from;
    const Rational square = dot(along, along), at = dot(along, way);
    if (square == 0 || at <= 0) return dot(way, way);
    if (at >= square) return dot(point - segment.to, point - segment.to);
    const Rational aside = cross(along, way);
    return aside * aside / square;
}

}  // namespace

Figure hull(Points points, Rational radius) {
    std::ranges::sort(points, [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
    if (points.size() < 3) return {points, radius};
    Points chain;
    for (int way = 0; way < 2; ++way) {
        const std::size_t start = chain.size();
        for (const Point& p : points) {
            while (chain.size() >= start + 2 && cross(chain.back() - chain[chain.size() - 2], p - chain.back()) <= 0) {
                chain.pop_back();
            }
            chain.push_back(p);
        }
        chain.pop_back();
        std::ranges::reverse(points);
    }
    return {chain, radius};
}

Rational square_distance(const Figure& a, const Figure& b) {
    if (contains(a.corners, b.corners[0]) || contains(b.corners, a.corners[0])) return 0;
    const std::vector<Segment> of_a = edges(a.corners), of_b = edges(b.corners);
    Rational least = square_distance(a.corners[0], of_b[0]);
    for (const Segment& edge_a : of_a) {
        for (const Segment& edge_b : of_b) {
            if (cross_each_other(edge_a, edge_b)) return 0;
            least = std::min({least, square_distance(edge_a.from, edge_b), square_distance(edge_b.from, edge_a)});
        }
    }
    return least;
}

bool contains(const Figure& outer, const Figure& inner) {
    return std::ranges::all_of(edges(outer.corners), [&](const Segment& edge) {
        const Point along = edge.to - edge.from;
        return std::ranges::all_of(inner.corners, [&](const Point& corner) {
            const Rational depth = cross(along, corner - edge.from);
            return depth >= 0 && depth * depth >= inner.radius * inner.radius * dot(along, along);
        });
    });
}

bool separates(const Point& w, const Figure& low, const Figure& high) {
    const auto along = [&](const Point& p) -> Rational { return dot(w, p); };
    const Rational top = along(std::ranges::max(low.corners, {}, along));
    const Rational bottom = along(std::ranges::min(high.corners, {}, along));
    const Rational gap = bottom - top;
    return gap > 0 && gap * gap > low.radius * low.radius * dot(w, w);
}

}  // namespace flat_oracle
