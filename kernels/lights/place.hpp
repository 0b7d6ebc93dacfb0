#pragma once

/// Lights in view coordinates: W at a time, each as a ball around it, with the slices and rows that the ball reaches.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lights/cones.hpp"
#include "lights/work.hpp"

namespace lanecull {
namespace {

constexpr float light_limit = 1e30f;        ///< beyond it lights are invalid
constexpr float closed_form_limit = 1e15f;  ///< beyond it squares might overflow
constexpr float sqrt_3 = 1.7320509f;
constexpr float least_axis = 1e-15f, greatest_axis = 1e15f, greatest_tangent = 1e9f;

/// W lights as they are stored, and around each a ball; in world coordinates relative to c.
struct LoadedW {
    Vec3W q;
    FloatW radius, magnitude;
    MaskW valid;
    Vec3W apex, axis;  // of spotlights; the axis at length 1
    FloatW range, tangent;
};

LANE_INLINE LoadedW load_balls(const Spheres& balls, const FrameAxesW& axes, std::uint32_t at, std::uint32_t n) {
    Vec3W p = {load_first(balls.x + at, n), load_first(balls.y + at, n), load_first(balls.z + at, n)};
    const FloatW radius = load_first(balls.radius + at, n);
    Vec3W q = axes.relative(p);
    const MaskW valid = (radius >= FloatW(0.0f)) & (one_norm(p) + radius <= FloatW(light_limit));
    return {q, radius, one_norm(q) + radius, valid, q, {0.0f, 0.0f, 1.0f}, radius, 0.0f};
}

/// The ball around a spotlight has its centre on the axis: through the apex and the rim where the half-angle is below
/// 45 degrees, else around the rim.
LANE_INLINE LoadedW load_spots(const Spots& spots, const FrameAxesW& axes, std::uint32_t at, std::uint32_t n) {
    const FloatW one(1.0f), half(0.5f);
    Vec3W p = {load_first(spots.x + at, n), load_first(spots.y + at, n), load_first(spots.z + at, n)};
    Vec3W d = {load_first(spots.axis_x + at, n), load_first(spots.axis_y + at, n), load_first(spots.axis_z + at, n)};
    const FloatW range = load_first(spots.range + at, n), tangent = load_first(spots.tangent + at, n);
    const FloatW length = sqrt(dot(d, d)), reach = range * (one + tangent);
    const MaskW valid = (range >= FloatW(0.0f)) & (tangent >= FloatW(0.0f)) & (tangent <= FloatW(greatest_tangent)) &
                        (length >= FloatW(least_axis)) & (length <= FloatW(greatest_axis)) &
                        (one_norm(p) + reach <= FloatW(light_limit));
    const FloatW secant_2 = fma(tangent, tangent, one), secant = sqrt(secant_2);
    const MaskW narrow = tangent <= one;
    FloatW along, radius;
    if (spots.end == SpotEnd::flat) {
        along = select(narrow, range * half * secant_2, range);
        radius = select(narrow, along, range * tangent);
    } else {
        along = select(narrow, range * half * secant, range / secant);
        radius = select(narrow, along, along * tangent);
    }
    Vec3W q = axes.relative(p);
    const FloatW magnitude = one_norm(q) + (spots.end == SpotEnd::flat ? reach : range + range);
    radius = fma(FloatW(error_per_magnitude(roundings::spot_ball)), magnitude, radius);
    const FloatW inverse = one / length;
    return {plus_times(q, d, along / length), radius, magnitude, valid, q, d * inverse, range, tangent};
}

/// The half-open ranges of slices and rows that lights reach.
struct ReachedW {
    FloatW first_slice, end_slice, first_row, end_row;
    MaskW beside;                   // set: left or right of all tiles
    FloatW near_inverse, farthest;  // what is in view of the lights is at these depths: from 1 / this, to this
};

/// Depths that lights are between, and what planes say of the rows; `cones` are scaled.
struct BoundsW {
    FloatW nearest, farthest;
    const ConesW* cones = nullptr;
    FloatW scale = 1.0f;

    LANE_INLINE BoundsW(const Vec3W& c, FloatW radius) : nearest(c.z - radius), farthest(c.z + radius) {}

