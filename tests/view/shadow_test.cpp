#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <lanecull/shadow.h>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"
#include "support/usual.hpp"
#include "view/prepared_view.hpp"

/// Helpers for shadow maps: depths of slices, maps fitted to slices, faces of cubes, and the casters to render into
/// each.

namespace {

using lanecull::ClipSpace;
using lanecull::Plane;
using lanecull::ShadowMap;
using lanecull::Slice;
using lanecull::Status;
using lanecull::Sun;
using lanecull::View;
using lanecull::WorldBox;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr WorldBox everywhere = {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
constexpr WorldBox nowhere = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};

double value(const Plane& plane, const Double3& p) {
    return plane.normal[0] * p[0] + plane.normal[1] * p[1] + plane.normal[2] * p[2] + plane.offset;
}

/// Clip coordinates of a point.
std::array<double, 4> clip(const ShadowMap& map, const Double3& p) {
    std::array<double, 4> result;
    for (std::size_t r = 0; r < 4; ++r) {
        result[r] = map.clip_from_world[12 + r];
        for (std::size_t c = 0; c < 3; ++c) {
            result[r] += map.clip_from_world[4 * c + r] * (p[c] - map.clip_space.origin[c]);
        }
    }
    return result;
}

Double3 corner(std::span<const double, 24> corners, std::size_t i) {
    return {corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]};
}

Camera plain_camera(Random& random) {
    Camera camera = random_camera(random, Projection::perspective);
    while (camera.depth[1] / camera.depth[0] > 1e4) camera = random_camera(random, Projection::perspective);
    return camera;
}

Slice slice_of(const Camera& camera, double from, double to) {
    const auto [near, far] = camera.depth;
    return {camera.matrix, camera.clip_space, near + from * (far - near), near + to * (far - near)};
}

Double3 random_up(Random& random, const Double3& toward) {
    for (;;) {
        const Double3 up = random_direction(random);
        if (length(cross(up, toward)) > 0.1 * length(toward)) return up;
    }
}

TEST(Shadow, SplitDepths) {
    std::vector<double> depths(5);
    ASSERT_TRUE(lanecull::split_depths(1, 81, 0, depths));
    EXPECT_EQ(depths, (std::vector<double>{1, 21, 41, 61, 81}));
    ASSERT_TRUE(lanecull::split_depths(1, 81, 1, depths));
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(depths[i], std::pow(3.0, static_cast<double>(i)), 1e-12);
    ASSERT_TRUE(lanecull::split_depths(1, 81, 0.5, depths));
    for (std::size_t i = 0; i < 5; ++i) {
        const double k = static_cast<double>(i);
        EXPECT_NEAR(depths[i], 0.5 * (std::pow(3.0, k) + 1 + 20 * k), 1e-12);
    }
    EXPECT_EQ(depths.front(), 1);
    EXPECT_EQ(depths.back(), 81);
    // Where far / near overflows, and where rounding goes beyond far.
    for (const auto& [near, far] : {std::pair(1e-300, 1e10), std::pair(4.9e-324, 1e30), std::pair(1.0, 1 + 0x1p-52)}) {
        for (const double share : {0.0, 0.3, 1.0}) {
            ASSERT_TRUE(lanecull::split_depths(near, far, share, depths));
            EXPECT_TRUE(std::is_sorted(depths.begin(), depths.end())) << near << " " << far << " " << share;
            EXPECT_EQ(depths.front(), near);
            EXPECT_EQ(depths.back(), far);
        }
    }
    const auto refused = [&](const char* named, double near, double far, double share, std::size_t count) {
        std::vector<double> untouched(count, 7);
        const Status status = lanecull::split_depths(near, far, share, untouched);
        EXPECT_EQ(std::string(status.message()).find(named), 0u) << status.message();
        EXPECT_EQ(untouched, std::vector<double>(count, 7));
    };
    for (const double near : {0.0, -1.0, 81.0, nan_value}) refused("near_depth", near, 81, 0.5, 5);
    for (const double far : {1.0, 0.5, infinity, nan_value}) refused("near_depth", 1, far, 0.5, 5);
    for (const double share : {-0.1, 1.1, nan_value}) refused("logarithmic", 1, 81, share, 5);
    refused("depths", 1, 81, 0.5, 1);
    refused("depths", 1, 81, 0.5, 0);
}

