#include <algorithm>
#include <string>

#include <lanecull/hulls.h>

#include "prove/bounds/bounds.hpp"
#include "prove/bounds/clouds.hpp"
#include "prove/bounds/facets.hpp"

/// enclosing_hull(): each vertex is in the hull, exactly. convex_hull(): each corner is a vertex, bit by bit.
namespace prove {
namespace {

using lanecull::ConvexHull;

Cloud corners_of(const ConvexHull& hull) {
    const lanecull::ConvexHullInfo info = hull.info();
    Cloud corners;
    for (std::uint32_t i = 0; i < info.count(); ++i) corners.push_back({info.x[i], info.y[i], info.z[i]});
    return corners;
}

bool is_one_of(const Cloud& points, const Vertex& p) {
    return std::find(points.begin(), points.end(), p) != points.end();
}

class HullsTrial {
public:
    explicit HullsTrial(Trial& trial) : trial_(trial) {}

    void run() {
        trial_.at(Tally::trials) = 1;
        for (int n = 0; n < 10 && !trial_.stopped(); ++n) {
            cloud_ = random_cloud(trial_.random, 24);
            HeapMemory memory;
            const lanecull::Vertices vertices = lay_out(cloud_, trial_.random.chance(0.5) ? 1 : 3, memory);
            const auto most = static_cast<std::uint32_t>(4 + trial_.random.below(7));
            ConvexHull hull;
            if (const lanecull::Status status = enclosing_hull(vertices, most, hull); status.ok()) {
                judge_.by_rationals_alone(n == 0);
                trial_.at(Tally::oracle_objects) += n == 0 ? cloud_.size() : 0;
                check_enclosing(hull, most);
            } else {
                refused(status);
            }
            if (convex_hull(vertices, hull).ok()) check_corners(hull);
        }
        trial_.at(Tally::exact_checks) = judge_.exact_checks();
    }

private:
    /// It may be beyond floats' range, or smaller than they can enclose.
    void refused(const lanecull::Status& status) {
        ++trial_.at(Tally::refused);
        float largest = 0;
        for (const Vertex& p : cloud_) {
            for (const float coordinate : p) largest = std::max(largest, std::fabs(coordinate));
        }
        if (largest < 0x1p120f && largest > 0x1p-110f) fail(Tally::untold, status.message().text, {});
    }

    void check_enclosing(const ConvexHull& hull, std::uint32_t most) {
        const Cloud corners = corners_of(hull);
        trial_.at(Tally::verdicts) += cloud_.size();
        trial_.at(Tally::culled_gjk) += cloud_.size();
        if (hull.count() > most) fail(Tally::untold, "too many corners", corners);
        if (!hull_contains(corners, cloud_, judge_)) {
            fail(Tally::unproved, "a vertex is not in the enclosing hull", corners);
        }
    }

    void check_corners(const ConvexHull& hull) {
        const Cloud corners = corners_of(hull);
        trial_.at(Tally::verdicts) += corners.size();
        const bool are = std::ranges::all_of(corners, [&](const Vertex& p) { return is_one_of(cloud_, p); });
        if (!are) fail(Tally::unproved, "a corner of the convex hull is no vertex", corners);
    }

    void fail(Tally::Count count, const std::string& what, const Cloud& corners) {
        trial_.fail(count, what, [&] { return describe(cloud_) + "\n  corners: " + describe(corners); });
    }

    Trial& trial_;
    Judge judge_;
    Cloud cloud_;
};

}  // namespace

void bound_hulls(Trial& trial) { HullsTrial(trial).run(); }

}  // namespace prove
