#include <lanecull/hulls.h>

#include <vector>

#include "out_of_memory/fail_each.hpp"
#include "support/random.hpp"

/// Hulls of points, which are found with operator new as well. qhull's own memory is not counted.

namespace {

using lanecull::ConvexHull;

struct Points {
    std::vector<float> numbers;

    explicit Points(int count) {
        Random random(5);
        for (int i = 0; i < 3 * count; ++i) numbers.push_back(static_cast<float>(random.range(-1, 1)));
    }
    [[nodiscard]] lanecull::Vertices view() const {
        const float* first = numbers.data();
        return {first, first + 1, first + 2, static_cast<std::uint32_t>(numbers.size() / 3), 3 * sizeof(float)};
    }
};

Seen look(const ConvexHull& hull) {
    const lanecull::ConvexHullInfo info = hull.info();
    return {std::to_string(hull.count()),
            text_of(std::as_bytes(std::span(info.x))) + text_of(std::as_bytes(std::span(info.neighbors)))};
}

TEST(HullsOutOfMemory, WhereHullsAreFoundAndCompared) {
    const Points points(8), others(12);
    const auto none = [] { return std::make_unique<ConvexHull>(); };
    fail_write<ConvexHull>(
        "convex_hull", none, [&](ConvexHull& hull) { return lanecull::convex_hull(points.view(), hull); }, look);
    fail_write<ConvexHull>(
        "enclosing_hull", none, [&](ConvexHull& hull) { return lanecull::enclosing_hull(points.view(), 7, hull); },
        look);
    ConvexHull inner, outer;
    ASSERT_TRUE(lanecull::convex_hull(points.view(), inner));
    ASSERT_TRUE(lanecull::convex_hull(others.view(), outer));
    fail_each(
        "outward_error", [] { return std::make_unique<double>(-1); },
        [&](double& error) { return lanecull::outward_error(outer, inner, error); },
        [](const double& error) { return Seen{std::to_string(error)}; });
}

}  // namespace
