#include <lanecull/hulls.h>

#include <string>
#include <vector>

#include "out_of_memory/fail_create.hpp"
#include "support/random.hpp"

/// Hulls of points, which are found with operator new as well. qhull's own memory is not asked.

namespace {

using lanecull::ConvexHull;

struct Points {
    explicit Points(int count) {
        Random random(5);
        for (int i = 0; i < 3 * count; ++i) numbers.push_back(static_cast<float>(random.range(-1, 1)));
    }
    [[nodiscard]] lanecull::Vertices view() const {
        const float* first = numbers.data();
        return {first, first + 1, first + 2, static_cast<std::uint32_t>(numbers.size() / 3), 3 * sizeof(float)};
    }
    std::vector<float> numbers;
};

Seen look(const ConvexHull& hull) {
    Seen seen{std::to_string(hull.count())};
    const lanecull::ConvexHullInfo info = hull.info();
    for (const float x : info.x) seen.exact += std::to_string(x) + " ";
    for (const std::uint32_t neighbor : info.neighbors) seen.exact += std::to_string(neighbor) + " ";
    return seen;
}

template <class Find>
void fail_hull(const char* function, const Find& find) {
    fail_each(
        function, [] { return std::make_unique<ConvexHull>(); }, find, look);
}

TEST(HullsOutOfMemory, WhereHullsAreFound) {
    const Points points(8);
    fail_hull("convex_hull", [&](ConvexHull& hull) { return lanecull::convex_hull(points.view(), hull); });
    fail_hull("enclosing_hull", [&](ConvexHull& hull) { return lanecull::enclosing_hull(points.view(), 7, hull); });
}

TEST(HullsOutOfMemory, WhereHullsAreMade) {
    const Points points(8);
    fail_create<lanecull_convex_hull>("lanecull_create_convex_hull", lanecull_create_convex_hull,
                                      lanecull_destroy_convex_hull);
    fail_first<ConvexHull>("ConvexHull(), convex_hull",
                           [&](ConvexHull& hull) { return lanecull::convex_hull(points.view(), hull); });
    fail_first<ConvexHull>("ConvexHull(), enclosing_hull",
                           [&](ConvexHull& hull) { return lanecull::enclosing_hull(points.view(), 7, hull); });
}

TEST(HullsOutOfMemory, WhereHullsAreCompared) {
    const Points points(8), others(12);
    ConvexHull inner, outer;
    ASSERT_TRUE(lanecull::convex_hull(points.view(), inner));
    ASSERT_TRUE(lanecull::convex_hull(others.view(), outer));
    fail_each(
        "outward_error", [] { return std::make_unique<double>(-1); },
        [&](double& error) { return lanecull::outward_error(outer, inner, error); },
        [](const double& error) { return Seen{std::to_string(error)}; });
}

}  // namespace
