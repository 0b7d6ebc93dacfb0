#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <lanecull/light_grid.h>
#include <lanecull/visible_bounds.h>

#include "properties/lights/cells.hpp"
#include "support/culling.hpp"
#include "support/small_stack.hpp"

/// Which lights light anything that is seen: by hand. The family lights_seen (properties/lights/seen.cpp) has any
/// other.

namespace {

using lanecull::WorldBox;
using properties::LightStreams;

constexpr double infinity = HUGE_VAL;

/// Looks along -z from the origin, 90 degrees wide, from 0.1 to 100.
struct VisibleLights : testing::Test {
    std::vector<std::uint64_t> find(const lanecull::LightReceivers& receivers = {}, std::uint32_t hidden_layers = 0) {
        lanecull::LightGrid grid;
        grid.clip_from_world = matrix;
        grid.hidden_layers = hidden_layers;
        std::vector<std::uint64_t> words((lights.count() + 63) / 64, ~std::uint64_t{0});
        // No more than that may be written.
        std::vector<std::byte> scratch(lanecull::light_scratch_bytes(1, 1, 1, lights.count()));
        const lanecull::Status status = lanecull::cull_lights(grid, lights.lights(), receivers, words, scratch);
        EXPECT_TRUE(status) << status.message();
        return words;
    }
    std::uint64_t within(const WorldBox& box) { return find({.bounds = &box})[0]; }

    const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.001, -1, 0, 0, -0.1001, 0};
    LightStreams lights;
};

TEST_F(VisibleLights, AreInViewAndReachTheBox) {
    lights.add_ball({0, 0, -10}, 1);
    lights.add_ball({0, 0, 5}, 4);     // behind the eye
    lights.add_ball({30, 0, -10}, 1);  // beside the view
    lights.add_ball({0, 0, -50}, 1);
    lights.add_spot({0, 3, -10}, 4, {0, -1, 0}, 0.5);
    lights.add_spot({0, 3, -10}, 4, {0, 1, 0}, 0.5);  // away from the box
    EXPECT_EQ(find()[0], 0b111001u);
    EXPECT_EQ(within({{-2, -2, -12}, {2, 2, -8}}), 0b010001u);
    EXPECT_EQ(within({{-2, -2, -12}, {2, infinity, -8}}), 0b110001u);
    EXPECT_EQ(within({{-2, -2, -9}, {2, 2, -9}}), 0b010001u) << "a flat box that the ball touches";
    EXPECT_EQ(within({{-2, -2, -8.99}, {2, 2, -8.99}}), 0b010000u);
    EXPECT_EQ(within({{0, 0, -9}, {0, 0, -9}}), 0b010001u) << "a point";
    EXPECT_EQ(within({{-2, -2, 8}, {2, 2, 12}}), 0u) << "behind the eye";
    EXPECT_EQ(within({{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}}), 0u) << "nothing is seen";
    EXPECT_EQ(within({{NAN, NAN, NAN}, {NAN, NAN, NAN}}), 0b111001u);
}

TEST_F(VisibleLights, AreNotHidden) {
    lights.add_ball({0, 0, -30}, 2);  // behind the wall
    lights.add_ball({0, 0, -30}, 20);
    lights.add_ball({0, 0, -5}, 2);                     // before it
    lights.add_spot({0, 0, -25}, 5, {0, 0, -1}, 0.25);  // behind it
    lanecull::Viewpoint eye;
    lanecull::Occluder wall;
    ASSERT_TRUE(lanecull::prepare_viewpoint(matrix, {}, eye));
    ASSERT_EQ(lanecull::prepare_occluder(lanecull::SolidBox{{-8, -8, -21}, {8, 8, -20}}, eye, wall),
              lanecull::OccluderRefusal::none);
    EXPECT_EQ(find()[0], 0b1111u);
    EXPECT_EQ(find({.occluders = {&wall, 1}})[0], 0b0110u);
}

TEST_F(VisibleLights, AreOnShownLayersAndWereVisible) {
    for (int i = 0; i < 100; ++i) lights.add_ball({0, 0, -10}, 1);
    lights.layers.assign(100, 1);
    lights.layers[7] = 2, lights.layers[70] = 3;
    EXPECT_EQ(find({}, 2), (std::vector<std::uint64_t>{~(std::uint64_t{1} << 7), (std::uint64_t{1} << 36) - 1}));
    lanecull::LightGrid grid;
    grid.clip_from_world = matrix;
    lanecull::Lights given = lights.lights();
    std::vector<std::uint64_t> words = {0b101, ~std::uint64_t{0}};
    std::vector<std::byte> scratch(lanecull::light_scratch_bytes(1, 1, 1, 100));
    given.visible = words;  // which are written
    ASSERT_TRUE(lanecull::cull_lights(grid, given, {}, words, scratch));
    EXPECT_EQ(words, (std::vector<std::uint64_t>{0b101, (std::uint64_t{1} << 36) - 1}));
}

