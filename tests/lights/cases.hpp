#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/light_grid.h>
#include <lanecull/shadow.h>

#include "properties/lights/cells.hpp"
#include "support/culling.hpp"

/// Grids of tests, and what holds of lights in them.

/// Looks along -z from the origin; the screen's sides have these slopes.
inline std::array<double, 16> camera_matrix(double slope_x, double slope_y) {
    return {1 / slope_x, 0, 0, 0, 0, 1 / slope_y, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
}

inline std::vector<double> exponential(double near, double far, std::size_t slices) {
    std::vector<double> depths(slices + 1);
    EXPECT_TRUE(lanecull::split_depths(near, far, 1, depths));
    return depths;
}

/// Verifies every light in every cell on every set. Returns how many entries there are.
inline std::uint64_t expect_right(const properties::GridCase& of, const properties::LightStreams& lights) {
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
