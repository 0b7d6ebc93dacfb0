#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <limits>

#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/double3.hpp"
#include "view/prepared_view.hpp"

/// The simplest volumes, and the ways to prepare a view of one that take any options.

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

/// A way to prepare a view that takes any options.
struct Way {
    const char* name;
    std::function<lanecull::Status(lanecull::View&, lanecull::ViewOptions)> prepare;
};
inline const Way plain_ways[] = {
    {"perspective", [](auto& v, const auto& o) { return lanecull::prepare_view(perspective, by_rows, v, o); }},
    {"endless", [](auto& v, const auto& o) { return lanecull::prepare_view(endless, by_rows, v, o); }},
    {"orthographic", [](auto& v, const auto& o) { return lanecull::prepare_view(orthographic, by_rows, v, o); }},
    {"stereo",
     [](auto& v, const auto& o) { return lanecull::prepare_stereo_view(perspective, perspective, by_rows, v, o); }},
    {"corners", [](auto& v, const auto& o) { return lanecull::prepare_view_from_corners(cube, v, o); }},
    {"planes", [](auto& v, const auto& o) { return lanecull::prepare_view_from_planes(cube_planes, v, o); }},
    {"wedge", [](auto& v, const auto& o) { return lanecull::prepare_view_from_planes(wedge_planes, v, o); }}};

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
