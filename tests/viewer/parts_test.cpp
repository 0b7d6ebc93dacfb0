#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../../tools/viewer/compare.hpp"
#include "../../tools/viewer/outside.hpp"
#include "../../tools/viewer/requirements.hpp"
#include "../../tools/viewer/street_lights.hpp"
#include "../../tools/viewer/suspects.hpp"
#include "picture/volume.hpp"
#include "scene/city.hpp"

/// The viewer's parts that draw nothing.

namespace {

using namespace lanecull::program;
using glm::dvec3;

// Differences between pictures are found, counted and located.

TEST(Compare, EveryPixelCounts) {
    const std::vector<std::uint32_t> expected(50, 7);
    EXPECT_EQ(compare_colors(expected, expected).count, 0U);
    EXPECT_EQ(compare_colors(expected, expected).compared, 50U);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::vector<std::uint32_t> found = expected;
        found[i] ^= 1U;
        found.back() ^= 2U;
        const Differences differences = compare_colors(expected, found);
        EXPECT_EQ(differences.count, i + 1 == expected.size() ? 1U : 2U);
        EXPECT_EQ(differences.first, i);
    }
}

TEST(Compare, DepthsDifferByAnUlp) {
    const std::vector<float> expected = {0.25F, 0.5F, 1};
    std::vector<float> found = expected;
    found[1] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(0.5F) + 1);
    EXPECT_EQ(compare_depths(expected, expected).count, 0U);
    EXPECT_EQ(compare_depths(expected, found).count, 1U);
    EXPECT_EQ(compare_depths(expected, found).first, 1U);
}

/// A texel that shading compared with depth 0.6: what is there up to that depth must be the same, what is beyond not.
TEST(Compare, TexelsCountAsFarAsTheyWereRead) {
    const std::uint32_t not_read = 0, read = std::bit_cast<std::uint32_t>(0.6F);
    const auto count = [](float expected, float found, std::uint32_t deepest) {
        return compare_read_depths({&expected, 1}, {&found, 1}, {&deepest, 1}).count;
    };
    EXPECT_EQ(count(0.5F, 1, read), 1U) << "a caster is missing";
    EXPECT_EQ(count(0.5F, 0.55F, read), 1U) << "a caster is missing, another is behind it";
    EXPECT_EQ(count(0.7F, 1, read), 0U) << "what is missing is behind all receivers";
    EXPECT_EQ(count(0.7F, 0.5F, read), 1U) << "something casts that did not";
    EXPECT_EQ(count(0.5F, 1, not_read), 0U);
    const std::vector<float> some = {0.1F, 0.2F, 0.3F};
    const std::vector<std::uint32_t> deepest = {read, not_read, read};
    EXPECT_EQ(compare_read_depths(some, some, deepest).compared, 2U);
}

// A device that lacks a required feature is refused, and the message names the feature.

TEST(Requirements, EachIsNamed) {
    using Device = DeviceAbilities;
    const Device able{.name = "able",
                      .major = 1,
                      .minor = 4,
                      .graphics_queue = true,
                      .draw_indirect_count = true,
                      .multi_draw_indirect = true,
                      .draw_indirect_first_instance = true,
                      .dynamic_rendering = true,
                      .synchronization2 = true,
                      .depth_clamp = true,
                      .fragment_stores_and_atomics = true,
                      .extensions = {"VK_KHR_swapchain", "VK_EXT_calibrated_timestamps"}};
    const std::string extension = "VK_KHR_swapchain";
    const std::pair<void (*)(Device&), const char*> all[] = {
        {[](Device& d) { d.graphics_queue = false; }, "a graphics queue"},
        {[](Device& d) { d.draw_indirect_count = false; }, "drawIndirectCount"},
        {[](Device& d) { d.multi_draw_indirect = false; }, "multiDrawIndirect"},
        {[](Device& d) { d.draw_indirect_first_instance = false; }, "drawIndirectFirstInstance"},
        {[](Device& d) { d.dynamic_rendering = false; }, "dynamicRendering"},
        {[](Device& d) { d.synchronization2 = false; }, "synchronization2"},
        {[](Device& d) { d.depth_clamp = false; }, "depthClamp"},
        {[](Device& d) { d.fragment_stores_and_atomics = false; }, "fragmentStoresAndAtomics"},
        {[](Device& d) { d.extensions.erase(d.extensions.begin()); }, "VK_KHR_swapchain"},
        // An old version is all that is said.
        {[](Device& d) { d.minor = 2, d.dynamic_rendering = false; }, "Vulkan 1.3 (it has 1.2)"}};
    EXPECT_TRUE(missing(able, {extension}).empty());
    for (const auto& [change, name] : all) {
        Device device = able;
        change(device);
        EXPECT_EQ(missing(device, {extension}), std::vector<std::string>{name});
    }
    Device device = able;
    device.minor = 3, device.extensions.clear();
    EXPECT_TRUE(missing(device, {}).empty());
    EXPECT_NE(no_device({device}, {extension}).find("able lacks VK_KHR_swapchain"), std::string::npos);
    EXPECT_NE(no_device({}, {}).find("mesa-vulkan-drivers"), std::string::npos) << "what to install";
}

