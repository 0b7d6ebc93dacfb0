#include "../../tools/viewer/suspects.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

/// Who is missing from a pixel of a picture.

namespace {

using namespace lanecull;

/// A picture of 10 by 10 pixels: the ball ahead is behind the four pixels in the middle.
TEST(Suspects, WhoIsMissingFromAPixel) {
    const float x_of[] = {0, 30}, y_of[] = {0, 0}, z_of[] = {-50, -50}, radius[] = {2, 2};
    DrawCommand draw{36, 1, 12, 3, 0};
    std::vector<Batch> batches = {Spheres{x_of, y_of, z_of, radius, 2}};
    batches[0].draws = {&draw};
    // At the origin, looking along -z, y up, 90 degrees wide and high, from 1 to 101.
    const double depth = 101.0 / 100;
    const std::array<double, 16> clip = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -depth, -1, 0, 0, -depth, 0};
    const auto missing_at = [&](std::uint32_t x, std::uint32_t y, std::vector<DrawCommand> drawn) {
        return program::missing_from(batches, program::matrix_of({x, y, 10, 10}, clip), {}, nullptr, drawn);
    };
    const std::vector<std::uint32_t> first = {0}, second = {1}, none;
    DrawCommand both[2];
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