    LANE_INLINE void narrow(const ConesW& by, FloatW scale_) {
        const FloatW zero(0.0f), one(1.0f), unscale = one / scale_;
        cones = &by, scale = scale_;
        nearest = max((-by.error - by.farthest({zero, zero, -one})) * unscale, nearest);
        farthest = min((by.farthest({zero, zero, one}) + by.error) * unscale, farthest);
    }
    /// By the plane across the way to c, if its squares are normal numbers.
    LANE_INLINE void narrow_in_view(const LightCells& cells, const Vec3W& c, FloatW radius) {
        const FloatW zero(0.0f), length = sqrt(dot(c, c));
        Vec3W to_eye = c * (FloatW(-1.0f) / length);
        FloatW beyond = length - radius;
        if (cones != nullptr) beyond = -fma(cones->error, one_norm(to_eye), cones->farthest(to_eye)) / scale;
        const FloatW across = fma(abs(to_eye.x), FloatW(cells.x.largest), abs(to_eye.y) * FloatW(cells.y.largest));
        const FloatW most = (across - to_eye.z) + FloatW(8 * unit_roundoff);
        const FloatW depth = beyond * FloatW(1 - 0x1p-20f) / most;
        const MaskW known = (length > FloatW(1 / closed_form_limit)) & (length < FloatW(closed_form_limit));
        nearest = select(known & (beyond > zero) & (most > zero), max(depth, nearest), nearest);
    }
};

LANE_INLINE ReachedW find_reached(const LightCells& cells, const Vec3W& c, FloatW radius, const BoundsW& bounds) {
    const FloatW zero(0.0f);
    const FloatW limit = select(bounds.nearest > zero, FloatW(1 + 0x1p-20f) / bounds.nearest, FloatW(beyond_all));
    ReachedW reached = {
        zero,           static_cast<float>(cells.slices), zero, static_cast<float>(cells.y.count), mask_of(0), limit,
        bounds.farthest};
    for (std::uint32_t k = 0; k <= cells.slices; ++k) {
        const FloatW depth(cells.depth[k]), number(static_cast<float>(k));
        reached.first_slice = select(bounds.nearest > depth, number, reached.first_slice);
        reached.end_slice = select(bounds.farthest < depth, min(reached.end_slice, number), reached.end_slice);
    }
    SlopesW rows = all_slopes();
    if (bounds.cones != nullptr) {
        const FloatW near = min(FloatW(cells.inverse[0]), limit) / bounds.scale;
        bounds.cones->turned().seen_along_y(near).first.narrow(rows, near, zero);
    }
    // How far beyond the plane of a line the ball's centre is, in lengths of (1, -slope).
    const auto beyond = [&](const TileLines& lines, std::uint32_t i, FloatW across, FloatW& reach) LANE_LAMBDA {
        const FloatW line = fma(FloatW(static_cast<float>(i)), FloatW(lines.step), FloatW(lines.first));
        if (cells.is_orthographic) {
            reach = radius;
            return across - line;
        }
        reach = radius * sqrt(fma(line, line, FloatW(1.0f)));
        return across - line * c.z;
    };
    for (std::uint32_t j = 0; j <= cells.y.count; ++j) {
        FloatW reach;
        const FloatW away = beyond(cells.y, j, c.y, reach), number(static_cast<float>(j));
        const FloatW line = fma(number, FloatW(cells.y.step), FloatW(cells.y.first));
        const MaskW above = (away > reach) | (rows.low > line), below = (away < -reach) | (rows.high < line);
        reached.first_row = select(above, number, reached.first_row);
        reached.end_row = select(below, min(reached.end_row, number), reached.end_row);
    }
    FloatW reach;
    const FloatW left = beyond(cells.x, 0, c.x, reach);
    reached.beside = left < -reach;
    const FloatW right = beyond(cells.x, cells.x.count, c.x, reach);
    reached.beside = reached.beside | (right > reach);
    return reached;
}

/// Lanes that the closed form is too badly conditioned for: the eye is near the ball's surface, as seen along rows or
/// not, and tangents may touch in a slice.
LANE_INLINE MaskW is_at_tangent(const LightCells& cells, const Vec3W& c, FloatW radius, FloatW bound) {
    if (cells.is_orthographic) return mask_of(0);
    const FloatW first(cells.depth[0]), slack = FloatW(4.0f) * bound * radius;
    const FloatW square_r = radius * radius, flat = fma(c.z, c.z, c.x * c.x), square = fma(c.y, c.y, flat);
    const auto near = [&](FloatW of, FloatW share) LANE_LAMBDA {
        const FloatW tangent_2 = of - square_r, doubt = of * share;
        return (tangent_2 <= doubt) & (tangent_2 >= of * FloatW(-1.0f / 64.0f)) &
               (tangent_2 + fma(doubt, FloatW(0x1p-12f), slack) >= first * first);
    };
    return near(flat, FloatW(1.0f / 64.0f)) | near(square, FloatW(1.0f / 8.0f));
}

LANE_INLINE void place_packet(const LightWork& work, const FrameAxesW& axes, bool are_spots, std::uint32_t at,
                              std::uint32_t n, PlacedLights& placed, std::uint32_t slot) {
    const LightCells& cells = *work.cells;
    const Frame& frame = cells.view.frame;
    const LoadedW light =
        are_spots ? load_spots(work.lights->spots, axes, at, n) : load_balls(work.lights->balls, axes, at, n);
    Vec3W c = axes.turned(light.q);
    const FloatW size = light.radius * FloatW(frame.ball_scale);
    const FloatW magnitude = light.magnitude + one_norm(c) + size;
    const FloatW bound = fma(FloatW(error_per_magnitude(roundings::light_ball) + 1.75f * cells.cell_error), magnitude,
                             FloatW(1.75f * cells.view.apex_error));
    const FloatW radius = size + bound;
    Vec3W apex = axes.turned(light.apex), axis = axes.turned(light.axis);
    const FloatW distance = are_spots ? light.range : size, scale = exponent_scale(magnitude);
    const bool by_planes = cells.is_orthographic == 0 && frame.rigid != 0;
    const Body body = !are_spots ? Body::ball : work.lights->spots.end == SpotEnd::flat ? Body::flat : Body::round;
    const ConesW cones(cells, body, apex, axis, distance, light.tangent, magnitude, scale);
    const MaskW scaled = (magnitude < FloatW(closed_form_limit)) & (magnitude > FloatW(1.0f / closed_form_limit));
    BoundsW bounds(c, radius);
    if (by_planes && are_spots) bounds.narrow(cones, scale);
    if (by_planes) bounds.narrow_in_view(cells, c, radius);
    ReachedW reached = find_reached(cells, c, radius, bounds);
    const MaskW apart = light.valid & (reached.beside | (reached.first_slice >= reached.end_slice) |
                                       (reached.first_row >= reached.end_row));
    const MaskW closed = (magnitude < FloatW(closed_form_limit)) & ~is_at_tangent(cells, c, radius, bound);
    store(placed.x + slot, c.x), store(placed.y + slot, c.y), store(placed.z + slot, c.z);
    store(placed.radius + slot, radius), store(placed.bound + slot, bound), store(placed.magnitude + slot, magnitude);
    const FloatW numbers[] = {
        apex.x,          apex.y, apex.z, axis.x, axis.y, axis.z, distance, light.tangent, reached.near_inverse,
        reached.farthest};
    for (std::uint32_t k = 0; k < PlacedLights::cone_numbers; ++k) store(placed.cone[k] + slot, numbers[k]);

    alignas(64) float range[4][lanes];
    store(range[0], reached.first_slice), store(range[1], reached.end_slice);
    store(range[2], reached.first_row), store(range[3], reached.end_row);
    const std::uint32_t valid_bits = bits(light.valid), apart_bits = bits(apart), closed_bits = bits(closed);
    const std::uint32_t planes_bits = by_planes ? bits(scaled) : 0;
    for (std::uint32_t lane = 0; lane < n; ++lane) {
        const std::uint32_t bit = 1u << lane, number = (are_spots ? work.lights->balls.count : 0) + at + lane;
        const std::uint32_t* const layers = work.lights->layers;
        const auto& visible = work.lights->visible;
        const bool hidden = (layers != nullptr && (layers[number] & ~work.hidden_layers) == 0) ||
                            (visible.count != 0 && (visible.items[number / 64] >> number % 64 & 1) == 0);
        LightBlock& block = work.blocks[number];
        Way way = are_spots ? Way::closed_gjk : Way::closed;
        if (!(closed_bits & bit) || !frame.rigid) way = Way::gjk;
        if ((planes_bits & bit) && (are_spots || way == Way::gjk)) way = Way::planes;
        if (apart_bits & bit || hidden) way = Way::none;
        if (!(valid_bits & bit) && !hidden) way = Way::all;
        placed.way[slot + lane] = way;
        block = {};
        if (way == Way::none) continue;
        if (way == Way::all) {
            block.end_slice = static_cast<std::uint8_t>(cells.slices);
            block.end_row = static_cast<std::uint8_t>(cells.y.count);
            continue;
        }
        block.first_slice = static_cast<std::uint8_t>(range[0][lane]);
        block.end_slice = static_cast<std::uint8_t>(range[1][lane]);
        block.first_row = static_cast<std::uint8_t>(range[2][lane]);
        block.end_row = static_cast<std::uint8_t>(range[3][lane]);
    }
}

/// Places lights first to first + count - 1 of the balls, or of the spots, in slots from `slot` on.
LANE_INLINE void place(const LightWork& work, bool are_spots, std::uint32_t first, std::uint32_t count,
                       PlacedLights& placed, std::uint32_t slot) {
    const FrameAxesW axes(work.cells->view.frame);
    for (std::uint32_t done = 0; done < count; done += lanes) {
        const std::uint32_t n = count - done < lanes ? count - done : lanes;
        place_packet(work, axes, are_spots, first + done, n, placed, slot + done);
    }
}

}  // namespace
}  // namespace lanecull
