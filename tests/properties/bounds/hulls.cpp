#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <lanecull/hulls.h>

#include "oracle/exact.hpp"
#include "properties/bounds/bounds.hpp"
#include "support/double3.hpp"
#include "support/generate.hpp"

/// enclosing_hull(): each vertex is in the hull, exactly. convex_hull(): each corner is a vertex, bit by bit, and no
/// vertex is outside by more than rounding. Both are meshes that can be climbed.
namespace properties {
namespace {

using lanecull::ConvexHull;
using lanecull::ConvexHullInfo;

Cloud corners_of(const ConvexHull& hull) {
    const ConvexHullInfo info = hull.info();
    Cloud corners;
    for (std::uint32_t i = 0; i < info.count(); ++i) corners.push_back({info.x[i], info.y[i], info.z[i]});
    return corners;
}

/// Whether each edge of the surface belongs to two triangles, one each way, and Euler's formula holds.
bool is_closed(const ConvexHullInfo& info) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& t : info.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!edges.emplace(t[k], t[(k + 1) % 3]).second) return false;
        }
    }
    const bool is_paired = std::ranges::all_of(edges, [&](const auto& edge) {
        return edges.contains({edge.second, edge.first});
    });
    return is_paired && info.count() + info.triangles.size() == edges.size() / 2 + 2 &&
           info.neighbors.size() == edges.size();
}

/// Whether all corners have neighbours in range, each once, whose neighbours they are.
bool are_mutual(const ConvexHullInfo& info) {
    if (info.first_neighbor.size() != info.count() + 1u || info.first_neighbor.front() != 0 ||
        info.first_neighbor.back() != info.neighbors.size()) {
        return false;
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 0; i < info.count(); ++i) {
        for (std::uint32_t j = info.first_neighbor[i]; j < info.first_neighbor[i + 1]; ++j) {
            const std::uint32_t neighbor = info.neighbors[j];
            if (neighbor >= info.count() || neighbor == i || !pairs.emplace(i, neighbor).second) return false;
        }
    }
    return std::ranges::all_of(pairs, [&](const auto& pair) { return pairs.contains({pair.second, pair.first}); });
}

Double3 in_doubles(const Vertex& p) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// Largest differences from the first point.
double extent_of(const Cloud& points) {
    double extent = 0;
    for (const Vertex& p : points) {
        for (const double c : in_doubles(p) - in_doubles(points[0])) extent = std::max(extent, std::fabs(c));
    }
    return extent;
}

double largest_coordinate(const Cloud& points) {
    double largest = 0;
    for (const Vertex& p : points) {
        for (const double c : in_doubles(p)) largest = std::max(largest, std::fabs(c));
    }
    return largest;
}

/// Whether steps to better neighbours end at the farthest corner.
bool leads_to_the_farthest(const ConvexHullInfo& info, const Cloud& corners, const Double3& along, std::uint32_t at) {
    const auto depth = [&](std::uint32_t i) { return dot(along, in_doubles(corners[i]) - in_doubles(corners[0])); };
    for (std::uint32_t from = info.count(); from != at;) {
        from = at;
        for (std::uint32_t j = info.first_neighbor[from]; j < info.first_neighbor[from + 1]; ++j) {
            if (depth(info.neighbors[j]) > depth(at)) at = info.neighbors[j];
        }
    }
    double farthest = 0;
    for (std::uint32_t i = 0; i < info.count(); ++i) farthest = std::max(farthest, depth(i));
    return depth(at) >= farthest - 0x1p-45 * extent_of(corners);
}

exact::Point exact_point(const Vertex& p) {
    const Double3 at = in_doubles(p);
    return exact::point(at[0], at[1], at[2]);
}

class HullsTrial : public BoundsTrial {
public:
    using BoundsTrial::BoundsTrial;

