#include "api/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <lanecull/hulls.h>

#include "support/random.hpp"

/// The caller's floating-point modes change no hull, and no function changes these modes.

namespace {

using lanecull::ConvexHull;
using modes::Answer;

/// Points in a ball, in a disc and on a line, of several sizes.
std::vector<std::vector<float>> make_sets() {
    Random random(2);
    std::vector<std::vector<float>> sets;
    for (const int exponent : {-140, -30, 60, 0}) {
        for (int dimension = 1; dimension <= 3; ++dimension) {
            std::vector<float>& set = sets.emplace_back();
            for (std::size_t i = 0; i < 90; ++i) {
                const bool flat = static_cast<int>(i / 30) >= dimension;
                set.push_back(flat ? 0 : static_cast<float>(std::ldexp(random.range(-1, 2), exponent)));
            }
        }
    }
    return sets;
}

/// Calls `call` with each set of vertices, and with odd numbers in one of them.
template <class Call>
void with_vertices(const Call& call) {
    static const std::vector<std::vector<float>> sets = make_sets();
    const auto vertices = [](const std::vector<float>& set) {
        const auto n = static_cast<std::uint32_t>(set.size() / 3);
        return lanecull::Vertices{set.data(), set.data() + n, set.data() + 2 * n, n};
    };
    for (const std::vector<float>& set : sets) call(vertices(set));
    std::vector<float> odd = sets.back();
    modes::with_odd(std::span(odd).subspan(odd.size() / 3 - 1, 2), [&] { call(vertices(odd)); });
}

void add_hull(Answer& answer, const ConvexHull& hull) {
    const lanecull::ConvexHullInfo info = hull.info();
    answer.add(info.x), answer.add(info.y), answer.add(info.z);
    answer.add(info.first_neighbor), answer.add(info.neighbors), answer.add(info.triangles);
    answer.add(info.dimension);
}

void convex_hull(Answer& answer) {
    with_vertices([&](const lanecull::Vertices& vertices) {
        ConvexHull hull;
        answer.add(lanecull::convex_hull(vertices, hull));
        add_hull(answer, hull);
    });
}

void enclosing_hull(Answer& answer) {
    ConvexHull hull;
    with_vertices([&](const lanecull::Vertices& vertices) {
        answer.add(lanecull::enclosing_hull(vertices, 12, hull));
        add_hull(answer, hull);
    });
}

void volume(Answer& answer) {
    with_vertices([&](const lanecull::Vertices& vertices) {
        ConvexHull hull;
        answer.add(lanecull::convex_hull(vertices, hull));
        answer.add(lanecull::volume(hull));
    });
}

void outward_error(Answer& answer) {
    ConvexHull before;
    with_vertices([&](const lanecull::Vertices& vertices) {
        ConvexHull hull;
        if (!lanecull::convex_hull(vertices, hull)) return;
        if (before.count() > 0) {
            double error = -1;
            answer.add(lanecull::outward_error(hull, before, error));
            answer.add(error);
        }
        before = std::move(hull);
    });
}

const modes::Registered calls[] = {{"lanecull_find_convex_hull", modes::takes_memory, convex_hull},
                                   {"lanecull_find_enclosing_hull", modes::takes_memory, enclosing_hull},
                                   {"lanecull_convex_hull_get_info", modes::takes_memory, volume},
                                   {"lanecull_convex_hull_outward_error", modes::takes_memory, outward_error}};

TEST(HullFloatModesTable, HasEveryPublicFunction) {
    const std::string header[] = {"hulls.h"};
    modes::expect_complete(header);
}

}  // namespace
