#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <lanecull/flat.h>

#include "support/culling.hpp"

/// Examples of <lanecull/flat.h> by hand, and what it refuses. properties/figures has the rest.

namespace {

namespace flat = lanecull::flat;

std::uint64_t visible_count(const flat::Batch& batch, const flat::View& view, lanecull::Isa isa) {
    lanecull::Output output;
    std::vector<std::byte> scratch(flat::scratch_bytes({&batch, 1}, 1));
    EXPECT_TRUE(flat::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.isa = isa}));
    return output.visible_count;
}

TEST(FlatArguments, NameWhatIsWrong) {
    const float numbers[4] = {};
    const flat::Batch good = flat::Circles{numbers, numbers, numbers, 4};
    flat::View view;
    ASSERT_TRUE(flat::prepare_view(flat::Rectangle{0, 0, 1, 1}, view));
    std::uint64_t word = 77;
    const auto message = [&](const flat::Batch& batch, const flat::View& of,
                             const lanecull::CullOptions& options = {}) {
        lanecull::Output output;
        output.visible = {&word, 1};
        std::vector<std::byte> scratch(flat::scratch_bytes({&batch, 1}, 1));
        const lanecull::Status status = flat::cull({&batch, 1}, {&of, 1}, {&output, 1}, scratch, options);
        EXPECT_TRUE(status.ok() || word == 77);
        return std::string(status.message());
    };
    EXPECT_EQ(message(flat::Circles{numbers, nullptr, numbers, 4}, view), "batches[0].y: must not be null");
    const flat::Polygon unprepared;
    EXPECT_EQ(message(flat::PolygonInstances{numbers, numbers, numbers, numbers, &unprepared, 4}, view),
              "batches[0].polygon: was not prepared by prepare_polygon()");
    EXPECT_EQ(message(good, flat::View()), "views[0]: was not prepared by prepare_view()");
    EXPECT_EQ(message(good, view, {.method = lanecull::gjk_alone}), "options.method: there is no gjk in the plane");
    EXPECT_EQ(message(good, view), "");
    lanecull::Output ordered{.order = lanecull::ListOrder::front_to_back};
    std::vector<std::byte> scratch(flat::scratch_bytes({&good, 1}, 1));
    EXPECT_EQ(std::string(flat::cull({&good, 1}, {&view, 1}, {&ordered, 1}, scratch).message()),
              "outputs[0].order: 2D shapes have no depth");

    const flat::View before = view;
    const double inf = HUGE_VAL;
    EXPECT_FALSE(flat::prepare_view(flat::Rectangle{0, 0, 0, 1}, view));
    EXPECT_FALSE(flat::prepare_view(flat::Rectangle{0, 0, inf, 1}, view));
    EXPECT_FALSE(flat::prepare_view(flat::Rectangle{0, 0, 1e31, 1}, view));
    EXPECT_FALSE(flat::prepare_view(flat::TurnedRectangle{0, 0, 1, 1, 0, 0}, view));
    EXPECT_FALSE(flat::prepare_view(flat::TurnedRectangle{0, 0, 1, -1, 1, 0}, view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>{0, 0, 1, 1}, view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>{0, 0, 1, 1, 2, 2, 3, 3}, view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>(2 * 17, 1), view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>{0, 0, 1, 1, std::nan(""), 0}, view));
    EXPECT_EQ(std::memcmp(&before, &view, sizeof view), 0);

    flat::Polygon polygon;
    EXPECT_FALSE(flat::prepare_polygon(numbers, numbers, 0, polygon));
    EXPECT_FALSE(flat::prepare_polygon(nullptr, numbers, 3, polygon));
    const float bad[3] = {0, 1, std::nanf("")};
    EXPECT_FALSE(flat::prepare_polygon(bad, numbers, 3, polygon));
    EXPECT_EQ(polygon.count, 0u);
}

/// Points inside the hull, on its edges, and twice the same, in any order, are the same polygon.
TEST(FlatPolygons, AreHulls) {
    const float x[] = {0, 1, 0.5f, 0, 1, 0.5f, 0, 0.25f}, y[] = {0, 0, 0.5f, 1, 1, 0, 0, 1};
    flat::Polygon polygon;
    ASSERT_TRUE(flat::prepare_polygon(x, y, 8, polygon));
    ASSERT_EQ(polygon.count, 4u);
    EXPECT_GE(polygon.magnitude, 2.0f);  // rounded up
    EXPECT_LT(polygon.magnitude, 2.00001f);
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t next = (k + 1) % 4, after = (k + 2) % 4;
        const float turn = (polygon.x[next] - polygon.x[k]) * (polygon.y[after] - polygon.y[next]) -
                           (polygon.y[next] - polygon.y[k]) * (polygon.x[after] - polygon.x[next]);
        EXPECT_EQ(turn, 1.0f);
    }
}

/// The kernels take signs of differences: 0 has two.
TEST(FlatBoxes, TouchAtZeroOfEitherSign) {
    constexpr float zeros[] = {0.0f, -0.0f};
    for (const float zero : zeros) {
        for (const double other : {0.0, -0.0}) {
            for (const double side : {2.0, -2.0}) {  // of 0, where the view is: its corner is what it shares
                flat::View along_x, along_y;
                const double half = side / 2;
                const std::vector<double> x_first = {other, 0, half, -1, side, 0, half, 1};
                const std::vector<double> y_first = {0, other, -1, half, 0, side, 1, half};
                ASSERT_TRUE(prepare_view_from_points(x_first, along_x));
                ASSERT_TRUE(prepare_view_from_points(y_first, along_y));
                const float from[1] = {side > 0 ? -1.0f : zero}, to[1] = {side > 0 ? zero : 1.0f};
                const float low[1] = {-1}, high[1] = {1};
                for (const lanecull::Isa isa : runnable_isas()) {
                    const flat::Boxes beside{from, low, to, high, 1}, below{low, from, high, to, 1};
                    EXPECT_TRUE(visible_count(beside, along_x, isa) == 1) << zero << other << side;
                    EXPECT_TRUE(visible_count(below, along_y, isa) == 1) << zero << other << side;
                }
            }
        }
    }
}

}  // namespace