/// The corners lie where the camera's parameters say, on the planes; and no point lies between two slices.
TEST(Shadow, Slices) {
    for (int v = 0; v < scaled(200); ++v) {
        Random random(12'000'000 + static_cast<std::uint64_t>(v));
        const Camera camera = plain_camera(random);
        const double split = random.unit();
        const Slice near = slice_of(camera, 0, split), far = slice_of(camera, split, 1);
        Plane planes[2], next[2];
        double corners[24];
        ASSERT_TRUE(lanecull::slice_planes(near, planes));
        ASSERT_TRUE(lanecull::slice_planes(far, next));
        ASSERT_TRUE(lanecull::slice_corners(near, corners));
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(planes[1].normal[k], -next[0].normal[k]);
        EXPECT_EQ(planes[1].offset, -next[0].offset);
        const double scale = length(camera.eye) + camera.depth[1];
        for (std::size_t i = 0; i < 8; ++i) {
            const double depth = i & 4 ? near.far_depth : near.near_depth;
            const Double3 expected = camera.point(camera.x[i & 1], camera.y[i >> 1 & 1], depth);
            EXPECT_LT(length(corner(corners, i) - expected), 1e-5 * scale) << camera.describe();
            EXPECT_LT(std::fabs(value(planes[i & 4 ? 1 : 0], corner(corners, i))), 1e-6 * scale);
        }
    }
    const std::array<double, 16> flat = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    Plane planes[2];
    double corners[24];
    EXPECT_FALSE(lanecull::slice_planes({flat, {}, 1, 2}, planes).ok()) << "orthographic: it has no depth";
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.1, 0, 0, 1, 0};
    const ClipSpace by_rows{.layout = lanecull::MatrixLayout::row_major};
    for (const auto& [from, to] : {std::pair(2.0, 1.0), std::pair(1.0, infinity), std::pair(nan_value, 1.0)}) {
        EXPECT_EQ(std::string(lanecull::slice_corners({camera, by_rows, from, to}, corners).message()).find("slice"),
                  0u);
    }
}

/// Maps hold the slice's receivers; stable ones keep their size whatever the camera does, and their texels their
/// places.
TEST(Shadow, SunMaps) {
    for (int v = 0; v < scaled(200); ++v) {
        Random random(12'100'000 + static_cast<std::uint64_t>(v));
        const Camera camera = plain_camera(random);
        const Slice slice = slice_of(camera, 0.1 * random.unit(), 0.2 + 0.8 * random.unit());
        const Double3 toward = random.log_range(1e-3, 1e3) * random_direction(random), up = random_up(random, toward);
        lanecull::SunMapOptions options{{toward[0], toward[1], toward[2]}, {up[0], up[1], up[2]}};
        options.texels = 1u << (4 + random.below(9));
        options.is_tight = random.chance(0.5);
        double corners[24];
        ASSERT_TRUE(lanecull::slice_corners(slice, corners));
        WorldBox box = everywhere;
        const bool limited = random.chance(0.5);
        const Double3 inside = corner(corners, 0) + random.unit() * (corner(corners, 7) - corner(corners, 0));
        for (std::size_t k = 0; limited && k < 3; ++k) {
            const double size = camera.depth[1] * random.log_range(1e-3, 1);
            box.lower[k] = inside[k] - size, box.upper[k] = inside[k] + size;
        }
        ShadowMap map;
        const Status status = lanecull::fit_sun_map(slice, box, options, map);
        ASSERT_TRUE(status.ok()) << status.message();
        // Every receiver, a corner's mixture within the box, is in the map, and its sides agree.
        for (int n = 0; n < 50; ++n) {
            Double3 p{};
            double sum = 0;
            for (std::size_t i = 0; i < 8; ++i) {
                const double share = random.unit();
                p = p + share * corner(corners, i), sum += share;
            }
            p = 1 / sum * p;
            bool within = true;
            for (std::size_t k = 0; k < 3; ++k) within = within && box.lower[k] <= p[k] && p[k] <= box.upper[k];
            if (!within) continue;
            const auto c = clip(map, p);
            EXPECT_LE(std::fabs(c[0]), 1 + 1e-4) << "seed of " << v;
            EXPECT_LE(std::fabs(c[1]), 1 + 1e-4) << "seed of " << v;
            EXPECT_GE(c[2], -1e-4);
            EXPECT_LE(c[2], 1 + 1e-4);
            const double width = map.texel_size * options.texels;
            EXPECT_NEAR(value(map.sides[0], p), 0.5 * (c[0] + 1) * width, 1e-4 * width);
            EXPECT_NEAR(value(map.sides[3], p), 0.5 * (1 - c[1]) * width, 1e-4 * width);
        }
        // Towards the sun is depth 0.
        const auto base = clip(map, inside), lit = clip(map, inside + toward);
        EXPECT_LT(lit[2], base[2]);
    }
}

