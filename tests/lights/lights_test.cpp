#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <lanecull/light_grid.h>
#include <lanecull/shadow.h>

#include "oracle/exact_lights.hpp"
#include "properties/lights/cells.hpp"
#include "support/culling.hpp"
#include "support/random.hpp"
#include "support/small_stack.hpp"

/// Lights in cells. tests/data/lights.json has labelled touches, which the exact oracle and the library decide, and
/// what users of other libraries reported. Other tests are of counts, lists that are too short, layers and runners, and
/// of the oracle's spotlights.

namespace {

using Cells = std::vector<std::size_t>;
using exact::Rational;
using exact::Verdict;
using lanecull::Isa;
using nlohmann::json;
using properties::Assigned;
using properties::GridCase;
using properties::GridGeometry;
using properties::LightStreams;
using properties::Point3;

/// Looks along -z from the origin; the screen's sides have these slopes.
std::array<double, 16> camera_matrix(double slope_x, double slope_y) {
    return {1 / slope_x, 0, 0, 0, 0, 1 / slope_y, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
}

std::vector<double> exponential(double near, double far, std::size_t slices) {
    std::vector<double> depths(slices + 1);
    EXPECT_TRUE(lanecull::split_depths(near, far, 1, depths));
    return depths;
}

/// Verifies every light in every cell on every set. Returns how many entries there are.
std::uint64_t expect_right(const properties::GridCase& of, const properties::LightStreams& lights) {
    const properties::GridGeometry geometry(of);
    EXPECT_TRUE(geometry.known());
    std::uint64_t entries = 0;
    for (const lanecull::Isa isa : runnable_isas()) {
        const properties::Assigned assigned = properties::assign(of, lights, isa);
        EXPECT_EQ(assigned.failure, "");
        if (!assigned.failure.empty()) return 0;
        EXPECT_EQ(properties::compare_lists(assigned, of.cells(), lights.count()), "");
        for (std::size_t light = 0; light < lights.count(); ++light) {
            for (std::size_t cell = 0; cell < of.cells(); ++cell) {
                const std::string fault = properties::find_fault(properties::measure(geometry, lights, light, cell),
                                                                 properties::bound_of(geometry, lights, light),
                                                                 assigned.reaches(cell, light, lights.count()));
                EXPECT_EQ(fault, "") << lanecull::isa_name(isa) << " " << lights.describe(light) << " cell " << cell;
            }
        }
        entries = assigned.entries;
    }
    return entries;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

const json& cases() {
    static const json all = json::parse(std::ifstream(LANECULL_TEST_DATA "/lights.json"));
    return all;
}

GridCase grid_of(const json& row) {
    const json& given = row.at("grid").is_string() ? cases().at("grids").at(row.at("grid")) : row.at("grid");
    GridCase of;
    if (given.contains("matrix")) {
        of.matrix = given.at("matrix");
    } else {  // looks along -z from the origin; the screen's sides have these slopes
        of.matrix = camera_matrix(given.at("slopes")[0], given.at("slopes")[1]);
    }
    of.tiles_x = given.at("tiles")[0], of.tiles_y = given.at("tiles")[1];
    if (given.contains("exponential")) {
        const auto& [near, far, slices] = given.at("exponential").get<std::array<double, 3>>();
        of.boundaries = exponential(near, far, static_cast<std::size_t>(slices));
    } else {
        for (const json& depth : given.at("boundaries")) {
            of.boundaries.push_back(depth.is_string() ? HUGE_VAL : depth.get<double>());
        }
    }
    if (given.contains("origin")) given.at("origin").get_to(of.clip_space.origin);
    if (given.value("sight", "") == "shrinking_depth") of.sight = lanecull::SightDirection::shrinking_depth;
    return of;
}

LightStreams lights_of(const json& row) {
    LightStreams lights;
    if (row.value("flat", false)) lights.end = lanecull::SpotEnd::flat;
    const auto add = [&](const std::vector<double>& n) {
        if (n.size() == 4) return lights.add_ball({n[0], n[1], n[2]}, n[3]);
        lights.add_spot({n[0], n[1], n[2]}, n[3], {n[4], n[5], n[6]}, n[7]);
    };
    for (const char* one : {"ball", "spot"}) {
        if (row.contains(one)) add(row.at(one));
    }
    for (const char* many : {"balls", "spots"}) {
        for (const json& light : row.value(many, json::array())) add(light);
    }
    return lights;
}

Verdict decided(const LightStreams& lights, const exact::LightCell& cell) {
    const lanecull::Lights of = lights.lights();
    if (of.balls.count == 0) return decide_spot(exact::spot(of.spots, 0), cell);
    const float centre[3] = {*of.balls.x, *of.balls.y, *of.balls.z};
    return decide_ball(exact::sphere(centre, *of.balls.radius), cell);
}

/// Every number is a float, and so are most points of touch. Of spotlights that touch a cell the oracle may say that it
/// does not know.
TEST(LightTouches, AreDecidedByTheOracle) {
    for (const json& row : cases().at("touches")) {
        const GridCase of = grid_of(row);
        Cells reached, unclear;
        for (std::size_t cell = 0; cell < of.cells(); ++cell) {
            const Verdict verdict = decided(lights_of(row), exact::LightCell(of.grid(), cell));
            if (verdict != Verdict::apart) reached.push_back(cell);
            if (verdict == Verdict::unclear) unclear.push_back(cell);
        }
        EXPECT_EQ(reached, row.at("cells").get<Cells>()) << row;
        EXPECT_EQ(unclear, row.value("unclear", Cells())) << row;
    }
}

/// A light that is apart by an ulp or so may be in more cells.
TEST(LightTouches, AreDecidedByTheLibrary) {
    for (const json& row : cases().at("touches")) {
        const GridCase of = grid_of(row);
        for (const lanecull::Isa isa : runnable_isas()) {
            const Assigned assigned = properties::assign(of, lights_of(row), isa);
            Cells found;
            for (std::size_t cell = 0; cell < of.cells(); ++cell) {
                if (assigned.reaches(cell, 0, 1)) found.push_back(cell);
            }
            const Cells right = row.at("cells");
            EXPECT_TRUE(std::ranges::includes(found, right) && (row.contains("barely_apart") || found == right))
                << lanecull::isa_name(isa) << " " << row << " not " << json(found);
        }
    }
}

TEST(LightReports, AreVerified) {
    for (const json& row : cases().at("reports")) {
        SCOPED_TRACE(row.at("of").get<std::string>());
        EXPECT_GT(expect_right(grid_of(row), lights_of(row)), row.at("entries").get<std::uint64_t>());
    }
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

/// Looks along -z from the origin; the screen's sides have these slopes.
GridCase camera(double tan_x, double tan_y, std::uint32_t tiles_x, std::uint32_t tiles_y,
                std::vector<double> boundaries) {
    GridCase of;
    of.matrix = camera_matrix(tan_x, tan_y);
    of.tiles_x = tiles_x, of.tiles_y = tiles_y;
    of.boundaries = std::move(boundaries);
    return of;
}

/// playcanvas 3522: lights take the cells of the boxes around them; tighter insertion of balls and cones is on the
/// list. The grid is the engine's: 10 by 3 by 10 cells along the world's axes.
TEST(LightReports, FewerCellsThanBoxesAroundLightsHave) {
    GridCase of;
    of.matrix = {0.04, 0, 0, 0, 0, 0.15, 0, 0, 0, 0, -0.02, 0, 0, 0, 0.5, 1};  // 25 to each side, 6.7 up and down
    of.tiles_x = 10, of.tiles_y = 3;
    for (int k = 0; k <= 10; ++k) of.boundaries.push_back(5 * k);
    const GridGeometry geometry(of);
    const auto cells_of_box = [&](const auto& shape) {
        std::uint64_t count = 0;
        for (std::size_t c = 0; c < of.cells(); ++c) {
            const auto cell = geometry.cell(c, 50);
            bool meets = true;
            for (const Point3& way : {Point3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}})
                meets = meets && dot(shape.support(way), way) >= dot(cell.support(-1.0 * way), way);
            count += meets ? 1 : 0;
        }
        return count;
    };
    LightStreams lamps, spots;
    std::uint64_t boxed_lamps = 0, boxed_spots = 0;
    for (int i = 0; i < 12; ++i) {
        const double x = std::sin(i) * 15, z = std::cos(2 * i) * 15;
        const Point3 apex = geometry.relative({static_cast<float>(x), 4, static_cast<float>(z)});
        const Point3 axis{std::cos(i), -0.5, std::sin(i)};
        lamps.add_ball({x, 4, z}, 9), spots.add_spot({x, 4, z}, 20, {axis.x, axis.y, axis.z}, 0.3);
        boxed_lamps += cells_of_box(lanecull::gjk::Sphere<double>{apex, 9});
        boxed_spots += cells_of_box(properties::SpotShape{apex, (1 / std::sqrt(dot(axis, axis))) * axis, 20, 0.3});
    }
    EXPECT_LT(10 * expect_right(of, lamps), 9 * boxed_lamps);
    EXPECT_LT(10 * expect_right(of, spots), 6 * boxed_spots);
}

/// korangar 124: the camera looks steeply down, and lamps beyond the screen's upper corners are culled too early.
TEST(LightReports, LampsBeyondTheCornersOfSteepViews) {
    for (const double degrees : {35.0, 55.0, 75.0, 89.0}) {
        const double angle = degrees * 3.14159265358979 / 180, up = std::cos(angle), back = std::sin(angle);
        GridCase of = camera(0.4, 0.25, 1, 1, {0.1, infinity});
        const auto before = of.matrix;
        for (std::size_t r = 0; r < 4; ++r) {  // turned down, and lifted by 80
            of.matrix[4 + r] = up * before[4 + r] + back * before[8 + r];
            of.matrix[8 + r] = up * before[8 + r] - back * before[4 + r];
            of.matrix[12 + r] = before[12 + r] - 80 * of.matrix[4 + r];
        }
        const auto clip = [&](std::size_t r, double x, double y, double z) {
            return of.matrix[r] * x + of.matrix[4 + r] * y + of.matrix[8 + r] * z + of.matrix[12 + r];
        };
        const GridGeometry geometry(of);
        LightStreams lights;
        for (int i = 0; i < 40; ++i) {
            for (int k = 0; k < 40; ++k) lights.add_ball({6.0 * i - 120, 1, 20 - 6.0 * k}, (i + k) % 3 == 0 ? 24 : 7);
        }
        std::vector<std::uint64_t> visible((lights.count() + 63) / 64);
        std::vector<std::byte> scratch(lanecull::light_scratch_bytes(1, 1, 1, lights.count()));
        for (const Isa isa : runnable_isas()) {
            ASSERT_TRUE(lanecull::cull_lights(of.grid(), lights.lights(), {}, visible, scratch, {.isa = isa}));
            int beyond_corners = 0;
            for (std::size_t light = 0; light < lights.count(); ++light) {
                const bool is_kept = (visible[light / 64] >> light % 64 & 1) != 0;
                EXPECT_EQ(properties::find_fault(properties::measure(geometry, lights, light, 0),
                                                 properties::bound_of(geometry, lights, light), is_kept),
                          "")
                    << lanecull::isa_name(isa) << " " << lights.describe(light);
                const double x = 6.0 * static_cast<double>(light / 40) - 120;
                const double z = 20 - 6.0 * static_cast<double>(light % 40), w = clip(3, x, 1, z);
                if (is_kept && std::fabs(clip(0, x, 1, z)) > w && clip(1, x, 1, z) > w) ++beyond_corners;
            }
            EXPECT_GT(beyond_corners, 5) << degrees;
        }
    }
}

/// (That bad numbers reach every cell is the property lights_any.)
TEST(LightLists, HaveNothingOfHiddenLayers) {
    const GridCase of = camera(1, 1, 3, 2, {1, 2, 4});
    LightStreams lights;
    for (int i = 0; i < 5; ++i) lights.add_ball({0, 0, -2}, 9), lights.add_spot({0, 0, 9}, 99, {0, 0, -1}, 9);
    lights.layers.assign(lights.count(), 2);
    lights.layers[3] = 0;
    for (const Isa isa : runnable_isas()) {
        EXPECT_EQ(properties::assign(of, lights, isa).entries, of.cells() * (lights.count() - 1));
        EXPECT_EQ(properties::assign(of, lights, isa, {}, 2).entries, 0u);
    }
}

/// A grid, some lights, and what the lists must be.
class LightOutputs : public testing::Test {
protected:
    LightOutputs() : of(camera(0.7, 0.4, 16, 9, exponential(0.1, 60, 12))) {
        for (int i = 0; i < 700; ++i) {
            lights.add_ball({std::sin(i) * 10, std::cos(3 * i) * 4, -0.1 * i}, 0.5 + i % 7);
        }
        lights.add_spot({0, 0, -5}, 9, {0, 0, -1}, 0.3);
        whole = properties::assign(of, lights, Isa::automatic);
        scratch.resize(lanecull::light_scratch_bytes(of.tiles_x, of.tiles_y, of.slices(), lights.count()));
    }

    GridCase of;
    LightStreams lights;
    Assigned whole;
    std::vector<std::byte> scratch;
};

TEST_F(LightOutputs, ShortListsAreCountedAndCut) {
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{100}, static_cast<std::size_t>(whole.entries) - 1}) {
        std::vector<std::uint32_t> offsets(of.cells() + 1), indices(capacity + 1, 77);
        lanecull::LightLists lists;
        lists.offsets = offsets;
        lists.indices = {indices.data(), capacity};
        ASSERT_TRUE(lanecull::assign_lights(of.grid(), lights.lights(), lists, scratch));
        EXPECT_EQ(lists.entry_count, whole.entries);
        EXPECT_EQ(offsets, whole.offsets);
        EXPECT_TRUE(std::equal(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(capacity),
                               whole.indices.begin()));
        EXPECT_EQ(indices.back(), 77u);
    }
    lanecull::LightLists none;
    ASSERT_TRUE(lanecull::assign_lights(of.grid(), lights.lights(), none, scratch));
    EXPECT_EQ(none.entry_count, whole.entries);
}

/// A light's cells do not depend on the others, of which a call may take some hundreds together.
TEST_F(LightOutputs, LightsAreAloneInACall) {
    for (int i = 0; i < 500; ++i) {
        lights.add_spot({std::cos(i) * 10, std::sin(2 * i) * 4, -0.1 * i}, 1 + i % 9,
                        {std::sin(5 * i), std::cos(7 * i), std::sin(i)}, 0.1 + 0.1 * (i % 20));
    }
    const std::size_t balls = lights.balls[0].size(), count = lights.count();
    for (const Isa isa : runnable_isas()) {
        const Assigned together = properties::assign(of, lights, isa);
        for (std::size_t light = 0; light < count; light += 1 + light % 3) {
            LightStreams one;
            const std::size_t i = light < balls ? light : light - balls;
            if (light < balls) {
                for (std::size_t k = 0; k < 4; ++k) one.balls[k] = {lights.balls[k][i]};
            } else {
                for (std::size_t k = 0; k < 8; ++k) one.spots[k] = {lights.spots[k][i]};
            }
            const Assigned alone = properties::assign(of, one, isa);
            for (std::size_t cell = 0; cell < of.cells(); ++cell) {
                ASSERT_EQ(alone.reaches(cell, 0, 1), together.reaches(cell, light, count))
                    << lanecull::isa_name(isa) << " " << one.describe(0) << " cell " << cell;
            }
        }
    }
}

TEST_F(LightOutputs, RunnersAndSetsAgree) {
    const lanecull::Runner backwards = {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                                            while (count > 0) (*task)(--count);
                                        }};
    for (const Isa isa : runnable_isas()) {
        const Assigned alone = properties::assign(of, lights, isa);
        const Assigned other = properties::assign(of, lights, isa, backwards);
        EXPECT_EQ(alone.offsets, other.offsets);
        EXPECT_EQ(alone.indices, other.indices);
        EXPECT_EQ(alone.words, other.words);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_F(LightOutputs, NeedNoMoreStackThanPromised) {
    lights.add_ball({0.1, 0, -0.3}, 0.5);  // near the eye
    for (const Isa isa : runnable_isas()) {
        for (const lanecull::SpotEnd end : {lanecull::SpotEnd::round, lanecull::SpotEnd::flat}) {
            SmallStack stack;
            lights.end = end;
            EXPECT_GT(properties::assign(of, lights, isa, {&stack, SmallStack::run}).entries, 0u);
            stack.expect_promised(lanecull::isa_name(isa));
        }
    }
}

#endif

}  // namespace
