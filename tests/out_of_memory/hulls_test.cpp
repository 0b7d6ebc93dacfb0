#include <lanecull/hulls.hpp>

#include <new>

#include <lanecull/c/hulls.h>

#include "out_of_memory/c_status.hpp"
#include "support/random.hpp"

/// Hulls of points, whose functions throw std::bad_alloc. qhull's own memory is not asked.

namespace {

using lanecull::ConvexHull;
using lanecull::Status;

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
    for (const float x : hull.x) seen.exact += std::to_string(x) + " ";
    for (const std::uint32_t neighbor : hull.neighbors) seen.exact += std::to_string(neighbor) + " ";
    return seen;
}

template <class Find>
void fail_hull(const char* function, const Find& find) {
    fail_each(
        function, [] { return std::make_unique<ConvexHull>(); },
        [&](ConvexHull& hull) {
            try {
                return find(hull);
            } catch (const std::bad_alloc&) {
                return Status::failure(lanecull::StatusCode::out_of_memory, "std::bad_alloc");
            }
        },
        look);
}

TEST(HullsOutOfMemory, WhereHullsAreFound) {
    const Points points(8);
    fail_hull("convex_hull", [&](ConvexHull& hull) { return lanecull::convex_hull(points.view(), hull); });
    fail_hull("enclosing_hull", [&](ConvexHull& hull) { return lanecull::enclosing_hull(points.view(), 7, hull); });
}

TEST(HullsOutOfMemory, WhereCKeepsHulls) {
    const Points points(8);
    const lanecull::Vertices view = points.view();
    const lanecull_vertices vertices{sizeof vertices, view.x, view.y, view.z, view.count, view.stride_bytes};
    struct State {
        State() { EXPECT_EQ(lanecull_create_convex_hull(&hull, nullptr), LANECULL_OK); }
        ~State() { lanecull_destroy_convex_hull(hull); }
        State(const State&) = delete;
        State& operator=(const State&) = delete;
        lanecull_convex_hull* hull = nullptr;
    };
    fail_create<lanecull_convex_hull>("lanecull_create_convex_hull", lanecull_create_convex_hull,
                                      lanecull_destroy_convex_hull);
    fail_each(
        "lanecull_find_enclosing_hull", [] { return std::make_unique<State>(); },
        [&](State& state) {
            return of_c([&](auto* why) { return lanecull_find_enclosing_hull(&vertices, 7, state.hull, why); });
        },
        [](const State& state) {
            lanecull_convex_hull_info info{};
            info.size = sizeof info;
            EXPECT_EQ(lanecull_convex_hull_get_info(state.hull, &info, nullptr), LANECULL_OK);
            return Seen{std::to_string(info.corner_count) + " " + std::to_string(info.volume)};
        });
}

}  // namespace