/// The whole slice is in a stable map, wherever its texels' grid lies.
TEST(Shadow, StableMapsLoseNothing) {
    for (int v = 0; v < scaled(4000); ++v) {
        Random random(12'150'000 + static_cast<std::uint64_t>(v));
        const Camera camera = plain_camera(random);
        const Slice slice = slice_of(camera, 0.1 * random.unit(), 0.2 + 0.8 * random.unit());
        const Double3 toward = random_direction(random), up = random_up(random, toward);
        lanecull::SunMapOptions options{{toward[0], toward[1], toward[2]}, {up[0], up[1], up[2]}};
        options.texels = 1u << (4 + random.below(3));
        double corners[24];
        ASSERT_TRUE(lanecull::slice_corners(slice, corners));
        ShadowMap map;
        ASSERT_TRUE(lanecull::fit_sun_map(slice, everywhere, options, map));
        for (std::size_t i = 0; i < 8; ++i) {
            for (const Plane& side : map.sides) EXPECT_GE(value(side, corner(corners, i)), 0) << "seed of " << v;
        }
    }
}

/// Receivers without thickness, a point of theirs that is in view, and a light.
struct FlatReceivers {
    static constexpr std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0};
    WorldBox box = everywhere;
    Double3 seen{};
    bool by_lamp = true;
    lanecull::Lamp lamp{{0, 0, 0}, 1000};
    Sun sun;

    [[nodiscard]] View casters() const {
        lanecull::ViewOptions options;
        if (by_lamp)
            options.lamp = &lamp;
        else
            options.sun = &sun;
        const Slice slice{camera, {.layout = lanecull::MatrixLayout::row_major}, 1, 520};
        View view;
        const Status status = lanecull::prepare_cascade_casters(slice, box, options, view);
        EXPECT_TRUE(status.ok()) << status.message();
        return view;
    }
    /// From the point to the lamp, or as far towards the sun as shadows come from.
    [[nodiscard]] Double3 to_light() const {
        Double3 way;
        for (std::size_t k = 0; k < 3; ++k) {
            way[k] = by_lamp ? lamp.at[k] - seen[k] : sun.toward[k] * std::min(reach_of(sun), 40.0);
        }
        return way;
    }
};

/// Rounding makes a slice of size 1 one point where coordinates are 1e20 apart. A map has a size there too.
TEST(Shadow, StableMapsOfASliceThatIsOnePoint) {
    const Slice slice{
        FlatReceivers::camera, {.layout = lanecull::MatrixLayout::row_major, .origin = {1e20, -1e20, 3e20}}, 1, 2};
    double corners[24];
    ASSERT_TRUE(lanecull::slice_corners(slice, corners));
    for (std::size_t i = 0; i < 24; ++i) ASSERT_EQ(corners[i], corners[i % 3]);
    for (const bool tight : {false, true}) {
        lanecull::SunMapOptions options{{1, 2, 3}, {0, 1, 0}};
        options.texels = 64;
        options.is_tight = tight;
        ShadowMap map;
        ASSERT_TRUE(lanecull::fit_sun_map(slice, everywhere, options, map)) << tight;
        EXPECT_GT(map.texel_size, 0) << tight;
        for (const Plane& side : map.sides) EXPECT_GE(value(side, corner(corners, 0)), 0) << tight;
    }
}

