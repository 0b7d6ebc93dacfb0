#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oracle/exact_lights.hpp"
#include "properties/lights/cells.hpp"
#include "properties/lights/making.hpp"
#include "support/random.hpp"

/// The exact oracle of lights in cells: touches, which it must not call unclear; points that it claims; and doubles.

namespace {

using exact::Rational;
using exact::Verdict;
using properties::GridCase;
using properties::LightStreams;

/// 90 degrees along -z: slices from 1 to 2 and from 2 to 4, two by two tiles.
GridCase square_view() {
    GridCase of;
    of.matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
    of.tiles_x = of.tiles_y = 2;
    of.boundaries = {1, 2, 4};
    return of;
}

/// What is known of each cell: its number if it is reached, and none may be unclear.
std::vector<std::size_t> cells_of_ball(const GridCase& of, float x, float y, float z, float radius) {
    const float centre[3] = {x, y, z};
    std::vector<std::size_t> reached;
    for (std::size_t cell = 0; cell < of.cells(); ++cell) {
        const Verdict verdict = decide_ball(exact::sphere(centre, radius), exact::LightCell(of.grid(), cell));
        EXPECT_NE(verdict, Verdict::unclear) << cell;
        if (verdict == Verdict::visible) reached.push_back(cell);
    }
    return reached;
}

using Cells = std::vector<std::size_t>;

TEST(ExactLights, BallsThatTouch) {
    const GridCase of = square_view();
    EXPECT_EQ(cells_of_ball(of, 0.5f, 0.5f, -1.5f, 0.5f), (Cells{1, 2, 3, 7}));
    EXPECT_EQ(cells_of_ball(of, 0.5f, 0.5f, -1.5f, std::nextafter(0.5f, 0.0f)), (Cells{3}));
    EXPECT_EQ(cells_of_ball(of, 0, 0, -8, 4), (Cells{4, 5, 6, 7}));
    EXPECT_EQ(cells_of_ball(of, 0, 0, -8, std::nextafter(4.0f, 0.0f)), Cells{});
    // The corner (2, 2, -2): a plane would keep the second one.
    EXPECT_EQ(cells_of_ball(of, 2.5f, 2.75f, -3.5f, 1.75f), (Cells{3, 7}));
    EXPECT_EQ(cells_of_ball(of, 0, 0, 0, 1), (Cells{0, 1, 2, 3}));
}

TEST(ExactLights, BallsInOrthographicCells) {
    GridCase of;
    of.matrix = {0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, -0.125, 0, 0, 0, 0, 1};
    of.tiles_x = 2, of.tiles_y = 1, of.boundaries = {0, 4, 8};
    EXPECT_EQ(cells_of_ball(of, 1, 0, -4, 1), (Cells{0, 1, 2, 3}));
    EXPECT_EQ(cells_of_ball(of, 1, 0, -4, std::nextafter(1.0f, 0.0f)), (Cells{1, 3}));
    of.sight = lanecull::SightDirection::shrinking_depth;  // depth is the distance from z = -8
    EXPECT_EQ(cells_of_ball(of, 1, 0, -1, 0.5f), (Cells{3}));
    EXPECT_EQ(cells_of_ball(of, 1, 0, -7, 0.5f), (Cells{1}));
}

TEST(ExactLights, SpotsContainTheirPoints) {
    exact::Spot spot{exact::point(1, 2, 3), exact::point(0, 0, -2), 5, 0.75, false};
    EXPECT_TRUE(spot.contains(exact::point(1, 2, 3)));
    EXPECT_TRUE(spot.contains(exact::point(4, 2, -1)));  // the rim: 3, 4, 5
    EXPECT_FALSE(spot.contains(exact::point(4.001, 2, -1)));
    EXPECT_TRUE(spot.contains(exact::point(1, 2, -2)));
    EXPECT_FALSE(spot.contains(exact::point(1, 2, -2.001)));
    EXPECT_FALSE(spot.contains(exact::point(1, 2, 3.001)));
    spot.is_flat = true;
    EXPECT_TRUE(spot.contains(exact::point(4.75, 2, -2)));
    EXPECT_FALSE(spot.contains(exact::point(4.75, 2, -2.001)));
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        spot.is_flat = i % 2 == 0;
        spot.tangent = random.log_range(1e-3, 50);
        const exact::Point way = exact::point(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1));
        const exact::Point farthest = spot.farthest(way);
        EXPECT_TRUE(spot.contains(farthest));
        const Rational off = spot.highest(way) - dot(way, farthest);
        EXPECT_GE(off, 0);
        EXPECT_LT(off, (1 + spot.tangent) * 1e-16);
    }
}

/// Of spotlights that touch it may say that it does not know.
TEST(ExactLights, Spots) {
    const GridCase of = square_view();
    struct Case {
        std::array<double, 3> at;
        double range;
        std::array<double, 3> axis;
        double tangent;
        Cells reached, unclear;
    };
    for (const Case& c :
         {Case{{0.5, 0.5, -2}, 0, {0, 0, -1}, 0.5, {3, 7}, {}}, Case{{1, 2.5, -1.5}, 8, {-1, 0, 0}, 0.125, {}, {}},
          Case{{1, 0.25, -1.5}, 2, {-1, 0, 0}, 0.25, {0, 2, 3}, {1}},
          Case{{1, 0.5, -1.5}, 2, {-1, 0, 0}, 0.5, {0, 2, 3, 4, 6}, {1, 7}}}) {
        LightStreams lights;
        lights.add_spot(c.at, c.range, c.axis, c.tangent);
        const exact::Spot spot = exact::spot(lights.lights().spots, 0);
        Cells reached, unclear;
        for (std::size_t cell = 0; cell < of.cells(); ++cell) {
            const Verdict verdict = decide_spot(spot, exact::LightCell(of.grid(), cell));
            if (verdict == Verdict::visible) reached.push_back(cell);
            if (verdict == Verdict::unclear) unclear.push_back(cell);
        }
        EXPECT_EQ(reached, c.reached) << c.tangent;
        EXPECT_EQ(unclear, c.unclear) << c.tangent;
    }
}

}  // namespace