    /// Of few points, or of many: of the latter the exact oracle judges some.
    void run() {
        for (int n = 0; n < 12 && !trial_.stopped(); ++n) {
            const bool are_few = n % 3 != 0;
            cloud_ = random_cloud(random(), are_few ? 24 : random().chance(0.03) ? 2000 : 100);
            HeapMemory memory;
            const lanecull::Vertices vertices = lay_out(cloud_, random().chance(0.5) ? 1 : 3, memory);
            ConvexHull hull;
            if (convex_hull(vertices, hull).ok()) {
                check_corners(hull);
                check_mesh(hull);
                const bool solid = hull.info().dimension == 3;
                ++at(Tally::cases);
                at(Tally::reached) += std::uint64_t{solid};
                check_vertices(hull, solid ? 0x1p-40 * extent_of(cloud_) : 0x1p-21 * largest_coordinate(cloud_));
            }
            const int most = are_few ? 4 + random().below(7) : random().chance(0.2) ? 1000 : 4 + random().below(28);
            if (!enclose(vertices, static_cast<std::uint32_t>(most), hull)) continue;
            check_mesh(hull);
            are_few ? check_all(hull, n == 1) : check_vertices(hull, 0);
        }
    }

private:
    /// False if it is refused: it may be beyond floats' range, or smaller than they can enclose.
    bool enclose(const lanecull::Vertices& vertices, std::uint32_t most, ConvexHull& hull) {
        at(Tally::verdicts) += cloud_.size();
        if (const lanecull::Status status = enclosing_hull(vertices, most, hull); !status) {
            ++at(Tally::refused);
            const double largest = largest_coordinate(cloud_);
            if (largest < 0x1p120 && largest > 0x1p-110) fail(Tally::untold, status.message().text, {});
            return false;
        }
        if (hull.count() > most) fail(Tally::untold, "too many corners", hull);
        return true;
    }

    void check_corners(const ConvexHull& hull) {
        const Cloud corners = corners_of(hull);
        at(Tally::verdicts) += corners.size();
        const std::set<Vertex> given(cloud_.begin(), cloud_.end()), different(corners.begin(), corners.end());
        const bool are = std::ranges::all_of(corners, [&](const Vertex& p) { return given.contains(p); });
        if (!are) fail(Tally::unproved, "a corner of the convex hull is no vertex", hull);
        if (different.size() != corners.size()) fail(Tally::untold, "a corner twice", hull);
    }

    void check_mesh(const ConvexHull& hull) {
        const ConvexHullInfo info = hull.info();
        if (!are_mutual(info)) return fail(Tally::untold, "neighbours are not mutual", hull);
        const bool solid = info.dimension == 3;
        if (solid && !is_closed(info)) return fail(Tally::untold, "the surface is not closed", hull);
        if (solid ? !(info.volume > 0) : info.volume != 0) fail(Tally::untold, "inside out", hull);
        const Cloud corners = corners_of(hull);
        for (int n = 0; n < 8 && solid; ++n) {
            const auto from = static_cast<std::uint32_t>(random().below(static_cast<int>(info.count())));
            if (leads_to_the_farthest(info, corners, random_direction(random()), from)) continue;
            return fail(Tally::untold, "climbing ends before the farthest corner", hull);
        }
    }

    /// All vertices are in the hull, whose facets are found by trying all triples of its few corners.
    void check_all(const ConvexHull& hull, bool by_rationals_alone) {
        judge_.by_rationals_alone(by_rationals_alone);
        at(Tally::oracle_objects) += by_rationals_alone ? cloud_.size() : 0;
        at(Tally::culled_gjk) += cloud_.size();
        if (!hull_contains(corners_of(hull), cloud_, judge_)) {
            fail(Tally::unproved, "a vertex is not in the enclosing hull", hull);
        }
    }

    /// Some vertices are in the hull, or no farther from it than that.
    void check_vertices(const ConvexHull& hull, double slack) {
        exact::Solid solid;
        for (const Vertex& corner : corners_of(hull)) solid.points.push_back(exact_point(corner));
        for (std::size_t n = 0; n < trial_.plan.oracle_objects; ++n) {
            const auto i = static_cast<std::size_t>(random().below(static_cast<int>(cloud_.size())));
            const exact::Point point[] = {exact_point(cloud_[i])};
            ++at(Tally::oracle_objects);
            const exact::Answer answer = exact::decide(solid, exact::Volume::hull(point), exact::rational(slack));
            if (answer.verdict != exact::Verdict::visible) fail(Tally::unproved, "a vertex is outside", hull);
        }
    }

    void fail(Tally::Count count, const std::string& what, const ConvexHull& hull) {
        trial_.fail(count, what, [&] { return describe(cloud_) + "\n  corners: " + describe(corners_of(hull)); });
    }

    Cloud cloud_;
};

}  // namespace

void bound_hulls(Trial& trial) { HullsTrial(trial).run(); }

}  // namespace properties