FlatReceivers random_flat_receivers(Random& random) {
    const auto whole = [&](int low, int high) { return static_cast<double>(low + random.below(high - low + 1)); };
    FlatReceivers made;
    made.seen[2] = -whole(2, 500);
    for (std::size_t k = 0; k < 2; ++k) made.seen[k] = std::floor(random.range(-0.9, 0.9) * -made.seen[2]);
    const std::size_t flat = static_cast<std::size_t>(random.below(3));
    for (std::size_t k = 0; k < 3; ++k) {
        const bool thin = k == flat || random.chance(0.2);
        made.box.lower[k] = made.seen[k] - (thin ? 0 : whole(1, 150));
        made.box.upper[k] = made.seen[k] + (thin ? 0 : whole(1, 150));
        made.lamp.at[k] = whole(-500, 500);
        made.sun.toward[k] = whole(-9, 9);
    }
    if (length({made.sun.toward[0], made.sun.toward[1], made.sun.toward[2]}) == 0) made.sun.toward[1] = 1;
    if (random.chance(0.3)) made.sun.reach = whole(1, 300);
    made.by_lamp = random.chance(0.5);
    return made;
}

void expect_caster(const Double3& center, float radius, const View& view, int seed) {
    float at[3];
    for (std::size_t k = 0; k < 3; ++k) at[k] = static_cast<float>(center[k]);
    const lanecull::Batch caster = lanecull::Spheres{&at[0], &at[1], &at[2], &radius, 1};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            EXPECT_TRUE(run_cull(caster, view, {.method = method, .isa = isa}).visible(0)) << "seed of " << seed;
        }
    }
}

/// A wall of thickness 0 along x: halfway between the lamp and a point of it that is in view, a sphere casts a shadow.
TEST(Shadow, ALampsCasterOfAFlatWallIsKept) {
    FlatReceivers wall;
    wall.box = {{-91, -93, -179}, {-91, 35, -171}};
    for (std::size_t k = 0; k < 3; ++k) wall.lamp.at[k] = std::array{-477.0, -143.0, -391.0}[k];
    expect_caster({-284, -86, -283}, 50, wall.casters(), 0);
}