// The look from outside has the culling camera and what it may see of the scene in its picture, whatever the depths of
// that camera are, and stands no farther off than that takes.

/// How far inside of a camera's view a point is, less than 0 outside of it.
double depth_within(const Camera& camera, const dvec3& point) {
    double least = 1e300;
    for (const glm::dvec4& plane : camera.planes()) {
        least = std::min(least, glm::dot(dvec3(plane), point - camera.eye) + plane.w);
    }
    return least;
}

TEST(Outside, StandsOff) {
    Bounds town;
    town.add({-50, 0, -50}), town.add({50, 14, 50});
    const dvec3 up(0, 1, 0);
    for (const double far : {3.0, 40.0, 2000.0, 1e7}) {
        for (const dvec3& eye : {dvec3(-45, 3, -40), dvec3(0, 2, 0), dvec3(30, 12, 45)}) {
            const Camera camera{.eye = eye, .forward = {1, -0.1, 0.5}, .up = {0, 5, 0}, .near = 1e-3 * far, .far = far};
            const Camera outside = outside_of(camera, town, up);
            EXPECT_GT(depth_within(outside, eye), 0) << far;
            double farthest = 0;
            for (const dvec3& corner : shown_volume(camera, town, up).corners()) {
                EXPECT_GT(depth_within(outside, corner), 0) << far;
                farthest = std::max(farthest, glm::distance(corner, eye));
            }
            EXPECT_GT(glm::distance(outside.eye, eye), 0.2 * farthest) << far;
            EXPECT_LT(glm::distance(outside.eye, eye), 5 * farthest) << far;
        }
    }
}

/// Lights by night hang at lamps; every other one is a spotlight, which reaches the ground.
TEST(StreetLights, HangAtLamps) {
    const Scene city = make_city(2000);
    const std::vector<SceneLight> lights = street_lights(city, 101);
    const auto& lamps =
        std::get<SphereArrays>(std::ranges::find(city.groups, std::string("lights"), &Group::name)->arrays);
    int spots = 0;
    for (const SceneLight& light : lights) {
        double nearest = 1e300;
        for (std::size_t i = 0; i < lamps.x.size(); ++i) {
            nearest = std::min(nearest, glm::distance(light.at, dvec3(lamps.x[i], lamps.y[i], lamps.z[i])));
        }
        EXPECT_LT(nearest, 8);
        EXPECT_GT(light.range, light.at.z);
        if (light.tangent == 0) continue;
        ++spots;
        EXPECT_LT(light.axis.z, -0.8 * glm::length(light.axis));
    }
    EXPECT_EQ(lights.size(), 101U);
    EXPECT_EQ(spots, 50);
    EXPECT_EQ(street_lights(city, 101).back().at, lights.back().at);
}

/// A picture of 10 by 10 pixels: the ball ahead is behind the four pixels in the middle.
TEST(Suspects, WhoIsMissingFromAPixel) {
    const float x_of[] = {0, 30}, y_of[] = {0, 0}, z_of[] = {-50, -50}, radius[] = {2, 2};
    lanecull::DrawCommand draw{36, 1, 12, 3, 0};
    std::vector<lanecull::Batch> batches = {lanecull::Spheres{x_of, y_of, z_of, radius, 2}};
    batches[0].draws = {&draw};
    // At the origin, looking along -z, y up, 90 degrees wide and high, from 1 to 101.
    const double depth = 101.0 / 100;
    const std::array<double, 16> clip = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -depth, -1, 0, 0, -depth, 0};
    const auto missing_at = [&](std::uint32_t x, std::uint32_t y, std::vector<lanecull::DrawCommand> drawn) {
        return missing_from(batches, matrix_of({x, y, 10, 10}, clip), {}, nullptr, drawn);
    };
    const std::vector<std::uint32_t> first = {0}, second = {1}, none;
    lanecull::DrawCommand both[2];
    both[1].first_instance = 1;
    for (const std::uint32_t x : {4U, 5U}) {
        for (const std::uint32_t y : {4U, 5U}) EXPECT_EQ(missing_at(x, y, {both[1]}), first);
    }
    EXPECT_EQ(missing_at(4, 4, {both[0], both[1]}), none);
    EXPECT_EQ(missing_at(2, 4, {}), none);
    EXPECT_EQ(missing_at(8, 4, {both[0]}), second);
    EXPECT_EQ(missing_at(4, 8, {}), none);
}

}  // namespace
