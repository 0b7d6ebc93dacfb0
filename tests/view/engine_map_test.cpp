#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <lanecull/shadow.h>

#include "support/generate.hpp"

/// engine_map(): the sides and texels of maps that an engine draws with matrices of its own.

namespace {

using lanecull::ShadowMap;

/// Whether two maps have the same sides, whatever their normals' lengths.
void expect_same_sides(const ShadowMap& a, const ShadowMap& b) {
    for (std::size_t side = 0; side < 4; ++side) {
        const auto length = [](const lanecull::Plane& p) { return std::hypot(p.normal[0], p.normal[1], p.normal[2]); };
        const lanecull::Plane &p = a.sides[side], &q = b.sides[side];
        const double scale = length(p) / length(q);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p.normal[k], scale * q.normal[k], 1e-12 * length(p)) << side;
        EXPECT_NEAR(p.offset, scale * q.offset, 1e-12 * (length(p) + std::fabs(p.offset))) << side;
    }
}

/// The library's own maps, read as an engine's: their sides and texels are what they have been.
TEST(EngineMap, IsReadOfItsMatrix) {
    ShadowMap map, read;
    const double at[3] = {30, -4, 5}, forward[3] = {1, 2, -0.3}, up[3] = {0.1, 0, 1};
    ASSERT_TRUE(lanecull::spot_map(at, forward, up, 0.6, 1.7, 0.1, 20, 512, map));
    ASSERT_TRUE(lanecull::engine_map(map.clip_from_world, map.clip_space, 512, 512, read));
    EXPECT_TRUE(map.is_perspective && read.is_perspective);
    EXPECT_NEAR(read.texel_size, map.texel_size, 1e-12 * map.texel_size);
    EXPECT_TRUE(std::ranges::equal(read.clip_from_world, map.clip_from_world));
    EXPECT_TRUE(std::ranges::equal(read.clip_space.origin, map.clip_space.origin));
    expect_same_sides(read, map);
    ASSERT_TRUE(lanecull::engine_map(map.clip_from_world, map.clip_space, 512, 1400, read));
    EXPECT_NEAR(read.texel_size, 2 * 1.7 / 1400, 1e-12);

    const double camera[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 3, 4, -0.1, 0};
    const lanecull::Slice slice{camera, {}, 2, 30};
    lanecull::SunMapOptions options;
    options.toward[0] = 0.2, options.toward[1] = 1, options.toward[2] = -0.4, options.up[2] = 1;
    ASSERT_TRUE(lanecull::fit_sun_map(slice, {{-50, -50, -50}, {50, 50, 50}}, options, map));
    ASSERT_TRUE(lanecull::engine_map(map.clip_from_world, map.clip_space, 2048, 2048, read));
    EXPECT_FALSE(map.is_perspective || read.is_perspective);
    EXPECT_NEAR(read.texel_size, map.texel_size, 1e-12 * map.texel_size);
    expect_same_sides(read, map);
}

/// By rows, and with depth -1 to 1, as OGRE has them: the same map.
TEST(EngineMap, InAnyClipSpace) {
    ShadowMap map, turned;
    const double at[3] = {3, -4, 5};
    ASSERT_TRUE(lanecull::cube_map_face(at, 4, 0.5, 20, 512, map));
    double by_rows[16];
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            const double z = map.clip_from_world[4 * c + 2], w = map.clip_from_world[4 * c + 3];
            by_rows[4 * r + c] = r == 2 ? 2 * z - w : map.clip_from_world[4 * c + r];
        }
    }
    lanecull::ClipSpace space = lanecull::ClipSpace::ogre();
    std::copy(at, at + 3, space.origin);
    ASSERT_TRUE(lanecull::engine_map(by_rows, space, 512, 512, turned));
    expect_same_sides(turned, map);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(turned.clip_from_world[i], map.clip_from_world[i], 1e-14);
    EXPECT_EQ(turned.clip_space.layout, lanecull::MatrixLayout::column_major);
    EXPECT_EQ(turned.clip_space.depth, lanecull::DepthRange::zero_to_one);
}