/// What stands between the light and a point of flat receivers that is in view casts a shadow.
TEST(Shadow, CastersOfFlatReceiversAreKept) {
    int tested = 0, culled = 0;
    for (int v = 0; v < scaled(20'000); ++v) {
        Random random(12'450'000 + static_cast<std::uint64_t>(v));
        const FlatReceivers receivers = random_flat_receivers(random);
        const Double3 to_light = receivers.to_light();
        if (receivers.by_lamp && length(to_light) > 990) continue;
        const View view = receivers.casters();
        const float radius = static_cast<float>(random.log_range(1e-2, 50));
        const Double3 between = receivers.seen + random.unit() * to_light;
        expect_caster(between, radius, view, v);
        const float far[3] = {3000, -4000, 5000};
        const lanecull::Batch other = lanecull::Spheres{&far[0], &far[1], &far[2], &radius, 1};
        culled += !run_cull(other, view, {}).visible(0);
        ++tested;
    }
    EXPECT_GT(tested, scaled(20'000) / 2);
    EXPECT_GT(culled, tested / 2);
}

TEST(Shadow, StableMapsMoveByWholeTexels) {
    for (int v = 0; v < scaled(100); ++v) {
        Random random(12'200'000 + static_cast<std::uint64_t>(v));
        const Camera camera = plain_camera(random);
        if (length(camera.eye) > 1e3 * camera.depth[1]) continue;  // a texel is hardly a number there
        const Slice slice = slice_of(camera, 0.1, 0.9);
        const Double3 toward = random_direction(random), up = random_up(random, toward);
        const lanecull::SunMapOptions options{{toward[0], toward[1], toward[2]}, {up[0], up[1], up[2]}, 1024};
        ShadowMap map, moved;
        ASSERT_TRUE(lanecull::fit_sun_map(slice, everywhere, options, map));
        Camera other = camera;
        const Double3 way = camera.depth[1] * random.log_range(1e-4, 1) * random_direction(random);
        const bool by_rows = camera.clip_space.layout == lanecull::MatrixLayout::row_major;
        for (std::size_t r = 0; r < 4; ++r) {
            const auto at = [&](std::size_t c) { return by_rows ? 4 * r + c : 4 * c + r; };
            for (std::size_t c = 0; c < 3; ++c) other.matrix[at(3)] -= way[c] * camera.matrix[at(c)];
        }
        ASSERT_TRUE(lanecull::fit_sun_map(slice_of(other, 0.1, 0.9), everywhere, options, moved));
        EXPECT_EQ(map.texel_size, moved.texel_size) << camera.describe();
        for (std::size_t side : {0u, 2u}) {
            const double texels = (map.sides[side].offset - moved.sides[side].offset) / map.texel_size;
            EXPECT_NEAR(texels, std::round(texels), 1e-3);
        }
    }
}

/// 2048 texels, up along y.
TEST(Shadow, UsualSunMaps) {
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.1, 0, 0, 1, 0};
    const Slice slice{camera, {.layout = lanecull::MatrixLayout::row_major}, 1, 2};
    ShadowMap usual, named, other;
    ASSERT_TRUE(lanecull::fit_sun_map(slice, everywhere, {.toward = {1, 2, 3}}, usual));
    ASSERT_TRUE(
        lanecull::fit_sun_map(slice, everywhere, {.toward = {1, 2, 3}, .up = {0, 1, 0}, .texels = 2048}, named));
    EXPECT_EQ(std::memcmp(&usual, &named, sizeof usual), 0);
    ASSERT_TRUE(lanecull::fit_sun_map(slice, everywhere, {.toward = {1, 2, 3}, .texels = 2047}, other));
    EXPECT_NE(usual.texel_size, other.texel_size);
}

TEST(Shadow, RefusesWrongMaps) {
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.1, 0, 0, 1, 0};
    const Slice slice{camera, {.layout = lanecull::MatrixLayout::row_major}, 1, 2};
    ShadowMap map;
    const auto refused = [&](const char* named, const lanecull::SunMapOptions& options) {
        map.texel_size = 7;
        const Status status = lanecull::fit_sun_map(slice, everywhere, options, map);
        EXPECT_EQ(std::string(status.message()).find(named), 0u) << status.message();
        EXPECT_EQ(map.texel_size, 7);
    };
    refused("options.toward", {{0, 0, 0}});
    refused("options.toward", {{0, nan_value, 0}});
    refused("options.toward", {{0, infinity, 1}});
    refused("options.up", {{0, 1, 0}, {0, 0, 0}});  // zeros are (0, 1, 0)
    refused("options.up", {{0, 1, 0}, {0, -2, 0}});
    refused("options.up", {{0, 1, 0}, {nan_value, 0, 1}});
    refused("texels", {{0, 1, 0}, {0, 0, 1}, 15});
    refused("texels", {{0, 1, 0}, {0, 0, 1}, 65537});
    const double at[3] = {0, 0, 0}, forward[3] = {0, 0, 1}, up[3] = {0, 1, 0}, zero[3] = {0, 0, 0};
    const auto named = [](const Status& status) {
        const std::string text(status.message());
        return text.substr(0, text.find_first_of(",:"));
    };
    const double far_off[3] = {0, 1e31, 0};
    EXPECT_EQ(named(lanecull::spot_map(far_off, forward, up, 1, 1, 0.1, 10, 512, map)), "at");
    EXPECT_EQ(named(lanecull::spot_map(at, zero, up, 1, 1, 0.1, 10, 512, map)), "forward");
    EXPECT_EQ(named(lanecull::spot_map(at, forward, zero, 1, 1, 0.1, 10, 512, map)), "up");
    EXPECT_EQ(named(lanecull::spot_map(at, forward, forward, 1, 1, 0.1, 10, 512, map)), "up");
    EXPECT_EQ(named(lanecull::spot_map(at, forward, up, 0, 1, 0.1, 10, 512, map)), "tan_x");
    EXPECT_EQ(named(lanecull::spot_map(at, forward, up, 1, nan_value, 0.1, 10, 512, map)), "tan_x");
    EXPECT_EQ(named(lanecull::spot_map(at, forward, up, 1, 1, 0, 10, 512, map)), "near_depth");
    EXPECT_EQ(named(lanecull::spot_map(at, forward, up, 1, 1, 0.1, 10, 0, map)), "texels");
    EXPECT_EQ(named(lanecull::cube_map_face(at, 6, 0.1, 10, 512, map)), "face");
}

/// As the specifications of the three interfaces have it: of each face's major axis, the directions of its s and t.
TEST(Shadow, CubeFaces) {
    const double at[3] = {3, -4, 5};
    const Double3 place = {3, -4, 5};
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
        // The sides leave what the matrix leaves.
        Random random(f + 1);
        for (int n = 0; n < 200; ++n) {
            const Double3 q = place + 3 * random_direction(random);
            const auto c = clip(map, q);
            bool inside = true;
            for (const Plane& side : map.sides) inside = inside && value(side, q) >= 0;
            EXPECT_EQ(inside, std::fabs(c[0]) <= c[3] && std::fabs(c[1]) <= c[3]);
        }
    }
}

