#pragma once

/// W lights as GJK sees them.

#include <lanecull/light_grid.h>

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/box.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// All points within `radius` of a cone, in view coordinates. The support point is found in world axes, so R need not
/// be orthonormal.
struct LightShapeW {
    static constexpr bool may_overflow = false;
    static constexpr float error_factor(const Frame&) { return error_per_magnitude(roundings::light_support); }

    UniformMatrix rotation;
    Vec3W at, axis;  // `at` in view coordinates, the axis in world axes and at length 1
    FloatW radius, range, tangent, cosine;
    FloatW magnitude;
    bool is_flat;

    /// q: relative to the frame's origin, in world axes.
    LANE_INLINE LightShapeW(const Frame& frame, const Vec3W& q, const Vec3W& axis_, FloatW radius_, FloatW range_,
                            FloatW tangent_, SpotEnd end)
        : rotation(frame.rotation),
          at(rotation * q),
          axis(axis_),
          radius(radius_),
          range(range_),
          tangent(tangent_),
          cosine(FloatW(1.0f) / sqrt(fma(tangent, tangent, FloatW(1.0f)))),
          magnitude(one_norm(q) + radius + reach(end)),
          is_flat(end == SpotEnd::flat) {}

    LANE_INLINE void rescale(FloatW scale) { at = at * scale, radius = radius * scale, range = range * scale; }
    [[nodiscard]] static LANE_INLINE FloatW underflow_magnitude() { return FloatW(1e-20f); }
    [[nodiscard]] LANE_INLINE ExtentW extent() const {
        const FloatW out = FloatW(2.0f) * (radius + reach(is_flat ? SpotEnd::flat : SpotEnd::round));  // R may be skew
        const Vec3W around = {out, out, out};
        return {at - around, at + around};
    }

    /// A cone's point farthest along n: of its end, or the apex. Relative to the apex.
    LANE_INLINE Vec3W cone_point(const Vec3W& n) const {
        const FloatW zero(0.0f), along = dot(n, axis);
        Vec3W across = plus_times(n, axis, -along);
        across = plus_times(across, axis, -dot(across, axis));
        const FloatW size = sqrt(dot(across, across)), length = sqrt(dot(n, n));
        const MaskW aside = size > length * FloatW(8 * unit_roundoff);
        const FloatW out = select(aside, tangent / max(size, FloatW(1e-36f)), zero);
        Vec3W rim = plus_times(axis, across, out);
        if (!is_flat) {
            const MaskW on_cap = size < tangent * along;
            rim = select(on_cap, n * (FloatW(1.0f) / max(length, FloatW(1e-36f))), rim * cosine);
        }
        const MaskW forward = fma(tangent, size, along) > zero;
        return rim * select(forward, range, zero);
    }

    LANE_INLINE Vec3W support(const Vec3W& v) const {
        Vec3W n = rotation.transposed(v);
        n = n * exponent_scale(one_norm(n));  // so that no square underflows that counts
        return at + rotation * plus_times(cone_point(n), n, radius / sqrt(max(dot(n, n), FloatW(1e-36f))));
    }

private:
    /// How far from the apex a cone reaches, at most.
    LANE_INLINE FloatW reach(SpotEnd end) const {
        return end == SpotEnd::flat ? range * (FloatW(1.0f) + tangent) : range;
    }
};

LANE_INLINE Vec3W support_in(const LightShapeW& shape, const Frame&, const Vec3W& v, std::uint32_t) {
    return shape.support(v);
}

}  // namespace
}  // namespace lanecull
