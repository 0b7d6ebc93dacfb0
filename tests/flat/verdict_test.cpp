#include <gtest/gtest.h>

#include <cmath>

#include "flat/figures.hpp"
#include "flat/running.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"

/// 2D shapes of every kind against views of every kind, compared with rational arithmetic. Nothing that shares a point
/// with the view is culled, and everything that is apart by more than four bounds is.

namespace {

using namespace flat_tests;
using exact::rational;

class FlatVerdicts : public testing::TestWithParam<std::tuple<Kind, ViewKind>> {};

struct Seen {
    std::uint64_t objects = 0, culled = 0, close = 0, by_other_directions = 0, inside = 0;
};

/// All instruction sets hold one set of objects against one view.
void check(Random& random, Kind kind, ViewKind view_kind, Seen& seen) {
    const TestView view = random_view(random, view_kind);
    const lanecull::flat::Polygon polygon = random_polygon(random);
    const std::vector<Object> objects = random_objects(random, kind, view, polygon, 96);
    HeapMemory memory;
    const lanecull::flat::Batch batch = make_batch(kind, objects, polygon, memory);
    std::vector<FlatResult> results;
    for (const lanecull::Isa isa : runnable_isas()) results.push_back(run_flat(batch, view.view, {.isa = isa}));
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const flat_oracle::Figure figure = figure_of(kind, objects[i], polygon);
        const flat_oracle::Rational square = flat_oracle::square_distance(figure, view.figure);
        const flat_oracle::Rational radius = figure.radius;
        const flat_oracle::Rational kept = radius + rational(tolerance(kind, objects[i], view, polygon));
        const bool shares_a_point = square <= radius * radius, must_be_culled = square > kept * kept;
        const bool is_contained = flat_oracle::contains(view.figure, figure);
        for (const FlatResult& result : results) {
            const auto text = [&] { return describe(kind, objects[i]) + " view " + view.text; };
            EXPECT_TRUE(result.visible(i) || !shares_a_point) << "culled wrongly: " << text();
            EXPECT_FALSE(result.visible(i) && must_be_culled) << "kept for nothing: " << text();
            if (result.inside(i)) {
                EXPECT_TRUE(is_contained) << "not inside: " << text();
                ++seen.inside;
            }
        }
        seen.close += !shares_a_point && !must_be_culled;
        seen.culled += must_be_culled;
    }
    seen.objects += objects.size();
    for (const FlatResult& result : results) seen.by_other_directions += result.counts[lanecull::Reason::culled_gjk];
}

TEST_P(FlatVerdicts, AreThoseOfRationals) {
    const auto [kind, view_kind] = GetParam();
    const std::uint64_t first_seed =
        1000 * static_cast<std::uint64_t>(kind) + 100 * static_cast<std::uint64_t>(view_kind);
    Seen seen;
    for (int k = 0; k < scaled(20); ++k) {
        SCOPED_TRACE("seed " + std::to_string(first_seed + static_cast<std::uint64_t>(k)));
        Random random(first_seed + static_cast<std::uint64_t>(k));
        check(random, kind, view_kind, seen);
        if (HasFailure()) return;
    }
    // The samples are what they should be: on both sides, close calls among them, and every stage at work.
    EXPECT_GT(seen.culled, seen.objects / 8);
    EXPECT_LT(seen.culled, seen.objects * 7 / 8);
    EXPECT_GT(seen.inside, 0u);
    if (kind != Kind::box || view_kind != ViewKind::rectangle) {
        EXPECT_GT(seen.close, 0u);
    }
    const bool rectangular = view_kind == ViewKind::rectangle || view_kind == ViewKind::turned;
    if (kind == Kind::box) {
        EXPECT_EQ(seen.by_other_directions, 0u);
    } else if (kind != Kind::circle || !rectangular) {
        EXPECT_GT(seen.by_other_directions, 0u);
    }
}

/// The oracle takes finite numbers only: as large as the prover's largest, by axes a thousandth as long.
TEST(FlatFigures, AreFiniteAtTheLargestSizes) {
    Random random(20'261'201);
    const TestView view = random_view(random, ViewKind::turned, 0, 0, 1e27, 1e27);
    const lanecull::flat::Polygon polygon = random_polygon(random);
    for (const Kind kind : all_kinds) {
        for (int i = 0; i < 2'000; ++i) {
            ASSERT_NO_THROW(static_cast<void>(random_object(random, kind, view, polygon, 1e36, Gap::any)))
                << kind_name(kind) << " " << i;
        }
    }
}