/// A caster made to shade a receiver of the slice is kept; what the exact volume says is apart goes.
TEST(Shadow, CascadeCasters) {
    int kept = 0, apart = 0, culled = 0;
    for (int v = 0; v < scaled(150); ++v) {
        Random random(12'400'000 + static_cast<std::uint64_t>(v));
        const Camera camera = plain_camera(random);
        const double from = 0.5 * random.unit();
        const Slice slice = slice_of(camera, from, from + 0.5 * random.unit() + 0.01);
        double corners[24];
        ASSERT_TRUE(lanecull::slice_corners(slice, corners));
        const Double3 receiver =
            corner(corners, 0) + random.range(0.2, 0.8) * (corner(corners, 7) - corner(corners, 0));
        const double size = slice.far_depth - slice.near_depth;
        WorldBox box;
        for (std::size_t k = 0; k < 3; ++k) {
            box.lower[k] = receiver[k] - size * random.log_range(1e-2, 1);
            box.upper[k] = receiver[k] + size * random.log_range(1e-2, 1);
        }
        const Double3 toward = random_direction(random);
        Sun sun{{toward[0], toward[1], toward[2]}};
        if (random.chance(0.5)) sun.reach = size * random.log_range(0.1, 10);
        View view;
        const Status status = lanecull::prepare_cascade_casters(slice, box, {.sun = &sun}, view);
        ASSERT_TRUE(status.ok()) << status.message();

        Plane planes[2];
        ASSERT_TRUE(lanecull::slice_planes(slice, planes));
        exact::HalfSpaces lit = exact_half_spaces_of(camera);
        for (const Plane& p : planes) lit.push_back(exact::half_space(p.normal[0], p.normal[1], p.normal[2], p.offset));
        for (std::size_t k = 0; k < 3; ++k) {
            double n[3] = {0, 0, 0};
            n[k] = 1;
            lit.push_back(exact::half_space(n[0], n[1], n[2], -box.lower[k]));
            lit.push_back(exact::half_space(-n[0], -n[1], -n[2], box.upper[k]));
        }
        const exact::Volume seen(lit);
        const exact::Point way = exact::point(toward[0], toward[1], toward[2]);
        const exact::Volume volume =
            std::isinf(reach_of(sun)) ? seen.swept_endlessly(way) : seen.swept(exact::rational(sun.reach) * way);
        for (int n = 0; n < 20; ++n) {
            const double share = std::min(reach_of(sun), 3 * size) * random.unit();
            const Double3 at = receiver + share * toward + random.log_range(1e-3, 3) * size * random_direction(random);
            Object ball;
            for (std::size_t k = 0; k < 3; ++k) ball.fields[k] = static_cast<float>(at[k]);
            ball.fields[3] = static_cast<float>(size * random.log_range(1e-3, 0.3));
            const exact::Solid solid = exact_solid_of(Kind::sphere, ball, {});
            const bool visible = decide(solid, volume).verdict == exact::Verdict::visible;
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(Kind::sphere, {&ball, 1}, {}, memory);
            const bool found = run_cull(batch, view).visible(0);
            EXPECT_TRUE(found || !visible) << "seed of " << v;
            kept += visible, apart += !visible, culled += !found;
        }
    }
    EXPECT_GT(kept, scaled(150));
    EXPECT_GT(apart, scaled(150));
    EXPECT_GT(culled, apart * 0.95);
}

