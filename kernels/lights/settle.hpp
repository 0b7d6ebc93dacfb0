#pragma once

/// GJK for lights and cells: it finds the ends of rows that the closed form cannot decide. The cells of a row that a
/// light reaches follow one another, as both are convex. So first the row's whole span is tested, then its first cell,
/// until one is not apart, then its last. Rows of several lights share packets.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/gjk.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lights/place.hpp"
#include "lights/shape.hpp"
#include "lights/work.hpp"

namespace lanecull {
namespace {

/// The volume that GJK knows besides its shape: the origin, for the shape below is a Minkowski difference.
struct NoVolumeW {
    static constexpr float error_factor(const PreparedView&) { return 0; }
    static constexpr std::uint32_t lane_numbers = 0;

    FloatW magnitude = 0.0f;

    LANE_INLINE NoVolumeW(const PreparedView&, const ExtentW&) {}
    LANE_INLINE void rescale(FloatW) {}
    LANE_INLINE Vec3W lowest(const Vec3W&) const { return zero3(); }
};

/// The numbers of a pair of a light and a block of cells, lane by lane.
struct PairNumbers {
    enum Number {
        at_x,  ///< the ball's centre or the apex, relative to c, in world axes
        at_y,
        at_z,
        axis_x,  ///< at length 1
        axis_y,
        axis_z,
        radius,   ///< of a ball; 0 for a spotlight
        range,    ///< of a spotlight; 0 for a ball
        tangent,  ///< of half its angle
        x_low,    ///< the block: lines between tiles, and depths
        x_high,
        y_low,
        y_high,
        near,
        far,
        magnitude,
        count
    };
    static constexpr std::uint32_t pairs = 2 * lanes;

    alignas(64) float value[count][pairs];

    LANE_INLINE FloatW operator()(Number number, std::uint32_t first) const { return load(value[number] + first); }
};

/// Light minus block.
struct LightLessBlockW {
    static constexpr bool may_overflow = false;
    static constexpr std::uint32_t lane_numbers = 0;
    static constexpr float error_factor(const Frame&) { return error_per_magnitude(roundings::light_support); }

    LightShapeW light;
    FloatW x_low, x_high, y_low, y_high, near, far;
    FloatW magnitude;
    bool is_orthographic;

    LANE_INLINE LightLessBlockW(const LightCells& cells, SpotEnd end, const PairNumbers& numbers, std::uint32_t first)
        : light(
              cells.view.frame,
              {numbers(PairNumbers::at_x, first), numbers(PairNumbers::at_y, first), numbers(PairNumbers::at_z, first)},
              {numbers(PairNumbers::axis_x, first), numbers(PairNumbers::axis_y, first),
               numbers(PairNumbers::axis_z, first)},
              numbers(PairNumbers::radius, first), numbers(PairNumbers::range, first),
              numbers(PairNumbers::tangent, first), end),
          x_low(numbers(PairNumbers::x_low, first)),
          x_high(numbers(PairNumbers::x_high, first)),
          y_low(numbers(PairNumbers::y_low, first)),
          y_high(numbers(PairNumbers::y_high, first)),
          near(numbers(PairNumbers::near, first)),
          far(numbers(PairNumbers::far, first)),
          magnitude(numbers(PairNumbers::magnitude, first)),
          is_orthographic(cells.is_orthographic != 0) {}

    LANE_INLINE void rescale(FloatW scale) {
        light.rescale(scale);
        near = near * scale, far = far * scale;
        if (!is_orthographic) return;
        x_low = x_low * scale, x_high = x_high * scale, y_low = y_low * scale, y_high = y_high * scale;
    }
    [[nodiscard]] static LANE_INLINE FloatW underflow_magnitude() { return LightShapeW::underflow_magnitude(); }
    [[nodiscard]] LANE_INLINE ExtentW extent() const { return {zero3(), zero3()}; }

