#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <span>

#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/double3.hpp"
#include "view/prepared_view.hpp"

/// The simplest volumes, and all ways to prepare a view of one.

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Row by row: looks along +z, |x| <= z, |y| <= z, 1 <= z <= 10, or without end; and |x| <= 2, |y| <= 4, 0 <= z <= 8.
inline constexpr std::array<double, 16> perspective = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 10.0 / 9, -10.0 / 9, 0, 0, 1, 0};
inline constexpr std::array<double, 16> endless = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 1, 0};
inline constexpr std::array<double, 16> orthographic = {0.5, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0.125, 0, 0, 0, 0, 1};
inline constexpr lanecull::ClipSpace by_rows = {.layout = lanecull::MatrixLayout::row_major};
inline constexpr std::array<double, 24> cube = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 2, 1, 0, 2, 0, 1, 2, 1, 1, 2};
inline constexpr lanecull::Plane cube_planes[] = {{{1, 0, 0}, 0},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 0},
                                                  {{0, -1, 0}, 1}, {{0, 0, 1}, -1}, {{0, 0, -1}, 2}};
inline constexpr lanecull::Plane wedge_planes[] = {{{0, 1, 1}, -1}, {{0, -1, 1}, -1}};
inline constexpr lanecull::WorldBox everywhere = {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};

struct Way {
    const char* name;
    std::function<lanecull::Status(lanecull::View&, lanecull::ViewOptions)> prepare;
    double nearest = 1;  ///< nothing of the volume has a smaller z, and something of it has this one
};

/// Those that take any options come first; a ball takes no light; the last two need one.
inline const Way all_ways[] = {
    {"perspective", [](auto& v, const auto& o) { return lanecull::prepare_view(perspective, by_rows, v, o); }},
    {"endless", [](auto& v, const auto& o) { return lanecull::prepare_view(endless, by_rows, v, o); }},
    {"orthographic", [](auto& v, const auto& o) { return lanecull::prepare_view(orthographic, by_rows, v, o); }, 0},
    {"stereo",
     [](auto& v, const auto& o) { return lanecull::prepare_stereo_view(perspective, perspective, by_rows, v, o); }},
    {"corners", [](auto& v, const auto& o) { return lanecull::prepare_view_from_corners(cube, v, o); }},
    {"planes", [](auto& v, const auto& o) { return lanecull::prepare_view_from_planes(cube_planes, v, o); }},
    {"wedge", [](auto& v, const auto& o) { return lanecull::prepare_view_from_planes(wedge_planes, v, o); }},
    {"ball",
     [](auto& v, const auto& o) {
         return lanecull::prepare_view_from_ball(std::array{0.0, 0.0, 3.0}, 2, v, o);
     }},
    {"casters of many lights",
     [](auto& v, auto o) {
         const lanecull::DirectionalLight directional_light{{0, 1, 0.5}, 7};
         if (o.directional_light == nullptr && o.point_light == nullptr) o.directional_light = &directional_light;
         return lanecull::prepare_caster_views(perspective, by_rows, {&o, 1}, {&v, 1});
     }},
    {"cascade", [](auto& v, auto o) {
         const lanecull::DirectionalLight directional_light{{0, 1, 0.5}};
         if (o.directional_light == nullptr && o.point_light == nullptr) o.directional_light = &directional_light;
         const lanecull::WorldBox box{{-20, -20, -20}, {20, 20, 20}};
         return lanecull::prepare_cascade_casters({perspective, by_rows, 0.5, 4}, box, o, v);
     }}};
inline const std::span<const Way> plain_ways = std::span(all_ways).first(7);

inline bool same_bytes(const lanecull::View& a, const lanecull::View& b) {
    return std::memcmp(&contents_of(a), &contents_of(b), sizeof(lanecull::PreparedView)) == 0;
}

inline bool sees_ball(const lanecull::View& view, const Double3& center, double radius,
                      const lanecull::CullOptions& options) {
    float at[3];
    for (std::size_t k = 0; k < 3; ++k) at[k] = static_cast<float>(center[k]);
    const float size = static_cast<float>(radius);
    const lanecull::Batch ball = lanecull::Spheres{&at[0], &at[1], &at[2], &size, 1};
    return run_cull(ball, view, options).visible(0);
}

/// Of a ball, on every set, by every method; planes alone may keep what is not visible.
inline void expect_ball(const Double3& center, double radius, bool visible, const lanecull::View& view) {
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            if (method == lanecull::Method::planes && !visible) continue;
            EXPECT_EQ(sees_ball(view, center, radius, {.method = method, .isa = isa}), visible)
                << lanecull::isa_name(isa) << " " << method_name(method) << " " << center[0] << " " << center[1] << " "
                << center[2];
        }
    }
}