/// A far plane at infinity cuts no edge, in either direction of depth and either range: the camera's volume is a
/// frustum, and its cascades' casters are exact.
TEST(Shadow, InfiniteFarPlanesLoseNothing) {
    const double turns[2][2] = {{1, 0}, {0.6, 0.8}};
    for (const auto& [cosine, sine] : turns) {
        for (const bool reversed : {false, true}) {
            for (const lanecull::DepthRange range :
                 {lanecull::DepthRange::zero_to_one, lanecull::DepthRange::minus_one_to_one}) {
                const bool whole = range == lanecull::DepthRange::minus_one_to_one;
                // Depth / w goes from 0 or -1 to 1, or back: z = w - near (1 or 2) or its opposite, w growing along
                // -z'.
                const double low = whole ? -1 : 0, z_w = reversed ? low : 1, z_1 = (reversed ? 1 - low : low - 1) * 0.1;
                std::array<double, 16> m = {};
                m[0] = cosine, m[8] = -sine, m[5] = 1;
                m[3] = -sine, m[11] = -cosine;  // w
                m[2] = z_w * m[3], m[10] = z_w * m[11], m[14] = z_1;
                const ClipSpace space = {.depth = range};
                View camera, casters;
                const Status status = lanecull::prepare_view(m, space, camera);
                ASSERT_TRUE(status.ok()) << status.message();
                EXPECT_EQ(contents_of(camera).volume, lanecull::VolumeKind::frustum) << reversed << whole << sine;
                const Sun sun = {.toward = {0.1, 0.6, 0.8}};
                const WorldBox ground = {{-50, -2, -50}, {50, -1, 50}};
                ASSERT_TRUE(lanecull::prepare_cascade_casters({m, space, 0.1, 100}, ground, {.sun = &sun}, casters));
                EXPECT_TRUE(casters.exact()) << reversed << whole << sine;
                EXPECT_GE(contents_of(casters).plane_count, 6) << reversed << whole << sine;
            }
        }
    }
}

TEST(Shadow, CascadesWithoutReceivers) {
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.1, -0.11, 0, 0, 1, 0};
    const Slice slice{camera, {.layout = lanecull::MatrixLayout::row_major}, 0.2, 0.8};
    const Sun sun{{0, 1, 0}};
    const WorldBox behind = {{-1, -1, -5}, {1, 1, -4}};
    const std::array<float, 4> ball = {0, 0.1f, 0.5f, 0.1f};
    const lanecull::Batch batch = lanecull::Spheres{&ball[0], &ball[1], &ball[2], &ball[3], 1};
    for (const WorldBox& box : {nowhere, behind}) {
        View view;
        const Status status = lanecull::prepare_cascade_casters(slice, box, {.sun = &sun}, view);
        ASSERT_TRUE(status.ok()) << status.message();
        for (const lanecull::Method method : all_methods)
            EXPECT_FALSE(run_cull(batch, view, {.method = method}).visible(0));
    }
    // A side that is no number limits nothing.
    for (std::size_t k = 0; k < 6; ++k) {
        WorldBox box = {{-1, -1, -1}, {1, 1, 1}};
        (k < 3 ? box.lower : box.upper)[k % 3] = nan_value;
        View view;
        ASSERT_TRUE(lanecull::prepare_cascade_casters(slice, box, {.sun = &sun}, view));
        for (const lanecull::Method method : all_methods)
            EXPECT_TRUE(run_cull(batch, view, {.method = method}).visible(0)) << k;
    }
    View view;
    ASSERT_TRUE(lanecull::prepare_cascade_casters(slice, everywhere, {.sun = &sun}, view));
    EXPECT_TRUE(run_cull(batch, view).visible(0));
    EXPECT_FALSE(lanecull::prepare_cascade_casters(slice, everywhere, {}, view).ok());
    const Sun wrong{{0, 0, 0}};
    EXPECT_FALSE(lanecull::prepare_cascade_casters(slice, nowhere, {.sun = &wrong}, view).ok());
    const std::vector<Plane> three(3, Plane{{1, 0, 0}, 100});
    EXPECT_FALSE(lanecull::prepare_cascade_casters(slice, everywhere, {.clip_planes = three, .sun = &sun}, view).ok());
}