    LANE_INLINE Vec3W block_point(const Vec3W& v) const {
        const FloatW x = select(v.x > FloatW(0.0f), x_low, x_high), y = select(v.y > FloatW(0.0f), y_low, y_high);
        if (is_orthographic) return {x, y, select(v.z > FloatW(0.0f), near, far)};
        const FloatW z = select(fma(v.x, x, fma(v.y, y, v.z)) < FloatW(0.0f), far, near);
        return {x * z, y * z, z};
    }

    LANE_INLINE Vec3W support(const Vec3W& v) const { return light.support(v) - block_point(v); }
};

LANE_INLINE Vec3W support_in(const LightLessBlockW& shape, const Frame&, const Vec3W& v, std::uint32_t) {
    return shape.support(v);
}

/// Where GJK starts: along a direction that parts the light from the block's middle; or a middle that is in the light.
struct MiddleW {
    Vec3W start;
    MaskW is_lit;

    LANE_INLINE MiddleW(const LightLessBlockW& shape, bool is_rigid) {
        const FloatW half(0.5f), zero(0.0f), one(1.0f), tiny(1e-36f);
        Vec3W middle = {(shape.x_low + shape.x_high) * half, (shape.y_low + shape.y_high) * half,
                        (shape.near + shape.far) * half};
        if (!shape.is_orthographic) middle.x = middle.x * middle.z, middle.y = middle.y * middle.z;
        const LightShapeW& light = shape.light;
        const FloatW scale = exponent_scale(shape.magnitude), range = light.range * scale,
                     radius = light.radius * scale;
        Vec3W way = (middle - light.at) * scale;
        start = way;
        is_lit = mask_of(0);
        if (is_rigid) {
            const Vec3W axis = light.rotation * light.axis;
            const FloatW along = dot(way, axis), square = dot(way, way);
            Vec3W across = plus_times(way, axis, -along);
            const FloatW size = sqrt(dot(across, across));
            const MaskW forward = size <= light.tangent * along, behind = fma(size, light.tangent, along) <= zero;
            const FloatW reach = light.is_flat ? along : sqrt(square);
            is_lit = (forward & (reach <= range)) | (square <= radius * radius);
            const Vec3W side = plus_times(across * (one / max(size, tiny)), axis, -light.tangent);
            start = select(forward | behind, way, side);
        }
        start = select(one_norm(start) > FloatW(least_direction), start, {zero, zero, one});
    }
};

/// Bit i: pair i is proved to share no point.
[[gnu::noinline]] std::uint32_t find_apart(const LightCells& cells, SpotEnd end, const PairNumbers& numbers,
                                           std::uint32_t active) {
    const ExtentW nothing{zero3(), zero3()};
    const bool is_rigid = cells.view.frame.rigid != 0;
    LightLessBlockW shapes[2] = {{cells, end, numbers, 0}, {cells, end, numbers, lanes}};
    const MiddleW middles[2] = {{shapes[0], is_rigid}, {shapes[1], is_rigid}};
    const MaskW undecided[2] = {mask_of(active & all_lanes) & ~middles[0].is_lit,
                                mask_of(active >> lanes & all_lanes) & ~middles[1].is_lit};
    if (!any(undecided[0] | undecided[1])) return 0;
    const QueryW<LightLessBlockW> queries[2] = {{shapes[0], middles[0].start, undecided[0]},
                                                {shapes[1], middles[1].start, undecided[1]}};
    using Query = Gjk<LightLessBlockW, NoVolumeW, NotTraced>;
    TwoInTurn<Query> two{Query(cells.view, queries[0], nothing), Query(cells.view, queries[1], nothing)};
    for (Query* query : {&two.first, &two.second}) {
        query->error = query->error + FloatW(cells.cell_error) * FloatW(2.0f);  // scaled magnitudes are below 2
    }
    two.begin(queries[0].start, queries[1].start);
    two.go_on(late_iteration, 0);
    two.go_on_until(0);
    return bits(two.first.result.apart) | bits(two.second.result.apart) << lanes;
}

}  // namespace
}  // namespace lanecull