/// The widest of what two points a texel apart differ by; and sides that hold what the matrix maps into the map.
TEST(EngineMap, HasItsSidesAndTexels) {
    ShadowMap map;
    Random random(7);
    for (int n = 0; n < 200; ++n) {
        // Right, up and forward across one another, of any sizes; a map off its middle, whose x and y have parts along
        // forward; the whole matrix scaled.
        const Double3 z = random_direction(random), side = cross(z, random_direction(random)),
                      x = (1 / std::sqrt(dot(side, side))) * side, y = cross(z, x), none = {};
        const bool is_perspective = random.chance(0.5);
        const double half_x = random.log_range(1e-3, 1e3), half_y = random.log_range(1e-3, 1e3),
                     scale = random.sign() > 0 ? 1 : random.log_range(1e-60, 1e60), away = random.range(-1, 1);
        const Double3 rows[3] = {(1 / half_x) * x + (is_perspective ? away : 0) * z, (1 / half_y) * y,
                                 is_perspective ? z : none};
        double clip[16] = {};
        const std::size_t place[3] = {0, 1, 3};
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t k = 0; k < 3; ++k) clip[4 * k + place[r]] = scale * rows[r][k];
            clip[12 + place[r]] = scale * (r == 2 && !is_perspective ? 1 : random.range(-5, 5));
        }
        const std::uint32_t width = 16 + static_cast<std::uint32_t>(random.below(5000)),
                            height = 16 + static_cast<std::uint32_t>(random.below(5000));
        ASSERT_TRUE(lanecull::engine_map(clip, {}, width, height, map));
        EXPECT_EQ(map.is_perspective, is_perspective);
        const double expected = 2 * std::max(half_x / width, half_y / height);
        EXPECT_NEAR(map.texel_size, expected, 1e-9 * expected) << n;
        for (int point = 0; point < 20; ++point) {
            const double p[3] = {random.range(-9, 9), random.range(-9, 9), random.range(-9, 9)};
            const auto row = [&](std::size_t r) {
                return clip[r] * p[0] + clip[4 + r] * p[1] + clip[8 + r] * p[2] + clip[12 + r];
            };
            const double values[4] = {row(3) + row(0), row(3) - row(0), row(3) + row(1), row(3) - row(1)};
            for (std::size_t k = 0; k < 4; ++k) {
                const lanecull::Plane& s = map.sides[k];
                const double found = s.normal[0] * p[0] + s.normal[1] * p[1] + s.normal[2] * p[2] + s.offset;
                if (std::fabs(found) > 1e-9 * (1 + std::fabs(s.offset))) {
                    EXPECT_EQ(found > 0, values[k] > 0) << n << ' ' << k;
                }
            }
        }
    }
}

TEST(EngineMap, RefusesWhatIsNoMap) {
    ShadowMap map;
    map.texel_size = 3;
    double clip[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const auto message = [&](std::uint32_t width, std::uint32_t height) {
        return std::string(lanecull::engine_map(clip, {}, width, height, map).message());
    };
    EXPECT_EQ(message(15, 16), "width: 15 is not from 16 to 65536");
    EXPECT_EQ(message(16, 65537), "height: 65537 is not from 16 to 65536");
    for (const double bad : {0.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
        for (const std::size_t k : {std::size_t{0}, std::size_t{5}, std::size_t{15}}) {
            const double before = std::exchange(clip[k], bad);
            EXPECT_EQ(message(16, 16), bad == 0 ? "clip_from_world: its rows make no map's sides"
                                                : "clip_from_world: a number is not finite");
            clip[k] = before;
        }
    }
    EXPECT_EQ(map.texel_size, 3);
    EXPECT_EQ(message(16, 16), "");
}

}  // namespace