/// What a finer map covers wholly casts no shadow beyond it: none of the object's points, moved away from the sun by
/// any way, leaves the map's sides.
TEST(Shadow, CoveredObjectsCastNoShadowBeyondTheMap) {
    int covered = 0, all = 0;
    for (int v = 0; v < scaled(100); ++v) {
        Random random(12'500'000 + static_cast<std::uint64_t>(v));
        const Camera camera = plain_camera(random);
        const Slice slice = slice_of(camera, 0, 0.3);
        const Double3 toward = random_direction(random), up = random_up(random, toward);
        ShadowMap map;
        ASSERT_TRUE(
            lanecull::fit_sun_map(slice, everywhere, {{toward[0], toward[1], toward[2]}, {up[0], up[1], up[2]}}, map));
        View view;
        ASSERT_TRUE(lanecull::prepare_covered(map, 2, view));
        const HullSet hulls = random_hulls(random, 3);
        const Kind kind = all_kinds[random.below(static_cast<int>(std::size(all_kinds)))];
        const std::vector<Object> objects = random_objects(random, kind, camera, 60, hulls);
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(kind, objects, hulls, memory);
        std::vector<std::uint64_t> inside(1), bits(1);
        lanecull::Output output{.visible = bits, .inside = inside};
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
        ASSERT_TRUE(lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch));
        for (std::size_t i = 0; i < objects.size(); ++i) {
            ++all;
            if ((inside[0] >> i & 1) == 0) continue;
            ++covered;
            const exact::Solid solid = exact_solid_of(kind, objects[i], hulls);
            for (const Plane& side : map.sides) {
                const exact::HalfSpace h =
                    exact::half_space(side.normal[0], side.normal[1], side.normal[2], side.offset);
                for (const exact::Point& p : solid.points) {
                    const exact::Rational height = exact::dot(h.normal, p) + h.offset;
                    EXPECT_GT(height, 0);
                    EXPECT_GT(height * height, solid.radius * solid.radius * exact::dot(h.normal, h.normal));
                }
                // The sides run along the light but for rounding, which the border is for.
                const double tilt =
                    side.normal[0] * toward[0] + side.normal[1] * toward[1] + side.normal[2] * toward[2];
                EXPECT_LT(std::fabs(tilt), 1e-15);
            }
        }
    }
    EXPECT_GT(covered, all / 50);
    EXPECT_LT(covered, all);
    View view;
    ShadowMap map;
    EXPECT_FALSE(lanecull::prepare_covered(map, 0, view).ok()) << "a map without sides";
    const double at[3] = {0, 0, 0};
    ASSERT_TRUE(lanecull::cube_map_face(at, 0, 0.1, 10, 512, map));
    EXPECT_FALSE(lanecull::prepare_covered(map, -1, view).ok());
    EXPECT_FALSE(lanecull::prepare_covered(map, nan_value, view).ok());
    for (const double texel : {-1.0, nan_value}) {
        map.texel_size = texel;
        EXPECT_EQ(std::string(lanecull::prepare_covered(map, 1, view).message()).find("sun_map.texel_size"), 0u);
    }
}

}  // namespace
