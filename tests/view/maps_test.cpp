#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "support/samples.hpp"
#include "view/ways.hpp"

/// Shadow maps and split depths, by hand.

namespace {

using lanecull::Plane;
using lanecull::ShadowMap;

double value(const Plane& plane, const Double3& p) {
    return plane.normal[0] * p[0] + plane.normal[1] * p[1] + plane.normal[2] * p[2] + plane.offset;
}

TEST(Maps, SplitDepths) {
    std::vector<double> depths(5);
    ASSERT_TRUE(lanecull::split_depths(1, 81, 0, depths));
    EXPECT_EQ(depths, (std::vector<double>{1, 21, 41, 61, 81}));
    for (const double share : {1.0, 0.5}) {
        ASSERT_TRUE(lanecull::split_depths(1, 81, share, depths));
        for (std::size_t i = 0; i < 5; ++i) {
            const double k = static_cast<double>(i);
            EXPECT_NEAR(depths[i], share * std::pow(3.0, k) + (1 - share) * (1 + 20 * k), 1e-12);
        }
        EXPECT_EQ(depths.front(), 1);
        EXPECT_EQ(depths.back(), 81);
    }
}

/// Rounding makes a slice of size 1 one point where coordinates are 1e20 apart. A map has a size there too.
TEST(Maps, OfASliceThatIsOnePoint) {
    const lanecull::Slice slice{
        endless, {.layout = lanecull::MatrixLayout::row_major, .origin = {1e20, -1e20, 3e20}}, 1, 2};
    double corners[24];
    ASSERT_TRUE(lanecull::slice_corners(slice, corners));
    for (std::size_t i = 0; i < 24; ++i) ASSERT_EQ(corners[i], corners[i % 3]);
    for (const bool tight : {false, true}) {
        lanecull::DirectionalMapOptions options{{1, 2, 3}, {0, 1, 0}};
        options.texels = 64;
        options.is_tight = tight;
        ShadowMap map;
        ASSERT_TRUE(lanecull::fit_directional_map(slice, everywhere, options, map)) << tight;
        EXPECT_GT(map.texel_size, 0) << tight;
        for (const Plane& side : map.sides) EXPECT_GE(value(side, {corners[0], corners[1], corners[2]}), 0) << tight;
    }
}

/// 2048 texels, up along y.
TEST(Maps, UsualDirectionalMaps) {
    const auto fit = [](const lanecull::DirectionalMapOptions& options) {
        ShadowMap map;
        EXPECT_TRUE(lanecull::fit_directional_map({perspective, by_rows, 1, 2}, everywhere, options, map));
        return map;
    };
    const ShadowMap usual = fit({.toward = {1, 2, 3}}),
                    named = fit({.toward = {1, 2, 3}, .up = {0, 1, 0}, .texels = 2048}),
                    other = fit({.toward = {1, 2, 3}, .texels = 2047});
    EXPECT_EQ(std::memcmp(&usual, &named, sizeof usual), 0);
    EXPECT_NE(usual.texel_size, other.texel_size);
}

/// As the specifications of the three interfaces have it: of each face's major axis, the directions of its s and t.
TEST(Maps, CubeFaces) {
    constexpr double at[3] = {3, -4, 5};
    constexpr Double3 place = {3, -4, 5};
    struct Face {
        Double3 major, s, t;
    };
    const Face faces[] = {{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                          {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
                          {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};
    for (std::uint32_t f = 0; f < 6; ++f) {
        ShadowMap map;
        ASSERT_TRUE(lanecull::cube_map_face(at, f, 0.5, 20, 256, map));
        EXPECT_EQ(map.texel_size, 2.0 / 256);
        const auto centre = clip(map, place + 0.5 * faces[f].major);
        EXPECT_NEAR(centre[2], 0, 1e-12);
        EXPECT_NEAR(centre[3], 0.5, 1e-12);
        const auto end = clip(map, place + 20 * faces[f].major);
        EXPECT_NEAR(end[2], end[3], 1e-12);
        const auto p = clip(map, place + 2 * faces[f].major + 0.5 * faces[f].s + 1.5 * faces[f].t);
        EXPECT_NEAR(p[0] / p[3], 0.25, 1e-12);
        EXPECT_NEAR(p[1] / p[3], -0.75, 1e-12);
    }
}

}  // namespace
