#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <lanecull/shadow.h>

#include "lights/cases.hpp"
#include "oracle/exact_lights.hpp"
#include "support/culling.hpp"
#include "support/random.hpp"

/// Lights in cells of tests/data/lights.json: touches with labels, which the exact oracle and the library decide, and
/// what others' users reported of their own libraries. And the oracle's spotlights.

namespace {

using exact::Rational;
using exact::Verdict;
using nlohmann::json;
using properties::Assigned;
using properties::GridCase;
using properties::LightStreams;
using Cells = std::vector<std::size_t>;

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

}  // namespace