/// Against aligned rectangles there is no bound at all: boxes are culled exactly where they share no point.
TEST(FlatBoxes, AreComparedExactlyWithRectangles) {
    Random random(5);
    for (int k = 0; k < scaled(40); ++k) {
        const TestView view = random_view(random, ViewKind::rectangle);
        const std::vector<Object> objects = random_objects(random, Kind::box, view, {}, 64);
        HeapMemory memory;
        const lanecull::flat::Batch batch = make_batch(Kind::box, objects, {}, memory);
        for (const lanecull::Isa isa : runnable_isas()) {
            const FlatResult result = run_flat(batch, view.view, {.isa = isa});
            for (std::size_t i = 0; i < objects.size(); ++i) {
                const bool touches = flat_oracle::within(figure_of(Kind::box, objects[i], {}), view.figure);
                ASSERT_EQ(result.visible(i), touches) << describe(Kind::box, objects[i]) << " view " << view.text;
            }
        }
    }
}

/// The kernels take signs of differences: 0 has two.
TEST(FlatBoxes, TouchAtZeroOfEitherSign) {
    constexpr float zeros[] = {0.0f, -0.0f};
    for (const float zero : zeros) {
        for (const double other : {0.0, -0.0}) {
            for (const double side : {2.0, -2.0}) {  // of 0, where the view is: its corner is what it shares
                lanecull::flat::View along_x, along_y;
                const double half = side / 2;
                const std::vector<double> x_first = {other, 0, half, -1, side, 0, half, 1};
                const std::vector<double> y_first = {0, other, -1, half, 0, side, 1, half};
                ASSERT_TRUE(prepare_view_from_points(x_first, along_x));
                ASSERT_TRUE(prepare_view_from_points(y_first, along_y));
                const float from[1] = {side > 0 ? -1.0f : zero}, to[1] = {side > 0 ? zero : 1.0f};
                const float low[1] = {-1}, high[1] = {1};
                for (const lanecull::Isa isa : runnable_isas()) {
                    const lanecull::flat::Boxes beside{from, low, to, high, 1}, below{low, from, high, to, 1};
                    EXPECT_TRUE(run_flat(beside, along_x, {.isa = isa}).visible(0)) << zero << other << side;
                    EXPECT_TRUE(run_flat(below, along_y, {.isa = isa}).visible(0)) << zero << other << side;
                }
            }
        }
    }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Kind, ViewKind>>& test) {
    constexpr const char* views[] = {"rectangle", "turned", "triangle", "polygon"};
    return std::string(kind_name(std::get<0>(test.param))) + "_" + views[static_cast<int>(std::get<1>(test.param))];
}

INSTANTIATE_TEST_SUITE_P(All, FlatVerdicts,
                         testing::Combine(testing::ValuesIn(all_kinds), testing::ValuesIn(all_views)), name_of);

/// Where the square of a radius just is a number, that of the distance to the centre may be none: which of the two is
/// larger must not be told from that.
TEST(FlatCircles, AreNotCulledByAnOverflow) {
    lanecull::flat::View views[2];
    ASSERT_TRUE(lanecull::flat::prepare_view(lanecull::flat::Rectangle{-1, -2, 1, 2}, views[0]));
    ASSERT_TRUE(lanecull::flat::prepare_view(lanecull::flat::TurnedRectangle{0, 0, 2, 1, 0.53, -0.85}, views[1]));
    std::vector<float> x, y, radius;
    for (double r = 1e18; r < 3e38; r *= 1.02) {
        for (int turn = 0; turn < 16; ++turn) {
            const double angle = 0.39 * turn;
            x.push_back(static_cast<float>(0.999 * r * std::cos(angle)));
            y.push_back(static_cast<float>(0.999 * r * std::sin(angle)));
            radius.push_back(static_cast<float>(r));
        }
    }
    const lanecull::flat::Circles circles{x.data(), y.data(), radius.data(), static_cast<std::uint32_t>(x.size())};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::flat::View& view : views) {
            EXPECT_EQ(run_flat(lanecull::flat::Batch(circles), view, {.isa = isa}).visible_count, x.size())
                << lanecull::isa_name(isa);
        }
    }
}

}  // namespace