/// An invalid light reaches all there is.
TEST_F(VisibleLights, MayBeInvalid) {
    lights.add_ball({0, 0, 50}, -1), lights.add_ball({NAN, 0, 50}, 1), lights.add_ball({0, 0, 50}, 1);
    lights.add_spot({0, 0, 50}, 1, {0, 0, 0}, 1), lights.add_spot({0, 0, 50}, 1, {0, 0, 1}, -1);
    lights.add_spot({0, 0, 50}, 1, {0, 0, 1}, 2e9), lights.add_spot({0, 0, 50}, 1, {0, 0, 1}, 1);
    EXPECT_EQ(within({{-2, -2, -12}, {2, 2, -8}}), 0b0111011u);
    lights = {};
    EXPECT_TRUE(find().empty());
}

/// Boxes within the ball around a spotlight, beside its rim or not.
TEST_F(VisibleLights, AreCones) {
    for (const auto& [tangent, rim] : {std::pair{0.25, 0.242536}, {1.0, 0.70711}, {3.0, 0.94869}}) {
        for (const double off : {0.999, 1.001}) {
            lights = {};
            lights.add_spot({0, 0, -10}, 1, {0, 0, -1}, tangent);
            EXPECT_EQ(within({{rim * off, -1, -12}, {2, 1, -9}}) != 0, off < 1) << tangent;
        }
    }
}

/// Rays that no plane parts from what is seen, as each of them reaches to the inner side of each plane: beyond an edge
/// of the view, beyond one of the box, and beyond one where both meet.
TEST_F(VisibleLights, AreApartFromEdges) {
    const auto add = [&](double sum) { lights.add_spot({sum, 0, -10}, 2 * sum, {-1, 1, 0}, 1e-4); };
    add(20.1), add(19.9);
    EXPECT_EQ(find()[0], 0b10u);
    lights = {};
    add(4.1), add(3.9);
    EXPECT_EQ(within({{-2, -2, -12}, {2, 2, -8}}), 0b10u);
    lights = {};
    add(12.1), add(11.9);
    EXPECT_EQ(within({{-2, -2, -10}, {30, 2, -10}}), 0b10u);
}

/// The bits of spotlights begin anywhere in a word.
TEST_F(VisibleLights, AreManyOfBothKinds) {
    for (const int balls : {0, 1, 50, 63, 64, 250, 300}) {
        lights = {};
        std::vector<std::uint64_t> wanted((static_cast<std::size_t>(balls) + 700 + 63) / 64);
        for (int i = 0; i < balls + 700; ++i) {
            const bool is_lit = i % 3 == 0 || i % 7 == 2;
            if (is_lit) wanted[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
            if (i < balls) {
                lights.add_ball({0, 0, is_lit ? -10.0 : 10.0}, 1);
            } else {
                lights.add_spot({11, 0, -10}, 20, {is_lit ? -1.0 : 1.0, 0, 0}, 0.25);
            }
        }
        EXPECT_EQ(find(), wanted) << balls;
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_F(VisibleLights, NeedNoMoreStackThanPromised) {
    for (int i = 0; i < 300; ++i) lights.add_spot({15.0 + 0.02 * i, 0, -10}, 30, {-1, 1, 0}, 0.01);
    const WorldBox box{{-2, -2, -12}, {9, 9, -8}};
    lanecull::LightGrid grid;
    grid.clip_from_world = matrix;
    std::vector<std::uint64_t> words(5);
    std::vector<std::byte> scratch(lanecull::light_scratch_bytes(1, 1, 1, 300));
    for (const lanecull::Isa isa : runnable_isas()) {
        SmallStack stack;
        ASSERT_TRUE(lanecull::cull_lights(grid, lights.lights(), {.bounds = &box}, words, scratch,
                                          {.isa = isa, .runner = {&stack, SmallStack::run}}));
        // The box's edge is at x + y = 18.
        EXPECT_NE(words[0], 0u);
        EXPECT_EQ(words[4], 0u);
        stack.expect_promised(lanecull::isa_name(isa));
    }
}

#endif

}  // namespace
